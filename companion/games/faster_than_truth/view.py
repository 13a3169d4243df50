"""What a screen of Faster Than Truth shows: a hidden card has a kind only in the view of its owner."""

from __future__ import annotations

from companion.engine.game import N_, Say, Seat
from companion.games.faster_than_truth.pieces import CARDS_A_TURN, KINDS, NOBODY, Kind, word
from companion.games.faster_than_truth.shown import Corrections, Lying, Mine, ScreenView, SeatView, Stash, TableView
from companion.games.faster_than_truth.state import Play

SPARE = 6
"""So many more places than the app knows of are offered when a stash is entered anew."""


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


def corrections(play: Play) -> Corrections:
    return Corrections(
        open=play.phase not in ("counting", "over"),
        seats=play.seats,
        face_up=tuple((seat, card) for seat in play.seats for card in lying(play, seat) if card.kind is not None),
        reserve=piles(play.reserve),
        learning=play.learning,
        may_learn=play.phase in ("counting", "first", "declare"),
        counting=play.count is not None and not play.count.deal,
    )


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


def job(play: Play, seat: Seat) -> str:
    """The one thing for this seat to do now."""
    match play.phase:
        case "counting" if play.count:
            return "entered" if seat in play.count.sure else "look_again" if seat in play.count.entries else "enter"
        case "first" | "over":
            return play.phase
        case "challenge" if seat != play.turn:
            if seat not in play.may_challenge():
                return "cannot_challenge"
            return "passed" if seat in play.in_play.passed else "challenge"
        case "challenge":
            return "doubted"
        case "asking" if play.ask and seat == play.ask.owner:
            return "pick"
        case "taking" if play.taking and seat == play.taking.taker:
            return "take"
        case "taking" if play.taking and seat == play.taking.loser:
            return "hand_over"
        case "declare" | "turning" | "effect" if seat == play.turn:
            return play.phase
    return "wait"


def mine(play: Play, seat: Seat) -> tuple[Mine, ...]:
    cards = play.stashes[seat]
    if play.count and seat in play.count.entries:
        cards = play.count.entries[seat]
    ask = play.ask if play.ask and play.ask.owner == seat else None
    return tuple(
        Mine(
            n,
            card.kind,
            card.hidden,
            # A hidden card looks as if it could be chosen, whatever it is: a glance at this phone tells nothing.
            fits=ask is None
            or (card.hidden and ask.what != "hide")
            or (not card.hidden and (ask.what == "hide" or card.kind == ask.kind)),
        )
        for n, card in enumerate(cards, 1)
    )


def seat_view(play: Play, seat: Seat) -> SeatView:
    count, card, taking = play.count, play.card, play.taking
    return SeatView(
        phase=play.phase,
        job=job(play, seat),
        mine=mine(play, seat),
        declared=seat in play.declared,
        turn=play.turn,
        number=min(play.done + 1, CARDS_A_TURN),
        of=CARDS_A_TURN,
        learning=play.learning,
        dealing=count is not None and count.deal,
        failed=count is not None and count.failed,
        entered=count is not None and seat in count.entries,
        places=len(play.stashes[seat]) + SPARE,
        names=play.names,
        name=card.name if card else None,
        challenger=card.challenger if card else NOBODY,
        rivals=play.rivals(seat),
        happening=happening(play),
        asked=play.ask.what if play.ask else None,
        wanted=play.ask.kind if play.ask else None,
        did=card.did if card else (),
        taker=taking.taker if taking else None,
        loser=taking.loser if taking else None,
        theirs=lying(play, taking.loser) if taking else (),
        reserve=piles(play.reserve),
        undo_ask=play.phase == "asking" and seat == play.turn,
        turned=card.turned if card else None,
        winner=play.winner,
        corrections=corrections(play),
    )


def screen_view(play: Play) -> ScreenView:
    return ScreenView(
        phase=play.phase,
        seats=play.seats,
        turn=play.turn,
        may_challenge=play.may_challenge(),
        passed=play.card.passed if play.card else (),
        name=play.card.name if play.card else None,
        undo_ask=play.phase == "asking",
        corrections=corrections(play),
    )


def choosing(play: Play) -> tuple[Seat, ...]:
    """Who has to choose now; a challenge can be tapped on the shared screen itself."""
    if play.phase == "challenge":
        return ()
    busy = ("enter", "look_again", "declare", "turning", "effect", "pick", "take")
    return tuple(seat for seat in play.seats if job(play, seat) in busy)
