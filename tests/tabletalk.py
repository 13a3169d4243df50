"""Verbs for the tests: a real companion in a process of its own, and people who sit down, look and tap."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import psycopg
from selectolax.lexbor import LexborHTMLParser, LexborNode

from companion.engine.reader import TableCache, TableReader
from companion.engine.snapshot import as_data
from companion.engine.store import Store
from companion.engine.tables import Tables
from companion.game import Game
from companion.games import all_games

ROOT = Path(__file__).parent.parent
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")


OPEN: list[httpx.Client | Stream] = []
"""Everything that holds a socket; closed when a test is over."""


def everybody_leaves() -> None:
    while OPEN:
        OPEN.pop().close()


def wait_until(happens: Callable[[], bool], what: str) -> None:
    """Look again and again, for a minute at most."""
    patience = time.monotonic() + 60
    while not happens():
        assert time.monotonic() < patience, f"still not: {what}"
        threading.Event().wait(0.02)


def python_path() -> str:
    """Ours, the game that the tests bring along, and whatever else this test run has been given."""
    return os.pathsep.join([str(ROOT), str(ROOT / "tests" / "plugin"), os.environ.get("PYTHONPATH", "")]).rstrip(
        os.pathsep
    )


class House:
    """A companion that runs: started like a host would, and killed like a laptop would be."""

    prefix = ""
    """What stands before every path."""
    inside: tuple[str, ...] = ()
    """The command that runs it somewhere else than here."""

    def __init__(self, data: Path, port: int = 0, database: str | None = None, **environment: str) -> None:
        self.data = data
        self.database = database
        """The address of a PostgreSQL; without one, it is an SQLite file among the data."""
        if database:
            environment["COMPANION_DATABASE"] = database
        self.port = port
        self.environment = environment
        self.process: subprocess.Popen[str] | None = None
        self.log = data.parent / f"{data.name}.log"

    def start(self, *options: str) -> House:
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [
                    *self.inside,
                    sys.executable,
                    "-m",
                    "companion",
                    "play",
                    f"--port={self.port}",
                    f"--data-dir={self.data}",
                    *options,
                ],
                cwd=self.data.parent,
                env={**os.environ, "PYTHONPATH": python_path(), **self.environment},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        for line in self.process.stdout:
            if found := re.search(r"http://localhost:(\d+)", line):
                self.port = int(found.group(1))
            if "Ctrl-C" in line:
                return self
        self.process.wait()
        self.process.stdout.close()
        raise AssertionError(f"the companion did not start: {self.log.read_text()}")

    def kill(self) -> None:
        """Like pulling the plug."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def stop(self) -> int:
        """Like Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait()
        self.process.stdout.close()
        return code

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def visitor(self) -> Person:
        """Somebody who comes in for the first time."""
        return Person(self.url)

    def stream(self, path: str, memory: int | None = None) -> Stream:
        return Stream(self.port, path, memory)

    def database_bytes(self) -> bytes:
        """Every byte the store has on disk, its write-ahead log included; of PostgreSQL, all that can be asked for."""
        if self.database:
            return every_row(self.database)
        return b"".join(path.read_bytes() for path in sorted(self.data.iterdir()) if path.name.startswith("companion."))

    def opens(self, game: str, **setup: object) -> Table:
        """The host opens a table in their browser; `setup` is typed into the form, the rest as the game suggests."""
        client = self.visitor()
        fields = typed(as_data(all_games()[game].setup()) | setup)
        reply = client.post(f"{self.prefix}/new/{game}", data=fields)
        assert reply.status_code == 303, LexborHTMLParser(reply.text).css_first("#message, main").text()
        return Table(self, client, reply.headers["location"])


def tables_of(store: Store, games: Mapping[str, Game], **more: Any) -> Tables:
    """The engine over this store, with no screens."""
    return Tables(TableReader(store, games, TableCache()), **more)


def every_row(database: str) -> bytes:
    """All that a PostgreSQL keeps of us. Its raw files keep more for a while, as the README says."""
    with psycopg.connect(database) as db:
        return b"\n".join(
            part.encode() if isinstance(part, str) else part
            for table in ("tables", "versions", "alarms", "memory", "results")
            for row in db.execute(f"SELECT * FROM companion.{table}").fetchall()
            for part in row
            if isinstance(part, bytes | str)
        )


TRUSTED = ssl.create_default_context()
"""The certificates of the world, read once: to read them for everybody takes longer than most of what they do."""


class Person(httpx.Client):
    """A browser without eyes: cookies, no redirects unless asked for."""

    def __init__(self, url: str, **options: object) -> None:
        super().__init__(base_url=url, timeout=30, verify=TRUSTED, **options)
        OPEN.append(self)


class Reply:
    """What came back after a tap."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.response = response
        self.html = response.text

    @property
    def message(self) -> str:
        """The sentence in the message area."""
        found = re.search(r'<hx-partial hx-target="#message"[^>]*>(.*?)</hx-partial>', self.html, re.S)
        if found:
            return text_of(found.group(1))
        node = LexborHTMLParser(self.html).css_first("#message")
        return " ".join(node.text().split()) if node else ""

    @property
    def text(self) -> str:
        return text_of(self.html.replace("<hx-partial", "<div").replace("</hx-partial>", "</div>"))

    def shows(self, words: str) -> bool:
        return words in self.text


class Seated:
    """Somebody with a screen: a seat's phone, the shared screen, or a watcher."""

    def __init__(self, house: House, client: Person, path: str, name: str = "") -> None:
        self.house = house
        self.client = client
        self.path = path
        self.name = name

    @property
    def seat(self) -> int:
        return int(self.path.rpartition("/")[2].split(".")[1])

    def moves_on(self) -> str:
        """Open the link one has, and see where it leads now; from then on this is the link one has."""
        reply = self.client.get(self.path)
        assert reply.status_code == 303, f"{reply.status_code} at {self.path}"
        self.path = reply.headers["location"]
        return self.path

    def reads(self, page: str) -> Reply:
        """A page behind one's own link: the night, the history."""
        reply = self.client.get(f"{self.path}/{page}")
        assert reply.status_code == 200, f"{reply.status_code} at {self.path}/{page}"
        return Reply(reply)

    def page(self) -> Reply:
        reply = self.client.get(self.path)
        assert reply.status_code == 200, f"{reply.status_code} at {self.path}"
        return Reply(reply)

    def shows(self, words: str) -> bool:
        return self.page().shows(words)

    def lines(self) -> list[str]:
        """The sentences of the history on this screen, newest first."""
        return [" ".join(node.text().split()) for node in LexborHTMLParser(self.page().html).css("#history .lines li")]

    def screen(self) -> str:
        """The HTML of the screen itself, without the number of its version."""
        html = LexborHTMLParser(self.page().html).css_first("#screen").html
        return re.sub(r' data-version="\d+"|\?seen=[\w.]+', "", html)

    def taps(self, tap: str, tap_id: str | None = None, **fields: object) -> Reply:
        """Send a tap as a form would, whatever is on the screen."""
        data = {"tap": tap, **{key: str(value) for key, value in fields.items()}}
        if tap_id is not None:
            data["tap_id"] = tap_id
        return self._post(self.path, data)

    def presses(self, label: str, typed: dict[str, object] | None = None, **fields: object) -> Reply:
        """Find the form with this button on the present screen, fill it in, and press it."""
        return self._press(self.page().html, label, {**(typed or {}), **fields})

    def presses_on(self, html: str, label: str, **fields: object) -> Reply:
        """The same on a screen as it was drawn some time ago."""
        return self._press(html, label, fields)

    def _press(self, html: str, label: str, fields: dict[str, object]) -> Reply:
        form = find_form(html, label, fields)
        data = form_fields(form)
        for key, value in fields.items():
            assert form.css_first(f'[name="{key}"]') is not None, f"the form of {label!r} has no field {key!r}"
            data[key] = [str(one) for one in value] if isinstance(value, list | tuple) else str(value)
        return self._post(form.attributes["action"] or self.path, data)

    def _post(self, path: str, data: dict[str, object]) -> Reply:
        return Reply(self.client.post(path, data=data, headers={"HX-Request": "true"}))

    def listens(self, memory: int | None = None) -> Stream:
        """Open the live stream; with little memory for what has not been read yet."""
        return self.house.stream(f"{self.path}/live", memory)


class Table:
    """A table with its shared screen and its people."""

    def __init__(self, house: House, client: Person, path: str) -> None:
        self.house = house
        self.shared = Seated(house, client, path)
        self.people: dict[str, Seated] = {}
        page = LexborHTMLParser(self.shared.page().html)
        self.code = page.css_first(".join-code").text(strip=True)

    def sits(self, name: str) -> Seated:
        """Somebody scans the code, types a name and takes a seat."""
        client = self.house.visitor()
        path = f"{self.house.prefix}/t/{self.code}"
        fields = form_fields(LexborHTMLParser(client.get(path).text).css_first("form")) | {"name": name}
        reply = client.post(path, data=fields)
        assert reply.status_code == 303, Reply(reply).message
        self.people[name] = Seated(self.house, client, reply.headers["location"], name)
        return self.people[name]

    def adds(self, name: str) -> None:
        """Somebody without a phone sits down."""
        assert self.shared.presses("Add", name=name).status == 200

    def starts(self) -> Table:
        reply = self.shared.presses("Start the game")
        assert reply.status == 200, reply.message
        return self

    def plays_again(self) -> Table:
        """The host taps "Play again"; everybody opens the link they have."""
        assert self.shared.presses("Play again").status == 200
        return self._moves_on()

    def plays(self, game: str, **setup: object) -> Table:
        """The host chooses another game for the same people."""
        fields = typed(as_data(all_games()[game].setup()) | setup)
        reply = self.shared.client.post(f"{self.shared.path}/next/{game}", data=fields)
        assert reply.status_code == 303, Reply(reply).message
        return self._moves_on()

    def _moves_on(self) -> Table:
        for somebody in (self.shared, *self.people.values()):
            somebody.moves_on()
        return self

    def hands_to(self, seat: int) -> Passed:
        """The shared screen is handed to somebody without a phone."""
        return Passed(self, seat)

    def __getitem__(self, name: str) -> Seated:
        return self.people[name]

    def __iter__(self) -> Iterator[Seated]:
        return iter(self.people.values())


class Passed(Seated):
    """The shared screen in the hands of somebody without a phone."""

    def __init__(self, table: Table, seat: int) -> None:
        super().__init__(table.house, table.shared.client, f"{table.shared.path}/pass/{seat}")
        self._seat = seat
        self.cover = self.page()
        form = LexborHTMLParser(self.cover.html).css_first("form")
        self.html = self._post(self.path, form_fields(form)).html

    @property
    def seat(self) -> int:
        return self._seat

    def presses(self, label: str, typed: dict[str, object] | None = None, **fields: object) -> Reply:
        html = re.sub(r"</?hx-partial[^>]*>", "", self.html)
        return self._press(html, label, {**(typed or {}), **fields})


class Stream:
    """An open live stream, read from a real socket."""

    def __init__(
        self,
        port: int,
        path: str,
        memory: int | None = None,
        host: str = "127.0.0.1",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.socket = socket.socket()
        OPEN.append(self)
        self.socket.settimeout(30)
        if memory is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, memory)
        self.socket.connect((host, port))
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_hostname=host)
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAccept: text/event-stream\r\n\r\n".encode())
        self._buffer = b""
        self._chunks: bytes | None = None
        self.head = self._until(b"\r\n\r\n").decode()
        self.status = int(self.head.split()[1])
        if "transfer-encoding: chunked" in self.head.lower():
            self._buffer, self._chunks = b"", self._buffer
            self._unpack()

    def _unpack(self) -> None:
        """A proxy sends a stream in chunks: the size of each, then the chunk, then an empty line."""
        while found := re.match(rb"([0-9a-fA-F]+)\r\n", self._chunks):
            begin, end = found.end(), found.end() + int(found.group(1), 16)
            if begin == end:
                raise EOFError("the stream has ended")
            if len(self._chunks) < end + 2:
                return
            self._buffer += self._chunks[begin:end]
            self._chunks = self._chunks[end + 2 :]

    def _until(self, mark: bytes) -> bytes:
        while mark not in self._buffer:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError("the stream has ended")
            if self._chunks is None:
                self._buffer += data
            else:
                self._chunks += data
                self._unpack()
        found, _, self._buffer = self._buffer.partition(mark)
        return found

    def frame(self) -> str:
        """The next frame that carries something (heartbeats are passed over)."""
        patience = time.monotonic() + 60
        while time.monotonic() < patience:
            raw = self._until(b"\n\n").decode()
            if "data:" in raw:
                return raw
        raise AssertionError("nothing but heartbeats")

    def raw(self) -> bytes:
        """The next frame, whatever it is, byte for byte."""
        return self._until(b"\n\n")

    def version(self, frame: str) -> int:
        return int(re.search(r"^id: (\d+)", frame, re.M).group(1))

    def until(self, words: str) -> str:
        """Read on until a frame says this."""
        while True:
            frame = self.frame()
            if words in text_of(re.sub(r"^data: ?", "", frame, flags=re.M)):
                return frame

    def ended(self) -> bool:
        """Whether the other side hangs up: a stream that goes on beats, however long it is read."""
        deadline = time.monotonic() + 20
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < deadline:
                self.socket.settimeout(max(0.1, deadline - time.monotonic()))
                try:
                    if not self.socket.recv(65536):
                        return True
                except TimeoutError:
                    return False
            return False
        return True

    def close(self) -> None:
        self.socket.close()


def typed(setup: dict[str, object]) -> dict[str, object]:
    """A set-up as a browser would send it: no field for a switch that is off, several for a list."""
    fields: dict[str, object] = {}
    for key, value in setup.items():
        if value is True:
            fields[key] = "true"
        elif isinstance(value, list | tuple):
            fields[key] = [str(one) for one in value]
        elif isinstance(value, dict):
            fields |= {f"{key}.{name}": str(one) for name, one in value.items()}
        elif value is not None and value is not False:
            fields[key] = str(value)
    return fields


def text_of(html: str) -> str:
    """The words of some HTML as a person reads them."""
    html = re.sub(r"</?hx-partial[^>]*>", " ", html)
    node = LexborHTMLParser(
        re.sub(r"</(p|li|h\d|td|th|div|section|button|label|summary|option)>", r"</\1> ", html)
    ).body
    return " ".join(node.text().split()) if node else ""


def find_form(html: str, label: str, fields: dict[str, object]) -> LexborNode:
    """The form with this button; hidden fields given in `fields` tell twins apart."""
    html = re.sub(r"</?hx-partial[^>]*>", "", html)
    forms = []
    for form in LexborHTMLParser(html).css("form"):
        if any(" ".join(button.text().split()).startswith(label) for button in form.css("button")):
            hidden = {node.attributes["name"]: node.attributes.get("value") for node in form.css("input[type=hidden]")}
            if all(hidden.get(key, str(value)) == str(value) for key, value in fields.items()):
                forms.append(form)
    assert forms, f"there is no button {label!r} on this screen: {text_of(html)}"
    return forms[0]


def form_fields(form: LexborNode) -> dict[str, object]:
    """What a browser would send if nothing were typed."""
    fields: dict[str, object] = {}
    for node in form.css("input, select, textarea"):
        name, kind = node.attributes.get("name"), node.attributes.get("type", "text")
        if not name or "disabled" in node.attributes:
            continue
        if node.tag == "select":
            chosen = node.css_first("option[selected]") or node.css_first("option")
            if chosen is not None:
                fields[name] = chosen.attributes.get("value") or ""
        elif kind in ("radio", "checkbox"):
            if "checked" in node.attributes:
                value = node.attributes.get("value") or "on"
                if kind == "checkbox" and name in fields:
                    known = fields[name]
                    fields[name] = [*(known if isinstance(known, list) else [known]), value]
                else:
                    fields[name] = value
        else:
            fields[name] = node.attributes.get("value") or ""
    return fields
