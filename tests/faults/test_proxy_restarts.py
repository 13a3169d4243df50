"""nginx and the companions behind it restart under load: nobody loses a tap, and every screen reconnects."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cellar import Cellar
from crowd import Crowd
from proxy import Front, free_ports

from companion.testing import House

TIMES = 3
ROUNDS = 2
# Python doesn't close a socket whose peer hangs up before the TLS handshake.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")


@pytest.fixture
def behind(tmp_path: Path, cellar: Cellar) -> Iterator[list[House]]:
    """Two companions on one PostgreSQL, as in deploy/."""
    database = cellar.database()
    options = {"COMPANION_PROXIES": "1", "COMPANION_TRIES": "1000000"}
    houses = [House(tmp_path / "data", port, database, **options).start("--host=127.0.0.1") for port in free_ports(2)]
    yield houses
    for house in houses:
        house.kill()


@pytest.fixture
def front(tmp_path: Path, behind: list[House]) -> Iterator[Front]:
    front = Front(tmp_path / "nginx", [house.port for house in behind]).start()
    yield front
    front.kill()


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_proxy_that_is_restarted_costs_nobody_a_tap(front, how):
    with Crowd(front) as crowd:
        for _ in range(TIMES):
            crowd.go_on()
            getattr(front, how)()
            front.start()
        crowd.rests()
        crowd.screens_are_right(since=time.monotonic())
        crowd.nothing_is_lost_or_doubled()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_companions_that_are_restarted_one_after_the_other_are_not_noticed(front, behind, how):
    with Crowd(front) as crowd:
        for _ in range(ROUNDS):
            for house in behind:
                crowd.go_on()
                house.process.send_signal(how)
                house.process.wait()
                house.process.stdout.close()
                crowd.go_on()
                house.start("--host=127.0.0.1")
        crowd.rests()
        crowd.screens_are_right(since=time.monotonic())
        crowd.nothing_is_lost_or_doubled()
        # Every tap was answered with the screen.
        assert [refusal for tapper in crowd.tappers for refusal in tapper.refused] == []
