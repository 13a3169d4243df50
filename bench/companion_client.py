"""The load generator's client for Companion: lobby pages and taps over HTTP, screens over Server-Sent Events.

Taps are sent as a phone sends them: with all fields, including the tap id, of the form that the server last sent to
that screen.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection
from contextlib import closing
from http.client import HTTPConnection
from typing import NamedTuple
from urllib.parse import urlencode

from bench.load import PLAYERS, SCREENS, TAPS_PER_ROUND, Connection, Load, Screen, Table, connect, votes_after

FORM = re.compile(rb"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
INPUT = re.compile(r"<input\b([^>]*)>")
ATTRIBUTE = re.compile(r"""([\w:-]+)(?:\s*=\s*"([^"]*)")?""")
CONTENT_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")
JOIN_CODE = re.compile(r'class="[^"]*\bjoin-code\b[^"]*"[^>]*>\s*(\w+)')
FORM_TYPE = "application/x-www-form-urlencoded"
PHONE_HEADERS = (
    "Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\nAccept-Encoding: gzip, deflate\r\n"
    "Accept-Language: en-GB,en;q=0.9\r\nUser-Agent: Mozilla/5.0 (Android 14) Chrome/126.0 Mobile Safari/537.36\r\n"
)


class Form(NamedTuple):
    """Where a form is posted to, and its fields as the server filled them in."""

    action: str
    fields: dict[str, str]


class Move(NamedTuple):
    """One tap: the screen that sends it (0 is the shared one), its form, what is typed, and what all then show."""

    screen: int
    tap: str
    typed: dict[str, str]
    mark: bytes


def vote(number: int) -> Move:
    """Eight players vote in secret, then the shared screen opens the box, which burns the votes."""
    mark, place = b"%d of 8 have answered" % votes_after(number), number % TAPS_PER_ROUND
    return Move(place + 1, "Cast", {"word": "owl"}, mark) if place < PLAYERS else Move(0, "Open", {}, mark)


def knock(number: int) -> Move:
    """Players make a public move in turn, which can be taken back, so every version is kept."""
    return Move(number % PLAYERS + 1, "Knock", {}, b"Rolled: %d" % (number + 1))


def attributes(tag: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in ATTRIBUTE.findall(tag)}


def find_form(page: bytes, path: str, tap: str = "") -> Form | None:
    """Return the first form with this tap, or the first form without a tap; without an action it posts to `path`."""
    for found in FORM.finditer(page):
        if tap.encode() not in found[2]:
            continue
        fields = {}
        for field in map(attributes, INPUT.findall(found[2].decode())):
            if "name" in field and (field.get("type") not in {"radio", "checkbox"} or "checked" in field):
                fields[field["name"]] = field.get("value", "")
        if fields.get("tap", "") == tap:
            return Form(attributes(found[1].decode()).get("action") or path, fields)
    return None


def open_table(port: int, game: str = "secret_ballot") -> list[str]:
    """Open a table, seat eight players and start the game; return the paths of the shared screen and of every seat."""
    with closing(HTTPConnection("localhost", port, timeout=60)) as http:
        shared = _submit(http, f"/new/{game}", rounds="" if game == "score_sheet" else "1000000")
        code = JOIN_CODE.search(_request(http, "GET", shared)[0].decode())[1]
        seats = [_submit(http, f"/t/{code}", name=f"Player {seat}") for seat in range(1, PLAYERS + 1)]
        _submit(http, shared, "Start")
    return [shared, *seats]


def _submit(http: HTTPConnection, path: str, tap: str = "", **typed: str) -> str:
    """Fill in and post a form of this page; return the URL that the answer redirects to."""
    form = find_form(_request(http, "GET", path)[0], path, tap)
    if form is None:
        raise RuntimeError(f"There is no form {tap!r} at {path}.")
    return _request(http, "POST", form.action, urlencode(form.fields | typed))[1]


def _request(http: HTTPConnection, method: str, path: str, body: str | None = None) -> tuple[bytes, str]:
    headers = {"Origin": f"http://{http.host}:{http.port}", "Content-Type": FORM_TYPE} if body is not None else {}
    http.request(method, path, body, headers)
    reply = http.getresponse()
    page = reply.read()
    if reply.status >= 400:
        raise RuntimeError(f"{method} {path} was answered with {reply.status}: {page[:500]!r}")
    return page, reply.headers.get("Location", "")


class EventStream(Screen):
    """A screen's live stream; it remembers the newest form of each tap that the screen will send."""

    def __init__(self, table: Table, port: int, path: str, taps: Collection[str]) -> None:
        super().__init__(table, connect(port))
        self.path = path
        self.forms: dict[str, Form] = {}
        self.opened = False
        self._taps = taps
        headers = PHONE_HEADERS.format(port=port)
        self.sock.sendall(f"GET {path}/live HTTP/1.1\r\n{headers}Accept: text/event-stream\r\n\r\n".encode())

    def received(self, data: bytes) -> None:
        """Split the stream into events; the HTTP head comes before the first one, chunk sizes come between them."""
        *events, self.buffer = (self.buffer + data).split(b"\n\n")
        for event in events:
            if not self.opened and not event.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(f"A stream was refused: {event[:500]!r}")
            self.opened = True
            for tap in self._taps:
                if b'"%s"' % tap.encode() in event and (form := find_form(event, self.path, tap)):
                    self.forms[tap] = form
            self.message(event)


class TapConnection(Connection):
    """The connection on which a phone posts its taps; it is opened again if the server has closed it while idle."""

    _open, _pending = True, False

    def post(self, port: int, form: Form, typed: dict[str, str]) -> None:
        if not self._open:
            self.sock, self._open = connect(port), True
            self.load.watch(self)
        self._pending = True
        body = urlencode(form.fields | typed)
        headers = f"{PHONE_HEADERS.format(port=port)}Content-Type: {FORM_TYPE}\r\nContent-Length: {len(body)}\r\n"
        self.sock.sendall(f"POST {form.action} HTTP/1.1\r\n{headers}HX-Request: true\r\n\r\n{body}".encode())

    def received(self, data: bytes) -> None:
        """Wait for the whole answer; anything but 200 means that the load generator sent a wrong tap."""
        self.buffer += data
        head, complete, body = self.buffer.partition(b"\r\n\r\n")
        if not complete:
            return
        length = CONTENT_LENGTH.search(head)
        if not head.startswith(b"HTTP/1.1 200") or length is None:
            raise RuntimeError(f"A tap was not accepted: {self.buffer[:1_000]!r}")
        if len(body) >= int(length[1]):
            self.buffer, self._pending = b"", False
            self.table.sender_answered()

    def ended(self) -> None:
        if self._pending:
            raise ConnectionError("The server closed a connection instead of answering a tap.")
        self._open = False
        self.load.forget(self)


class CompanionTable(Table):
    """Nine event streams, and a connection for taps per screen, or one for the whole table to save sockets."""

    answers = 1

    def __init__(
        self, load: Load, port: int, paths: list[str], move: Callable[[int], Move] = vote, senders: int = SCREENS
    ) -> None:
        super().__init__(load)
        self._port = port
        self._move = move
        self.pages = paths[1:]
        """The URLs for the players' phones."""
        taps = [{one.tap for one in map(move, range(TAPS_PER_ROUND)) if one.screen == at} for at in range(SCREENS)]
        self._screens = [EventStream(self, port, path, taps[at]) for at, path in enumerate(paths)]
        self._senders = [TapConnection(self, connect(port)) for _ in range(senders)]
        while not all(screen.opened for screen in self._screens):
            load.poll(1)

    def send(self, number: int) -> bytes:
        move = self._move(number)
        form = self._screens[move.screen].forms[move.tap]
        self._senders[move.screen % len(self._senders)].post(self._port, form, move.typed)
        return move.mark
