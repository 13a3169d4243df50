"""Expensive pages are rendered once for everybody, and never cached past a burn or a deletion."""

from __future__ import annotations

import gevent
from gevent.event import Event
from test_night import finished

from companion.live.costly import CostlyPages


def test_a_page_is_rendered_once_for_everybody_who_waits_for_it():
    pages, made, go = CostlyPages(), [], Event()

    def make() -> str:
        made.append(1)
        go.wait()
        return "page"

    waiting = [gevent.spawn(pages.make, "night", "key", make) for _ in range(50)]
    gevent.sleep(0)
    go.set()
    gevent.joinall(waiting)
    assert {one.value for one in waiting} == {b"page"}
    assert len(made) == 1
    assert pages.make("night", "another key", lambda: "another") == b"another"


def test_a_page_rendered_during_a_burn_is_not_cached():
    pages = CostlyPages()

    def make() -> str:
        pages.drop("table")
        return "before the burn"

    assert pages.make("night", "key", make) == b"before the burn"
    assert pages.make("night", "key", lambda: "after it") == b"after it"


def test_the_cache_has_a_size_limit():
    pages = CostlyPages(max_bytes=10)
    for key in ("first", "second"):
        pages.make("night", key, lambda: "123456")
    assert pages.make("night", "second", lambda: "again") == b"123456"
    assert pages.make("night", "first", lambda: "again") == b"again"


def test_pages_of_a_night_follow_every_tap(seated):
    table = finished(seated("score_sheet", players=2, rounds=2), 1, 2)
    past = f"night/{table.shared.path.rpartition('/')[2].split('.')[0]}"
    pages = ("night.json", past, f"{past}/history.csv")
    for page in pages:
        assert not table.shared.reads(page).shows("Ann: 77")
    assert table["Ann"].presses("Write down", points=77).status == 200
    for page in pages:
        assert table.shared.reads(page).shows("Ann: 77")
