"""Choose a game, set it up, open a table, take a seat."""

from __future__ import annotations

import secrets

import msgspec
from flask import Blueprint, Response, abort, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.routing import BaseConverter

from companion.engine.lasting import forget_preset, last_setup
from companion.engine.links import WATCHER, BadLink, Link
from companion.engine.nights import DAY_S
from companion.engine.reader import NoSuchTable
from companion.engine.snapshot import Snapshot, as_data
from companion.game import TABLE, Game, Latecomer, NotAllowed, Say
from companion.web import render_page, root, services
from companion.web.forms import SetupForm
from companion.web.nights import nights_of_this_screen
from companion.web.people import BADGES, BADGES_BY_NAME, COLOUR_NAMES, faces_of, people_of
from companion.web.players import may_switch
from companion.web.presets import presets_of
from companion.web.seat import (
    address_of,
    answer_setup,
    earlier_seat,
    elsewhere,
    kept_screens,
    nonce_of_form,
    note_phone,
    remember,
    remembered_player,
    scope,
    tonight,
)
from companion.web.whereabouts import allow_pictures_from

pages = Blueprint("lobby", __name__)
ON_THE_SHELF = 6
"""How many presets of a game are on the shelf; the set-up page has all."""


class CodeConverter(BaseConverter):
    """The code of a table, in any case."""

    regex = "[A-Za-z]{4,6}"


@pages.get("/")
def shelf() -> ResponseReturnValue:
    """The games, and the tables that this screen has opened."""
    games, known = services().reader.games, scope()
    return render_page(
        "shelf.html",
        games=games.values(),
        all_games=games,
        mine=my_tables(),
        nights=nights_of_this_screen(),
        presets=[preset for game in games.values() for preset in presets_of(game, known)[:ON_THE_SHELF]],
        players=services().nights.counts or may_switch(),
    )


def my_tables() -> list[tuple[Snapshot, str]]:
    """The tables that this browser has opened and that are still going on, each once."""
    found = {}
    kept = kept_screens()
    services().reader.catch_up(*(link.table for _, link in kept))
    for _, link in kept:
        try:
            now = services().reader.authorize(link)
        except BadLink:
            continue
        if now.room.phase != "ended":
            found[now.id] = (now, address_of(link.at(now.id)))
    return list(found.values())


def game_called(name: str) -> Game:
    game = services().reader.games.get(name)
    if game is None:
        abort(404)
    return game


@pages.route("/new/<name>", methods=["GET", "POST"])
def new(name: str) -> ResponseReturnValue:
    """Set a game up and open its table; on an evening that is not over, ask for whom."""
    game, people = game_called(name), request.args.get("for", "")
    evening = None if people == "another night" else tonight()
    preset = request.form.get("who-preset")
    if evening is not None and not people and (preset is not None or request.method != "POST"):
        link, now = evening
        return render_page(
            "tonight.html", next_game=game, here=address_of(link), now=now, host=now.room.is_host(TABLE),
            people=faces_of(now.room, now.room.company), preset=preset,
        )  # fmt: skip
    tables, limits = services().tables, services().limits
    if request.method == "POST":
        limits.count("open", request.remote_addr)
        store, since = tables.store, tables.time() - DAY_S
        limits.check_tables(store.opened_since(since), len(store.empty_since(since)), request.remote_addr)

    def open_table(setup: msgspec.Struct) -> ResponseReturnValue:
        chosen = request.form.get("table-language", "")
        language = chosen if chosen in services().languages else ""
        now = tables.open(game, setup, scope(), language, evening[1].night if evening else "")
        limits.count_table(request.remote_addr)
        return redirect(address_of(Link(now.id, TABLE, 1)), 303)

    form = SetupForm(game, as_data(last_setup(tables.store, game, scope())))
    return answer_setup(form, open_table, back=None, opening=True, presets=presets_of(game, scope()))


@pages.post("/new/<name>/forget")
def forget(name: str) -> ResponseReturnValue:
    """The host's own machine no longer offers a preset."""
    game = game_called(name)
    if scope() is not None:
        abort(404)
    forget_preset(services().tables.store, game, request.form.get("preset", ""))
    return redirect(f"{root()}/new/{game.name}", 303)


@pages.get("/join")
def by_code() -> ResponseReturnValue:
    """A code typed by hand."""
    code = "".join(c for c in request.args.get("code", "") if c.isalnum())[:12]
    return redirect(f"{root()}/t/{code.upper()}" if code else f"{root()}/", 303)


@pages.get("/<join_code:code>")
def by_address(code: str) -> ResponseReturnValue:
    """The short address on the shared screen. Whether there is such a table, only the next page says."""
    return redirect(f"{root()}/t/{code.upper()}", 303)


@pages.route("/t/<code>", methods=["GET", "POST"])
def join(code: str) -> ResponseReturnValue:
    """Take a seat. A phone that sits here already goes back to its own seat."""
    now, proof = find_table(code)
    note_phone()
    if (seat := own_seat(now)) is not None:
        return redirect(address_of(seat), 303)
    refusal: Say | None = None
    known, liked = remembered_player()
    typed = request.form.get("name", known)[:200]
    liked = BADGES_BY_NAME.get(request.form.get("badge", ""), liked)
    if request.method == "POST":
        try:
            services().limits.count("join", request.remote_addr)
            now, taken = services().tables.sit(now.id, typed, nonce_of_form() or None, liked, earlier_seat(now))
            link = Link(now.id, taken, now.room.person(taken).generation)
            reply = Response(status=303, headers={"Location": address_of(link)})
            remember(reply, link, now, services().links.sign(link.table, link.seat, link.generation))
            return reply
        except NotAllowed as why:
            refusal = why.say
    # A phone that can look up our name goes on there: where it may have a seat, and keeps it in the next network.
    also = elsewhere(by_name=True) if request.method == "GET" else ""
    reply = Response(draw_join(now, proof, typed, liked, refusal, also), 422 if refusal else 200)
    return allow_pictures_from(reply, also)


def find_table(code: str) -> tuple[Snapshot, str]:
    """The table with this code, and the proof that it was scanned; what was not scanned may be a guess."""
    code, proof = code.upper(), request.values.get("k", "")[:64]
    if not services().links.is_join(code, proof):
        services().limits.check("guess", request.remote_addr)
        proof = ""
    try:
        return services().reader.by_code(code), proof
    except NoSuchTable:
        services().limits.count("guess", request.remote_addr)
        raise


def draw_join(
    now: Snapshot,
    proof: str,
    typed: str = "",
    liked: int | None = None,
    refusal: Say | None = None,
    also: str = "",
) -> str:
    """The page to take a seat on. Who holds the code may read who sits here, as every screen of the table shows it."""
    is_open = now.room.phase == "gathering" or (now.room.phase == "playing" and Latecomer in now.game.rules)
    return render_page(
        "join.html",
        game=now.game,
        played_as=now.played_as,
        code=now.code,
        proof=proof,
        names=now.room.names,
        people=() if now.room.phase == "ended" else people_of(now.room),
        # After a change of network, people who scan most likely have a seat already.
        comes_back=services().addresses.has_moved(),
        also=also,
        nonce=secrets.token_hex(16),
        typed=typed,
        refusal=refusal,
        is_open=is_open,
        badges=free_badges(now),
        liked=liked,
        phase=now.room.phase,
        watch=address_of(Link(now.id, WATCHER, now.room.screen_generation)),
    )


def free_badges(now: Snapshot) -> list[tuple[int, str]]:
    """The colours that nobody at this table has: badge and name."""
    taken = {person.badge for person in now.room.company}
    return [(badge, COLOUR_NAMES[badge]) for badge in range(BADGES) if badge not in taken]


def own_seat(now: Snapshot) -> Link | None:
    """The seat that this phone holds at this table, by its cookie."""
    try:
        link = services().links.read(request.cookies.get(f"seat-{now.code}", ""))
        here = services().reader.authorize(link)
    except BadLink:
        return None
    return link.at(now.id) if here.id == now.id and link.seat > TABLE else None
