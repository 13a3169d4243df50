"""Trickery & Deceit at a real table: phones, the shared screen, the passed screen, the store."""

from __future__ import annotations

import re

from trickery_game import ANN, BEN, CLEO, GAME_OF_THREE, SCREEN

from companion.engine.snapshot import as_data

NAMES = {ANN: "Ann", BEN: "Ben", CLEO: "Cleo"}


def tap(person, kind, **fields):
    """Press the button for this tap on the person's screen."""
    return person.presses("", tap=kind, **fields)


def turned(table, **sides):
    """Everybody chooses a society; Ann starts."""
    for name, side in sides.items():
        assert tap(table[name.capitalize()], "Cover", society=side).status == 200
    assert tap(table.shared, "Begin", seat=1).status == 200
    return table


def test_a_whole_game_with_the_forms_that_are_on_the_screens(seated):
    table = seated("trickery", players=3)
    for seat, what in GAME_OF_THREE:
        person = table.shared if seat == SCREEN else table[NAMES[seat]]
        fields = {key: value for key, value in as_data(what).items() if key != "tap"}
        reply = tap(person, type(what).__name__, **fields)
        assert reply.status == 200, reply.message
    assert table.shared.shows("Cleo wins with 5 seals.")
    assert table["Cleo"].shows("You win")
    assert table["Ann"].shows("Cleo wins")


def test_the_societies_are_revealed_together_and_not_before(seated):
    table = seated("trickery", players=3)
    tap(table["Ann"], "Cover", society="thorn")
    tap(table["Cleo"], "Cover", society="gears")
    for person in (*table, table.shared):
        assert person.shows("Thorn or Machine?")
        assert not person.shows("All society cards are revealed.")
    tap(table["Ben"], "Cover", society="thorn")
    for person in (*table, table.shared):
        assert person.lines()[:3] == [
            "Machine Society: Cleo.",
            "Thorn Society: Ann and Ben.",
            "All society cards are revealed.",
        ]


def test_choosing_either_society_sends_the_same_number_of_bytes(seated):
    """Request, reply and all screens have the same bytes, except for the table's own links."""
    seen = []
    for side in ("thorn", "gears"):
        table = seated("trickery", players=3)
        reply = tap(table["Ann"], "Cover", society=side)
        pages = [person.screen() for person in (*table, table.shared)]
        links = re.compile(r"/[sxw]/[\w.~-]+|\?seen=[\w.]+|<svg class=\"qr\".*?</svg>|\b[A-Z]{4}\b", re.S)
        seen.append(
            (
                len(reply.response.request.content),
                len(reply.response.content),
                links.sub("", reply.html),
                [links.sub("", page) for page in pages],
            )
        )
    assert seen[0] == seen[1]


def test_after_the_reveal_the_covered_cards_are_gone_from_the_store(own_house):
    table = own_house.opens("trickery")
    for name in ("Ann", "Ben", "Cleo"):
        table.sits(name)
    table.starts()
    tap(table["Ann"], "Cover", society="gears")
    tap(table["Ann"], "Cover", society="thorn")
    tap(table["Ben"], "Cover", society="thorn")
    assert own_house.can_read(table)
    tap(table["Cleo"], "Cover", society="gears")
    assert not own_house.can_read(table)
    assert table.shared.taps("TakeBack").message == "There is nothing to take back."


def test_a_refused_card_says_why_and_changes_nothing(seated):
    table = turned(seated("trickery", players=3), ann="thorn", ben="gears", cleo="gears")
    reply = table["Ann"].taps("Betray", target=2)
    assert (reply.status, reply.message) == (422, "Nobody else is in the Thorn Society.")
    reply = table["Ben"].taps("Favour")
    assert (reply.status, reply.message) == (422, "It is Ann's turn.")
    assert table["Ann"].taps("Tribute", coins=0).status == 422
    assert table["Ann"].taps("Tribute", coins="many").status == 422
    assert table["Ann"].taps("Bribe", target="nobody").status == 422
    assert table["Ann"].taps("Move", what="coins", source="cellar", target="1").status == 422
    assert table["Ann"].shows("Your turn")


def test_a_dimmed_card_shows_the_sentence_of_its_refusal(seated):
    table = turned(seated("trickery", players=3), ann="thorn", ben="gears", cleo="gears")
    for kind in ("Betray", "Build", "Outdo"):
        assert table["Ann"].shows(table["Ann"].taps(kind, target=2).message)


def test_a_card_can_be_taken_back_by_its_player_and_by_the_host(seated):
    table = turned(seated("trickery", players=3), ann="thorn", ben="thorn", cleo="gears")
    tap(table["Ann"], "Favour")
    assert table["Ben"].shows("Your turn")
    assert table["Ben"].taps("TakeBack").status == 422
    assert table["Ann"].presses("Take back").status == 200
    assert table["Ann"].shows("Your turn")
    tap(table["Ann"], "Build", target=2)
    assert table.shared.presses("Take back").status == 200
    assert table["Ben"].lines()[0].startswith("The table takes back: Ann builds a relationship")


def test_anybody_can_correct_what_is_counted_and_everybody_reads_it(seated):
    table = turned(seated("trickery", players=3), ann="thorn", ben="thorn", cleo="gears")
    assert tap(table["Cleo"], "Move", what="coins", source="pool", target="2", n=3).status == 200
    assert tap(table.shared, "Flip", seat=2).status == 200
    assert tap(table["Ben"], "MoveCard", seat=1, card="favour").status == 200
    assert tap(table["Ann"], "SetTurn", seat=3).status == 200
    assert table["Ann"].lines()[:4] == [
        "Ann fixes a mistake: it is Cleo's turn.",
        "Ben fixes a mistake: Ann has played “Call in a favour”.",
        "The table fixes a mistake: Ben is in the Machine Society.",
        "Cleo fixes a mistake: 3 coins, pool → Ben.",
    ]
    assert table["Cleo"].shows("Your turn")


def test_a_full_chest_stops_every_screen_until_somebody_goes_on(seated):
    table = turned(seated("trickery", players=3), ann="thorn", ben="thorn", cleo="gears")
    tap(table["Cleo"], "Move", what="coins", source="pool", target="thorn", n=4)
    tap(table["Ann"], "Tribute", coins=1)
    assert table["Ann"].shows("You get 2 seals")
    assert table["Ben"].shows("You get 1 seal")
    assert table["Cleo"].shows("No seals for you this time.")
    for person in table:
        assert person.shows("The Thorn Society's treasure chest is full")
        assert person.shows("Ann placed the fifth coin")
        assert person.shows("Ben was a member at that moment")
    assert table.shared.shows("The treasure chest is full!")
    assert table.shared.shows("+2 seals")
    assert tap(table["Cleo"], "GoOn").status == 200
    assert table["Ben"].shows("Your turn")


def test_people_without_phones_play_on_the_shared_screen(house):
    table = house.opens("trickery")
    ann = table.sits("Ann")
    table.adds("Ben")
    table.adds("Cleo")
    table.starts()
    tap(ann, "Cover", society="thorn")
    covers = table.shared.page()
    assert covers.shows("Hand the screen to Ben")
    ben = table.hands_to(2)
    after = tap(ben, "Cover", society="gears")
    assert after.shows("Hand the screen to Cleo")
    assert not after.shows("Machine Society")
    tap(table.hands_to(3), "Cover", society="thorn")
    tap(table.shared, "Begin", seat=2)
    tap(table.hands_to(2), "Favour")
    assert table.shared.lines()[0] == "Ben calls in a favour, pays 1 coin and takes 2."
    tap(table.hands_to(3), "Build", target=1)
    assert ann.shows("Your turn")


def test_turns_skip_a_player_who_is_marked_away(seated):
    table = turned(seated("trickery", players=4), ann="thorn", ben="thorn", cleo="gears", dan="gears")
    assert table.shared.taps("MarkAway", seat=1).status == 200
    assert table["Ben"].shows("Your turn")
    assert table.shared.taps("Remove", seat=2).status == 200
    assert table["Cleo"].shows("Your turn")
    assert table.shared.taps("Remove", seat=4).message.startswith("This game needs 3 players.")


def test_taking_back_skips_a_player_who_is_away(seated):
    table = turned(seated("trickery", players=3), ann="thorn", ben="thorn", cleo="gears")
    tap(table["Ann"], "Favour")
    assert table.shared.taps("MarkAway", seat=2).status == 200
    assert table["Cleo"].shows("Your turn")
    assert table.shared.taps("TakeBack").status == 200
    assert table["Cleo"].shows("Your turn")
    assert table.shared.taps("TakeBack").status == 200
    assert table["Ann"].shows("Your turn")
    tap(table["Ann"], "Favour")
    assert table["Cleo"].shows("Your turn")


def test_the_help_page_is_read_in_a_minute(house, seated):
    table = seated("trickery", players=3)
    words = re.sub(r"<[^>]+>", " ", table["Ann"].client.get("/help/trickery").text).split()
    assert "Machine" in " ".join(words) or "societies" in words
    assert len(words) < 400
