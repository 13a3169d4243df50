"""Regression tests for the findings of played evenings (PLAYTEST B1 to B6, S14)."""

from __future__ import annotations

import pytest
from big_shuffle_talk import ANN, BEN, CLEO, WHAT, WHERE, WHO, begun, in_the_city
from selectolax.lexbor import LexborHTMLParser

from companion.engine.snapshot import as_data, decode, encode
from companion.game import Seat
from companion.games.big_shuffle import GAME
from companion.games.big_shuffle.agendas import NoteScene, ShowAndWin, ShowForPoints
from companion.games.big_shuffle.attempts import NoChange, RevealChange, TryScene, TypeNumbers
from companion.games.big_shuffle.card_names import LearnName, RespellName, TwoNames
from companion.games.big_shuffle.goons import NobodyHires
from companion.games.big_shuffle.loot_and_informants import MeetInformant, TrashLoot
from companion.games.big_shuffle.scenes import NameScene
from companion.games.big_shuffle.state import Noir
from companion.games.big_shuffle.turns import CountOn, EndTurn, PlayCard, SetCharacter
from companion.games.big_shuffle.verdicts import Settle

UP, DOWN = "who.midtown.0.uptown", "who.midtown.0.downtown"
SCREEN = Seat(0)


@pytest.fixture
def page(easel):
    return lambda game, seat: LexborHTMLParser(easel.draw(GAME, game.state, seat))


def text(tree: LexborHTMLParser, css: str) -> str:
    return " ".join(" ".join(node.text().split()) for node in tree.css(css))


def gold(tree: LexborHTMLParser, css: str = ".card") -> list[str]:
    return [node.text(strip=True) for node in tree.css(f"{css} .primary")]


# -------------------------------------------------------------------------------- B1: unknown numbers


def test_B1_an_unknown_number_is_unknown_in_the_sum_too_and_settling_asks(page):
    game = in_the_city().taps(0, TryScene(DOWN), TypeNumbers(base=3), RevealChange("Fog"))
    assert "at least 3 against ?" in text(page(game, ANN), ".running")
    assert "influence, at least" in text(page(game, SCREEN), ".sum")
    game = game.taps(0, NobodyHires())
    assert game.table.attempt.succeeds is None
    assert "say whether it worked" in game.refuses(0, Settle())
    assert "Did it work?" in text(page(game, ANN), "h1")
    settled = game.taps(1, Settle("success"))
    assert settled.lines[0] == "It works: {outcome}."
    assert (settled.state.verdict.asked, settled.state.verdict.overruled) == (True, False)
    assert GAME.table_view(settled.state).moment.figures == ()
    # Once every number is known, the sum is exact, and we decide.
    counted = game.taps(0, TypeNumbers(difficulty=4, informant=0, card=1))
    assert (counted.table.attempt.exact, counted.table.attempt.succeeds) == (True, True)
    assert "4 against 4" in text(page(counted, ANN), ".running")


def test_B1_the_numbers_that_the_book_prints_are_known():
    game = in_the_city().taps(0, TryScene(UP), RevealChange("Endless Rain"))
    assert game.table.attempt.difficulty == 4
    assert next(part.n for part in game.table.attempt.parts if part.part == "card") == -2
    # What an earlier table learnt adds to the rulebook and keeps its numbers.
    fresh = GAME.lasting.give(begun().state, GAME.lasting.take(begun().state))
    assert fresh.number("scene_change", "Endless Rain", "modifier") == -2


# -------------------------------------------------------------------------------- B2: two modes


def test_B2_a_scene_change_that_is_remembered_takes_four_taps(seated, flow):
    table = seated("big_shuffle", players=3)
    table.shared.presses("Ann", player=1)
    for kind, name in (("who", WHO), ("what", WHAT), ("where", WHERE)):
        table["Ben"].presses(name, kind=kind)
    table["Ann"].presses("↑ Uptown")
    table["Ann"].presses("It worked")
    table["Ben"].presses("The Dirty Cop")
    table["Ann"].presses("End the turn")
    with flow("Big Shuffle: a scene change, remembered", most=4):
        assert table["Ben"].presses("↓ Downtown").status == 200
        assert table["Ann"].shows("Ben attempts a scene change")
        assert table["Ben"].presses("It worked").status == 200
        assert table["Ann"].presses("The Mafia Don").status == 200
    with flow("Big Shuffle: a scene change that fails, and the turn is over", most=3):
        table["Ben"].presses("End the turn")
        table["Cleo"].presses("↑ Uptown")
        table["Cleo"].presses("It failed")
    assert table.shared.shows("The Dirty Cop stays")


def test_B2_a_scene_change_with_two_goons_is_counted_in_nine_taps(seated, flow):
    table = seated("big_shuffle", players=3, keeping="count")
    table.shared.presses("Ann", player=1)
    for kind, name in (("who", WHO), ("what", WHAT), ("where", WHERE)):
        table["Ben"].presses(name, kind=kind)
    table["Ann"].taps("SetCharacter", owner=1, name="The Governor", **{"influence.who": 5})
    table["Ann"].taps("MeetInformant", owner=1, name="The Bookie")
    table["Ann"].taps("TryScene", move="who.title.0.uptown")
    table["Ann"].taps("TypeNumbers", informant=0)
    table["Ann"].presses("Endless Rain")
    table["Ann"].presses("Nobody hires another")
    table["Ann"].presses("It worked")
    table["Ben"].presses("The Dirty Cop")
    table["Ann"].taps("SetTurn", player=1)
    with flow("Big Shuffle: a scene change with two goons, counted", most=9):
        table["Ann"].presses("↑ Uptown 4")
        table["Ann"].presses("Endless Rain")
        table["Ann"].presses("+2")
        table["Ben"].presses("−1")
        table["Cleo"].presses("Nobody hires another")
        assert table["Ann"].shows("4 against 4")
        table["Ann"].presses("Move the scene")
        assert table["Ben"].presses("The Mafia Don").status == 200
    assert table.shared.shows("The Private Eye goes uptown")


def test_B2_with_names_only_the_city_is_kept_and_nothing_else(page):
    game = in_the_city(keeping="remember")
    for tap in (PlayCard("loot", "The Pipe"), MeetInformant(ANN, "The Bookie"), TypeNumbers(base=1)):
        assert "names only" in game.refuses(1, tap)
    trying = game.taps(1, TryScene(UP))
    assert "names only" in trying.refuses(1, RevealChange("Fog"))
    assert "say whether it worked" in trying.refuses(1, Settle())
    assert trying.taps(1, Settle("failure")).state.city == game.state.city
    went = trying.taps(1, Settle("success"))
    assert went.state.city["who"].uptown == (WHO,)
    for seat in (ANN, BEN, SCREEN):
        words = text(page(went, seat), "body")
        assert not any(word in words for word in ("discard", "influence", "Goon", "Informant", "Difficulty"))


def test_B2_the_table_can_switch_during_the_game():
    game = in_the_city(keeping="remember").taps(2, CountOn(True))
    assert game.taps(1, TryScene(UP)).table.attempt.stage == "card"
    assert "under way" in game.taps(1, TryScene(UP)).refuses(2, CountOn(False))
    assert game.taps(2, CountOn(False)).taps(1, TryScene(UP)).table.attempt.stage == "outcome"


def test_B2_a_table_of_an_earlier_release_goes_on_counting():
    old = as_data(in_the_city().taps(0, TryScene(UP), NoChange()).state)
    for field in ("counts", "doubts", "first", "won_with"):
        old.pop(field)
    old["setup"].pop("keeping")
    old["turn"]["step"] = "act"
    assert decode(encode(old), Noir).counts


# -------------------------------------------------------------------------------- B3: agendas


def test_B3_an_agenda_is_chosen_from_known_names_confirmed_and_hidden(seated, flow):
    table = seated("big_shuffle", players=3)
    ann = table["Ann"]
    with flow("Big Shuffle: an agenda is noted", most=9):
        assert ann.presses("Note it", which="mine", who=WHO, what=WHAT, where=WHERE).status == 200
    tree = LexborHTMLParser(ann.page().html)
    assert "3 of 3 noted" in text(tree, "#fold-agenda-mine > summary")
    assert len(tree.css("#mine details:not(#fold-fix *):not(#fold-front) input[name=name][maxlength]")) <= 2
    # The notes are only behind the button to hold, and nowhere else on the page.
    held = tree.css_first(".hold .covered")
    assert WHO in held.text()
    assert not tree.css("#mine option[selected], #mine input[value*=Private]:not([type=radio])")
    # What is left out stays as it was.
    ann.presses("Note it", which="mine", where="The Mob HQ")
    assert "The Mob HQ" in LexborHTMLParser(ann.page().html).css_first(".hold .covered").text()
    assert WHO in LexborHTMLParser(ann.page().html).css_first(".hold .covered").text()
    ann.presses("Clear it", which="mine")
    assert "not noted" in text(LexborHTMLParser(ann.page().html), "#fold-agenda-mine > summary")


# -------------------------------------------------------------------------------- B4: names


def test_B4_did_you_mean_is_one_tap_away_on_every_card(seated, flow):
    table = seated("big_shuffle", players=3)
    table.shared.presses("Ann", player=1)
    table["Ben"].presses("Read out", name="The Privat Eye")
    for somebody in (table["Ann"], table["Cleo"], table.shared):
        assert somebody.shows("Did you mean The Private Eye?")
    with flow("Big Shuffle: a misspelt name is put right", most=1):
        table["Cleo"].presses("Yes, The Private Eye")
    tree = LexborHTMLParser(table["Ann"].page().html)
    assert "The Private Eye" in text(tree, "#table")
    assert "Privat Eye" not in text(tree, "#you") + text(tree, "#table") + text(tree, "#mine")
    assert not table["Ann"].shows("Did you mean")


def test_B4_two_cards_with_similar_names_are_asked_about_once():
    game = begun().taps(2, NameScene("who", "midtown", 0, "The Mafia Dom"))
    assert game.see(1).tools.doubt.meant == "The Mafia Don"
    game = game.taps(1, TwoNames("who", "The Mafia Dom"))
    assert game.see(1).tools.doubt is None
    assert "answered" in game.refuses(2, TwoNames("who", "The Mafia Dom"))
    # If the known card is in sight, the new name is another card.
    assert in_the_city().taps(0, NameScene("who", "midtown", 1, "The Private Eyes")).state.doubts == ()


def test_B4_a_misspelt_agenda_is_asked_about_on_its_owner_s_phone_alone(page):
    game = begun().taps(1, NoteScene("mine", "who", "The Privat Eye"))
    assert game.see(1).agendas[0].meant == (("who", WHO),)
    assert "I meant The Private Eye" in text(page(game, ANN), "#fold-meant-mine")
    for seat in (BEN, CLEO, SCREEN):
        assert "I meant" not in text(page(game, seat), "body")
    assert game.taps(1, NoteScene("mine", "who", WHO)).see(1).agendas[0].meant == ()


def test_B4_a_name_is_renamed_or_forgotten_by_a_tap_on_it(seated):
    table = seated("big_shuffle", players=2)
    table.shared.presses("Ann", player=1)
    table["Ben"].presses("Read out", name="The Torch Sinker")
    table["Ann"].presses("Rename", kind="who", old="The Torch Sinker", new="The Torch Singer")
    assert "The Torch Singer" in text(LexborHTMLParser(table["Ben"].page().html), "#table")
    table["Ben"].presses("Forget", kind="who", old="The Torch Singer")
    page = LexborHTMLParser(table["Ben"].page().html)
    assert "The Torch Singer" not in text(page, "#you") + text(page, "#table")
    assert table["Ben"].shows("Which scene is below the title card?")


def test_B4_every_name_in_the_city_leads_to_its_correction(page):
    game = in_the_city(keeping="remember").taps(1, TryScene(UP), Settle("success"))
    for seat in (BEN, SCREEN):
        tree = page(game, seat)
        links = tree.css(".tracks a.fix-name")
        assert {WHO, WHAT, WHERE} == {link.attributes["data-name"] for link in links}
        for link in links:
            form = tree.css_first(link.attributes["href"])
            assert link.attributes["data-name"] in [node.attributes["value"] for node in form.css("[name=old]")]


def test_B4_a_name_belongs_to_one_type():
    game = in_the_city()
    assert game.refuses(0, NameScene("what", "midtown", 1, "the private eye")).startswith("{name} is a Who.")
    assert game.refuses(1, NoteScene("mine", "where", WHO)).startswith("{name} is a Who.")
    assert game.refuses(1, LearnName("action", "The Pipe")).startswith("{name} is loot.")
    wrong = game.taps(0, LearnName("what", "The Docks"))
    assert "is a What" in wrong.refuses(0, RespellName("where", WHERE, "The Docks"))
    right = wrong.taps(0, RespellName("what", "The Docks", forget=True), LearnName("where", "The Docks"))
    assert "The Docks" in right.see(1).tools.names["where"]
    # A character may be a Who as well: the book has The Mafia Don as both.
    assert begun().taps(1, SetCharacter(ANN, "The Mafia Don")).state.player(ANN).character == "The Mafia Don"


def test_B4_never_more_names_known_than_there_are_cards_and_forgotten_ones_stay_away(page):
    game = in_the_city().taps(0, NameScene("who", "midtown", 1, "The Dirty Cop"))
    game = game.taps(0, *(LearnName("who", f"Person {n}{n}{n}") for n in range(8)))
    words = text(page(game, ANN), "body")
    assert "12 of 10" not in words
    assert "There are 2 names too many" in words
    game = game.taps(0, *(RespellName("who", f"Person {n}{n}{n}", forget=True) for n in range(2)))
    assert len(game.see(1).tools.tracks[0].still) == 8
    fresh = GAME.lasting.give(begun().state, GAME.lasting.take(game.state))
    assert not any(known.name == "Person 000" for known in fresh.names["who"])


def test_B4_what_an_earlier_table_misspelt_is_asked_about_at_the_next_one():
    game = begun().taps(0, *(LearnName("who", name) for name in ("Aa", "Bb", "Cc", "Dd", "Ee", "The Dirty Copp")))
    game = game.taps(0, TwoNames("who", "The Dirty Copp"))
    assert GAME.lasting.give(begun().state, GAME.lasting.take(game.state)).doubts == ()  # ten names: all may be right
    game = game.taps(0, LearnName("who", "Ff"))
    doubt, *more = GAME.lasting.give(begun().state, GAME.lasting.take(game.state)).doubts
    assert (doubt.name, doubt.meant, more) == ("The Dirty Copp", "The Dirty Cop", [])


def test_B4_a_doubtful_name_is_not_known_at_the_next_table_until_somebody_says_that_it_is_right():
    game = begun().taps(0, LearnName("who", "The Crazed Kiler"))
    assert [(doubt.name, doubt.meant) for doubt in game.state.doubts] == [("The Crazed Kiler", "The Crazed Killer")]

    def kept() -> set[str]:
        return {known.name for known in GAME.lasting.take(game.state).names["who"]}

    assert "The Crazed Killer" in kept()
    assert "The Crazed Kiler" not in kept()
    game = game.taps(0, TwoNames("who", "The Crazed Kiler"))
    assert {"The Crazed Killer", "The Crazed Kiler"} <= kept()


# -------------------------------------------------------------------------------- B5: winning


@pytest.mark.parametrize("keeping", ["remember", "count"])
def test_B5_a_player_who_can_win_sees_one_gold_button(page, keeping):
    ready = in_the_city(keeping=keeping).notes(1, "mine", WHO, WHAT, WHERE)
    moved = ready.taps(1, TryScene("where.midtown.0.uptown"))
    for game in (ready, moved):
        assert gold(page(game, ANN)) == ["Show your agendas and win"]
    scores = in_the_city(mode="expert", keeping=keeping).notes(1, "mine", WHO, WHAT, None)
    assert gold(page(scores, ANN)) == ["Show it and end your turn"]


def test_B5_after_the_win_nothing_stale_is_left_and_the_agendas_are_shown(page):
    game = in_the_city().notes(1, "mine", WHO, WHAT, "The Mob HQ").notes(1, "left", "The Mafia Don", None, WHERE)
    game = game.notes(1, "right", "The Dirty Cop", "The Car Chase", None)
    game = game.taps(1, PlayCard("loot", "The Pipe")).attempt_fails().taps(1, ShowAndWin())
    assert game.state.verdict is None
    for seat in (ANN, BEN, CLEO, SCREEN):
        tree = page(game, seat)
        assert "It failed" not in text(tree, "body")
        assert not tree.css('input[name="tap"][value="TrashLoot"]')
    for seat in (BEN, CLEO):
        tree = page(game, seat)
        lists = [node for node in tree.css(".open-agendas") if not folded(node)]
        assert all("The Mob HQ" in node.text() and "The Mafia Don" in node.text() for node in lists)
        assert len(lists) == 2  # on the card, and on the table
        assert "The Car Chase, " not in " ".join(node.text() for node in lists)  # it has no active scene
    # Somebody who wins without notes shows the cards themselves.
    assert in_the_city().notes(1, "mine", WHO, None, None).taps(1, ShowAndWin(anyway=True)).state.won_with == ()


def folded(node) -> bool:
    while node is not None:
        if node.tag == "details" and "open" not in node.attributes:
            return True
        node = node.parent
    return False


def test_B5_points_that_win_leave_nothing_stale_either():
    game = in_the_city(mode="expert").attempt_fails().notes(1, "mine", WHO, WHAT, WHERE)
    game = game.taps(1, ShowForPoints("mine")).taps(2, EndTurn(BEN)).taps(3, EndTurn(CLEO)).attempt_fails()
    game = game.notes(1, "mine", WHO, WHAT, None).taps(1, ShowForPoints("mine"))
    assert (game.state.winner, game.state.verdict) == (ANN, None)


# -------------------------------------------------------------------------------- B6, S8, results, history


def test_B6_the_city_is_on_the_table_tab_and_corrections_are_out_of_the_way(page):
    game = in_the_city(keeping="remember")
    tree = page(game, BEN)
    assert len(tree.css(".tracks")) == 1
    assert not [node for node in tree.css(".tracks *") if node.tag == "details"]
    fix = tree.css_first("#fold-fix")
    for tap in ("RespellName", "PutScene", "SetTurn", "CountOn"):
        nodes = tree.css(f'input[name="tap"][value="{tap}"]')
        assert nodes
        assert len(fix.css(f'input[name="tap"][value="{tap}"]')) == len(nodes)


def test_S8_every_waiting_phone_names_who_has_to_act(page):
    for keeping in ("remember", "count"):
        game = in_the_city(keeping=keeping)
        for kind, name in (("who", "The Dirty Cop"), ("what", "The Car Chase"), ("where", "The Mob HQ")):
            game = game.taps(0, NameScene(kind, "midtown", 1, name))
        for state in (game, game.taps(1, TryScene(UP)), game.taps(1, TryScene(UP)).taps(0, Settle("failure"))
                      if keeping == "remember" else game.attempt(UP)):  # fmt: skip
            assert "Ann" in text(page(state, CLEO), ".calm h1")
    assert "Ben hires or passes" in text(page(game.attempt(UP).hires(1, 1), CLEO), ".calm h1")


def test_N8_the_result_says_who_began_and_who_played_which_character():
    game = in_the_city().taps(1, SetCharacter(ANN, "The Governor"), EndTurn(ANN))
    result = GAME.result(game.notes(2, "mine", WHO, WHAT, WHERE).taps(2, ShowAndWin()).state)
    assert (result.winners, result.starter) == ((BEN,), ANN)
    assert {seat: say.holes["card"] for seat, say in result.roles.items()} == {ANN: "The Governor"}


def test_S14_no_form_is_a_direct_child_of_a_fold(page):
    """A form that a live update moves there can be left with a box of 0 by 0."""
    game = in_the_city().taps(1, PlayCard("loot", "The Pipe"), MeetInformant(ANN, "The Bookie"))
    for state in (begun(first=None), begun(mode="expert"), game, game.attempt_fails(), in_the_city(keeping="remember")):
        for seat in (ANN, BEN, SCREEN):
            assert not page(state, seat).css("details > form")


def test_extra_loot_is_trashed_on_the_card(page):
    game = in_the_city()
    for name in ("The Pipe", "The Telephone", "The Timepiece", "The Disguise Kit"):
        game = game.taps(1, PlayCard("loot", name, anyway=True))
    assert "Trash The Pipe" in text(page(game, ANN), ".card")
    assert game.taps(1, TrashLoot(ANN, 0)).state.player(ANN).loot == (
        "The Telephone",
        "The Timepiece",
        "The Disguise Kit",
    )
