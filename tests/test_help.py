"""The documentation, as the app shows it under /help and as a website."""

from __future__ import annotations

import posixpath
import re
import subprocess
import sys

import pytest
from here import ROOT
from selectolax.lexbor import LexborHTMLParser

from companion.app import create_app
from companion.games import GAMES

MOST_WORDS = 900
"""The README is read by hosts."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    return create_app(tmp_path_factory.mktemp("data")).test_client()


def links(html, page):
    """Return the targets of all links and pictures on this page, as our paths."""
    found = LexborHTMLParser(html).css("main a[href], main img[src]")
    for target in [node.attributes.get("href") or node.attributes.get("src") for node in found]:
        path = target.partition("#")[0]
        if path and not re.match(r"https?:|bgstats:", path):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(page), path))


def test_from_the_shelf_every_page_of_the_documentation_can_be_reached(browser):
    seen, todo = set(), ["/"]
    while todo:
        page = todo.pop()
        if page in seen:
            continue
        seen.add(page)
        reply = browser.get(page)
        assert reply.status_code == 200, page
        if page == "/" or (page.startswith("/help") and reply.mimetype == "text/html"):
            todo += [path for path in links(reply.text, page) if path.startswith(("/help", "/static"))]
    written = {f"/help/docs/{path.relative_to(ROOT / 'docs').as_posix()}" for path in (ROOT / "docs").rglob("*.md")}
    assert written <= seen
    assert {f"/help/{name}" for name in GAMES} <= seen


def test_only_the_documentation_is_served(browser):
    for path in ("generate.py", "../pyproject.toml", "..%2fpyproject.toml", "play", "", "/etc/passwd"):
        assert browser.get(f"/help/docs/{path}").status_code in (404, 308, 400), path
    assert browser.get("/help/no_such_game").status_code == 404


def test_a_page_needs_no_inline_style(browser):
    assert "style=" not in browser.get("/help/docs/performance.md").text


def test_the_website_is_built_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path):
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", ROOT / "mkdocs.yml", "-d", tmp_path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    for page in tmp_path.rglob("*.html"):
        html = LexborHTMLParser(page.read_text("utf-8"))
        for node in html.css("script[src], link[href], img[src]"):
            target = node.attributes.get("src") or node.attributes.get("href")
            assert not re.match(r"(https?:)?//", target), (page.name, target)


def test_the_readme_is_short_and_its_links_lead_somewhere():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.split()) <= MOST_WORDS
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert (ROOT / target).exists(), target
