"""--https against somebody who means harm: nobody else may wait for what they send, or pay for it."""

from __future__ import annotations

import ctypes
import ctypes.util
import ssl
import time
from collections.abc import Callable, Iterator

import gevent
import gevent.select
import gevent.socket
import pytest

from companion.server import http, request, tls
from companion.server.certificate import Certificate
from companion.server.http import Server

ASK = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
Connect = Callable[..., gevent.socket.socket]


def app(environ, start_response):
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]


@pytest.fixture
def server(tmp_path) -> Iterator[Server]:
    certificate = Certificate(tmp_path)
    certificate.cover([])
    server = Server(("127.0.0.1", 0), app, problem_page=lambda status: b"no", tls=certificate.context)
    server.start()
    yield server
    server.leave(0)


@pytest.fixture
def connect(server) -> Iterator[Connect]:
    opened = []

    def connect(host: str = "127.0.0.1") -> gevent.socket.socket:
        opened.append(gevent.socket.create_connection(server.address, timeout=30, source_address=(host, 0)))
        return opened[-1]

    yield connect
    for sock in opened:
        sock.close()


class Phone:
    """The other side of TLS, which can stop at any byte."""

    def __init__(self, sock: gevent.socket.socket) -> None:
        self.socket, self._in, self._out = sock, ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._tls = context.wrap_bio(self._in, self._out)

    def hello(self) -> bytes:
        with pytest.raises(ssl.SSLWantReadError):
            self._tls.do_handshake()
        return self._out.read()

    def shakes_hands(self) -> Phone:
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                self.socket.sendall(self._out.read())
                self._in.write(self.socket.recv(65_536))
            else:
                self.socket.sendall(self._out.read())
                return self

    def encrypts(self, data: bytes) -> bytes:
        self._tls.write(data)
        return self._out.read()

    def reads(self) -> bytes:
        while True:
            try:
                return self._tls.read(65_536)
            except ssl.SSLWantReadError:
                self._in.write(self.socket.recv(65_536))


def is_closed(sock: gevent.socket.socket, within_s: float) -> bool:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if gevent.select.select([sock], [], [], 0.01)[0]:
            try:
                if not sock.recv(65_536):
                    return True
            except OSError:
                return True
    return False


def test_slow_handshakes_do_not_use_up_the_connections(server, connect, monkeypatch):
    monkeypatch.setattr(http, "MAX_IDLE_PER_ADDRESS", 5)
    slow = [connect() for _ in range(5)]
    for sock in slow:
        sock.sendall(Phone(sock).hello()[:50])
    newest = Phone(connect()).shakes_hands()
    with gevent.Timeout(30):
        while not any(is_closed(sock, 0.02) for sock in slow):
            pass  # looking lets the server run
    newest.socket.sendall(newest.encrypts(ASK))
    assert newest.reads().startswith(b"HTTP/1.1 200")


def test_a_handshake_counts_for_who_began_it_and_for_nobody_else(server, connect):
    victim = Phone(connect("127.0.0.2"))
    victim.socket.sendall(victim.hello())
    assert gevent.select.select([victim.socket], [], [], 30)[0]  # the server has answered
    for _ in range(200):
        sock = connect("127.0.0.3")
        sock.sendall(Phone(sock).hello())
        assert sock.recv(1)
        sock.close()
    victim.shakes_hands()
    victim.socket.sendall(victim.encrypts(ASK))
    assert victim.reads().startswith(b"HTTP/1.1 200")
    used = server.turns._used_s
    assert used["127.0.0.3"] > 5 * used["127.0.0.2"]


def test_half_a_record_keeps_no_connection_open(server, connect, monkeypatch):
    monkeypatch.setattr(request, "HEAD_TIMEOUT_S", 0.2)
    phone = Phone(connect()).shakes_hands()
    phone.socket.sendall(phone.encrypts(b"GET / HTTP/1.1\r\n"))
    record = phone.encrypts(b"a: " + b"b" * 1000)
    began = time.monotonic()
    for at in range(100):
        try:
            phone.socket.sendall(record[at : at + 1])
        except OSError:
            break
        if is_closed(phone.socket, 0.05):
            break
    assert time.monotonic() - began < 3


def test_a_request_in_many_records_and_a_long_one_are_read(server, connect):
    phone = Phone(connect()).shakes_hands()
    for at in range(len(ASK)):
        phone.socket.sendall(phone.encrypts(ASK[at : at + 1]))
    assert phone.reads().startswith(b"HTTP/1.1 200")
    body = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65000\r\n\r\n" + b"x" * 65_000
    for at in range(0, len(body), 16_384):
        phone.socket.sendall(phone.encrypts(body[at : at + 16_384]))
    assert b"HTTP/1.1 200" in phone.reads() + phone.reads()


def new_keys(sock: gevent.socket.socket, many: int) -> bytes:
    """A connection's next bytes: only new keys, one after the other. Python's own module can't send them."""
    lib, crypto = (ctypes.CDLL(ctypes.util.find_library(one)) for one in ("ssl", "crypto"))
    pointer, number = ctypes.c_void_p, ctypes.c_int
    for made in (lib.TLS_client_method, lib.SSL_CTX_new, lib.SSL_new, crypto.BIO_new, crypto.BIO_s_mem):
        made.restype = pointer
    for function, *kinds in (
        (lib.SSL_CTX_new, pointer), (lib.SSL_new, pointer), (crypto.BIO_new, pointer), (lib.SSL_do_handshake, pointer),
        (lib.SSL_set_bio, pointer, pointer, pointer), (lib.SSL_set_connect_state, pointer),
        (lib.SSL_key_update, pointer, number), (crypto.BIO_read, pointer, pointer, number),
        (crypto.BIO_write, pointer, pointer, number),
    ):  # fmt: skip
        function.argtypes = kinds
    one = lib.SSL_new(lib.SSL_CTX_new(lib.TLS_client_method()))
    come, go = (crypto.BIO_new(crypto.BIO_s_mem()) for _ in range(2))
    lib.SSL_set_bio(one, come, go)
    lib.SSL_set_connect_state(one)
    buffer = ctypes.create_string_buffer(65_536)

    def out() -> bytes:
        said = b""
        while (size := crypto.BIO_read(go, buffer, 65_536)) > 0:
            said += buffer.raw[:size]
        return said

    while lib.SSL_do_handshake(one) != 1:
        sock.sendall(out())
        data = sock.recv(65_536)
        crypto.BIO_write(come, data, len(data))
    sock.sendall(out())
    for _ in range(many):
        lib.SSL_key_update(one, 0)
        lib.SSL_do_handshake(one)
    return out()


def test_new_keys_without_end_hold_up_nobody(server, connect):
    """OpenSSL would read them for as long as they come, and everybody else would wait."""
    sock = connect()
    flood = new_keys(sock, 30_000)
    slept = []

    def others() -> None:
        while True:
            began = time.thread_time()
            gevent.sleep(0)
            slept.append(time.thread_time() - began)

    watching = gevent.spawn(others)
    sender = gevent.spawn(sock.sendall, flood)
    assert is_closed(sock, 20)
    sender.kill()
    watching.kill()
    assert max(slept) < 0.1


def test_a_full_socket_is_written_to_again(tmp_path):
    """What was encrypted and not sent is sent first, once, and in its order."""
    certificate = Certificate(tmp_path)
    certificate.cover([])
    ours, theirs = gevent.socket.socketpair()
    made: list[tls.TlsSocket] = [tls.TlsSocket(ours, certificate.context)]

    def serve() -> None:
        while not made[0].shake():
            gevent.socket.wait_read(made[0].fileno(), 5)

    serving = gevent.spawn(serve)
    phone = Phone(theirs).shakes_hands()
    serving.get(timeout=5)
    data = bytes(range(256)) * 8_000
    left, heard = data, b""
    while left:
        if not (sent := made[0].send(left)):
            heard += phone.reads()
        left = left[sent:]
    while len(heard) < len(data):
        heard += phone.reads()
    assert heard == data
    made[0].close()
    theirs.close()
