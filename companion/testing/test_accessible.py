"""axe-core checks every screen that random play reaches, in a real browser."""

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


def test_every_phase_is_accessible(pseudo_app: Flask, windows: Windows, game: Game) -> None:
    """Check a phone or the shared screen each time it offers a tap for the first time."""
    sizes = {True: windows.phone(), False: windows.wide()}
    for page in sizes.values():
        serve(page, pseudo_app)
    sizes[False].goto(f"http://companion.test/new/{game.name}")
    assert_accessible(sizes[False])
    monkey = Monkey(pseudo_app, game, max(game.players[0], min(3, game.players[1])), seed=1)
    monkey.start()
    seen: dict[bool, set[str]] = {True: set(), False: set()}
    for _ in range(TAPS):
        for path in (monkey.screen, *monkey.seats):
            is_phone = path.startswith("/s/")
            offered = {kind(form) for form in LexborHTMLParser(monkey.look(path)).css("form")}
            if not offered <= seen[is_phone]:
                seen[is_phone] |= offered
                sizes[is_phone].goto(f"http://companion.test{path}")
                assert_accessible(sizes[is_phone])
        monkey.tap()


def serve(page: Page, app: Flask) -> None:
    """Serve this window's requests from an app in this process, without a network and without streams."""
    client = app.test_client(use_cookies=False)

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix("http://companion.test")
        if not path.partition("?")[0].endswith("/live"):
            reply = client.get(path, follow_redirects=True)
            headers = {name: value for name, value in reply.headers if name != "Content-Length"}
            route.fulfill(status=reply.status_code, headers=headers, body=reply.data)

    page.route("http://companion.test/**", answer)
