"""Running a server: health checks, metrics, logs, limits and shutdown."""

from __future__ import annotations

import contextlib
import json
import logging
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families
from werkzeug import Request

from companion.app import create_app
from companion.engine.snapshot import as_data
from companion.game import TABLE
from companion.games import all_games
from companion.server import logs
from companion.server.metrics import PrometheusMetrics
from companion.testing import House, Person, Reply, Table, pseudo, typed
from companion.web.errors import problem_reply
from companion.web.i18n import use_locale
from companion.web.limits import LimitSettings
from companion.web.operate import networks

NAMES = ("Rosalind", "Ferdinand", "Hermione")
WORD = "zanzibar"


def numbers(house: House) -> dict[str, float]:
    """Return all metrics by name and label: `companion_taps_total accepted`."""
    reply = Person(house.url).get("/metrics")
    assert reply.status_code == 200
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(reply.text)
        for sample in family.samples
    }


def vote(house: House) -> Table:
    """A whole secret vote."""
    table = house.opens("secret_ballot")
    for name in NAMES:
        table.sits(name)
    table.starts()
    for somebody in table:
        assert somebody.presses("DONE", word=WORD).status == 200
    assert table.shared.presses("Open the box").status == 200
    return table


def test_a_server_says_that_it_is_alive_and_ready(own_house):
    client = Person(own_house.url)
    assert client.get("/healthz").text == "alive\n"
    assert (client.get("/readyz").status_code, client.get("/readyz").text) == (200, "ready\n")


def rename(house: House, table: str, name: str) -> None:
    if house.database:
        with psycopg.connect(house.database) as db:
            db.execute(f"ALTER TABLE companion.{table} RENAME TO {name}")
        return
    with contextlib.closing(sqlite3.connect(house.data / "companion.sqlite")) as db:
        db.execute(f"ALTER TABLE {table} RENAME TO {name}")


def test_a_server_whose_store_does_not_answer_is_alive_but_not_ready(own_house):
    rename(own_house, "memory", "mislaid")
    client = Person(own_house.url)
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200
    rename(own_house, "mislaid", "memory")
    assert client.get("/readyz").status_code == 200


def test_metrics_count_taps_refusals_screens_and_times(own_house):
    before = numbers(own_house)
    assert before["companion_taps_total accepted"] == 0
    table = vote(own_house)
    taps = numbers(own_house)["companion_taps_total accepted"]
    assert table["Rosalind"].taps("Cast", word="owl").status == 200
    assert table["Rosalind"].taps("Fly").status == 422
    assert table.shared.client.post("/s/wrong", data={"tap": "Fly"}).status_code == 403
    streams = [somebody.listens() for somebody in table]
    for stream in streams:
        stream.frame()
    assert table["Rosalind"].taps("Knock").status == 200
    for stream in streams:
        stream.frame()
    now = numbers(own_house)
    assert now["companion_taps_total accepted"] == taps + 2
    assert now["companion_taps_total not_allowed"] == 1
    assert now["companion_taps_total bad_link"] == 1
    assert now["companion_requests_total 422"] == 1
    assert now["companion_open_screens"] == 3
    assert now["companion_commit_seconds_count"] >= taps
    assert now["companion_draw_seconds_count"] >= 1
    assert now["companion_draw_seconds_bucket +Inf"] == now["companion_draw_seconds_count"]
    assert now["process_open_fds"] > 3


def test_metrics_name_no_table_and_no_person(own_house):
    table = vote(own_house)
    table["Rosalind"].taps("Fly")
    text = Person(own_house.url).get("/metrics").text
    for secret in secrets_of(table):
        assert secret not in text


def test_metrics_do_not_depend_on_a_ballot_s_choice(own_house):
    """A metric that depended on the choice would reveal it."""
    shapes = []
    for word in ("owl", WORD):
        table = own_house.opens("secret_ballot")
        for name in NAMES:
            table.sits(name)
        table.starts()
        before = numbers(own_house)
        table["Rosalind"].taps("Cast", word=word)
        after = numbers(own_house)
        shapes.append(
            {
                name: after[name] - before.get(name, 0)
                for name in after
                if name.startswith("companion_") and not re.search("_sum|_bucket|_created", name)
            }
        )
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via"])
def test_metrics_cannot_be_read_through_a_proxy(own_house, header):
    assert Person(own_house.url).get("/metrics", headers={header: "127.0.0.1"}).status_code == 404


def test_metrics_cannot_be_read_from_the_same_network(tmp_path):
    app = create_app(tmp_path / "data", operators=networks("192.0.2.0/24, fd00::/8"), metrics=PrometheusMetrics())
    asked = {
        address: app.test_client().get("/metrics", environ_base={"REMOTE_ADDR": address}).status_code
        for address in (
            "127.0.0.1",
            "::1",
            "192.0.2.9",
            "fd00::7",
            "::ffff:192.0.2.9",
            "192.168.1.20",
            "fe80::1%eth0",
            "",
        )
    }
    assert [address for address, status in asked.items() if status == 200] == list(asked)[:5]
    assert set(asked.values()) == {200, 404}
    app.extensions["companion"].reader.store.close()


# -------------------------------------------------------------------------------- what is written down


def secrets_of(table: Table) -> set[str]:
    """Return everything that must not be in a log."""
    links = [table.shared.path, *(somebody.path for somebody in table)]
    tokens = [link.rpartition("/")[2] for link in links]
    return {*NAMES, WORD, table.code, *tokens, *(token.rpartition(".")[2] for token in tokens), tokens[0].split(".")[0]}


@pytest.mark.parametrize("style", ["json", "plain"])
def test_no_name_no_link_and_no_choice_is_ever_logged(tmp_path: Path, style: str):
    house = House(tmp_path / "data", COMPANION_LOG=style).start()
    try:
        table = vote(house)
        ann = table["Rosalind"]
        assert ann.taps("Cast", word=WORD + "!" * 500).status == 422
        assert ann.taps("Knock", cheat=WORD).status == 422
        assert ann.client.get(f"/s/{ann.path.rpartition('/')[2]}x").status_code == 403
        assert ann.client.get(f"/t/{table.code}/{NAMES[0]}").status_code == 404
        assert ann.client.post(ann.path, data={"word": WORD * 20_000}).status_code == 413
        assert ann.presses("DONE", word=WORD).status == 200
        assert ann.taps("Stumble").status == 500  # its error message has the words on the slips
        for request in (
            f"GET {ann.path} HTTP/9.9",
            f"{WORD} {ann.path} {NAMES[0]} x",
            f"GET {ann.path}{'x' * 9000} HTTP/1.1",
        ):
            assert sends(house, request).startswith(("HTTP/1.1 400", "HTTP/1.1 414"))
        stream = ann.listens()
        stream.frame()
        assert house.stop() == 0
    except BaseException:
        house.kill()
        raise
    written = house.log.read_text()
    assert "a bug, not a refusal" in written
    assert "ZeroDivisionError" in written
    assert "apply.py" in written
    for secret in secrets_of(table):
        assert secret not in written, secret
    if style == "json":
        lines = [json.loads(line) for line in written.splitlines()]
        assert {"at", "level", "what"} <= set(lines[0])
        bug = next(line for line in lines if line["what"] == "a bug, not a refusal")
        assert bug["level"] == "error"
        assert [trouble["kind"] for trouble in bug["trouble"]] == ["ZeroDivisionError"]


def test_a_hundred_phones_with_the_same_error_log_one_line():
    seldom = logs.Seldom()

    def says(words: str, at: float) -> logging.LogRecord | None:
        record = logging.makeLogRecord({"name": "companion", "msg": words, "created": at})
        return record if seldom.filter(record) else None

    assert says("the store cannot write", 1000.0)
    assert not any(says("the store cannot write", 1000.5) for _ in range(99))
    assert says("an alarm has to wait", 1000.5)
    assert says("the store cannot write", 1001.5).about == {"unsaid": 99}
    assert not hasattr(says("the store cannot write", 900.0), "about")  # the clock was put back


def sends(house: House, head: str) -> str:
    """Send a raw request that no browser would send, and return the answer."""
    with socket.create_connection(("127.0.0.1", house.port), timeout=30) as sock:
        sock.sendall(f"{head}\r\nHost: localhost\r\n\r\n".encode())
        return b"".join(iter(lambda: sock.recv(65536), b"")).decode()


# -------------------------------------------------------------------------------- limits


def test_an_unreadable_request_gets_a_sentence(own_house):
    for head, status, sentence in (
        (f"GET /{'x' * 20_000} HTTP/1.1", 414, "The address was far too long."),
        (f"GET / HTTP/1.1\r\nCookie: {'x' * 40_000}", 431, "Your browser sent far too much."),
        ("GET / HTTP/1.1" + "\r\nX-Y: z" * 150, 431, "Your browser sent far too much."),
        ("HELLO", 400, "Please go back and try again."),
    ):
        reply = sends(own_house, head)
        assert reply.startswith(f"HTTP/1.1 {status} "), reply[:80]
        assert sentence in reply
        assert "default-src 'self'" in reply
    assert Person(own_house.url).get("/", headers={"Cookie": "a=" + "x" * 20_000}).status_code == 200
    assert numbers(own_house)["companion_requests_total 431"] == 2


def test_an_installation_limits_the_tables_per_day(tmp_path):
    house = House(tmp_path / "data", COMPANION_TABLES_PER_DAY="1").start()
    try:
        table = house.opens("score_sheet")
        table.sits("Ben")
        reply = Reply(
            table.shared.client.post("/new/score_sheet", data=typed(as_data(all_games()["score_sheet"].setup())))
        )
        assert reply.status == 503
        assert reply.shows("This companion has reached today's limit of tables.")
        assert reply.response.headers["retry-after"]
        assert table.sits("Ann").page().status == 200
        assert numbers(house)["companion_turned_away_total tables"] == 1
    finally:
        house.kill()


@pytest.mark.parametrize(("limit", "status"), [("SCREENS", 503), ("SCREENS_PER_ADDRESS", 429)])
def test_screens_beyond_the_limit_get_a_sentence_and_can_still_tap(tmp_path, limit, status):
    house = House(tmp_path / "data", **{f"COMPANION_{limit}": "2"}).start()
    try:
        table = house.opens("score_sheet")
        ann = table.sits("Ann")
        table.sits("Ben")
        table.starts()
        first = [table.shared.listens(), table["Ben"].listens()]
        refused = ann.client.get(f"{ann.path}/live", headers={"HX-Request": "true"})
        assert refused.status_code == status
        assert "Your taps still count." in Reply(refused).message
        assert ann.presses("Write down", points=5).status == 200
        first[0].until("Ann: 5 in round 1.")
        first[1].close()
        while numbers(house)["companion_open_screens"] > 1:
            pass
        assert ann.listens().status == 200
    finally:
        house.kill()


def test_people_who_are_turned_away_read_it_in_their_own_language(tmp_path):
    def companion(**limits):
        return create_app(tmp_path / "data", translations=words, limits=LimitSettings(**limits))

    words, phone = pseudo.make(tmp_path / "words"), {"Accept-Language": pseudo.PSEUDO}
    full, crowded = companion(tables=0, screens=0), companion(screens_per_address=0)
    form = typed(as_data(all_games()["score_sheet"].setup()))
    pages = [full.test_client().post("/new/score_sheet", data=form, headers=phone)]
    services = full.extensions["companion"]
    now = services.tables.open(all_games()["score_sheet"], all_games()["score_sheet"].setup())
    link = services.links.sign(now.id, TABLE, 1)
    pages += [app.test_client().get(f"/x/{link}/live", headers=phone) for app in (full, crowded)]
    with use_locale(services.languages.get(pseudo.PSEUDO)):
        pages += [problem_reply(services, Request.from_values(), status) for status in (400, 414, 431)]
    assert [page.status_code for page in pages] == [503, 503, 429, 400, 414, 431]
    for page in pages:
        assert not pseudo.forgotten(page.get_data(as_text=True), set())
    for app in (full, crowded):
        app.extensions["companion"].reader.store.close()


# -------------------------------------------------------------------------------- leaving


def takes_calls(house: House) -> bool:
    try:
        socket.create_connection(("127.0.0.1", house.port), timeout=30).close()
    except OSError:
        return False
    return True


def test_running_requests_are_finished_before_the_server_stops(own_house):
    table = own_house.opens("score_sheet")
    ann = table.sits("Ann")
    table.sits("Ben")
    table.starts()
    stream = ann.listens()
    stream.frame()
    body = b"tap=Enter&points=7"
    idle = socket.create_connection(("127.0.0.1", own_house.port), timeout=30)
    slow = socket.create_connection(("127.0.0.1", own_house.port), timeout=30)
    slow.sendall(
        f"POST {ann.path} HTTP/1.1\r\nHost: localhost\r\nHX-Request: true\r\nContent-Length: {len(body)}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n\r\n".encode()
        + body[:5]
    )
    while Person(own_house.url).get("/healthz").status_code != 200:
        pass
    leaving = threading.Thread(target=lambda: codes.append(own_house.process.wait()))
    codes: list[int] = []
    own_house.process.send_signal(signal.SIGTERM)
    leaving.start()
    while takes_calls(own_house):
        pass
    slow.sendall(body[5:])
    reply = slow.recv(65536).decode()
    assert reply.startswith("HTTP/1.1 200 ")
    assert "Connection: close" in reply
    stream.until("Ann: 7 in round 1.")
    assert stream.ended()
    leaving.join(30)
    assert codes == [0]
    idle.close()
    slow.close()
    own_house.process.stdout.close()
    own_house.start()
    assert "7" in ann.page().text


def test_a_phone_without_a_live_stream_says_so_and_can_play(tmp_path, windows):
    house = House(tmp_path / "data", COMPANION_SCREENS="0").start()
    try:
        table = house.opens("score_sheet")
        ann = table.sits("Ann")
        table.sits("Ben")
        table.starts()
        phone = windows.phone()
        phone.goto(f"{house.url}{ann.path}")
        phone.locator("#message").get_by_text("Your taps still count.").wait_for()
        phone.locator("#you input[name=points]").first.fill("7")
        phone.get_by_role("button", name="Write down").click()
        phone.locator("#history").get_by_text("Ann: 7 in round 1.").wait_for(state="attached")
        assert phone.locator("section.region").count() == 9
    finally:
        house.kill()


IS_DUMPABLE = """
import ctypes
from companion.server.serve import keep_memory_private
keep_memory_private()
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))  # PR_GET_DUMPABLE
"""


def test_the_process_writes_no_core_dump(own_house):
    limits = Path(f"/proc/{own_house.process.pid}/limits").read_text()
    assert re.search(r"Max core file size +0 +0 ", limits)
    assert (
        subprocess.run([sys.executable, "-c", IS_DUMPABLE], check=True, capture_output=True, text=True).stdout == "0\n"
    )
