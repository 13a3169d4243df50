"""Documents every class and custom property of companion.css for authors of games, with an example of each."""

from __future__ import annotations

import re
from pathlib import Path

CSS = Path(__file__).parent.parent / "static" / "companion.css"

PROPERTIES = {
    "--ink": "text",
    "--quiet": "secondary text",
    "--ground": "the page behind everything",
    "--raised": "cards and folds",
    "--edge": "borders",
    "--accent": "the primary button, the verdict, links",
    "--accent-ink": "text on the accent",
    "--glow": "the glow at the top of the page",
    "--danger": "a button that cannot be undone",
    "--danger-edge": "its border",
    "--key": "a button",
    "--field": "an input, a choice",
    "--line": "the border of both",
    "--radius": "the corner radius of cards",
    "--step": "the usual gap",
    "--display": "the font of headings and totals",
    "--text": "the font of everything else",
    "--c0 … --c9": "the colours of the ten badges",
    "--mine": "inside `b0 … b19`: the colour of that player",
    "--sym": "inside `b0 … b19`: the shape of that player, as a mask",
}
"""Set them in `static/NAME/game.css`, under `.game-NAME`, to give the game its own mood."""

CLASSES = {
    "card": ("a raised box for one thing", '<div class="card"><p>A card.</p></div>'),
    "lead": ("with `card`: what this player does now; once per screen", '<div class="card lead"><h2>Lead</h2></div>'),
    "big": ("a heading or a field that is read at arm's length", '<h2 class="big">A big heading</h2>'),
    "quiet": ("secondary text", '<p class="quiet">Quiet words.</p>'),
    "notice": ("a sentence that nobody should miss", '<p class="notice">A notice.</p>'),
    "verdict": ("the result, or a decision", '<p class="verdict">Ann wins</p>'),
    "primary": ("the one button that moves the game on", '<button class="primary">Primary</button>'),
    "plain": ("a button of little importance", '<button class="plain">Plain</button>'),
    "danger": ("a button that deletes something", '<button class="danger">Danger</button>'),
    "button": ("a link that looks like a button", '<a class="button" href="#x">A link</a>'),
    "actions": ("several buttons below each other", '<div class="actions"><button>One</button><button>Two</button></div>'),
    "row": ("several buttons beside each other, as many as fit", '<div class="row"><button>One</button><button>Two</button></div>'),
    "tap": ("the form that `form` and `button` make; you don't need to set it", '<form class="tap"><button>Tap</button></form>'),
    "field": ("a label with its input below", '<label class="field">Points <input value="7"></label>'),
    "choices": ("several radios or boxes below each other", '<div class="choices"><label class="choice"><input type="radio" name="a" checked> <span>This</span></label><label class="choice"><input type="radio" name="a"> <span>That</span></label></div>'),
    "choice": ("one radio or box with its label, large enough for a thumb", '<label class="choice"><input type="checkbox"> <span>A choice</span></label>'),
    "switch": ("an on/off switch", '<label class="switch"><input type="checkbox" checked> <span>A switch</span></label>'),
    "inline": ("an input and its button in one line", '<form class="inline"><label>Name <input></label><button>Add</button></form>'),
    "scorer": ("a number for each player, in two columns", '<form class="scorer"><label>Ann <input value="3"></label></form>'),
    "check-word": ("a word on two screens, for people to compare", '<b class="check-word">KTR</b>'),
    "languages": ("the languages to choose from", '<form class="languages"><button class="plain" aria-current="true">English</button><button class="plain">Deutsch</button></form>'),
    "ask": ("what `ask()` draws: a button that opens a confirmation", '<details class="ask"><summary class="button">Restart</summary><div><p>Sure?</p></div></details>'),
    "fold": ("`<details>`: something that is seldom needed", '<details class="fold"><summary>A fold</summary><p>Inside.</p></details>'),
    "rowlist": ("a list of buttons or rows", '<ul class="rowlist"><li>One row</li><li>Another</li></ul>'),
    "people": ("a list of players with marks", '<ul class="people"><li>CHIP <span class="mark">host</span></li></ul>'),
    "is-away": ("a row of `people`: somebody who is away", '<ul class="people"><li class="is-away">CHIP</li></ul>'),
    "is-out": ("something that is not possible now", '<p class="is-out">Out of reach</p>'),
    "chip": ("a player; `chip(person)` draws it", "CHIP"),
    "sym": ("the shape of a player in their colour, inside `b0 … b19`; part of a chip", "CHIP"),
    "b0 … b19": ("anything in this player's colour and shape: `b{{ person.badge }}`", '<p class="b3"><i class="sym"></i> in a colour</p>'),
    "swatch": ("a dash in a colour, where there is no player", '<p class="b2"><i class="swatch"></i> a colour</p>'),
    "seats": ("players as pills, in a row", '<div class="seats"><span class="seat">Ann</span> <span class="seat">Ben</span></div>'),
    "seat": ("one of them", '<div class="seats"><span class="seat">Ann</span></div>'),
    "mark": ("a short word in a pill", '<span class="mark">has bid</span>'),
    "standings": ("players with their totals", '<ol class="standings"><li class="is-first"><span class="rank">1</span> CHIP <span class="total">12</span></li><li><span class="rank">2</span> CHIP <span class="total">9</span></li></ol>'),
    "is-first": ("the leader, in `standings`", '<ol class="standings"><li class="is-first">CHIP</li></ol>'),
    "rank": ("the rank, in `standings`", '<ol class="standings"><li><span class="rank">1</span> CHIP</li></ol>'),
    "total": ("a large number", '<span class="total">42</span>'),
    "scroll": ("around a table that may be wider than a phone", '<div class="scroll"><table><tr><th>Round</th><td>3</td><td>4</td></tr></table></div>'),
    "timeline": ("with `lines`: events along a vertical line", '<ol class="lines timeline"><li>First this.</li><li>Then that.</li></ol>'),
    "lines": ("lines of the history; only the first one is bright", '<ol class="lines"><li>The newest.</li><li>An older one.</li></ol>'),
    "whole": ("with `lines`: all of them are bright", '<ol class="lines whole"><li>One.</li><li>Two.</li></ol>'),
    "chart": ("a chart; the macros of `_chart.html` draw it", '<figure class="chart"><figcaption>A chart</figcaption><svg viewBox="0 0 390 60"><line class="axis" x1="26" x2="308" y1="50" y2="50"/><text class="level" x="20" y="54">0</text><polyline class="curve b1 d1" points="26,50 120,30 308,12"/><path class="end-shape b1" transform="translate(313 6.5) scale(0.44)" d="M12 1.5 23.5 22H.5z"/><text class="end b1" x="327" y="16">9</text></svg></figure>'),
    "axis": ("a horizontal grid line", "in chart"),
    "level": ("its number", "in chart"),
    "curve": ("a player's curve", "in chart"),
    "end": ("the number at the end of a curve", "in chart"),
    "end-shape": ("the shape before it", "in chart"),
    "d1 … d3": ("a dashed curve, so that colour is not the only difference", "in chart"),
    "legend": ("names below a chart", '<ul class="legend"><li class="b1"><i class="sym"></i> Ben 9</li></ul>'),
    "bars": ("a table of bars, one for each player", '<table class="bars"><tr><th>CHIP</th><td class="bar"><svg viewBox="0 0 100 12" preserveAspectRatio="none"><rect class="b0" width="60" height="12"/></svg></td><td>6</td></tr></table>'),
    "bar": ("one of them", "in bars"),
    "feats": ("highlights of a game", '<dl class="feats"><div><dt>Best round</dt><dd>CHIP <span class="total">12</span></dd></div></dl>'),
    "prose": ("longer text, as on the help page", '<div class="prose"><p>Prose.</p></div>'),
    "visually-hidden": ("text for screen readers only", '<p>There <span class="visually-hidden">are words that nobody sees</span></p>'),
    "code": ("the table's code, or other letters to read out", '<span class="code">WXYZ</span>'),
    "qr": ("a QR code; `qr(text)` draws it", "by qr()"),
    "below": ("an element with a little space above it", '<p class="below">Below.</p>'),
}  # fmt: skip
"""For templates of games: what each class is for, and an example."""

HOUSE = {
    "address", "again", "badge", "badges", "banner", "causes", "column", "corner", "cover", "cover-mark",
    "drawer", "drawer-panel", "drawer-title", "foot", "game-title", "games", "host-people", "htmx-request",
    "is-live", "is-paused", "join", "join-code", "join-how", "masthead", "message", "move-qr", "night", "night-link", "offline",
    "passed-to", "phone", "players", "refresh", "region", "screen-tools", "setup", "take-back", "tool-card",
    "tool-clock", "tool-dice", "tool-die", "tool-shown", "way", "ways", "what", "who", "wire",
}  # fmt: skip
"""Classes for the house's own templates, not for games."""

NUMBERED = re.compile(r"^(-*[a-z])(\d+)$")
CHIP = '<span class="chip b0"><i class="sym" aria-hidden="true"></i> <bdi>Ann</bdi></span>'


def grouped(names: set[str]) -> set[str]:
    """Combine numbered names: `b0` to `b19` become one."""
    found = {name for name in names if not NUMBERED.match(name)}
    for letter in {match[1] for name in names if (match := NUMBERED.match(name))}:
        numbers = sorted(
            int(name.removeprefix(letter)) for name in names if (match := NUMBERED.match(name)) and match[1] == letter
        )
        found.add(f"{letter}{numbers[0]} … {letter}{numbers[-1]}")
    return found


def in_stylesheet() -> tuple[set[str], set[str]]:
    """Return the classes and the custom properties of companion.css."""
    css = re.sub(r"/\*.*?\*/", "", CSS.read_text("utf-8"), flags=re.S)
    classes = set(re.findall(r"\.(-?[a-zA-Z_][\w-]*)", re.sub(r"\{[^{}]*\}", "{}", css)))
    return grouped(classes), grouped(set(re.findall(r"(--[\w-]+)\s*:", css)))


def check() -> None:
    """Check that this file and companion.css have the same names."""
    classes, properties = in_stylesheet()
    known = set(CLASSES) | HOUSE
    assert classes == known, f"tools/look.py and companion.css differ: {sorted(classes ^ known)}"
    assert properties == set(PROPERTIES), (
        f"tools/look.py and companion.css differ: {sorted(properties ^ set(PROPERTIES))}"
    )


def specimen() -> str:
    """Return a page with an example of every class."""
    shown = "".join(
        f'<section class="card"><p class="quiet">{name}</p>{example.replace("CHIP", CHIP)}</section>'
        for name, (_, example) in CLASSES.items()
        if example.startswith("<") or example == "CHIP"
    )
    colours = "".join(
        f'<p><span style="background: var({name}); padding: 0 1rem; border: 1px solid; margin-inline-end: 0.5rem"></span>{name}</p>'
        for name in (*PROPERTIES, *(f"--c{n}" for n in range(10)))
        if " " not in name and name not in ("--radius", "--step", "--display", "--text", "--mine", "--sym")
    )
    shown += f'<section class="card"><p class="quiet">custom properties</p>{colours}</section>'
    columns = "<style>main { columns: 4 17rem; padding: 1rem; } section { break-inside: avoid; margin: 0 0 1rem !important; }</style>"
    return f'<!doctype html><meta charset="utf-8"><style>{CSS.read_text("utf-8")}</style>{columns}<main>{shown}</main>'


def tables() -> str:
    check()
    rows = ["| class | what it is for |", "|---|---|"]
    rows += [f"| `{name}` | {what} |" for name, (what, _) in CLASSES.items()]
    rows += ["", "| custom property | what it colours or shapes |", "|---|---|"]
    rows += [f"| `{name}` | {what} |" for name, what in PROPERTIES.items()]
    return "\n".join(rows)
