"""Players over all nights: who has played and won what, against whom, and under which name."""

from __future__ import annotations

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.results import Played, Player
from companion.engine.room import badges, same_name
from companion.engine.standings import GameTally, Tally, Who, by_game, resolve, standing, wins_over_time
from companion.game import Chart, Curve, NotAllowed, Say, Seat
from companion.web import render_page, root, services
from companion.web.charts import MOST_TOGETHER
from companion.web.people import Somebody
from companion.web.seat import scope

pages = Blueprint("players", __name__)


@pages.get("/players")
def players() -> ResponseReturnValue:
    """Who has played and won how often, over all nights that this browser may know of."""
    nights, own = services().nights, scope()
    if own == ():
        raise NotAllowed("Open a table in this browser first. Then you can see this page.")
    results, who = counted() if nights.counts else ([], same_name_is_same)
    tallies = tallied(results, who)
    name_of = {tally.who: tally.name for tally in tallies}
    faces = faces_of(tallies[:MOST_TOGETHER], results, who)
    return render_page(
        "players.html",
        counts=nights.counts,
        tallies=tallies,
        name_of=name_of,
        by_game=by_game(results, who),
        charts=charts(results, who, tallies[:MOST_TOGETHER]),
        person_at=faces,
        aliases=nights.names.all() if may_switch() else {},
        games=services().reader.games,
        everybody=own is None,
        may_switch=may_switch(),
    )


def same_name_is_same(one: Played, player: Player) -> str:
    return same_name(player.name)


def counted() -> tuple[list[Played], Who]:
    """Every game that counts here, oldest first, and what tells its players apart.

    Names that the host has chosen count where all nights are shown, which is on the host's own machine.
    """
    nights, own = services().nights, scope()
    results = sorted(nights.all(own), key=lambda one: one.ended)
    return results, nights.names.who() if own is None else same_name_is_same


def tallied(results: list[Played], who: Who) -> list[Tally]:
    found = standing(results, who)
    return services().nights.names.shown(found) if scope() is None else found


def faces_of(leaders: list[Tally], results: list[Played], who: Who) -> dict[Seat, Somebody]:
    """The leaders, numbered from 1, with the badges they had last; nobody shares one."""
    last = {who(one, player): player.badge for one in results for player in one.players}
    wished: dict[Seat, int | None] = {}
    for number, tally in enumerate(leaders, 1):
        badge = last.get(tally.who)
        wished[Seat(number)] = None if badge in wished.values() else badge
    given = badges(wished)
    return {
        Seat(number): Somebody.of(Seat(number), tally.name, number, given[Seat(number)])
        for number, tally in enumerate(leaders, 1)
    }


def charts(results: list[Played], who: Who, leaders: list[Tally]) -> list[Chart]:
    """How wins added up, and what was played how often."""
    winners = [tally.who for tally in leaders if tally.wins]
    courses = wins_over_time(results, who, winners).values()
    wins = Chart(
        Say("Wins, from game to game"),
        tuple(Curve(values, Seat(number)) for number, values in enumerate(courses, 1)),
        x=Say("games"),
        y=Say("wins"),
    )
    played = tuple(Curve((one.played,), label=title_of(one)) for one in by_game(results, who))
    return [wins, Chart(Say("Games played"), played)]


def title_of(one: GameTally) -> Say:
    """What the game is called on the table."""
    game = None if one.played_as else services().reader.games.get(one.game)
    return Say("{name}", name=one.played_as or one.game) if game is None else Say(game.title)


def may_switch() -> bool:
    """Statistics belong to the installation: nobody switches them from elsewhere."""
    return scope() is None and services().nights.can_switch


@pages.post("/players")
def switch() -> ResponseReturnValue:
    if not may_switch():
        raise NotAllowed("You can only turn statistics on or off on the machine that runs this companion.")
    services().nights.switch_statistics(request.form.get("counts") == "on")
    return redirect(f"{root()}/players", 303)


@pages.post("/players/names")
def names() -> ResponseReturnValue:
    """Rename a player, or merge two who are one person; or undo that."""
    if not may_switch():
        raise NotAllowed("You can only change names on the machine that runs this companion.")
    known, who = services().nights.names, request.form.get("who", "")[:200]
    if "undo" in request.form:
        known.undo(who)
    else:
        new = request.form.get("name", "")[:200]
        player = next((tally for tally in tallied(*counted()) if tally.who == who), None)
        if player is None:
            raise NotAllowed("Nobody with that name has played here.")
        if resolve(new, known.all()) in player.duels:
            raise NotAllowed("They have played against each other, so they can't be the same person.")
        known.call(who, new)
    return redirect(f"{root()}/players", 303)
