"""Verbs for tests of The Traitors over real HTTP."""

from __future__ import annotations

import json
import re
import socket
from urllib.parse import urlencode

from msgspec.structs import replace

from companion.storage.sqlite import SqliteStore
from companion.testing import NAMES, House, Seated, Table, find_form, form_fields

ONLY = {
    "murder": {"murders": "1", "banishments": "0", "quiet_nights": "0"},
    "banishment": {"murders": "0", "banishments": "1", "quiet_nights": "0"},
    "quiet": {"murders": "0", "banishments": "0", "quiet_nights": "1"},
}


def opened(house: House, event: str, players: int = 5, *, phones: int | None = None, **setup: object) -> Table:
    """A table in round 1 where the first `phones` people have phones, with a bag of one kind of event."""
    table = house.opens("traitors", **{"timer": "0", **ONLY[event], **setup})
    for place, name in enumerate(NAMES[:players]):
        if phones is None or place < phones:
            table.sits(name)
        else:
            table.adds(name)
    table.starts()
    assert table.shared.presses("We're ready").status == 200
    return table


def in_murder(house: House, players: int = 5, drawer: str = "Ben") -> Table:
    table = opened(house, "murder", players)
    assert table[drawer].presses("EVENT").status == 200
    return table


def plain(table: Table, text: str) -> str:
    """Remove from a page what differs between tables: the tokens, their digest and the code."""
    token = re.escape(table.shared.path.rpartition("/")[2].split(".")[0])
    text = re.sub(r"(\?seen=\d+\.)[0-9a-f]+", r"\1digest", text)
    return re.sub(rf"/[sx]/{token}[\w.-]+", "/link", text).replace(table.code, "CODE")


def raw_request(seat: Seated, button: str, **fields: str) -> bytes:
    """The exact bytes that a browser sends for this form."""
    form = find_form(seat.page().html, button, fields)
    body = urlencode({**form_fields(form), **fields}).encode()
    head = (
        f"POST {form.attributes['action']} HTTP/1.1\r\nHost: 127.0.0.1:{seat.house.port}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        "HX-Request: true\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


def exchange(port: int, request: bytes) -> bytes:
    """Send these bytes and read until the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as wire:
        wire.sendall(request)
        reply = b""
        while data := wire.recv(65536):
            reply += data
    return reply


def time_passes(house: House, table: Table) -> None:
    """Let thirty seconds or three minutes pass: change the times in the file while the server is stopped."""
    token = table.shared.path.rpartition("/")[2].split(".")[0]
    house.kill()
    store = SqliteStore(house.data / "companion.sqlite")
    newest = store.newest(token)
    room = json.dumps(json.loads(newest.room) | {"alarm_at": 1.0}).encode()
    later = replace(newest, version=newest.version + 1, room=room, lines=b"[]", private=None)
    assert store.commit(later, alarm=1.0)
    store.close()
    house.start()
