"""An open live stream of a companion, read from a real socket."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import time
from typing import Protocol

from companion.testing.forms import text_of


class Closes(Protocol):
    def close(self) -> None: ...


OPEN: list[Closes] = []
"""Everything that holds a socket; closed at the end of a test."""


def everybody_leaves() -> None:
    while OPEN:
        OPEN.pop().close()


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
        """Bytes of a chunked stream that are not decoded yet."""
        self.head = self._until(b"\r\n\r\n").decode()
        self.status = int(self.head.split()[1])
        if "transfer-encoding: chunked" in self.head.lower():
            self._buffer, self._chunks = b"", self._buffer
            self._unpack()

    def _unpack(self) -> None:
        """Decode the chunked transfer encoding of a proxy."""
        chunks = self._chunks or b""
        while found := re.match(rb"([0-9a-fA-F]+)\r\n", chunks):
            begin, end = found.end(), found.end() + int(found.group(1), 16)
            if begin == end:
                raise EOFError("the stream has ended")
            if len(chunks) < end + 2:
                break
            self._buffer += chunks[begin:end]
            chunks = chunks[end + 2 :]
        self._chunks = chunks

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
        """Return the next frame that is not a heartbeat."""
        patience = time.monotonic() + 60
        while time.monotonic() < patience:
            raw = self._until(b"\n\n").decode()
            if "data:" in raw:
                return raw
        raise AssertionError("nothing but heartbeats")

    def raw(self) -> bytes:
        """Return the bytes of the next frame, heartbeats included."""
        return self._until(b"\n\n")

    def version(self, frame: str) -> int:
        found = re.search(r"^id: (\d+)", frame, re.M)
        assert found is not None, frame
        return int(found.group(1))

    def until(self, words: str) -> str:
        """Read until a frame contains this text."""
        while True:
            frame = self.frame()
            if words in text_of(re.sub(r"^data: ?", "", frame, flags=re.M)):
                return frame

    def ended(self) -> bool:
        """Return whether the server closes the stream; an open stream keeps sending heartbeats."""
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
