"""Attacks from one address, in their own process, until it is killed: python attacks.py NAME PORT PATH"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
from collections.abc import Callable

ADDRESS = "127.0.0.66"
"""An address that nobody else uses; all of 127.* is this machine."""
CONNECTIONS = 150


class Attack:
    """An attack on this port; `path` is a link that it knows."""

    def __init__(self, port: int, path: str) -> None:
        self.port = port
        self.head = f"Host: 127.0.0.1:{port}\r\n".encode()
        self.tap = f"POST {path} HTTP/1.1\r\n".encode() + self.head

    def connect(self, address: str = ADDRESS) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", self.port), timeout=60, source_address=(address, 0))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock

    def _sends(self, opening: bytes, piece: bytes, pieces: int) -> None:
        """Send this much on a connection, or until it is closed, and read all answers."""
        with self.connect() as sock:
            threading.Thread(target=reads_on, args=(sock,), daemon=True).start()
            sock.sendall(opening)
            for _ in range(pieces):
                sock.sendall(piece)

    def pipelining(self) -> None:
        """Five thousand requests in one write."""
        one = b"GET /healthz HTTP/1.1\r\n" + self.head
        with self.connect() as sock:
            reading = threading.Thread(target=reads_on, args=(sock,), daemon=True)
            reading.start()
            sock.sendall((one + b"\r\n") * 5_000 + one + b"Connection: close\r\n\r\n")
            reading.join()

    def small_chunks(self) -> None:
        """A body in chunks of one byte."""
        self._sends(self.tap + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 10_000, 10)

    def trailers(self) -> None:
        """Endless trailers after the body."""
        self._sends(self.tap + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n" * 10_000, 10)

    def huge_body(self) -> None:
        """A body of twelve gigabytes, which is refused."""
        self._sends(self.tap + b"Content-Length: 12000000000\r\n\r\n", bytes(1 << 20), 12_000)

    def noise(self) -> None:
        """Invalid requests, on one connection after the other."""
        with self.connect() as sock:
            sock.sendall(b"\x16\x03\x01\r\n\r\n")
            reads_on(sock)

    def pages(self) -> None:
        """One page after the other."""
        with self.connect() as sock:
            for _ in range(50):
                sock.sendall(b"GET / HTTP/1.1\r\n" + self.head + b"\r\n")
                sock.recv(100_000)

    def visits(self) -> None:
        """Connections that come and go."""
        self.connect().close()


def reads_on(sock: socket.socket, most: int = 1 << 40) -> None:
    with contextlib.suppress(OSError):
        while most > 0 and (data := sock.recv(100_000)):
            most -= len(data)


def goes_on(once: Callable[[], None], begun: threading.Event) -> None:
    while True:
        with contextlib.suppress(OSError):
            once()
        begun.set()


if __name__ == "__main__":
    os.nice(19)  # as if the attacker had another machine
    attack = getattr(Attack(int(sys.argv[2]), sys.argv[3]), sys.argv[1])
    many = CONNECTIONS if sys.argv[1] in ("pages", "noise") else 2
    first = threading.Event()
    for _ in range(many):
        threading.Thread(target=goes_on, args=(attack, first), daemon=True).start()
    first.wait(2)
    print("begun", flush=True)
    threading.Event().wait()
