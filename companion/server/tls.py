"""Connections that speak TLS, for --https."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
from typing import Any

import gevent
from gevent.ssl import SSLContext, SSLSocket

HANDSHAKE_S = 10.0
TLS_RECORD = 0x16
"""The first byte that somebody who speaks TLS sends."""
MAX_PLAIN_BYTES = 4_096
WAITS = (ssl.SSLWantReadError, ssl.SSLWantWriteError)
PLAIN_REQUEST = re.compile(rb"(?:GET|HEAD) (/[!-~]*) HTTP/1\.[01]\r\n(?:.*\r\n)*?host: ?([a-z0-9.:\[\]-]+)\r\n", re.I)


class TlsStream:
    """A TLS connection as the hub uses a socket: it never waits, and says so as a plain socket does."""

    def __init__(self, sock: SSLSocket) -> None:
        self._socket = sock
        self.setsockopt, self.fileno, self.close = sock.setsockopt, sock.fileno, sock.close

    def setblocking(self, flag: bool) -> None:
        self._socket.setblocking(flag)

    def send(self, data: bytes) -> int:
        try:
            return int(self._socket.send(data))
        except ssl.SSLError as trouble:
            raise (BlockingIOError if isinstance(trouble, WAITS) else ConnectionError) from None

    def recv(self, size: int) -> bytes:
        try:
            return bytes(self._socket.recv(size))
        except ssl.SSLError as trouble:
            raise (BlockingIOError if isinstance(trouble, WAITS) else ConnectionError) from None


def shake_hands(sock: Any, context: SSLContext) -> SSLSocket | None:
    """Begin to speak TLS. Whoever speaks plain HTTP is told where to go on; whoever is too slow is left."""
    answer = (
        b"HTTP/1.1 307 Temporary Redirect\r\nLocation: https://%s%s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
    with contextlib.suppress(OSError), gevent.Timeout(HANDSHAKE_S, False):
        first = sock.recv(1, socket.MSG_PEEK)
        if first and first[0] == TLS_RECORD:
            return context.wrap_socket(sock, server_side=True)
        if first and (found := PLAIN_REQUEST.match(sock.recv(MAX_PLAIN_BYTES))):
            sock.sendall(answer % (found[2], found[1]))
    sock.close()
    return None
