// The smallest page that plays: what a phone has to load before it can vote.
import { Client } from "boardgame.io/client";
import { SocketIO } from "boardgame.io/multiplayer";
import { Ballot } from "./game.js";

const [matchID, playerID, credentials] = location.hash.slice(1).split("/");
const client = Client({ game: Ballot, matchID, playerID, credentials, debug: false, multiplayer: SocketIO() });
const [count, form] = [document.querySelector("h2"), document.querySelector("form")];

client.subscribe((state) => {
  if (state) count.textContent = `${state.G.answered} of 8 have answered`;
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  client.moves.cast(form.word.value);
});
client.start();
