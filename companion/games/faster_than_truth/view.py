"""What everybody sees: a hidden card has a place here, and no kind."""

from __future__ import annotations

import msgspec

from companion.game import N_, Moment, Say, Seat
from companion.games.faster_than_truth.moments import moment, told
from companion.games.faster_than_truth.state import CARDS_A_TURN, KINDS, NOBODY, Kind, Phase, Play, word


class Lying(msgspec.Struct, frozen=True):
    """A card as everybody sees it: by its place, and by its kind if it lies face up."""

    place: int
    kind: Kind | None


class Stash(msgspec.Struct, frozen=True):
    seat: Seat
    cards: tuple[Lying, ...]
    declared: bool
    plays: bool
    acts: bool
    """Somebody whom the table waits for now."""
    doubts: bool
    loses: bool
    passed: bool
    fresh: bool
    """Its last card has come just now."""


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
    reserve: tuple[tuple[Kind, int], ...]
    stashes: tuple[Stash, ...]
    name: str | None
    challenger: Seat
    passed: tuple[Seat, ...]
    turned: str | None
    happening: Say | None
    told: Say | None
    """What was done last."""
    winner: Seat
    moment: Moment | None


def lying(play: Play, seat: Seat) -> tuple[Lying, ...]:
    return tuple(Lying(n, None if card.hidden else card.kind) for n, card in enumerate(play.stashes[seat], 1))


def piles(reserve: dict[Kind, int]) -> tuple[tuple[Kind, int], ...]:
    return tuple((kind, reserve[kind]) for kind in KINDS)


def happening(play: Play) -> Say | None:
    """What the table waits for, in one sentence."""
    match play.phase:
        case "first":
            return Say("Who begins?")
        case "declare":
            return Say("{name} lays a card face down and says its name.", name=play.turn)
        case "challenge":
            return Say("Is it true? Somebody may challenge.")
        case "turning":
            return Say("{name} turns the card over.", name=play.turn)
        case "effect":
            return Say("{name} does what the card says.", name=play.turn)
        case "asking" if play.ask:
            kind = word(play.ask.kind)
            if play.ask.what == "give":
                return Say(
                    "{name} chooses which {kind} to hand to {thief}.", name=play.ask.owner, kind=kind, thief=play.ask.to
                )
            texts = {
                "lose": N_("{name} chooses which {kind} to lose."),
                "hide": N_("{name} chooses a card to hide."),
                "reveal": N_("{name} chooses a card to reveal."),
            }
            return Say(texts[play.ask.what], name=play.ask.owner, kind=kind)
        case "taking" if play.taking:
            if not play.stashes[play.taking.loser]:
                text = N_("{loser} has no card to take, so {name} takes one from the reserve.")
                return Say(text, name=play.taking.taker, loser=play.taking.loser)
            return Say("{name} takes a card from {loser}.", name=play.taking.taker, loser=play.taking.loser)
    return None


def actor(play: Play) -> Seat:
    """The one person whom the table waits for."""
    match play.phase:
        case "asking" if play.ask:
            return play.ask.owner
        case "taking" if play.taking:
            return play.taking.taker
        case "declare" | "turning" | "effect":
            return play.turn
    return NOBODY


def table_view(play: Play) -> TableView:
    count, card = play.count, play.card
    return TableView(
        phase=play.phase,
        dealing=count is not None and count.deal,
        failed=count is not None and count.failed,
        waiting=waiting(play),
        turn=play.turn,
        number=min(play.done + 1, CARDS_A_TURN),
        of=CARDS_A_TURN,
        learning=play.learning,
        reserve=piles(count.reserve if count else play.reserve),
        stashes=tuple(stash(play, seat) for seat in play.seats),
        name=card.name if card else None,
        challenger=card.challenger if card else NOBODY,
        passed=card.passed if card else (),
        turned=card.turned if card else None,
        happening=happening(play),
        told=told(play),
        winner=play.winner,
        moment=moment(play),
    )


def stash(play: Play, seat: Seat) -> Stash:
    fresh = play.seen is not None and play.seen.what in ("taken", "gained", "five") and seat == play.seen.who[0]
    return Stash(
        seat,
        lying(play, seat),
        declared=seat in play.declared,
        plays=seat == play.turn,
        acts=seat == actor(play),
        doubts=play.card is not None and seat == play.card.challenger,
        loses=play.taking is not None and seat == play.taking.loser,
        passed=play.phase == "challenge" and play.card is not None and seat in play.card.passed,
        fresh=fresh,
    )


def waiting(play: Play) -> tuple[Seat, ...]:
    """Who has not entered their cards yet; or who may still challenge."""
    if play.count:
        return tuple(seat for seat in play.seats if seat not in play.count.sure)
    return play.undecided() if play.phase == "challenge" else ()
