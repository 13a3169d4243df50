"""What everybody sees: a hidden card has a place but no kind until somebody wins."""

from __future__ import annotations

import msgspec

from companion.game import N_, Moment, Say, Seat
from companion.games.faster_than_truth.express import meaning
from companion.games.faster_than_truth.moments import moment, told
from companion.games.faster_than_truth.sentences import ASKS, MUST_LOSE
from companion.games.faster_than_truth.state import CARDS_A_TURN, KINDS, NOBODY, Kind, Phase, Play


class Lying(msgspec.Struct, frozen=True):
    """A card as everybody sees it: its place, and its kind if it lies face up."""

    place: int
    kind: Kind | None


class Stash(msgspec.Struct, frozen=True):
    seat: Seat
    cards: tuple[Lying, ...]
    declared: bool
    plays: bool
    acts: bool
    """The table is waiting for this player."""
    doubts: bool
    loses: bool
    passed: bool
    thinks: bool
    fresh: bool
    """Its last card has just arrived."""


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    phase: Phase
    dealing: bool
    failed: bool
    waiting: tuple[Seat, ...]
    turn: Seat
    number: int
    of: int
    learning: bool
    express: bool
    fuse: str
    reserve: tuple[tuple[Kind, int], ...]
    stashes: tuple[Stash, ...]
    name: str | None
    challenger: Seat
    passed: tuple[Seat, ...]
    thinking: tuple[Seat, ...]
    turned: str | None
    outcome: Say | None
    """Express: what follows from the last card."""
    happening: Say | None
    told: Say | None
    """The last thing that happened."""
    winner: Seat
    moment: Moment | None


def lying(play: Play, seat: Seat) -> tuple[Lying, ...]:
    """A player's stash; after the end nothing is hidden."""
    return tuple(
        Lying(n, None if card.hidden and not play.winner else card.kind) for n, card in enumerate(play.stashes[seat], 1)
    )


def piles(reserve: dict[Kind, int]) -> tuple[tuple[Kind, int], ...]:
    return tuple((kind, reserve[kind]) for kind in KINDS)


def happening(play: Play) -> Say | None:
    """What the table is waiting for, in one sentence."""
    match play.phase:
        case "first":
            return Say("Who goes first?")
        case "declare":
            return Say("{name} plays a card face down and says its name.", name=play.turn)
        case "challenge":
            return Say("Is it true?")
        case "turning":
            return Say("{name} turns the card over.", name=play.turn)
        case "effect":
            return Say("{name} does what the card says.", name=play.turn)
        case "asking" if play.ask:
            ask = play.ask
            if ask.kind and ask.what == "give":
                return Say(ASKS[ask.kind], name=ask.to, rival=ask.owner)
            if ask.kind:
                return Say(MUST_LOSE[ask.kind], name=ask.owner)
            if ask.what == "hide":
                return Say("{name} chooses a card to hide.", name=ask.owner)
            return Say("{name} chooses a card to reveal.", name=ask.owner)
        case "taking" if play.taking:
            if not play.stashes[play.taking.loser]:
                text = N_("{loser} has no cards, so {name} takes one from the reserve.")
                return Say(text, name=play.taking.taker, loser=play.taking.loser)
            return Say("{name} takes a card from {loser}.", name=play.taking.taker, loser=play.taking.loser)
    return None


def actor(play: Play) -> Seat:
    """The one player the table is waiting for."""
    match play.phase:
        case "asking" if play.ask:
            return play.ask.owner
        case "taking" if play.taking:
            return play.taking.taker
        case "declare" | "turning" | "effect":
            return play.turn
    return NOBODY


def table_view(play: Play) -> TableView:
    count, card, verdict = play.count, play.card, play.verdict
    return TableView(
        phase=play.phase,
        dealing=count is not None and count.deal,
        failed=count is not None and count.failed,
        waiting=waiting(play),
        turn=play.turn,
        number=min(play.done + 1, CARDS_A_TURN),
        of=CARDS_A_TURN,
        learning=play.learning,
        express=play.setup.express,
        fuse=play.setup.fuse,
        reserve=piles(count.reserve if count else play.reserve),
        stashes=tuple(stash(play, seat) for seat in play.seats),
        name=card.name if card else None,
        challenger=card.challenger if card else verdict.challenger if verdict else NOBODY,
        passed=card.passed if card else (),
        thinking=card.thinking if card else (),
        turned=card.turned if card else verdict.turned if verdict else None,
        outcome=meaning(verdict) if verdict else None,
        happening=happening(play),
        told=told(play),
        winner=play.winner,
        moment=moment(play),
    )


def stash(play: Play, seat: Seat) -> Stash:
    challenger = play.card.challenger if play.card else play.verdict.challenger if play.verdict else NOBODY
    fresh = play.seen is not None and play.seen.what in ("taken", "gained", "five") and seat == play.seen.who[0]
    return Stash(
        seat,
        lying(play, seat),
        declared=seat in play.declared and not play.winner,
        plays=seat == play.turn,
        acts=seat == actor(play),
        doubts=seat == challenger,
        loses=play.taking is not None and seat == play.taking.loser,
        passed=play.phase == "challenge" and play.card is not None and seat in play.card.passed,
        thinks=play.card is not None and seat in play.card.thinking,
        fresh=fresh,
    )


def waiting(play: Play) -> tuple[Seat, ...]:
    """Who has not entered their cards yet, or who can still challenge."""
    if play.count:
        return tuple(seat for seat in play.seats if seat not in play.count.sure)
    return play.undecided() if play.phase == "challenge" else ()
