"""Check the layout of every phase of every recorded evening, and print what is wrong and where.

    python -m companion.testing.look --game traitors                 all findings, on every screen
    python -m companion.testing.look --game traitors --phase vote --size 1280x800 --screen stage

For speed, each page is loaded once, in one frame per size; then each phase is swapped into all frames.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from axe_playwright_python.base import AXE_SCRIPT

from companion.game import TABLE, Game
from companion.games import all_games
from companion.testing.evenings import Phase
from companion.testing.pictures import PHONE, STAGE, Size, evenings, options
from companion.testing.showing import SITE, Showing, showing
from companion.testing.windows import started_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCRIPT = Path(__file__).with_name("look.js")
SMALL: Size = (320, 664)
LARGE = 200
"""On a small phone, text may be up to twice as large."""


@dataclass(frozen=True)
class Finding:
    """A layout fault."""

    phase: Phase
    table: str
    screen: str
    size: str
    what: str
    where: str
    detail: str

    def __str__(self) -> str:
        detail = f" ({self.detail})" if self.detail else ""
        place = f"{self.phase.game.name}, {self.table}: {self.phase.name} | {self.screen} {self.size}"
        return f"{place} | {self.what}: {self.where}{detail}"


class Frames:
    """One page in frames of several sizes; its content is swapped, not loaded again."""

    def __init__(self, browser: Browser, shown: Showing, kind: str) -> None:
        self._page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="dark")
        self._shown, self._kind = shown, kind
        self._open: tuple[str, tuple[tuple[int, int, int], ...]] | None = None
        shown.serve(self._page, in_frames=True)
        self._page.goto(f"{SITE}/frames")
        self._page.evaluate(SCRIPT.read_text("utf-8"))

    def look(self, phase: Phase, seat: int, sizes: Sequence[tuple[int, int, int]]) -> Iterable[tuple[str, list[str]]]:
        """Return the faults of this seat's page at each of these sizes (width, height, text in percent)."""
        if self._open != (phase.game.name, tuple(sizes)):
            self._page.evaluate("([url, sizes]) => companionLook.open(url, sizes)", [self._shown.address(seat), sizes])
            self._open = (phase.game.name, tuple(sizes))
        html = self._shown.html(seat)
        found = self._page.evaluate("([html, kind]) => companionLook.look(html, kind)", [html, self._kind])
        for (wide, high, large), findings in zip(sizes, found, strict=True):
            for one in findings:
                yield f"{wide}x{high}" + (f" at {large} %" if large != 100 else ""), one


class Axe:
    """Runs axe-core, but skips a phase if all its kinds of elements have been checked before."""

    def __init__(self, browser: Browser, shown: Showing, size: Size) -> None:
        self._page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="dark")
        self._shown, self._game = shown, ""
        self._known: list[str] = []
        shown.serve(self._page)

    def look(self, phase: Phase, seat: int) -> list[list[str]]:
        if self._game != phase.game.name:
            self._game, self._known = phase.game.name, []
            self._page.goto(self._shown.address(seat))
            for script in (AXE_SCRIPT, SCRIPT.read_text("utf-8")):
                self._page.evaluate(script)
        html = self._shown.html(seat)
        found, news = self._page.evaluate("([html, known]) => companionLook.axe(html, known)", [html, self._known])
        self._known += news
        return list(found)


class Looker:
    """Checks stages and phones."""

    def __init__(self, browser: Browser, shown: Showing) -> None:
        self._shown = shown
        self._axe = {"stage": Axe(browser, shown, STAGE[0]), "phone": Axe(browser, shown, PHONE[1])}
        self._stage, self._phone = Frames(browser, shown, "stage"), Frames(browser, shown, "phone")

    def stage(
        self, table: str, names: Sequence[str], phase: Phase, sizes: Sequence[Size] = STAGE, seat: int = TABLE
    ) -> list[Finding]:
        self._shown.put(phase, names=names)
        asked = [(wide, high, 100) for wide, high in sizes]
        return [
            Finding(phase, table, "stage", size, what, where, detail)
            for size, (what, where, detail) in self._stage.look(phase, seat, asked)
        ]

    def phone(
        self,
        table: str,
        names: Sequence[str],
        phase: Phase,
        sizes: Sequence[Size] = (*PHONE, SMALL),
        large: int = LARGE,
    ) -> list[Finding]:
        """Check the phones of a seat that acts, one that waits and the host, also small phones with large text."""
        if not phase.players:
            return []
        found = []
        asked = [(wide, high, large if (wide, high) == SMALL else 100) for wide, high in sizes]
        for who, seat, host in (
            ("acting", phase.acting, TABLE),
            ("waiting", phase.waiting, TABLE),
            ("host", phase.acting, phase.acting),
        ):
            self._shown.put(phase, names=names, host=host)
            found += [
                Finding(phase, table, f"phone, {who}", size, what, where, detail)
                for size, (what, where, detail) in self._phone.look(phase, seat, asked)
            ]
        return found

    def axe(self, table: str, names: Sequence[str], phase: Phase) -> list[Finding]:
        """Return what axe-core reports for the stage and for the phone of the seat that acts."""
        found = []
        self._shown.put(phase, names=names)
        for screen, seat in (("stage", TABLE), ("phone", phase.acting if phase.players else None)):
            if seat is not None:
                found += [
                    Finding(phase, table, screen, "", what, where, detail)
                    for what, where, detail in self._axe[screen].look(phase, seat)
                ]
        return found


def summed_up(findings: Iterable[Finding]) -> list[str]:
    """Combine the same fault on several screens into one line."""
    sizes: dict[tuple[str, ...], list[Finding]] = {}
    for one in findings:
        sizes.setdefault((one.phase.game.name, one.table, one.phase.name, one.screen, one.what, one.where), []).append(
            one
        )
    lines = []
    for (game, table, phase, screen, what, where), same in sizes.items():
        screens = ", ".join(dict.fromkeys(one.size for one in same))
        detail = f" ({same[0].detail})" if same[0].detail else ""
        lines.append(f"{game}, {table}: {phase} | {screen} {screens} | {what}: {where}{detail}")
    return lines


def main(arguments: Sequence[str] | None = None, games: Mapping[str, Game] | None = None) -> None:
    games = all_games() if games is None else games
    asked = options(arguments, games, __doc__)
    chosen = [games[name] for name in asked.game or games]
    began, phases, kinds = time.monotonic(), 0, Counter[str]()
    stages = [size for size in STAGE if size in (asked.size or STAGE)]
    phones = [size for size in (*PHONE, SMALL) if size in (asked.size or (*PHONE, SMALL))]
    with (
        tempfile.TemporaryDirectory() as folder,
        showing(Path(folder), games) as shown,
        started_chromium() as browser,
    ):
        looker = Looker(browser, shown)
        shown.language = asked.language
        for table, names, phase in evenings(chosen, asked):
            found: list[Finding] = []
            if asked.screen != "phone" and stages:
                found += looker.stage(table, names, phase, stages)
            if asked.screen != "stage" and phones:
                found += looker.phone(table, names, phase, phones)
            if asked.axe:
                found += looker.axe(table, names, phase)
            lines = summed_up(found)
            print(*lines, sep="\n", end="\n" if lines else "", flush=True)
            kinds.update(one.what for one in found)
            phases += 1
    print(*(f"{many:6} {what}" for what, many in kinds.most_common()), sep="\n")
    print(f"{kinds.total()} findings in {phases} phases, {time.monotonic() - began:.0f} s")
    sys.exit(bool(kinds))


if __name__ == "__main__":
    main()
