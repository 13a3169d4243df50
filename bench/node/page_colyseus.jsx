// Colyseus' client. It has no view layer, so React draws its state, as with boardgame.io.
import { Client } from "@colyseus/sdk";
import { createRoot } from "react-dom/client";
import { Ballot } from "./ballot.jsx";

const seat = new URLSearchParams(location.search).get("seat");
const root = createRoot(document.getElementById("root"));

new Client(location.origin).joinOrCreate("ballot", { seat }).then((room) => {
  const cast = (word) => room.send("cast", word);
  const open = () => room.send("open");
  room.onStateChange(({ answered, opened, ready }) => root.render(
    <Ballot seat={seat} answered={answered} opened={opened} hasAnswered={ready.get(seat) === true} cast={cast} open={open} />,
  ));
});
