"""The Traitors: secret ballots, open votes, and a prize fund."""

from companion.game import N_, Game
from companion.games.traitors import afterwards, events, gold, rules, seat_view, secrets, setup, state, view

GAME = Game(
    name="traitors",
    title=N_("The Traitors"),
    about=N_("Events, secret murders, banishment votes and the prize fund. Cards and roles stay on the table."),
    players=(4, 8),
    setup=setup.Setup,
    state=state.Evening,
    start=events.start,
    rules=rules.RULES,
    table_view=view.table_view,
    seat_view=seat_view.seat_view,
    screen_view=seat_view.screen_view,
    secrets=secrets.secrets,
    host_view=seat_view.host_view,
    result=gold.result,
    choosing=seat_view.choosing,
    taking_part=seat_view.taking_part,
    feats=afterwards.feats,
    charts=afterwards.charts,
)
