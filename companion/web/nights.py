"""The night's pages: results, past games, exports and deletion."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from flask import Blueprint, Response, redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.links import BadLink, Link
from companion.engine.reader import NoSuchTable, PutAway
from companion.engine.results import Played
from companion.engine.room import badges
from companion.engine.snapshot import Snapshot
from companion.engine.standings import of_one_night, standing
from companion.engine.store import Unreadable
from companion.game import TABLE, NotAllowed, Seat
from companion.live.costly import breathe
from companion.web import exports, night_picture, render_page, root, services
from companion.web.i18n import current_language
from companion.web.people import Somebody
from companion.web.seat import address_of, kept_screens, own_url, read_link, remember, still_opens, viewer_of

pages = Blueprint("nights", __name__)
MAX_LEADERS = 8
"""How many people the stage of a night has room for."""


def read_night(kind: str, token: str) -> tuple[Link, Snapshot | None, str]:
    """The link, the table it opens now, and its night; put away or archived, it opens for its shared screen only."""
    try:
        link, now = read_link(kind, token)
        return link, now, now.night
    except (BadLink, Unreadable) as refused:
        link = services().links.read(token)
        night = services().reader.night_of(link.table)
        if kind != "x" or link.seat != TABLE or not night:
            raise
        if not isinstance(refused, PutAway) and not services().nights.opens_archived(night, link):
            raise
        return link, None, night


def one_of(night: str, table: str) -> Played:
    for one in services().nights.of(night):
        if one.table == table:
            return one
    raise NoSuchTable


def is_host(link: Link, now: Snapshot | None) -> bool:
    return link.seat == TABLE if now is None else now.room.is_host(link.seat)


def kept_page(now: Snapshot | None, night: str, make: Callable[[], str], *more: object) -> bytes:
    """A page about this night, made again when something about the night has changed."""
    key = (root(), request.path, current_language().name, now is None, services().nights.stamp(night), more)
    return services().costly.make("night", key, make)


@pages.get("/<any(s, x, w):kind>/<token>/night")
def night(kind: str, token: str) -> ResponseReturnValue:
    """Every game of the night, who has won how often, and what was remarkable."""
    link, now, of_night = read_night(kind, token)
    # Nobody is to fiddle with their phone while a game goes on, and only an address that lasts is worth keeping.
    is_over = now is None or now.room.phase == "ended" or now.result is not None
    for_home = kind == "s" and is_over and services().addresses.lasts(own_url())

    def make() -> str:
        results = services().nights.of(of_night)
        return render_page(
            "night.html",
            for_home=for_home,
            results=results[::-1],
            standing=standing(results, of_one_night(results)),
            race=race(results),
            kind=kind,
            games=services().reader.games,
            here=address_of(link),
            is_open=now is not None,
            host=is_host(link, now),
            faces=Faces(results),
            day=results[0].opened if results else None,
        )

    return Response(kept_page(now, of_night, make, for_home))


@pages.get("/<any(s, x, w):kind>/<token>/night.svg")
def picture(kind: str, token: str) -> ResponseReturnValue:
    """The night as a picture; a browser makes a PNG of it, and nobody else gets it."""
    _, now, of_night = read_night(kind, token)

    def make() -> str:
        results = services().nights.of(of_night)
        ranked = standing(results, of_one_night(results))
        drawn = night_picture.night_picture(results, ranked, Faces(results).people, services().reader.games)
        return render_page(
            "night_picture.html", p=drawn, day=results[0].opened if results else None, width=night_picture.WIDTH,
            edge=night_picture.EDGE, colours=night_picture.COLOURS,
            winners_count=sum(bool(tally.wins) and tally.wins == ranked[0].wins for tally in ranked),
        )  # fmt: skip

    return Response(kept_page(now, of_night, make), content_type="image/svg+xml; charset=utf-8")


def race(results: list[Played]) -> list[tuple[str, list[int]]]:
    """The places, after each game, of those who lead the night in the end; the winner first."""
    who = of_one_night(results)
    places: dict[str, list[int]] = {tally.who: [] for tally in standing(results, who)[:MAX_LEADERS]}
    over = [one for one in results if one.over]
    for n in range(1, len(over) + 1):
        order = [tally.who for tally in standing(over[:n], who) if tally.who in places]
        for place, key in enumerate([*order, *(key for key in places if key not in order)]):
            places[key].append(place)
    return list(places.items())


class Faces:
    """Everybody of a night with one name and one badge, as at their last table."""

    def __init__(self, results: Sequence[Played]) -> None:
        self._who = of_one_night(results)
        last = {self._who(one, player): player for one in results for player in one.players}
        wished: dict[Seat, int | None] = {}
        for number, player in enumerate(last.values(), 1):  # two companies may like the same colour
            wished[Seat(number)] = None if player.badge in wished.values() else player.badge
        given = badges(wished)
        self.people = {
            who: Somebody.of(player.seat, player.name, number, given[Seat(number)])
            for number, (who, player) in enumerate(last.items(), 1)
        }

    def at(self, one: Played) -> dict[int, Somebody]:
        """Who sat where at this table."""
        return {int(player.seat): self.people[self._who(one, player)] for player in one.players}


@pages.get("/<any(s, x, w):kind>/<token>/night/<table>")
def past(kind: str, token: str, table: str) -> ResponseReturnValue:
    """A past table of this night: its result, charts and history. Nothing can be tapped."""
    link, now, of_night = read_night(kind, token)

    def make() -> str:
        one = one_of(of_night, table)
        shown, is_whole = None, services().nights.is_kept_whole(table)
        with contextlib.suppress(NoSuchTable, Unreadable):  # it may be archived just now, or its key may be lost
            if is_whole:
                shown = services().screens.table_of(services().reader.snapshot(table), viewer_of(link).language)
        return render_page(
            "past.html",
            one=one,
            game=services().reader.games.get(one.game),
            games=services().reader.games,
            names=one.names,
            person_at=Faces(services().nights.of(of_night)).at(one),
            table=shown,
            entries=services().nights.timeline(table) if is_whole else None,
            here=address_of(link),
            host=is_host(link, now),
            bg_stats=exports.bg_stats_link(one, services().reader.games) if one.over else None,
        )

    return Response(kept_page(now, of_night, make))


@pages.get("/<any(s, x, w):kind>/<token>/night/<table>/<any('history.csv', 'table.json', 'bgstats.json'):file>")
def export_table(kind: str, token: str, table: str, file: str) -> ResponseReturnValue:
    _, now, of_night = read_night(kind, token)

    def make() -> str:
        one, games = one_of(of_night, table), services().reader.games
        if file == "history.csv":
            return exports.history_csv(one, services().nights.timeline(table))
        if file == "table.json":
            return exports.as_json([exports.as_data(one, games, services().nights.timeline(table))], breathe)
        if not one.over:
            raise NotAllowed("Only a finished game can go to BG Stats.")
        return exports.dump(exports.bg_stats(one, games))

    return download(kept_page(now, of_night, make), f"{table}-{file}")


@pages.get("/<any(s, x, w):kind>/<token>/<any('night.csv', 'night.json'):file>")
def export_night(kind: str, token: str, file: str) -> ResponseReturnValue:
    _, now, of_night = read_night(kind, token)

    def make() -> str:
        results, games = services().nights.of(of_night), services().reader.games
        if file == "night.csv":
            return exports.as_csv(results, games)
        found = [exports.as_data(one, games, services().nights.timeline(one.table)) for one in results]
        return exports.as_json(found, breathe)

    return download(kept_page(now, of_night, make), file)


def download(data: bytes, name: str) -> Response:
    kind = "text/csv" if name.endswith(".csv") else "application/json"
    reply = Response(data, content_type=f"{kind}; charset=utf-8")
    reply.headers["Content-Disposition"] = f'attachment; filename="companion-{name}"'
    return reply


@pages.post("/<any(s, x):kind>/<token>/delete")
def delete(kind: str, token: str) -> ResponseReturnValue:
    """Delete one table, or the whole night, for good."""
    link, now, of_night = read_night(kind, token)
    if not is_host(link, now):
        raise NotAllowed("Only the host can do that.")
    played = services().nights.of(of_night)
    row = services().reader.store.table(link.table)
    code = row.code.partition(".")[0] if row else ""
    whole = request.form.get("what") == "night"
    one = None if whole else one_of(of_night, request.form.get("table", ""))
    own = {code} | (codes_of_this_browser() if link.seat == TABLE else set())
    if any(other.code not in own for other in ([one] if one else played)):
        raise NotAllowed("Other people played that. Only their shared screen can delete it.")
    if one is None:
        services().nights.delete_night(of_night)
    elif one.going_on:
        raise NotAllowed("This game is still going on. End the table first.")
    else:
        services().nights.delete([one.table])
    left = [one for one in services().nights.of(of_night) if one.code == code]
    if not left:
        return redirect(f"{root()}/", 303)
    # If the last table of these people has gone, their night ends with the one before.
    there = link.at(services().reader.follow(left[-1].table))
    reply = Response(status=303, headers={"Location": f"{address_of(there)}/night"})
    with contextlib.suppress(NoSuchTable, Unreadable):
        token = services().links.sign(there.table, there.seat, there.generation)
        remember(reply, there, services().reader.snapshot(there.table), token)
    return reply


def codes_of_this_browser() -> set[str]:
    """The codes of all tables whose shared screen this browser has opened, and may still open."""
    rows = [services().reader.store.table(link.table) for _, link in kept_screens() if still_opens(link)]
    return {row.code.partition(".")[0] for row in rows if row is not None}


def nights_of_this_screen() -> list[tuple[str, list[Played]]]:
    """The nights whose shared screen this browser has opened: address, and the tables that were played."""
    found: dict[str, tuple[str, list[Played]]] = {}
    for _, link in kept_screens():
        of_night = services().reader.night_of(link.table)
        if of_night and of_night not in found and (played := services().nights.outline(of_night)):
            found[of_night] = (address_of(link), played)
    return list(found.values())
