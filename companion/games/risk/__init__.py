"""Risk: Peaky Blinders. The board stays on the table; the app counts, rolls and keeps hands secret."""

from companion.game import N_, Game, Lasting
from companion.games.risk import afterwards, opening, places, rules, seat_view, secrets, view
from companion.games.risk.atlas import Atlas
from companion.games.risk.setup import Setup
from companion.games.risk.state import Underworld

GAME = Game(
    name="risk",
    title=N_("Risk: Peaky Blinders"),
    about=N_("Moves the Crown, counts members and territories, knows the odds and keeps your cards secret."),
    players=(2, 5),
    setup=Setup,
    state=Underworld,
    start=opening.start,
    rules=rules.RULES,
    table_view=view.table_view,
    seat_view=seat_view.seat_view,
    screen_view=seat_view.screen_view,
    secrets=secrets.secrets,
    host_view=seat_view.host_view,
    result=rules.result,
    choosing=seat_view.choosing,
    feats=afterwards.feats,
    charts=afterwards.charts,
    lasting=Lasting(kind=Atlas, take=places.learnt, give=places.remembering),
    keeps=Underworld.with_notes_of,
)
