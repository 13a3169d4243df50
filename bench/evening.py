"""Players who tap at random over HTTP, as in companion/testing/monkey.py, while the phones are measured."""

from __future__ import annotations

import random
from collections import Counter
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from companion.game import Game
from companion.testing.forms import Fields
from companion.testing.house import House
from companion.testing.monkey import BORING, filled, kind
from companion.testing.tabletalk import NAMES, Seated

OWN_FORMS = "#you form[method=post]"
"""The forms that a phone asks its player to use now."""
UNWANTED = {*BORING, "MarkBack", "TakeBack", "Finish"}
"""Taps that would end the evening, or only move people around."""
DRY = 60
"""After this many tries without finding a tap, the game is over."""
ROUNDS = 60
"""A score sheet is measured at this length."""


class Choice(NamedTuple):
    """A form on a screen, by its number among the matching forms, and its values."""

    number: int
    tap: str
    action: str
    fields: Fields


class Evening:
    """One table of a game with as many players as may play it, eight at most; Ann and Ben have real phones."""

    def __init__(self, house: House, game: Game, seed: int) -> None:
        self.chance = random.Random(seed)
        self.table = house.opens(game.name)
        for name in NAMES[: min(game.players[1], 8)]:
            self.table.sits(name)
        self.table.starts()
        self.ann, self.ben = self.table["Ann"], self.table["Ben"]
        self._tapped: Counter[str] = Counter()
        self._dry = 0
        if game.name == "score_sheet":
            for number in range(ROUNDS):
                for person in self.table:
                    person.taps("Enter", points=(number * 7_919 + person.seat * 31) % 101)

    @property
    def over(self) -> bool:
        return self._dry > DRY

    def choose(self, html: str, css: str) -> Choice | None:
        """Choose one of the forms that match this selector, preferably a rarely tapped one, and fill it in."""
        forms = LexborHTMLParser(html).css(css)
        wanted = [number for number, form in enumerate(forms) if self._is_wanted(form)]
        if not wanted:
            return None
        weights = [1 / (1 + self._tapped[kind(forms[number])]) ** 2 for number in wanted]
        number = self.chance.choices(wanted, weights)[0]
        form = forms[number]
        return Choice(number, kind(form), form.attributes.get("action") or "", filled(form, self.chance))

    def _is_wanted(self, form: LexborNode) -> bool:
        return kind(form) not in UNWANTED

    def asks_ann(self) -> str:
        """Return Ann's page if she has something to tap, or nothing."""
        html = self.ann.page().html
        return html if self.choose(html, OWN_FORMS) else ""

    def somebody_taps(self) -> None:
        """Make one tap on any screen."""
        somebody: Seated = self.chance.choice([self.table.shared, *self.table, *self.table])
        css = "form[method=post]" if somebody is self.table.shared else OWN_FORMS
        choice = self.choose(somebody.page().html, css)
        self._dry += 1
        if choice is not None:
            headers = {"HX-Request": "true"}
            reply = somebody.client.post(choice.action or somebody.path, data=choice.fields, headers=headers)
            self.done(choice, accepted=reply.status_code == 200)

    def done(self, choice: Choice, *, accepted: bool) -> None:
        """Note that this was tapped."""
        self._tapped[choice.tap] += 1
        if accepted:
            self._dry = 0


def elements(html: str) -> int:
    return len(LexborHTMLParser(html).css("*"))
