"""The tap endpoint answers every tap, accepted or not."""

from __future__ import annotations

import re

import pytest

KNOCK = {"tap": "Knock", "tap_id": "0.1"}
HX = {"HX-Request": "true"}


def as_multipart(form):
    return {name: (None, value) for name, value in form.items()}


def without_counting(reply):
    """Return the reply without its tap counter and history, which differ from tap to tap."""
    return re.sub(r"\b\d+\.[0-9a-f]{1,8}\b|Rolled: \d+|<ol.*?</ol>", "", reply.text)


def test_a_form_is_understood_however_a_browser_encodes_it(seated):
    ann = seated("secret_ballot", players=3).people["Ann"]
    ann.client.post(ann.path, headers=HX, data=KNOCK)
    plain = ann.client.post(ann.path, headers=HX, data=KNOCK | {"tap_id": "1.1"})
    multipart = ann.client.post(ann.path, headers=HX, files=as_multipart(KNOCK | {"tap_id": "2.1"}))
    assert plain.status_code == multipart.status_code == 200
    assert without_counting(plain) == without_counting(multipart)
    assert int(multipart.headers["companion-version"]) == int(plain.headers["companion-version"]) + 1


def test_a_tap_sent_twice_in_different_encodings_counts_once(seated):
    ann = seated("secret_ballot", players=3).people["Ann"]
    assert ann.client.post(ann.path, headers=HX, data=KNOCK).status_code == 200
    assert ann.client.post(ann.path, headers=HX, files=as_multipart(KNOCK)).status_code == 200
    assert ann.shows("Rolled: 1")


def test_without_scripts_a_tap_leads_back_to_the_page(seated):
    ann = seated("secret_ballot", players=3).people["Ann"]
    reply = ann.client.post(ann.path, data=KNOCK)
    assert (reply.status_code, reply.headers["location"]) == (303, ann.path)
    refused = ann.client.post(ann.path, data={"tap": "Open", "tap_id": "1.1"})
    assert refused.status_code == 422
    assert "Not everybody has answered." in refused.text
    assert "<html" in refused.text


def test_every_refused_tap_is_answered_with_a_sentence(seated):
    table = seated("secret_ballot", players=3)
    ann, ben = table.people["Ann"], table.people["Ben"]
    assert ann.taps("Open", tap_id="0.1").message == "Not everybody has answered."
    assert ann.taps("Nonsense", tap_id="0.3").message == "That is not part of this game."
    assert ann.taps("Stumble", tap_id="0.2").status == 500
    assert "Something went wrong on our side" in ann.taps("Stumble", tap_id="0.2").message
    dead = ann.client.post(ben.path[:-1], data=KNOCK, headers=HX)
    assert (dead.status_code, dead.headers["hx-refresh"]) == (403, "true")
    watcher = table.shared.path.replace("/x/", "/w/")
    assert ann.client.post(watcher, data=KNOCK, headers=HX).status_code in (403, 404, 405)
    assert ann.client.post(table.shared.path.replace("/x/", "/s/"), data=KNOCK, headers=HX).status_code == 403
    garbled = {**HX, "Content-Type": "application/x-www-form-urlencoded"}
    assert ann.client.post(ann.path, content=b"tap=\xff", headers=garbled).status_code == 422
    large = ann.client.post(ann.path, data=KNOCK | {"note": "x" * 100_000}, headers=HX)
    assert large.status_code == 413
    assert "far too large" in large.text
    assert ann.taps("Knock", tap_id="0.4").status == 200
    assert ann.shows("Rolled: 1")


@pytest.mark.parametrize("headers", [{}, HX])
def test_every_answer_to_a_tap_has_the_headers_of_a_page(seated, headers):
    ann = seated("secret_ballot", players=3).people["Ann"]
    replies = [
        ann.client.post(ann.path, data=form, headers=headers)
        for form in (KNOCK, {"tap": "Open"}, {"tap": "Stumble"}, {"tap": "x" * 70_000})
    ]
    assert [reply.status_code for reply in replies[1:]] == [422, 500, 413]
    for reply in replies:
        assert reply.headers["cache-control"] == "no-store"
        assert "default-src 'self'" in reply.headers["content-security-policy"]
        assert "content-encoding" not in reply.headers
