"""Our own server: gevent's, except that it hands live streams over to the hub, and reads a request's head quickly."""

from __future__ import annotations

import contextlib
import socket
from typing import Any, BinaryIO

from gevent.pywsgi import WSGIHandler, WSGIServer

from companion.engine.live import Live

LONGEST_LINE = 16 * 1024
MOST_LINES = 100


class Head:
    """The lines before a request's body, with the names that gevent asks for."""

    def __init__(self, file: BinaryIO) -> None:
        self.status = ""
        self.headers: list[str] = []
        self._fields: dict[str, str] = {}
        while (line := file.readline(LONGEST_LINE + 1)) not in (b"\r\n", b"\n", b""):
            name, colon, value = line.decode("latin-1").partition(":")
            if not colon or not name or name != name.strip() or not line.endswith(b"\n"):
                self.status = "not a header"  # gevent answers 400
                break
            if len(self.headers) >= MOST_LINES:
                self.status = "too many headers"
                break
            self.headers.append(f"{name}:{value}")
            self._fields.setdefault(name.lower(), value.strip())

    def get(self, name: str, default: Any = None) -> Any:
        return self._fields.get(name.lower(), default)

    getheader = get

    @property
    def typeheader(self) -> str | None:
        return self._fields.get("content-type")

    def __delitem__(self, name: str) -> None:
        del self._fields[name.lower()]


class Handler(WSGIHandler):  # type: ignore[misc]
    """Serves one connection; a live stream leaves it, and its greenlet ends."""

    def MessageClass(self, file: BinaryIO, *_: Any) -> Head:
        return Head(file)

    def handle(self) -> None:
        # A reply goes out in two pieces, its head and its body. Without this, the second one waits for the phone's
        # acknowledgement of the first, which phones put off for 40 ms.
        with contextlib.suppress(OSError):
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().handle()

    def process_result(self) -> None:
        if not isinstance(self.result, Live):
            super().process_result()
            return
        self.close_connection = True
        self.headers_sent = True
        head = [b"HTTP/1.1 " + self.status]
        head += [name + b": " + value for name, value in self.response_headers]
        head += [b"Connection: close", b"\r\n"]
        self.result.take(self.socket, b"\r\n".join(head))


def make_server(listener: Any, app: Any, **options: Any) -> WSGIServer:
    return WSGIServer(listener, app, handler_class=Handler, log=None, **options)
