// boardgame.io's React client: its own board component, socket.io, no debug panel.
import { Client } from "boardgame.io/react";
import { SocketIO } from "boardgame.io/multiplayer";
import { createRoot } from "react-dom/client";
import { Ballot as game } from "./game.js";
import { Ballot } from "./ballot.jsx";

const { match, seat, key } = Object.fromEntries(new URLSearchParams(location.search));

const board = ({ G, moves }) => (
  <Ballot seat={seat} answered={G.answered} opened={G.opened} hasAnswered={G.players[seat].word !== null}
    cast={moves.cast} open={moves.open} />
);
const App = Client({ game, board, numPlayers: 8, multiplayer: SocketIO({ server: location.origin }), debug: false });

createRoot(document.getElementById("root")).render(<App matchID={match} playerID={seat} credentials={key} />);
