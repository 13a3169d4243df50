// The smallest page that plays: what a phone has to load before it can vote.
import { Client } from "@colyseus/sdk";

const [roomId, seat] = location.hash.slice(1).split("/");
const [count, form] = [document.querySelector("h2"), document.querySelector("form")];

const room = await new Client(location.origin).joinById(roomId, { seat: Number(seat) });
room.onStateChange((state) => {
  count.textContent = `${state.answered} of ${state.of} have answered`;
});
room.onMessage("answered", () => form.remove());
room.onMessage("refused", (why) => alert(why));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  room.send("cast", form.word.value);
});
