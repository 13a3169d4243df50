"""Live screens: a stream shows the present, only what changed, and never waits for a slow phone."""

from __future__ import annotations

import gc
import re
import socket
from dataclasses import replace

import gevent
import gevent.socket
import msgspec
from easel import Easel
from secret_ballot import GAME as BALLOT
from secret_ballot import Box, Setup
from tabletalk import House, Stream, text_of

from companion.engine.game import Dice, Game, Seat
from companion.engine.links import Link
from companion.engine.screen import Screen
from companion.games.score_sheet import GAME as SHEET
from companion.web.pieces import Fresh, Viewer
from companion.web.server import Handler, make_server


def regions(frame: str) -> set[str]:
    return set(re.findall(r'hx-target="#(\w+)"', frame))


def test_a_stream_opens_with_the_present_screen_and_its_version(seated):
    table = seated("score_sheet")
    table["Ann"].presses("Write down", points=5)
    stream = table["Ben"].listens()
    assert stream.status == 200
    frame = stream.frame()
    assert regions(frame) == {"you", "back", "rights", "table", "record", "people", "history"}
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
    assert regions(late.frame()) == {"you", "back", "rights", "table", "record", "people", "history"}


def test_a_stream_passes_through_a_proxy_that_buffers(seated):
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


def test_whoever_taps_is_answered_when_every_open_screen_was_told(seated):
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
    assert regions(stream.frame()) == {"you", "back", "table", "record", "history"}


def test_what_the_host_may_do_is_sent_when_the_room_has_changed_not_with_every_tap(seated):
    table = seated("secret_ballot")
    stream = table.shared.listens()
    stream.frame()
    table["Ann"].presses("Knock")
    assert regions(stream.frame()) == {"back", "table", "history"}  # it could be taken back
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
    table["Ann"].presses("Knock")  # a game that goes on leaves the host's forms as they are
    assert table.shared.presses_on(drawn, "Mark as away", seat=table["Ann"].seat).status == 200
    assert table.shared.presses("Is back", seat=table["Ben"].seat).status == 200


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
    for n in range(20):  # more than a screen has room for
        list(table)[n % 2].presses("Knock")
        if n % 5 == 4:
            table.shared.presses("Take back")
        stream.frame()
    before = [seat.screen() for seat in (table.shared, *table)]
    own_house.kill()
    own_house.start()
    assert [seat.screen() for seat in (table.shared, *table)] == before


def test_what_all_seats_share_is_drawn_once(easel: Easel):
    easel.draw(BALLOT, Box(Setup(), (Seat(1), Seat(2), Seat(3))), 1)
    screens = [
        easel.parts.screens.draw(Viewer(Link("easel", Seat(seat), 1), "en", "", "http://192.0.2.1"))
        for seat in (0, 1, 2, 3)
    ]
    for other in screens[1:]:
        for mine, theirs in zip(screens[0].regions[3:], other.regions[3:], strict=True):
            assert mine is theirs


def screens_of(easel: Easel, game: Game, state: object, *seats: int) -> list[Screen]:
    easel.draw(game, state, seats[0])
    return [
        easel.parts.screens.draw(Viewer(Link("easel", Seat(seat), 1), "en", "", "http://192.0.2.1")) for seat in seats
    ]


def test_what_is_drawn_without_asking_for_whom_is_drawn_once(easel: Easel):
    box = Box(Setup(), (Seat(1), Seat(2), Seat(3)), slips={Seat(3): "owl"})
    ann, ben, cleo = (screen.regions[0].pieces[0] for screen in screens_of(easel, BALLOT, box, 1, 2, 3))
    assert ann.piece is ben.piece is not cleo.piece
    assert ann.here != ben.here
    for mine, theirs in ((ann, ben), (ben, ann)):
        assert mine.here.encode() in mine.html
        assert theirs.here.encode() not in mine.html
    assert ann.html.replace(ann.here.encode(), ben.here.encode()) == ben.html


def test_who_was_there_while_people_gathered_shares_what_is_drawn_later(easel: Easel):
    """Then everybody's own name is on their screen; when the game has begun, it is not."""
    tables, screens = easel.parts.tables, easel.parts.screens
    box = Box(Setup(), (Seat(1), Seat(2), Seat(3)))
    easel.draw(BALLOT, box, 1)
    playing = tables.present("easel")
    room = msgspec.structs.replace(playing.room, phase="gathering")
    tables.forget("easel")
    tables.mind.bear(replace(playing, room=room, state=None))
    viewers = [Viewer(Link("easel", Seat(seat), 1), "en", "", "http://192.0.2.1") for seat in (1, 2)]
    for viewer, name in zip(viewers, ("Ann", "Ben"), strict=True):
        assert f'value="{name}"' in screens.draw(viewer).regions[0].html
    for version in (8, 9):
        later = replace(playing, version=version, state=msgspec.structs.replace(box, rolled=version))
        tables.mind.bear(later)
        ann, ben = (screens.draw(viewer).regions[0].pieces[0] for viewer in viewers)
    assert ann.piece is ben.piece


def test_what_asks_for_whom_it_is_is_drawn_for_each(easel: Easel):
    """Here it is a part that may have asked: each player's own corrections."""
    sheet = SHEET.start(SHEET.setup(), (Seat(1), Seat(2)), Dice()).state
    ann, ben = (screen.regions[0].pieces[0] for screen in screens_of(easel, SHEET, sheet, 1, 2))
    assert ann.piece is not ben.piece
    assert ann.piece.things == ben.piece.things


def test_whoever_looks_under_a_thousand_names_fills_nobodys_memory(easel: Easel):
    box = Box(Setup(), (Seat(1), Seat(2), Seat(3)))
    easel.draw(BALLOT, box, 1)
    draw = easel.parts.screens.draw
    for n in range(1_500):  # a browser says itself by which name it has found us
        assert draw(Viewer(Link("easel", Seat(1), 1), "en", "", f"http://{n}.example")) is not None
    board = easel.parts.screens._boards["easel"]
    assert len(board.own) + len(board._pieces) <= 500


def test_so_many_bytes_of_html_are_kept_and_a_piece_that_was_let_go_is_drawn_again(easel: Easel):
    box = Box(Setup(), (Seat(1), Seat(2), Seat(3)), slips={Seat(1): "owl"})
    ann, ben = (screen.regions[0].pieces[0] for screen in screens_of(easel, BALLOT, box, 1, 2))
    before, fresh = ann.html, Fresh(200)
    fresh.add(ann.piece, 100)
    fresh.add(ben.piece, 100)
    fresh.add(ann.piece, 100)  # drawn again, it needs no more than before
    assert ann.piece.is_drawn
    assert ben.piece.is_drawn
    fresh.add(ben.piece, 101)
    assert not ann.piece.is_drawn
    assert ben.piece.is_drawn
    assert ann.html == before


def test_a_phone_that_hangs_up_frees_its_stream(own_house):
    import psutil

    table = own_house.opens("score_sheet")
    process = psutil.Process(own_house.process.pid)
    before = process.num_fds()
    streams = [table.shared.listens() for _ in range(50)]
    for stream in streams:
        stream.frame()
    assert process.num_fds() >= before + 50
    for stream in streams:
        stream.close()
    # The hub hears of hang-ups between two requests.
    for _ in range(500):
        assert table.shared.page().status == 200
        if process.num_fds() <= before + 5:
            return
    raise AssertionError(f"{process.num_fds() - before} sockets are still open")


def test_a_reply_is_not_held_back_until_its_head_is_acknowledged():
    """By the kernel, which would wait for more to send: 40 ms with every tap."""
    hurried = []

    def app(environ, start_response):
        handlers = [thing for thing in gc.get_objects() if isinstance(thing, Handler)]
        hurried.append(handlers[0].socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        start_response("204 No Content", [])
        return []

    server = make_server(("127.0.0.1", 0), app)
    server.start()
    with gevent.socket.create_connection(server.address) as phone:
        phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        while phone.recv(4096):
            pass
    server.stop()
    assert hurried == [1]
