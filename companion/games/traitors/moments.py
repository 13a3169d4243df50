"""The moments that the stage plays, and the question that it shows before the answer. All of it is public."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from companion.game import Moment, Say, SayN, Seat, listed
from companion.games.traitors.state import (
    Ending,
    EndVote,
    Evening,
    Fallen,
    Marked,
    Murder,
    Out,
    Playing,
    Revealing,
    Scored,
    Talk,
    Tied,
    Vote,
)


class Staged(NamedTuple):
    """A moment, and the question on screen while everybody waits for it."""

    moment: Moment | None = None
    ask: Say | None = None


class Pace(NamedTuple):
    """Seconds of darkness, of suspense, and for the answer to appear."""

    curtain: float
    hold: float
    reveal: float


EVENT = Pace(0.7, 1.9, 1.4)
CHOSEN = Pace(0.8, 2.6, 1.6)
SHIELD = Pace(0.5, 1.7, 1.4)
ROLE = Pace(0.6, 2.4, 1.4)
AGREED = Pace(0.6, 1.8, 1.2)
SURVIVOR = Pace(0.4, 1.6, 1.2)
SHARED = Pace(0.5, 1.4, 3.0)
WINNER = Pace(0.6, 1.8, 3.6)
BEGINS = Pace(0.5, 0, 1.4)
GOLD = Pace(0, 0, 0.9)
PROPOSAL = Pace(0, 0, 1.2)
# The stage stays lit while votes are revealed. The deciding vote takes longer.
CAST = Pace(0, 0, 1.0)
VOTE = Pace(0, 0.5, 0.9)
DECIDING = Pace(0, 2.4, 1.6)
LAST = Pace(0, 0.7, 1.4)


def made(
    kind: str,
    n: int | str,
    pace: Pace,
    headline: Say,
    *who: Seat,
    ask: Say | None = None,
    figures: tuple[int, ...] = (),
) -> Staged:
    return Staged(Moment(kind, n, who, figures, headline, pace.curtain, pace.hold, pace.reveal), ask)


def staged(evening: Evening) -> Staged:
    """Return the moment for this state. It stays the same until something new happens."""
    match evening.scene:
        case Playing() as playing:
            return between(evening, playing)
        case Murder(drawer=drawer):
            return made("murder", evening.drawn, EVENT, Say("MURDER"), drawer, ask=drew(drawer))
        case Talk(drawer=drawer, final=True):
            ask = Say("{name} draws the last card of the deck…", name=drawer)
            return made("final", evening.drawn, EVENT, Say("FINAL BANISHMENT"), drawer, ask=ask)
        case Talk(drawer=drawer):
            return made("banishment", evening.drawn, EVENT, Say("BANISHMENT"), drawer, ask=drew(drawer))
        case Marked(victim=victim):
            headline = Say("The Traitors have chosen {name}.", name=victim)
            return made("marked", evening.drawn, CHOSEN, headline, victim, ask=CHOICE)
        case Revealing() | Tied():
            return turned(evening, evening.scene)
        case Fallen(how="banished") as fallen:
            return banished(evening, fallen)
        case Fallen(seat=seat):
            headline = Say("{name} is murdered.", name=seat)
            return made("murdered", evening.drawn, SHIELD, headline, seat, ask=shield(seat))
        case EndVote(proposer=proposer, ballot=ballot) if proposer is not None:
            headline = Say("{name} proposes to end the round.", name=proposer)
            return made("proposal", f"{evening.number}.{evening.drawn}.{ballot}", PROPOSAL, headline, proposer)
        case EndVote():
            return role(evening, evening.out[-1]) if evening.out else Staged()
        case Ending() as ending:
            return over(evening, ending)
        case Scored():
            return scored(evening)
        case _:
            return Staged()


# Translators: the next screen shows the name, or that nobody was murdered.
CHOICE = Say("And the Traitors have chosen…")
AGREE = Say("Are all Traitors gone?")


def drew(seat: Seat) -> Say:
    return Say("{name} draws an Event card…", name=seat)


def shield(seat: Seat) -> Say:
    return Say("Does {name} play a Shield?", name=seat)


def between(evening: Evening, playing: Playing) -> Staged:
    """How the last event ended, or the Gold that somebody has added since."""
    n, drawer, who = evening.drawn, playing.draws, playing.who
    if playing.additions:
        headline = SayN("{n} Gold in the prize fund", "{n} Gold in the prize fund", n=evening.fund)
        figures = (evening.fund - playing.added, evening.fund)
        return made("gold", f"{evening.number}.{n}.{playing.additions}", GOLD, headline, figures=figures)
    match playing.ended:
        case "quiet" if drawer is not None:
            return made("quiet", n, EVENT, Say("QUIET NIGHT"), drawer, ask=drew(drawer))
        case "nobody":
            return made("nobody", n, CHOSEN, Say("Nobody was murdered"), ask=CHOICE)
        case "shield" if who is not None:
            return made("shield", n, SHIELD, Say("{name} lives.", name=who), who, ask=shield(who))
        case "murdered" | "banished" if evening.out:
            return role(evening, evening.out[-1])
        case "played on":
            vote = f"{evening.number}.{n}.{len(playing.proposed)}"
            return made("goes-on", vote, AGREED, Say("The round goes on"), ask=AGREE)
        case "":
            return made("round", evening.number, BEGINS, Say("Trust no one"))
        case _:
            return Staged()


def role(evening: Evening, out: Out) -> Staged:
    """Eve was… FAITHFUL."""
    headline = Say("{name} was a Traitor.", name=out.seat)
    if out.role == "faithful":
        headline = Say("{name} was a Faithful.", name=out.seat)
    n = f"{evening.number}.{evening.drawn}.{out.seat}"
    # Translators: the next screen shows TRAITOR or FAITHFUL in large letters.
    ask = Say("{name} was…", name=out.seat)
    return made(out.role or "out", n, ROLE, headline, out.seat, ask=ask)


# -------------------------------------------------------------------------------- votes


def decided(votes: tuple[Vote, ...], hidden: int) -> bool:
    """Whether the votes still face down can no longer change who has the most."""
    most = [n for _, n in Counter(vote.target for vote in votes).most_common(2)]
    return bool(most) and most[0] - (most[1] if len(most) > 1 else 0) > hidden


def turned(evening: Evening, scene: Revealing | Tied) -> Staged:
    """The vote that was revealed last."""
    if isinstance(scene, Tied):
        n = f"{evening.drawn}.{scene.ballot}"
        return made("tied", n, DECIDING, Say("The vote is tied."), *scene.tied)
    shown, hidden = scene.cast[: scene.shown], len(scene.cast) - scene.shown
    n = f"{evening.drawn}.{scene.ballot}.{scene.shown}"
    if not shown:
        return made("cast", n, CAST, Say("All votes are cast."))
    voter, target = shown[-1].voter, shown[-1].target
    headline = Say("{name} votes for {target}.", name=voter, target=target)
    if decided(shown, hidden) and not decided(shown[:-1], hidden + 1):
        return made("deciding", n, DECIDING, headline, target)
    return made("vote", n, VOTE, headline, target)


def banished(evening: Evening, fallen: Fallen) -> Staged:
    """The last vote is revealed. If it decides the result, the stage keeps everybody waiting."""
    headline = Say("{name} is banished.", name=fallen.seat)
    n = f"{evening.drawn}.{evening.number}"
    if decided(fallen.votes[:-1], 1):
        return made("banished", n, LAST, headline, fallen.seat)
    return made("deciding", n, DECIDING, headline, fallen.seat)


# -------------------------------------------------------------------------------- the end of a round


def over(evening: Evening, ending: Ending) -> Staged:
    """The last player out shows their role, then the survivors do, one by one."""
    if ending.hands:
        hand = ending.hands[-1]
        n = f"{evening.number}.{len(ending.hands)}"
        # Translators: the next screen shows TRAITOR or FAITHFUL in large letters.
        ask = Say("{name} is…", name=hand.seat)
        if hand.role == "traitor":
            return made("traitor", n, SURVIVOR, Say("{name} is a Traitor.", name=hand.seat), hand.seat, ask=ask)
        return made("survivor", n, SURVIVOR, Say("{name} is a Faithful.", name=hand.seat), hand.seat, ask=ask)
    if ending.why in ("two left", "final") and evening.out and evening.out[-1].role:
        return role(evening, evening.out[-1])
    agreed = ending.why == "agreed"
    over = Say("The round is over")
    return made("ending", evening.number, AGREED if agreed else BEGINS, over, ask=AGREE if agreed else None)


def scored(evening: Evening) -> Staged:
    """The prize fund pours out for the players who get it."""
    share = evening.shares[-1]
    if not evening.over:
        headline = Say("The prize fund goes to {names}.", names=listed(share.sharers))
        # Translators: the next screen shows the names.
        ask = Say("The prize fund goes to…")
        return made("fund", evening.number, SHARED, headline, *share.sharers, ask=ask, figures=(0, share.fund))
    winners = evening.winners()
    total = evening.total(winners[0])
    # Translators: always two names or more.
    headline = Say("{names} win.", names=listed(winners))
    if len(winners) == 1:
        headline = Say("{name} wins.", name=winners[0])
    figures = (total - share.points.get(winners[0], 0), total)
    ask = Say("And the winner is…")
    return made("winner", evening.number, WINNER, headline, *winners, ask=ask, figures=figures)
