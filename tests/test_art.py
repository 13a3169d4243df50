"""The drawings are small and safe to inline, and every game has one for the shelf."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from here import ROOT

from companion.games import GAMES
from companion.web.assets import Assets

STATIC = ROOT / "static"
DRAWINGS = sorted(STATIC.glob("**/art/*.svg"))
LARGEST = 10_000


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: path.relative_to(STATIC).as_posix())
def test_a_drawing_is_small_and_self_contained(path):
    text = path.read_text("utf-8")
    assert len(text) <= LARGEST
    for node in ElementTree.fromstring(text).iter():
        assert node.tag.rpartition("}")[2] in {
            "svg", "g", "defs", "use", "path", "rect", "circle", "ellipse", "linearGradient", "radialGradient", "stop",
        }  # fmt: skip
        # No script, no style (the content policy would drop it), and nothing from elsewhere.
        for name, value in node.attrib.items():
            assert not name.startswith("on")
            assert name != "style"
            assert "//" not in value
            assert not name.endswith("href") or value.startswith("#")
    ids = set(re.findall(r'id="([^"]+)"', text))
    assert set(re.findall(r'(?:url\(|href=")#([\w-]+)', text)) <= ids


def test_drawings_can_stand_on_one_page():
    ids = Counter(one for path in DRAWINGS for one in re.findall(r'id="([^"]+)"', path.read_text("utf-8")))
    assert not [one for one, n in ids.items() if n > 1]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_face(name):
    text = (STATIC / name / "art" / "face.svg").read_text("utf-8")
    assert 'viewBox="0 0 480 270"' in text


def test_a_drawing_can_be_part_of_a_page_and_says_nothing_there():
    drawn = Assets(STATIC).drawing("faster_than_truth/art/prestige.svg")
    assert drawn.startswith('<svg class="art" aria-hidden="true" ')
    assert "var(--of" in drawn
