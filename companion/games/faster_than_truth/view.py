"""What everybody sees: a hidden card has a place here, and no kind."""

from __future__ import annotations

import msgspec

from companion.game import N_, Say, Seat
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
    winner: Seat


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
            return Say("{name} takes a card from {loser}.", name=play.taking.taker, loser=play.taking.loser)
    return None


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
        stashes=tuple(
            Stash(seat, lying(play, seat), seat in play.declared, seat == play.turn) for seat in play.seats
        ),
        name=card.name if card else None,
        challenger=card.challenger if card else NOBODY,
        passed=card.passed if card else (),
        turned=card.turned if card else None,
        happening=happening(play),
        winner=play.winner,
    )  # fmt: skip


def waiting(play: Play) -> tuple[Seat, ...]:
    """Who has not entered their cards yet; or who may still challenge."""
    if play.count:
        return tuple(seat for seat in play.seats if seat not in play.count.sure)
    return play.undecided() if play.phase == "challenge" else ()
