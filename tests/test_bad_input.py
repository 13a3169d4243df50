"""Bad input on every route gets a 4xx with a clear sentence, never a 500, and changes nothing."""

from __future__ import annotations

import random
import socket
import struct

import psutil
import pytest
from here import ROOT

from companion.storage.pool import MAX_CONNECTIONS
from companion.testing import Person, Reply, wait_until

WRONG = {
    "nothing": {},
    "no such tap": {"tap": "Fly"},
    "a tap of the table itself": {"tap": "TimeIsUp"},
    "another game's tap": {"tap": "Cast", "word": "owl"},
    "missing field": {"tap": "Enter"},
    "words for a number": {"tap": "Enter", "points": "many"},
    "a fraction": {"tap": "Enter", "points": "1.5"},
    "not a number": {"tap": "Enter", "points": "NaN"},
    "a huge number": {"tap": "Enter", "points": "9" * 400},
    "too many points": {"tap": "Enter", "points": "100000"},
    "two answers": {"tap": "Enter", "points": ["1", "2"]},
    "unknown field": {"tap": "Enter", "points": "1", "cheat": "yes"},
    "a tree for a number": {"tap": "Enter", "points.1": "1"},
    "both a number and a tree": {"tap": "Enter", "points": "1", "points.1": "1"},
    "a strange tap id": {"tap": "Enter", "points": "1", "tap_id": "../../etc"},
    "a strange field name": {"tap": "Enter", "points": "1", "__class__": "x"},
    "binary": {"tap": "Enter", "points": "\x00\ufffe\U0010ffff"},
    "somebody who is not there": {"tap": "MarkAway", "seat": "77"},
    "a seat that is no number": {"tap": "MarkAway", "seat": "Ann"},
    "a negative seat": {"tap": "MarkAway", "seat": "-1"},
    "a seat of many digits": {"tap": "Rename", "seat": "1" * 50, "name": "x"},
    "a long name": {"tap": "Rename", "seat": "1", "name": "x" * 5000},
    "another's name": {"tap": "Rename", "seat": "2", "name": "Mine"},
    "starting twice": {"tap": "Start"},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_tap_gets_a_sentence_and_changes_nothing(seated, wrong):
    table = seated("score_sheet")
    before = [seat.screen() for seat in (table.shared, *table)]
    for headers in ({}, {"HX-Request": "true"}):
        reply = Reply(table["Ann"].client.post(table["Ann"].path, data=wrong, headers=headers))
        assert reply.status == 422
        assert reply.message.endswith(".")
        assert "$" not in reply.message
        assert "`" not in reply.message
    assert [seat.screen() for seat in (table.shared, *table)] == before


def test_a_huge_body_is_refused(seated):
    ann = seated("score_sheet")["Ann"]
    reply = Reply(ann.client.post(ann.path, data={"tap": "Enter", "points": "1" * 100_000}))
    assert reply.status == 413
    assert reply.shows("Nothing has changed.")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'{"tap": "Enter", "points": 1}'),
        ("application/x-www-form-urlencoded", b"\xff\xfe&%zz=%00&tap=%ff"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=tap\r\n\r\nEnter"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\nEnter\r\n--x--\r\n"),
        ("multipart/form-data", b"no boundary"),
        ("text/plain", random.Random(1).randbytes(2000)),
        ("", b"tap=Enter&points=1"),
    ],
)
def test_a_body_that_is_not_a_form_is_refused(seated, kind, body):
    table = seated("score_sheet")
    before = table.shared.screen()
    reply = table["Ann"].client.post(table["Ann"].path, content=body, headers={"Content-Type": kind})
    assert 400 <= reply.status_code < 500
    assert table.shared.screen() == before


def test_a_set_up_without_names_is_refused(house):
    body = b"--x\r\nContent-Disposition: form-data\r\n\r\n3\r\n--x--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    assert Person(house.url).post("/new/score_sheet", content=body, headers=kind).status_code == 422


@pytest.mark.parametrize("end", ["=", "A", "A" * 5_000, "%C3%A9", "%00", "%00%FF"])
def test_a_link_with_another_end_opens_nothing(seated, end):
    ann = seated("score_sheet")["Ann"]
    for wrong in (ann.path + end, ann.path.rpartition(".")[0] + "." + end):
        assert ann.client.get(wrong).status_code == 403


def test_a_client_that_hangs_up_in_the_middle_of_a_tap_is_no_bug(own_house):
    table = own_house.opens("score_sheet", mode="running")
    ann, ben = table.sits("Ann"), table.sits("Ben")
    table.starts()
    process = psutil.Process(own_house.process.pid)
    files = process.num_fds()
    body = "tap=Enter&tap_id={n}.1&points=1"
    head = (
        f"POST {ann.path} HTTP/1.1\r\nHost: 127.0.0.1:{own_house.port}\r\nHX-Request: true\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body) - 2}\r\n\r\n"
    )
    for n in range(10):
        whole = (head + body.format(n=n)).encode()
        for cut in (len(head) - 9, len(head), len(whole) - 1, len(whole)):
            for rudely in (0, 1):
                sock = socket.create_connection(("127.0.0.1", own_house.port), timeout=30)
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", rudely, 0))
                sock.sendall(whole[:cut])
                sock.close()
    assert ben.taps("Enter", tap_id="1.1", points=1).status == 200
    # None of the forty connections is left; PostgreSQL's pool may have grown meanwhile.
    most = files + 1 + (MAX_CONNECTIONS if own_house.database else 0)
    wait_until(lambda: process.num_fds() <= most, "all of them are gone")
    assert own_house.log.read_text() == ""


PATHS = [
    "/", "/new/score_sheet", "/new/nothing", "/help/score_sheet", "/help/nothing", "/join", "/t/{code}", "/t/", "/t/12",
    "/t/%00", "/t/" + "A" * 3000, "{ann}", "{ann}/live", "{ann}/history", "{ann}/setup", "{ann}/pass/1", "{ann}/phones",
    "{screen}", "{screen}/live", "{screen}/history", "{screen}/setup", "{screen}/phones", "{screen}/pass/1",
    "{screen}/pass/99", "{screen}/pass/-1", "{screen}/pass/x", "{screen}/seat/1", "{screen}/seat/99", "/s/x", "/x/x", "/w/x",
    "/s/%F0%9F%A6%8A", "/s/a.b.c.d", "/static/0/companion.css", "/static/x/../../key", "/favicon.ico", "/etc/passwd", "//",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_no_route_ever_breaks(seated, path):
    table = seated("score_sheet", players=2)
    path = path.format(code=table.code, ann=table["Ann"].path, screen=table.shared.path)
    before = [seat.screen() for seat in (table.shared, *table)]
    client = Person(table.house.url)
    for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "BREW"):
        for data in (
            None,
            {"tap": ["x", "y"], "name": "\x00", "taps": "x", "k": "é" * 99, "rounds": "-1", "before": "x"},
        ):
            if path.endswith("/live") and method == "GET":
                continue  # an open stream; see test_live.py
            reply = client.request(method, path, data=data, params={"before": "x", "code": "\x00" * 9})
            assert reply.status_code < 500, (method, path, reply.status_code)
            if reply.status_code >= 400 and method not in ("HEAD", "OPTIONS"):
                assert Reply(reply).text, (method, path)
    assert [seat.screen() for seat in (table.shared, *table)] == before


def test_a_link_put_together_from_two_opens_nothing(seated):
    table, other = seated("score_sheet"), seated("score_sheet")
    assert other["Ann"].taps("CorrectMine", cell=1, points=3).status == 422
    token = table["Ann"].path.rpartition("/")[2]
    foreign = other["Ann"].path.rpartition("/")[2]
    mixed = ".".join([*foreign.split(".")[:3], token.split(".")[3]])
    assert other["Ann"].client.get(f"/s/{mixed}").status_code == 403


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        ({"rounds": "0"}, "“Number of rounds” must be 1 or more."),
        ({"rounds": "many"}, "“Number of rounds” must be a whole number."),
        ({"rounds": "500"}, "“Number of rounds” must be 99 or less."),
        ({"wins": "sometimes"}, "Please choose one of the answers to “Who wins”."),
        ({"cheat": "1"}, "An answer doesn't fit. Please check the form."),
    ],
)
def test_a_wrong_set_up_gets_a_sentence_and_keeps_what_was_typed(house, setup, sentence):
    reply = Reply(Person(house.url).post("/new/score_sheet", data={"mode": "running", "scorer": "host"} | setup))
    assert (reply.status, reply.message) == (422, sentence)
    assert 'value="running" checked' in reply.html


def test_every_page_has_the_security_headers(seated):
    table = seated("score_sheet")
    for path in (
        "/",
        f"/t/{table.code}",
        table["Ann"].path,
        table.shared.path,
        "/s/wrong",
        f"{table['Ann'].path}/history",
    ):
        head = Person(table.house.url).get(path).headers
        assert head["content-security-policy"].startswith("default-src 'self'")
        assert head["referrer-policy"] == "same-origin"
        assert head["x-content-type-options"] == "nosniff"
        assert head["x-frame-options"] == "DENY"
        assert head["cache-control"] == "no-store"


def test_static_files_are_compressed_and_cached_forever_under_their_hash(house):
    import re

    client = Person(house.url)
    for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get("/").text):
        reply = client.get(path)
        assert reply.status_code == 200
        assert "immutable" in reply.headers["cache-control"]
        assert reply.headers["content-encoding"] == "gzip"
        assert client.get(re.sub(r"/static/\w+/", "/static/000000000000/", path)).status_code == 404


def test_comments_are_not_sent_to_phones(house):
    import re

    page = Person(house.url).get("/").text
    for kind in ("css", "js"):
        path = re.search(rf'"(/static/\w+/companion\.{kind})"', page).group(1)
        sent, ours = Person(house.url).get(path).text, (ROOT / "static" / f"companion.{kind}").read_text()
        remark = re.search(r"/\* (.{20,}?) \*/" if kind == "css" else r"// (.{20,})", ours).group(1)
        assert remark not in sent
    assert (ROOT / "static" / "htmx.min.js").read_text() in sent


def test_no_page_has_an_inline_script_or_style(seated):
    import re

    table = seated("score_sheet")
    table["Ann"].presses("Write down", points=3)
    client = table.shared.client
    for path in (
        "/",
        "/new/score_sheet",
        "/help/score_sheet",
        f"/t/{table.code}",
        table.shared.path,
        table["Ann"].path,
    ):
        html = client.get(path).text
        assert not re.search(r"<script(?![^>]+src=)|\sstyle=|\son\w+=|javascript:|<style", html), path
        assert not re.search(r'(?:src|href)="(?:https?:)?//', html), path
