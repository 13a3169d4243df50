"""Trace one tap from the socket to every screen: CONTRIBUTING names every file that it runs through."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import gevent
import gevent.socket
import pytest
from here import ROOT
from secret_ballot import GAME, Setup

from companion.app import create_app
from companion.engine.links import Link
from companion.engine.room_rules import Start
from companion.game import TABLE, Seat
from companion.server.http import Handler, Server
from companion.web import own_host

PACKAGE = ROOT / "companion"
MOST_FILES = 24


@pytest.fixture
def walked(tmp_path) -> set[str]:
    """Our files that run while Ann votes, with open streams for three phones and the shared screen."""
    app = create_app(tmp_path, games={"secret_ballot": GAME})
    services, files = app.extensions["companion"], set()

    def note(frame, event, _):
        if event == "call":
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(PACKAGE):
                files.add(str(path.relative_to(PACKAGE)))

    class Watched(Handler):
        def handle_one_request(self):
            sys.setprofile(note)
            try:
                return super().handle_one_request()
            finally:
                sys.setprofile(None)

    server = Server(("127.0.0.1", 0), app, problem_page=lambda status: b"")
    server.handler_class = Watched
    server.start()
    table = services.tables.open(GAME, Setup()).id
    for name in ("Ann", "Ben", "Cleo"):
        services.tables.sit(table, name)
    services.tables.act(table, TABLE, Start())
    links = {seat: Link(table, Seat(seat), 1) for seat in range(4)}
    paths = {s: f"/{link.kind}/{services.links.sign(table, link.seat, 1)}" for s, link in links.items()}
    streams = [ask(server, f"GET {path}/live HTTP/1.1\r\nHost: {own_host()}:8000\r\n\r\n") for path in paths.values()]
    for word, seat in (("owl", 2), ("fox", 1)):
        files.clear()  # Ben votes first, to warm everything up
        body = f"tap=Cast&tap_id=0.abc&word={word}"
        head = f"POST {paths[seat]} HTTP/1.1\r\nHost: {own_host()}:8000\r\nHX-Request: true\r\nConnection: close\r\n"
        form = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        reply = ask(server, head + form)
        assert reply.recv(100).startswith(b"HTTP/1.1 200 ")
        reply.close()
    for stream in streams:
        with gevent.Timeout(30):
            said = b""
            while b"2 of 3" not in said:
                said += stream.recv(65_536)
        stream.close()
    server.stop()
    services.hub.stop()
    services.reader.store.close()
    return files


def ask(server: Server, request: str) -> gevent.socket.socket:
    sock = gevent.socket.create_connection(server.address, timeout=30)
    sock.sendall(request.encode())
    return sock


def test_contributing_names_every_file_that_a_tap_runs_through(walked):
    page = (ROOT / "CONTRIBUTING.md").read_text()
    hops = page[page.index("## From a tap to every screen") : page.index("## Glossary")]
    named = set(re.findall(r"`(?:companion/)?((?:\w+/)?\w+\.py)`", hops))
    assert {"server/http.py", "web/taps.py", "engine/tables.py", "storage/sqlite.py", "live/hub.py"} <= walked
    assert not walked - named, f"CONTRIBUTING does not name {walked - named}"
    assert not named - walked, "CONTRIBUTING names them, but no tap comes by"
    assert len(walked) <= MOST_FILES
