"""companion new-game: writes a small game that works at once, to be changed into one's own."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path

from companion.games import all_games

FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "companion-NAME"
version = "0.1"
dependencies = ["companion-table"]

[project.entry-points."companion.games"]
NAME = "NAME:GAME"

[tool.hatch.build.targets.wheel]
packages = ["NAME"]
""",
    "NAME/__init__.py": '''\
"""TITLE: the table of contents."""

from pathlib import Path

from companion.game import N_, Game

from NAME import rules, view

GAME = Game(
    name="NAME",
    title=N_("TITLE"),
    about=N_("Say in one line what the companion does for this game."),
    players=(2, 6),
    setup=rules.Setup,
    state=rules.Race,
    start=rules.start,
    rules=rules.RULES,
    table_view=view.table_view,
    seat_view=view.seat_view,
    screen_view=view.screen_view,
    result=rules.result,
    feats=rules.feats,
    home=Path(__file__).parent,
)
''',
    "NAME/rules.py": '''\
"""The rules: a race to so many steps. Replace it by your own."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.game import N_, Dice, Feat, NotAllowed, Result, Rule, Say, Seat, States, Step, Tap, most


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked before the table opens."""

    goal: Annotated[int, Meta(title=N_("Steps to the goal"), ge=1, le=50)] = 10


class Race(msgspec.Struct, frozen=True):
    """The state. It is never changed: a rule returns a new one."""

    setup: Setup
    seats: tuple[Seat, ...]
    steps: dict[Seat, int]
    turn: Seat

    def winner(self) -> Seat | None:
        return next((seat for seat in self.seats if self.steps[seat] >= self.setup.goal), None)


class Move(Tap, frozen=True, tag="Move"):
    """Roll the die and move. The fields of a tap are the fields of its form; this one has none."""


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    return Step(Race(setup, seats, dict.fromkeys(seats, 0), seats[0]))


def move(race: Race, seat: Seat, tap: Move, dice: Dice) -> Step:
    if race.winner() is not None:
        raise NotAllowed("The race is over.")
    if seat != race.turn:
        raise NotAllowed("It is the turn of {name}.", name=race.turn)
    rolled = dice.roll()
    following = race.seats[(race.seats.index(seat) + 1) % len(race.seats)]
    after = msgspec.structs.replace(race, steps={**race.steps, seat: race.steps[seat] + rolled}, turn=following)
    return Step(after, Say("{name} rolls a {n}.", name=seat, n=rolled))


def result(race: Race) -> Result | None:
    winner = race.winner()
    return None if winner is None else Result((winner,), race.steps)


def feats(states: States) -> tuple[Feat, ...]:
    """What was remarkable, from the states in their order. Everybody will read it."""
    best = {
        seat: max((later.steps[seat] - earlier.steps[seat] for earlier, later in pairwise(states)), default=0)
        for seat in states[-1].seats
    }
    return most(Say("Longest leap"), best)


RULES: dict[type[Tap], Rule] = {Move: move}
''',
    "NAME/view.py": '''\
"""What each screen may see. A template gets a view, never the state: what is not in it cannot leak."""

from __future__ import annotations

import msgspec

from companion.game import Seat

from NAME.rules import Race


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    steps: tuple[tuple[Seat, int], ...]
    goal: int
    turn: Seat
    winner: Seat | None


class SeatView(msgspec.Struct, frozen=True):
    """What one player sees and may tap."""

    steps: int
    my_turn: bool
    over: bool


class ScreenView(msgspec.Struct, frozen=True):
    """What the shared screen may tap for the table: nothing here."""


def table_view(race: Race) -> TableView:
    return TableView(tuple(race.steps.items()), race.setup.goal, race.turn, race.winner())


def seat_view(race: Race, seat: Seat) -> SeatView:
    over = race.winner() is not None
    return SeatView(race.steps[seat], seat == race.turn and not over, over)


def screen_view(race: Race) -> ScreenView:
    return ScreenView()
''',
    "NAME/templates/NAME/table.html": """\
{% if view.winner %}
<h2 class="verdict">{{ _('%(name)s wins', name=names[view.winner]) }}</h2>
{% else %}
<h2>{{ _('%(name)s is next', name=names[view.turn]) }}</h2>
<p class="quiet">{{ _('The goal is at %(n)s steps.', n=view.goal) }}</p>
{% endif %}
<ol class="standings">
  {% for seat, steps in view.steps %}
  <li>{{ chip(person_at[seat]) }} <span class="total">{{ steps }}</span></li>
  {% endfor %}
</ol>
""",
    "NAME/templates/NAME/seat.html": """\
<div class="card lead">
{% if view.my_turn %}
{{ button(me, 'Move', _('Roll and move'), class='primary') }}
{% else %}
<h2 class="big">{{ _('You have made %(n)s steps', n=view.steps) }}</h2>
{% if not view.over %}<p class="quiet">{{ _('Wait for your turn.') }}</p>{% endif %}
{% endif %}
</div>
""",
    "NAME/templates/NAME/screen.html": """\
{# Whatever the shared screen may tap for the table; nothing here. #}
""",
    "NAME/templates/NAME/help.html": """\
<p>{{ _('Everybody rolls in turn on their own phone. Whoever reaches the goal first wins.') }}</p>
""",
    "tests/test_NAME.py": '''\
"""The rules of TITLE. What every game must do is tested by Companion's own tests/test_every_game.py -k NAME."""

import random

import pytest
from companion.game import Dice, NotAllowed, Seat

from NAME import rules

ANN, BEN = Seat(1), Seat(2)


@pytest.fixture
def race() -> rules.Race:
    return rules.start(rules.Setup(goal=3), (ANN, BEN), Dice()).state


def test_players_move_in_turn(race):
    with pytest.raises(NotAllowed):
        rules.move(race, BEN, rules.Move(), Dice())
    after = rules.move(race, ANN, rules.Move(), Dice(random.Random(1))).state
    assert after.steps[ANN] > 0
    assert after.turn == BEN


def test_whoever_reaches_the_goal_wins(race):
    while rules.result(race) is None:
        race = rules.move(race, race.turn, rules.Move(), Dice()).state
    assert race.steps[rules.result(race).winners[0]] >= 3
''',
}


def write(name: str, into: Path) -> None:
    """Write the game into a folder of its own, and say what to do next."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", name) or keyword.iskeyword(name):
        raise SystemExit("A game's name begins with a letter and has small letters, digits, underscores: dragon_race.")
    home = into / name
    if home.exists():
        raise SystemExit(f"{home} is there already.")
    if importlib.util.find_spec(name) is not None or name in all_games():
        raise SystemExit(f"Something else is called {name} already. Choose another name.")
    title = name.replace("_", " ").capitalize()
    for path, text in FILES.items():
        file = home / path.replace("NAME", name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("NAME", name).replace("TITLE", title), encoding="utf-8")
    print(f"{home} is a game. Try it:\n")
    print(f"  pip install -e {home}")
    print(f"  pytest {home}")
    print("  companion play\n")
    print("Then change rules.py, view.py and the templates into your own game. CONTRIBUTING.md explains each of them.")
