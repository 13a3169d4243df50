"""HTTP on one connection: requests in any number of pieces, in order; bad ones get a sentence."""

from __future__ import annotations

import contextlib
import errno
import socket
import time

import gevent
import gevent.event
import gevent.select
import gevent.socket
import pytest

from companion.server import request
from companion.server.http import Server

PLAIN = b"GET /hello?a=1 HTTP/1.1\r\nHost: table\r\nAccept: text/html\r\n\r\n"
FORM = b"POST /tap%20it HTTP/1.1\r\nHost: table\r\nContent-Length: 7\r\nContent-Type: text/plain\r\n\r\ntap=owl"
CHUNKED = b"POST /c HTTP/1.1\r\nHost: table\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nowl\r\n0\r\n\r\n"
UNDERSCORE = b"GET / HTTP/1.1\r\nHost: table\r\nX_Forwarded_For: me\r\n\r\n"
HEAD = b"HEAD / HTTP/1.1\r\nHost: table\r\n\r\n"
MOST = 50
"""How many idle connections an address may have in these tests."""
LAST = b"GET / HTTP/1.1\r\nHost: table\r\nConnection: close\r\n\r\n"


def app(environ, start_response):
    """An app that echoes the request as it understood it."""
    body = environ["wsgi.input"].read()
    assert environ["SERVER_ADDR"] == "127.0.0.1"
    told = [f"{key}={environ[key]}" for key in sorted(environ) if key.startswith(("HTTP_", "CONTENT_"))]
    said = [environ["REQUEST_METHOD"], environ["PATH_INFO"], environ["QUERY_STRING"], environ["REMOTE_ADDR"], *told]
    whole = ("\n".join(said) + "\n" + body.decode()).encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(whole)))])
    return [whole if environ["REQUEST_METHOD"] != "HEAD" else b""]


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr("companion.server.http.MAX_IDLE_PER_ADDRESS", MOST)
    page = lambda status: b"HTTP/1.1 %d Sorry\r\nContent-Length: 0\r\n\r\n" % status  # noqa: E731
    server = Server(("127.0.0.1", 0), app, problem_page=page)
    server.start()
    yield server
    server.stop()


def busy_connections(server) -> int:
    return sum(handler.reader.has_request for handler in server._connections)


@pytest.fixture
def connect(server):
    """A function that opens a connection."""
    open_ones = []

    def connect(host="127.0.0.1"):
        open_ones.append(gevent.socket.create_connection(server.address, timeout=30, source_address=(host, 0)))
        open_ones[-1].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return open_ones[-1]

    yield connect
    for sock in open_ones:
        sock.close()


def answer(sock, method=b"GET"):
    """Return one whole answer, without its date."""
    said = b""
    while b"\r\n\r\n" not in said:
        said += received(sock, 1)
    lines = [line for line in said.split(b"\r\n") if not line.startswith(b"Date: ")]
    length = next((int(line[16:]) for line in lines if line.lower().startswith(b"content-length: ")), 0)
    body = b""
    while len(body) < length and method != b"HEAD":
        body += received(sock, length - len(body))
    return lines, body


def asks(sock):
    sock.sendall(PLAIN)
    return b"/hello" in answer(sock)[1]


def until(happens):
    with gevent.Timeout(30):
        while not happens():
            gevent.sleep(0.001)


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


def test_connection_headers_count_together(connect):
    sock = connect()
    sock.sendall(PLAIN.replace(b"Accept", b"Connection: x\r\nConnection: y, Close\r\nAccept"))
    answer(sock)
    assert sock.recv(1) == b""


def test_an_idle_connection_is_closed(monkeypatch, connect):
    monkeypatch.setattr(request, "IDLE_TIMEOUT_S", 0.05)
    quiet, busy = connect(), connect()
    busy.sendall(PLAIN)
    answer(busy)
    assert quiet.recv(1) == b""
    assert busy.recv(1) == b""


def test_when_an_address_has_too_many_connections_the_longest_idle_one_goes(connect):
    sockets = [connect() for _ in range(MOST)]
    for sock in sockets[1:] + sockets[:1]:
        assert asks(sock)
    assert asks(connect())
    assert sockets[1].recv(1) == b""
    assert asks(sockets[0])


def test_an_incomplete_request_does_not_keep_a_connection_from_being_the_longest_idle(connect):
    half_open = [connect() for _ in range(MOST)]
    for sock in half_open[1:] + half_open[:1]:
        sock.sendall(PLAIN[:20])
        gevent.sleep(0)
    assert asks(connect())
    assert half_open[0].recv(1) == b""


def test_only_idle_connections_are_closed_for_another_one(server, connect):
    """If a club's phones all reconnect together, each one gets its answer."""
    go_on = gevent.event.Event()

    def slowly(environ, start_response):
        go_on.wait()
        return app(environ, start_response)

    server.application = slowly
    busy = []
    for n in range(2 * MOST):
        busy.append(connect())
        busy[-1].sendall(PLAIN)
        until(lambda n=n: busy_connections(server) == n + 1)
    server._max_open = 2 * MOST
    refused = connect()
    assert answer(refused)[0][0] == b"HTTP/1.1 429 Sorry"
    assert refused.recv(1) == b""
    go_on.set()
    assert all(b"/hello" in answer(sock)[1] for sock in busy)


def test_other_addresses_keep_their_connections(connect):
    crowd = [connect() for _ in range(MOST)]
    assert all(asks(sock) for sock in crowd)
    assert asks(connect(host="127.0.0.2"))
    assert all(asks(sock) for sock in crowd)


def test_when_the_process_has_opened_most_of_its_files_the_longest_idle_connection_goes(server, connect):
    first, second = connect(), connect(host="127.0.0.2")
    assert asks(second)
    assert asks(first)
    server._max_open = 2
    assert asks(connect(host="127.0.0.3"))
    assert second.recv(1) == b""
    assert asks(first)


def test_when_the_server_leaves_requests_are_finished_and_idle_connections_closed(server, connect):
    go_on, idle, busy = gevent.event.Event(), connect(), connect()

    def slowly(environ, start_response):
        go_on.wait()
        return app(environ, start_response)

    idle.sendall(PLAIN)
    answer(idle)
    server.application = slowly
    busy.sendall(PLAIN)
    until(lambda: busy_connections(server))
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
        (b"\r\n" + PLAIN, b"400"),
        (b"GET /hello\r\n\r\n", b"400"),
        (PLAIN.replace(b"/hello", b"http://elsewhere/hello"), b"400"),
        (PLAIN.replace(b"/hello", b"/h\xc3\xa9llo"), b"400"),
        (PLAIN.replace(b"a=1", b"a=\xff"), b"400"),
        (PLAIN.replace(b" HTTP", b"  HTTP"), b"400"),
        (PLAIN.replace(b"Host: table\r\n", b""), b"400"),
        (PLAIN.replace(b"Host: table", b"Host: table\r\nHost: table"), b"400"),
        (PLAIN.replace(b"text/html", b"text\rhtml"), b"400"),
        (PLAIN.replace(b"\r\n", b"\n"), b"400"),
        (PLAIN.replace(b"Accept: text/html\r\n", b"Accept: text/html\n"), b"400"),
        (PLAIN.replace(b"text/html", b"text\0html"), b"400"),
        (PLAIN.replace(b"text/html", b"\xa0text/html"), b"400"),
        (PLAIN.replace(b"text/html", "\N{NO-BREAK SPACE}text/html".encode()), b"400"),
        (PLAIN.replace(b"Accept:", b"Accept :"), b"400"),
        (PLAIN.replace(b"Accept:", b"Accept\xa0:"), b"400"),
        (FORM.replace(b": 7", b": +7"), b"400"),
        (FORM.replace(b": 7", b": 0_7"), b"400"),
        (FORM.replace(b": 7", b": 7, 7"), b"400"),
        (FORM.replace(b": 7", b": 7\xa0"), b"400"),
        (FORM.replace(b": 7", "： ٧".encode()), b"400"),
        (FORM.replace(b": 7", b": 7\r\nContent-Length: 7"), b"400"),
        (FORM.replace(b": 7", b": 7\r\nContent-Length: 8"), b"400"),
        (FORM.replace(b": 7", b": 7\r\nTransfer-Encoding: chunked"), b"400"),
        (CHUNKED.replace(b"chunked", b"chunked\r\nTransfer-Encoding: chunked"), b"400"),
        (CHUNKED.replace(b"chunked", b"chunked, chunked"), b"400"),
        (CHUNKED.replace(b"chunked", b"gzip, chunked"), b"400"),
        (CHUNKED.replace(b"chunked", b"identity"), b"400"),
        (CHUNKED.replace(b"HTTP/1.1", b"HTTP/1.0"), b"400"),
        (CHUNKED.replace(b"3\r\n", b"+3\r\n"), b"400"),
        (CHUNKED.replace(b"3\r\n", b"0x3\r\n"), b"400"),
        (CHUNKED.replace(b"3\r\n", b"3\n"), b"400"),
        (CHUNKED.replace(b"owl\r\n", b"owl!\r\n"), b"400"),
        (CHUNKED.replace(b"0\r\n\r\n", b"0\r\nno trailer\r\n\r\n"), b"400"),
        (CHUNKED.replace(b"3\r\nowl\r\n", b"1\r\no\r\n" * 5_000), b"400"),
        (CHUNKED.replace(b"0\r\n\r\n", b"0\r\n" + b"X: y\r\n" * 5_000), b"400"),
        (CHUNKED.replace(b"3\r\n", b"3;" + b"x" * 9_000), b"400"),
        (PLAIN.replace(b"hello", b"x" * 9_000), b"414"),
        (PLAIN.replace(b"text/html", b"x" * 40_000), b"431"),
        (PLAIN.replace(b"Accept", b"Accept: x\r\n".join(b"A%d" % n for n in range(120)) + b": x\r\nAccept"), b"431"),
    ],
)
def test_an_invalid_request_is_answered_and_the_connection_closed(connect, data, status):
    sock = connect()
    sock.sendall(data)
    assert answer(sock)[0][0] == b"HTTP/1.1 %s Sorry" % status
    assert sock.recv(1) == b""


@pytest.mark.parametrize("name", ["Élodie", "naïve à", "日本語", "🦊‍🦊"])
def test_a_header_in_any_script_is_read(connect, name):
    sock = connect()
    sock.sendall(PLAIN.replace(b"text/html", name.encode()))
    assert f"HTTP_ACCEPT={name}".encode() in answer(sock)[1].decode().encode("latin-1")


def test_a_head_has_to_be_complete_in_time_however_slowly_it_grows(monkeypatch, connect):
    monkeypatch.setattr(request, "HEAD_TIMEOUT_S", 0.05)
    sock = connect()
    sock.sendall(PLAIN[:-2])
    with gevent.Timeout(30):
        while not gevent.select.select([sock], [], [], 0.01)[0]:
            sock.sendall(b"X: y\r\n")
    assert answer(sock)[0][0] == b"HTTP/1.1 408 Sorry"
    assert sock.recv(1) == b""


def test_a_byte_costs_the_same_however_long_the_head_before_it_is():
    def cost_s(size):
        """Measure a thousand single bytes after a head of this size."""
        pieces = [b"y"] * 1_000 + [PLAIN[:-2] + b"X: " + b"y" * size]
        reader = request.RequestReader(lambda _: pieces.pop() if pieces else b"", lambda _: None)
        began = time.thread_time()
        assert reader.read() is None
        return time.thread_time() - began

    short, long = (min(cost_s(size) for _ in range(5)) for size in (100, 30_000))
    assert long < 8 * short


def test_an_address_that_is_too_long_is_refused_before_its_line_ends(connect):
    sock = connect()
    sock.sendall(b"GET /" + b"x" * 9_000)
    assert answer(sock)[0][0] == b"HTTP/1.1 414 Sorry"
    for size, status in ((request.MAX_LINE_BYTES, b"200"), (request.MAX_LINE_BYTES + 1, b"414")):
        for pieces in (1, 5_000):
            sock, data = connect(), PLAIN.replace(b"hello", b"x" * (size - len(PLAIN.split(b"\r\n")[0]) + 5))
            for at in range(0, len(data), len(data) // pieces):
                with contextlib.suppress(OSError):
                    sock.sendall(data[at : at + len(data) // pieces])
                    gevent.sleep(0)
            assert answer(sock)[0][0].split()[1] == status


def test_a_body_has_to_be_complete_in_time(monkeypatch, connect):
    monkeypatch.setattr(request, "BODY_TIMEOUT_S", 0.05)
    sock = connect()
    sock.sendall(FORM[:-1])
    assert answer(sock)[0][0] == b"HTTP/1.1 408 Sorry"
    assert sock.recv(1) == b""


@pytest.mark.parametrize("error", [TimeoutError, OSError(errno.EHOSTUNREACH, ""), ConnectionResetError])
def test_a_phone_that_disconnects_before_its_answer_logs_no_error(monkeypatch, server, connect, error):
    """For each error of the operating system: asleep, out of the Wi-Fi, or hung up."""
    bugs, tried = [], gevent.event.Event()

    class Gone(gevent.socket.socket):
        def sendall(self, *_):
            tried.set()
            raise error

    monkeypatch.setattr(gevent.get_hub(), "handle_error", lambda *trouble: bugs.append(trouble))
    accept = server.do_read
    monkeypatch.setattr(server, "do_read", lambda: (found := accept()) and (Gone(fileno=found[0].detach()), found[1]))
    sock = connect()
    sock.sendall(PLAIN)
    assert tried.wait(30)
    assert sock.recv(1) == b""
    assert not bugs


def test_a_client_that_asks_to_upgrade_gets_an_answer_and_the_next_request_is_another_one(connect):
    sock = connect()
    sock.sendall(FORM.replace(b"Host: table", b"Host: table\r\nConnection: Upgrade\r\nUpgrade: websocket") + PLAIN)
    assert answer(sock)[1].endswith(b"\ntap=owl")
    assert b"/hello" in answer(sock)[1]


def test_a_client_that_expects_100_continue_is_told_to_go_on(connect):
    sock = connect()
    sock.sendall(FORM[:-7].replace(b"Host: table", b"Host: table\r\nExpect: 100-continue"))
    assert answer(sock)[0][0] == b"HTTP/1.1 100 Continue"
    sock.sendall(b"tap=owl")
    assert answer(sock)[1].endswith(b"\ntap=owl")


@pytest.mark.parametrize(
    "huge",
    [
        FORM[:-7].replace(b": 7", b": 12000000000"),
        CHUNKED.partition(b"3\r\nowl")[0] + b"2cb417800\r\n",
    ],
)
def test_a_huge_body_is_not_read(connect, huge):
    sock = connect()
    sock.sendall(huge)
    sent, piece = 0, bytes(65_536)
    with contextlib.suppress(ConnectionError):
        while sent < 1 << 28:
            sock.sendall(piece)
            sent += len(piece)
    assert sent < 1 << 25  # some of it fits into buffers


def test_the_application_is_told_that_a_body_was_too_large_and_the_connection_closed(server, connect):
    told = []

    def refuses(environ, start_response):
        told.append((int(environ["CONTENT_LENGTH"]), environ["wsgi.input"].read()))
        return app(environ, start_response)

    server.application = refuses
    sock = connect()
    sock.sendall(FORM.replace(b": 7", b": 70000").replace(b"tap=owl", b"x" * 70_000) + PLAIN)
    assert b"Connection: close" in answer(sock)[0]
    assert sock.recv(1) == b""
    [(length, body)] = told
    assert length > request.MAX_BODY_BYTES
    assert body == b""


def test_a_connection_with_many_requests_does_not_delay_others(server, connect):
    asked = []

    def noting(environ, start_response):
        asked.append(environ["PATH_INFO"])
        return app(environ, start_response)

    server.application = noting
    greedy, other = connect(), connect()
    gevent.spawn(greedy.sendall, PLAIN * 5_000)
    reading = gevent.spawn(lambda: [answer(greedy) for _ in range(5_000)])
    until(lambda: len(asked) > 100)
    other.sendall(FORM)
    before = len(asked)
    answer(other)
    assert len(asked) - before < 20
    assert not reading.ready()
    reading.get(timeout=60)


def test_an_address_with_too_many_requests_is_served_after_all_others(server, connect):
    """Even if it has many connections with one request each."""
    asked = []

    def costly(environ, start_response):
        asked.append(environ["PATH_INFO"])
        if environ["PATH_INFO"] == "/hello":
            sum(range(100_000))
        return app(environ, start_response)

    server.application = costly
    over = gevent.event.Event()

    def asks_on(sock):
        while not over.is_set():
            asks(sock)

    greedy = [gevent.spawn(asks_on, connect()) for _ in range(MOST - 1)]
    other = connect(host="127.0.0.2")
    until(lambda: len(asked) > 1_000)
    between = []
    for _ in range(50):
        before = len(asked)
        other.sendall(FORM)
        answer(other)
        between.append(len(asked) - before - 1)
    over.set()
    gevent.joinall(greedy, raise_error=True)
    assert sorted(between)[len(between) // 2] < 10
    assert max(between) < MOST


def test_behind_a_proxy_every_client_gets_a_fair_share(server):
    server._proxies = 1
    head = request.parse_head(PLAIN.replace(b"Accept", b"X-Forwarded-For: 192.0.2.9, 2001:db8::1\r\nAccept")[:-4])
    assert server.caller("127.0.0.1", head) == "2001:db8::/64"
    assert server.caller("127.0.0.1", request.parse_head(PLAIN[:-4])) == ""
    with_port = request.parse_head(PLAIN.replace(b"Accept", b"X-Forwarded-For: 192.0.2.9:1234\r\nAccept")[:-4])
    assert server.caller("127.0.0.1", with_port) == "192.0.2.9"
    server._proxies = 0
    assert server.caller("127.0.0.1", head) == "127.0.0.1"
