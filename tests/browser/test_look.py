"""`companion.testing.look` finds each planted fault, and none on a good page."""

from __future__ import annotations

import pytest

from companion.testing.look import SCRIPT

STYLE = """<style>
* { margin: 0; } body { height: 100vh; overflow: hidden; font: 40px/1.1 serif; } .visually-hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.stage { position: relative; height: 100vh; overflow: hidden; } .line, .words, .people, #acts { position: absolute; left: 0; width: 700px; }
.words { top: 100px; } #acts { top: 400px; } #acts button { font-size: 30px; } .people { top: 600px; } details { position: absolute; top: 0; left: 900px; } .figure { font-size: 90px; } .name { font-size: 40px; }
</style>"""
CLEAN = """<div class="stage"><h1 class="visually-hidden">Nobody sees this</h1><p class="line">KLMN</p><div class="words"><p>Words</p><b class="figure">7</b></div>
<div id="acts"><button>Go on</button></div><ol class="people"><span class="name">Ann</span></ol></div><details class="drawer"><summary></summary><div class="drawer-panel">Drawer</div></details>"""
FAULTS = {
    "cut off by the screen": ("Words", '<p style="position: absolute; left: 1250px">Words</p>'),
    "cut off": ("<p>Words</p>", '<p style="width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">Grandma Elisabeth-Jo</p>'),
    "has to be scrolled": ("<p>Words</p>", '<div style="height: 50px; overflow: auto"><p>Words</p><p>Words</p><p>Words</p></div>'),
    "letters too small": ("Words", '<small style="font-size: 17px">Words</small>'),
    "name too small": ("Ann", '<bdi style="font-size: 35px">Ann</bdi>'),
    "figure too small": ("7<", '<i style="font-size: 70px">7</i><'),
    "texts overlap": ('class="people"', 'class="people" style="top: 90px"'),
    "button over text": ('id="acts"', 'id="acts" style="top: 95px"'),
    "covered": ('<div id="acts">', '<div id="acts"><div style="position: fixed; inset: 0 0 50%; background: black"></div>'),
    "scrolls": ("<details", '<div style="height: 300px">.</div><details'),
    "drawer shows though it is closed": ('<details class="drawer"><summary></summary>', '<div class="drawer" style="position: fixed; top: 0; right: 0">'),
    "QR code too small": ("Words", 'Words <div class="gathering"><svg class="qr" width="300" height="300"></svg></div>'),
}  # fmt: skip


@pytest.fixture(scope="module")
def page(chromium):
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    yield page
    page.close()


def look(page, html, check="stage"):
    page.set_content(STYLE + html)
    page.evaluate(SCRIPT.read_text())
    return page.evaluate(f"companionLook.checks.{check}(document)")


def test_a_stage_without_fault(page):
    assert look(page, CLEAN) == []


@pytest.mark.parametrize("what", FAULTS)
def test_each_fault_is_found(page, what):
    old, new = FAULTS[what]
    assert old in CLEAN
    assert what in [fault for fault, _, _ in look(page, CLEAN.replace(old, new))]


PHONE = """<style>body { overflow: auto; }</style><section id="you" style="height: 300px"><button>Other</button><button class="primary">Done</button></section>"""


def test_a_phone_without_fault_and_with_each(page):
    assert look(page, PHONE, "phone") == []
    below = look(page, PHONE.replace("<button class", '<p style="height: 800px"></p><button class'), "phone")
    assert [what for what, _, _ in below] == ["below the fold"]
    wide = look(page, PHONE + '<p style="width: 1300px">Wide</p>', "phone")
    assert [what for what, _, _ in wide] == ["wider than the screen"]


def test_what_is_missing_without_scripts_is_found(page):
    assert look(page, '<section class="region">Here</section>', "plain") == []
    hidden = look(page, '<section class="region" style="display: none">Here</section>', "plain")
    assert [what for what, _, _ in hidden] == ["missing without scripts"]
