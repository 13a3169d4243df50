"""One connection: requests however they come, in order, and what is no request is answered with a sentence."""

from __future__ import annotations

import socket

import gevent
import gevent.event
import gevent.socket
import pytest

from companion.server import http
from companion.server.http import Server

PLAIN = b"GET /hello?a=1 HTTP/1.1\r\nHost: table\r\nAccept: text/html\r\n\r\n"
FORM = b"POST /tap%20it HTTP/1.1\r\nHost: table\r\nContent-Length: 7\r\nContent-Type: text/plain\r\n\r\ntap=owl"
CHUNKED = b"POST /c HTTP/1.1\r\nHost: table\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nowl\r\n0\r\n\r\n"
UNDERSCORE = b"GET / HTTP/1.1\r\nHost: table\r\nX_Forwarded_For: me\r\n\r\n"
HEAD = b"HEAD / HTTP/1.1\r\nHost: table\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: table\r\nConnection: close\r\n\r\n"


def app(environ, start_response):
    """Says what it has understood."""
    body = environ["wsgi.input"].read()
    told = [f"{key}={environ[key]}" for key in sorted(environ) if key.startswith(("HTTP_", "CONTENT_"))]
    said = [environ["REQUEST_METHOD"], environ["PATH_INFO"], environ["QUERY_STRING"], environ["REMOTE_ADDR"], *told]
    whole = ("\n".join(said) + "\n" + body.decode()).encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(whole)))])
    return [whole if environ["REQUEST_METHOD"] != "HEAD" else b""]


@pytest.fixture
def server():
    page = lambda status: b"HTTP/1.1 %d Sorry\r\nContent-Length: 0\r\n\r\n" % status  # noqa: E731
    server = Server(("127.0.0.1", 0), app, problem_page=page, max_per_address=50)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def connect(server):
    """Connects, as often as it is called."""
    open_ones = []

    def connect():
        open_ones.append(gevent.socket.create_connection(server.address, timeout=30))
        open_ones[-1].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return open_ones[-1]

    yield connect
    for sock in open_ones:
        sock.close()


def answer(sock, method=b"GET"):
    """One whole answer, without the time of day."""
    said = b""
    while b"\r\n\r\n" not in said:
        said += received(sock, 1)
    lines = [line for line in said.split(b"\r\n") if not line.startswith(b"Date: ")]
    length = next((int(line[16:]) for line in lines if line.lower().startswith(b"content-length: ")), 0)
    body = b""
    while len(body) < length and method != b"HEAD":
        body += received(sock, length - len(body))
    return lines, body


def received(sock, most):
    more = sock.recv(most)
    assert more, "the connection was closed"
    return more


@pytest.mark.parametrize("request_", [PLAIN, FORM, CHUNKED, UNDERSCORE, HEAD])
def test_whether_it_comes_whole_or_byte_by_byte_the_answer_is_the_same(connect, request_):
    method = request_.partition(b" ")[0]
    whole, slow = connect(), connect()
    for _ in range(2):  # the connection stays, and the next request is understood as well
        whole.sendall(request_)
        for byte in request_:
            slow.sendall(bytes([byte]))
            gevent.sleep(0)
        assert answer(slow, method) == answer(whole, method)


def test_pipelined_requests_are_answered_in_order(connect):
    sock = connect()
    sock.sendall(PLAIN + FORM + CHUNKED + PLAIN)
    bodies = [answer(sock)[1].splitlines() for _ in range(4)]
    assert [body[1] for body in bodies] == [b"/hello", b"/tap it", b"/c", b"/hello"]
    assert bodies[1][-1] == b"tap=owl"
    assert bodies[2][-1] == b"owl"


def test_a_connection_that_asked_for_it_is_closed(connect):
    sock = connect()
    sock.sendall(LAST)
    answer(sock)
    assert sock.recv(1) == b""


def test_an_idle_connection_is_closed(monkeypatch, connect):
    monkeypatch.setattr(http, "IDLE_TIMEOUT_S", 0.05)
    quiet, busy = connect(), connect()
    busy.sendall(PLAIN)
    answer(busy)
    assert quiet.recv(1) == b""
    assert busy.recv(1) == b""


def test_one_address_has_only_so_many_connections(server, connect):
    sockets = [connect() for _ in range(50)]
    for sock in sockets:
        sock.sendall(PLAIN)
        answer(sock)
    refused = connect()
    assert answer(refused)[0][0] == b"HTTP/1.1 429 Sorry"
    assert refused.recv(1) == b""
    sockets[0].sendall(LAST)
    answer(sockets[0])
    assert sockets[0].recv(1) == b""
    again = connect()
    again.sendall(PLAIN)
    assert b"/hello" in answer(again)[1]


def test_when_the_server_leaves_requests_are_finished_and_idle_connections_closed(server, connect):
    go_on, idle, busy = gevent.event.Event(), connect(), connect()

    def slowly(environ, start_response):
        go_on.wait()
        return app(environ, start_response)

    idle.sendall(PLAIN)
    answer(idle)
    server.application = slowly
    busy.sendall(PLAIN)
    with gevent.Timeout(30):
        while not server.busy:
            gevent.sleep(0)
    leaving = gevent.spawn(server.leave, 30)
    gevent.sleep(0)
    go_on.set()
    lines, body = answer(busy)
    assert b"Connection: close" in lines
    assert b"/hello" in body
    assert idle.recv(1) == b""
    leaving.join()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (PLAIN.replace(b"Host", b"Ho st"), b"400"),
        (PLAIN.replace(b"Host: table", b"Host table"), b"400"),
        (PLAIN.replace(b"Accept: text/html", b" folded: yes"), b"400"),
        (PLAIN.replace(b"1.1", b"2.0"), b"400"),
        (FORM.replace(b": 7", b": -7"), b"400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"400"),
        (PLAIN.replace(b"hello", b"x" * 9_000), b"414"),
        (PLAIN.replace(b"text/html", b"x" * 40_000), b"431"),
        (PLAIN.replace(b"Accept", b"Accept: x\r\n".join(b"A%d" % n for n in range(120)) + b": x\r\nAccept"), b"431"),
    ],
)
def test_what_is_no_request_is_answered_and_the_connection_closed(connect, data, status):
    sock = connect()
    sock.sendall(data)
    assert answer(sock)[0][0] == b"HTTP/1.1 %s Sorry" % status
    assert sock.recv(1) == b""
