"""The window of the demo: the shared screen and two phones of a table that plays itself.

Its page asks which tap comes next, and sends it as a phone would. So the table waits for the moments of the stage,
stops with the window, and plays through the same requests, rules and streams as everybody's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flask import Blueprint, Flask, abort, jsonify, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion.authoring.dev import NAMES, THIS_MACHINE, Framed, frames
from companion.demo.player import Chosen, Player
from companion.demo.tastes import taste_of
from companion.engine.room_rules import Start
from companion.engine.snapshot import Snapshot, as_data, fill
from companion.game import TABLE, Game, Seat
from companion.web import Services, render_page, root
from companion.web.i18n import current_language, gettext

DEFAULT_GAME = "traitors"
USUAL_PACE_S = 2.0
PHONES_AT = "127.0.0.1"
"""Works in every browser. With phones here and the shared screen at localhost, no name gets six connections."""
APPLAUSE = 6
"""After the time of this many taps, a finished game starts again."""


class DemoOptions(NamedTuple):
    """What was typed after `companion demo`."""

    game: str = DEFAULT_GAME
    pace: float = USUAL_PACE_S
    """Seconds between two taps, more or less."""
    seed: int | None = None
    """Seeds the choices of the invented people. Dice and cards are still random."""

    def greeting(self, port: int) -> str:
        """What the terminal says once the window can be opened."""
        return (
            "\n  A table that plays itself, for this machine alone.\n"
            f"  Watch it:  http://localhost:{port}/demo/\n  Ctrl-C ends it. Nothing is kept.\n"
        )


class Demo:
    """A table of invented people, and which of its seats a person has taken."""

    def __init__(self, services: Services, options: DemoOptions) -> None:
        self._services, self._options = services, options
        self.stopped = False
        self.open(services.reader.games[options.game])

    def open(self, game: Game) -> None:
        """Seat new people at this game, and start it."""
        taste, tables = taste_of(game.name), self._services.tables
        setup = as_data(game.setup()) | dict(taste.setup)
        now = tables.open(game, fill(setup, game.setup))
        for name in NAMES[: min(max(taste.players, game.players[0]), game.players[1])]:
            tables.sit(now.id, name)
        tables.act(now.id, TABLE, Start())
        self._table = now.id
        self._player = Player(self._services, taste, self._options.seed)
        self.taken: set[Seat] = set()
        self.shown = [Seat(1), Seat(2)]

    @property
    def now(self) -> Snapshot:
        """The present table; after a game, the next table of the same people."""
        reader = self._services.reader
        return reader.snapshot(reader.follow(self._table))

    def next_tap(self, now: Snapshot) -> Chosen | None:
        if now.is_over and self.taken:
            return None
        if now.is_over:
            link = self._services.links.sign(now.id, TABLE, now.room.screen_generation)
            return Chosen(TABLE, f"/x/{link}/again", {}, "")
        return self._player.choose(now, self.taken, current_language().name)


def register(app: Flask, services: Services, options: DemoOptions) -> None:
    """Give this companion a table that plays itself, and the window to watch it in."""
    pages, demo = Blueprint("demo", __name__, url_prefix="/demo"), Demo(services, options)
    app.wsgi_app = Framed(app.wsgi_app)  # type: ignore[method-assign]

    @pages.before_request
    def refuse_other_names() -> None:
        # A page on the web must not read this one by a name of its own for this machine.
        if not THIS_MACHINE.fullmatch(request.host):
            abort(404)

    @pages.get("/")
    def window() -> ResponseReturnValue:
        now = demo.now
        (_, _, stage), *others = frames(now, PHONES_AT)
        phones = {person.seat: (person, address) for person, (_, _, address) in zip(now.room.here, others, strict=True)}
        return render_page(
            "demo.html", games=services.reader.games.values(), playing=now.game, people=now.room.here,
            stage=stage, phones=[phones[seat] for seat in demo.shown], taken=demo.taken, stopped=demo.stopped,
            pace=options.pace,
        )  # fmt: skip

    @pages.post("/next")
    def next_tap() -> ResponseReturnValue:
        """The tap that the page sends next, and what it says about it."""
        now = demo.now
        chosen = None if demo.stopped else demo.next_tap(now)
        return jsonify(as_told(now, chosen, demo))

    @pages.post("/")
    def change() -> ResponseReturnValue:
        """Another game, another phone in the window, a seat taken or given back, or all of it stopped."""
        game, form = services.reader.games.get(request.form.get("game", "")), request.form
        here = {int(person.seat): person.seat for person in demo.now.room.here}
        seat = here.get(form.get("seat", 0, type=int))
        if game is not None:
            demo.open(game)
            demo.stopped = False
        elif "stop" in form:
            demo.stopped = form["stop"] == "yes"
        elif seat is not None and "place" in form:
            demo.shown[form.get("place", 0, type=int) % 2] = seat
        elif seat is not None:
            (demo.taken.add if form.get("mine") == "yes" else demo.taken.discard)(seat)
        return redirect(f"{root()}/demo/", 303)

    app.register_blueprint(pages)


def as_told(now: Snapshot, chosen: Chosen | None, demo: Demo) -> Mapping[str, object]:
    """The next tap as data for the page, with a sentence about it."""
    if chosen is not None:
        said = gettext("The next game begins soon.") if now.is_over else sentence(now, chosen)
        fields = [
            (key, one) for key, value in chosen.fields.items() for one in ([value] if isinstance(value, str) else value)
        ]
        rests = APPLAUSE if now.is_over else 1
        return {"path": root() + chosen.path, "fields": fields, "said": said.unescape(), "rests": rests}
    if demo.stopped:
        return {"said": gettext("Everybody has stopped.").unescape()}
    if not demo.taken:
        return {"said": ""}
    if now.is_over:
        return {"said": gettext("The game is over. Tap “Play again” on the shared screen.").unescape()}
    names = ", ".join(now.room.person(seat).name for seat in sorted(demo.taken))
    # Translators: the hole is the name of the seat that a person has taken, or several names.
    return {"said": gettext("It's up to you now: %(names)s", names=names).unescape()}


def sentence(now: Snapshot, chosen: Chosen) -> Markup:
    """Who taps what, as the window says it."""
    if chosen.seat == TABLE:
        # Translators: under the window of the demo; the hole is the words of a button.
        return gettext("On the shared screen: “%(button)s”", button=chosen.words)
    # Translators: under the window of the demo; somebody taps a button, and these are its words.
    return gettext("%(name)s taps “%(button)s”", name=now.room.person(chosen.seat).name, button=chosen.words)
