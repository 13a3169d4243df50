"""Trickery & Deceit: two secret societies, thirty-five coins, and five seals to win."""

from companion.game import N_, Game
from companion.games.trickery import afterwards, rules, secrets, view
from companion.games.trickery.state import Setup, Societies

GAME = Game(
    name="trickery",
    title=N_("Trickery & Deceit"),
    about=N_("Keeps track of coins, chests and seals, so they can stay in the box. Shows which cards you can play."),
    players=(3, 6),
    setup=Setup,
    state=Societies,
    start=rules.start,
    rules=rules.RULES,
    table_view=view.table_view,
    seat_view=view.seat_view,
    screen_view=view.screen_view,
    secrets=secrets.secrets,
    result=rules.result,
    choosing=view.choosing,
    feats=afterwards.feats,
    charts=afterwards.charts,
    keeps=rules.keeps,
)
