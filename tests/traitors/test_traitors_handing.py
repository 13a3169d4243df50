"""People pass the shared screen around, and it never tells who has answered."""

from __future__ import annotations

import itertools

import pytest
from selectolax.lexbor import LexborHTMLParser
from traitors_http_talk import opened
from traitors_talk import GAME, Castle

from companion.games.traitors.agreement import Wish
from companion.games.traitors.banishment import OpenVote
from companion.testing import NAMES, Easel, Reply
from companion.testing.forms import first, text_of

ASKED = {
    "murder": lambda: Castle(5).draws("murder"),
    "vote": lambda: Castle(5).draws("banishment").taps(1, OpenVote()),
    "end": lambda: Castle(5).banishes(5, role="traitor"),
}


def answered_by(kind: str, seats: tuple[int, ...], *, late: bool = False):
    castle = ASKED[kind]()
    for seat in seats:
        match kind:
            case "murder":
                castle.answers({seat: "F"})
            case "vote":
                castle.casts({seat: 2})
            case _:
                castle.taps(seat, Wish("E"))
    return (castle.time_is_up() if late else castle).now


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize("phones", [(), (1, 2)], ids=["no phones", "mixed"])
def test_no_screen_says_who_is_missing_before_thirty_seconds_are_over(easel: Easel, kind, phones):
    """Screens don't depend on which two players have answered, except for those players."""
    for host in (0, 1):
        known: dict[int, str] = {}
        for pair in itertools.combinations(range(1, 5), 2):
            state = answered_by(kind, pair)
            for seat in {-1, 0, *phones} - set(pair):
                drawn = easel.draw(GAME, state, seat, host=host, phones=phones)
                assert known.setdefault(seat, drawn) == drawn


@pytest.mark.parametrize("kind", ASKED)
def test_after_thirty_seconds_only_the_host_is_told_who_has_no_phone_and_is_missing(easel: Easel, kind):
    one, other = (answered_by(kind, pair, late=True) for pair in ((1, 3), (1, 4)))
    # Seat 2 is the host: the shared screen still tells nothing.
    for seat in (-1, 0):
        assert easel.draw(GAME, one, seat, host=2, phones=(1, 2)) == easel.draw(
            GAME, other, seat, host=2, phones=(1, 2)
        )
    assert "Votes on the shared screen" in easel.draw(GAME, one, 2, host=2, phones=(1, 2))
    # The shared screen is the host: it says who to hand it to.
    for state, missing in ((one, "Dan"), (other, "Cleo")):
        drawn = easel.draw(GAME, state, 0, phones=(1, 2)).partition("Still to answer")[2]
        assert f"Hand the screen to {missing}" in drawn


def test_S15_the_screen_goes_to_the_next_person_who_has_not_held_it_and_never_names_who_is_missing(house):
    table = opened(house, "murder", 5, phones=1)
    table.shared.presses("EVENT", drawer=1)
    assert "Hand over the screen" in text_of(first(table.shared.page().html, "#acts").html)
    # Dan goes first. The gold button names the next person who has not held it, and anybody can take it.
    on = table.hands_to(4).presses("DONE", choice="F")
    assert gold(on) == "I'm Eve"
    assert [f"I'm {name}" in on.html for name in NAMES[:5]] == [False, True, True, True, True]
    # A reload shows the same cover again.
    assert gold(Reply(table.shared.client.get(str(on.response.url)))) == "I'm Eve"
    for name, seat in (("Eve", 5), ("Ben", 2), ("Cleo", 3)):
        assert gold(on) == f"I'm {name}"
        on = table.takes(on, seat).presses("DONE", choice="F")
    assert on.response.headers["HX-Redirect"] == table.shared.path  # everybody has held it
    assert table.shared.shows("4 of 5 have answered")
    dan = table.hands_to(4)
    assert "Your answer is in" in dan.html
    assert 'name="choice"' not in dan.html
    assert f"{table.shared.path}/pass?held=4" in dan.html  # he hands it on
    table["Ann"].presses("DONE", choice="F")
    assert table.shared.shows("Everybody has answered.")
    assert "Hand over the screen" not in text_of(
        first(table.shared.page().html, "#acts").html
    )  # nobody is offered the screen any more


def test_S15_a_cover_does_not_tell_who_has_answered(house):
    """The next cover does not depend on which of two people has answered."""
    covers = set()
    for seat in (2, 3):
        table = opened(house, "murder", 5, phones=1)
        table.shared.presses("EVENT", drawer=1)
        table.hands_to(seat).presses("DONE", choice="F")
        html = first(table.shared.client.get(f"{table.shared.path}/pass", follow_redirects=True).text, "#pass").html
        covers.add(html.replace(table.shared.path, ""))
    assert len(covers) == 1


def gold(cover: Reply) -> str:
    return " ".join(button.text().strip() for button in LexborHTMLParser(cover.html).css("button.primary"))


def test_nobody_votes_twice_on_a_passed_screen(house):
    table = opened(house, "banishment", 4, phones=0)
    table.shared.presses("EVENT", drawer=1)
    table.shared.presses("Vote now")
    ann = table.hands_to(1)
    ann.presses("CAST VOTE", choice="2")
    ann.presses("CAST VOTE", choice="3")  # press Back and vote again
    table.hands_to(1)
    assert table.shared.shows("1 of 4 has answered")
    for seat, choice in ((2, "2"), (3, "1"), (4, "2")):
        table.hands_to(seat).presses("CAST VOTE", choice=choice)
    for _ in NAMES[:4]:
        table.shared.presses("REVEAL VOTE")
    assert "Ann votes for Ben." in table.shared.lines()
    assert "Ben is banished." in table.shared.lines()
