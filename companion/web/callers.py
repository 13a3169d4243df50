"""Somebody's connection: while nothing is asked on it, it costs a socket that is watched, and no greenlet.

Nearly every request comes whole, in one piece: it is read here. Whatever is unusual about
a request, gevent's own handler reads it from its first byte.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

import gevent
from gevent.pywsgi import MAX_REQUEST_LINE, format_date_time

Environ = dict[str, Any]
READ = 1
AT_ONCE = 65_536
"""Bytes that are read at once."""
_heard = memoryview(bytearray(AT_ONCE))
HEAD_LIMIT = 32 * 1024
"""All headers together: a browser with many tables in its cookies sends a few thousand bytes."""
MOST_LINES = 100
METHODS = ("GET", "POST")
EMPTY = ("204", "304")
UNUSUAL = ("HTTP_TRANSFER_ENCODING", "HTTP_EXPECT", "HTTP_UPGRADE")


class Caller:
    """Whoever is connected, between two requests and during one."""

    __slots__ = ("_comes", "_rests", "_watcher", "address", "since", "socket")

    def __init__(self, sock: Any, address: Any) -> None:
        self.socket = sock
        self.address = address
        self.since = 0.0
        self._comes: Callable[[Caller], None] | None = None
        self._watcher: Any = None
        self._rests = True
        """Whether the watcher does: it goes on through a request, unless more is said meanwhile."""

    def wait(self, comes: Callable[[Caller], None]) -> None:
        """Until something is asked, or they hang up."""
        self.since = time.monotonic()
        self._comes = comes
        if self._watcher is None:
            self._watcher = gevent.get_hub().loop.io(self.socket.fileno(), READ)
        if self._rests:
            self._rests = False
            self._watcher.start(self._stir)

    def _stir(self) -> None:
        if self._comes is None:
            # They say more while they are being answered: it is heard when that is done.
            self._watcher.stop()
            self._rests = True
        else:
            comes, self._comes = self._comes, None
            comes(self)

    def read(self) -> bytes:
        """What has come; nothing, if they have hung up."""
        return bytes(_heard[: self.socket.recv_into(_heard)])

    def send(self, data: bytes) -> None:
        if (sent := self.socket.send(data)) < len(data):
            self.socket.sendall(data[sent:])

    def close(self) -> None:
        if self._watcher is not None:
            self._watcher.stop()
            self._watcher.close()
            self._watcher = None
        # With something left unread, the system would hang up before our answer is through.
        with contextlib.suppress(OSError):
            os.read(self.socket.fileno(), AT_ONCE)
        with contextlib.suppress(OSError):
            self.socket.close()


class Reader:
    """What has come on a connection, as the file that gevent reads it from."""

    closed = False

    def __init__(self, sock: Any, held: bytes) -> None:
        self._socket = sock
        self.held = held
        """What came already and nobody has asked for yet."""

    def readline(self, limit: int) -> bytes:
        while (end := self.held.find(b"\n", 0, limit) + 1) == 0 and len(self.held) < limit and self._more():
            pass
        return self._take(end or limit)

    def read(self, size: int) -> bytes:
        while len(self.held) < size and self._more():
            pass
        return self._take(size)

    def _more(self) -> bool:
        more = self._socket.recv(AT_ONCE)
        self.held += more
        return bool(more)

    def _take(self, size: int) -> bytes:
        taken, self.held = self.held[:size], self.held[size:]
        return taken


@lru_cache(maxsize=500)
def named(header: str) -> str:
    """As WSGI calls this header; nothing, if it is not a name that we would take."""
    if not header.replace("-", "").isalnum() or not header.isascii():
        return ""
    name = header.replace("-", "_").upper()
    return name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"


def whole_request(data: bytes, base: Environ, address: Any) -> Environ | None:
    """A request that came in one piece with nothing unusual about it, for the application; None for any other."""
    head, end, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, _, rest = first.partition(" ")
    target, _, protocol = rest.partition(" ")
    if not end or method not in METHODS or protocol != "HTTP/1.1" or target[:1] != "/":
        return None
    if len(first) > MAX_REQUEST_LINE or len(head) > HEAD_LIMIT or len(lines) > MOST_LINES:
        return None
    path, _, query = target.partition("?")
    environ = base | {
        "REQUEST_METHOD": method, "SCRIPT_NAME": "", "QUERY_STRING": query, "SERVER_PROTOCOL": protocol,
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1") if "%" in path else path,
        "REMOTE_ADDR": str(address[0]), "REMOTE_PORT": str(address[1]),
        "wsgi.input": BytesIO(body), "wsgi.input_terminated": True,
    }  # fmt: skip
    for line in lines:
        header, colon, value = line.partition(":")
        name = named(header)
        if not colon or not name or name in environ or "\n" in value or "\r" in value:
            return None
        environ[name] = value.strip()
    if environ.get("HTTP_CONNECTION", "keep-alive").lower() != "keep-alive" or not environ.keys().isdisjoint(UNUSUAL):
        return None
    length = environ.get("CONTENT_LENGTH", "0")
    return environ if length.isascii() and length.isdecimal() and int(length) == len(body) else None


class Reply:
    """What the application says before its answer, and both as they go out: in one piece."""

    status = ""
    headers: Sequence[tuple[str, str]] = ()

    def begin(self, status: str, headers: Sequence[tuple[str, str]], *_: Any) -> Callable[[bytes], object]:
        """WSGI's `start_response`."""
        self.status, self.headers = status, headers
        return refuse_to_write

    def head(self, *more: tuple[str, str]) -> bytes:
        lines = [f"HTTP/1.1 {self.status}", *[f"{name}: {value}" for name, value in (*self.headers, *more)]]
        text = "\r\n".join([*lines, f"Date: {date(int(time.time()))}", "", ""])
        if text.count("\n") != len(lines) + 2 or text.count("\r") != len(lines) + 2:
            raise ValueError("a header of more than one line")
        return text.encode("latin-1")

    def whole(self, body: bytes, *more: tuple[str, str]) -> bytes:
        if self.status[:3] not in EMPTY and not any(name == "Content-Length" for name, _ in self.headers):
            more = (*more, ("Content-Length", str(len(body))))
        return self.head(*more) + body


@lru_cache(maxsize=1)
def date(second: int) -> str:
    return str(format_date_time(second).decode())


def refuse_to_write(_: bytes) -> None:
    raise NotImplementedError("an application returns its answer")
