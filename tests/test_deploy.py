"""The example in deploy/ works: nginx with TLS and a path prefix, and companions behind it."""

from __future__ import annotations

import re
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import zxingcpp
from cellar import Cellar
from here import ROOT
from PIL import Image
from proxy import HOST, Front, free_ports

from companion.testing import House, Person, Reply, Stream, wait_until

TRIES = 20


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory, cellar: Cellar) -> Iterator[list[House]]:
    """Two companions on one PostgreSQL, as in the example."""
    data, database = tmp_path_factory.mktemp("behind") / "data", cellar.database()
    options = {"COMPANION_PROXIES": "1", "COMPANION_TRIES": str(TRIES)}
    houses = [House(data, port, database, **options).start("--host=127.0.0.1") for port in free_ports(2)]
    yield houses
    for house in houses:
        house.kill()


@pytest.fixture(scope="module")
def front(behind: list[House], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    front = Front(tmp_path_factory.mktemp("front") / "nginx", [house.port for house in behind]).start()
    yield front
    front.kill()


def test_plain_http_is_sent_to_tls(front):
    reply = Person(f"http://{HOST}:{front.plain_port}").get("/companion/?x=1")
    assert reply.status_code == 301
    assert urlsplit(reply.headers["location"])[:1] == ("https",)
    with pytest.raises(ssl.SSLCertVerificationError):
        Stream(front.port, "/companion/", host=HOST, tls=ssl.create_default_context())


def test_pages_files_and_forms_live_under_the_prefix(front):
    visitor = front.visitor("127.0.0.10")
    assert visitor.get("/companion").headers["location"].endswith("/companion/")
    page = visitor.get("/companion/")
    assert page.status_code == 200
    links = re.findall(r'(?:href|src)="([^"]+)"', page.text)
    assert len(links) > 5
    for link in (*links, *re.findall(r'action="([^"]+)"', page.text)):
        assert link.startswith("/companion/"), link
    for link in links:
        reply = visitor.get(link)
        assert reply.status_code == 200 or reply.headers["location"].startswith("/companion/"), link
    assert visitor.get("/").status_code == 404
    assert visitor.get("/companion/nothing").status_code == 404


def test_a_table_is_opened_joined_and_played_through_the_proxy(front):
    table = front.opens("score_sheet")
    ann, ben = table.sits("Ann"), table.sits("Ben")
    table.starts()
    for somebody in (table.shared, ann, ben):
        assert somebody.path.startswith("/companion/")
        assert 'hx-sse:connect="/companion/' in somebody.page().html
    # Every cookie stays under the prefix and is never sent without TLS.
    for somebody in (table.shared, ann):
        cookies = somebody.client.get(somebody.path).headers.get_list("set-cookie")
        assert cookies
        for cookie in cookies:
            assert re.search(r"; Path=/companion/", cookie), cookie
            assert "; Secure" in cookie
    # The same phone scans again and gets back to its own seat.
    again = ann.client.get(f"/companion/t/{table.code}")
    assert (again.status_code, again.headers["location"]) == (303, ann.path)
    # A frame arrives while its stream stays open, so nothing buffers it.
    streams = [somebody.listens() for somebody in (table.shared, ann, ben)]
    for stream in streams:
        assert stream.status == 200
        stream.frame()
    for points in (3, 4, 5):
        assert ann.taps("Enter", points=points).status in (200, 422)
        assert ben.taps("Enter", points=points).status in (200, 422)
    for stream in streams:
        # A stream may skip versions; the newest one includes all of them.
        assert "3 in round 1." in stream.until("Ben: 5 in round 3.")


def test_the_code_on_the_shared_screen_leads_through_the_proxy(front, windows):
    table = front.opens("score_sheet")
    page = windows.wide(ignore_https_errors=True)
    page.goto(f"{front.url}{table.shared.path}")
    picture = front.data / "code.png"
    page.locator("svg.qr").first.screenshot(path=picture)
    found = zxingcpp.read_barcodes(Image.open(picture))[0].text
    assert found.startswith(f"{front.url}/companion/t/{table.code}?k=")
    assert Reply(front.visitor("127.0.0.11").get(found)).shows("Take a seat")


def test_a_browser_behind_the_proxy_is_live(front, windows):
    table = front.opens("score_sheet")
    table.sits("Ann")
    page = windows.wide(ignore_https_errors=True)
    page.goto(f"{front.url}{table.shared.path}")
    page.locator("#history").get_by_text("Ann sits down.").wait_for(state="attached")
    table.sits("Ben")
    page.locator("#history").get_by_text("Ben sits down.").wait_for(state="attached")


def test_every_companion_serves_every_phone(front, behind):
    table = front.opens("score_sheet")
    ann = table.sits("Ann")
    asked = [requests_of(house) for house in behind]
    for _ in range(20):
        assert ann.page().status == 200
    assert all(now > before + 2 for now, before in zip(map(requests_of, behind), asked, strict=True))


def requests_of(house: House) -> float:
    """Return how many requests a companion has served."""
    found = re.search(r'companion_requests_total{status="200"} (\S+)', Person(house.url).get("/metrics").text)
    return float(found.group(1))


def test_players_do_not_notice_a_companion_that_is_down(front, behind):
    table = front.opens("score_sheet")
    ann, ben = table.sits("Ann"), table.sits("Ben")
    table.starts()
    for n, house in enumerate(behind, 1):
        house.kill()
        for somebody in (ann, ben):
            assert somebody.presses("Write down", points=n).status == 200
            assert front.stream(f"{somebody.path}/live").status == 200
        house.start("--host=127.0.0.1")
    assert table.shared.shows("Round 2 is complete.")


def guesses(front: Front, address: str, **headers: str) -> int:
    """Count how many wrong codes somebody can type before they have to wait."""
    visitor = front.visitor(address, headers=headers)
    for n in range(TRIES * 4):
        if visitor.get("/companion/t/ZZZZ").status_code == 429:
            return n
    return TRIES * 4


def uses_up(front: Front, address: str, **headers: str) -> int:
    """Guess until every companion refuses; return how many guesses the first one took."""
    first = guesses(front, address, **headers)
    wait_until(lambda: not any(guesses(front, address, **headers) for _ in range(4)), f"{address} takes a break")
    return first


def test_every_phone_s_own_address_counts(front):
    # Each companion counts on its own, so it can take the tries of both.
    assert TRIES <= uses_up(front, "127.0.0.20") <= 2 * TRIES
    assert TRIES <= guesses(front, "127.0.0.21") <= 2 * TRIES


def test_nobody_can_forge_another_client_address(front):
    assert uses_up(front, "127.0.0.30", **{"X-Forwarded-For": "192.0.2.1"}) <= 2 * TRIES
    assert (
        guesses(front, "127.0.0.30", **{"X-Forwarded-For": "192.0.2.2, 192.0.2.3", "Forwarded": "for=192.0.2.4"}) == 0
    )
    visitor = front.visitor("127.0.0.31")
    page = visitor.get(
        "/companion/",
        headers={"X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "/evil", "X-Forwarded-Proto": "http"},
    )
    assert "evil" not in page.text


def test_a_made_up_host_name_does_not_get_past_the_proxy(front):
    reply = front.visitor("127.0.0.32").get("/companion/", headers={"Host": "evil.example"})
    assert reply.status_code == 421
    assert "Companion" not in reply.text
    table = front.opens("score_sheet")
    page = table.shared.client.get(table.shared.path, headers={"Host": f"{HOST}:1"})
    assert f"{front.url}/companion" in page.text
    assert f"{HOST}:1/" not in page.text


class FrontAtRoot(Front):
    """The same without a path prefix, as docs/operating.md explains."""

    prefix = ""

    def _site(self, behind: list[int]) -> str:
        site, page = super()._site(behind), (ROOT / "docs" / "operating.md").read_text()
        line = 'proxy_set_header X-Forwarded-Prefix "";'
        assert "`location / { … }`" in page
        assert line in page
        site = site.replace("proxy_set_header X-Forwarded-Prefix /companion;", line)
        for location in (r"= /companion", "/"):
            site, left_out = re.subn(rf"location {location} {{\s+return [^}}]+}}", "", site)
            assert left_out == 1
        return site.replace("location /companion/ {", "location / {")


def test_at_the_root_nobody_says_where_the_links_lead(behind, tmp_path):
    front = FrontAtRoot(tmp_path / "nginx", [house.port for house in behind]).start()
    try:
        for prefix in ("/evil", "//evil.example"):
            page = front.visitor("127.0.0.32", headers={"X-Forwarded-Prefix": prefix}).get("/")
            assert page.status_code == 200
            assert "evil" not in page.text
        assert front.opens("score_sheet").sits("Ann").page().status == 200
    finally:
        front.kill()


def test_a_form_of_another_site_does_not_pass_the_proxy(front):
    visitor = front.visitor("127.0.0.33")
    for origin, status in ((front.url, 303), ("https://evil.example", 403), (f"https://{HOST}", 403)):
        reply = visitor.post("/companion/new/trickery", headers={"Origin": origin})
        assert reply.status_code == status, Reply(reply).text


def test_metrics_are_not_for_visitors(front, behind):
    assert front.visitor("127.0.0.40").get("/companion/metrics").status_code == 404
    for house in behind:
        assert Person(house.url).get("/metrics").status_code == 200


def test_nginx_logs_no_link(front, behind):
    table = front.opens("score_sheet")
    ann = table.sits("Ann")
    ann.page()
    refused = front.written().count(" 403 ")
    assert ann.client.get(f"{ann.path}x").status_code == 403
    # nginx answers first and logs afterwards.
    wait_until(lambda: front.written().count(" 403 ") > refused, "nginx has written down what it refused")
    written = front.written() + "".join(house.log.read_text() for house in behind)
    for secret in (ann.path.rpartition("/")[2], table.shared.path.rpartition("/")[2], table.code, "Ann"):
        assert secret not in written


def test_a_companion_behind_a_proxy_does_not_move_to_another_port(behind, tmp_path):
    second = House(tmp_path / "data", behind[0].port, COMPANION_PROXIES="1")
    with pytest.raises(AssertionError, match=f"Cannot listen on 127.0.0.1, port {behind[0].port}"):
        second.start("--host=127.0.0.1")


def test_systemd_accepts_the_units(tmp_path):
    unit = (ROOT / "deploy" / "companion@.service").read_text()
    program = f"{Path(sys.executable)} -m companion"
    assert "/opt/companion/bin/companion" in unit
    (tmp_path / "companion@8001.service").write_text(unit.replace("/opt/companion/bin/companion", program))
    found = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "companion@8001.service")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    complaints = [line for line in found.stderr.splitlines() if "companion" in line]
    assert not complaints
    assert found.returncode == 0, found.stderr


def test_memory_gets_into_no_core_dump_and_no_swap():
    unit = (ROOT / "deploy" / "companion@.service").read_text().splitlines()
    assert {"LimitCORE=0", "MemorySwapMax=0"} <= set(unit)


def test_every_option_in_the_environment_file_is_one_of_ours():
    from companion.cli import parser

    play = next(action for action in parser()._actions if action.dest == "command").choices["play"]
    known = {f"COMPANION_{action.dest.upper()}" for action in play._actions}
    named = re.findall(r"^(\w+)=", (ROOT / "deploy" / "companion.env").read_text(), re.M)
    assert len(named) > 4
    assert set(named) <= known
