"""Random play that prefers taps it has seldom made, and knows what each tap would do."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import Flask
from selectolax.lexbor import LexborHTMLParser

from companion.engine.apply import with_away
from companion.engine.room_rules import MarkAway, MarkBack, Sit, Start, TakeBack
from companion.engine.snapshot import Snapshot, as_data
from companion.game import (
    TABLE,
    ChairsMoved,
    ComesBack,
    Dice,
    Game,
    GoesAway,
    Leaves,
    NotAllowed,
    Seat,
    Step,
    Tap,
    TimeIsUp,
)
from companion.testing.monkey import WORDS, Monkey
from companion.web import Services
from companion.web.forms import read_tap

FORMS, FILLINGS, MIXED = 5, 4, 6
"""Per state: how many forms of each screen are tried, in how many ways, and how often with one field changed."""


@dataclass(frozen=True)
class Answer:
    """What a rule returns for a tap."""

    seat: Seat
    tap: Tap
    step: Step | None
    refusal: object
    rolled: bool

    @property
    def tapper(self) -> Seat:
        """Who gets the answer; if the table itself taps, the host does."""
        return TABLE if self.tap.by == "nobody" else self.seat

    @property
    def kind(self) -> str:
        return str(self.tap.__struct_config__.tag)

    def told(self, seat: Seat) -> object:
        """What this seat can notice: the lines, the alarm, and whether it can be taken back."""
        if self.step is None:
            return None
        lines = () if self.step.note else self.step.lines
        heard = [as_data(line.say) for line in lines if line.for_seat(seat)]
        return heard, (self.step.alarm, self.step.later), self.step.sealed or self.rolled or self.step.note


@dataclass(frozen=True)
class Offer:
    """A form on somebody's screen, filled in in several ways."""

    kind: str
    answers: tuple[Answer, ...]


class RandomPlay:
    """Plays one table after the other, with everybody tapping at random."""

    def __init__(self, app: Flask, game: Game, players: int, seed: int, setup: dict[str, Any]) -> None:
        self.services: Services = app.extensions["companion"]
        self._app, self.game, self._players, self._setup = app, game, players, setup
        self._seed = seed
        self.chance = random.Random(seed)
        self.store = self.services.tables.store
        self._time = 1_000.0
        # A fake clock that only moves when it has to.
        self.services.tables.time = lambda: self._time
        self.services.tables._dice = lambda: Dice(self.chance)
        self.typed: list[str] = []
        """Unique words, to find them in files later."""
        self.tapped: Counter[str] = Counter()
        self._way: list[tuple[str, int, Any]] = []
        self._open()

    def _open(self) -> None:
        self._monkey = Monkey(self._app, self.game, self._players, self._seed, **self._setup)
        self._monkey.start()
        self._seed += 1

    @property
    def now(self) -> Snapshot:
        return self.services.reader.snapshot(self._monkey.table)

    def states(self, now: Snapshot) -> tuple[Any, ...]:
        """Return the earlier states, without those that were taken back or burnt."""
        if self._way and (self._way[-1][0] != now.id or now.burns):
            self._way.clear()
        while self._way and self._way[-1][1] >= now.step:
            self._way.pop()
        self._way.append((now.id, now.step, now.state))
        return tuple(state for _, _, state in self._way)

    # ---------------------------------------------------------------- what can be tapped

    def offers(self, now: Snapshot, screens: Mapping[Seat, str]) -> tuple[str, list[Offer]]:
        """Return the set of taps on these screens, which identifies the phase, and some of them with their answers."""
        found: list[Offer] = []
        kinds: set[str] = set()
        for seat, html in screens.items():
            forms = [form for form in LexborHTMLParser(html).css("form") if kind_of(form) in self.game.taps]
            kinds.update(map(kind_of, forms))
            self.chance.shuffle(forms)
            for form in sorted(forms, key=lambda form: self.tapped[kind_of(form)])[:FORMS]:
                taps = [tap for tap in self._fillings(form) if self.may(seat, tap)]
                found.append(Offer(kind_of(form), tuple(self.answer(now.state, seat, tap) for tap in taps)))
        somebody = self.chance.choice(now.room.seats)
        own: list[tuple[Seat, Tap]] = [(somebody, GoesAway()), (somebody, ComesBack()), (somebody, Leaves())]
        own.append((TABLE, ChairsMoved(tuple(self.chance.sample(now.room.seats, len(now.room.seats))))))
        if now.room.alarm_at is not None:
            own.append((TABLE, TimeIsUp()))
        for seat, tap in own:
            if type(tap) in self.game.rules:
                found.append(Offer(type(tap).__name__, (self.answer(now.state, seat, tap),)))
        return " ".join(sorted(kinds)) or "nothing to tap", found

    def _fillings(self, form: Any) -> list[Tap]:
        """Fill in the form at random in several ways, and with one field changed at a time."""
        one, *others = (self._fill(form) for _ in range(FILLINGS))
        mixed = [{**one, key: other[key]} for other in others for key in one if other.get(key, one[key]) != one[key]]
        taps: list[Tap] = []
        for fields in [one, *others, *mixed[:MIXED]]:
            with contextlib.suppress(NotAllowed):
                tap = read_tap(self.game, fields)[0]
                if tap not in taps:
                    taps.append(tap)
        return taps

    def _fill(self, form: Any) -> dict[str, list[str]]:
        return {
            key: [self._word() if one in WORDS and not one.isdigit() else one for one in listed(value)]
            for key, value in self._monkey.fill(form).items()
        }

    def _word(self) -> str:
        self.typed.append(f"Word {self.chance.getrandbits(40):x}")
        return self.typed[-1]

    def may(self, seat: Seat, tap: Tap) -> bool:
        """Return whether the engine would call the game's rule; the shared screen is host."""
        return tap.by == "anybody" or (tap.by == "host" and seat == TABLE) or (tap.by == "seat" and seat != TABLE)

    def answer(self, state: Any, seat: Seat, tap: Tap, luck: int = 1) -> Answer:
        """Return the rule's answer to this tap, with dice that always fall the same."""
        dice, room = Dice(random.Random(luck)), self.now.room
        if isinstance(tap, GoesAway | ComesBack | Leaves):
            person = room.person(seat)
            gone = msgspec.structs.replace(person, away=isinstance(tap, GoesAway), gone=isinstance(tap, Leaves))
            room = room.with_person(gone)
        try:
            step = self.game.rules[type(tap)](with_away(state, room), seat, tap, dice)
        except NotAllowed as why:
            return Answer(seat, tap, None, as_data(why.say), dice.rolled)
        step.state = with_away(step.state, room)
        return Answer(seat, tap, step, None, dice.rolled)

    # ---------------------------------------------------------------- what is tapped

    def goes_on(self, now: Snapshot, offers: list[Offer]) -> Snapshot:
        """Tap something, preferably a rare tap; start another game when one is over."""
        if now.is_over:
            self._open()
            return self.now
        tables, lot = self.services.tables, self.chance.random()
        if lot < 0.05 and now.room.alarm_at is not None:
            self._time = max(self._time, now.room.alarm_at)
            return tables.wake(now.id)
        person = self.chance.choice(now.room.here)
        try:
            if 0.05 < lot < 0.07:
                return tables.act(now.id, TABLE, Sit(person.seat, self.chance.randint(1, len(now.room.here))))
            if lot > 0.97:
                return tables.act(now.id, TABLE, MarkBack(person.seat) if person.away else MarkAway(person.seat))
            if lot > 0.94:
                after = tables.act(now.id, TABLE, TakeBack())
                return after if after.state is not None else tables.act(now.id, TABLE, Start())
        except NotAllowed:
            pass  # there was nothing to take back
        done = [one for offer in offers for one in offer.answers if one.step is not None and one.tap.by != "nobody"]
        if not done:
            return now
        chosen = self.chance.choices(done, [1 / (1 + self.tapped[one.kind]) ** 2 for one in done])[0]
        self.tapped[chosen.kind] += 1
        return tables.act(now.id, chosen.seat, chosen.tap)


def listed(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


def kind_of(form: Any) -> str:
    tap = form.css_first('[name="tap"]')
    return "" if tap is None else tap.attributes.get("value") or ""
