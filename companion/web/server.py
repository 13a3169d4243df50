"""Our own server: gevent's, except that it hands live streams over to the hub."""

from __future__ import annotations

from typing import Any

from gevent.pywsgi import WSGIHandler, WSGIServer

from companion.engine.live import Live


class Handler(WSGIHandler):  # type: ignore[misc]
    """Serves one connection; a live stream leaves it, and its greenlet ends."""

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
