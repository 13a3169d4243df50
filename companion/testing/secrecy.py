"""Check that a game keeps its declared secrets in every state that random play reaches.

`Game.secrets` returns states that must look the same to a seat as the current one. Everything that this seat can see is
rendered for both and compared byte for byte. Then every possible tap is made in both: refusals, lines and alarms must
be the same, too, unless the step is a reveal.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from companion.app import create_app
from companion.engine.results import tell
from companion.engine.snapshot import Snapshot, encode
from companion.game import TABLE, Game, Seat, Tap
from companion.testing.differences import Path as Place
from companion.testing.differences import differences, fingerprint, holds, lies_within, only_moved, parting
from companion.testing.gallery import Gallery, views
from companion.testing.random_play import Answer, Offer, RandomPlay
from companion.web.limits import LimitSettings

MAX_VARIANTS = 3
"""How many variants are compared at one state."""
MAX_TAPS = 3
"""How many ways of filling in one form are tapped in each variant."""
DRAWN_ANYWAY = 2
"""Equal views render equally, so screens with equal views are rendered only this often per phase and viewer."""

PATIENCE = 5
"""If no secret was met, random play goes on for this many times the requested steps."""


class Leak(AssertionError):
    """A secret leaks: two states that must look the same to somebody do not."""


class Prover:
    """Plays a game at random in its own companion, and compares every state for every viewer."""

    def __init__(self, folder: Path, game: Game, *, players: int | None = None, seed: int = 1, **setup: object) -> None:
        self.game = game
        self.folder = folder
        self.chance = random.Random(seed)
        app = create_app(folder, games={game.name: game}, address="192.0.2.1", limits=LimitSettings(attempts=1_000_000))
        self.gallery = Gallery(app)
        few = max(game.players[0], min(3, game.players[1]))
        self.play = RandomPlay(app, game, players or few, seed, setup)
        self.compared: Counter[tuple[str, str]] = Counter()
        """How often two states were compared, by phase and viewer."""
        self.forgotten: set[tuple[str, bool, bool]] = set()
        self.declared: set[tuple[str, bool, bool]] = set()
        """After which taps (burning or not, for the table or a seat) something was hidden, and was declared."""
        self._views: dict[tuple[int, Seat], tuple[Any, dict[str, Any]]] = {}
        self._hidden: dict[tuple[int, Seat], tuple[Any, set[Place]]] = {}
        self._drawn: dict[Seat, dict[str, object]] = {}

    def proves(self, steps: int) -> Counter[tuple[str, str]]:
        """Check this many states; raise `Leak` for the first leak, or for secrets that were never compared.

        If there was no secret yet, play goes on for a while.
        """
        for step in range(PATIENCE * steps):
            if step >= steps and not self.unseen():
                break
            now = self.play.now
            self._hidden.clear()
            self._views.clear()
            self._drawn.clear()
            self.gallery.put(now)
            phase, offers = self.play.offers(now, {seat: self.gallery.html(now, seat) for seat in self.viewers})
            for seat in self.viewers:
                self.looks(now, seat, phase)
            self.gallery.put(now)
            for offer in offers:
                self.taps(now.state, offer)
            self.chooses(now.state, offers)
            self.meddles(now.state, offers)
            after = self.play.goes_on(now, offers)
            if after.id == now.id and after.version > now.version and after.burns:
                self.is_burnt(now, after)
        for kind, _, everybody in self.forgotten - self.declared:
            who = "the table" if everybody else "a seat"
            raise Leak(
                f"{self.game.name}: after {kind}, secrets gives nothing for {who}, although what was hidden before "
                "still is: this phase is never compared."
            )
        if unseen := self.unseen():
            raise Leak(f"{self.game.name} has secrets, but random play never compared them for {' nor '.join(unseen)}.")
        return self.compared

    @property
    def viewers(self) -> tuple[Seat, ...]:
        return (*self.play.now.room.seats, TABLE)

    def name(self, seat: Seat) -> str:
        return "the table" if seat == TABLE else self.play.now.room.names[seat]

    # ---------------------------------------------------------------- what is declared

    def variants(self, state: Any, seat: Seat, most: int = MAX_VARIANTS) -> list[Any]:
        """Return some states that must look the same to this seat."""
        found = self._all_variants(state, seat)
        return self.chance.sample(found, most) if len(found) > most else found

    def _all_variants(self, state: Any, seat: Seat) -> list[Any]:
        if self.game.secrets is None:
            return []
        found = list(self.game.secrets(state, seat))
        for one in found:
            if type(one) is not self.game.state:
                raise Leak(f"{self.game.name}: secrets gives a {type(one).__name__}, which is no state.")
        now = encode(state)
        return [one for one in found if encode(one) != now]

    def hidden(self, state: Any, seat: Seat) -> set[Place]:
        """Return the places of a state that this seat must not know."""
        known = self._hidden.get((id(state), seat))
        if known is None:
            variants = self._all_variants(state, seat)
            places = {one.path for variant in variants for one in differences(state, variant)}
            known = self._hidden[id(state), seat] = (state, places)
        return known[1]

    def views(self, state: Any, seat: Seat) -> dict[str, Any]:
        """Return all views that this seat's pages are drawn from."""
        if (id(state), seat) not in self._views:
            self._views[id(state), seat] = (state, views(self.game, state, seat))
        return self._views[id(state), seat][1]

    def chosen(self, state: Any) -> list[Any]:
        """Return the variants in which somebody chose something else, not only was dealt something else."""
        return [one for one in self._all_variants(state, TABLE) if not only_moved(differences(state, one))]

    # ---------------------------------------------------------------- what is drawn

    def looks(self, now: Snapshot, seat: Seat, phase: str) -> None:
        """Check that this seat sees the same in all variants."""
        ours = self.views(now.state, seat)
        for what, view in ours.items():
            if (found := holds(view, self.game.state)) is not None:
                raise Leak(f"{self.game.name}: the {what} of {self.name(seat)} holds {found}: {phase}.")
        who = "the table" if seat == TABLE else "a seat"
        for variant in self.variants(now.state, seat):
            self.compared[phase, who] += 1
            theirs = self.views(variant, seat)
            lasting = self.game.lasting if seat == TABLE else None
            if lasting is not None and encode(lasting.take(now.state)) != encode(lasting.take(variant)):
                self.leaks(now.state, variant, seat, "from what the next table is told (`lasting`)")
            again = self.compared[phase, who] > DRAWN_ANYWAY
            if again and all(fingerprint(ours[what]) == fingerprint(theirs[what]) for what in ours):
                continue
            if seat not in self._drawn:
                self._drawn[seat] = self.gallery.draws(now, seat)
            drawn = self.gallery.draws(replace(now, state=variant), seat)
            for what, shown in self._drawn[seat].items():
                if drawn[what] != shown:
                    self.leaks(now.state, variant, seat, f"from {what}: {parting(shown, drawn[what])}")
            for what, view in ours.items():
                if what.endswith("view") and view != theirs[what]:
                    self.leaks(now.state, variant, seat, f"from the {what}, although its template does not show it")
        if seat == TABLE:
            self.looks_afterwards(now)

    def looks_afterwards(self, now: Snapshot) -> None:
        """Check that results, feats and charts don't depend on a secret of an earlier state."""
        states = self.play.states(now)
        for place in {len(states) - 1, self.chance.randrange(len(states))}:
            for variant in self.variants(states[place], TABLE, 1):
                others = (*states[:place], variant, *states[place + 1 :])
                for hook in (self.game.feats, self.game.charts):
                    if fingerprint(tell(hook, states)) != fingerprint(tell(hook, others)):
                        self.leaks(states[place], variant, TABLE, f"from the {hook.__name__} of the night's page")

    def leaks(self, state: Any, variant: Any, seat: Seat, how: str) -> None:
        found = ", ".join(
            f"{'.'.join(one.path)} is {one.one!r} or {one.other!r}" for one in differences(state, variant)
        )
        raise Leak(f"{self.game.name}: {self.name(seat)} can tell whether {found}, {how}")

    # ---------------------------------------------------------------- what is tapped

    def taps(self, state: Any, offer: Offer) -> None:
        """Check that a tap reveals nothing to anybody, except what is then open on the table."""
        for answer in offer.answers[:MAX_TAPS]:
            others = {answer.seat, self.chance.choice(self.viewers)} if answer.tap.by != "nobody" else set()
            for seat in others | {TABLE}:
                for variant in self.variants(state, seat, 2):
                    self.is_the_same_tap(state, variant, seat, answer)
            if answer.step is not None:
                self.needs_burn(state, answer)

    def chooses(self, state: Any, offers: list[Offer]) -> None:
        """Compare the outcomes of one kind of tap: the player's choices, and those of the dice."""
        done: dict[tuple[Seat, str], list[Answer]] = {}
        for one in [answer for offer in offers for answer in offer.answers if answer.step is not None]:
            done.setdefault((one.seat, one.kind), []).append(one)
            if one.rolled:
                self.are_two_results(one, self.play.answer(state, one.seat, one.tap, luck=2), by_chance=True)
        for answers in done.values():
            for one, other in (*pairwise(answers), *((answers[0], other) for other in answers[2:])):
                self.are_two_results(one, other)

    def is_the_same_tap(self, state: Any, variant: Any, seat: Seat, ours: Answer) -> None:
        theirs = self.play.answer(variant, ours.seat, ours.tap)
        if seat == ours.tapper and ours.refusal != theirs.refusal:
            how = f"because {ours.kind} is answered with {ours.refusal!r} or {theirs.refusal!r}"
            self.leaks(state, variant, seat, how)
        if ours.step is None or theirs.step is None:
            return
        after, other = ours.step.state, theirs.step.state
        burns, public = ours.step.burn or theirs.step.burn, not (ours.step.secret or ours.step.note)
        gone = encode(after) == encode(other)
        if seat == TABLE and public and gone and not burns and not only_moved(differences(state, variant)):
            raise Leak(f"{self.game.name}: {ours.kind} ends a secret, and earlier states still hold it: burn it.")
        tells, hidden = ours.told(seat) != theirs.told(seat), self.hidden(after, seat)
        if burns and tells:  # a reveal may tell what it reveals, but nothing that stays hidden
            tells = not gone and all(lies_within(place.path, hidden) for place in differences(after, other))
        forgotten = not gone and not hidden and not (burns and ours.told(seat) != theirs.told(seat))
        if (tells or forgotten) and self.views(after, seat) == self.views(other, seat):
            if tells:
                how = f"because {ours.kind} says or does {parting(ours.told(seat), theirs.told(seat))}"
                self.leaks(state, variant, seat, how)
            self.forgotten.add((ours.kind, burns, seat == TABLE))
        if hidden:
            self.declared.add((ours.kind, burns, seat == TABLE))

    def needs_burn(self, state: Any, answer: Answer) -> None:
        """Check that a step which reveals the last secret choice burns the earlier states."""
        step = answer.step
        assert step is not None
        if step.burn or step.note:
            return
        if self.chosen(state) and not self.chosen(step.state):
            raise Leak(f"{self.game.name}: {answer.kind} is a reveal, and earlier states still hold the rest: burn it.")

    def are_two_results(self, one: Answer, other: Answer, *, by_chance: bool = False) -> None:
        """Compare two outcomes of one tap: if others must not, or cannot, tell them apart, the choice is a secret."""
        if one.step is None or other.step is None or one.step.burn or other.step.burn:
            return
        after = one.step.state
        found = differences(after, other.step.state)
        if not found:
            return
        quiet = all(step.secret or step.note for step in (one.step, other.step))
        others = [seat for seat in self.viewers if seat != one.seat]
        noticed, declared = set(), set()
        for seat in others:
            hidden = self.hidden(after, seat)
            if all(lies_within(place.path, hidden) for place in found):
                declared.add(seat)
            if one.told(seat) != other.told(seat) or self.views(after, seat) != self.views(other.step.state, seat):
                noticed.add(seat)
            if seat in noticed and (seat in declared or (quiet and seat == TABLE)):
                self.leaks(after, other.step.state, seat, f"from the lines or the screen after {one.kind}")
        if noticed and not declared:
            return
        if not by_chance and not quiet and not (one.step.sealed and only_moved(found)):
            raise Leak(f"{self.game.name}: {one.kind} changes a secret: its step must be secret, or a note.")
        if not any(self.hidden(after, seat) for seat in others):
            what = ", ".join(".".join(place.path) for place in found)
            raise Leak(f"{self.game.name}: nobody else sees {what} after {one.kind}, and secrets does not declare it.")

    def meddles(self, state: Any, offers: list[Offer]) -> None:
        """Check that sending somebody else's form gets the same answer in all variants."""
        taps: list[Tap] = [answer.tap for offer in offers for answer in offer.answers]
        for seat in self.viewers:
            for tap in self.chance.sample(taps, min(4, len(taps))):
                if self.play.may(seat, tap):
                    ours = self.play.answer(state, seat, tap)
                    for variant in self.variants(state, seat, 2):
                        self.is_the_same_tap(state, variant, seat, ours)

    # ---------------------------------------------------------------- what is kept

    def is_burnt(self, before: Snapshot, after: Snapshot) -> None:
        """Check that after a burn no earlier state can be read, and that no file holds what was typed."""
        for number in range(1, after.version):
            with contextlib.suppress(LookupError):
                version = self.play.store.at(after.id, number)
                if version.state is not None or version.room is not None:
                    raise Leak(f"{self.game.name}: version {number} can be read after it was burnt.")
        told = b"".join(lines.lines for lines in self.play.store.history(after.id, limit=1_000_000))
        gone = [word.encode() for word in self.play.typed if word.encode() in encode(before.state)]
        for word in [word for word in gone if word not in encode(after.state) and word not in told]:
            for path in self.folder.rglob("*"):
                if path.is_file() and word in path.read_bytes():
                    raise Leak(f"{self.game.name}: {word.decode()!r} was burnt and lies in {path.name}.")

    def unseen(self) -> set[str]:
        """Return the viewers for whom nothing was compared yet, if the game has secrets."""
        return set() if self.game.secrets is None else {"the table", "a seat"} - {who for _, who in self.compared}
