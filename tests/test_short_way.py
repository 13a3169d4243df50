"""An accepted tap takes the short way: nobody can tell it from the usual one."""

from __future__ import annotations

import re

FORM = {"tap": "Knock", "tap_id": "0.1"}


def without_counting(reply):
    """The reply without what differs from one tap to the next: which version, how often it was tapped."""
    return re.sub(r"f?\d+\.[0-9a-f]{1,8}\b|Rolled: \d+|<ol.*?</ol>", "", reply.text)


def heads(reply):
    return {
        name: value
        for name, value in reply.headers.items()
        if name not in ("date", "companion-version", "content-length")
    }


def test_both_ways_give_the_same_reply(seated):
    ann = seated("secret_ballot", players=3).people["Ann"]
    knock = lambda **how: ann.client.post(ann.path, headers={"HX-Request": "true"}, **how)  # noqa: E731
    knock(data=FORM)
    short = knock(data=FORM | {"tap_id": "1.1"})
    usual = knock(files={name: (None, value) for name, value in (FORM | {"tap_id": "2.1"}).items()})
    assert short.status_code == usual.status_code == 200
    assert "multipart" in usual.request.headers["content-type"]
    assert heads(short) == heads(usual)
    assert without_counting(short) == without_counting(usual)
    assert int(usual.headers["companion-version"]) == int(short.headers["companion-version"]) + 1


def test_a_tap_that_went_both_ways_counts_once(seated):
    ann = seated("secret_ballot", players=3).people["Ann"]
    assert ann.taps("Knock", tap_id="0.1").status == 200
    again = ann.client.post(
        ann.path, files={name: (None, value) for name, value in FORM.items()}, headers={"HX-Request": "true"}
    )
    assert again.status_code == 200
    assert ann.shows("Rolled: 1")


def test_what_the_short_way_does_not_know_goes_the_usual_way(seated):
    table = seated("secret_ballot", players=3)
    ann, ben = table.people["Ann"], table.people["Ben"]
    assert ann.taps("Open", tap_id="0.1").message == "Not everybody has answered."
    assert ann.taps("Stumble", tap_id="0.2").status == 500
    assert ann.taps("Nonsense", tap_id="0.3").status == 422
    watcher = table.shared.path.replace("/x/", "/w/")
    assert ann.client.post(watcher, data=FORM, headers={"HX-Request": "true"}).status_code in (403, 404, 405)
    assert ann.client.post(ben.path[:-1], data=FORM, headers={"HX-Request": "true"}).status_code == 403
    assert ann.client.post(ann.path, content=b"tap=\xff", headers={
        "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}).status_code == 422  # fmt: skip
    assert ann.taps("Knock", tap_id="0.4").status == 200
    assert ann.shows("Rolled: 1")
