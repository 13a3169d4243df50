"""“That's me”: claiming a seat without its link, by people who lost theirs and by attackers."""

from __future__ import annotations

import time

import pytest
from selectolax.lexbor import LexborHTMLParser

from companion.engine.claims import CLAIM_S, MAX_OPEN, answer_claim, claim_seat, standing
from companion.engine.claims import AnswerClaim as Answer
from companion.engine.room import Person, Room
from companion.game import TABLE, NotAllowed, Seat
from companion.testing import House, Reply
from companion.testing.tabletalk import Seated, Table
from companion.web.limits import ATTEMPTS_PER_WINDOW


class Stranger:
    """A browser without our cookies."""

    def __init__(self, table: Table) -> None:
        self.table, self.client = table, table.house.visitor()
        self.address = f"/t/{table.code}"
        self.where = ""

    def claims(self, name: str) -> Reply:
        """Press "That's me" beside this name."""
        page = LexborHTMLParser(self.client.get(self.address).text)
        row = next(li for li in page.css(".taken li") if name in li.text())
        fields = {one.attributes["name"]: one.attributes["value"] or "" for one in row.css("[type=hidden]")}
        return self.sends(fields)

    def sends(self, fields: dict[str, str]) -> Reply:
        reply = self.client.post(f"{self.address}/claim", data=fields)
        self.where = reply.headers.get("location", self.where)
        return Reply(reply)

    def looks(self):
        """Load the page that waits for the answer."""
        return self.client.get(self.where)

    def gets_a_seat(self) -> Seated:
        reply = self.looks()
        assert reply.status_code == 303, reply.text
        return Seated(self.table.house, self.client, reply.headers["location"])


def test_N5_the_short_address_joins_in_any_case(house):
    table = house.opens("score_sheet")
    for code in (table.code, table.code.lower()):
        reply = house.visitor().get(f"/{code}")
        assert (reply.status_code, reply.headers["location"]) == (303, f"/t/{table.code}")
    assert table.shared.shows(f"/{table.code}")


def test_N5_the_short_address_tells_a_guesser_nothing(house):
    """It redirects whether there is a table or not; the next page counts the guess."""
    there = house.opens("score_sheet").code
    ours, none = (house.visitor().get(f"/{code}") for code in (there, "QQQQ"))
    assert (ours.status_code, len(ours.text)) == (none.status_code, len(none.text))
    assert house.visitor().get(none.headers["location"]).status_code == 404


@pytest.mark.parametrize("answers", ["shared screen", "host"])
def test_N5_that_s_me_and_the_table_says_yes(seated, answers):
    table = seated("score_sheet")
    ann = table["Ann"]
    host = table.shared
    if answers == "host":
        table.shared.taps("GiveHost", seat=table["Ben"].seat)
        host = table["Ben"]
    old = ann.listens()
    old.frame()
    claimer = Stranger(table)
    assert claimer.claims("Ann").status == 303
    waiting = claimer.looks()
    assert waiting.status_code == 200
    assert waiting.headers["refresh"]
    assert all(screen.shows("Ann again?") for screen in {host, table.shared})
    assert ann.shows("Somebody on another phone says they are you.")
    assert not table["Cleo"].shows("another phone")
    assert host.presses("Yes, it is").status == 200
    again = claimer.gets_a_seat()
    assert again.seat == ann.seat
    assert again.shows("Ann is here on another phone.")
    assert old.ended()
    assert ann.client.get(ann.path).status_code == 403
    assert not any(screen.shows("Ann again") for screen in (host, table.shared))


def test_N5_the_phone_that_claims_and_the_question_show_the_same_word(seated):
    """Anybody could claim first, so people compare the word before they say yes."""
    table = seated("score_sheet")
    stranger = Stranger(table)
    stranger.claims("Ben")
    words = [
        LexborHTMLParser(html).css_first(".check-word").text()
        for html in (stranger.looks().text, table.shared.page().html)
    ]
    assert words[0] == words[1]
    assert len(words[0]) == 3


def test_N5_no_is_one_tap_and_asking_again_takes_a_while(seated):
    table = seated("score_sheet")
    claimer = Stranger(table)
    claimer.claims("Ann")
    assert table.shared.presses("No, it isn't").status == 200
    assert Reply(claimer.looks()).shows("The table said no.")
    again = Stranger(table).claims("Ann")
    assert (again.status, again.message[:41]) == (422, "Somebody has just said that they are Ann.")
    assert table["Ann"].page()
    assert not table.shared.shows("Ann again")


def test_N5_the_seat_itself_can_refuse_but_not_agree(seated):
    table = seated("score_sheet")
    claimer = Stranger(table)
    claimer.claims("Ann")
    claim = claim_of(table, "Ann")
    assert table["Ann"].taps("AnswerClaim", seat=table["Ann"].seat, claim=claim, answer="yes").status == 422
    assert table["Ben"].taps("AnswerClaim", seat=table["Ann"].seat, claim=claim, answer="yes").status == 422
    assert table["Ben"].taps("AnswerClaim", seat=table["Ann"].seat, claim=claim, answer="no").status == 422
    assert table["Ann"].presses("No, it isn't").status == 200
    assert Reply(claimer.looks()).shows("The table said no.")


def test_N5_the_host_cannot_agree_for_the_host_s_own_seat(seated):
    table = seated("score_sheet")
    ann = table["Ann"]
    table.shared.taps("GiveHost", seat=ann.seat)
    claimer = Stranger(table)
    claimer.claims("Ann")
    assert ann.taps("AnswerClaim", seat=ann.seat, claim=claim_of(table, "Ann"), answer="yes").status == 422
    assert claimer.looks().status_code == 200
    assert table.shared.presses("Yes, it is").status == 200
    assert claimer.gets_a_seat().seat == ann.seat


def test_N5_nobody_else_can_fetch_the_link(seated):
    table = seated("score_sheet")
    claimer, other = Stranger(table), Stranger(table)
    claimer.claims("Ann")
    other.where = f"/t/{table.code}/claim/{'0' * 32}"
    table.shared.presses("Yes, it is")
    assert Reply(other.looks()).shows("This request is no longer open.")
    # What is stored, and what the forms of others hold, is not the secret.
    secret = claimer.where.partition("?")[0].rpartition("/")[2]
    for screen in (table.shared, table["Ben"]):
        assert secret not in screen.page().html
    with table.house.reads_the_store() as store:
        assert secret.encode() not in (store.newest(table.id).room or b"")
    assert claimer.gets_a_seat()


def test_N5_a_link_is_not_given_out_again_once_it_was_used(seated):
    table = seated("score_sheet")
    claimer = Stranger(table)
    claimer.claims("Ann")
    table.shared.presses("Yes, it is")
    ann = claimer.gets_a_seat()
    thief = table.house.visitor()
    assert ann.taps("Rename", seat=ann.seat, name="Anna").status == 200
    assert "location" not in thief.get(claimer.where).headers


def test_N5_two_who_claim_one_seat(seated):
    table = seated("score_sheet")
    first, second = Stranger(table), Stranger(table)
    first.claims("Ann")
    assert second.claims("Ann").status == 422
    # A yes for one claim is no yes for the other: it names the claim, not only the seat.
    drawn = table.shared.page().html
    assert first.client.post(first.where).status_code == 303  # never mind
    assert table.shared.presses_on(drawn, "Yes, it is").message == "That request is no longer open."


def test_N5_a_flood_of_claims_stays_small(seated):
    table = seated("score_sheet", players=6)
    assert {Stranger(table).claims(name).status for name in ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")} == {303}
    assert table.shared.page().html.count("Yes, it is") == 1  # one question after the other
    room = Room(people=tuple(Person(Seat(n), f"P{n}") for n in range(1, MAX_OPEN + 2)), phase="playing")
    for n in range(1, MAX_OPEN + 1):
        room = claim_seat(room, Seat(n), f"{n:032}", at=0)
    with pytest.raises(NotAllowed, match="Others are already waiting"):
        claim_seat(room, Seat(MAX_OPEN + 1), "9" * 32, at=0)


def test_N5_an_address_that_claims_too_often_has_to_wait(tmp_path):
    house = House(tmp_path / "data").start()
    try:
        table = house.opens("score_sheet")
        table.sits("Ann")
        stranger = Stranger(table)
        fields = {"seat": "1", "nonce": "short"}
        assert {stranger.sends(fields).status for _ in range(ATTEMPTS_PER_WINDOW["claim"])} == {422}
        assert stranger.sends(fields).status == 429
    finally:
        house.kill()


def test_N5_an_invalid_claim_is_refused(seated):
    table = seated("score_sheet")
    for fields in ({"seat": "77"}, {"seat": "0"}, {"seat": "-1"}, {"seat": "x"}, {}, {"seat": "1", "nonce": "a"}):
        assert Stranger(table).sends({"nonce": "0" * 32} | fields).status == 422
    assert not table.shared.shows("again?")


def test_N5_a_page_of_another_site_claims_nothing(seated):
    table = seated("score_sheet")
    fields, headers = (
        {"seat": "1", "nonce": "0" * 32},
        {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"},
    )
    assert table.house.visitor().post(f"/t/{table.code}/claim", data=fields, headers=headers).status_code == 403


def test_N5_without_the_code_nothing_is_said_about_seats(house):
    fields = {"seat": "1", "nonce": "0" * 32}
    replies = [house.visitor().get("/t/QQQQ"), house.visitor().post("/t/QQQQ/claim", data=fields)]
    replies.append(house.visitor().get(f"/t/QQQQ/claim/{'0' * 32}"))
    assert {reply.status_code for reply in replies} == {404}
    assert len({reply.text for reply in replies}) == 1


def test_N5_a_removed_seat_cannot_be_claimed(seated):
    table = seated("score_sheet")
    claimer = Stranger(table)
    claimer.claims("Ann")
    drawn = table.shared.page().html
    table.shared.presses("Remove from the table", seat=table["Ann"].seat)
    assert not table.shared.shows("Ann again")
    assert table.shared.presses_on(drawn, "Yes, it is").status == 422
    assert Reply(claimer.looks()).shows("This request is no longer open.")


def test_N5_a_claim_goes_on_to_the_next_table(seated):
    table = seated("score_sheet")
    claimer = Stranger(table)
    claimer.claims("Ann")
    table.shared.taps("EndTable")
    assert not table.shared.shows("Ann again")
    table.shared.presses("Play again")
    for somebody in (table.shared, table["Ben"]):
        somebody.moves_on()
    assert table.shared.presses("Yes, it is").status == 200
    assert claimer.gets_a_seat().seat == table["Ann"].seat


def test_N5_a_seat_without_a_phone_can_be_claimed(seated):
    table = seated("score_sheet", players=2, start=False)
    table.adds("Cleo")
    claimer = Stranger(table)
    claimer.claims("Cleo")
    assert claimer.looks().status_code == 200
    table.shared.presses("Yes, it is")
    assert claimer.gets_a_seat().shows("Cleo is here on another phone.")


def test_N5_a_name_with_markup_stays_a_name(seated):
    table = seated("score_sheet", start=False)
    table.sits("<b>Eve</b>")
    Stranger(table).claims("<b>Eve</b>")
    html = table.shared.page().html
    assert "&lt;b&gt;Eve&lt;/b&gt; again?" in html
    assert "<b>Eve" not in html


def test_N5_a_claim_survives_kill_9(seated):
    table = seated("score_sheet")
    claimer = Stranger(table)
    claimer.claims("Ann")
    table.house.kill()
    table.house.start()
    assert table.shared.presses("Yes, it is").status == 200
    assert claimer.gets_a_seat().seat == table["Ann"].seat


ROOM = Room(people=(Person(Seat(1), "Ann"), Person(Seat(2), "Ben")), phase="playing")
SECRET = "5" * 32


def test_N5_claims_and_granted_links_expire():
    room = claim_seat(ROOM, Seat(1), SECRET, at=0)
    yes = Answer(Seat(1), room.claims[0].id, "yes")
    with pytest.raises(NotAllowed, match="too old"):
        answer_claim(room, TABLE, yes, at=CLAIM_S)
    assert standing(room, SECRET, CLAIM_S)[0] == "gone"
    granted, _ = answer_claim(room, TABLE, yes, at=10)
    assert standing(granted, SECRET, 10 + CLAIM_S - 1)[0] == "granted"
    assert standing(granted, SECRET, 10 + CLAIM_S)[0] == "gone"
    # A newer link makes the granted one worthless.
    moved = granted.with_person(Person(Seat(1), "Ann", generation=3))
    assert standing(moved, SECRET, 11)[0] == "gone"
    assert len(claim_seat(room, Seat(2), "6" * 32, at=time.time()).claims) == 1  # old claims are dropped


def claim_of(table: Table, name: str) -> str:
    """Return the id of the claim on this seat, from the forms on the shared screen."""
    node = LexborHTMLParser(table.shared.page().html).css_first('#acts .nod [name="claim"]')
    assert node is not None, name
    return node.attributes["value"] or ""
