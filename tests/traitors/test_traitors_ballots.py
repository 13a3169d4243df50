"""Secret answers over real sockets and on a real disk: all look the same, and none is left after the reveal."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from here import ROOT
from traitors_http_talk import exchange, in_murder, opened, plain, raw_request, time_passes
from traitors_talk import Castle

from companion.engine.room_rules import AddPerson, Start
from companion.engine.tables import Tables
from companion.game import TABLE, Seat, TimeIsUp
from companion.games.traitors import GAME
from companion.games.traitors.events import DrawEvent, Ready, RestartVote
from companion.games.traitors.murder import Answer, RevealMurder
from companion.games.traitors.seat_view import host_view
from companion.games.traitors.setup import Setup
from companion.storage.sqlite import SqliteStore
from companion.testing import NAMES, Easel, tables_of

# -------------------------------------------------------------------------------- over sockets


def everything(house, choice):
    """Let Ann answer, and return all traffic it caused: the request, the reply, and the frames of all other screens."""
    table = in_murder(house)
    others = [seat.listens() for seat in (*[table[name] for name in NAMES[1:5]], table.shared)]
    for stream in others:
        stream.frame()
    request = raw_request(table["Ann"], "DONE", choice=choice)
    reply = exchange(house.port, request)
    assert reply.startswith(b"HTTP/1.1 200")
    # The frame of this tap comes after all frames of the answer.
    table["Ben"].taps("AddGold", gold=1)
    frames = []
    for stream in others:
        frames.append([])
        while "adds 1 Gold" not in (frame := stream.frame()):
            frames[-1].append(plain(table, frame))
    ann = table["Ann"]
    return {
        "request": len(request),
        "reply": len(reply),
        "head": [line for line in reply.partition(b"\r\n\r\n")[0].split(b"\r\n") if not line.startswith(b"Date")],
        "body": plain(table, reply.partition(b"\r\n\r\n")[2].decode()),
        "frames": frames,
        "page": plain(table, ann.screen()),
        "history": plain(table, ann.client.get(f"{ann.path}/history").text).count("<li>"),
        "address": ann.client.get(ann.path).url.query,
    }


def test_f_and_a_number_look_the_same_on_every_wire(house):
    faithful = everything(house, "F")
    assert [len(frames) for frames in faithful["frames"]] == [1] * 5
    for number in ("2", "5"):
        assert everything(house, number) == faithful


def test_a_reply_after_done_does_not_echo_the_choice(house):
    table = in_murder(house)
    reply = table["Ann"].presses("DONE", choice="4")
    assert "Your answer is in" in reply.text
    assert "checked" not in reply.html
    assert 'name="choice"' not in reply.html
    assert table["Ann"].page().response.url.query == b""


def test_without_scripts_the_answer_to_done_is_a_plain_redirect_to_the_seat(house):
    table = in_murder(house)
    ann = table["Ann"]
    replies = []
    for name, choice in (("Ann", "F"), ("Cleo", "4")):
        reply = table[name].client.post(table[name].path, data={"tap": "Answer", "choice": choice})
        assert (reply.status_code, reply.headers["location"]) == (303, table[name].path)
        replies.append(len(reply.content))
    assert replies[0] == replies[1]
    assert ann.shows("2 of 5 have answered")


def test_two_votes_look_the_same_on_every_other_screen(house):
    def wires(choice):
        table = opened(house, "banishment")
        table["Ben"].presses("EVENT")
        table["Ben"].presses("Vote now")
        streams = [table[name].listens() for name in NAMES[1:5]]
        for stream in streams:
            stream.frame()
        request = raw_request(table["Ann"], "CAST VOTE", choice=choice)
        reply = exchange(house.port, request)
        frames = [plain(table, stream.frame()) for stream in streams]
        return len(request), len(reply), frames, plain(table, table["Ann"].screen())

    assert wires("1") == wires("4")


# -------------------------------------------------------------------------------- on disk


def test_no_ballot_is_left_in_the_file_the_history_or_the_log_after_a_reveal(own_house):
    table = in_murder(own_house)
    for name, choice in zip(NAMES[:5], "FF4FF", strict=True):
        table[name].presses("DONE", choice=choice)
    assert own_house.can_read(table)
    assert table["Ben"].presses("MURDER REVEAL").shows("The Traitors have chosen")
    assert not own_house.can_read(table)
    history = table.shared.client.get(f"{table.shared.path}/history").text
    assert "Everybody has answered." in history
    assert "Answer" not in own_house.log.read_text()
    assert "choice" not in own_house.log.read_text()


def test_no_vote_is_left_in_the_file_after_the_last_reveal_or_a_restart(own_house):
    table = opened(own_house, "banishment", 4)
    table["Ann"].presses("EVENT")
    table["Ann"].presses("Vote now")
    for name, choice in zip(NAMES[:3], "234", strict=True):
        table[name].presses("CAST VOTE", choice=choice)
    assert own_house.can_read(table)
    table.shared.presses("Restart the vote")
    assert not own_house.can_read(table)
    for name, choice in zip(NAMES[:4], "3343", strict=True):
        table[name].presses("CAST VOTE", choice=choice)
    for name in NAMES[:4]:
        assert table[name].presses("REVEAL VOTE").status == 200
    assert not own_house.can_read(table)


@pytest.mark.parametrize("hear_first", [0, 1])
def test_a_server_killed_around_the_reveal_keeps_all_of_the_ballots_or_none(own_house, hear_first):
    table = in_murder(own_house)
    for name, choice in zip(NAMES[:5], "FF4FF", strict=True):
        table[name].presses("DONE", choice=choice)
    request = raw_request(table["Ben"], "MURDER REVEAL")
    with socket.create_connection(("127.0.0.1", own_house.port), timeout=30) as wire:
        wire.sendall(request)
        wire.recv(hear_first)
        own_house.kill()
    own_house.start()
    if not table["Ben"].shows("The Traitors have chosen"):
        assert table["Ben"].presses("MURDER REVEAL").status == 200
    assert table["Ben"].shows("The Traitors have chosen")
    assert not own_house.can_read(table)


KILLED = """
import os, signal, sys
sys.path[:0] = [{tests!r}]
from test_traitors_ballots import BEN, answered
from companion.games.traitors.murder import RevealMurder
tables, table = answered({path!r})
def die(statement):
    if statement.startswith({instant!r}):
        os.kill(os.getpid(), signal.SIGKILL)
tables.store._db.set_trace_callback(die)
tables.act(table, BEN, RevealMurder())
"""
BEN = Seat(2)


def answered(path: str | Path, choices: str = "FF4FF", clock=lambda: 1_000.0) -> tuple[Tables, str]:
    """A table in a file where everybody has answered."""
    tables = tables_of(SqliteStore(path), {"traitors": GAME}, clock=clock)
    table = tables.open(GAME, Setup(murders=1, banishments=0, quiet_nights=0)).id
    for name in NAMES[:5]:
        tables.act(table, TABLE, AddPerson(name))
    tables.act(table, TABLE, Start())
    tables.act(table, TABLE, Ready())
    tables.act(table, BEN, DrawEvent())
    for seat, choice in enumerate(choices, 1):
        tables.act(table, Seat(seat), Answer(choice))  # type: ignore[arg-type]
    return tables, table


def is_burnt(tables: Tables, table: str) -> bool:
    """Whether the version before the newest one can no longer be read."""
    return tables.store.at(table, tables.reader.snapshot(table).version - 1).state is None


@pytest.mark.parametrize("instant", ["BEGIN", "INSERT INTO versions", "COMMIT"])
def test_killed_at_any_instant_of_a_reveal_it_happened_whole_or_not_at_all(tmp_path, instant):
    path = tmp_path / "companion.sqlite"
    script = textwrap.dedent(KILLED.format(tests=str(Path(__file__).parent), path=str(path), instant=instant))
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "plugin", Path(__file__).parent)))
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": paths}, capture_output=True, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    tables = tables_of(SqliteStore(path), {"traitors": GAME})
    row = next(iter(tables.store.tables()))
    assert tables.reader.snapshot(row.id).state.scene.mark == "4"
    tables.act(row.id, BEN, RevealMurder())
    assert is_burnt(tables, row.id)
    tables.store.close()


def test_no_ballot_is_left_in_the_memory_of_the_table_after_a_reveal(tmp_path):
    tables, table = answered(tmp_path / "companion.sqlite")
    assert "mark='4'" in repr(vars(tables.reader.cache))
    tables.act(table, BEN, RevealMurder())
    assert "mark=" not in repr(vars(tables.reader.cache))
    assert "answered=" not in repr(vars(tables.reader.cache))
    tables.store.close()


def test_a_restarted_vote_leaves_nothing_either(tmp_path):
    tables, table = answered(tmp_path / "companion.sqlite", "F4")
    tables.act(table, TABLE, RestartVote())
    assert is_burnt(tables, table)
    assert "mark='4'" not in repr(vars(tables.reader.cache))
    tables.store.close()


# -------------------------------------------------------------------------------- the clock


def test_after_thirty_seconds_the_table_wakes_and_only_the_host_learns_who_is_missing(tmp_path):
    time = [1_000.0]
    tables, table = answered(tmp_path / "companion.sqlite", "F4F", clock=lambda: time[0])
    assert tables.store.due_alarms(1_029.0) == []
    assert host_view(tables.reader.snapshot(table).state).missing == ()
    time[0] = 1_030.0
    assert tables.store.due_alarms(time[0]) == [table]
    lines = tables.store.history(table)
    tables.wake(table)
    assert host_view(tables.reader.snapshot(table).state).missing == (4, 5)
    assert tables.store.history(table) == lines
    assert tables.store.due_alarms(1e12) == []
    tables.store.close()


def test_only_the_host_s_screen_changes_when_a_vote_is_overdue(easel: Easel):
    before = Castle(5).draws("murder").answers({1: "F", 3: "2"}).now
    after = Castle(5).draws("murder").answers({1: "F", 3: "2"}).time_is_up().now
    for host in (0, 2):
        for seat in range(-1, 6):
            drawn = easel.draw(GAME, after, seat, host=host)
            if seat != host:
                assert drawn == easel.draw(GAME, before, seat, host=host)
            else:
                for words in ("Still to answer", "Remind", "Vote on the shared screen", "Mark away"):
                    assert words in drawn
                    assert words not in easel.draw(GAME, before, seat, host=host)


@pytest.mark.store("sqlite")  # the test changes the times in its file
def test_talk_ends_by_itself_and_a_tie_waits_for_the_table(own_house):
    table = opened(own_house, "banishment", 4, timer="3")
    table["Ann"].presses("EVENT")
    time_passes(own_house, table)
    for seat in (table.shared, *table):
        assert "Everybody votes in secret" in seat.listens().until("Time is up. Everybody votes.")
    for name, choice in zip(NAMES[:4], "1122", strict=True):
        table[name].presses("CAST VOTE", choice=choice)
    for name in NAMES[:4]:
        table[name].presses("REVEAL VOTE")
    assert table.shared.shows("TIED VOTE")
    time_passes(own_house, table)
    assert table.shared.shows("Ann and Ben may plead.")
    assert table["Cleo"].presses("TIED VOTE?").status == 200
    for seat in (table.shared, *table):
        replayed = seat.listens().until("Cleo presses TIED VOTE? Everybody votes again between Ann and Ben.")
        assert "A tie. Everybody votes again between" in replayed
    assert table["Dan"].presses("CAST VOTE", choice="2").status == 200
    assert table["Cleo"].taps("CastVote", choice="3").status == 422


def test_nobody_can_tap_for_the_timer(house):
    table = in_murder(house)
    assert TimeIsUp not in GAME.taps.values()
    assert table["Ann"].taps("TimeIsUp").status == 422


# -------------------------------------------------------------------------------- phones come and go


def test_a_phone_dies_in_the_middle_of_a_murder_vote_and_its_seat_moves(house):
    table = in_murder(house, 4)
    table["Ann"].presses("DONE", choice="F")
    old = table["Dan"]
    table.shared.presses("Move this seat to another phone", seat=old.seat)
    assert old.client.get(old.path).status_code == 403
    assert table.shared.shows("Scan this with the other phone to play as Dan.")
    table.shared.presses("Play on the shared screen instead", seat=old.seat)
    passed = table.hands_to(old.seat)
    assert 'name="choice"' not in passed.cover.html
    passed.presses("DONE", choice="2")
    assert table.shared.shows("2 of 4 have answered")


def test_a_passed_screen_falls_back_to_a_neutral_cover_for_the_next_one(house):
    table = opened(house, "murder", 4, phones=0)
    table.shared.presses("EVENT", drawer=1)
    replies = [table.hands_to(seat).presses("DONE", choice=choice) for seat, choice in ((1, "F"), (2, "3"))]
    for reply in replies:
        assert reply.shows("Hand over the screen")
        assert "choice" not in reply.html


def test_the_dead_see_what_the_table_sees(house):
    table = in_murder(house, 5)
    for name, choice in zip(NAMES[:5], "FF4FF", strict=True):
        table[name].presses("DONE", choice=choice)
    table["Ben"].presses("MURDER REVEAL")
    table["Dan"].presses("Don't play a Shield")
    table["Dan"].presses("Faithful", gold=2)
    table["Ben"].presses("EVENT")
    assert table["Dan"].shows("0 of 4 have answered")
    assert table["Dan"].shows("You're out of this round")
    assert 'name="choice"' not in table["Dan"].page().html
    assert table["Dan"].taps("Answer", choice="F").message == "You are out of this round."
