"""Going on: the same people play again, or choose another game. Nobody scans twice in an evening."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine.game import Game, NotAllowed, Say, as_data
from companion.engine.links import Link
from companion.engine.present import Present
from companion.web import parts
from companion.web.forms import fields_of, read_setup, typed
from companion.web.lobby import game_called
from companion.web.seat import answer, read_door, viewer_of

pages = Blueprint("again", __name__)


def moved(link: Link, now: Present) -> ResponseReturnValue:
    """To the table where everybody sits now."""
    where = parts().screens.address(viewer_of(link.at(now.id)))
    if "HX-Request" in request.headers:
        return Response(headers={"HX-Redirect": where})
    return redirect(where, 303)


@pages.post("/<any(s, x):door>/<token>/again")
def again(door: str, token: str) -> ResponseReturnValue:
    """The same game, the same people, the same set-up. Tapped twice, it still opens one table."""
    link, now = read_door(door, token)
    table = parts().links.read(token).table
    try:
        return moved(link, parts().tables.play_on(table, link.seat, now.game))
    except NotAllowed as refusal:
        return answer(link, refusal.say)


@pages.get("/<any(s, x):door>/<token>/next")
def choose(door: str, token: str) -> ResponseReturnValue:
    """Which game is next? Those that suit so many people come first."""
    link, now = read_door(door, token)
    if not may_go_on(link, now):
        return redirect(parts().screens.address(viewer_of(link)), 303)
    here = len(now.room.here)
    games = sorted(parts().tables.games.values(), key=lambda game: not suits(game, here))
    return render_template(
        "next.html",
        choices=[(game, suits(game, here), here <= game.players[1]) for game in games],
        n=here,
        here=parts().screens.address(viewer_of(link)),
    )


def suits(game: Game, people: int) -> bool:
    return game.players[0] <= people <= game.players[1]


def may_go_on(link: Link, now: Present) -> bool:
    return now.room.is_host(link.seat) and now.is_over


@pages.route("/<any(s, x):door>/<token>/next/<name>", methods=["GET", "POST"])
def set_up(door: str, token: str, name: str) -> ResponseReturnValue:
    """Set the next game up; its table opens with everybody on their seats."""
    game = game_called(name)
    link, now = read_door(door, token)
    table = parts().links.read(token).table
    if table != now.id or not may_go_on(link, now):
        return moved(link, now)
    refusal: Say | None = None
    if request.method == "POST":
        try:
            return moved(
                link, parts().tables.play_on(table, link.seat, game, read_setup(game, request.form.to_dict(flat=False)))
            )
        except NotAllowed as why:
            refusal = why.say
    page = render_template(
        "setup.html", game=game, fields=fields_of(game.setup), refusal=refusal, opening=True,
        back=f"{parts().screens.address(viewer_of(link))}/next",
        values=typed(request.form.to_dict(flat=False)) if refusal else as_data(parts().tables.last_setup(game)),
    )  # fmt: skip
    return page, 422 if refusal else 200
