"""Missions and Power cards: noted in secret, told when they are played."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.game import N_, Dice, NotAllowed, Say, SayN, Seat, Step, Tap
from companion.games.risk.cards import CardId, hand, held_for, notebook, noted
from companion.games.risk.ground import place_called
from companion.games.risk.notebook import Mission, Notebook, Power
from companion.games.risk.state import Underworld, replace
from companion.games.risk.turn import needs_play

MOST_NOTES = 10
"""There are ten Mission and ten Power cards."""
CardText = Annotated[str, Meta(title=N_("What the card says"), max_length=160)]
Bonus = Annotated[int, Meta(title=N_("Members"), ge=0, le=40)]
Held = Annotated[int, Meta(title=N_("Turns"), ge=0, le=20)]


class AddMission(Tap, frozen=True, tag="AddMission"):
    text: CardText
    reward: Bonus
    turns: Annotated[int, Meta(title=N_("Turns to hold it"), ge=1, le=20)] = 1
    places: tuple[str, ...] = ()
    """The named territories it asks for: then nobody has to say when it holds."""


class HoldMission(Tap, frozen=True, tag="HoldMission"):
    """The mission's territories are yours; `turns` corrects how long they have been."""

    card: CardId
    turns: Held = 0


class LoseMission(Tap, frozen=True, tag="LoseMission"):
    """One of them is lost: counting starts again."""

    card: CardId


class Claim(Tap, frozen=True, tag="Claim"):
    """Show a finished mission and take its members."""

    card: CardId


class TurnPower(Tap, frozen=True, tag="TurnPower"):
    """Turn over a Power card: one that costs members is played at once, others may be kept for later."""

    text: CardText
    how: Literal["keep", "play"]
    members: Bonus = 0


class PlayPower(Tap, frozen=True, tag="PlayPower"):
    """Play a Power card that you have kept."""

    card: CardId
    members: Bonus = 0


class Unturned(Tap, frozen=True, tag="Unturned"):
    """How many of your Power cards lie face down."""

    cards: Annotated[int, Meta(title=N_("Cards"), ge=0, le=10)]


# -------------------------------------------------------------------------------- what all of them need


def typed(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise NotAllowed("Type a few words from the card.")
    return text


def the_mission(state: Underworld, seat: Seat, card: int) -> Mission:
    for mission in hand(state, seat).missions:
        if mission.id == card:
            return mission
    raise NotAllowed("You do not have that card.")


def needs_placing(state: Underworld, seat: Seat) -> None:
    needs_play(state)
    if state.current.seat != seat or state.current.step != "place":
        raise NotAllowed("That belongs to the first step of your own turn.")


# -------------------------------------------------------------------------------- missions


def add_mission(state: Underworld, seat: Seat, tap: AddMission, dice: Dice) -> Step:
    notes = notebook(state, seat)
    if len(notes.missions) >= MOST_NOTES:
        raise NotAllowed("There are only ten Mission cards.")
    places = tuple(place_called(state, name).name for name in dict.fromkeys(tap.places))
    card = Mission(notes.written + 1, typed(tap.text), tap.reward, tap.turns, places=places)
    return noted(state, seat, notes.write(missions=(*notes.missions, card)))


def with_mission(notes: Notebook, changed: Mission) -> Notebook:
    return notes.write(missions=tuple(changed if card.id == changed.id else card for card in notes.missions))


def hold_mission(state: Underworld, seat: Seat, tap: HoldMission, dice: Dice) -> Step:
    mission = replace(the_mission(state, seat, tap.card), since=state.turns.get(seat, 0) - tap.turns)
    return noted(state, seat, with_mission(notebook(state, seat), mission))


def lose_mission(state: Underworld, seat: Seat, tap: LoseMission, dice: Dice) -> Step:
    mission = replace(the_mission(state, seat, tap.card), since=None)
    return noted(state, seat, with_mission(notebook(state, seat), mission))


def claim(state: Underworld, seat: Seat, tap: Claim, dice: Dice) -> Step:
    """At the start of a turn, once, when it has been held long enough."""
    needs_placing(state, seat)
    mission = the_mission(state, seat, tap.card)
    held = held_for(state, seat, mission) or 0
    if held < mission.turns:
        raise NotAllowed("Held for {held} of {turns} turns so far.", held=held, turns=mission.turns)
    after = state.play(seat, mission.id).recruit(Say("Mission: {text}", text=mission.text), mission.reward)
    after = after.happens("mission", seat=seat, text=mission.text, members=mission.reward)
    line = SayN(
        "{name} finishes a mission for {n} member: {text}",
        "{name} finishes a mission for {n} members: {text}",
        n=mission.reward, name=seat, text=mission.text,
    )  # fmt: skip
    return Step(after, line)


# -------------------------------------------------------------------------------- powers


def turn_power(state: Underworld, seat: Seat, tap: TurnPower, dice: Dice) -> Step:
    """One a turn. Only now is it read; a card that is kept is known to nobody else."""
    needs_placing(state, seat)
    notes = notebook(state, seat)
    if notes.turned == len(state.chart):
        raise NotAllowed("You have turned over a Power card in this turn.")
    if not notes.unturned:
        raise NotAllowed("None of your Power cards lies face down.")
    card = Power(notes.written + 1, typed(tap.text))
    notes = notes.write(powers=(*notes.powers, card), unturned=notes.unturned - 1, turned=len(state.chart))
    if tap.how == "keep":
        return noted(state, seat, notes)
    return power_played(state.with_notebook(seat, notes), seat, card, tap.members)


def power_played(state: Underworld, seat: Seat, card: Power, members: int) -> Step:
    after = state.play(seat, card.id)
    if members:
        if state.current.seat != seat:
            raise NotAllowed("New members come during your own turn.")
        after = after.recruit(Say("Power: {text}", text=card.text), members)
    after = after.happens("power", seat=seat, text=card.text, members=members)
    return Step(after, Say("{name} plays a Power card: {text}", name=seat, text=card.text))


def play_power(state: Underworld, seat: Seat, tap: PlayPower, dice: Dice) -> Step:
    """At any time, once it has been turned over and kept."""
    needs_play(state)
    for card in hand(state, seat).powers:
        if card.id == tap.card:
            return power_played(state, seat, card, tap.members)
    raise NotAllowed("You do not have that card.")


def unturned(state: Underworld, seat: Seat, tap: Unturned, dice: Dice) -> Step:
    """A correction: then the card that was turned over by mistake does not count, either."""
    return noted(state, seat, notebook(state, seat).write(unturned=tap.cards, turned=0))
