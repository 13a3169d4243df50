"""Write the generated parts of docs/games.md: `make docs`. A test fails when they are out of date.

They are between `<!-- name -->` and `<!-- end -->`; the rest of the page is written by hand.
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import jinja2
import look

from companion import game as contract
from companion import say as sentences
from companion.authoring.new_game import files
from companion.games import all_games
from companion.testing import PUBLIC, Easel, plugin, windows
from companion.testing import __getattr__ as public

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "games.md"
REGION = re.compile(r"<!-- (?P<what>(?!end)[^>]+?) -->\n.*?<!-- end -->", re.S)

GLOBALS = {
    "_": "`_('%(n)s coins', n=3)`: translate a text into the reader's language",
    "ngettext": "`ngettext('%(num)s coin', '%(num)s coins', n)`: the same with singular and plural",
    "pgettext": "`pgettext('a card', 'Draw')`: the same for a word with two meanings; the context says which one",
    "languages": "the languages to choose from",
    "say": "`say(sentence, names)`: draw a `Say` from a view",
    "form": "`{% call form(me, 'Bid') %} … {% endcall %}`: the form of a tap",
    "button": "`button(me, 'Pick', _('Pick it'), {'prize': 3}, class='primary')`: a form that is only a button",
    "ask": "`ask(me, 'Restart', _('Start again'), _('All answers are lost.'))`: a button that asks for confirmation",
    "chip": "`chip(person_at[seat])`: a player with colour and shape",
    "picture": "`picture(chart)`: compute where the curves of a `Chart` go; the macros of `_chart.html` call it",
    "panelled": "`panelled(chart)`: the same for a results page, where many curves become several small charts",
    "qr": "`qr(text)`: a QR code",
    "asset": "`{{ root }}/{{ asset('my_game/crown.svg') }}`: the URL of a static file",
    "has_asset": "`has_asset('my_game/crown.svg')`: whether that file exists",
    "art": "`art('my_game/art/crown.svg')`: an SVG as part of the page, so that custom properties can colour it",
    "get_locale": "the reader's language",
    "text_direction": "`ltr` or `rtl`",
    "version": "the version of the companion",
    "dev": "whether this is `companion play --dev`",
}
FILTERS = {
    "day": "a time as a date",
    "clock": "a time as hours and minutes",
    "percent": "a share of one as 70.7%, or `|percent(0)` as 71%, the way the reader's language writes it",
    "decimal": "a number with one decimal place, the way the reader's language writes it",
}
INPUTS = {
    "view": "what `table_view`, `seat_view` or `screen_view` returned",
    "record": "what `record_view` returned",
    "host": "what `host_view` returned",
    "me": "whose screen it is, for `form` and `button`; `me.host` says whether they are the host. A seat's template gets "
    "nothing else about its player, because seats with equal views share one rendering",
    "names": "the name of every seat: `names[view.turn]`",
    "people": "everybody at the table, clockwise, with `seat`, `name`, `number`, `badge`, `phone`, `away`, `host`, `placed`",
    "person_at": "the same by seat: `person_at[seat]`",
    "sitting_out": "people who sit this game out; they can play the next one",
    "phase": "the phase of the table, not of your game: `gathering`, `playing` or `ended`",
    "over": "whether there is a result",
    "game": "your `Game`",
    "played_as": "the name of the game being played, if it differs from `game.title`; else empty",
    "code": "the table's code",
    "alarm_at": "when the alarm goes off, or none",
    "part": "`part('my_game/_map.html', cities=view.cities)`: include a template that is rendered again only when its inputs change",
    "root": "the URL prefix, which goes before every path",
    "away": "whether this seat is marked away",
    "goes_on": "whether “Play again” is shown below",
    "handing": "seats without a phone, and whether each one is offered the screen",
    "claims": "seats that somebody claims with a new phone; the house's own template asks about them",
    "has_moved": "whether the laptop has changed its network since this screen was opened; the house's own template shows the code",
    "arriving": "whether a new phone has opened this seat but hasn't taken it over yet",
}  # fmt: skip
FLAGS = {
    "sealed": ("a reveal, or a claim that everybody has heard", "no, nor anything before it", "the lines of the step"),
    "secret": ("a secret choice: a ballot, a bid", "no", "the lines, if any, but not who made the step"),
    "note": ("a player's private notes, not a step of the game", "no; taking back skips it", "nothing"),
    "burn": ("the reveal that ends a secret: all earlier states are destroyed, on disk as well", "no", "the lines of the step"),
    "alarm": ("start a countdown: after this many seconds the table taps `TimeIsUp`; `None` stops it", "yes", "the lines of the step"),
    "later": ("make a running countdown this many seconds longer", "yes, and then it stops", "the lines of the step"),
}  # fmt: skip


FIELDS = {
    "who": "The seats it is about.",
    "figures": "The numbers it is about.",
    "title": "Its name on the shelf. `N_()` marks it for translation.",
    "players": "The smallest and the largest number of players.",
    "rules": "The rule for each tap: `{Bid: bid}`. `rule(state, seat, tap, dice)` returns a `Step` or raises `NotAllowed`.",
    "kind": "The frozen struct that is stored.",
}
"""Descriptions of fields that are obvious in the code."""


def fields_of(name: str) -> str:
    """Return a table of the fields of a class, each with the string below it in the source."""
    body = class_in_source(name).body
    rows = ["| field | type | |", "|---|---|---|"]
    for place, node in enumerate(body):
        if not isinstance(node, ast.AnnAssign):
            continue
        following = body[place + 1] if place + 1 < len(body) else None
        words = (
            following.value.value
            if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            else ""
        )
        field = ast.unparse(node.target)
        words = one_line(str(words)) or FIELDS[field]
        kind = ast.unparse(node.annotation).replace("|", "\\|")
        optional = "" if node.value is None else " (optional)"
        rows.append(f"| `{field}`{optional} | `{kind}` | {words} |")
    return "\n".join(rows)


def source() -> list[ast.stmt]:
    """Return the statements of say.py, then those of game.py."""
    return [node for part in (sentences, contract) for node in ast.parse(Path(part.__file__).read_text("utf-8")).body]


def class_in_source(name: str) -> ast.ClassDef:
    return next(node for node in source() if isinstance(node, ast.ClassDef) and node.name == name)


def one_line(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")


def words() -> str:
    """Return a table of every public name of the contract, with the first sentence of its docstring."""
    rows = ["| name | |", "|---|---|"]
    for node in source():
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            rows.append(f"| `{node.name}` | {one_line(ast.get_docstring(node)).partition('. ')[0].rstrip('.')} |")
    return "\n".join(rows)


def step_flags() -> str:
    flags = set(contract.Step.__slots__) - {"state", "lines"}
    assert flags == set(FLAGS), f"Step has other flags: {sorted(flags ^ set(FLAGS))}"
    rows = ["| flag | when | can it be taken back? | what everybody is told |", "|---|---|---|---|"]
    rows.append("| none | an ordinary step; if it rolls `dice`, it is sealed | yes | the lines of the step |")
    rows += [f"| `{flag}` | {when} | {back} | {told} |" for flag, (when, back, told) in FLAGS.items()]
    return "\n".join(rows)


class Recorder:
    """Records which names each template is given."""

    def __init__(self, environment: Any) -> None:
        self._environment = environment
        self.given: dict[str, set[str]] = {}

    def get_template(self, name: str) -> Any:
        recorder, template = self, self._environment.get_template(name)

        class Given:
            def render(self, common: dict[str, Any], **inputs: Any) -> str:
                recorder.given.setdefault(name, set()).update(common, inputs)
                text: str = template.render(common, **inputs)
                return text

        return Given()


def template_names() -> str:
    """Return a table of every name that a template may use, and where. It renders real screens to find them."""
    with tempfile.TemporaryDirectory() as folder:
        easel = Easel(Path(folder))
        environment = easel.app.jinja_env
        recorder: Any = Recorder(environment)
        easel.services.renderer._environment = recorder
        game = all_games()["score_sheet"]
        seats = (contract.Seat(1), contract.Seat(2))
        state = game.start(game.setup(), seats, contract.Dice()).state
        easel.draw(game, state, 0, phones=False)
        easel.draw(game, state, 1, host=1)
    given = recorder.given
    drawn = {
        "table.html": given[f"{game.name}/table.html"], "stage.html": given[f"{game.name}/stage.html"],
        "record.html": given[f"{game.name}/record.html"], "seat.html": given["_seat.html"],
        "mine.html": given[f"{game.name}/mine.html"], "screen.html": given["_screen.html"],
        "drawer.html": given[f"{game.name}/drawer.html"], "host.html": given[f"{game.name}/host.html"],
    }  # fmt: skip
    everything = set().union(*drawn.values())
    assert everything == set(INPUTS), f"templates are given other names: {sorted(everything ^ set(INPUTS))}"
    usual = {"g", "request", "session", "config", "url_for", "get_flashed_messages", *jinja2.Environment().globals}
    ours = set(environment.globals) - usual
    assert ours == set(GLOBALS), f"templates have other functions: {sorted(ours ^ set(GLOBALS))}"
    assert set(environment.filters) - set(jinja2.Environment().filters) == set(FILTERS)
    rows = ["| name | in | |", "|---|---|---|"]
    for name, what in INPUTS.items():
        where = [template for template, names in drawn.items() if name in names]
        rows.append(f"| `{name}` | {'all' if len(where) == len(drawn) else ', '.join(where)} | {what} |")
    rows += [f"| `{name}` | everywhere | {what} |" for name, what in GLOBALS.items()]
    rows += [f"| `…\\|{name}` | everywhere | {what} |" for name, what in FILTERS.items()]
    return "\n".join(rows)


def fixtures() -> str:
    """Return a table of our pytest fixtures, and one of what companion.testing exports."""
    rows = ["| fixture | |", "|---|---|"]
    for node in ast.parse(Path(plugin.__file__).read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and any("fixture" in ast.unparse(one) for one in node.decorator_list):
            rows += [f"| `{node.name}` | {one_line(ast.get_docstring(node))} |"] if node.name[0] != "_" else []
    rows += ["", "| from companion.testing import … | |", "|---|---|"]
    for names in PUBLIC.values():
        for name in names:
            what = public(name)
            text = (
                ", ".join(what[:3]) + " …: names for people"
                if isinstance(what, tuple)
                else one_line(what.__doc__).partition(". ")[0]
            )
            rows.append(f"| `{name}` | {text.rstrip('.')} |")
    return "\n".join(rows)


def file(path: str) -> str:
    """Return a file of the tutorial, as `companion new-game hidden_bids --secret` writes it."""
    text = files("hidden_bids", "secret")[path.removeprefix("hidden_bids/")]
    language = {"py": "python", "html": "html", "toml": "toml"}[path.rpartition(".")[2]]
    return f"`{path}`\n\n```{language}\n{text}```"


def region(found: re.Match[str]) -> str:
    what = found["what"]
    match what.split():
        case ["fields", "of", name]:
            text = fields_of(name)
        case ["file", path]:
            text = file(path)
        case _:
            text = {
                "words": words,
                "step flags": step_flags,
                "template names": template_names,
                "fixtures": fixtures,
                "look": look.tables,
            }[what]()
    return f"<!-- {what} -->\n{text}\n<!-- end -->"


def page() -> str:
    """Return the page with its generated parts up to date."""
    return REGION.sub(region, PAGE.read_text("utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    with windows.started_chromium() as browser:
        window = browser.new_page(viewport={"width": 1280, "height": 900})
        window.set_content(look.specimen())
        window.screenshot(path=DOCS / "classes.png", full_page=True)
