"""Players over all nights: who has played and won what, against whom, and under which name."""

from __future__ import annotations

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.room import same_name
from companion.engine.standings import Tally, resolve, standing
from companion.game import NotAllowed
from companion.web import render_page, root, services
from companion.web.seat import scope

pages = Blueprint("players", __name__)


@pages.get("/players")
def players() -> ResponseReturnValue:
    """Who has played and won how often, over all nights that this browser may know of."""
    nights, own = services().nights, scope()
    if own == ():
        raise NotAllowed("Open a table in this browser first. Then you can see this page.")
    tallies = tallied() if nights.counts else []
    return render_page(
        "players.html",
        counts=nights.counts,
        tallies=tallies,
        name_of={tally.who: tally.name for tally in tallies},
        aliases=nights.names.all() if may_switch() else {},
        games=services().reader.games,
        everybody=own is None,
        may_switch=may_switch(),
    )


def tallied() -> list[Tally]:
    """Names that the host has chosen count where all nights are shown, which is on the host's own machine."""
    nights, own = services().nights, scope()
    if own is None:
        return nights.names.shown(standing(nights.all(own), nights.names.who()))
    return standing(nights.all(own), lambda one, player: same_name(player.name))


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
        player = next((tally for tally in tallied() if tally.who == who), None)
        if player is None:
            raise NotAllowed("Nobody with that name has played here.")
        if resolve(new, known.all()) in player.duels:
            raise NotAllowed("They have played against each other, so they can't be the same person.")
        known.call(who, new)
    return redirect(f"{root()}/players", 303)
