"""make lighthouse: start Companion and run Lighthouse on seven pages; fail below 100 of 100.

Every page is loaded as on a phone, the shared screen as on a laptop. A busy machine only ever makes a page slower, so a
page below 100 is tried again, and its best result counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from bench.npm import fetched, node
from bench.visit import CHROMIUM
from companion.testing.house import House
from companion.testing.tabletalk import NAMES, Table

SOURCE = Path(__file__).parent / "node_lighthouse"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
TRIES = 3


class Visit(NamedTuple):
    """Lighthouse's result for a page: points of 100 for each category, and what costs points."""

    points: dict[str, int]
    faults: list[str]


def pages(house: House) -> dict[str, str]:
    """Play a little; return the paths of the seven pages by their names."""
    secret = seated(house, "traitors", 8)
    finished = seated(house, "score_sheet", 4, rounds=3)
    for number in range(3):
        for person in finished:
            person.taps("Enter", points=number + person.seat)
    waiting = house.opens("traitors")
    return {
        "shelf": "/",
        "set-up": "/new/traitors",
        "join": f"/t/{waiting.code}",
        "phone seat": secret["Ann"].path,
        "shared screen": secret.shared.path,
        "results of a night": f"{finished.shared.path}/night",
        "help": "/help/traitors",
    }


def seated(house: House, game: str, players: int, **setup: object) -> Table:
    table = house.opens(game, **setup)
    for name in NAMES[:players]:
        table.sits(name)
    return table.starts()


def visit(home: Path, url: str, *, laptop: bool) -> Visit:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = [
            url, "--output=json", f"--output-path={report}", f"--only-categories={','.join(CATEGORIES)}", "--quiet",
            "--chrome-flags=--headless --no-sandbox", "--no-enable-error-reporting",
        ]  # fmt: skip
        if laptop:
            options.append("--preset=desktop")
        command = [node(home), str(home / "node_modules" / "lighthouse" / "cli" / "index.js"), *options]
        subprocess.run(command, check=True, env=os.environ | {"CHROME_PATH": CHROMIUM})
        found: dict[str, Any] = json.loads(report.read_text())
    if error := found.get("runtimeError"):
        raise RuntimeError(f"{url}: {error['message']}")
    points = {name: round(100 * (found["categories"][name]["score"] or 0)) for name in CATEGORIES}
    return Visit(points, [fault for name in CATEGORIES if points[name] < 100 for fault in faults(found, name)])


def faults(found: dict[str, Any], category: str) -> list[str]:
    """Return what costs points in this category: the title, the figure if there is one, and the first places."""
    lines = []
    for reference in found["categories"][category]["auditRefs"]:
        audit = found["audits"][reference["id"]]
        if not reference["weight"] or audit["score"] in (None, 1):
            continue
        items = audit.get("details", {}).get("items", [])[:3]
        places = [place for item in items if (place := place_of(item))]
        words = [f"{category}: {audit['title']} ({reference['id']})", audit.get("displayValue", ""), *places]
        lines.append(" | ".join(filter(None, words)))
    return lines


def place_of(item: dict[str, Any]) -> str:
    """Return where an audit found something: an element, a file, or a sentence of the console."""
    element = item.get("node") or {}
    return str(element.get("snippet") or item.get("description") or item.get("source") or item.get("url") or "")[:160]


def best_visit(home: Path, url: str, *, laptop: bool, tries: int) -> Visit:
    best = visit(home, url, laptop=laptop)
    for _ in range(tries - 1):
        if min(best.points.values()) == 100:
            break
        best = max(best, visit(home, url, laptop=laptop), key=lambda one: sum(one.points.values()))
    return best


def main() -> None:
    """Visit all pages and print their points, and what costs some."""
    tries = 1 if "--quick" in sys.argv else TRIES
    home, below = fetched(SOURCE, "lighthouse"), False
    with tempfile.TemporaryDirectory(prefix="companion-lighthouse-") as folder:
        house = House(Path(folder) / "data", COMPANION_TRIES="1000000").start()
        try:
            print(f"{'':<22}{''.join(f'{name:>16}' for name in CATEGORIES)}", flush=True)
            for name, path in pages(house).items():
                url = f"http://localhost:{house.port}{path}"
                found = best_visit(home, url, laptop=name == "shared screen", tries=tries)
                print(f"{name:<22}{''.join(f'{found.points[one]:>16}' for one in CATEGORIES)}", flush=True)
                for fault in found.faults:
                    print(f"    {fault}", flush=True)
                below = below or bool(found.faults)
        finally:
            house.kill()
    if below:
        raise SystemExit("\nLighthouse gives less than 100.")


if __name__ == "__main__":
    main()
