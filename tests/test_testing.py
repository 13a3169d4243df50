"""Tests of `companion.testing` itself: it sends forms as a browser does, and finds untranslated words."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from selectolax.lexbor import LexborHTMLParser

from companion.games import all_games
from companion.testing import Monkey, Reply, assert_accessible, form_fields, pseudo

FORM = """<form>
<input type="hidden" name="tap" value="Bid"> <input name="word" value=""> <textarea name="why">
because</textarea>
<input type="radio" name="bluff" value="" checked> <input type="radio" name="bluff" value="1">
<input type="checkbox" name="ticked" checked> <input type="checkbox" name="unticked">
<input type="checkbox" name="cards" value="3" checked> <input type="checkbox" name="cards" value="" checked>
<select name="card"><option disabled>none</option><option> King of  hearts </option></select>
<select name="seats" multiple><option value="1" selected></option><option value="2" selected></option></select>
<input name="off" value="1" disabled> <fieldset disabled><input name="also_off" value="1"></fieldset>
<input type="submit" name="sent" value="1"> <button name="raise" value="2">Raise</button> <button name="fold">Fold</button>
</form>"""


@pytest.mark.parametrize(
    "script",
    ["new URLSearchParams(new FormData(document.forms[0], null))", "new URLSearchParams(new FormData(document.forms[0], document.querySelector('button')))"],
)  # fmt: skip
def test_a_form_is_sent_as_a_browser_would(windows, script):
    page = windows.wide()
    page.set_content(FORM)
    sent: dict[str, object] = {}
    for name, value in page.evaluate(f"[...{script}]"):
        sent[name] = (
            [*sent[name], value] if isinstance(sent.get(name), list) else [sent[name], value] if name in sent else value
        )
    form = LexborHTMLParser(FORM).css_first("form")
    assert form_fields(form, form.css_first("button") if "button" in script else None) == sent


def test_random_play_sends_an_empty_radio_empty(pseudo_app):
    monkey = Monkey(pseudo_app, all_games()["score_sheet"], 2, 1)
    form = LexborHTMLParser(FORM).css_first("form")
    assert {monkey.fill(form)["bluff"] for _ in range(50)} == {"", "1"}
    assert {monkey.fill(form)["card"] for _ in range(9)} == {"King of hearts"}


def test_a_refusal_and_a_wrong_form_are_translated(pseudo_app):
    monkey = Monkey(pseudo_app, all_games()["score_sheet"], 2, 1, language=pseudo.PSEUDO)
    monkey.start()
    for data in ({"tap": "Enter", "points": "x"}, {"tap": "Enter"}, {"tap": "Fly"}, {"tap": "EndTable"}):
        reply = Reply(monkey.client.post(monkey.seats[0], data=data, headers=monkey.headers))
        assert reply.status == 422
        assert reply.message.startswith("⟦")
        assert not pseudo.forgotten(reply.message, set())


def test_the_pseudo_language_finds_a_forgotten_word():
    assert pseudo.forgotten("<p>⟦Ann ⟦sits⟧ down⟧ and</p>", set()) == ["and"]
    assert not pseudo.forgotten("<p>⟦Take back⟧: <span>⟦<bdi>Ann</bdi> sits⟧</span> 7</p>", set())


@pytest.mark.parametrize(
    ("arguments", "said"), [(["--game", "nonsense"], "There is no game 'nonsense' here."), ([], "Which game?")]
)
def test_without_a_game_the_command_says_which_there_are(arguments, said, tmp_path):
    """Nothing of ours but the games that come with Companion is installed there."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--pyargs", "companion.testing", "-p", "no:cacheprovider", *arguments],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode != 0
    assert said in run.stdout + run.stderr


def test_a_screen_that_not_everybody_can_read_is_found(windows):
    page = windows.phone()
    page.set_content("<!doctype html><html lang=en><title>A</title><main><h1>A</h1><input name=x></main>")
    with pytest.raises(AssertionError, match="label"):
        assert_accessible(page)
    page.set_content(
        "<!doctype html><html lang=en><title>A</title><main><h1>A</h1><p style='width: 2000px'>A</p></main>"
    )
    with pytest.raises(AssertionError, match="too wide"):
        assert_accessible(page)
