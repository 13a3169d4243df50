"""After a reveal no single answer is left in memory, in the file or in the log."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from here import ROOT
from test_traitors_ballots import BEN, is_burnt
from traitors_http_talk import in_murder, opened
from traitors_talk import GAME
from traitors_twin_tables import Side

from companion.engine.links import WATCHER
from companion.engine.room_rules import AddPerson, MarkAway, Start
from companion.engine.store import Version
from companion.engine.tables import Tables
from companion.game import TABLE, Seat, Tap
from companion.games.traitors.agreement import Wish
from companion.games.traitors.banishment import CastVote, OpenVote, RevealVote
from companion.games.traitors.events import CallOff, DrawEvent, Ready, RestartVote
from companion.games.traitors.murder import Answer, Fall, RevealMurder
from companion.games.traitors.setup import Setup
from companion.games.traitors.state import EndVote, Evening, Murder, Revealing, Voting
from companion.storage.sqlite import SqliteStore
from companion.testing import NAMES, tables_of

# -------------------------------------------------------------------------------- in memory

SECRET = (Answer, CastVote, Wish, Murder, Voting, Revealing, EndVote)


def remains() -> list[object]:
    """Return every answer still in this process, and every state or row that contains one."""
    gc.collect()
    found = []
    for thing in gc.get_objects():
        kind = type(thing)
        if kind in SECRET or (
            kind is Version and any(word in (thing.state or b"") for word in (b'"mark"', b'"cast"', b'"wish"'))
        ):
            found.append(thing)
    return found


@pytest.fixture
def side(tmp_path: Path) -> Iterator[Side]:
    side = Side(tmp_path, GAME)
    yield side
    side.leaves()
    side.tables.store.close()


def sit_down(side: Side, event: str) -> None:
    """A table of four people with phones and one without, with all streams open."""
    mix = {"murders": 0, "banishments": 0, "quiet_nights": 0} | {event: 1}
    table = side.tables.open(GAME, Setup(timer="0", **mix)).id
    for name in NAMES[:4]:
        side.tables.sit(table, name)
    side.tables.act(table, TABLE, AddPerson("Eve"))
    side.sits_down(table, 1)
    everybody_looks(side)
    for tap in (Start(), Ready()):
        assert side.taps(TABLE, tap).status_code == 200
    assert side.taps(2, DrawEvent()).status_code == 200


def everybody_looks(side: Side) -> None:
    side.shows((WATCHER, TABLE, 1, 2, 3, 4))


def votes(side: Side, *taps: Tap) -> None:
    for seat, tap in enumerate(taps, 1):
        assert side.taps(seat, tap).status_code == 200
        everybody_looks(side)


def murder(side: Side) -> None:
    sit_down(side, "murders")
    votes(side, *(Answer(choice) for choice in "FF4FF"))  # type: ignore[arg-type]


def last_vote(side: Side) -> None:
    sit_down(side, "banishments")
    side.taps(2, OpenVote())
    votes(side, *(CastVote(choice) for choice in "44424"))  # type: ignore[arg-type]
    for seat in (1, 2, 3, 4):
        assert side.taps(seat, RevealVote()).status_code == 200
    everybody_looks(side)


def last_wish(side: Side) -> None:
    last_vote(side)
    side.taps(TABLE, RevealVote())
    assert side.taps(4, Fall(1, "traitor")).status_code == 200
    votes(side, *(Wish(choice) for choice in "EPE"))  # type: ignore[arg-type]


REVEALS: dict[str, tuple[Callable[[Side], None], int, Tap]] = {
    "MURDER REVEAL": (murder, 2, RevealMurder()),
    "the last REVEAL VOTE": (last_vote, TABLE, RevealVote()),
    "the last wish": (last_wish, 5, Wish("E")),
    "somebody is away": (last_wish, TABLE, MarkAway(Seat(5))),
    "called off": (murder, TABLE, CallOff()),
}


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts on", "scripts off"])
@pytest.mark.parametrize("how", REVEALS)
def test_no_answer_is_left_in_the_memory_of_a_companion(side: Side, how: str, scripts: bool):
    until, seat, tap = REVEALS[how]
    before = remains()
    until(side)
    assert len(remains()) > len(before)
    assert side.taps(seat, tap, scripts=scripts).status_code in (200, 303)
    left = [thing for thing in remains() if not any(thing is known for known in before)]
    assert not left
    # Reading the pages now does not bring an answer back.
    everybody_looks(side)
    assert len(remains()) <= len(before)


def test_a_restarted_vote_keeps_nothing_but_the_empty_box(side: Side):
    before = remains()
    murder(side)
    assert side.taps(TABLE, RestartVote()).status_code == 200
    left = [thing for thing in remains() if not any(thing is known for known in before)]
    assert [thing.mark for thing in left] == ["F"]  # type: ignore[attr-defined]
    assert [thing.answered for thing in left] == [()]  # type: ignore[attr-defined]


# -------------------------------------------------------------------------------- in the log and in the history


def test_the_log_is_silent_about_answers_and_reveals(own_house):
    table = in_murder(own_house)
    before = own_house.log.read_bytes()
    for name, choice in zip(NAMES[:5], "FF4FF", strict=True):
        table[name].presses("DONE", choice=choice)
    assert table["Cleo"].taps("Answer", choice="5").status == 422
    assert table["Cleo"].taps("Answer", choice="nonsense").status == 422
    assert table["Ben"].presses("MURDER REVEAL").status == 200
    assert own_house.log.read_bytes() == before


def test_the_history_says_that_everybody_answered_and_never_what(house):
    lines = []
    for choices in ("FF4FF", "F4FFF", "4F1FF"):
        table = in_murder(house)
        for name, choice in zip(NAMES[:5], choices, strict=True):
            table[name].presses("DONE", choice=choice)
        table["Ben"].presses("MURDER REVEAL")
        lines.append([table.shared.reads("history").text.replace(table.code, ""), *map(Reader(table), NAMES[:5])])
    assert "Everybody has answered." in lines[0][0]
    assert [[clockless(text) for text in one] for one in lines] == [[clockless(text) for text in lines[0]]] * 3


class Reader:
    """Read the history page of each seat."""

    def __init__(self, table) -> None:
        self.table = table

    def __call__(self, name: str) -> str:
        return self.table[name].reads("history").text


def clockless(text: str) -> str:
    """Remove the times of day."""
    return " ".join(word for word in text.split() if not word.replace(":", "").isdigit())


def test_nothing_of_a_vote_on_ending_is_left_in_the_file(own_house):
    table = opened(own_house, "banishment", 4)
    table["Ann"].presses("EVENT")
    table["Ann"].presses("Vote now")
    for name in NAMES[:4]:
        table[name].presses("CAST VOTE", choice="4")
    for name in NAMES[:4]:
        table[name].presses("REVEAL VOTE")
    table["Dan"].presses("Traitor", gold=0)
    table["Ann"].presses("DONE", choice="P")
    assert own_house.can_read(table)
    for name in ("Ben", "Cleo"):
        table[name].presses("DONE", choice="E")
    assert not own_house.can_read(table)


# -------------------------------------------------------------------------------- killed in the middle

KILLED = """
import os, signal, sys
sys.path[:0] = [{tests!r}]
from test_traitors_burnt import LAST, before_the_last
tables, table = before_the_last({path!r}, {what!r})
def die(statement):
    if statement.startswith({instant!r}):
        os.kill(os.getpid(), signal.SIGKILL)
tables.store._db.set_trace_callback(die)
tables.act(table, *LAST[{what!r}])
"""
LAST = {"vote": (Seat(5), RevealVote()), "wish": (Seat(5), Wish("E"))}


def before_the_last(path: str | Path, what: str) -> tuple[Tables, str]:
    """A table in a file, just before the last vote is revealed or the last answer is given."""
    tables = tables_of(SqliteStore(path), {"traitors": GAME}, clock=lambda: 1_000.0)
    table = tables.open(GAME, Setup(murders=0, banishments=1, quiet_nights=0, timer="0")).id
    for name in NAMES[:5]:
        tables.act(table, TABLE, AddPerson(name))
    for who, tap in ((TABLE, Start()), (TABLE, Ready()), (BEN, DrawEvent()), (TABLE, OpenVote())):
        tables.act(table, who, tap)
    for seat in range(1, 6):
        tables.act(table, Seat(seat), CastVote("4"))
    for seat in range(1, 5 if what == "vote" else 6):
        tables.act(table, Seat(seat), RevealVote())
    if what == "wish":
        tables.act(table, Seat(4), Fall(0, "traitor"))
        for seat in (1, 2, 3):
            tables.act(table, Seat(seat), Wish("P"))
    return tables, table


@pytest.mark.parametrize("instant", ["INSERT INTO versions", "COMMIT"])
@pytest.mark.parametrize("what", ["vote", "wish"])
def test_killed_while_the_last_one_is_shown_all_are_burnt_or_none(tmp_path, what, instant):
    path = tmp_path / "companion.sqlite"
    script = KILLED.format(tests=str(Path(__file__).parent), path=str(path), instant=instant, what=what)
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "plugin", Path(__file__).parent)))
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={**os.environ, "PYTHONPATH": paths}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    tables = tables_of(SqliteStore(path), {"traitors": GAME}, clock=lambda: 1_000.0)
    table = next(iter(tables.store.tables())).id
    state: Evening = tables.reader.snapshot(table).state
    assert isinstance(state.scene, Revealing if what == "vote" else EndVote)
    tables.act(table, *LAST[what])
    assert not isinstance(tables.reader.snapshot(table).state.scene, Revealing | EndVote)
    assert is_burnt(tables, table)
    tables.store.close()
