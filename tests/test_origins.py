"""Host and Origin: only our own host names are served, and only forms from our own pages are accepted."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.test import Client

from companion.app import create_app
from companion.engine.links import Link
from companion.engine.snapshot import as_data
from companion.games import all_games
from companion.server.addresses import addresses
from companion.server.metrics import PrometheusMetrics
from companion.testing import House, Person, Reply, typed
from companion.web import own_host

FOREIGN = (
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "cross-site"},
)


@pytest.mark.parametrize("foreign", FOREIGN, ids=str)
def test_a_form_of_another_site_changes_nothing(seated, foreign):
    table = seated("score_sheet")
    ann, before = table["Ann"], table.shared.screen()
    paths = (ann.path, "/new/score_sheet", f"/t/{table.code}", f"{table.shared.path}/setup", "/players", "/nowhere")
    for path in paths:
        for headers in (foreign, {**foreign, "HX-Request": "true"}):
            reply = Reply(ann.client.post(path, data={"tap": "Enter", "points": "3"}, headers=headers))
            assert reply.status == 403
            assert reply.shows("Nothing has changed.")
    assert table.shared.screen() == before
    assert ann.client.get(ann.path, headers=foreign).status_code == 200


def test_our_own_pages_and_browsers_without_an_origin_can_play(seated):
    table = seated("score_sheet", players=2)
    ours = {"Origin": table.house.url}
    for headers in ({}, ours, {**ours, "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}):
        for somebody in table:
            assert somebody.client.post(
                somebody.path, data={"tap": "Enter", "points": "3"}, headers=headers
            ).status_code in (303, 200)
    # A proxy may pass on a wrong port; Sec-Fetch-Site still shows that it is our own page.
    own = {"Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "same-origin"}
    assert table["Ann"].client.post(table["Ann"].path, data={"tap": "Fly"}, headers=own).status_code == 422


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.99", "local",
     "evil.example#.local", "user@localhost", "localhost/x.local", "[::2]", "[::1", "1" * 400, "é.local", "::1", "[x]",
     "a" * 250 + ".local", "a" * 20_000 + ".local"],
)  # fmt: skip
def test_a_host_name_that_is_not_ours_opens_nothing(house, host):
    for path in ("/", "/metrics", "/healthz", "/t/ABCD", "/nowhere"):
        reply = Reply(Person(house.url).get(path, headers={"Host": host.encode()}))
        assert reply.status == 421
        assert reply.shows("Use the address on the laptop.")
        assert host not in reply.html
    assert Person(house.url).post("/new/risk", headers={"Host": host.encode()}).status_code == 421


def test_every_address_of_this_machine_opens_it(house):
    ours = [address.ip for address in addresses()]
    for host in ("localhost", "LOCALHOST:80", "127.0.0.1:9", "127.3.2.1", "[::1]:8000", "annas-laptop.local", *ours):
        host = f"[{host}]" if host.count(":") > 1 and "[" not in host else host
        assert Person(house.url).get("/", headers={"Host": host}).status_code == 200, host


def test_a_request_without_a_host_is_refused(house):
    with socket.create_connection(("127.0.0.1", house.port)) as sock:
        sock.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert b" 200 " in sock.makefile("rb").readline()


@pytest.mark.parametrize(
    ("address", "host"), [("https://play.example", "play.example"), ("192.0.2.7", "192.0.2.7:8000")]
)
def test_the_address_that_the_host_names_is_ours(tmp_path, address, host):
    client = create_app(tmp_path / "data", address=address).test_client()
    assert client.get("/", headers={"Host": host}).status_code == 200
    assert client.get("/", headers={"Host": "other.example"}).status_code == 421


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Client:
    """A companion that trusts one proxy."""
    app = create_app(tmp_path_factory.mktemp("behind") / "data", public=True, metrics=PrometheusMetrics())
    return Client(ProxyFix(app, x_for=1, x_proto=1, x_host=1, x_prefix=1))


FORWARDED = {"X-Forwarded-For": "192.0.2.9", "X-Forwarded-Host": "play.example", "X-Forwarded-Proto": "https"}


def test_behind_a_proxy_its_own_names_count(behind):
    assert behind.get("/", headers=FORWARDED).status_code == 200
    ours = {**FORWARDED, "Origin": "https://play.example"}
    assert behind.post("/t/ABCD", headers=ours).status_code == 404
    assert behind.post("/t/ABCD", headers={**FORWARDED, "Origin": "https://evil.example"}).status_code == 403
    assert behind.post("/t/ABCD", headers={**ours, "X-Forwarded-Host": "play.example:443"}).status_code == 404
    # A client that bypasses the proxy is checked as at home, even a browser on the server itself.
    assert behind.get("/metrics", headers={"Host": "evil.example"}).status_code == 421
    here = {"REMOTE_ADDR": "127.0.0.1"}
    assert behind.get("/metrics", headers={"Host": "127.0.0.1:8001"}, environ_base=here).status_code == 200


@pytest.mark.parametrize("host", ["a" * 254, "a" * 20_000, "a b", "evil.example/x", f"[{'1:' * 30}]"])
def test_behind_a_proxy_a_host_name_must_be_valid_and_short(behind, host):
    assert behind.get("/", headers={**FORWARDED, "X-Forwarded-Host": host}).status_code == 421


def test_the_longest_name_there_is_fits_into_the_code(behind):
    name = "a." * 126 + "a"
    longest = {**FORWARDED, "X-Forwarded-Host": name, "X-Forwarded-Prefix": "/" + "b" * 199}
    opened = behind.post("/new/score_sheet", headers=longest, data=typed(as_data(all_games()["score_sheet"].setup())))
    screen = behind.get(opened.location.removeprefix("/" + "b" * 199), headers=longest)
    assert screen.status_code == 200
    assert f"https://{name}/{'b' * 199}" in screen.text
    longer = {**longest, "X-Forwarded-Prefix": "/" + "b" * 200}
    assert behind.get("/", headers=longer).status_code == 400


def test_made_up_host_names_get_no_screens_drawn_for_them(tmp_path):
    """Each address that is drawn for costs a screen of its own with every tap."""
    services = create_app(tmp_path / "data", port=8123).extensions["companion"]
    best, *others = [address.url for address in services.addresses()]

    def base(host):
        environ = {"wsgi.url_scheme": "http", "HTTP_HOST": host}
        return services.viewer(Link("table", 1, 1), environ).base

    made_up = [f"u{n}.local:8123" for n in range(600)] + [f"localhost:{n}" for n in range(600)]
    assert {base(host) for host in (*made_up, "localhost", "127.3.2.1", "[::1]:8123", "")} == {best}
    for url in (best, *others):
        assert base(urlsplit(url).netloc) == url
        assert base(f"{urlsplit(url).netloc[:-4]}8124") == best
    assert base(f"{own_host().upper()}:8123") == f"http://{own_host()}:8123"
    assert base(f"{own_host()}:8124") == best


@pytest.mark.parametrize("prefix", ["//evil.example", "/\\evil.example", "/a//b", "/../x", "x", "/a?b", "/<b>", "/é"])
def test_a_prefix_that_is_not_a_plain_path_is_refused(behind, prefix):
    reply = behind.get("/", headers={**FORWARDED, "X-Forwarded-Prefix": prefix})
    assert reply.status_code == 400
    assert "evil" not in reply.text
    assert 'href="/"' in reply.text


def test_a_plain_prefix_is_in_every_link(behind):
    for prefix in ("/companion", "/a/b-c", "/a.b/"):
        reply = behind.get("/", headers={**FORWARDED, "X-Forwarded-Prefix": prefix})
        assert f'href="{prefix.rstrip("/")}/new/risk"' in reply.text


def test_a_real_browser_fills_in_forms_with_and_without_scripts(windows, house: House):
    """The browser sends its origin, because our referrer policy allows it."""
    sent = []
    for scripts in (True, False):
        page = windows.wide(java_script_enabled=scripts)
        page.on("request", lambda request: sent.append(request.all_headers()) if request.method == "POST" else None)
        page.goto(f"{house.url}/new/score_sheet")
        page.get_by_role("button", name="Open the table").click()
        page.locator(".join-code").wait_for()
        page.locator("#drawer > summary").click()
        page.get_by_label("Somebody without a phone").fill("Ann")
        page.get_by_role("button", name="Add").click()
        page.locator("#history").get_by_text("Ann sits down").wait_for(state="attached")
    assert {headers["origin"] for headers in sent} == {house.url}
    assert len(sent) == 4
