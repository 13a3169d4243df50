"""A player who knows nothing: taps whatever form is on the screen, filled in any way the form allows."""

from __future__ import annotations

import random

from flask import Flask
from selectolax.lexbor import LexborHTMLParser, LexborNode
from tabletalk import NAMES, form_fields, typed
from werkzeug.test import TestResponse

from companion.engine.links import Link
from companion.engine.snapshot import as_data
from companion.game import TABLE, Game, Seat

WORDS = ("Red Mill", "owl", "7", "Grace")
BORING = ("EndTable", "Remove", "NewLink", "OntoScreen", "GiveHost", "Rename", "MarkAway", "TakeHost", "again")
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
        forms = [form for form in LexborHTMLParser(html).css("form") if form.attributes.get("method") == "post"]
        lively = [form for form in forms if kind(form) not in BORING]
        if not lively or self.chance.random() < 0.02:
            lively = [form for form in forms if kind(form) not in ("EndTable", "Remove", "NewLink", "OntoScreen")]
        if not lively:
            return None
        form = self.chance.choice(lively)
        data = self.fill(form)
        reply = self.client.post(form.attributes["action"], data=data, headers=self.headers)
        assert reply.status_code in (200, 422), (kind(form), data, reply.status_code)
        self.tapped.add(kind(form))
        self.refused += reply.status_code == 422
        return reply

    def fill(self, form: LexborNode) -> dict[str, object]:
        data = form_fields(form)
        radios: dict[str, list[str]] = {}
        for node in form.css("input"):
            name, sort = node.attributes.get("name"), node.attributes.get("type", "text")
            if not name or "disabled" in node.attributes:
                continue
            if sort == "radio":
                radios.setdefault(name, []).append(node.attributes.get("value") or "on")
            elif sort == "checkbox":
                known = data.pop(name, [])
                chosen = known if isinstance(known, list) else [known]
                value = node.attributes.get("value") or "on"
                chosen = [one for one in chosen if one != value]
                if self.chance.random() < 0.5:
                    chosen.append(value)
                if chosen:
                    data[name] = chosen
            elif sort == "number":
                least, most = int(node.attributes.get("min") or -5), int(node.attributes.get("max") or 20)
                data[name] = str(self.chance.randint(max(least, -20), min(most, 30)))
            elif sort in ("text", "search"):
                data[name] = self.chance.choice(WORDS)
        for name, values in radios.items():
            data[name] = self.chance.choice(values)
        for node in form.css("select"):
            values = [option.attributes.get("value") or "" for option in node.css("option")]
            if values and node.attributes.get("name"):
                data[node.attributes["name"]] = self.chance.choice(values)
        buttons = [node for node in form.css("button[name]") if "disabled" not in node.attributes]
        if buttons:
            pressed = self.chance.choice(buttons)
            data[pressed.attributes["name"]] = pressed.attributes.get("value") or ""
        return data

    def link(self, seat: int) -> Link:
        return Link(self.table, Seat(seat) if seat else TABLE, 1)


def kind(form: LexborNode) -> str:
    node = form.css_first('input[name="tap"]')
    return (node.attributes.get("value") or "") if node else (form.attributes.get("action") or "").rpartition("/")[2]
