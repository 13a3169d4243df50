"""The Traitors: secret ballots, open votes, and a prize fund."""

from companion.engine.game import N_, Game
from companion.games.traitors import afterwards, desks, evening, events, gold, rules, view

GAME = Game(
    name="traitors",
    title=N_("The Traitors"),
    about=N_("Events, secret murders, banishment votes and the prize fund. Cards and roles stay on the table."),
    players=(4, 8),
    setup=evening.Setup,
    state=evening.Evening,
    start=events.start,
    rules=rules.RULES,
    table_view=view.table_view,
    seat_view=desks.seat_view,
    screen_view=desks.screen_view,
    host_view=desks.host_view,
    result=gold.result,
    choosing=desks.choosing,
    asked=desks.asked,
    feats=afterwards.feats,
    charts=afterwards.charts,
)
