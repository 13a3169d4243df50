"""Our HTTP server: gevent's pywsgi with our own reader, fair turns, limits on connections, and a polite shutdown."""

from __future__ import annotations

import contextlib
import errno
import socket
import time
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from itertools import chain
from typing import Any

import gevent
import gevent.event
import gevent.socket
from gevent.pywsgi import Input, WSGIHandler, WSGIServer
from gevent.ssl import SSLContext

from companion.live.networks import network_of
from companion.live.stream import StreamBody
from companion.server.request import IDLE_TIMEOUT_S, BadRequest, Request, RequestReader, environ_of
from companion.server.tls import TlsSocket, shake_hands
from companion.server.turns import Turns

MAX_IDLE_PER_ADDRESS = 200
"""Connections on which no whole request has come yet, or the last one was answered; open streams are none of them."""
MAX_DRAINED_BYTES = 1 << 20
"""How much of an unread request is read and dropped, so that the client can read our answer."""
MAX_DRAIN_S = 5.0
READ_BYTES = 16_384
CONNECTION_COST_S = 0.000_2
"""What it takes to accept a connection, besides what we measure."""
EMPTY = Input(BytesIO(), 0)
"""pywsgi reads on from here after an answer, but we have read the whole body before."""


class Handler(WSGIHandler):  # type: ignore[misc]
    """One connection."""

    def __init__(self, sock: Any, address: Any, server: Server) -> None:
        self.socket = sock
        self.client_address, self.reached = address, str(sock.getsockname()[0])
        self.server = server
        self.network = network_of(str(address[0]))
        self.caller = self.network  # behind a proxy: the client that it names
        self.reader = RequestReader(self._receive, lambda data: self.socket.sendall(data))  # noqa: PLW0108  TLS or not
        self._evicted = False
        self._began: float | None = self._now() - CONNECTION_COST_S

    def _receive(self, timeout_s: float) -> bytes:
        deadline = time.monotonic() + timeout_s
        while True:
            self.wait_read(deadline)
            with contextlib.suppress(BlockingIOError):  # TLS has half a record
                return self.socket.recv(READ_BYTES)  # type: ignore[no-any-return]

    def wait_read(self, deadline: float) -> None:
        """Wait for bytes, while others have their turn: gevent's own `recv` gives them none if bytes are there."""
        self.account()
        if (left_s := deadline - time.monotonic()) <= 0:
            raise TimeoutError
        if isinstance(self.socket, TlsSocket) and self.socket.pending():
            gevent.sleep(0)  # they are not on the wire any more
        else:
            gevent.socket.wait_read(self.socket.fileno(), left_s)
        self._began = self._now()

    def may_begin(self) -> bool:
        """Wait until this network may make us compute a handshake; false if the connection was closed meanwhile."""
        is_open, self._began = self._waits_for_turn(self.network, impatient=False), self._now()
        self.server.rest(self)
        return is_open

    def evict(self) -> None:
        """Close this connection, whatever it waits for."""
        self._evicted = True
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        if (turn := self.server.queued.pop(self, None)) is not None:
            turn.set()

    def handle_one_request(self) -> bool | None:
        """Answer the next request; true if there may be another one."""
        impatient = self.reader.has_more
        try:
            request = self.reader.read()
        except BadRequest as bad:
            # There is no request, and what there is may hold a link: nothing of it is kept.
            if self._waits_for_turn(self.network, impatient=impatient):
                self.server.count(bad.status)
                with contextlib.suppress(OSError):
                    self.socket.sendall(self.server.problem_page(bad.status))
                self._drain()
            return None
        if request is None or not self._waits_for_turn(self.server.caller(self.network, request), impatient=impatient):
            return None
        self._take(request)
        self.handle_one_response()
        # An idle connection holds nothing of its last request.
        self.environ = None
        self.response_headers: list[Any] = []
        if request.body is None:
            self._drain()
        return None if self.close_connection else True

    def _waits_for_turn(self, caller: str, *, impatient: bool) -> bool:
        """Wait for this caller's turn; false if the connection was closed meanwhile."""
        self.account()
        self.caller = caller
        self.server.stir(self)
        if (turn := self.server.turns.enter(caller, impatient=impatient)) is not None:
            self.server.queued[self] = turn
            turn.wait()
            self.server.queued.pop(self, None)
        return not self._evicted

    def _take(self, request: Request) -> None:
        """Make this request the one that pywsgi answers."""
        self.command, self.path, self.request_version = request.method, request.target, f"HTTP/1.{request.minor}"
        self.close_connection = request.closes
        self.environ = environ = self.server.get_environ()
        environ.update(environ_of(request), REMOTE_ADDR=str(self.client_address[0]), SERVER_ADDR=self.reached)
        self.application, self.wsgi_input = self.server.application, EMPTY

    def _drain(self) -> None:
        """Keep reading for a while: a client that is still sending would not read our answer otherwise."""
        self.server.rest(self)
        with contextlib.suppress(OSError), gevent.Timeout(MAX_DRAIN_S, False):
            self.socket.shutdown(socket.SHUT_WR)
            for _ in range(MAX_DRAINED_BYTES // READ_BYTES):
                if not self._receive(MAX_DRAIN_S):
                    break

    def handle_one_response(self) -> None:
        self._began = self._now()
        try:
            super().handle_one_response()
        finally:
            self._rest()

    def _rest(self) -> None:
        """The application has answered: what follows waits for the client only."""
        self.account()
        self.server.rest(self)

    def account(self) -> None:
        """Somebody else's turn comes: what we did since ours began counts for the caller."""
        if self._began is not None:
            self.server.turns.add(self.caller, max(0.0, self._now() - self._began))
            self._began = None

    def _now(self) -> float:
        """The time that we have worked, without what counts for somebody else already."""
        return time.thread_time() - self.server.turns.total_s

    def process_result(self) -> None:
        if not isinstance(self.result, StreamBody):
            if self.provided_content_length is not None:  # all of it is there
                self._rest()
            super().process_result()
            return
        self.close_connection = self.headers_sent = True
        fields = [b"%s: %s" % header for header in self.response_headers]
        head = b"\r\n".join([b"HTTP/1.1 " + self.status, *fields, b"Connection: close", b"", b""])
        # pywsgi closes its socket when this handler is done, so the hub gets a duplicate; or TLS, which has none.
        ours = self.socket
        if isinstance(ours, TlsSocket):
            self.socket = None
        else:
            ours = socket.fromfd(ours.fileno(), ours.family, ours.type, ours.proto)
        self.result.hand_over(ours, head)

    def finalize_headers(self) -> None:
        super().finalize_headers()
        self.close_connection = self.close_connection or self.server.leaving
        if self.close_connection and self.request_version == "HTTP/1.1":
            self.response_headers.append((b"Connection", b"close"))

    def _sendall(self, data: bytes) -> None:
        try:
            super()._sendall(data)
        except OSError:
            # A phone that hangs up or falls asleep is no bug, whatever the system calls it.
            raise BrokenPipeError(errno.EPIPE, "the client has gone") from None

    def log_request(self) -> None:
        """Count the request but do not log it: a request line holds a link."""
        if self.code:
            self.server.count(abs(self.code))


class Server(WSGIServer):  # type: ignore[misc]
    """One listening process."""

    max_accept = 10
    """How many connections are accepted before those that we have get their turn again."""

    def __init__(
        self,
        listener: Any,
        app: Any,
        *,
        problem_page: Callable[[int], bytes],
        count: Callable[[int], None] = lambda status: None,
        max_open: int | None = None,
        streams: Callable[[], int] = lambda: 0,
        proxies: int = 0,
        tls: SSLContext | None = None,
    ) -> None:
        environ = {"wsgi.url_scheme": "https" if tls else "http"}
        super().__init__(listener, app, handler_class=Handler, log=None, environ=environ)
        self._tls = tls
        """With this, every connection is encrypted."""
        self.problem_page = problem_page
        """A whole reply to something that is no request, so that a person still reads a sentence."""
        self.count = count
        """Told the status of every reply."""
        self._max_open = max_open
        """The limit of open connections and streams. Beyond it, a new one replaces the longest idle one."""
        self._streams = streams
        """How many of our connections are streams now."""
        self._proxies = proxies
        """How many of them stand in front. Everybody comes from their address, so that none is limited by itself."""
        self._connections: dict[Handler, None] = {}
        self._idle: dict[Handler, None] = {}
        """Those without a request to answer, the longest idle first, whatever they send."""
        self._idle_of: Counter[str] = Counter()
        """How many of them are idle, by network."""
        self.queued: dict[Handler, gevent.event.Event] = {}
        """Those with a request that waits for its turn."""
        self.turns = Turns()
        self.leaving = False

    def handle(self, sock: Any, address: Any) -> None:
        """Serve one connection until it ends."""
        handler = self.handler_class(sock, address, self)
        if not self._make_room(handler):
            with contextlib.suppress(OSError):
                sock.send(self.problem_page(429))
            return
        sock.settimeout(IDLE_TIMEOUT_S)
        # Without this, what is sent in two pieces waits for the phone's delayed acknowledgement: 40 ms.
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connections[handler] = None
        self.rest(handler)
        try:
            if self._tls is None or shake_hands(handler, self._tls):
                handler.handle()
        finally:
            handler.account()
            del self._connections[handler]
            self.stir(handler)
            del handler.reader  # which knows the handler: neither would be freed before the next garbage collection

    def _make_room(self, new: Handler) -> bool:
        """Close the longest idle connection if there is no room for a new one; false if all of them are busy."""
        if not self._proxies and self._idle_of[new.network] >= MAX_IDLE_PER_ADDRESS:
            leaving = next(one for one in self._idle if one.network == new.network)
        elif self._max_open is None or len(self._connections) + self._streams() < self._max_open:
            return True
        elif (found := next(chain(self._idle, self.queued), None)) is not None:
            leaving = found
        else:
            return False
        self.stir(leaving)
        leaving.evict()
        return True

    def rest(self, handler: Handler) -> None:
        """Mark this connection as idle."""
        if handler not in self._idle:
            self._idle[handler] = None
            self._idle_of[handler.network] += 1

    def stir(self, handler: Handler) -> None:
        """Mark this connection as busy."""
        if handler in self._idle:
            del self._idle[handler]
            if left := self._idle_of.pop(handler.network) - 1:
                self._idle_of[handler.network] = left

    def caller(self, network: str, request: Request) -> str:
        """The network of the client. Behind proxies, it is the one that they name."""
        if not self._proxies:
            return network
        said = ",".join(value for name, value in request.fields if name == "x-forwarded-for").split(",")
        return network_of(said[-self._proxies].strip()) if len(said) >= self._proxies else network

    def leave(self, patience_s: float) -> None:
        """Accept no new connection, and let every request that is being answered finish."""
        self.leaving = True
        self.close()
        with gevent.Timeout(patience_s, False):
            while any(handler.reader.has_request for handler in self._connections):
                gevent.sleep(0.01)
        for handler in list(self._connections):
            handler.evict()
