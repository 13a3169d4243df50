"""Every screen that random play reaches can be read and tapped by everybody: axe-core looks at it in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask
from selectolax.lexbor import LexborHTMLParser

from companion.game import Game
from companion.testing.monkey import Monkey, kind
from companion.testing.windows import Windows, assert_accessible

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

TAPS = 150
Phase = tuple[bool, frozenset[str]]
"""What makes a screen worth another look: whether it is a phone, and what can be tapped there."""


def test_every_phase_is_accessible(pseudo_app: Flask, windows: Windows, game: Game) -> None:
    """Each time a screen offers other taps than before, it is looked at."""
    sizes = {True: windows.phone(), False: windows.wide()}
    for page in sizes.values():
        serve(page, pseudo_app)
    sizes[False].goto(f"http://companion.test/new/{game.name}")
    assert_accessible(sizes[False])
    monkey = Monkey(pseudo_app, game, max(game.players[0], min(3, game.players[1])), seed=1)
    monkey.start()
    seen: set[Phase] = set()
    for _ in range(TAPS):
        for path in (monkey.screen, *monkey.seats):
            phase = phase_of(path, monkey.look(path))
            if phase not in seen:
                seen.add(phase)
                sizes[phase[0]].goto(f"http://companion.test{path}")
                assert_accessible(sizes[phase[0]])
        monkey.tap()


def phase_of(path: str, html: str) -> Phase:
    return path.startswith("/s/"), frozenset(kind(form) for form in LexborHTMLParser(html).css("form"))


def serve(page: Page, app: Flask) -> None:
    """Let this window read pages of an app in this process; nothing goes over a wire, and no stream is answered."""
    client = app.test_client(use_cookies=False)

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix("http://companion.test")
        if not path.partition("?")[0].endswith("/live"):
            reply = client.get(path, follow_redirects=True)
            headers = {name: value for name, value in reply.headers if name != "Content-Length"}
            route.fulfill(status=reply.status_code, headers=headers, body=reply.data)

    page.route("http://companion.test/**", answer)
