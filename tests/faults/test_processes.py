"""Several processes on one PostgreSQL serve the same tables as one."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from test_crash import words

from companion.app import create_app
from companion.engine.links import Link
from companion.engine.room_rules import Start
from companion.game import Seat
from companion.live.notify import RemoteListener
from companion.storage.postgres import PostgresStore
from companion.testing import NAMES, House, Person, Seated, Table
from companion.web.own_regions import Viewer


class Street:
    """Three processes that serve the same tables."""

    def __init__(self, houses: list[House]) -> None:
        self.houses = houses
        self.doors = houses

    def seated(self, game: str, players: int = 3, **setup: object) -> Table:
        table = self.doors[0].opens(game, **setup)
        for name in NAMES[:players]:
            table.sits(name)
        return table.starts()

    def at(self, door: int, who: Seated) -> Seated:
        """Return the same person, connected to another process."""
        house = self.doors[door % 3]
        return Seated(house, Person(house.url), who.path, who.name)


@pytest.fixture(scope="module")
def street(cellar, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    data, database = tmp_path_factory.mktemp("street") / "data", cellar.database()
    # They share a folder, because the key is in it.
    houses = [House(data, database=database, COMPANION_TRIES="1000000").start() for _ in range(3)]
    yield Street(houses)
    for house in houses:
        house.stop()


def test_a_tap_in_one_process_reaches_the_open_screens_of_all_processes(street):
    table = street.seated("score_sheet", mode="running")
    streams = [street.at(n, who).listens() for who in (table.shared, *table) for n in range(3)]
    for n in range(6):
        assert street.at(n, table["Ann"]).presses("Write down", points=100 + n).status == 200
        for stream in streams:
            stream.until(f"+{100 + n}.")


def test_what_one_process_confirmed_is_seen_in_the_next(street):
    table = street.seated("score_sheet", mode="running")
    doors = [street.at(n, table["Ann"]) for n in range(6)]
    for n in range(30):
        assert doors[n % 6].taps("Enter", tap_id=f"{n}.1", points=n + 1).status == 200
        assert doors[(n + 1) % 6].lines()[0] == f"Ann: +{n + 1}."


def test_one_tap_sent_to_two_processes_together_counts_once(street):
    table = street.seated("score_sheet", mode="running")
    doors = [street.at(n, table["Ann"]) for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        for n in range(10):
            replies = list(pool.map(lambda door, n=n: door.taps("Enter", tap_id=f"{n}.1", points=n + 1), doors))
            assert [reply.status for reply in replies] == [200] * 6
            assert all(f"+{n + 1}." in reply.text for reply in replies)
    history = table.shared.client.get(f"{table.shared.path}/history").text
    assert [int(found) for found in re.findall(r"<bdi>\+(\d+)</bdi>", history)] == list(range(10, 0, -1))


def test_different_taps_in_all_processes_together_all_count(street):
    table = street.seated("score_sheet", players=8, mode="running")
    doors = [street.at(n, who) for n, who in enumerate(table)]
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda who: who.presses("Write down", points=who.seat), doors))
    assert {reply.status for reply in replies} == {200}
    lines = table.shared.lines()
    for who in table:
        assert f"{who.name}: +{who.seat}." in lines


def test_a_replaced_link_and_its_streams_are_dead_in_every_process(street):
    table = street.seated("score_sheet", mode="running")
    ann = table["Ann"]
    doors = [street.at(n, ann) for n in range(6)]
    streams = [door.listens() for door in doors]
    for stream in streams:
        stream.frame()
    assert table.shared.taps("NewLink", seat=ann.seat).status == 200
    for door in doors:
        assert door.client.get(ann.path).status_code == 403
        assert door.taps("Enter", points=5).status == 403
    assert all(stream.ended() for stream in streams)


def test_an_alarm_goes_off_once(street):
    table = street.seated("secret_ballot")
    streams = [street.at(n, table["Ben"]).listens() for n in range(6)]
    for n in range(3):
        assert street.at(n, table["Ann"]).taps("Hurry").status == 200
        for stream in streams:
            while stream.frame().count("Time is up.") < n + 1:
                pass
        assert table.shared.lines().count("Time is up.") == n + 1


def test_screens_in_every_process_follow_their_people_to_the_next_table(street):
    table = street.seated("score_sheet", players=2, mode="running")
    streams = [street.at(n, table["Ben"]).listens() for n in range(6)]
    assert table.shared.presses("Yes, end it").status == 200
    for stream in streams:
        stream.until("This table has ended.")
    with ThreadPoolExecutor(3) as pool:
        doors = [street.at(n, table.shared) for n in range(3)]
        assert {reply.status_code for reply in pool.map(lambda d: d.client.post(f"{d.path}/again"), doors)} == {303}
    for stream in streams:
        stream.until("Another game with the same people and seats.")
    # Three doors, one table: nobody sits alone at another one, and it is said once.
    table.shared.moves_on()
    assert table.shared.lines().count("Another game with the same people and seats.") == 1
    assert len({street.at(n, table["Ben"]).moves_on() for n in range(3)}) == 1


def test_a_deleted_night_is_gone_in_every_process(street):
    table = street.seated("score_sheet", players=2, mode="running")
    assert table.shared.presses("Yes, end it").status == 200
    streams = [street.at(n, table["Ben"]).listens() for n in range(6)]
    assert table.shared.client.post(f"{table.shared.path}/delete", data={"what": "night"}).status_code == 303
    assert all(stream.ended() for stream in streams)
    for n in range(6):
        assert street.at(n, table["Ben"]).client.get(table["Ben"].path).status_code == 403


def test_slips_are_burnt_while_others_read_and_write(street):
    table = street.seated("secret_ballot", players=2)
    busy = street.seated("score_sheet", players=2, mode="running")
    done = threading.Event()

    def keep_busy(n: int) -> None:
        door = street.at(n, busy["Ann"])
        while not done.is_set():
            assert door.presses("Write down", points=1).status == 200

    others = [threading.Thread(target=keep_busy, args=(n,)) for n in range(3)]
    for thread in others:
        thread.start()
    try:
        for round in range(6):
            for name, word in zip(("Ann", "Ben"), words(round), strict=True):
                assert street.at(round, table[name]).taps("Cast", word=word).status == 200
            assert street.at(round + 1, table["Ann"]).taps("Open").status == 200
            kept = street.houses[0].database_bytes()
            assert not [word for n in range(round + 1) for word in words(n) if word.encode() in kept]
    finally:
        done.set()
        for thread in others:
            thread.join()


def test_guesses_are_counted_across_processes(cellar, tmp_path):
    database = cellar.database()
    houses = [House(tmp_path / "data", database=database, COMPANION_TRIES="20").start() for _ in range(3)]
    answers = []
    for n in range(60):
        with Person(houses[n % len(houses)].url) as stranger:
            answers.append(stranger.get(f"/t/QQ{n:02d}").status_code)
    # The next guess may arrive before a notification does.
    assert 20 <= answers.count(404) <= 26
    assert answers[-20:] == [429] * 20
    for house in houses:
        house.stop()


# -------------------------------------------------------------------------------- what stays in memory


def test_a_burn_in_another_process_clears_our_memory(cellar, tmp_path):
    address = cellar.database()
    apps = [create_app(tmp_path, store=PostgresStore(address, tmp_path / "key")) for _ in range(2)]
    here, there = (app.extensions["companion"] for app in apps)
    game = here.reader.games["secret_ballot"]
    now = here.tables.open(game, game.setup())
    for name in ("Ann", "Ben"):
        now, _ = here.tables.sit(now.id, name)
    act(here, now, 0, "Start")
    act(here, now, 1, "Cast", word="nightingale")
    act(here, now, 2, "Cast", word="kingfisher")
    viewer = Viewer(Link(now.id, Seat(1), 1), "en", "", "http://example")
    there.screens.draw(viewer)
    assert "nightingale" in memory_of(there, now.id)
    opened = act(here, now, 1, "Open")
    listener = RemoteListener(there.reader, there.hub)
    listener.receive(f"{now.id} {opened.version - 1} 0")  # the snapshot leaves the cache before the burn is known
    listener.receive(f"{now.id} {opened.version} {opened.burn_floor}")
    assert "nightingale" not in memory_of(there, now.id)
    assert "nightingale" not in memory_of(here, now.id)
    for services in (here, there):
        services.reader.store.close()


def act(services, now, seat: int, tap: str, **fields: str):
    kinds = {kind.__name__: kind for kind in (*now.game.rules, Start)}
    return services.tables.act(now.id, Seat(seat), kinds[tap](**fields))


def memory_of(services, table: str) -> str:
    """Return the snapshots and fragments in this process' memory."""
    memo = services.renderer.memo.of(table)
    fragments = [(one.inputs, one.html) for several in memo.fragments.values() for one in several]
    return repr(services.reader.cache.get(table)) + repr(fragments) + repr(memo.newest) + repr(memo.own)


def test_several_processes_on_one_machine_are_started_one_by_one(tmp_path):
    house = House(tmp_path / "data")
    with pytest.raises(AssertionError):
        house.start("--workers=3")
    assert "Several need PostgreSQL" in house.log.read_text()
