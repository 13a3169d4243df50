"""Which address goes into the QR code."""

from __future__ import annotations

import pytest

from companion.app import address_url
from companion.live.networks import network_of
from companion.server.addresses import LocalAddress, ranked, url
from companion.web import qr

WIFI = LocalAddress("192.168.1.20", "wlan0", is_default=True)
CABLE = LocalAddress("10.0.0.5", "eth0")
DOCKER = LocalAddress("172.17.0.1", "docker0")
VPN = LocalAddress("100.64.3.2", "tailscale0", is_default=True)
LOOP = LocalAddress("127.0.0.1", "lo")


@pytest.mark.parametrize(
    ("found", "best"),
    [
        ([DOCKER, CABLE, WIFI, LOOP], WIFI),
        ([LOOP, DOCKER, CABLE], CABLE),
        ([VPN, CABLE], CABLE),
        ([LOOP, DOCKER], DOCKER),
        ([LOOP], LOOP),
        ([LocalAddress("169.254.3.3", "eth1"), DOCKER], DOCKER),
        ([LocalAddress("fd00::7", "wlan0", is_default=True), LocalAddress("192.168.1.9", "wlan0")], LocalAddress("192.168.1.9", "wlan0")),
        ([LocalAddress("192.168.56.1", "VirtualBox Host-Only Ethernet Adapter"), LocalAddress("192.168.0.4", "Wi-Fi")], LocalAddress("192.168.0.4", "Wi-Fi")),
    ],
)  # fmt: skip
def test_the_address_a_phone_can_reach_comes_first(found, best):
    assert ranked(found)[0] == best


def test_loopback_is_never_offered_beside_others():
    assert LOOP not in ranked([LOOP, WIFI, DOCKER])
    assert ranked([]) == [LOOP]


def test_an_address_becomes_a_link():
    assert url("192.168.1.20", 8000) == "http://192.168.1.20:8000"
    assert url("fd00::7", 80) == "http://[fd00::7]"
    assert address_url("https://play.example/club/", 8000) == "https://play.example/club"
    assert address_url("192.168.1.20", 8000) == "http://192.168.1.20:8000"


def test_the_host_s_own_address_goes_into_the_code(tmp_path):
    import re

    from companion.testing import House, Person, Reply

    house = House(tmp_path / "data").start("--address", "192.0.2.77")
    try:
        table = house.opens("score_sheet")
        assert table.shared.shows(f"192.0.2.77:{house.port}/{table.code}")
        page = Reply(Person(house.url).get(f"{table.shared.path}/phones"))
        assert re.search(r"192\.0\.2\.77", page.text)
    finally:
        house.kill()


@pytest.mark.parametrize(
    ("said", "network"),
    [
        ("192.0.2.9", "192.0.2.9"),
        ("192.0.2.9:1234", "192.0.2.9"),
        ("[2001:db8::1]:443", "2001:db8::/64"),
        ("[2001:db8::1]", "2001:db8::/64"),
        ("2001:db8::1", "2001:db8::/64"),
        ("[::ffff:192.0.2.9]:80", "192.0.2.9"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
        ("unknown:80", "unknown:80"),
        ("", ""),
        (None, ""),
    ],
)
def test_a_caller_that_a_proxy_names_with_a_port_is_the_same_caller(said, network):
    assert network_of(said) == network


def test_codes_are_kept_only_up_to_a_size(monkeypatch):
    monkeypatch.setattr(qr, "MAX_KEPT_BYTES", 50_000)
    pictures = [qr.svg(f"http://{n}.example/{'x' * 200}", "a code") for n in range(6)]
    assert sum(map(len, pictures)) > 50_000 >= sum(map(len, qr._kept.values()))
    assert qr.svg(f"http://5.example/{'x' * 200}", "a code") is pictures[5]
    assert qr.svg(f"http://0.example/{'x' * 200}", "a code") == pictures[0]
