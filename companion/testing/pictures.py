"""Put screenshots of every phase on one page: `make gallery`, or `python -m companion.testing.pictures`.

--game traitors --size 1280x800           one game on one screen, which is quick
--phase murder --screen phone --full      phones in phases named "murder", the whole page
--table many                              as many people as possible, with long names; also: few, usual
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.game import TABLE, Game, Seat
from companion.games import all_games
from companion.testing.evenings import LONG_NAMES, SHORT_NAMES, USUAL, Phase, evening_of
from companion.testing.showing import Showing, showing
from companion.testing.windows import started_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Size = tuple[int, int]
STAGE: tuple[Size, ...] = ((1280, 800), (1920, 1080), (3840, 2160), (1024, 768), (390, 844))
PHONE: tuple[Size, ...] = ((390, 664), (390, 844))
TABLES = ("few", "usual", "many")
STYLE = """
body { margin: 2rem; background: #16161a; color: #eee; font: 16px/1.4 system-ui; }
a { color: inherit; } nav a { margin-right: 1em; }
h2 { position: sticky; top: 0; background: #16161a; padding: .4em 0; margin-top: 3em; }
.row { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; margin-bottom: 2rem; }
figure { margin: 0; } figcaption { font-size: 13px; opacity: .7; }
img { display: block; height: 300px; width: auto; border: 1px solid #444; }
"""


@dataclass(frozen=True)
class Picture:
    """A screenshot of a phase, and what it shows."""

    phase: Phase
    table: str
    screen: str
    size: Size
    path: Path


def people_at(game: Game, table: str) -> tuple[int, Sequence[str]]:
    """Return the number and names of the players at a table of this kind."""
    least, most = game.players
    most = min(most, len(LONG_NAMES))
    return {
        "few": (least, SHORT_NAMES),
        "usual": (max(least, min(USUAL, most)), SHORT_NAMES),
        "many": (most, LONG_NAMES),
    }[table]


def options(arguments: Sequence[str] | None, games: Mapping[str, Game], about: str | None) -> argparse.Namespace:
    """Add the options that this tool and `companion.testing.look` share."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=sorted(games))
    parser.add_argument("--size", action="append", type=size, metavar="WxH")
    parser.add_argument("--table", action="append", choices=TABLES, help="how many people; few and many by default")
    parser.add_argument("--screen", choices=("stage", "phone"))
    parser.add_argument("--phase", default="", metavar="WORDS", help="only phases whose name has these words in it")
    parser.add_argument("--out", type=Path, default=Path("gallery"))
    parser.add_argument("--full", action="store_true", help="the whole page on phones")
    parser.add_argument("--light", action="store_true", help="phones in light mode")
    parser.add_argument("--beat", choices=("curtain", "hold", "reveal"), help="moments at this beat")
    parser.add_argument("--language", default="en", help="the language of the table and the phones")
    parser.add_argument("--axe", action="store_true", help="also run axe-core (look only)")
    return parser.parse_args(arguments)


def size(text: str) -> Size:
    wide, _, high = text.partition("x")
    return int(wide), int(high)


def evenings(games: Iterable[Game], asked: argparse.Namespace) -> Iterator[tuple[str, Sequence[str], Phase]]:
    """Yield every chosen phase: the table, its people's names, the phase."""
    for game in games:
        for table in asked.table or ("few", "many"):
            players, names = people_at(game, table)
            for phase in evening_of(game, players):
                if asked.phase.lower() in phase.name.lower():
                    yield table, names, phase


class Photographer:
    """Two windows: one for the stage, one for phones."""

    def __init__(self, browser: Browser, shown: Showing, asked: argparse.Namespace, *, scale: float = 1) -> None:
        self._shown, self._asked = shown, asked
        theme: Any = "light" if asked.light else "dark"
        self.stage = browser.new_page(device_scale_factor=scale, color_scheme="dark")
        self.phone = browser.new_page(device_scale_factor=2, is_mobile=True, has_touch=True, color_scheme=theme)
        for page in (self.stage, self.phone):
            shown.serve(page)

    def takes(self, table: str, names: Sequence[str], phase: Phase) -> Iterator[Picture]:
        """Take all screenshots of this phase."""
        wanted = set(self._asked.size or (*STAGE, *PHONE))
        folder = self._asked.out / phase.game.name / table
        if self._asked.screen != "phone" and (sizes := [one for one in STAGE if one in wanted]):
            self._shown.put(phase, names=names)
            self.stage.goto(self._shown.address())
            yield from self._all_sizes(self.stage, sizes, Picture(phase, table, "stage", (0, 0), folder))
        if self._asked.screen != "stage" and phase.players and (sizes := [one for one in PHONE if one in wanted]):
            for who, seat, host in (
                ("acting", phase.acting, TABLE),
                ("waiting", phase.waiting, TABLE),
                ("host", phase.acting, phase.acting),
            ):
                self._shown.put(phase, names=names, host=Seat(host))
                self.phone.goto(self._shown.address(seat))
                yield from self._all_sizes(self.phone, sizes, Picture(phase, table, f"phone-{who}", (0, 0), folder))

    def _all_sizes(self, page: Page, sizes: Iterable[Size], like: Picture) -> Iterator[Picture]:
        if self._asked.beat:
            page.evaluate("beat => document.body.dataset.beat = beat", self._asked.beat)
        for wide, high in sizes:
            page.set_viewport_size({"width": wide, "height": high})
            path = like.path / f"{like.phase.slug}_{like.screen}_{wide}x{high}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            full = self._asked.full and like.screen != "stage"
            page.screenshot(path=path, animations="disabled", full_page=full)
            yield Picture(like.phase, like.table, like.screen, (wide, high), path)


def index(pictures: Sequence[Picture], out: Path) -> Path:
    """Write a page with all screenshots, phase by phase."""
    sections: dict[tuple[str, str], dict[str, list[Picture]]] = {}
    for one in pictures:
        sections.setdefault((one.phase.game.name, one.table), {}).setdefault(one.phase.name, []).append(one)
    links = " ".join(f'<a href="#{game}-{table}">{game}, {table}</a>' for game, table in sections)
    parts = [f'<!doctype html><meta charset="utf-8"><title>Gallery</title><style>{STYLE}</style><nav>{links}</nav>']
    for (game, table), phases in sections.items():
        people = max(one.phase.players for shots in phases.values() for one in shots)
        parts.append(f'<h2 id="{game}-{table}">{game}, {table}: {people} people</h2>')
        for name, shots in phases.items():
            parts.append(f'<h3>{escape(name)}</h3><div class="row">')
            for one in shots:
                link, what = one.path.relative_to(out), f"{one.screen} {one.size[0]}x{one.size[1]}"
                parts.append(
                    f'<figure><a href="{link}"><img src="{link}" loading="lazy" alt="{escape(name)}, {what}"></a>'
                    f"<figcaption>{what}</figcaption></figure>"
                )
            parts.append("</div>")
    page = out / "index.html"
    page.write_text("\n".join(parts), "utf-8")
    return page


def main(arguments: Sequence[str] | None = None, games: Mapping[str, Game] | None = None) -> None:
    games = all_games() if games is None else games
    asked = options(arguments, games, __doc__)
    chosen = [games[name] for name in asked.game or games]
    began, pictures = time.monotonic(), list[Picture]()
    asked.out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        showing(Path(folder), games) as shown,
        started_chromium() as browser,
    ):
        shown.language = asked.language
        photographer = Photographer(browser, shown, asked)
        for table, names, phase in evenings(chosen, asked):
            pictures += photographer.takes(table, names, phase)
            if sys.stdout.isatty():
                print(f"\r{len(pictures)} pictures, {phase.game.name}: {phase.name:<50}", end="", flush=True)
    page = index(pictures, asked.out)
    print(f"\r{len(pictures)} pictures in {time.monotonic() - began:.0f} s: {page}{' ' * 50}".rstrip())


if __name__ == "__main__":
    main()
