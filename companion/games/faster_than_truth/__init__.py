"""Peaky Blinders: Faster Than Truth: hidden stashes, declared cards, and who challenged first."""

from companion.game import N_, Game
from companion.games.faster_than_truth import afterwards, rules, seat_view, secrets, setup, state, view

GAME = Game(
    name="faster_than_truth",
    title=N_("Faster Than Truth"),
    about=N_("Keeps every stash, says who challenged first, and spots five of a kind."),
    players=(3, 6),
    setup=setup.Setup,
    state=state.Play,
    start=rules.start,
    rules=rules.RULES,
    table_view=view.table_view,
    seat_view=seat_view.seat_view,
    screen_view=seat_view.screen_view,
    secrets=secrets.secrets,
    result=rules.result,
    choosing=seat_view.choosing,
    feats=afterwards.feats,
    charts=afterwards.charts,
)
