// The secret vote as a game of boardgame.io: every player puts a word into the box, then the box is opened.
const { ActivePlayers, INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const move = (rule) => ({ move: rule, client: false, ignoreStaleStateID: true });

exports.Ballot = {
  name: "ballot",
  minPlayers: 8,
  maxPlayers: 8,
  disableUndo: true,
  playerView: PlayerView.STRIP_SECRETS,
  turn: { activePlayers: ActivePlayers.ALL },

  setup: ({ ctx }) => ({
    answered: 0,
    opened: 0,
    players: Object.fromEntries(ctx.playOrder.map((seat) => [seat, { word: null }])),
  }),

  moves: {
    cast: move(({ G, playerID }, word) => {
      if (typeof word !== "string" || G.players[playerID].word !== null) return INVALID_MOVE;
      G.players[playerID].word = word;
      G.answered += 1;
    }),
    open: move(({ G, ctx }) => {
      if (G.answered < ctx.numPlayers) return INVALID_MOVE;
      for (const seat of ctx.playOrder) G.players[seat].word = null;
      G.answered = 0;
      G.opened += 1;
    }),
  },
};
