"""What each picture of the docs is drawn from, as a digest: when it changes, the picture shows an older screen.

A picture of a screen depends on the HTML of what is visible there and on its style sheets; scripts, addresses and what
lies in a drawer do not count. `make gallery ARGS=--readme` takes the pictures whose digest has changed.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from companion.game import TABLE, Game
from companion.testing.evenings import Phase, evening_of
from companion.testing.showing import Showing, showing

HERE = Path(__file__).parent
ROOT = HERE.parent
DOCS = ROOT / "docs"
DIGESTS = HERE / "pictures.json"
COMMAND = "make gallery ARGS=--readme"
PICTURES = {
    "shared-gathering.webp": ("traitors", "gathering, all are here", "stage"),
    "phone-seat.webp": ("score_sheet", "second round", "phone"),
    "traitors-ballot.webp": ("traitors", "murder, nobody has answered", "phone"),
    "traitors-votes.webp": ("traitors", "votes turned, the last one decides", "stage"),
    "risk-fight-shared-screen.webp": ("risk", "fight, two rolls", "stage"),
    "trickery-table.webp": ("trickery", "a full chest", "stage"),
    "big_shuffle-screen.webp": ("big_shuffle", "the city, all read out", "stage"),
    "faster_than_truth-table.webp": ("faster_than_truth", "challenge, all may", "stage"),
    "shared-table.webp": ("score_sheet", "last round, nobody has written", "stage"),
}
"""Which phase of which game each picture shows, and on what."""
TABLE_PICTURE, NIGHT, VOTE = "table.webp", "night.webp", "vote.webp"
AROUND = ("traitors", "vote, nobody has voted")
"""The phase on the picture of a laptop with phones around it."""
FILMED = ("vote, nobody has voted", "votes face down", "votes turned, the last one decides", "banished, was a traitor")
"""The phases that the animation goes through."""
VISIBLE = {"stage": "#moment, #stage, #acts", "phone": ".bar, #you, #tabs, #table"}
SOURCES = {
    NIGHT: (
        "templates/night.html",
        "templates/_stage_night.html",
        "static/night.css",
        "static/stage.css",
        "static/companion.css",
    ),
    VOTE: ("static/moments.js", "static/demo.css"),
    TABLE_PICTURE: ("static/demo.css", "tools/table_picture.html"),
}
"""Files that a picture depends on, besides its phases."""


def phase_of(evenings: Mapping[str, tuple[Phase, ...]], game: str, name: str) -> Phase:
    return next(phase for phase in evenings[game] if phase.name == name)


def evenings(games: Mapping[str, Game]) -> dict[str, tuple[Phase, ...]]:
    return {name: evening_of(games[name]) for name in {game for game, _, _ in PICTURES.values()}}


def digests(games: Mapping[str, Game]) -> dict[str, str]:
    """The digest of every picture, as it would be taken now."""
    played = evenings(games)
    with tempfile.TemporaryDirectory() as folder, showing(Path(folder), games) as shown:
        parts = {
            file: [drawn(shown, phase_of(played, game, name), screen)]
            for file, (game, name, screen) in PICTURES.items()
        }
        parts[VOTE] = [
            drawn(shown, phase_of(played, "traitors", name), screen) for name in FILMED for screen in ("stage", "phone")
        ]
        parts[TABLE_PICTURE] = [drawn(shown, phase_of(played, *AROUND), screen) for screen in ("stage", "phone")]
    parts[NIGHT] = []
    for file, sources in SOURCES.items():
        parts[file] += [(ROOT / source).read_text("utf-8") for source in sources]
    return {file: hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16] for file, texts in sorted(parts.items())}


def drawn(shown: Showing, phase: Phase, screen: str) -> str:
    """What can be seen of a screen, without anything that is different each time."""
    shown.put(phase)
    html = shown.html(TABLE if screen == "stage" else phase.acting)
    page = LexborHTMLParser(html)
    sheets = [node.attributes.get("href") or "" for node in page.css("link[rel=stylesheet]")]
    seen = [node.html or "" for node in page.css(VISIBLE[screen])]
    text = "\n".join([*sheets, *seen])
    text = re.sub(r'<svg[^>]*class="[^"]*qr.*?</svg>', "code", text, flags=re.S)
    text = re.sub(r"[0-9a-f]{12}\.\d+\.\d+\.[\w-]+", "token", text)  # links are signed with another key each time
    return re.sub(r'data-until="[^"]*"[^<]*', "clock", re.sub(r"\d\d:\d\d", "clock", text))


def stored() -> dict[str, str]:
    found: dict[str, str] = json.loads(DIGESTS.read_text("utf-8")) if DIGESTS.exists() else {}
    return found


def store(found: Mapping[str, str]) -> None:
    DIGESTS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def outdated(now: Mapping[str, str]) -> list[str]:
    """The pictures that show an older screen, or are not there."""
    before = stored()
    return [file for file, digest in now.items() if before.get(file) != digest or not (DOCS / file).exists()]


def unused() -> Iterator[str]:
    """Pictures that no page shows."""
    pages = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    words = "\n".join(page.read_text("utf-8") for page in pages)
    for path in sorted(DOCS.rglob("*")):
        if path.suffix in (".webp", ".png", ".svg", ".jpg", ".gif") and path.name not in words:
            yield path.relative_to(ROOT).as_posix()
