"""Help: each game in a minute, and the documentation, which is Markdown in docs/."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, abort
from flask.typing import ResponseReturnValue
from markdown import Markdown
from markupsafe import Markup

from companion.web import render_page, services

HERE = Path(__file__).parent.parent
DOCS = (HERE if (HERE / "docs").is_dir() else HERE.parent) / "docs"
"""Beside the package in a checkout, inside it in a wheel."""
PICTURES = {".webp": "image/webp", ".png": "image/png", ".svg": "image/svg+xml"}
MARKDOWN = ("tables", "fenced_code", "toc", "sane_lists")
"""As in mkdocs.yml: a page is the same in the app and on the website."""
pages = Blueprint("help", __name__)


@pages.get("/help")
def index() -> ResponseReturnValue:
    return render_page("help_index.html", games=services().reader.games.values())


@pages.get("/help/<name>")
def game(name: str) -> ResponseReturnValue:
    """The screens of a game, explained in under a minute."""
    found = services().reader.games.get(name)
    if found is None:
        abort(404)
    return render_page("help.html", game=found)


@pages.get("/help/docs/<path:name>")
def document(name: str) -> ResponseReturnValue:
    """A page of the documentation, or a picture in it. Pages link to each other by their file names."""
    file = documents().get(name)
    if file is None:
        abort(404)
    if file.suffix in PICTURES:
        return Response(file.read_bytes(), mimetype=PICTURES[file.suffix], headers={"Cache-Control": "max-age=3600"})
    title, html = rendered(file)
    return render_page("document.html", title=title, html=html)


@lru_cache(maxsize=1)
def documents() -> dict[str, Path]:
    """Every file of the documentation by its path. Nothing else in the folder is served."""
    files = (file for file in DOCS.rglob("*") if file.suffix in {".md", *PICTURES})
    return {file.relative_to(DOCS).as_posix(): file for file in files}


@lru_cache
def rendered(file: Path) -> tuple[str, Markup]:
    """The title of a page, and its HTML. Pages do not change while we serve."""
    text = file.read_text("utf-8")
    title = re.match(r"# (.+)", text)
    html = Markdown(extensions=list(MARKDOWN), extension_configs={"tables": {"use_align_attribute": True}}).convert(
        text
    )
    return title[1] if title else file.stem, Markup(html)
