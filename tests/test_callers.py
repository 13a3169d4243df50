"""A connection: whatever comes on it, whole or in pieces, is answered alike, and in between it costs next to nothing."""

from __future__ import annotations

import gc
import socket

import gevent
import gevent.event
import gevent.socket
import pytest

from companion.web import server as served
from companion.web.callers import named, whole_request
from companion.web.server import make_server

PLAIN = b"GET /hello?a=1 HTTP/1.1\r\nHost: table\r\nAccept: text/html\r\n\r\n"
FORM = b"POST /tap%20it HTTP/1.1\r\nHost: table\r\nContent-Length: 7\r\nContent-Type: text/plain\r\n\r\ntap=owl"
CHUNKED = b"POST /c HTTP/1.1\r\nHost: table\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nowl\r\n0\r\n\r\n"
TWICE = b"GET / HTTP/1.1\r\nHost: table\r\nX-Crow: 1\r\nX-Crow: 2\r\n\r\n"
UNDERSCORE = b"GET / HTTP/1.1\r\nHost: table\r\nX_Forwarded_For: me\r\n\r\n"
HEAD = b"HEAD / HTTP/1.1\r\nHost: table\r\n\r\n"
OLD = b"GET / HTTP/1.0\r\nHost: table\r\nConnection: keep-alive\r\n\r\n"
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
    server = make_server(("127.0.0.1", 0), app)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def calls(server):
    """Connects, as often as it is called."""
    open_ones = []

    def call():
        open_ones.append(gevent.socket.create_connection(server.address, timeout=30))
        open_ones[-1].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return open_ones[-1]

    yield call
    for sock in open_ones:
        sock.close()


def answer(sock, method=b"GET"):
    """One whole answer, without the time of day."""
    said = b""
    while b"\r\n\r\n" not in said:
        said += heard(sock, 1)
    lines = [line for line in said.split(b"\r\n") if not line.startswith(b"Date: ")]
    length = next((int(line[16:]) for line in lines if line.lower().startswith(b"content-length: ")), 0)
    body = b""
    while len(body) < length and method != b"HEAD":
        body += heard(sock, length - len(body))
    return lines, body


def heard(sock, most):
    more = sock.recv(most)
    assert more, "they have hung up"
    return more


@pytest.mark.parametrize("request_", [PLAIN, FORM, CHUNKED, TWICE, UNDERSCORE, HEAD, OLD])
def test_whether_it_comes_whole_or_letter_by_letter_the_answer_is_the_same(calls, request_):
    method = request_.partition(b" ")[0]
    whole, slow = calls(), calls()
    for _ in range(2):  # the connection stays, and the next one is understood as well
        whole.sendall(request_)
        for letter in request_:
            slow.sendall(bytes([letter]))
            gevent.sleep(0)
        assert answer(slow, method) == answer(whole, method)


def test_what_is_asked_in_one_breath_is_answered_in_order(calls):
    sock = calls()
    sock.sendall(PLAIN + FORM + CHUNKED + PLAIN)
    bodies = [answer(sock)[1].splitlines() for _ in range(4)]
    assert [body[1] for body in bodies] == [b"/hello", b"/tap it", b"/c", b"/hello"]
    assert bodies[1][-1] == b"tap=owl"
    assert bodies[2][-1] == b"owl"


@pytest.fixture
def judged(server):
    """Until this is set, whoever asks for /slow waits for the answer."""
    judged = gevent.event.Event()

    def slowly(environ, start_response):
        if environ["PATH_INFO"] == "/slow":
            judged.wait()
        return app(environ, start_response)

    server.application = slowly
    return judged


def wait_until(true) -> None:
    with gevent.Timeout(30):
        while not true():
            gevent.sleep(0)


def test_what_is_asked_while_an_answer_is_on_its_way_is_answered_after_it(server, calls, judged):
    """One connection, two taps: the second comes while the first is still being judged."""
    phone, other = calls(), calls()
    phone.sendall(PLAIN.replace(b"/hello", b"/slow"))
    wait_until(lambda: server.busy)
    phone.sendall(PLAIN)
    other.sendall(PLAIN)
    assert b"/hello" in answer(other)[1]  # by then the second one has come as well
    judged.set()
    assert b"/slow" in answer(phone)[1]
    assert b"/hello" in answer(phone)[1]


def test_whoever_hangs_up_while_being_answered_is_let_go(server, calls, judged):
    phone, other = calls(), calls()
    phone.sendall(PLAIN.replace(b"/hello", b"/slow"))
    wait_until(lambda: server.busy)
    phone.close()
    other.sendall(PLAIN)
    answer(other)
    judged.set()
    wait_until(lambda: not server.busy)
    wait_until(lambda: len(server._waiting) == 1)  # the other one


def test_whoever_wants_no_more_is_let_go(calls):
    sock = calls()
    sock.sendall(LAST)
    answer(sock)
    assert sock.recv(1) == b""


def test_somebody_who_only_waits_costs_no_greenlet(server, calls):
    before = greenlets()
    sockets = [calls() for _ in range(40)]
    for sock in sockets:
        sock.sendall(PLAIN)
        answer(sock)
    assert greenlets() - before <= 2  # the one that sees off who waits too long, and the one that has served them all
    for sock in sockets:  # and everybody is still heard
        sock.sendall(FORM)
        assert answer(sock)[1].endswith(b"tap=owl")


def greenlets() -> int:
    gevent.sleep(0)
    return sum(isinstance(thing, gevent.Greenlet) and not thing.dead for thing in gc.get_objects())


def test_somebody_who_has_gone_without_a_word_is_seen_off(monkeypatch, calls):
    monkeypatch.setattr(served, "IDLE", 0.05)
    quiet, busy = calls(), calls()
    busy.sendall(PLAIN)
    answer(busy)
    assert quiet.recv(1) == b""
    assert busy.recv(1) == b""


def test_when_the_server_leaves_nobody_is_left_waiting(server, calls):
    sock = calls()
    sock.sendall(PLAIN)
    answer(sock)
    server.leave(1)
    assert sock.recv(1) == b""


def test_a_header_never_becomes_two(server, calls):
    def splits(environ, start_response):
        start_response("200 OK", [("X-Name", "Ann\r\nSet-Cookie: mine")])
        return [b""]

    server.application = splits
    server.page_about = lambda status: b"HTTP/1.1 %d Sorry\r\nContent-Length: 0\r\n\r\n" % status
    sock = calls()
    sock.sendall(PLAIN)
    lines, _ = answer(sock)
    assert lines[0] == b"HTTP/1.1 500 Sorry"


@pytest.mark.parametrize(
    "data",
    [
        PLAIN[:-1],
        FORM[:-1],
        FORM + b"x",
        FORM.replace(b": 7", b": +7"),
        FORM.replace(b": 7", b": -7"),
        FORM.replace(b": 7", b":"),
        PLAIN.replace(b"Host", b"Ho st"),
        PLAIN.replace(b"Host: table", b"Host table"),
        PLAIN.replace(b"Accept: text/html", b" folded: yes"),
        PLAIN.replace(b"Accept: text/html", b"Accept: a\nX-More: b"),
        PLAIN.replace(b"Accept: text/html", b"Expect: 100-continue"),
        PLAIN.replace(b"Accept: text/html", b"Upgrade: websocket"),
        PLAIN.replace(b"Accept: text/html", b"Content-Length: 0\r\nContent-Length: 0"),
        PLAIN.replace(b"/hello", b"http://elsewhere/hello"),
        PLAIN.replace(b"GET", b"PUT"),
        PLAIN.replace(b"1.1", b"2.0"),
        PLAIN.replace(b"hello", b"x" * 9_000),
        PLAIN.replace(b"Accept", b"Accept: x\r\n".join(b"A%d" % n for n in range(120)) + b": x\r\nAccept"),
        b"",
        b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
)
def test_what_is_unusual_is_left_to_gevent(data):
    assert whole_request(data, {}, ("192.0.2.1", 5)) is None


def test_a_header_has_one_name():
    assert named("accept-LANGUAGE") == "HTTP_ACCEPT_LANGUAGE"
    assert named("Content-Type") == "CONTENT_TYPE"
    assert named("X_Forwarded_For") == named("") == named("ä") == named("a b") == ""
