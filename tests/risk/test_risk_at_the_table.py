"""Risk over HTTP: the remembered set-up, one device, take back, and what each phone reads."""

from __future__ import annotations

from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser

from companion.testing import House, Person, Table


def ticked(html: str) -> list[str]:
    return [node.attributes["value"] for node in LexborHTMLParser(html).css("input[name=die_spaces][checked]")]


BOARD = {
    "crown": "true", "length": "24", "die_spaces": ["4", "9", "15"],
    "region.1": "Scotland", "bonus.1": "4", "region.2": "Wales", "bonus.2": "2",
    "gang.1": "Shelbys", "colour.1": "teal",
}  # fmt: skip


def begins(table: Table) -> Table:
    """Ann starts."""
    assert table.shared.presses("Decide", first=1).status == 200
    assert table.shared.presses("Everything is placed").status == 200
    return table


def test_die_spaces_and_region_bonuses_are_remembered_for_the_next_game(own_house: House):
    host = Person(own_house.url)
    assert host.post("/new/risk", data=BOARD).status_code == 303
    page = host.get("/new/risk").text
    assert ticked(page) == ["4", "9", "15"]
    form = LexborHTMLParser(page)
    assert form.css_first('[name="region.1"]').attributes["value"] == "Scotland"
    assert form.css_first('[name="bonus.1"]').attributes["value"] == "4"
    assert form.css_first('[name="gang.1"]').attributes["value"] == "Shelbys"
    assert form.css_first('[name="colour.1"] option[selected]').attributes["value"] == "teal"


def test_a_refused_set_up_shows_again_what_was_ticked(house: House):
    host = Person(house.url)
    reply = host.post("/new/risk", data={**BOARD, "length": "99"})
    assert reply.status_code == 422
    assert "must be 30 or less" in reply.text
    assert ticked(reply.text) == ["4", "9", "15"]
    assert 'value="Scotland"' in reply.text


def test_a_game_goes_on_one_device_alone(house: House):
    table = house.opens("risk")
    for name in ("Ann", "Ben"):
        table.adds(name)
    table.starts()
    table.hands_to(1).presses("IRA")
    begins(table)
    table.hands_to(1).presses("Add this mission", text="Cork", reward=5)
    assert not table.shared.shows("Cork")
    table.shared.presses("Solomons' gang")
    table.shared.presses("Done placing")
    assert table.shared.presses("Take one from Ben").shows("Ann takes a territory from Ben.")


def test_a_roll_on_the_table_can_be_taken_back_and_one_of_the_app_cannot(seated: Callable[..., Table]):
    table = seated("risk", players=3)
    begins(table)
    ann = table["Ann"]
    ann.presses("Done placing")
    ann.presses("5", loser=2, attackers=5)
    ann.presses("Ben loses 2")
    assert ann.shows("Ben: 2 lost")
    assert ann.presses("Take back").shows("takes back: the last step")
    ann.presses("Roll once")
    assert not ann.shows("Take back")


def test_only_the_player_and_the_shared_screen_tap_a_turn(seated: Callable[..., Table]):
    table = seated("risk", players=3)
    begins(table)
    reply = table["Ben"].taps("Onward", step="attack")
    assert (reply.status, reply.message) == (422, "It is Ann's turn.")
    assert table.shared.presses("Done placing").status == 200


def test_two_phones_choosing_the_same_gang_the_first_has_it(seated: Callable[..., Table]):
    table = seated("risk", players=3)
    assert table["Ann"].presses("IRA").shows("Ann leads IRA.")
    reply = table["Ben"].taps("ChooseGang", player=2, gang=5)
    assert reply.message == "Ann has taken that gang. Choose another one."


def test_the_defender_reads_about_the_attack_and_how_it_ended(seated: Callable[..., Table]):
    table = seated("risk", players=3)
    begins(table)
    ann, ben, cleo = table["Ann"], table["Ben"], table["Cleo"]
    ann.presses("Done placing")
    ann.presses("1", loser=2, attackers=3, stronghold="true")
    assert ben.shows("Ann attacks you: 3 against 1")
    assert ben.shows("You defend with 1 red die. The stronghold adds 1 to the highest.")
    assert not ben.shows("You are next.")
    assert not cleo.shows("attacks you")
    ann.presses("Ben loses 1")
    assert ben.shows("Ann has taken a territory from you")
    for person in (ann, cleo):
        assert person.shows("Ann conquers it. 3 attackers are left.")
    for person in (ben, cleo):
        assert person.shows("Ben: 1 lost")
    assert table.shared.shows("Conquered")
    assert table.shared.shows("lost 1 · stronghold")
    ann.presses("Stop attacking")
    assert not cleo.shows("Ann conquers it.")


def test_players_without_a_gang_are_named_beside_the_button(seated: Callable[..., Table]):
    table = seated("risk", players=3)
    table["Ann"].presses("IRA")
    assert table["Ann"].shows("Still without a gang: Ben and Cleo. Anybody without one gets the next free gang.")
    assert not table["Cleo"].shows("Who starts?")
    assert len(LexborHTMLParser(table.shared.page().html).css(".gang-bar.is-free")) == 4
    table["Ben"].presses("Solomons' gang")
    table["Cleo"].presses("Sabinis")
    assert table["Cleo"].shows("Everybody has a gang.")


def test_the_set_up_names_its_columns_and_says_what_no_die_means(house: House):
    page = LexborHTMLParser(Person(house.url).get("/new/risk").text)
    assert page.css_first(".heads").text(separator=" ").split() == ["Region", "Bonus"]
    assert "moves one space every turn" in page.css_first(".no-die").text()
