"""Which address goes into the QR code."""

from __future__ import annotations

import pytest

from companion.app import address_url
from companion.server.addresses import LocalAddress, ranked, url

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

    from tabletalk import House, Person, Reply

    house = House(tmp_path / "data").start("--address", "192.0.2.77")
    try:
        table = house.opens("score_sheet")
        assert table.shared.shows(f"http://192.0.2.77:{house.port}")
        page = Reply(Person(house.url).get(f"{table.shared.path}/phones"))
        assert re.search(r"192\.0\.2\.77", page.text)
    finally:
        house.kill()
