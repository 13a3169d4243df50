"""The night: what these people have played, opened again, taken along, and deleted if they wish."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from flask import Blueprint, Response, redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.links import BadLink, Link
from companion.engine.reader import NoSuchTable
from companion.engine.results import Played, Player, standing
from companion.engine.snapshot import Snapshot
from companion.engine.store import TableRow
from companion.game import TABLE, NotAllowed
from companion.web import exports, render_page, root, services
from companion.web.people import Somebody, badges
from companion.web.seat import address_of, kept_screens, read_link, remember, viewer_of

pages = Blueprint("nights", __name__)


def read_night(kind: str, token: str) -> tuple[Link, Snapshot | None, str]:
    """The link, the table it opens now, and its night. An archived night opens for its shared screen only."""
    try:
        link, now = read_link(kind, token)
        return link, now, now.night
    except BadLink:
        link = services().links.read(token)
        night = services().reader.night_of(link.table)
        if kind != "x" or link.seat != TABLE or not night or not services().nights.of(night):
            raise
        return link, None, night


def one_of(night: str, table: str) -> Played:
    for one in services().nights.of(night):
        if one.table == table:
            return one
    raise NoSuchTable


def is_host(link: Link, now: Snapshot | None) -> bool:
    return link.seat == TABLE if now is None else now.room.is_host(link.seat)


@pages.get("/<any(s, x, w):kind>/<token>/night")
def night(kind: str, token: str) -> ResponseReturnValue:
    """Every game of the night, who has won how often, and what was remarkable."""
    link, now, of_night = read_night(kind, token)
    results = services().nights.of(of_night)
    return render_page(
        "night.html",
        results=results[::-1],
        standing=standing(results),
        games=services().reader.games,
        here=address_of(link),
        is_open=now is not None,
        host=is_host(link, now),
        people=people(results),
        day=results[0].opened if results else None,
    )


def people(results: Iterable[Played]) -> dict[int, Somebody]:
    """Everybody of the night with name and badge, as at their last table."""
    return {int(somebody.seat): somebody for one in results for somebody in faces(one.players).values()}


def faces(players: tuple[Player, ...]) -> dict[int, Somebody]:
    return {
        int(player.seat): Somebody.of(player.seat, player.name, number, badge)
        for number, (player, badge) in enumerate(zip(players, badges([p.badge for p in players]), strict=True), 1)
    }


@pages.get("/<any(s, x, w):kind>/<token>/night/<table>")
def past(kind: str, token: str, table: str) -> ResponseReturnValue:
    """A table of this night, to be looked at: its result, its pictures, its sentences. Nothing can be tapped."""
    link, now, of_night = read_night(kind, token)
    one = one_of(of_night, table)
    shown = None
    with contextlib.suppress(NoSuchTable):  # it may be archived just now
        if services().nights.is_kept_whole(table):
            shown = services().screens.table_of(services().reader.snapshot(table), viewer_of(link).language)
    return render_page(
        "past.html",
        one=one,
        game=services().reader.games.get(one.game),
        games=services().reader.games,
        names=one.names,
        person_at=faces(one.players),
        table=shown,
        entries=services().nights.timeline(table),
        here=address_of(link),
        host=is_host(link, now),
        bg_stats=exports.bg_stats_link(one, services().reader.games) if one.over else None,
    )


@pages.get("/<any(s, x, w):kind>/<token>/night/<table>/<any('history.csv', 'table.json', 'bgstats.json'):file>")
def export_table(kind: str, token: str, table: str, file: str) -> ResponseReturnValue:
    _, _, of_night = read_night(kind, token)
    one, games = one_of(of_night, table), services().reader.games
    if file == "history.csv":
        return download(exports.history_csv(one, services().nights.timeline(table)), f"{table}-{file}", "text/csv")
    if file == "bgstats.json":
        if not one.over:
            raise NotAllowed("A play record needs a game that was played to its end.")
        data = exports.dump(exports.bg_stats(one, games))
    else:
        data = exports.as_json([exports.as_data(one, games, services().nights.timeline(table))])
    return download(data, f"{table}-{file}", "application/json")


@pages.get("/<any(s, x, w):kind>/<token>/<any('night.csv', 'night.json'):file>")
def export_night(kind: str, token: str, file: str) -> ResponseReturnValue:
    _, _, of_night = read_night(kind, token)
    results, games = services().nights.of(of_night), services().reader.games
    if file == "night.csv":
        return download(exports.as_csv(results), file, "text/csv")
    tables = [exports.as_data(one, games, services().nights.timeline(one.table)) for one in results]
    return download(exports.as_json(tables), file, "application/json")


def download(text: str, name: str, kind: str) -> Response:
    reply = Response(text, content_type=f"{kind}; charset=utf-8")
    reply.headers["Content-Disposition"] = f'attachment; filename="companion-{name}"'
    return reply


@pages.post("/<any(s, x):kind>/<token>/delete")
def delete(kind: str, token: str) -> ResponseReturnValue:
    """One table of the night, or the night itself, is destroyed for good."""
    link, now, of_night = read_night(kind, token)
    if not is_host(link, now):
        raise NotAllowed("Only the host can do that.")
    if request.form.get("what") == "night":
        services().nights.delete_night(of_night)
    else:
        one = one_of(of_night, request.form.get("table", ""))
        if now is not None and now.id == one.table and not now.is_over:
            raise NotAllowed("This game is still going on. End the table first.")
        services().nights.delete([one.table])
    left = services().nights.of(of_night)
    if not left:
        return redirect(f"{root()}/", 303)
    # If the last table has gone, the night ends with the one before.
    there = link.at(services().reader.follow(left[-1].table))
    reply = Response(status=303, headers={"Location": f"{address_of(there)}/night"})
    with contextlib.suppress(NoSuchTable):
        token = services().links.sign(there.table, there.seat, there.generation)
        remember(reply, there, services().reader.snapshot(there.table), token)
    return reply


# -------------------------------------------------------------------------------- over all nights


def nights_of_this_screen() -> list[tuple[str, list[TableRow]]]:
    """The nights whose shared screen this browser has opened: address, and the tables that were played."""
    found: dict[str, tuple[str, list[TableRow]]] = {}
    for _, link in kept_screens():
        of_night = services().reader.night_of(link.table)
        if of_night and of_night not in found and (played := services().nights.outline(of_night)):
            found[of_night] = (address_of(link), played)
    return list(found.values())


def needs_host() -> None:
    """Names of all nights are not for everybody in the Wi-Fi: only for a browser that has opened a table."""
    if not any(services().reader.night_of(link.table) for _, link in kept_screens()):
        raise NotAllowed("Only a browser that has opened a table here can see this.")


@pages.get("/players")
def players() -> ResponseReturnValue:
    """Who has played and won how often, over all nights of this installation."""
    needs_host()
    counts = services().nights.counts
    return render_page(
        "players.html",
        counts=counts,
        tallies=standing(services().nights.all(), by_name=True) if counts else [],
        games=services().reader.games,
    )


@pages.post("/players")
def switch() -> ResponseReturnValue:
    needs_host()
    services().nights.switch_statistics(request.form.get("counts") == "on")
    return redirect(f"{root()}/players", 303)
