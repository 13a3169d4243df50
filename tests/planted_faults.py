"""Leaks planted in our games, one at a time: the secrecy check has to find each of them."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import secret_ballot
from secret_ballot import Box

from companion.game import Chart, Curve, Feat, Game, GoesAway, Lasting, Leaves, NotAllowed, Result, Say, Seat, Step, Tap
from companion.games import big_shuffle, faster_than_truth, risk, traitors, trickery
from companion.games.faster_than_truth.counting import CountAgain
from companion.games.faster_than_truth.state import KINDS, OF_EACH, Card, Play
from companion.games.risk.seat_view import hand_view
from companion.games.traitors.state import EndVote, Evening, Murder, Vote, Voting
from companion.testing import apply

replace = msgspec.structs.replace


def begun(game: Game, first: Callable[[Any, tuple[Seat, ...]], Any]) -> Game:
    """Return the game, but let its tables start with this state, so that there are secrets from the start."""
    return dataclasses.replace(game, start=lambda setup, seats, dice: Step(first(setup, seats)))


def dealt(setup: Any, seats: tuple[Seat, ...]) -> Play:
    """Everybody has one of each kind; one of them lies face up."""
    stashes = {
        seat: tuple(Card(kind, hidden=place != number % 3) for place, kind in enumerate(KINDS))
        for number, seat in enumerate(seats)
    }
    left = dict.fromkeys(KINDS, OF_EACH - len(seats))
    return Play(setup, seats, left, stashes, turn=seats[0])


def counting(setup: Any, seats: tuple[Seat, ...]) -> Play:
    """All cards are counted once more, and one player has entered theirs."""
    play: Play = apply(faster_than_truth.GAME, dealt(setup, seats), 0, CountAgain()).state
    return play.but(count=replace(play.count, entries={seats[0]: play.stashes[seats[0]]}, sure=seats[:1]))


def murdered(setup: Any, seats: tuple[Seat, ...]) -> Evening:
    """Everybody has answered, and the second player will be murdered."""
    return Evening(setup, seats, 3, Murder(seats[0], answered=seats, mark="2"))


def voting(setup: Any, seats: tuple[Seat, ...]) -> Evening:
    """Two have voted."""
    cast = (Vote(seats[0], seats[1]), Vote(seats[2], seats[0]))
    return Evening(setup, seats, 3, Voting(seats[0], candidates=seats, cast=cast))


def ending(setup: Any, seats: tuple[Seat, ...]) -> Evening:
    """The vote on ending the round; one player has answered."""
    return Evening(setup, seats, 3, EndVote(seats[0], answered=seats[:1], wish="P"))


BALLOT = begun(secret_ballot.GAME, lambda setup, seats: Box(setup, seats, {seats[0]: "apple", seats[1]: "quince"}))
DEALT, COUNTING = begun(faster_than_truth.GAME, dealt), begun(faster_than_truth.GAME, counting)
MURDERED, VOTING, ENDING = (begun(traitors.GAME, first) for first in (murdered, voting, ending))
Fault = Callable[[Path], Game]


class Leaky(msgspec.Struct, frozen=True):
    """A view with one more field."""

    view: Any
    leak: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.view, name)


def weight(box: Box) -> int:
    """The sum of all sealed words."""
    return sum(map(len, box.slips.values()))


def by_word(box: Box) -> tuple[Seat, ...]:
    return tuple(sorted(box.seats, key=lambda seat: box.slips.get(seat, "")))


def ballot(template: str, html: str, leak: Callable[..., Any] = weight) -> Fault:
    """Return the ballot game with something added to one of its views and to its template."""

    def plant(folder: Path) -> Game:
        shutil.copytree(Path(str(BALLOT.home)) / "templates", folder / "templates")
        with (folder / "templates" / BALLOT.name / f"{template}.html").open("a") as page:
            page.write(html)
        plain = getattr(BALLOT, f"{template}_view") or (lambda box: None)
        leaky = {f"{template}_view": lambda *seen: Leaky(plain(*seen), leak(*seen))}
        return dataclasses.replace(BALLOT, home=folder, **leaky)

    return plant


def but(game: Game, **changes: Any) -> Fault:
    return lambda folder: dataclasses.replace(game, **changes)


def rule(game: Game, kind: str, change: Callable[..., Step]) -> Fault:
    """Return the game with one rule changed: `change(step, state, seat, tap)`."""
    tap_type = game.taps[kind]
    good = game.rules[tap_type]

    def bad(state: Any, seat: Seat, tap: Any, dice: Any) -> Step:
        return change(good(state, seat, tap, dice), state, seat, tap)

    return but(game, rules={**game.rules, tap_type: bad})


def own_rule(game: Game, tap_type: type[Tap], answer: Callable[[Any], Step]) -> Fault:
    """Return the game with a rule for a tap of the table itself."""
    return but(game, rules={**game.rules, tap_type: lambda state, seat, tap, dice: answer(state)})


def odd_ones_stay(box: Box) -> Step:
    if weight(box) > 12:
        raise NotAllowed("Too many letters are in the box.")
    return Step(box)


def step(old: Step, *lines: Any, **changes: Any) -> Step:
    """Return the same step with more lines and other flags."""
    flags = {"sealed": old.sealed, "secret": old.secret, "note": old.note, "burn": old.burn, "alarm": old.alarm}
    return Step(changes.pop("state", old.state), *old.lines, *lines, **{**flags, **changes})


def without(*flags: str) -> Callable[..., Step]:
    return lambda old, *_: step(old, **dict.fromkeys(flags, False))


def refused(old: Step, state: Any, seat: Seat, tap: Any, *, reason: Callable[[Any], int]) -> Step:
    raise NotAllowed("Not now: {n}.", n=reason(state))


def slip_of_neighbour(box: Box, seat: Seat) -> str:
    return box.slips.get(box.seats[box.seats.index(seat) - 1], "")


def hidden_coins(play: Any) -> int:
    """Return how many coins the second player hides."""
    return sum(card.hidden and card.kind == "coins" for card in play.stashes[play.seats[1]])


def sorted_stashes(play: Any) -> Any:
    """Sort every stash by kind, so that a hidden card's place reveals it."""
    stashes = {seat: tuple(sorted(cards, key=lambda card: card.kind)) for seat, cards in play.stashes.items()}
    return faster_than_truth.GAME.table_view(play.but(stashes=stashes))


def blades(state: Any) -> int:
    return sum(len(notes.blades) for notes in state.notebooks.values())


def only_murders(evening: Any, seat: Seat) -> Iterator[Any]:
    """Declare the secrets of one phase only."""
    if type(evening.scene).__name__ == "Murder":
        yield from traitors.GAME.secrets(evening, seat)  # type: ignore[misc]


def overdue(evening: Any) -> Any:
    """The host's view, as if its time limit were already over."""
    late = replace(evening.scene, overdue=True) if hasattr(evening.scene, "overdue") else evening.scene
    return traitors.GAME.host_view(evening.go(late))  # type: ignore[misc]


def noted(box: Box, what: Callable[[int], Any]) -> dict[Seat, Any]:
    return {seat: what(len(box.notes.get(seat, ""))) for seat in box.seats}


DRAWN = r"from (a watcher's|the cover|.*the shared screen's|the shared screen in|the (host's )?phone's)"
"""The leak was found on the screen that shows it."""

FAULTS: dict[str, tuple[Fault, str]] = {
    # what a template shows
    "the sum of all sealed words": (ballot("table", "<p>{{ view.leak }}</p>"), DRAWN),
    "a class name": (ballot("table", '<p class="w{{ view.leak }}"></p>'), DRAWN),
    "an aria-label": (ballot("table", '<p aria-label="{{ view.leak }}"></p>'), DRAWN),
    "the order of attributes": (
        ballot("table", "{% if view.leak > 12 %}<p lang=en dir=ltr>{% else %}<p dir=ltr lang=en>{% endif %}"),
        DRAWN,
    ),
    "a width": (ballot("table", '<progress max="999" value="{{ view.leak }}"></progress>'), DRAWN),
    "a sound cue": (ballot("table", '<p data-cue="{{ view.leak }}"></p>'), DRAWN),
    "how many elements there are": (ballot("table", "{% for _ in range(view.leak) %}<i></i>{% endfor %}"), DRAWN),
    "a comment": (ballot("table", "<!-- {{ view.leak }} -->"), DRAWN),
    "the order of names": (ballot("table", "{% for seat in view.leak %}<b>{{ names[seat] }}</b>{% endfor %}", by_word), DRAWN),
    "the order in a dict": (
        ballot("table", "{% for seat in view.leak %}<b>{{ seat }}</b>{% endfor %}", lambda box: dict.fromkeys(by_word(box), 1)),
        DRAWN,
    ),
    "a slip on another phone": (ballot("seat", "<p>{{ view.leak }}</p>", slip_of_neighbour), DRAWN),
    "the shared screen's own part": (ballot("screen", "<p>{{ view.leak }}</p>"), DRAWN),
    "what the host sees": (ballot("host", "<p>{{ host.leak }}</p>"), DRAWN),
    "the record below the table": (ballot("record", "<p>{{ record.leak }}</p>"), DRAWN),
    "a sorted stash": (but(DEALT, table_view=sorted_stashes), DRAWN),
    "somebody else's hand": (
        but(risk.GAME, seat_view=lambda state, seat: replace(risk.GAME.seat_view(state, seat), hand=hand_view(state, state.seats[0]))),
        DRAWN,
    ),
    "whom the screen is handed to": (but(traitors.GAME, taking_part=lambda evening: evening.waiting()), DRAWN),
    "whom the screen is offered to": (
        but(big_shuffle.GAME, choosing=lambda table: tuple(s for s in table.seats if table.personal[s].who)),
        DRAWN,
    ),
    "who has not answered, told to the host at once": (but(traitors.GAME, host_view=overdue), DRAWN),
    # what a view holds
    "a view that holds the state": (ballot("table", "", lambda box: box), "holds the state itself"),
    "a view that can ask the state": (ballot("table", "", lambda box: box.missing), "holds a function"),
    "a view that holds more than is shown": (ballot("table", ""), "does not show it"),
    # what is told afterwards
    "a superlative": (
        but(BALLOT, feats=lambda states: (Feat(Say("Longest note"), states[-1].seats[:1], sum(noted(states[-1], int).values())),)),
        "can tell",
    ),
    "a chart of an earlier state": (
        but(BALLOT, charts=lambda states: (Chart(Say("Words"), (Curve(tuple(weight(box) for box in states)),)),)),
        "can tell",
    ),
    "points in an export": (
        but(BALLOT, result=lambda box: Result((), noted(box, int)) if box.opened else None),
        "can tell",
    ),
    "what the next table is told": (
        but(BALLOT, lasting=Lasting(kind=Box, take=lambda box: box, give=lambda box, old: box)), "`lasting`"
    ),
    # what a tap answers
    "a refusal": (
        rule(BALLOT, "Roll", lambda old, box, *more: refused(old, box, *more, reason=weight) if box.slips else old),
        "is answered with",
    ),
    "a refusal that comes only sometimes": (
        rule(DEALT, "PutCard", lambda old, play, *more: refused(old, play, *more, reason=hidden_coins) if hidden_coins(play) else old),
        "is answered with",
    ),
    "a line about others": (
        rule(BALLOT, "Roll", lambda old, box, *_: step(old, Say("{n} letters lie in the box.", n=weight(box)))),
        "says or does",
    ),
    "a line of the history": (
        rule(risk.GAME, "FixTurn", lambda old, state, *_: step(old, Say("{n} cards are noted.", n=blades(state)))),
        "says or does",
    ),
    "a line for the wrong seat": (
        rule(BALLOT, "Knock", lambda old, box, seat, _: step(old, Say("{w}", w=slip_of_neighbour(box, box.seats[0])).only(box.seats[0]))),
        "says or does",
    ),
    "a line about the choice itself": (
        rule(BALLOT, "Cast", lambda old, box, seat, tap: step(old, Say("{name}: {word}", name=seat, word=tap.word))),
        "from the lines",
    ),
    "a line when somebody goes away": (
        own_rule(BALLOT, GoesAway, lambda box: Step(box, Say("{n} letters are left.", n=weight(box)))), "says or does"
    ),
    "a host who may remove only some": (own_rule(BALLOT, Leaves, odd_ones_stay), "is answered with"),
    "a clock": (rule(BALLOT, "Knock", lambda old, box, *_: step(old, alarm=float(weight(box)))), "says or does"),
    "a way back that comes and goes": (
        rule(BALLOT, "Knock", lambda old, box, *_: step(old, sealed=bool(weight(box) % 2))),
        "says or does",
    ),
    # flags of a step
    "a ballot that is not secret": (rule(BALLOT, "Cast", without("secret", "sealed")), "must be secret"),
    "a vote that is not secret": (rule(traitors.GAME, "CastVote", without("secret", "sealed")), "must be secret"),
    "a covered card that is not secret": (rule(trickery.GAME, "Cover", without("secret", "sealed")), "must be secret"),
    "a ballot that is sealed, but not secret": (rule(BALLOT, "Cast", without("secret")), "must be secret"),
    "a note that is a step": (rule(risk.GAME, "AddBlade", without("note")), "must be secret"),
    "ballots that are not burnt": (rule(BALLOT, "Open", without("burn")), "burn it"),
    "a murder that is not burnt": (rule(MURDERED, "RevealMurder", without("burn")), "burn it"),
    "covered cards that are not burnt": (rule(trickery.GAME, "Cover", without("burn")), "burn it"),
    "votes that are not burnt when they are called off": (rule(traitors.GAME, "CallOff", without("burn")), "burn it"),
    "a count that is not burnt": (rule(COUNTING, "StopCount", without("burn")), "burn it"),
    # what is declared
    "a phase that is not declared": (but(traitors.GAME, secrets=only_murders), "does not declare"),
    "secrets of seats only": (
        but(BALLOT, secrets=lambda box, seat: BALLOT.secrets(box, seat) if seat else ()), "never compared"  # type: ignore[misc]
    ),
    "nothing declared": (but(BALLOT, secrets=lambda box, seat: ()), "does not declare"),
    "declared that there is nothing": (but(trickery.GAME, secrets=None), "does not declare"),
}  # fmt: skip
