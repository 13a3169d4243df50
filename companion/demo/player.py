"""Chooses what the invented people tap next: from the forms on their own screens, and by the game's own rules."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from companion.demo.forms import Fields, Form, fill, read_forms
from companion.demo.tastes import Taste
from companion.engine.apply import with_away
from companion.engine.links import Link
from companion.engine.room_rules import Start
from companion.engine.snapshot import Snapshot
from companion.game import TABLE, Dice, NotAllowed, Seat, Step, Tap
from companion.web import Services
from companion.web.forms import read_tap
from companion.web.own_regions import Viewer

FORMS_TRIED, FILLINGS_TRIED = 12, 20
REMEMBERED = 8
"""How many recent taps nobody repeats if there is something else to do."""
ASKS, FOLDED, ON_THE_SHARED_SCREEN = 0.3, 0.0, 0.2
"""Weights of taps that ask for confirmation, are in a fold, or are also on the laptop."""


class Chosen(NamedTuple):
    """A tap that the game accepts: whose it is, where it is sent, and what its button says."""

    seat: Seat
    path: str
    fields: Fields
    words: str


class Player:
    """Plays for all seats that nobody has taken, and for the shared screen."""

    def __init__(self, services: Services, taste: Taste, seed: int | None = None) -> None:
        self._services, self._taste = services, taste
        self._chance = random.Random(seed)
        self._lately: deque[tuple[Seat, str]] = deque(maxlen=REMEMBERED)
        self._noted: Counter[tuple[str, Seat, str]] = Counter()

    def choose(self, now: Snapshot, taken: Collection[Seat], language: str) -> Chosen | None:
        """The next tap; None if only real people can tap now, or if the table waits for its alarm."""
        asked = {seat: self._forms(now, seat, language) for seat in (TABLE, *now.room.seats)}
        if any(asked[seat] for seat in now.room.seats if seat in taken):
            asked[TABLE] = []  # it would tap for the person who is asked
        found = [(seat, form) for seat, forms in asked.items() if seat not in taken for form in forms]
        for _ in range(FORMS_TRIED):
            weights = [self._weight(seat, form) for seat, form in found]
            if not any(weights):
                return None
            place = self._chance.choices(range(len(found)), weights)[0]
            seat, form = found.pop(place)
            if chosen := self._fill(now, seat, form):
                self._lately.append((seat, form.kind))
                self._noted[now.id, seat, form.kind] += 1
                return chosen
        return None

    def _forms(self, now: Snapshot, seat: Seat, language: str) -> list[Form]:
        """What this seat is asked to do now: the card of a phone, the large buttons of the shared screen."""
        generation = now.room.person(seat).generation if seat != TABLE else now.room.screen_generation
        screen = self._services.screens.draw(Viewer(Link(now.id, seat, generation), language, "", ""))
        regions = {one.name: one.html.decode() for one in screen.regions} if screen else {}
        known = {*now.game.taps, Start.__name__}
        asked = read_forms(regions.get("acts" if seat == TABLE else "you", ""))
        notes = [
            replace(form, folds=()) for form in read_forms(regions.get("mine", "")) if self._notes(now, seat, form)
        ]
        return [form for form in asked if form.kind in known] + notes

    def _notes(self, now: Snapshot, seat: Seat, form: Form) -> bool:
        return self._noted[now.id, seat, form.kind] < self._taste.notes.get(form.kind, 0)

    def _weight(self, seat: Seat, form: Form) -> float:
        weight = self._taste.likes.get(form.kind, 1.0)
        for fold in form.folds:
            weight *= ASKS if "ask" in fold.split() else FOLDED if fold else 1.0
        classes = {one for button in form.buttons for one in button.classes}
        weight *= 3.0 if classes & {"primary", "is-now"} else 0.3 if "plain" in classes else 1.0
        if seat == TABLE:
            weight *= ON_THE_SHARED_SCREEN
        return weight / (1 + self._lately.count((seat, form.kind))) ** 2

    def _fill(self, now: Snapshot, seat: Seat, form: Form) -> Chosen | None:
        buttons = form.buttons
        for _ in range(FILLINGS_TRIED):
            pressed = [self._chance.choice(buttons)] if buttons else []
            fields = fill(form, self._chance, lambda field: self._chance.choice(self._taste.words), pressed)
            # Keep numbers that the companion has filled in.
            fields |= {one.name: one.value for one in form.controls if one.sort == "number" and one.value}
            fields = self._taste.edit(seat, form.kind, fields, self._chance)
            if accepts(now, seat, fields):
                return Chosen(seat, form.action, fields, words_of(form, fields))
        return None


def words_of(form: Form, fields: Fields) -> str:
    """What the pressed button says."""
    pressed = [one for one in form.buttons if not one.name or fields.get(one.name) == one.value]
    return next((one.words for one in sorted(pressed, key=lambda one: not one.name)), "")


def accepts(now: Snapshot, seat: Seat, fields: Fields) -> bool:
    """Whether the game would do something if this were tapped now. Its rules are pure: nothing happens by asking."""
    try:
        tap, _ = read_tap(now.game, {key: one if isinstance(one, list) else [one] for key, one in fields.items()})
        if isinstance(tap, Start):
            return len(now.room.here) >= now.game.players[0]
        step = try_tap(now, seat, tap)
    except NotAllowed:
        return False
    return bool(step.state != now.state)


def try_tap(now: Snapshot, seat: Seat, tap: Tap) -> Step:
    """What the game's rule makes of a tap, or `NotAllowed`."""
    return now.game.rules[type(tap)](with_away(now.state, now.room), seat, tap, Dice(random.Random(1)))
