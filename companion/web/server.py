"""Our own server: gevent's, except that it hands live streams over to the hub."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

from gevent.pywsgi import WSGIHandler, WSGIServer

from companion.engine.live import Live


class Handler(WSGIHandler):  # type: ignore[misc]
    """Serves one connection; a live stream leaves it, and its greenlet ends."""

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
