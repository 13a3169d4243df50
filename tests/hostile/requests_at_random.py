"""Random requests: every route, tap and header, right, nearly right and wrong; and random bytes."""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Mapping
from urllib.parse import quote, quote_plus

import msgspec
from flask import Flask

from companion.engine.room_rules import ROOM_TAPS
from companion.game import Game

MAX_LINKS = 80
STRANGE = (
    "", "0", "-1", "1", "2", "3", "99", "100000", "9" * 30, str(10**20), "1" * 5_000, "1e9", "NaN", "٣", "+3", "0x10", "1.5", "true",
    "on", "null", "None", "\0", "\r\n", "a\tb", "%00", "%", "%zz", "%ff%fe", "\ufffe", "\u2028", "\U0010ffff", "🦊", "é" * 200, "x" * 9_000,
    "<b>&\"'", "{{7*7}}", "../../key", "a.b.c.d", "~", "~~", ".", "..", "=1+1", "S\u0300" * 40, "\u202eabc", "Ann", "night", "host",
)  # fmt: skip
BYTES = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\xa0", b"\x80", b"\xf4\x90\x80\x80")
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW", "TRACE", "get")
HEADERS = (
    b"HX-Request: true", b"HX-Request: true", b"HX-Request: ", b"Accept-Language: en", b"Accept-Language: de;q=1e999,*;q=x,fr;q=-1",
    b"Accept-Language: \xc3\xa9,;;,=", b"Accept-Language: " + b"a-" * 900, b"Accept-Encoding: gzip", b"Accept-Encoding: gzip;q=0, \xff",
    b"Range: bytes=0-9999999999999", b"If-None-Match: \"", b"If-Modified-Since: yesterday", b"X-Forwarded-For: \xff, 1.2.3.4",
    b"X-Forwarded-Prefix: //evil.example", b"X-Forwarded-Host: a b", b"X-Forwarded-Proto: gopher", b"Connection: Upgrade",
    b"Upgrade: websocket", b"Connection: close", b"Connection: keep-alive, x", b"Expect: 100-continue", b"Expect: nothing",
    b"Authorization: Basic \xff", b"Cookie: \xff\xfe=\"; ;;=;a", b"Content-Encoding: gzip", b"Last-Event-ID: " + b"9" * 400,
    b"Referer: \xf0\x9f", b"Forwarded: for=\"[::1\"", b"Via: 1.1 x", b"X-HTTP-Method-Override: DELETE", b"User-Agent: ",
)  # fmt: skip
NOISE = (
    b"\r",
    b"\n",
    b"\0",
    b"\xa0",
    b"\x85",
    b" ",
    b"\t",
    b":",
    b"\xff",
    b"\r\n",
    b"\r\n\r\n",
    b"%",
    b"0",
    b"-",
    b",",
    b"\x7f",
)


class RequestsAtRandom:
    """Makes one request after the other, and reuses the links that it finds in answers."""

    def __init__(self, seed: int, app: Flask, games: Mapping[str, Game], host: str) -> None:
        self.dice = random.Random(seed)
        self.routes = [(rule.rule, sorted(rule.methods - {"OPTIONS", "HEAD"})) for rule in app.url_map.iter_rules()]
        """Every route with its methods."""
        self.host = host.encode()
        self.games = [*games, "nothing"]
        self.setups = {
            name: [field.name for field in msgspec.structs.fields(game.setup)] for name, game in games.items()
        }
        kinds = [*ROOM_TAPS, *(kind for game in games.values() for kind in game.taps.values())]
        self.taps = {str(k.__struct_config__.tag): [field.name for field in msgspec.structs.fields(k)] for k in kinds}
        self.taps.pop("Stumble", None)  # the deliberate bug in the tests' own game
        self.links: deque[str] = deque(maxlen=MAX_LINKS)
        """Links of seats and screens that the requests may change: `s/…`, `x/…`."""
        self.guarded: list[str] = []
        """Links of tables that must not change: only sent damaged."""
        self.codes: deque[str] = deque(maxlen=MAX_LINKS)
        self.tables: deque[str] = deque(maxlen=MAX_LINKS)

    def learn(self, location: str) -> None:
        """Remember the redirect of an answer."""
        if found := re.fullmatch(r"/((?:s|x)/(\w+)\.\d+\.\d+\.[\w-]+)", location):
            self.links.append(found[1])
            self.tables.append(found[2])

    # ---------------------------------------------------------------- words

    def word(self) -> str:
        dice = self.dice
        if dice.random() < 0.1:
            return "".join(
                chr(dice.choice((dice.randrange(128), dice.randrange(0xD7FF), 0xFFFD)))
                for _ in range(dice.randrange(40))
            )
        return dice.choice(STRANGE) if dice.random() < 0.5 else str(dice.randrange(12))

    def token(self) -> str:
        """Return a link: a valid one, or a damaged one of the table that must not change."""
        dice = self.dice
        if dice.random() < 0.7:
            return dice.choice(self.links)
        kind, _, token = dice.choice(self.guarded).partition("/")
        parts = token.split(".")
        match dice.randrange(6):
            case 0:
                parts[1] = str(dice.choice((0, 1, 2, -1, 10**20)))
            case 1:
                parts[2] = dice.choice(("2", "0", "-1", "٢", "1" * 5_000))
            case 2:
                at = dice.randrange(len(parts[3]) - 1)
                parts[3] = parts[3][:at] + chr(ord(parts[3][at]) ^ 1 << dice.randrange(5)) + parts[3][at + 1 :]
            case 3:
                parts[3] = dice.choice((parts[3][:-2], parts[3] + "=", "", parts[3].swapcase()))
            case 4:
                parts[0] = dice.choice(self.tables)
            case 5:
                parts = [self.word()]
        if ".".join(parts) == token:
            parts[3] = parts[3][::-1]
        return f"{kind}/{'.'.join(parts)}" if dice.random() < 0.9 else f"{dice.choice('sxw')}/{'.'.join(parts)}"

    def part(self, name: str) -> str:
        """Return a value for a route's `<name>`."""
        dice = self.dice
        if dice.random() < 0.15:
            return self.word()
        match name:
            case "code":
                return dice.choice(self.codes)
            case "table":
                return dice.choice(self.tables)
            case "name":
                return dice.choice(self.games)
            case "seat":
                return dice.choice(("1", "2", "3", "0", "77", "9" * 30))
        return self.word()

    def escaped(self, text: str) -> bytes:
        """Escape it for a URL, mostly as a browser would."""
        if self.dice.random() < 0.05:
            return quote(text).encode() + quote(self.dice.choice(BYTES)).encode()
        return quote(text, safe=".~" if self.dice.random() < 0.9 else "/:?#[]@!$&'()*+,;=.~").encode()

    # ---------------------------------------------------------------- parts of a request

    def address(self) -> tuple[str, bytes]:
        """Return a method and a URL."""
        dice = self.dice
        route, methods = dice.choice(self.routes)
        if dice.random() < 0.35:
            route, methods = "/<kind>/<token>", ["POST"]
        method = dice.choice(METHODS if dice.random() < 0.1 else methods)
        kind, _, token = self.token().partition("/")
        known = {"kind": kind, "token": token}

        def fill(found: re.Match[str]) -> str:
            name = found[1]
            offered = re.search(r"any\((.*?)\):", found[0])
            if offered and name != "kind":
                return dice.choice(offered[1].replace("'", "").replace('"', "").split(", "))
            return self.escaped(known.get(name) or self.part(name)).decode()

        path = re.sub(r"<(?:[^<>]*:)?(\w+)>", fill, route)
        if route == "/<kind>/<token>" and dice.random() < 0.1:
            path += (
                f"/seat/{self.part('seat')[:20]}"
                if dice.random() < 0.7
                else f"/{self.escaped(self.word())[:50].decode()}"
            )
        path = quote(path, safe="/%~.$&'()*+,;=:@!")
        if dice.random() < 0.4:
            names = ("before", "seen", "code", "k", "x", "", self.word()[:50])
            pairs = [f"{dice.choice(names)}={self.word()}" for _ in range(dice.randrange(1, 4))]
            path += "?" + quote("&".join(pairs), safe="=&%+" if dice.random() < 0.8 else "=&")
        return method, path.encode()[:8_000]

    def form(self) -> list[tuple[str, str]]:
        dice = self.dice
        kind = dice.random()
        if kind < 0.6:
            tag = dice.choice([*self.taps, "Fly"])
            names = ["tap_id", *self.taps.get(tag, ())]
            fields = [("tap", tag)]
        elif kind < 0.8:
            names, fields = [*self.setups[dice.choice([*self.setups])]], []
        else:
            names, fields = ["name", "badge", "nonce", "k", "taps", "what", "table", "password", "counts"], []
        for name in names:
            if dice.random() < 0.8:
                value = (
                    f"{dice.randrange(40)}.{dice.randrange(4096):x}"
                    if name == "tap_id" and dice.random() < 0.8
                    else self.word()
                )
                name = f"{name}.{dice.choice(('1', '2', '77', self.word()[:20]))}" if dice.random() < 0.1 else name
                fields += [(name, value)] * (2 if dice.random() < 0.05 else 1)
        if dice.random() < 0.1:
            fields.append((self.word(), self.word()))
        return fields

    def body(self) -> tuple[bytes, bytes]:
        """Return a content type and a body."""
        dice = self.dice
        kind, fields = dice.random(), self.form()
        if kind < 0.75:
            data = "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in fields).encode()
            if dice.random() < 0.1:
                data += b"&" + dice.choice(BYTES) + b"=" + quote(dice.choice(BYTES)).encode()
            return b"application/x-www-form-urlencoded", data
        if kind < 0.9:
            parts = []
            for name, value in fields:
                head = dice.choice(
                    (
                        'form-data; name="%s"',
                        'form-data; name="%s"',
                        "form-data",
                        'form-data; name="%s"; filename="f"',
                        "x",
                        "",
                    )
                )
                head = head.replace("%s", re.sub(r'["\r\n\\]', "", name))
                parts.append(f"--b\r\nContent-Disposition: {head}\r\n\r\n{value}\r\n".encode())
            end = dice.choice((b"--b--\r\n", b"--b--\r\n", b"--b", b""))
            return dice.choice(
                (
                    b"multipart/form-data; boundary=b",
                    b"multipart/form-data; boundary=b",
                    b"multipart/form-data",
                    b"multipart/form-data; boundary=\xc3\xa9",
                )
            ), b"".join(parts) + end
        if kind < 0.97:
            return dice.choice(
                (b"application/json", b"text/plain", b"", b"x", b"application/x-www-form-urlencoded; charset=utf-16")
            ), dice.randbytes(dice.randrange(2_000))
        return b"application/x-www-form-urlencoded", b"x" * dice.choice((65_536, 65_537, 70_000))

    def cookies(self) -> bytes:
        dice = self.dice
        found = []
        if dice.random() < 0.5:
            found.append("screens=" + "~".join(self.token().partition("/")[2] for _ in range(dice.randrange(1, 5))))
        if dice.random() < 0.5:
            found.append(f"seat-{dice.choice(self.codes)}={self.token().partition('/')[2]}")
        if dice.random() < 0.7:
            found.append(f"player={dice.choice(('1', '9' * 5_000, '-1', '٣', '99', self.word()))}~{self.word()}")
        return quote("; ".join(found), safe="=;~ .-%").encode()[:20_000]

    def header(self) -> bytes:
        return self.dice.choice(HEADERS)

    # ---------------------------------------------------------------- whole requests

    def request(self) -> bytes:
        """Return a well-formed request with any content."""
        dice = self.dice
        method, address = self.address()
        lines = [method.encode() + b" " + address + b" HTTP/1." + (b"1" if dice.random() < 0.97 else b"0")]
        lines.append(
            b"Host: "
            + (
                self.host
                if dice.random() < 0.97
                else dice.choice((b"", b"evil.example", b"a b", b"[::1", b"x:99999999", b"\xc3\xa9"))
            )
        )
        lines += [self.header() for _ in range(dice.choice((0, 0, 1, 1, 2, 6)))]
        if dice.random() < 0.3:
            lines.append(b"Cookie: " + self.cookies())
        data = b""
        if method == "POST" or dice.random() < 0.05:
            kind, data = self.body()
            lines.append(b"Content-Type: " + kind)
            if dice.random() < 0.9:
                lines.append(b"Content-Length: %d" % len(data))
            else:
                lines.append(b"Transfer-Encoding: chunked")
                cut = dice.randrange(len(data) + 1)
                data = (
                    b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in (data[:cut], data[cut:]) if one)
                    + b"0\r\n\r\n"
                )
        return b"\r\n".join([*lines, b"", data])

    def noise(self) -> bytes:
        """Return bytes that are hardly a request."""
        dice = self.dice
        if dice.random() < 0.1:
            return dice.randbytes(dice.randrange(1, 3_000))
        data = self.request()
        if dice.random() < 0.1:
            return data[: dice.randrange(len(data))]
        end = data.find(b"\r\n\r\n") + 4 if dice.random() < 0.8 else len(data)
        for _ in range(dice.choice((1, 1, 2, 3, 20))):
            at = dice.randrange(end)
            data = data[:at] + dice.choice(NOISE) + data[at + dice.randrange(3) :]
        return data
