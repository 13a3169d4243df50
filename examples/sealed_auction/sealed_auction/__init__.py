"""Sealed auction: everything the game consists of."""

from pathlib import Path

from companion.game import N_, Game
from sealed_auction import rules, view

GAME = Game(
    name="sealed_auction",
    title=N_("Sealed auction"),
    about=N_("Keeps hands and bids secret, counts the money, and knows who is bluffing."),
    players=(3, 6),
    setup=rules.Setup,
    state=rules.Auction,
    start=rules.start,
    rules=rules.RULES,
    table_view=view.table_view,
    seat_view=view.seat_view,
    screen_view=view.table_view,
    secrets=view.secrets,
    result=rules.result,
    choosing=rules.Auction.waiting_for,
    home=Path(__file__).parent,
)
