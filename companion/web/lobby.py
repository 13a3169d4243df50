"""Choose a game, set it up, open a table, take a seat."""

from __future__ import annotations

import secrets

from flask import Blueprint, Response, abort, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine.finding import NoSuchTable
from companion.engine.game import TABLE, Game, Latecomer, NotAllowed, Say, as_data
from companion.engine.links import WATCHER, BadLink, Link
from companion.engine.present import Present
from companion.web import parts
from companion.web.forms import fields_of, read_setup, typed
from companion.web.nights import nights_of_this_screen
from companion.web.people import BADGES, COLOUR_NAMES, SYMBOLS
from companion.web.seat import introduced, kept_screens, remember, viewer_of

pages = Blueprint("lobby", __name__)


@pages.get("/")
def shelf() -> ResponseReturnValue:
    """The games, and the tables that this screen has opened."""
    games = parts().tables.games
    return render_template(
        "shelf.html", games=games.values(), all_games=games, mine=my_tables(), nights=nights_of_this_screen()
    )


def my_tables() -> list[tuple[Present, str]]:
    """The tables that this browser has opened and that are still going on, each once."""
    found = {}
    kept = kept_screens()
    parts().tables.catch_up(*(link.table for _, link in kept))
    for _, link in kept:
        try:
            now = parts().tables.admit(link)
        except BadLink:
            continue
        if now.room.phase != "ended":
            found[now.id] = (now, parts().screens.address(viewer_of(link.at(now.id))))
    return list(found.values())


def game_called(name: str) -> Game:
    game = parts().tables.games.get(name)
    if game is None:
        abort(404)
    return game


@pages.route("/new/<name>", methods=["GET", "POST"])
def new(name: str) -> ResponseReturnValue:
    """Set a game up and open its table."""
    game = game_called(name)
    refusal: Say | None = None
    if request.method == "POST":
        try:
            parts().limits.count("open", request.remote_addr)
            parts().limits.room_for_table(parts().tables.opened_today())
            now = parts().tables.open(game, read_setup(game, request.form.to_dict(flat=False)))
            return redirect(parts().screens.address(viewer_of(Link(now.id, TABLE, 1))), 303)
        except NotAllowed as why:
            refusal = why.say
    page = render_template(
        "setup.html", game=game, fields=fields_of(game.setup), refusal=refusal, opening=True, back=None,
        values=typed(request.form.to_dict(flat=False)) if refusal else as_data(parts().tables.last_setup(game)),
    )  # fmt: skip
    return page, 422 if refusal else 200


@pages.get("/help/<name>")
def help(name: str) -> ResponseReturnValue:
    """The screens of a game, explained in under a minute."""
    return render_template("help.html", game=game_called(name))


@pages.get("/join")
def by_code() -> ResponseReturnValue:
    """A code typed by hand."""
    code = "".join(c for c in request.args.get("code", "") if c.isalnum())[:12]
    return redirect(f"{request.root_path.rstrip('/')}/t/{code.upper()}" if code else f"{request.root_path}/", 303)


@pages.route("/t/<code>", methods=["GET", "POST"])
def join(code: str) -> ResponseReturnValue:
    """Take a seat. A phone that sits here already goes back to its own seat."""
    code = code.upper()
    proof = request.values.get("k", "")[:64]
    scanned = parts().links.is_join(code, proof)
    if not scanned:
        parts().limits.check("guess", request.remote_addr)
    try:
        now = parts().tables.by_code(code)
    except NoSuchTable:
        parts().limits.count("guess", request.remote_addr)
        raise
    if (seat := own_seat(now)) is not None:
        return redirect(parts().screens.address(viewer_of(seat)), 303)
    refusal: Say | None = None
    known, liked = introduced()
    typed = request.form.get("name", known)[:200]
    if (chosen := request.form.get("badge", "")).isdigit() and chosen.isascii() and int(chosen) < BADGES:
        liked = int(chosen)
    if request.method == "POST":
        try:
            parts().limits.count("join", request.remote_addr)
            nonce = "".join(c for c in request.form.get("nonce", "") if c.isalnum())[:32]
            now, taken = parts().tables.sit(now.id, typed, nonce or None, liked)
            token = parts().links.sign(now.id, taken, now.room.person(taken).generation)
            reply = Response(status=303)
            link = Link(now.id, taken, now.room.person(taken).generation)
            reply.headers["Location"] = parts().screens.address(viewer_of(link))
            remember(reply, link, now, token)
            return reply
        except NotAllowed as why:
            refusal = why.say
    is_open = now.room.phase == "gathering" or (now.room.phase == "playing" and Latecomer in now.game.rules)
    page = render_template(
        "join.html",
        game=now.game,
        code=code,
        proof=proof,
        names=now.room.names,
        nonce=secrets.token_hex(8),
        typed=typed,
        refusal=refusal,
        is_open=is_open,
        badges=free_badges(now),
        liked=liked,
        phase=now.room.phase,
        watch=parts().screens.address(viewer_of(Link(now.id, WATCHER, 1))),
    )
    return page, 422 if refusal else 200


def free_badges(now: Present) -> list[tuple[int, str, str]]:
    """The colours that nobody at this table has: number, symbol, name."""
    taken = {person.badge for person in now.room.here}
    return [(badge, SYMBOLS[badge], COLOUR_NAMES[badge]) for badge in range(BADGES) if badge not in taken]


def own_seat(now: Present) -> Link | None:
    """The seat that this phone holds at this table, by its cookie."""
    try:
        link = parts().links.read(request.cookies.get(f"seat-{now.code}", ""))
        here = parts().tables.admit(link)
    except BadLink:
        return None
    return link.at(now.id) if here.id == now.id and link.seat > TABLE else None
