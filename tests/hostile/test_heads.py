"""Request smuggling: heads and bodies that two programs could read differently. We refuse all that h11 refuses."""

from __future__ import annotations

import random

import h11

from companion.server.request import BadRequest, RequestReader

MANY = 100_000
LINES = [
    b"GET / HTTP/1.1", b"POST /s/a.1.1.b HTTP/1.1", b"GET /t/ABCD?k=1 HTTP/1.0", b"HEAD / HTTP/1.1", b"GET /", b"GET  / HTTP/1.1",
    b"GET / HTTP/1.1 ", b"GET / HTTP/2.0", b"GET / HTTP/1.10", b"G\xc3\x89T / HTTP/1.1", b"GET /\xff HTTP/1.1", b"GET /a b HTTP/1.1",
    b"GET http://x/ HTTP/1.1", b"OPTIONS * HTTP/1.1", b"GET / http/1.1", b"GET\t/\tHTTP/1.1", b"", b"GET /#x HTTP/1.1",
]  # fmt: skip
FIELDS = [
    b"Host: table", b"Host: table", b"Host: table", b"Host: other", b"Host:", b"host : table", b"Content-Length: 3",
    b"Content-Length: 3", b"Content-Length: 4", b"Content-Length: +3", b"Content-Length: 0_3", b"Content-Length: 3, 3",
    b"Content-Length: 03", b"Content-Length: 3\xa0", b"Content-Length: \xd9\xa3", b"Content-Length:", b"Content-Length: 0x3",
    b"Content-Length: -3", b"Content-Length : 3", b"Content_Length: 3", b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: Chunked", b"Transfer-Encoding: chunked, chunked", b"Transfer-Encoding: gzip, chunked",
    b"Transfer-Encoding: identity", b"Transfer-Encoding:\x0bchunked", b"Transfer-Encoding : chunked", b"Transfer-Encoding:",
    b"Connection: close", b"Connection: Upgrade", b"Upgrade: websocket", b"Expect: 100-continue", b"X: \x00", b"X: a\rb", b"X: a\nb",
    b"X: \xa0a", b"X: a\x85", b"X: \xc3\xa0", b"X: \x7f", b"X: \x1f", b" folded: yes", b"\tfolded: yes", b"no colon", b": no name",
    b"X(Y): z", b"X\xa0: y", b"X:y", b"X:\t y \t", b"X: " + b"y" * 300,
]  # fmt: skip
BODIES = [
    b"", b"owl", b"owls", b"3\r\nowl\r\n0\r\n\r\n", b"03\r\nowl\r\n0\r\n\r\n", b"3;x=y\r\nowl\r\n0\r\n\r\n", b"+3\r\nowl\r\n0\r\n\r\n",
    b"3\nowl\n0\n\n", b"3\r\nowls\r\n0\r\n\r\n", b"3 \r\nowl\r\n0\r\n\r\n", b"0x3\r\nowl\r\n0\r\n\r\n", b"3\r\nowl\r\n0\r\nX: y\r\n\r\n",
    b"3\r\nowl\r\n0\r\nX y\r\n\r\n", b"1\r\no\r\n1\r\nw\r\n1\r\nl\r\n0\r\n\r\n", b"3\r\nowl\r\n00\r\n\r\n", b"3\r\nowl\r\n0\r\n\r\nGET / HTTP/1.1",
    b"-3\r\nowl\r\n0\r\n\r\n", b"3\r\nowl0\r\n\r\n", b"\r\n3\r\nowl\r\n0\r\n\r\n", b"3\r\nowl\r\n0;" + b"x" * 90 + b"\r\n\r\n",
]  # fmt: skip
STRANGE = [
    b"\r",
    b"\n",
    b"\r\n",
    b"\0",
    b"\xa0",
    b"\x85",
    b"\x0b",
    b"\x0c",
    b" ",
    b"\t",
    b":",
    b"\xc3",
    b",",
    b"\x1c",
    b"\x7f",
    b"_",
]
WHOLE = b"POST /s/a.1.1.b HTTP/1.1\r\nHost: table\r\nX: y\r\nContent-Length: 3\r\n\r\nowl"
CHUNKED = WHOLE.replace(b"Content-Length: 3", b"Transfer-Encoding: chunked").replace(b"owl", b"3\r\nowl\r\n0\r\n\r\n")


def requests(dice: random.Random) -> bytes:
    """Return a random request, or a good one with something strange in it."""
    if dice.random() < 0.5:
        chosen = [b"Host: table"] * (dice.random() < 0.7) + dice.choices(FIELDS, k=dice.randrange(5))
        dice.shuffle(chosen)
        data = b"\r\n".join([dice.choice(LINES) if dice.random() < 0.4 else LINES[1], *chosen, b"", b""])
        data += dice.choice(BODIES)
    else:
        data = dice.choice((WHOLE, CHUNKED))
    for _ in range(dice.choice((0, 0, 1, 1, 2, 5))):
        at = dice.randrange(len(data))
        end = at + dice.choice((0, 0, 1, 2))
        data = data[:at] + (dice.choice(STRANGE) if dice.random() < 0.8 else dice.randbytes(1)) + data[end:]
    return data


def we_read(*data: bytes) -> tuple[object, ...] | None:
    """Return method, target, headers and body, or None if it is refused or incomplete."""
    pieces = [*reversed(data)]
    reader = RequestReader(lambda _: pieces.pop() if pieces else b"", lambda _: None)
    try:
        request = reader.read()
    except BadRequest:
        return None
    if request is None or request.body is None:
        return None
    # h11 normalises the spelling of one header.
    fields = [(name, value.lower() if name == "transfer-encoding" else value) for name, value in request.fields]
    return request.method, request.target, fields, request.body


def h11_reads(data: bytes) -> tuple[object, ...] | None:
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    head, body = None, b""
    try:
        while (event := connection.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
            if isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage):
                fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers]
                return head.method.decode(), head.target.decode(), fields, body
    except h11.RemoteProtocolError:
        pass
    return None


def test_we_accept_nothing_that_h11_refuses_and_read_the_rest_alike(seed):
    dice, accepted, refused = random.Random(seed), 0, 0
    for _ in range(MANY):
        data = requests(dice)
        ours, theirs = we_read(data), h11_reads(data)
        if ours is None:
            refused += 1
        else:
            accepted += 1
            assert ours == theirs, data
    # Both cases must occur often, or the comparison would mean nothing.
    assert accepted > MANY / 20, accepted
    assert refused > MANY / 20, refused
    print(
        f"{MANY} requests: {accepted} accepted by both, {refused} refused by us, 0 that h11 refuses or reads differently"
    )


def test_in_however_many_pieces_it_comes_we_read_the_same(seed):
    dice, accepted = random.Random(seed), 0
    for _ in range(MANY // 10):
        data, size = requests(dice), dice.choice((1, 1, 2, 3, 50))
        whole = we_read(data)
        accepted += whole is not None
        assert we_read(*(data[at : at + size] for at in range(0, len(data), size))) == whole, data
    assert accepted > MANY / 200


def test_a_plain_request_is_accepted_by_both():
    for data in (WHOLE, CHUNKED):
        assert we_read(data) == h11_reads(data)
        assert we_read(data) is not None
