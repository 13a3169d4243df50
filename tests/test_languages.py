"""Each phone has its own language, and the shared screen has the table's."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from companion.testing.forms import first, form_fields
from companion.testing.pseudo import PSEUDO

ENGLISH, OTHER = {"Accept-Language": "en-GB"}, {"Accept-Language": "eo, en;q=0.5"}


@pytest.fixture
def browser(pseudo_app):
    return pseudo_app.test_client


def language(html):
    return LexborHTMLParser(html).css_first("html").attributes["lang"]


def opens(client, **more):
    form = form_fields(first(client.get("/new/score_sheet", headers=ENGLISH).text, "form.setup"))
    return client.post(
        "/new/score_sheet", data={**form, **{f"table-{key}": value for key, value in more.items()}}, headers=ENGLISH
    ).location


def test_a_browser_is_answered_in_its_own_language_until_somebody_chooses_another(browser):
    client = browser()
    assert language(client.get("/", headers=OTHER).text) == PSEUDO
    assert language(client.get("/", headers=ENGLISH).text) == "en"
    back = client.post(
        "/language", data={"language": PSEUDO}, headers=ENGLISH | {"Referer": "http://localhost/help/risk"}
    )
    assert back.location == "/help/risk"
    assert language(client.get("/", headers=ENGLISH).text) == PSEUDO
    assert client.get_cookie("language").http_only


def test_two_slashes_do_not_lead_to_another_machine(browser):
    reply = browser().post(
        "/language", data={"language": "en"}, headers={"Referer": "http://localhost//elsewhere.test/x"}
    )
    assert reply.location == "/elsewhere.test/x"


@pytest.mark.parametrize("where", ["https://elsewhere.test/x", "", "//elsewhere.test"])
def test_a_choice_leads_nowhere_else(browser, where):
    reply = browser().post("/language", data={"language": "xx"}, headers={"Referer": where})
    assert reply.location == "/"
    assert "Set-Cookie" not in reply.headers


def test_the_shared_screen_speaks_the_language_of_the_table(browser):
    laptop, phone = browser(), browser()
    screen = opens(laptop, language=PSEUDO)
    assert language(laptop.get(screen, headers=ENGLISH).text) == PSEUDO
    join = first(laptop.get(screen, headers=ENGLISH).text, ".join-code").text(strip=True)
    page = phone.get(f"/t/{join}", headers=ENGLISH).text
    seat = phone.post(
        f"/t/{join}", data={**form_fields(first(page, "form.setup")), "name": "Ann"}, headers=ENGLISH
    ).location
    assert language(phone.get(seat, headers=ENGLISH).text) == "en"
    # One line of the history, as each of them reads it.
    assert "The table is open." in phone.get(f"{seat}/history", headers=ENGLISH).text
    assert "⟦The table is open.⟧" in laptop.get(f"{screen}/history", headers=ENGLISH).text


def test_the_host_changes_the_language_of_the_table(browser):
    laptop = browser()
    screen = opens(laptop, language="en")
    form = next(
        form
        for form in LexborHTMLParser(laptop.get(screen, headers=OTHER).text).css("form")
        if "Speak" in (form.html or "")
    )
    laptop.post(screen, data=form_fields(form) | {"language": PSEUDO}, headers=OTHER)
    assert language(laptop.get(screen, headers=ENGLISH).text) == PSEUDO
    refused = laptop.post(screen, data={"tap": "Speak", "language": "<b>"}, headers=ENGLISH)
    assert refused.status_code == 422
