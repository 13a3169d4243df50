"""Connections that speak TLS, for --https.

OpenSSL reads on by itself for as long as records come that hold nothing for us, such as new keys: one phone could keep
the thread that serves all of them. So it never touches the socket: we give it a few kilobytes at a time.
"""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import time
from typing import TYPE_CHECKING, Any

import gevent.socket

if TYPE_CHECKING:
    from companion.server.http import Handler

HANDSHAKE_S = 10.0
TLS_RECORD = 0x16
"""The first byte of a TLS handshake."""
MAX_PLAIN_BYTES = 4_096
RECORD_BYTES = 16_384
"""The largest TLS record."""
READ_BYTES = 4_096
"""How much is decrypted before others get their turn."""
MAX_IDLE_BYTES, MAX_COST = 40_000, 64
"""How much a connection may send that is no request: a handshake and a record, and so many bytes for each of ours."""
PLAIN_REQUEST = re.compile(rb"(?:GET|HEAD) (/[!-~]*) HTTP/1\.[01]\r\n(?:.*\r\n)*?host: ?([a-z0-9.:\[\]-]+)\r\n", re.I)


class TlsSocket:
    """A TLS connection as the server and the hub use a socket. Only `sendall` waits."""

    def __init__(self, sock: Any, context: ssl.SSLContext) -> None:
        self._timeout = sock.gettimeout()
        # The server closes the accepted socket, but a stream outlives it: keep a duplicate.
        self._socket = gevent.socket.socket(sock.family, sock.type, sock.proto, fileno=sock.detach())
        self._socket.setblocking(False)
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_side=True)
        self._unsent = b""
        """Encrypted bytes that the network has not taken yet."""
        self._owed = 0
        """How many bytes of the next `send` are already in there."""
        self._came = self._read = 0
        self._wants_more = True
        self.setsockopt, self.fileno = self._socket.setsockopt, self._socket.fileno
        self.shutdown, self.close = self._socket.shutdown, self._socket.close

    def setblocking(self, flag: bool) -> None:
        """It never blocks."""

    def shake(self) -> bool:
        """Continue the handshake; false if we have to wait for the other side."""
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                self._wants_more = True
                self._flush()
            except ssl.SSLError:
                self._flush()  # which says why
                raise
            else:
                self._flush()
                return True
            try:
                if not self._fetch():
                    raise ConnectionError
            except BlockingIOError:
                return False

    def pending(self) -> bool:
        """Whether something may be read without waiting for the network."""
        return not self._wants_more

    def recv(self, size: int) -> bytes:
        """Decrypted bytes, none at the end; `BlockingIOError` if there are none yet."""
        if self._wants_more and not self._fetch():
            return b""
        try:
            data = self._tls.read(size)
        except ssl.SSLWantReadError:
            self._wants_more = True
            self._flush()
            raise BlockingIOError from None
        except ssl.SSLZeroReturnError:
            return b""
        self._read += len(data)
        return data

    def _fetch(self) -> bool:
        """Read what has arrived; false at the end of the connection."""
        data = self._socket.recv(READ_BYTES)
        self._came += len(data)
        if self._came > MAX_IDLE_BYTES + MAX_COST * self._read:
            raise ConnectionError
        self._in.write(data)
        self._wants_more = False
        return bool(data)

    def send(self, data: bytes) -> int:
        """Send as much as the network takes now, and return how much. The caller sends the rest again."""
        sent = 0
        while sent < len(data):
            self._owed = self._owed or self._tls.write(data[sent : sent + RECORD_BYTES])
            if not self._flush():
                break
            sent, self._owed = sent + self._owed, 0
        return sent

    def sendall(self, data: bytes) -> None:
        while data := data[self.send(data) :]:
            gevent.socket.wait_write(self.fileno(), self._timeout)

    def _flush(self) -> bool:
        """Whether everything encrypted could be sent."""
        self._unsent += self._out.read()
        while self._unsent:
            try:
                self._unsent = self._unsent[self._socket.send(self._unsent) :]
            except BlockingIOError:
                return False
        return True


def shake_hands(handler: Handler, context: ssl.SSLContext) -> bool:
    """Start TLS. Plain HTTP is redirected, and a handshake that takes too long is closed."""
    answer = (
        b"HTTP/1.1 307 Temporary Redirect\r\nLocation: https://%s%s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
    with contextlib.suppress(OSError):
        handler.wait_read(time.monotonic() + HANDSHAKE_S)
        first = handler.socket.recv(1, socket.MSG_PEEK)
        if first and first[0] == TLS_RECORD:
            if not handler.may_begin():
                return False
            handler.socket, deadline = TlsSocket(handler.socket, context), time.monotonic() + HANDSHAKE_S
            while not handler.socket.shake():
                handler.wait_read(deadline)
            return True
        if first and (found := PLAIN_REQUEST.match(handler.socket.recv(MAX_PLAIN_BYTES))):
            handler.socket.sendall(answer % (found[2], found[1]))
    handler.socket.close()
    return False
