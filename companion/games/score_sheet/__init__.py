"""A plain score sheet for any game."""

from companion.game import N_, Game
from companion.games.score_sheet import afterwards, rules, scorer, setup, state, view

GAME = Game(
    name="score_sheet",
    title=N_("Score sheet"),
    about=N_("Keeps score for any game: by rounds, running totals or categories, alone or in teams."),
    players=(2, 20),
    setup=setup.Setup,
    state=state.Sheet,
    start=rules.start,
    rules=rules.RULES,
    table_view=view.table_view,
    seat_view=view.seat_view,
    screen_view=view.screen_view,
    secrets=None,
    record_view=view.record_view,
    host_view=scorer.host_view,
    result=state.result,
    played_as=setup.played_as,
    bgg_id=setup.bgg_id,
    choosing=view.choosing,
    feats=afterwards.feats,
    charts=afterwards.charts,
    keeps=rules.keeps,
)
