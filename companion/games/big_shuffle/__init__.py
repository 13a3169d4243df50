"""The Big Shuffle: public knowledge for everybody, agendas in private, and scene changes."""

from companion.game import N_, Game, Lasting
from companion.games.big_shuffle import afterwards, agendas, rules, seat_view, secrets, setup, state, view

GAME = Game(
    name="big_shuffle",
    title=N_("The Big Shuffle"),
    about=N_("See the whole city at a glance, keep your agendas secret, and let us count if you like."),
    players=(2, 4),
    setup=setup.Setup,
    state=state.Noir,
    start=rules.start,
    rules=rules.RULES,
    table_view=view.table_view,
    seat_view=seat_view.seat_view,
    screen_view=seat_view.screen_view,
    secrets=secrets.secrets,
    result=rules.result,
    keeps=agendas.keeps,
    feats=afterwards.feats,
    charts=afterwards.charts,
    lasting=Lasting(kind=rules.Learnt, take=rules.lasting, give=rules.remembering),
)
