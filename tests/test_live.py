"""Live screens: a stream sends the current screen, then only changes, and never waits for a slow phone."""

from __future__ import annotations

import re
import socket
from dataclasses import replace

import gevent
import gevent.socket
import msgspec
from secret_ballot import GAME as BALLOT
from secret_ballot import Box, Setup

from companion.engine.links import WATCHER, Link
from companion.game import TABLE, Seat
from companion.live.screen import Region, Screen
from companion.server.http import Handler, Server
from companion.testing import Easel, House, Stream, text_of
from companion.web.own_regions import SignedRegion, Viewer
from companion.web.render import ANY_SEAT, LARGE_BYTES, MAX_KEYS, Fragment, FragmentMemo


def regions(frame: str) -> set[str]:
    return set(re.findall(r'hx-target="#(\w+)"', frame))


ALL = {"moment", "you", "mine", "back", "fix", "rights", "table", "record", "people", "history"}


def test_a_stream_opens_with_the_present_screen_and_its_version(seated):
    table = seated("score_sheet")
    table["Ann"].presses("Write down", points=5)
    stream = table["Ben"].listens()
    assert stream.status == 200
    frame = stream.frame()
    assert regions(frame) == ALL
    assert "Ann: 5 in round 1." in text_of(frame.replace("data: ", ""))
    page = table["Ben"].page().html
    assert stream.version(frame) == int(re.search(r'data-version="(\d+)"', page).group(1))


def test_a_page_is_not_sent_again_what_it_shows_already(seated):
    table = seated("score_sheet")
    ben = table["Ben"]
    address = re.search(r'hx-sse:connect="([^"]+)"', ben.page().html).group(1)
    stream = Stream(ben.house.port, address)
    assert re.fullmatch(rb"id: \d+", stream.raw())
    table["Ann"].presses("Write down", points=5)
    stream.until("Ann: 5 in round 1.")
    late = Stream(ben.house.port, address)
    assert regions(late.frame()) == ALL


def test_a_stream_passes_through_a_buffering_proxy(seated):
    head = seated("score_sheet")["Ann"].listens().head.lower()
    assert "content-type: text/event-stream" in head
    assert "x-accel-buffering: no" in head
    assert "cache-control: no-store" in head


def test_a_tap_reaches_every_open_screen_with_a_higher_version(seated):
    table = seated("score_sheet", players=8)
    streams = [seat.listens() for seat in (table.shared, *table)]
    first = [stream.version(stream.frame()) for stream in streams]
    table["Ann"].presses("Write down", points=5)
    later = [stream.version(stream.until("Ann: 5 in round 1.")) for stream in streams]
    assert len(set(later)) == 1
    assert later[0] > first[0]


def test_a_tap_is_answered_when_every_open_screen_was_told(seated):
    table = seated("secret_ballot")
    streams = [seat.listens() for seat in (table.shared, *table)]
    for stream in streams:
        stream.frame()
        stream.socket.setblocking(False)
    for seat in table:
        seat.presses("DONE", word="owl")
    table.shared.presses("Open the box")
    for stream in streams:
        assert "The box is opened" in stream.socket.recv(1 << 16).decode()


def test_only_what_has_changed_is_sent(seated):
    table = seated("secret_ballot")
    stream = table["Ben"].listens()
    stream.frame()
    table["Ann"].presses("DONE", word="owl")
    assert regions(stream.frame()) == {"table"}
    table["Ann"].presses("Knock")
    assert regions(stream.frame()) == {"table", "history"}


def test_the_record_is_sent_when_a_round_is_complete_not_with_every_tap(seated):
    table = seated("score_sheet", players=2)
    stream = table["Ben"].listens()
    stream.frame()
    for name in ("Ann", "Ben"):
        table[name].presses("Write down", points=5)
    stream.until("Round 2")
    table["Ann"].presses("Write down", points=6)
    assert regions(stream.frame()) == {"back", "table", "history"}
    table["Ben"].presses("Write down", points=7)
    assert regions(stream.frame()) == {"moment", "you", "mine", "back", "table", "record", "history"}


def test_what_the_host_may_do_is_sent_when_the_room_has_changed_not_with_every_tap(seated):
    table = seated("secret_ballot")
    stream = table.shared.listens()
    stream.frame()
    table["Ann"].presses("Knock")
    assert regions(stream.frame()) == {"back", "stage", "history"}  # it could be taken back
    table.shared.presses("Knock")
    assert "rights" not in regions(stream.frame())
    table.shared.presses("Mark as away", seat=table["Ben"].seat)
    assert "rights" in regions(stream.frame())


def test_a_host_who_presses_twice_has_pressed_once(seated):
    table = seated("secret_ballot")
    drawn = table.shared.page().html
    for _ in range(2):
        assert table.shared.presses_on(drawn, "Mark as away", seat=table["Ben"].seat).status == 200
    assert len(re.findall("is away", text_of(table.shared.page().html).partition("History")[2])) == 1
    table["Ann"].presses("Knock")  # a running game doesn't change the host's forms
    assert table.shared.presses_on(drawn, "Mark as away", seat=table["Ann"].seat).status == 200
    assert table.shared.presses("Mark as back", seat=table["Ben"].seat).status == 200


def test_a_start_that_was_taken_back_can_be_made_again_by_a_host_with_a_phone(house):
    table = house.opens("secret_ballot")
    for name in ("Ann", "Ben", "Cleo"):
        table.sits(name)
    table.shared.presses("Make host", seat=table["Ann"].seat)
    for _ in range(3):
        table["Ann"].presses("Start the game")
        assert table["Ben"].shows("Knock")
        table["Ann"].presses("Take back")
        assert not table["Ben"].shows("Knock")


def test_a_slow_phone_skips_versions_and_holds_up_nobody(seated):
    table = seated("score_sheet", players=2, mode="running")
    slow = table["Ben"].listens(memory=2048)
    quick = table.shared.listens()
    taps = 150
    for n in range(taps):
        assert table["Ann"].taps("Enter", tap_id=f"{n}.1", points=n + 1).status == 200
    total = f"{taps * (taps + 1) // 2}"
    quick.until(total)
    frames = 1
    while total not in text_of(slow.frame().replace("data: ", "")):
        frames += 1
    assert frames < taps / 2


def test_an_idle_stream_says_that_it_is_alive(tmp_path):
    house = House(tmp_path / "data", COMPANION_HEARTBEAT="0.05").start()
    try:
        table = house.opens("score_sheet")
        stream = table.shared.listens()
        stream.frame()
        assert [stream.raw() for _ in range(3)] == [b": beat\nevent: beat"] * 3
    finally:
        house.kill()


def test_streams_end_cleanly_when_the_server_stops(own_house):
    table = own_house.opens("score_sheet")
    stream = table.shared.listens()
    stream.frame()
    assert own_house.stop() == 0
    assert stream.ended()
    own_house.start()


def test_after_a_restart_all_links_work_and_the_table_is_where_it_was(own_house):
    table = own_house.opens("score_sheet")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    table["Ann"].presses("Write down", points=5)
    before = [seat.screen() for seat in (table.shared, *table)]
    own_house.kill()
    own_house.start()
    assert [seat.screen() for seat in (table.shared, *table)] == before
    stream = table["Ann"].listens()
    table["Ben"].presses("Write down", points=6)
    stream.until("Round 1 is complete.")


def test_a_history_that_goes_on_reads_as_if_it_was_drawn_at_once(own_house):
    table = own_house.opens("secret_ballot")
    for name in ("Ann", "<Ben> & Co"):
        table.sits(name)
    table.starts()
    stream = table["Ann"].listens()
    for n in range(20):  # more lines than a screen shows
        list(table)[n % 2].presses("Knock")
        if n % 5 == 4:
            table.shared.presses("Take back")
        stream.frame()
    before = [seat.screen() for seat in (table.shared, *table)]
    own_house.kill()
    own_house.start()
    assert [seat.screen() for seat in (table.shared, *table)] == before


def draw(easel: Easel, seat: int, base: str = "http://192.0.2.1") -> Screen:
    return easel.services.screens.draw(Viewer(Link("easel", Seat(seat), 1), "en", "", base))


def card(easel: Easel, seat: int) -> Region:
    return next(region for region in draw(easel, seat).regions if region.name == "you")


def test_what_all_seats_share_is_rendered_once(easel: Easel):
    easel.draw(BALLOT, Box(Setup(), (Seat(1), Seat(2), Seat(3))), 1)
    for seats, shared in (((1, 2, 3), 5), ((TABLE, WATCHER), 2)):
        first, *others = ([*draw(easel, seat).regions] for seat in seats)
        everybodys = [region for region in first if not isinstance(region, SignedRegion)][:shared]
        assert len(everybodys) == shared
        for other in others:
            assert all(any(region is one for one in other) for region in everybodys)


def test_equal_inputs_are_rendered_once_and_other_inputs_again(easel: Easel):
    box = Box(Setup(), (Seat(1), Seat(2), Seat(3)))
    easel.draw(BALLOT, box, 1)
    cache, before = easel.services.reader.cache, card(easel, 1)
    now = easel.services.reader.snapshot("easel")
    cache.put(replace(now, version=8, state=Box(Setup(), (Seat(1), Seat(2), Seat(3)))))
    assert draw(easel, 1).version == 8
    assert card(easel, 1) is before
    cache.put(replace(now, version=9, state=msgspec.structs.replace(box, slips={Seat(1): "owl"})))
    assert card(easel, 1).html != before.html


def test_a_viewer_under_a_thousand_names_fills_nobodys_memory(easel: Easel):
    easel.draw(BALLOT, Box(Setup(), (Seat(1), Seat(2), Seat(3))), 1)
    for n in range(1_500):  # the browser chooses the Host header
        assert draw(easel, 1, f"http://{n}.example") is not None
    memo = easel.services.renderer.memo.of("easel")
    assert max(len(memo.fragments), len(memo.own), len(memo.newest.screens)) <= MAX_KEYS


def test_seats_with_the_same_view_share_what_is_rendered_and_each_has_its_own_link(easel: Easel):
    box = Box(Setup(), (Seat(1), Seat(2), Seat(3)), slips={Seat(3): "owl"})
    easel.draw(BALLOT, box, 1)
    ann, ben, cleo = (card(easel, seat).html for seat in (1, 2, 3))
    memo = easel.services.renderer.memo.of("easel")
    assert len(memo.fragments["_seat.html", "en", ANY_SEAT]) == 2, "one with a form, and one for Cleo"
    links = [re.search(rb'action="([^"]+)"', html)[1] for html in (ann, ben, cleo)]
    assert len(set(links)) == 3
    assert ann.replace(links[0], links[1]) == ben


def test_the_table_that_was_drawn_longest_ago_is_evicted_first():
    memo = FragmentMemo(max_bytes=250)
    for table in ("first", "second"):
        memo.put(table, "you", Fragment({}, {}, lambda: b"x" * 100))
    assert memo.of("second").fragments
    memo.of("first")
    for _ in range(2):  # the second replaces the first
        memo.put("third", "you", Fragment({}, {}, lambda: b"z" * 100))
    assert not memo.of("second").fragments
    assert memo.of("first").fragments
    memo.evict("first")
    assert not memo.of("first").fragments


def test_a_large_fragment_keeps_its_digest_and_is_rendered_again_when_it_is_sent():
    rendered = []
    large = Fragment({}, {}, lambda: rendered.append("large") or b"x" * LARGE_BYTES)
    assert (large.digest, large.kept_bytes) == (hash(b"x" * LARGE_BYTES), 0)
    assert large.html == b"x" * LARGE_BYTES
    assert len(rendered) == 2


def test_a_burn_forgets_what_was_rendered_for_one_seat_and_keeps_what_everybody_saw():
    memo = FragmentMemo()
    memo.put("table", "you", Fragment({}, {}, lambda: b"nightingale", private=True))
    memo.put("table", "people", Fragment({}, {}, lambda: b"Ann, Ben"))
    memo.of("table").newest = "nightingale"
    memo.of("table").own["Ann"] = "nightingale"
    memo.burn("table")
    left = memo.of("table")
    assert (left.newest, left.own, list(left.fragments)) == (None, {}, ["people"])
    assert left.bytes == len("Ann, Ben")


def test_a_phone_that_hangs_up_frees_its_stream(own_house):
    table = own_house.opens("score_sheet")
    before = own_house.open_files()
    streams = [table.shared.listens() for _ in range(50)]
    for stream in streams:
        stream.frame()
    assert own_house.open_files() >= before + 50
    for stream in streams:
        stream.close()
    # The hub notices closed connections between two requests.
    for _ in range(500):
        assert table.shared.page().status == 200
        if own_house.open_files() <= before + 5:
            return
    raise AssertionError(f"{own_house.open_files() - before} sockets are still open")


def test_a_reply_is_not_held_back_until_its_head_is_acknowledged():
    """Without TCP_NODELAY the kernel would wait for more data: 40 ms per tap."""
    without_delay = []

    class Watched(Handler):
        def handle_one_response(self):
            without_delay.append(self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            super().handle_one_response()

    def app(environ, start_response):
        start_response("204 No Content", [])
        return []

    server = Server(("127.0.0.1", 0), app, problem_page=lambda status: b"")
    server.handler_class = Watched
    server.start()
    with gevent.socket.create_connection(server.address) as phone:
        phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        while phone.recv(4096):
            pass
    server.stop()
    assert without_delay == [1]
