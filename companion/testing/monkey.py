"""A player who knows nothing: taps whatever form is on the screen, filled in any way the form allows."""

from __future__ import annotations

import random

from flask import Flask
from selectolax.lexbor import LexborHTMLParser, LexborNode
from werkzeug.test import TestResponse

from companion.demo.forms import Button, Control, Form, fill
from companion.engine.links import Link
from companion.engine.snapshot import as_data
from companion.game import TABLE, Game, Seat
from companion.testing.forms import UNSENT, Fields, is_disabled, typed, value_of
from companion.testing.tabletalk import NAMES

WORDS = ("Red Mill", "owl", "7", "Grace")
BORING = (
    "EndTable",
    "Remove",
    "NewLink",
    "OntoScreen",
    "GiveHost",
    "Rename",
    "MarkAway",
    "TakeHost",
    "again",
    "Sit",
    "SitOut",
    "JoinIn",
    "DrawStarter",
    "RollDice",
    "TurnClock",
)
"""What would end the evening, or only shuffle people about; tried seldom."""


class Monkey:
    """Sits on all seats of one table, and on the shared screen."""

    def __init__(self, app: Flask, game: Game, players: int, seed: int, language: str = "en", **setup: object) -> None:
        self.app = app
        self.game = game
        self.chance = random.Random(seed)
        self.client = app.test_client(use_cookies=False)
        self.headers = {"Accept-Language": language, "HX-Request": "true"}
        self.pages = {"Accept-Language": language}
        services = app.extensions["companion"]
        reply = self.client.post(f"/new/{game.name}", data=typed(as_data(game.setup()) | setup), headers=self.pages)
        assert reply.status_code == 303, reply.text
        self.screen = reply.headers["Location"]
        self.table = self.screen.rpartition("/")[2].split(".")[0]
        self.seats = []
        for name in NAMES[:players]:
            now, seat = services.tables.sit(self.table, name)
            self.seats.append(f"/s/{services.links.sign(now.id, seat, 1)}")
        self.code = now.code
        self.tapped: set[str] = set()
        self.refused = 0
        self.seen: list[TestResponse] = []

    def look(self, path: str) -> str:
        # A link of an earlier table of the night leads on to the newest.
        reply = self.client.get(path, headers=self.pages, follow_redirects=True)
        assert reply.status_code == 200, (path, reply.status_code)
        return reply.text

    def start(self) -> None:
        reply = self.client.post(self.screen, data={"tap": "Start"}, headers=self.headers)
        assert reply.status_code == 200, reply.text

    def tap(self) -> TestResponse | None:
        """One tap somewhere on the table; never a 500, whatever it is."""
        path = self.chance.choice([self.screen, *self.seats, *self.seats])
        html = self.look(path)
        forms = [
            form
            for form in LexborHTMLParser(html).css("form:not(.languages)")
            if form.attributes.get("method") == "post"
        ]
        lively = [form for form in forms if kind(form) not in BORING]
        if not lively or self.chance.random() < 0.02:
            lively = [form for form in forms if kind(form) not in ("EndTable", "Remove", "NewLink", "OntoScreen")]
        if not lively:
            return None
        form = self.chance.choice(lively)
        data = self.fill(form)
        reply = self.client.post(form.attributes["action"] or path, data=data, headers=self.headers)
        assert reply.status_code in (200, 422), (kind(form), data, reply.status_code)
        self.tapped.add(kind(form))
        self.refused += reply.status_code == 422
        return reply

    def fill(self, form: LexborNode) -> Fields:
        return filled(form, self.chance)

    def link(self, seat: int) -> Link:
        return Link(self.table, Seat(seat) if seat else TABLE, 1)


def filled(form: LexborNode, chance: random.Random) -> Fields:
    """Choose, tick and type at random anything that a browser would accept."""
    found = form_of(form)
    named = [button for button in found.buttons if button.name]
    return fill(found, chance, lambda _: chance.choice(WORDS), named)


def form_of(form: LexborNode) -> Form:
    """The same form as plain data."""
    found = Form(form.attributes.get("action") or "")
    for node in form.css("input, textarea, select, button"):
        name, sort = node.attributes.get("name") or "", node.attributes.get("type") or node.tag or ""
        if is_disabled(node):
            continue
        if node.tag == "button":
            found.buttons.append(Button(name, value_of(node)))
        elif name and sort not in UNSENT:
            least, most = (int(node.attributes[one] or 0) if one in node.attributes else None for one in ("min", "max"))
            options = [one for one in node.css("option") if not is_disabled(one)]
            chosen = [value_of(one) for one in options if "selected" in one.attributes]
            found.controls.append(
                Control(
                    name, sort, chosen[-1] if chosen else value_of(node), "checked" in node.attributes, least, most,
                    node.attributes.get("pattern") or "", [value_of(one) for one in options],
                )
            )  # fmt: skip
    return found


def kind(form: LexborNode) -> str:
    node = form.css_first('input[name="tap"]')
    return (node.attributes.get("value") or "") if node else (form.attributes.get("action") or "").rpartition("/")[2]
