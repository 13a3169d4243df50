"""Going on: the same people play again, or choose another game. Nobody scans twice in an evening."""

from __future__ import annotations

import msgspec
from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.lasting import last_setup, scope_of
from companion.engine.links import Link
from companion.engine.snapshot import Snapshot, as_data
from companion.game import Game, NotAllowed
from companion.web import render_page, services
from companion.web.forms import SetupForm
from companion.web.lobby import game_called
from companion.web.seat import address_of, answer_setup, read_link, viewer_of
from companion.web.shared import go_to
from companion.web.taps import answer

pages = Blueprint("again", __name__)


def go_on(link: Link, now: Snapshot) -> ResponseReturnValue:
    """To the table where everybody sits now."""
    return go_to(request, address_of(link.at(now.id)))


@pages.post("/<any(s, x):kind>/<token>/again")
def again(kind: str, token: str) -> ResponseReturnValue:
    """The same game, the same people, the same set-up. Tapped twice, it still opens one table."""
    link, now = read_link(kind, token)
    table = services().links.read(token).table
    try:
        return go_on(link, services().tables.play_on(table, link.seat, now.game))
    except NotAllowed as refusal:
        return answer(services(), request, viewer_of(link), refusal.say)


@pages.get("/<any(s, x):kind>/<token>/next")
def choose(kind: str, token: str) -> ResponseReturnValue:
    """Which game is next? Those that suit so many people come first."""
    link, now = read_link(kind, token)
    if not may_go_on(link, now):
        return redirect(address_of(link), 303)
    here = len(now.room.here)
    games = sorted(services().reader.games.values(), key=lambda game: not suits(game, here))
    return render_page(
        "next.html",
        choices=[(game, suits(game, here), here <= game.players[1]) for game in games],
        n=here,
        here=address_of(link),
    )


def suits(game: Game, people: int) -> bool:
    return game.players[0] <= people <= game.players[1]


def may_go_on(link: Link, now: Snapshot) -> bool:
    return now.room.is_host(link.seat) and now.is_over


@pages.route("/<any(s, x):kind>/<token>/next/<name>", methods=["GET", "POST"])
def set_up(kind: str, token: str, name: str) -> ResponseReturnValue:
    """Set the next game up; its table opens with everybody on their seats."""
    game = game_called(name)
    link, now = read_link(kind, token)
    table = services().links.read(token).table
    if table != now.id or not may_go_on(link, now):
        return go_on(link, now)

    def play_on(setup: msgspec.Struct) -> ResponseReturnValue:
        return go_on(link, services().tables.play_on(table, link.seat, game, setup))

    form = SetupForm(game, as_data(last_setup(services().tables.store, game, scope_of(now))))
    return answer_setup(form, play_on, back=f"{address_of(link)}/next", opening=True)
