"""Who challenged first: a hundred races over real HTTP."""

from __future__ import annotations

import contextlib
import random
import re
import socket
import sqlite3
import time
from urllib.parse import urlencode

import psycopg

from companion.testing import Seated, Table

RACES = 100
CLOSE = 0.005
"""All rivals tap within five milliseconds."""
HAND = {"cards.1": "fists", "cards.2": "crown", "cards.3": "coins", "up": 1}


class Thumb:
    """A rival with a thumb on Challenge: an open connection, and a tap ready to send."""

    def __init__(self, rival: Seated) -> None:
        self.rival = rival
        self.socket = socket.create_connection(("127.0.0.1", rival.house.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        body = urlencode({"tap": "Challenge"})
        self.tap = (
            f"POST {rival.path} HTTP/1.1\r\nHost: localhost\r\nHX-Request: true\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        ).encode()
        self._read = self.socket.makefile("rb")

    def reply(self) -> tuple[int, str]:
        status = int(self._read.readline().split()[1])
        length = 0
        while (header := self._read.readline().strip()) != b"":
            if header.lower().startswith(b"content-length:"):
                length = int(header.partition(b":")[2])
        return status, self._read.read(length).decode()

    def close(self) -> None:
        self._read.close()
        self.socket.close()


def declared(seated) -> Table:
    """Six people; Ann has declared a card."""
    table = seated("faster_than_truth", players=6, fuse="off")
    for person in table:
        assert person.taps("EnterDeal", **HAND).status == 200
    assert table.shared.taps("GoesFirst", seat=1).status == 200
    assert table["Ann"].taps("Declare", name="Smuggle").status == 200
    return table


def race(thumbs: list[Thumb]) -> tuple[float, list[tuple[int, str]]]:
    """Send all taps together; return how far apart they were and each answer."""
    first = time.perf_counter()
    for thumb in thumbs:
        thumb.socket.sendall(thumb.tap)
    apart = time.perf_counter() - first
    return apart, [thumb.reply() for thumb in thumbs]


def committed(table: Table, after: int) -> list[tuple[int, int, str]]:
    """What the store has kept since that version: version, seat, sentences."""
    question = (
        "SELECT version, who, lines FROM versions WHERE version > {0} "
        "AND table_id = (SELECT id FROM tables WHERE code = {0}) ORDER BY version"
    )
    if table.house.database:
        with psycopg.connect(table.house.database, options="-c search_path=companion") as db:
            rows = db.execute(question.format("%s"), (after, table.code)).fetchall()
    else:
        with contextlib.closing(
            sqlite3.connect(f"file:{table.house.data / 'companion.sqlite'}?mode=ro", uri=True)
        ) as db:
            rows = db.execute(question.format("?"), (after, table.code)).fetchall()
    return [(version, who, bytes(lines).decode()) for version, who, lines in rows]


def test_in_a_hundred_races_there_is_exactly_one_challenger_and_it_is_the_earliest_committed(seated):
    table = declared(seated)
    chance = random.Random(5)
    thumbs = [Thumb(person) for person in table if person.name != "Ann"]
    winners = set()
    close = 0
    before = int(re.search(r'data-version="(\d+)"', table.shared.page().html).group(1))
    while close < RACES:
        chance.shuffle(thumbs)
        apart, replies = race(thumbs)
        close += apart <= CLOSE
        accepted = [thumb.rival for thumb, (status, _) in zip(thumbs, replies, strict=True) if status == 200]
        assert len(accepted) == 1, "exactly one challenge counts"
        winner = accepted[0]
        for status, html in replies:
            assert status == 200 or (status == 422 and f"<bdi>{winner.name}</bdi> was faster." in html)
        rows = committed(table, before)
        assert [(version, who) for version, who, _ in rows] == [(before + 1, winner.seat)], "and the earliest did"
        assert "challenges" in rows[0][2]
        winners.add(winner.name)
        # A challenge cannot be taken back: the table gives Ann her turn again, and she declares again.
        assert table.shared.taps("GiveTurn", seat=1).status == 200
        again = table["Ann"].taps("Declare", name="Smuggle")
        assert again.status == 200
        before = int(again.response.headers["Companion-Version"])
    race(thumbs)
    assert table.shared.lines()[0] in {f"{name} challenges." for name in winners}
    assert len(winners) > 1, "nobody has a better chance by where they sit"
    for thumb in thumbs:
        thumb.close()


def test_a_challenge_and_a_pass_at_the_same_moment_both_count(seated):
    table = declared(seated)
    thumbs = [Thumb(person) for person in table if person.name != "Ann"]
    for thumb in thumbs[:-1]:
        thumb.tap = thumb.tap.replace(b"Challenge", b"LetPass").replace(b"Content-Length: 13", b"Content-Length: 11")
    _, replies = race(thumbs)
    assert [status for status, _ in replies][-1] == 200, "four passes do not close the window on the fifth"
    assert table.shared.shows("Fay challenges")
    for thumb in thumbs:
        thumb.close()


def test_a_double_tap_on_challenge_is_one_challenge(seated):
    table = declared(seated)
    page = table["Ben"].page().html
    tap_id = re.search(r'value="Challenge">\s*<input type="hidden" name="tap_id" value="([^"]+)"', page).group(1)
    assert table["Ben"].taps("Challenge", tap_id).status == 200
    assert table["Ben"].taps("Challenge", tap_id).status == 200
    assert table.shared.lines().count("Ben challenges.") == 1
