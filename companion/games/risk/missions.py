"""Missions and Power cards: secret notes until they are played."""

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
"""The box has ten Mission cards and ten Power cards."""
CardText = Annotated[str, Meta(title=N_("What the card says"), max_length=160)]
Bonus = Annotated[int, Meta(title=N_("Members"), ge=0, le=40)]
Held = Annotated[int, Meta(title=N_("Turns"), ge=0, le=20)]


class AddMission(Tap, frozen=True, tag="AddMission"):
    text: CardText
    reward: Bonus
    turns: Annotated[int, Meta(title=N_("Turns to hold it"), ge=1, le=20)] = 1
    places: tuple[str, ...] = ()
    """The named territories it asks for. With these, the app counts the turns."""


class HoldMission(Tap, frozen=True, tag="HoldMission"):
    """You hold the mission's territories now. `turns` corrects how long you have."""

    card: CardId
    turns: Held = 0


class LoseMission(Tap, frozen=True, tag="LoseMission"):
    """You lost one of its territories, so the count starts again."""

    card: CardId


class Claim(Tap, frozen=True, tag="Claim"):
    """Show a completed mission and take its members."""

    card: CardId


class TurnPower(Tap, frozen=True, tag="TurnPower"):
    """Turn over a Power card. One that costs members is played now; you may keep any other."""

    text: CardText
    how: Literal["keep", "play"]
    members: Bonus = 0


class PlayPower(Tap, frozen=True, tag="PlayPower"):
    """Play a Power card that you have kept."""

    card: CardId
    members: Bonus = 0


class Unturned(Tap, frozen=True, tag="Unturned"):
    """Correct how many of your Power cards are face down."""

    cards: Annotated[int, Meta(title=N_("Cards"), ge=0, le=10)]


# -------------------------------------------------------------------------------- checks


def typed(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise NotAllowed("Type a few words from the card.")
    return text


def the_mission(state: Underworld, seat: Seat, card: int) -> Mission:
    for mission in hand(state, seat).missions:
        if mission.id == card:
            return mission
    raise NotAllowed("You don't have that card.")


def needs_placing(state: Underworld, seat: Seat) -> None:
    needs_play(state)
    if state.current.seat != seat or state.current.step != "place":
        raise NotAllowed("You can only do that in the first step of your own turn.")


# -------------------------------------------------------------------------------- missions


def add_mission(state: Underworld, seat: Seat, tap: AddMission, dice: Dice) -> Step:
    notes = notebook(state, seat)
    if len(notes.missions) >= MOST_NOTES:
        raise NotAllowed("There are only ten Mission cards. Remove one first.")
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
    """A mission is claimed once, at the start of a turn, after it was held long enough."""
    needs_placing(state, seat)
    mission = the_mission(state, seat, tap.card)
    held = held_for(state, seat, mission) or 0
    if held < mission.turns:
        # Translators: {n} is how many turns the mission asks for
        words = SayN(
            "You have held it for {held} of {n} turn so far.", "You have held it for {held} of {n} turns so far.",
            n=mission.turns, held=held,
        )  # fmt: skip
        raise NotAllowed(words)
    # Translators: {text} is what the Mission card says
    after = state.play(seat, mission.id).recruit(Say("Mission: {text}", text=mission.text), mission.reward)
    after = after.happens("mission", seat=seat, text=mission.text, members=mission.reward)
    line = SayN(
        "{name} completes a mission for {n} member: {text}",
        "{name} completes a mission for {n} members: {text}",
        n=mission.reward, name=seat, text=mission.text,
    )  # fmt: skip
    return Step(after, line)


# -------------------------------------------------------------------------------- powers


def turn_power(state: Underworld, seat: Seat, tap: TurnPower, dice: Dice) -> Step:
    """One card each turn. Nobody else learns what a kept card says."""
    needs_placing(state, seat)
    notes = notebook(state, seat)
    if notes.turned == len(state.chart):
        raise NotAllowed("You have already turned over a Power card this turn.")
    if not notes.unturned:
        raise NotAllowed("You have no Power card left to turn over.")
    card = Power(notes.written + 1, typed(tap.text))
    notes = notes.write(powers=(*notes.powers, card), unturned=notes.unturned - 1, turned=len(state.chart))
    if tap.how == "keep":
        return noted(state, seat, notes)
    return power_played(state.with_notebook(seat, notes), seat, card, tap.members)


def power_played(state: Underworld, seat: Seat, card: Power, members: int) -> Step:
    after = state.play(seat, card.id)
    if members:
        if state.current.seat != seat:
            raise NotAllowed("You only get new members during your own turn. Type 0.")
        # Translators: {text} is what the Power card says
        after = after.recruit(Say("Power card: {text}", text=card.text), members)
    after = after.happens("power", seat=seat, text=card.text, members=members)
    return Step(after, Say("{name} plays a Power card: {text}", name=seat, text=card.text))


def play_power(state: Underworld, seat: Seat, tap: PlayPower, dice: Dice) -> Step:
    """A card that was turned over and kept can be played at any time."""
    needs_play(state)
    for card in hand(state, seat).powers:
        if card.id == tap.card:
            return power_played(state, seat, card, tap.members)
    raise NotAllowed("You don't have that card.")


def unturned(state: Underworld, seat: Seat, tap: Unturned, dice: Dice) -> Step:
    """Correct the number; the player may also turn over a card again this turn."""
    return noted(state, seat, notebook(state, seat).write(unturned=tap.cards, turned=0))
