"""A bare gevent server to measure beside: what comes in is written to every open screen, and nothing else is done.

A connection says first what it is: `s` a screen, `t` one that taps, `e` a plain echo.
"""

from __future__ import annotations

import socket
import sys

from gevent.server import StreamServer

FRAME = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
PUSHED = b"x" * (FRAME - 2) + b"\n\n"
screens: list[socket.socket] = []


def serve(sock: socket.socket, address: object) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    kind = sock.recv(1)
    if kind == b"s":
        screens.append(sock)
        sock.recv(1)
        screens.remove(sock)
    while kind != b"s" and (data := sock.recv(65_536)):
        if kind == b"e":
            sock.sendall(data)
        else:
            for screen in screens:
                screen.sendall(PUSHED)
            sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


if __name__ == "__main__":
    server = StreamServer(("127.0.0.1", 0), serve)
    server.start()
    print(server.server_port, flush=True)
    server.serve_forever()
