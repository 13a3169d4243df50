"""The beats of a moment, figures that count and clocks, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from small_pages import BEGAN, beat, beats, brings, moment, show

# ---- beats


def test_a_moment_is_curtain_hold_reveal_and_rest(windows):
    page = show(windows.phone())
    assert brings(page, moment=moment("murder.1")) == "curtain"  # before the next paint
    assert beat(page) == ("murder", "curtain")
    page.clock.run_for(700)
    assert beat(page) == ("murder", "hold")
    page.clock.run_for(2400)
    assert beat(page) == ("murder", "reveal")
    page.clock.run_for(1400)
    assert beat(page) == (None, None)
    order = [("curtain", 0), ("hold", 700), ("reveal", 3100), ("rest", 4500)]
    assert beats(page) == [["murder", name, at] for name, at in order]


def test_a_beat_without_length_is_left_out(windows):
    page = show(windows.phone())
    assert brings(page, moment=moment("vote.1", curtain=0, hold=0, reveal=500)) == "reveal"
    page.clock.run_for(500)
    brings(page, moment=moment("deciding.2", curtain=0, hold=900, reveal=0))
    page.clock.run_for(5000)
    assert [(kind, name) for kind, name, _ in beats(page)] == [
        ("vote", "reveal"), ("vote", "rest"), ("deciding", "hold"), ("deciding", "reveal"), ("deciding", "rest"),
    ]  # fmt: skip


def test_the_page_as_it_arrives_is_at_rest(windows):
    page = show(windows.phone(), moment=moment("murder.1"), stage='<b data-from="3">7</b>')
    brings(page, moment=moment("murder.1"), stage='<b data-from="3">7</b><i>new</i>')
    page.clock.run_for(10_000)
    assert beats(page) == []
    assert beat(page) == (None, None)
    expect(page.locator("[data-from]")).to_have_text("7")


def test_what_comes_first_after_a_reconnection_has_been_already(windows):
    page = show(windows.phone())
    assert brings(page, late=True, moment=moment("murder.1")) is None
    assert beats(page) == []
    brings(page, moment=moment("quiet.2"))
    assert beat(page) == ("quiet", "curtain")
    # The same moment again, after a short disconnection, doesn't disturb it; another one ends it.
    brings(page, late=True, moment=moment("quiet.2"))
    assert beat(page) == ("quiet", "curtain")
    brings(page, late=True, moment=moment("final.3"))
    assert beat(page) == (None, None)
    page.clock.run_for(10_000)
    assert [name for _, name, _ in beats(page)] == ["curtain", "rest"]


def test_a_moment_that_taking_back_brings_again_is_not_played_again(windows):
    page = show(windows.phone(), moment=moment("vote.2"))
    brings(page, moment=moment("vote.1").replace("<p ", "<p data-late "))
    page.clock.run_for(10_000)
    assert beats(page) == []


def test_a_second_moment_takes_the_place_of_the_first(windows):
    page = show(windows.phone())
    brings(page, moment=moment("vote.1"))
    page.clock.run_for(1000)
    brings(page, moment=moment("vote.2", curtain=100, hold=200, reveal=300))
    page.clock.run_for(10_000)
    assert [[name, at] for _, name, at in beats(page)] == [
        ["curtain", 0], ["hold", 700], ["rest", 1000],
        ["curtain", 1000], ["hold", 1100], ["reveal", 1300], ["rest", 1600],
    ]  # fmt: skip


def test_a_moment_that_is_taken_back_ends(windows):
    page = show(windows.phone())
    brings(page, moment=moment("murder.1"))
    brings(page, moment="")
    assert beat(page) == (None, None)


def test_no_screen_tells_before_another_one(windows):
    phone, calm, laptop = windows.phone(), windows.phone(reduced_motion="reduce"), windows.wide(reduced_motion="reduce")
    for page, kind in ((phone, "kind-s"), (calm, "kind-s"), (laptop, "kind-x")):
        show(page, kind)
        brings(page, moment=moment("traitor.1"))
        page.clock.run_for(10_000)
    assert len(beats(phone)) == 4
    assert beats(phone) == beats(calm) == beats(laptop)


def test_a_phone_that_slept_through_a_moment_wakes_up_after_it(windows):
    page = show(windows.phone())
    brings(page, moment=moment("murder.1"))
    page.clock.set_system_time(BEGAN + 600)  # the clock goes on, but timers are paused
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert beat(page) == (None, None)


# ---- figures


def test_figures_count_during_the_reveal(windows):
    page = show(windows.phone(), stage="<b>3</b>")
    figure = page.locator("b")
    brings(page, moment=moment("gold.1", curtain=100, hold=100, reveal=1000), stage='<b data-from="3"> 7 </b>')
    assert figure.text_content() == "3"  # the answer must not show early
    seen = []
    for _ in range(14):
        page.clock.run_for(100)
        seen.append(figure.text_content())
    assert seen[10:] == ["6", " 7 ", " 7 ", " 7 "]  # the last number comes at the end
    assert sorted(set(seen), key=seen.index) == ["3", "4", "5", "6", " 7 "]


def test_figures_count_down_and_leave_words_alone(windows):
    page = show(windows.phone())
    stage = '<b data-from="2">−2</b><i data-from="0">many</i><u data-from="1"><em>5</em></u>'
    brings(page, moment=moment("gold.1", curtain=0, hold=0, reveal=1000), stage=stage)
    page.clock.run_for(600)
    assert page.locator("b").text_content() == "0"
    page.clock.run_for(400)
    assert page.locator("#stage").text_content() == "−2many5"


def test_with_reduced_motion_the_number_comes_when_the_others_see_it(windows):
    page = show(windows.phone(reduced_motion="reduce"))
    brings(page, moment=moment("gold.1", curtain=0, hold=0, reveal=1000), stage='<b data-from="3">7</b>')
    page.clock.run_for(600)
    brings(page, stage='<b data-from="3">7</b><i>something else</i>')
    assert page.locator("b").text_content() == "3"
    page.clock.run_for(390)
    assert page.locator("b").text_content() == "3"
    page.clock.run_for(10)
    assert page.locator("b").text_content() == "7"


@pytest.mark.parametrize("number", ["7", "5", "12"])  # the old number, the number that is shown, another one
def test_a_figure_that_is_swapped_while_it_counts_ends_at_the_right_number(windows, number):
    page = show(windows.phone())
    now = moment("gold.1", curtain=0, hold=0, reveal=1000)
    brings(page, moment=now, stage='<p><b data-from="3">7</b></p>')
    page.clock.run_for(600)
    assert page.locator("b").text_content() == "5"
    brings(page, moment=now, stage=f'<p><b data-from="3">{number}</b></p>')
    assert page.locator("b").text_content() != number or number == "7"
    page.clock.run_for(200)
    brings(page, moment=now, stage=f'<div><b data-from="3">{number}</b></div>')  # another element
    assert page.locator("b").text_content() == str(3 + int((int(number) - 3) * 0.8))
    page.clock.run_for(200)
    assert page.locator("#stage").inner_html() == f'<div><b data-from="3">{number}</b></div>'


# ---- clocks


def test_every_screen_counts_down(windows):
    page = show(windows.phone(), stage=f'<time data-until="{BEGAN + 60 + 125}">The vote opens at 20:15</time>')
    clock = page.locator("time")
    assert clock.text_content() == "2:05"
    page.clock.run_for(65_000)
    assert clock.text_content() == "1:00"
    brings(page, stage=f'<time data-until="{BEGAN + 60 + 75}">The vote opens at 20:15</time>')
    assert clock.text_content() == "0:10"
    page.clock.run_for(30_000)
    assert clock.text_content() == "0:00"
    # A clock that appears later counts down, too.
    brings(page, stage="")
    brings(page, stage=f'<time data-until="{BEGAN + 1000}">soon</time>')
    before = clock.text_content()
    page.clock.run_for(2000)
    assert before > clock.text_content()
