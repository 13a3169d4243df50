"""Our HTTP server: gevent's pywsgi with streams handed to the hub, limits on requests, and a polite shutdown."""

from __future__ import annotations

import contextlib
import logging
import re
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any, BinaryIO

import gevent
from gevent.pywsgi import WSGIHandler, WSGIServer

from companion.live.stream import StreamBody

log = logging.getLogger("companion")

IDLE_TIMEOUT_S = 75.0
"""A connection on which nothing moves for so long is closed; longer than a proxy keeps an idle one."""
MAX_HEAD_BYTES = 32 * 1024
"""All headers together: a browser with many tables in its cookies sends a few thousand bytes."""
MAX_HEADERS = 100
MAX_CONNECTIONS_PER_ADDRESS = 1_000
"""Besides open streams. A club of forty tables behind one address is far from it."""
MAX_DRAINED_BYTES = 1 << 20
"""So much of an unread request is read and dropped, so that the client gets to read our answer."""
READ_BYTES = 65_536
BUFFER_BYTES = 1_024
"""Of each connection: most requests are hardly longer, and a thousand idle phones have one each."""
HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A token, as RFC 9110 has it."""


class HeadTooLarge(ValueError):
    """More headers than any browser sends."""


class Head:
    """The headers of a request, bounded and checked line by line, with the attributes that pywsgi reads."""

    status = ""

    def __init__(self, rfile: BinaryIO) -> None:
        self.headers: list[str] = []
        self._fields: dict[str, str] = {}
        left = MAX_HEAD_BYTES
        while (line := rfile.readline(left)) not in (b"\r\n", b"\n", b""):
            left -= len(line)
            if left <= 0 or len(self.headers) >= MAX_HEADERS:
                raise HeadTooLarge
            name, colon, value = line.decode("latin-1").partition(":")
            if not colon or not HEADER_NAME.fullmatch(name) or not line.endswith(b"\n"):
                raise ValueError("not a header")
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
    """One connection."""

    def __init__(self, sock: Any, address: Any, server: Server) -> None:
        super().__init__(sock, address, server, sock.makefile("rb", BUFFER_BYTES))

    def MessageClass(self, rfile: BinaryIO, *_: Any) -> Head:
        return Head(rfile)

    def handle_one_request(self) -> Any:
        result = super().handle_one_request()
        if isinstance(result, tuple):
            # It could not even be parsed: there is no request, and what there is may hold a link.
            self.requestline = self.command = ""
            self.environ = None
            status = int(result[0])
            self.server.count(status)
            with contextlib.suppress(OSError, gevent.Timeout), gevent.Timeout(IDLE_TIMEOUT_S / 10):
                self.socket.sendall(self.server.problem_page(status))
                self.socket.shutdown(socket.SHUT_WR)
                for _ in range(MAX_DRAINED_BYTES // READ_BYTES):
                    if not self.socket.recv(READ_BYTES):
                        break
            return None
        # An idle connection holds nothing of its last request.
        self.environ = self.headers = self.wsgi_input = None
        self.response_headers: list[Any] = []
        return result

    def handle_one_response(self) -> None:
        self.server.busy += 1
        try:
            super().handle_one_response()
        finally:
            self.server.busy -= 1

    def process_result(self) -> None:
        if not isinstance(self.result, StreamBody):
            super().process_result()
            return
        self.close_connection = True
        self.headers_sent = True
        lines = [b"HTTP/1.1 " + self.status, *[b"%s: %s" % header for header in self.response_headers]]
        head = b"\r\n".join([*lines, b"Connection: close", b"", b""])
        # pywsgi closes its socket when this handler is done, so the hub gets one of its own.
        ours = self.socket
        copy = socket.fromfd(ours.fileno(), ours.family, ours.type, ours.proto)
        self.result.hand_over(copy, head)

    def finalize_headers(self) -> None:
        super().finalize_headers()
        if self.server.leaving and not self.close_connection:
            self.close_connection = True
            self.response_headers.append((b"Connection", b"close"))

    def log_request(self) -> None:
        """Counted, and never written down: a request line holds a link."""
        if self.environ is not None and self.code:
            self.server.count(abs(self.code))

    def log_error(self, *_: Any) -> None:
        log.debug("a request could not be read")

    def _handle_client_error(self, trouble: Exception) -> tuple[str, bytes]:
        self.log_error()
        return "431" if isinstance(trouble, HeadTooLarge) else "400", b""


class Server(WSGIServer):  # type: ignore[misc]
    """One listening process."""

    def __init__(
        self,
        listener: Any,
        app: Any,
        *,
        problem_page: Callable[[int], bytes],
        count: Callable[[int], None] = lambda status: None,
        max_per_address: int = MAX_CONNECTIONS_PER_ADDRESS,
    ) -> None:
        super().__init__(listener, app, handler_class=Handler, log=None)
        self.problem_page = problem_page
        """A whole reply to something that is no request, so that a person still reads a sentence."""
        self.count = count
        """Told the status of every reply."""
        self._max_per_address = max_per_address
        self._connections: dict[Any, None] = {}
        self._by_address: Counter[str] = Counter()
        self.busy = 0
        """How many requests are being answered."""
        self.leaving = False

    def handle(self, sock: Any, address: Any) -> None:
        """Serve one connection until it ends."""
        host = str(address[0])
        if self._by_address[host] >= self._max_per_address:
            with contextlib.suppress(OSError):
                sock.send(self.problem_page(429))
            return
        sock.settimeout(IDLE_TIMEOUT_S)
        # Without this, what is sent in two pieces waits for the phone's delayed acknowledgement: 40 ms.
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connections[sock] = None
        self._by_address[host] += 1
        try:
            super().handle(sock, address)
        finally:
            del self._connections[sock]
            self._by_address[host] -= 1
            if not self._by_address[host]:
                del self._by_address[host]

    def leave(self, patience_s: float) -> None:
        """Accept no new connection, and let every request that is being answered finish."""
        self.leaving = True
        self.close()
        with gevent.Timeout(patience_s, False):
            while self.busy:
                gevent.sleep(0.01)
        for sock in list(self._connections):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
