"""A plain score sheet for any game."""

from companion.game import N_, Game
from companion.games.score_sheet import afterwards, rules, state, view

GAME = Game(
    name="score_sheet",
    title=N_("Score sheet"),
    about=N_("Counts for any game you play: rounds or running totals, high or low wins."),
    players=(2, 20),
    setup=state.Setup,
    state=state.Sheet,
    start=rules.start,
    rules=rules.RULES,
    table_view=view.table_view,
    seat_view=view.seat_view,
    screen_view=view.screen_view,
    secrets=None,
    record_view=view.record_view,
    host_view=view.host_view,
    result=state.result,
    choosing=view.choosing,
    feats=afterwards.feats,
    charts=afterwards.charts,
    keeps=rules.keeps,
)
