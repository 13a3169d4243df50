"""The moments on the stage: events, the victim, a Shield, roles, votes, survivors, the fund and the winner."""

from __future__ import annotations

import re

import pytest
from traitors_talk import GAME, Castle, spoken

from companion.game import Moment
from companion.games.traitors.banishment import OpenVote, RevealVote
from companion.games.traitors.events import RestartVote
from companion.games.traitors.gold import AddGold, NextRound, ShareFund, ShowHand
from companion.games.traitors.murder import NoShield, PlayShield
from companion.games.traitors.seat_view import seat_view
from companion.games.traitors.state import Revealing
from companion.testing import Easel

STAGE = -1


def moment(castle: Castle) -> Moment | None:
    found: Moment | None = GAME.table_view(castle.now).moment
    return found


def kind(castle: Castle) -> str:
    found = moment(castle)
    return found.kind if found else ""


def asked(castle: Castle) -> str:
    """The question on the dark stage before the answer."""
    ask = GAME.table_view(castle.now).ask
    return spoken(ask) if ask else ""


def scenes_of(easel: Easel, castle: Castle) -> str:
    """The HTML of the stage."""
    return easel.draw(GAME, castle.now, STAGE)


# -------------------------------------------------------------------------------- events


@pytest.mark.parametrize(("event", "word"), [("murder", "MURDER"), ("banishment", "BANISHMENT"), ("quiet", "QUIET")])
def test_an_event_is_asked_for_in_the_dark_with_the_same_words_and_times_whatever_comes(easel, event, word):
    castle = Castle().draws(event)
    found = moment(castle)
    assert found is not None
    assert (found.kind, found.curtain, found.hold) == (event, 0.7, 1.9)
    assert asked(castle) == "Ann draws an Event card…"
    assert word in scenes_of(easel, castle)


def test_the_final_banishment_is_a_moment_of_its_own(easel):
    castle = Castle().draws_final()
    assert kind(castle) == "final"
    assert "FINAL BANISHMENT" in scenes_of(easel, castle)


def test_two_events_of_a_kind_are_two_moments():
    castle = Castle().draws("quiet")
    first = moment(castle)
    assert first != moment(castle.draws("quiet"))


def test_nothing_new_is_no_new_moment():
    castle = Castle().draws("murder")
    before = moment(castle)
    assert moment(castle.answers({2: "F"})) == before
    assert moment(castle.taps(0, RestartVote())) == before


# -------------------------------------------------------------------------------- murder


def test_nobody_and_somebody_are_asked_for_with_the_same_words_and_times():
    nobody = Castle(4).draws("murder").answers("FFFF").reveals_murder()
    marked = Castle(4).draws("murder").answers("FF4F").reveals_murder()
    one, other = moment(nobody), moment(marked)
    assert one
    assert other
    assert (one.kind, other.kind, other.who) == ("nobody", "marked", (4,))
    assert (one.curtain, one.hold, asked(nobody)) == (other.curtain, other.hold, asked(marked))


def test_a_shield_and_none_are_asked_for_with_the_same_words_and_times(easel):
    lives = Castle(4).draws("murder").answers("FF4F").reveals_murder().taps(4, PlayShield())
    dies = Castle(4).draws("murder").answers("FF4F").reveals_murder().taps(4, NoShield())
    one, other = moment(lives), moment(dies)
    assert one
    assert other
    assert (one.kind, other.kind) == ("shield", "murdered")
    assert (one.curtain, one.hold, asked(lives)) == (other.curtain, other.hold, asked(dies))
    assert asked(lives) == "Does Dan play a Shield?"
    assert "Dan lives" in scenes_of(easel, lives)


@pytest.mark.parametrize("role", ["faithful", "traitor"])
@pytest.mark.parametrize("how", ["murders", "banishes"])
def test_a_role_is_shown_before_everybody_whatever_comes_next(easel, role, how):
    for players in (6, 3):  # next: play goes on, a vote to end the round, or the end of the round
        castle = Castle(max(players, 4))
        if players == 3:
            castle.murders(1, drawer=2)
        getattr(castle, how)(4, drawer=2, role=role)
        assert (kind(castle), asked(castle)) == (role, "Dan was…")
        picture = scenes_of(easel, castle)
        assert f"moon is-{role}" in picture


# -------------------------------------------------------------------------------- votes


def turned(votes: dict[int, int]) -> list[str]:
    """The moments of a whole vote, from the first slate to the last."""
    castle = Castle(len(votes)).draws("banishment").taps(0, OpenVote()).casts(votes)
    kinds = [kind(castle)]
    while isinstance(scene := castle.now.scene, Revealing):
        kinds.append(kind(castle.taps(scene.cast[scene.shown].voter, RevealVote())))
    return kinds


@pytest.mark.parametrize(
    ("targets", "kinds"),
    [
        ((2, 2, 2, 2, 1), "cast vote vote deciding vote banished"),
        ((2, 1, 2, 1, 2), "cast vote vote vote vote deciding"),
        ((2, 1, 2, 3, 2), "cast vote vote vote vote deciding"),
        ((2, 2, 3, 2, 3), "cast vote vote vote deciding banished"),
        ((2, 1, 2, 1, 3), "cast vote vote vote vote tied"),
        ((1, 2, 3, 4, 5), "cast vote vote vote vote tied"),
    ],
)
def test_the_deciding_vote_is_the_one_after_which_the_leader_cannot_be_caught(targets, kinds):
    assert turned(dict(enumerate(targets, 1))) == kinds.split()


def test_everybody_waits_longer_for_the_deciding_vote():
    castle = Castle(4).draws("banishment").taps(0, OpenVote()).casts({1: 2, 2: 2, 3: 2, 4: 1})
    holds = []
    while isinstance(scene := castle.now.scene, Revealing):
        castle.taps(scene.cast[scene.shown].voter, RevealVote())
        found = moment(castle)
        assert found
        holds.append(found.hold)
    assert holds[2] > 3 * holds[0]
    assert max(holds) == holds[2]


def test_slates_turn_and_counters_grow_and_folded_votes_tell_nothing(easel):
    castle = Castle(4).draws("banishment").taps(0, OpenVote()).casts({3: 2, 1: 2, 2: 4, 4: 2})
    castle.taps(3, RevealVote()).taps(1, RevealVote())
    picture = scenes_of(easel, castle)
    assert picture.count('class="slate is-turned') == 2
    assert picture.count('class="slate is-down') == 2
    assert '<output data-from="1">2</output>' in picture
    folded = picture.partition('class="slate is-down')[2].partition("</ol>")[0]
    assert "Ben" in folded  # only the next voter is known
    assert "Dan" not in folded


# -------------------------------------------------------------------------------- windows, and who is asked


def test_a_window_goes_dark_for_each_answer_from_left_to_right_never_by_seat(easel):
    pictures = set()
    for seats in ((1, 2), (3, 5), (6, 4)):
        castle = Castle(6).draws("murder").answers(dict.fromkeys(seats, "F"))
        picture = scenes_of(easel, castle)
        lamps = re.findall(r'class="lamp at-\w( is-out)?"', picture)
        assert lamps == [" is-out", " is-out", "", "", "", ""]
        assert "data-bed" in picture
        pictures.add(picture)
    assert len(pictures) == 1


def test_there_is_a_light_for_everybody_alive(easel):
    picture = scenes_of(easel, Castle(6).murders(3, drawer=1))
    assert len(re.findall(r'class="lamp at-\w"', picture)) == 5


def test_all_phones_that_vote_light_up_alike_until_everybody_has_answered():
    castle = Castle(4).draws("murder", drawer=2)
    before = {seat_view(castle.now, seat).demand for seat in castle.now.living}
    castle.answers({1: "F", 3: "4"})
    assert {seat_view(castle.now, seat).demand for seat in castle.now.living} == before
    castle.answers({2: "F", 4: "F"})
    demands = [seat_view(castle.now, seat).demand for seat in castle.now.living]
    assert [bool(demand) for demand in demands] == [False, True, False, False]  # the player who drew the card reveals


def test_the_dial_is_turned_by_seat_and_ballot_and_never_by_what_anybody_chooses():
    def turns(castle: Castle) -> list[int]:
        return [seat_view(castle.now, seat).turn for seat in castle.now.waiting()]

    first = Castle(8).draws("murder")
    assert len(set(turns(first))) > 2
    later = Castle(8).draws("quiet").draws("murder")
    assert turns(first) != turns(later)
    for choice in ("F", "5"):
        assert turns(Castle(8).draws("murder").answers({1: choice})) == turns(Castle(8).draws("murder"))[1:]


# -------------------------------------------------------------------------------- the end


def test_survivors_show_one_by_one_then_the_fund_pours_and_somebody_wins(easel):
    castle = Castle(4, rounds="2").murders(4, drawer=1, gold=2).murders(3, drawer=1)
    assert (kind(castle), asked(castle)) == ("faithful", "Cleo was…")
    seen = []
    for seat, role in ((1, "faithful"), (2, "traitor")):
        castle.taps(seat, ShowHand(seat, role))
        seen.append((kind(castle), asked(castle)))
    assert seen == [("survivor", "Ann is…"), ("traitor", "Ben is…")]
    castle.taps(0, ShareFund(2))
    found = moment(castle)
    assert found
    assert (found.kind, found.who, found.figures) == ("fund", (2,), (0, 2))
    assert "Ben takes the fund" in scenes_of(easel, castle)
    castle.taps(0, NextRound())
    assert moment(castle) is None
    castle = Castle(4, rounds="1").murders(4).murders(3).shows({1: ("faithful", 3), 2: ("faithful", 1)}, 4)
    found = moment(castle)
    assert found
    assert (found.kind, found.who, found.figures) == ("winner", (1,), (0, 5))
    assert "Ann wins" in scenes_of(easel, castle)


def test_gold_in_the_middle_counts_up_between_events_and_stays_silent_during_a_vote():
    castle = Castle(4).draws("quiet").taps(2, AddGold(3))
    found = moment(castle)
    assert found
    assert (found.kind, found.figures, found.curtain, found.hold) == ("gold", (0, 3), 0, 0)
    assert moment(castle.taps(2, AddGold(3))) != found
    castle.draws("murder")
    before = moment(castle)
    assert moment(castle.taps(2, AddGold(1))) == before
