"""Going on: the same people play again, or choose another game. Nobody scans twice in an evening."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from companion.engine.lasting import last_setup, scope_of
from companion.engine.links import Link
from companion.engine.next_game import Company
from companion.engine.room_rules import EndTable
from companion.engine.snapshot import Snapshot, as_data
from companion.game import Game, NotAllowed, Seat
from companion.web import render_page, services
from companion.web.forms import SetupForm
from companion.web.lobby import game_called
from companion.web.people import faces_of
from companion.web.presets import presets_of
from companion.web.seat import address_of, answer_setup, read_link, viewer_of
from companion.web.shared import go_to
from companion.web.taps import answer

pages = Blueprint("again", __name__)
SEAT = re.compile("[0-9]{1,5}")
"""The fields by which a form says who plays."""


def go_on(link: Link, now: Snapshot) -> ResponseReturnValue:
    """Redirect to the table where everybody sits now."""
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
    """Choose the next game and who plays it. Games that suit the number of people come first."""
    link, now = read_link(kind, token)
    if not may_go_on(link, now):
        return redirect(address_of(link), 303)
    company = company_of(now, request.args)
    n = company.size(now.room)
    games = sorted(services().reader.games.values(), key=lambda game: not suits(game, n))
    return render_page(
        "next.html",
        choices=[(game, suits(game, n)) for game in games],
        n=n,
        presets=[one for game in games for one in presets_of(game, scope_of(now))],
        here=address_of(link),
        **asked(now, company),
    )


def suits(game: Game, people: int) -> bool:
    return game.players[0] <= people <= game.players[1]


def may_go_on(link: Link, now: Snapshot) -> bool:
    return now.room.is_host(link.seat) and now.is_over


def company_of(now: Snapshot, form: MultiDict[str, str]) -> Company:
    """Who plays the next game, as ticked; before anybody was asked, all of tonight's people."""
    if "who-asked" not in form:
        return Company(tuple(person.seat for person in now.room.company))
    seats = [n for n in form.getlist("who-plays") if SEAT.fullmatch(n)]
    return Company(tuple(map(Seat, seats)), form.get("who-joins", "")[:200])


def asked(now: Snapshot, company: Company) -> dict[str, Any]:
    """What the question who plays is drawn from."""
    return {
        "company": [
            (somebody, somebody.seat in (company.plays or ())) for somebody in faces_of(now.room, now.room.company)
        ],
        "joins": company.joins,
    }


@pages.route("/<any(s, x):kind>/<token>/next/<name>", methods=["GET", "POST"])
def set_up(kind: str, token: str, name: str) -> ResponseReturnValue:
    """Set the next game up, and say who plays it; its table opens with everybody on their seats."""
    game = game_called(name)
    link, now = read_link(kind, token)
    table = services().links.read(token).table
    if "end" in request.form and table == now.id and not now.is_over:
        services().tables.act(now.id, link.seat, EndTable(), None, link)
        return redirect(f"{address_of(link)}/next/{name}", 303)
    if table != now.id or not may_go_on(link, now):
        return go_on(link, now)
    company = company_of(now, request.form if "who-asked" in request.form else request.args)

    def play_on(setup: msgspec.Struct) -> ResponseReturnValue:
        return go_on(link, services().tables.play_on(table, link.seat, game, setup, company))

    form = SetupForm(game, as_data(last_setup(services().tables.store, game, scope_of(now))))
    preset = request.args.get("who-preset")
    if (known := next((one for one in presets_of(game, scope_of(now)) if one.name == preset), None)) is not None:
        form.values = as_data(known.setup)
    back = f"{address_of(link)}/next"
    return answer_setup(form, play_on, back=back, opening=True, n=company.size(now.room), **asked(now, company))
