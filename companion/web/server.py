"""Our own server: gevent's, but it answers quickly what came whole, hands streams to the hub, and leaves politely."""

from __future__ import annotations

import contextlib
import logging
import socket
import time
from typing import Any, BinaryIO

import gevent
from flask import Flask
from gevent.hub import Waiter
from gevent.pywsgi import WSGIHandler, WSGIServer

from companion.web.callers import AT_ONCE, HEAD_LIMIT, MOST_LINES, Caller, Environ, Reader, Reply, whole_request
from companion.web.errors import trouble
from companion.web.stream import Live

log = logging.getLogger("companion")

IDLE = 75.0
"""A connection on which nothing moves for so long is closed; longer than a proxy keeps an idle one."""
HANDS = 100
"""So many greenlets stay when there is nobody to serve."""
WASTE = 1 << 20
"""So much of what is too large is read and dropped, so that the caller gets to read our answer."""


class HeadTooLarge(ValueError):
    """More headers than anybody needs."""


class Head:
    """The lines before a request's body, with the names that gevent asks for."""

    def __init__(self, file: BinaryIO) -> None:
        self.status = ""
        self.headers: list[str] = []
        self._fields: dict[str, str] = {}
        left = HEAD_LIMIT
        while (line := file.readline(left)) not in (b"\r\n", b"\n", b""):
            left -= len(line)
            if left <= 0 or len(self.headers) >= MOST_LINES:
                raise HeadTooLarge
            name, colon, value = line.decode("latin-1").partition(":")
            if not colon or not name or name != name.strip() or not line.endswith(b"\n"):
                self.status = "not a header"  # gevent answers 400
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
    """Reads and answers what is unusual, or came in pieces."""

    def handle(self) -> bool:
        """Whether the connection goes on to another request, which has not come yet."""
        while self.handle_one_request():
            if not self.rfile.held:
                return True
        return False

    def MessageClass(self, file: BinaryIO, *_: Any) -> Head:
        return Head(file)

    def handle_one_request(self) -> Any:
        result = super().handle_one_request()
        if isinstance(result, tuple):
            # It could not even be read: there is no request yet, and what there is may hold a link.
            status = int(result[0])
            self.server.count("", "", status)
            self.requestline = self.command = ""
            with contextlib.suppress(OSError, gevent.Timeout), gevent.Timeout(IDLE / 10):
                self.socket.sendall(self.server.page_about(status))
                self.socket.shutdown(socket.SHUT_WR)
                for _ in range(WASTE // AT_ONCE):
                    if not self.socket.recv(AT_ONCE):
                        break
            return None
        return result

    def handle_one_response(self) -> None:
        self.server.busy += 1
        try:
            super().handle_one_response()
        finally:
            self.server.busy -= 1

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

    def finalize_headers(self) -> None:
        super().finalize_headers()
        if self.server.leaving and not self.close_connection:
            self.close_connection = True
            self.response_headers.append((b"Connection", b"close"))

    def log_request(self) -> None:
        """Counted, not written down: a request line holds a link."""
        if self.environ is not None and self.code:
            self.server.count(self.command, self.environ["PATH_INFO"], abs(self.code))

    def log_error(self, *_: Any) -> None:
        log.debug("a request could not be read")

    def _handle_client_error(self, trouble: Exception) -> tuple[str, bytes]:
        self.log_error()
        return "431" if isinstance(trouble, HeadTooLarge) else "400", b""


class Server(WSGIServer):  # type: ignore[misc]
    """One listening process."""

    def __init__(self, listener: Any, app: Flask, **options: Any) -> None:
        super().__init__(listener, app, handler_class=Handler, log=None, **options)
        self._app = app
        # Any other application can be served, too; nobody counts for it.
        parts = app.extensions["companion"] if isinstance(app, Flask) else None
        self.count = parts.meter.answered if parts else lambda *_: None
        self._waiting: dict[Caller, None] = {}
        """Whoever is connected and asks nothing just now; who has waited longest is first."""
        self._idle: list[Any] = []
        """Greenlets with nobody to serve just now."""
        self._usher: gevent.Greenlet | None = None
        self.busy = 0
        self.leaving = False

    def do_handle(self, sock: Any, address: Any) -> None:
        """Somebody has connected."""
        sock.settimeout(IDLE)
        # Without this, what is sent in two pieces waits for the phone's acknowledgement of the first one, which
        # phones put off for 40 ms.
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._wait_for(Caller(sock, address))

    def _wait_for(self, caller: Caller) -> None:
        self._waiting[caller] = None
        if not self._usher:
            self._usher = gevent.spawn(self._see_them_off)
        caller.wait(self._comes)

    def _comes(self, caller: Caller) -> None:
        del self._waiting[caller]
        if self._idle:
            self._idle.pop().switch(caller)
        else:
            gevent.spawn(self._serve_some, caller)

    def _serve_some(self, caller: Caller) -> None:
        """Serves one after the other: a greenlet that stays is cheaper than a new one for every request."""
        self._serve(caller)
        while len(self._idle) < HANDS:
            waiter = Waiter()
            self._idle.append(waiter)
            self._serve(waiter.get())

    def _see_them_off(self) -> None:
        """Whoever asks nothing for long has gone."""
        while self._waiting:
            longest = next(iter(self._waiting))
            if (left := longest.since + IDLE - time.monotonic()) > 0:
                gevent.sleep(left)
            else:
                del self._waiting[longest]
                longest.close()

    def _serve(self, caller: Caller) -> None:
        stays = False
        try:
            if data := caller.read():
                if (request := whole_request(data, self.environ, caller.address)) is not None:
                    stays = self._answer(caller, request)
                else:
                    stays = Handler(caller.socket, caller.address, self, Reader(caller.socket, data)).handle()
        except OSError:
            pass  # they have hung up
        finally:
            if stays:
                self._wait_for(caller)
            else:
                caller.close()

    def _answer(self, caller: Caller, request: Environ) -> bool:
        """Whether the connection stays."""
        reply, status = Reply(), 500
        self.busy += 1
        try:
            result = self.application(request, reply.begin)
            status = int(reply.status[:3])
            if isinstance(result, Live):
                result.take(caller.socket, reply.head(("Connection", "close")))
                return False
            body = b"".join(result)
            if hasattr(result, "close"):
                result.close()
            more = (("Connection", "close"),) if self.leaving else ()
            caller.send(reply.whole(body, *more))
            return not self.leaving
        except OSError:
            raise
        except Exception:
            log.exception("a bug, not a refusal")
            caller.send(self.page_about(500))
            return False
        finally:
            self.busy -= 1
            self.count(request["REQUEST_METHOD"], request["PATH_INFO"], status)

    def page_about(self, status: int) -> bytes:
        """A whole reply to something that is no request, so that a person still gets a sentence."""
        with self._app.test_request_context():
            reply = self._app.process_response(trouble(status))
        reply.headers["Connection"] = "close"
        head = [f"HTTP/1.1 {reply.status}", *(f"{name}: {value}" for name, value in reply.headers)]
        return "\r\n".join([*head, "", ""]).encode() + reply.get_data()

    def leave(self, patience: float) -> None:
        """Accept nobody any more, and let everybody who is being served finish."""
        self.leaving = True
        self.close()
        for caller in list(self._waiting):
            caller.close()
        self._waiting.clear()
        with gevent.Timeout(patience, False):
            while self.busy:
                gevent.sleep(0.01)


def make_server(listener: Any, app: Flask, **options: Any) -> Server:
    return Server(listener, app, **options)
