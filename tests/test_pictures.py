"""The pictures of README and docs show what people see, at twice their size, and every one of them is used."""

from __future__ import annotations

import sys

import pytest
from here import ROOT
from PIL import Image

sys.path.insert(0, str(ROOT / "tools"))

import picture_inputs as inputs

from companion.games import all_games
from companion.testing.showing import showing

ALL = sorted([*inputs.PICTURES, inputs.TABLE_PICTURE, inputs.NIGHT, inputs.VOTE])


@pytest.fixture(scope="module")
def digests():
    return inputs.digests(all_games())


def test_every_picture_shows_the_present_screens(digests):
    old = inputs.outdated(digests)
    assert not old, f"{', '.join(old)}: these pictures show older screens. Run: {inputs.COMMAND}"


def test_no_picture_lies_around_unused():
    assert not list(inputs.unused()), "no page shows these pictures: delete them, or show them"


def test_a_digest_depends_on_nothing_but_the_screens(digests):
    assert inputs.digests(all_games()) == digests
    assert sorted(digests) == ALL


def test_a_digest_changes_with_what_can_be_seen_and_with_nothing_else(tmp_path):
    played = inputs.evenings(all_games())
    phase = inputs.phase_of(played, "traitors", "votes face down")
    other = inputs.phase_of(played, "traitors", "tied, pleas")
    with showing(tmp_path, all_games()) as shown:
        text = inputs.drawn(shown, phase, "stage")
        assert text != inputs.drawn(shown, other, "stage")
        assert text == inputs.drawn(shown, phase, "stage")
    assert "static/" in text  # the style sheets, by the hashes of what is in them
    assert "<script" not in text
    assert "drawer" not in text


@pytest.mark.parametrize("file", ALL)
def test_a_picture_is_twice_its_size_and_not_too_heavy(file):
    path = ROOT / "docs" / file
    with Image.open(path) as picture:
        kind, width, frames = picture.format, picture.width, getattr(picture, "n_frames", 1)
    assert kind == "WEBP"
    if file == inputs.VOTE:
        assert frames > 20
        assert path.stat().st_size < 2_000_000
        return
    screen = inputs.PICTURES.get(file, ("", "", "stage"))[2]
    assert width == (2400 if file == inputs.TABLE_PICTURE else {"stage": 2560, "phone": 780}[screen])
    assert path.stat().st_size < 250_000
