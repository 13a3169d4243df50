"""A player who knows nothing: taps whatever form is on the screen, filled in any way the form allows."""

from __future__ import annotations

import random

from flask import Flask
from selectolax.lexbor import LexborHTMLParser, LexborNode
from werkzeug.test import TestResponse

from companion.engine.links import Link
from companion.engine.snapshot import as_data
from companion.game import TABLE, Game, Seat
from companion.testing.forms import Fields, form_fields, is_disabled, typed, value_of
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
    """Choose, tick and type anything that a browser would let through."""
    data = form_fields(form)
    radios: dict[str, list[str]] = {}
    boxes: dict[str, list[str]] = {}
    for node in form.css("input, textarea, select"):
        name, sort = node.attributes.get("name"), node.attributes.get("type") or node.tag
        if not name or is_disabled(node):
            continue
        if sort == "radio":
            radios.setdefault(name, []).append(value_of(node))
        elif sort == "checkbox":
            boxes.setdefault(name, []).append(value_of(node))
        elif sort == "number":
            least = max(int(node.attributes.get("min") or -5), -20)
            most = min(int(node.attributes.get("max") or 20), least + 50)
            data[name] = str(chance.randint(least, max(least, most)))
        elif (node.attributes.get("pattern") or "").startswith("-?[0-9]"):
            data[name] = str(chance.randint(-20, 30))
        elif sort in ("text", "search", "input", "textarea"):
            data[name] = chance.choice(WORDS)
        elif sort == "select":
            options = [value_of(option) for option in node.css("option") if not is_disabled(option)]
            data |= {name: chance.choice(options)} if options else {}
    for name, values in radios.items():
        data[name] = chance.choice(values)
    for name, values in boxes.items():
        data.pop(name, None)
        data |= {name: ticked} if (ticked := [one for one in values if chance.random() < 0.5]) else {}
    buttons = [node for node in form.css("button[name]") if not is_disabled(node)]
    if buttons:
        pressed = chance.choice(buttons)
        data[pressed.attributes["name"] or ""] = value_of(pressed)
    return data


def kind(form: LexborNode) -> str:
    node = form.css_first('input[name="tap"]')
    return (node.attributes.get("value") or "") if node else (form.attributes.get("action") or "").rpartition("/")[2]
