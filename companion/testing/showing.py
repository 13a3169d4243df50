"""Show a phase of an evening in a real browser; the app runs in this process, without a network."""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from werkzeug import Request as WebRequest
from werkzeug import Response
from werkzeug.test import create_environ

from companion.app import create_app
from companion.engine.apply import apply_tap
from companion.engine.links import WATCHER
from companion.engine.room import Person, Room
from companion.engine.snapshot import as_data
from companion.game import TABLE, Dice, Game, NotAllowed, Seat
from companion.testing.evenings import SHORT_NAMES, Phase
from companion.testing.forms import typed
from companion.testing.gallery import Gallery
from companion.web.forms import read_tap
from companion.web.i18n import use_locale
from companion.web.limits import LimitSettings
from companion.web.taps import answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Request, Route

SITE = "http://companion.test"
CODE = "KLMN"
NO_FRAMES = ("Content-Security-Policy", "X-Frame-Options")
"""Our pages forbid framing; here it is allowed."""


class Showing:
    """One table for each game, which can be set to any phase."""

    def __init__(self, folder: Path, games: Mapping[str, Game]) -> None:
        app = create_app(folder, games=games, address="192.168.1.20", limits=LimitSettings(attempts=1_000_000))
        self.services = app.extensions["companion"]
        self._client = app.test_client(use_cookies=False)
        self._gallery = Gallery(app)
        self._files: dict[str, dict[str, Any]] = {}
        self._tables: dict[str, Any] = {}
        self._now: Any = None
        self.language = "en"
        """The language of the table and of every phone."""

    def put(
        self,
        phase: Phase,
        *,
        names: Sequence[str] = SHORT_NAMES,
        host: Seat = TABLE,
        phones: bool | Collection[int] = True,
        version: int = 9,
    ) -> None:
        """Set the table of this game to this phase. It gets a new version, so that it can be tapped."""
        people = tuple(
            Person(Seat(n), names[n - 1], phone=phones if isinstance(phones, bool) else n in phones,
                   away=Seat(n) in phase.away, taps=version)
            for n in range(1, phase.players + 1)
        )  # fmt: skip
        now, left = time.time(), phase.seconds_left
        room = Room(
            people, phase=phase.room, host=host, screen_taps=version, changes=version,  # type: ignore[arg-type]
            alarm_at=None if left is None else now + left, language=self.language,
        )  # fmt: skip
        self._now = replace(
            self._table(phase.game), code=CODE, version=version, room=room, state=phase.state, step=version, at=now,
            opened=now, recent=phase.recent, step_by=phase.by, step_line=phase.step_line,
            parent=None if phase.step_line is None or phase.room != "playing" else version - 1,
        )  # fmt: skip
        self._gallery.put(self._now)

    def _table(self, game: Game) -> Any:
        if game.name not in self._tables:
            reply = self._client.post(f"/new/{game.name}", data=typed(as_data(game.setup())))
            assert reply.status_code == 303, reply.text
            table = reply.headers["Location"].rpartition("/")[2].split(".")[0]
            self._tables[game.name] = self.services.reader.snapshot(table)
        return self._tables[game.name]

    def address(self, seat: int = TABLE) -> str:
        """Return the URL of a seat, the shared screen (0) or a watcher (-1)."""
        kind = "s" if seat > TABLE else "w" if seat == WATCHER else "x"
        return f"{SITE}/{kind}/{self.services.links.sign(self._now.id, Seat(seat), 1)}"

    def html(self, seat: int = TABLE) -> str:
        """Return the HTML of that page."""
        reply = self.get(self.address(seat))
        assert reply.status_code == 200, reply.status_code
        return str(reply.text)

    def get(self, path: str) -> Any:
        """Return any page, as a browser in this language gets it."""
        return self._client.get(
            path.removeprefix(SITE), headers={"Accept-Language": self.language}, follow_redirects=True
        )

    def serve(self, page: Page, *, in_frames: bool = False) -> None:
        """Serve this window's requests from this app, `/frames` included; streams stay silent."""

        def answer(route: Route) -> None:
            path = route.request.url.removeprefix(SITE)
            if path.partition("?")[0].endswith("/live"):
                return
            if path == "/frames":
                route.fulfill(content_type="text/html", body="<!doctype html><title>Frames</title>")
                return
            known = self._files.get(path)
            if known is None:
                posted = route.request.method == "POST"
                reply = self._tap(route.request) if posted else self.get(path)
                left_out = {"Content-Length", *(NO_FRAMES if in_frames else ())}
                headers = {name: value for name, value in reply.headers if name not in left_out}
                known = {"status": reply.status_code, "headers": headers, "body": reply.data}
                if "/static/" in path:
                    self._files[path] = known
            route.fulfill(**known)

        page.route(f"{SITE}/**", answer)

    def _tap(self, posted: Request) -> Response:
        """Answer a tap as the server does; nothing is stored."""
        path, fields = posted.url.removeprefix(SITE), parse_qs(posted.post_data or "", keep_blank_values=True)
        asked = WebRequest(create_environ(path, SITE, method="POST", headers={"HX-Request": "true"}))
        if "tap" not in fields:
            return Response(status=204)
        link, now = self.services.reader.open_link(self.services.links.read(path.split("/")[2]), path.split("/")[1])
        viewer, refusal = self.services.viewer(link, asked.environ), None
        try:
            tap, _ = read_tap(now.game, fields)
            dice, store = Dice(random.Random(7)), self.services.tables.store
            self._gallery.put(apply_tap(now, link.seat, tap, dice=dice, at=time.time(), store=store))
        except NotAllowed as why:
            refusal = why.say
        with use_locale(self.services.languages.get(self.language)):
            return answer(self.services, asked, viewer, refusal)

    def close(self) -> None:
        self.services.tables.store.close()


@contextmanager
def showing(folder: Path, games: Mapping[str, Game]) -> Iterator[Showing]:
    with closing(Showing(folder, games)) as shown:
        yield shown
