"""The proxy is restarted under load, politely and not: nobody loses a tap, and every screen comes back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from crowd import Crowd
from proxy import Front, free_ports
from tabletalk import House

TIMES = 5


@pytest.fixture
def front(tmp_path: Path) -> Iterator[Front]:
    house = House(tmp_path / "data", *free_ports(1), COMPANION_PROXIES="1", COMPANION_TRIES="1000000").start()
    front = Front(tmp_path / "nginx", [house.port, *free_ports(1)]).start()
    yield front
    front.kill()
    house.kill()


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_proxy_that_is_restarted_costs_nobody_a_tap(front, how):
    with Crowd(front) as crowd:
        for _ in range(TIMES):
            crowd.go_on()
            getattr(front, how)()
            front.start()
        back = time.monotonic()
        crowd.rests()
        crowd.screens_are_right(since=back)
        crowd.nothing_is_lost_or_doubled()
