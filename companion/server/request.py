"""Requests as bytes in, requests as data out: strict, and bounded in bytes and in time."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import unquote

IDLE_TIMEOUT_S = 75.0
"""How long a connection may be silent before we close it: longer than a proxy keeps an idle one."""
HEAD_TIMEOUT_S = 15.0
"""From the first byte of a head to its last."""
BODY_TIMEOUT_S = 15.0
MAX_LINE_BYTES = 8 * 1024
"""The request line, which holds the address."""
MAX_HEAD_BYTES = 32 * 1024
"""All headers together: a browser with many tables in its cookies sends a few thousand bytes."""
MAX_HEADERS = 100
MAX_BODY_BYTES = 64 * 1024
MAX_FRAMING_BYTES = 4 * 1024
"""What a body in chunks may have besides the body: their sizes, extensions and trailers."""
CHUNK_MARKS_BYTES = 4
"""The two line ends of a chunk."""

WORD = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
"""A token, as RFC 9110 has it."""
REQUEST_LINE = re.compile(rf"({WORD}) (/[!-~]*) HTTP/1\.([01])")
NAME = re.compile(WORD)
NEVER = re.compile("[\x00-\x08\x0a-\x1f\x7f-\xa0]")
"""Never inside a line: control characters, and the spaces that some programs strip and others do not."""
NEVER_IN_HEAD = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|(?<!\r)\n|\r(?=[^\n])")
"""The same for a head that is not complete: it is refused without waiting for the rest."""
FRAMING = ("content-length", "transfer-encoding")
LENGTH = re.compile(r"[0-9]{1,18}")
CHUNK_SIZE = re.compile(r"[0-9A-Fa-f]{1,15}")


class BadRequest(ValueError):
    """No request, or one that is read differently by different programs; the connection is closed."""

    def __init__(self, status: int = 400) -> None:
        super().__init__(status)
        self.status = status


class Request(NamedTuple):
    """One request. Texts are latin-1, as WSGI wants them."""

    method: str
    target: str
    minor: str
    """Of its HTTP version: 0 or 1."""
    fields: list[tuple[str, str]]
    """All headers as they came, their names in small letters."""
    body: bytes | None = b""
    """None if it is larger than we read: the connection is closed after the answer."""

    def get(self, name: str) -> str | None:
        """The value of the first header of this name."""
        return next((value for field, value in self.fields if field == name), None)

    @property
    def closes(self) -> bool:
        """Whether this is the last request of its connection."""
        said = ",".join(value for name, value in self.fields if name == "connection")
        options = [word.strip(" \t").lower() for word in said.split(",")]
        return self.minor == "0" or "close" in options or self.body is None


def parse_head(head: bytes) -> Request:
    """The request with this head, up to its last line end; it has no body yet."""
    first, *lines = head.split(b"\r\n")
    found = REQUEST_LINE.fullmatch(text_of(first))
    if found is None:
        raise BadRequest
    if len(lines) > MAX_HEADERS:
        raise BadRequest(431)
    fields = []
    for line in lines:
        name, colon, value = text_of(line).partition(":")
        if not colon or not NAME.fullmatch(name):
            raise BadRequest
        fields.append((name.lower(), value.strip(" \t")))
    request = Request(found[1], found[2], found[3], fields)
    check_framing(request)
    return request


def text_of(line: bytes) -> str:
    """A line of a head, if it has nothing that may not be in one."""
    text = line.decode("latin-1")
    readable = text
    if not line.isascii():
        with contextlib.suppress(UnicodeDecodeError):
            readable = line.decode()  # a letter's second byte may look like a space
    if NEVER.search(readable):
        raise BadRequest
    return text


def check_framing(request: Request) -> None:
    """Refuse a request whose end two programs could see in different places, or whose host."""
    names = [name for name, _ in request.fields]
    length, coding = request.get("content-length"), request.get("transfer-encoding")
    if names.count("host") != 1 and (request.minor == "1" or "host" in names):
        raise BadRequest
    if names.count("content-length") + names.count("transfer-encoding") > 1:
        raise BadRequest
    if length is not None and not LENGTH.fullmatch(length):
        raise BadRequest
    if coding is not None and (coding.lower() != "chunked" or request.minor == "0"):
        raise BadRequest


@lru_cache(maxsize=1_000)
def environ_key(name: str) -> str:
    return "CONTENT_TYPE" if name == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"


def environ_of(request: Request) -> dict[str, Any]:
    """A request as WSGI wants it."""
    path, _, query = request.target.partition("?")
    body = b"" if request.body is None else request.body
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method, "SCRIPT_NAME": "", "PATH_INFO": unquote(path, "latin-1"),
        "QUERY_STRING": query, "SERVER_PROTOCOL": f"HTTP/1.{request.minor}", "wsgi.input": BytesIO(body),
        "wsgi.input_terminated": True,
    }  # fmt: skip
    for name, value in request.fields:
        if name in FRAMING:
            environ["CONTENT_LENGTH"] = str(MAX_BODY_BYTES + 1 if request.body is None else len(body))
        elif "_" not in name:  # it would look like another header's name
            key = environ_key(name)
            between = "; " if name == "cookie" else ","
            environ[key] = f"{environ[key]}{between}{value}" if key in environ else value
    return environ


class RequestReader:
    """Reads one request after the other from a connection."""

    def __init__(self, receive: Callable[[float], bytes], send: Callable[[bytes], object]) -> None:
        self._receive = receive
        """Wait at most this many seconds for bytes, while others have their turn. No bytes mean the end."""
        self._send = send
        self._buffer = bytearray()
        self.has_request = False
        """Whether there is a whole head that is not answered yet."""

    @property
    def has_more(self) -> bool:
        """Whether the next request has begun before the last one was answered."""
        return bool(self._buffer)

    def read(self) -> Request | None:
        """The next request, or None if the client has gone."""
        self.has_request = False
        try:
            if not self._buffer:
                self._fill(IDLE_TIMEOUT_S)
        except (OSError, EOFError):
            return None
        try:
            request = self._head()
            return request._replace(body=self._body(request))
        except TimeoutError:
            raise BadRequest(408) from None
        except (OSError, EOFError):
            return None

    def _head(self) -> Request:
        deadline, seen = time.monotonic() + HEAD_TIMEOUT_S, 0
        # Only what is new is looked through, from where a mark may have begun: a head may come byte by byte.
        while (end := self._buffer.find(b"\r\n\r\n", max(0, seen - 3))) < 0 and len(self._buffer) <= MAX_HEAD_BYTES:
            if NEVER_IN_HEAD.search(self._buffer, max(0, seen - 1)):
                raise BadRequest
            self._check_line()
            seen = len(self._buffer)
            self._fill(deadline - time.monotonic())
        self._check_line()
        if not 0 <= end <= MAX_HEAD_BYTES:
            raise BadRequest(431)
        return parse_head(self._take(end + 4)[:-4])

    def _check_line(self) -> None:
        """Refuse a request line that is too long, as soon as it is."""
        longest = MAX_LINE_BYTES + len(b"\r\n")
        if len(self._buffer) >= longest and self._buffer.find(b"\r\n", 0, longest) < 0:
            raise BadRequest(414)

    def _body(self, request: Request) -> bytes | None:
        """The body of a request, or None if it is too large: then the rest of it is not read."""
        self.has_request = True
        chunked, size = request.get("transfer-encoding") is not None, int(request.get("content-length") or 0)
        if size > MAX_BODY_BYTES:
            return None
        if request.minor == "1" and (request.get("expect") or "").lower() == "100-continue" and not self._buffer:
            self._send(b"HTTP/1.1 100 Continue\r\n\r\n")
        deadline = time.monotonic() + BODY_TIMEOUT_S
        return self._chunks(deadline) if chunked else self._exactly(size, deadline)

    def _chunks(self, deadline: float) -> bytes | None:
        body = bytearray()
        line, framing = self._line(deadline), CHUNK_MARKS_BYTES
        while size := self._chunk_size(line):
            if len(body) + size > MAX_BODY_BYTES:
                return None
            chunk = self._exactly(size + 2, deadline)
            if chunk[-2:] != b"\r\n":
                raise BadRequest
            body += chunk[:-2]
            framing += len(line) + CHUNK_MARKS_BYTES
            if framing > MAX_FRAMING_BYTES:
                raise BadRequest
            line = self._line(deadline)
        while trailer := self._line(deadline):
            name, colon, _ = trailer.partition(":")
            framing += len(trailer) + CHUNK_MARKS_BYTES
            if framing > MAX_FRAMING_BYTES or not colon or not NAME.fullmatch(name):
                raise BadRequest
        return bytes(body)

    def _chunk_size(self, line: str) -> int:
        size = line.partition(";")[0]
        if not CHUNK_SIZE.fullmatch(size):
            raise BadRequest
        return int(size, 16)

    def _line(self, deadline: float) -> str:
        while (end := self._buffer.find(b"\r\n")) < 0:
            if len(self._buffer) > MAX_FRAMING_BYTES:
                raise BadRequest
            self._fill(deadline - time.monotonic())
        return text_of(self._take(end + 2)[:-2])

    def _exactly(self, size: int, deadline: float) -> bytes:
        while len(self._buffer) < size:
            self._fill(deadline - time.monotonic())
        return self._take(size)

    def _take(self, size: int) -> bytes:
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def _fill(self, timeout_s: float) -> None:
        if timeout_s <= 0:
            raise TimeoutError
        data = self._receive(timeout_s)
        if not data:
            raise EOFError
        self._buffer += data
