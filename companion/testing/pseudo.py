"""A pseudo-language: every translatable text is in ⟦brackets⟧, so that texts without brackets can be found."""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from selectolax.lexbor import LexborHTMLParser

from companion.app import HERE as PACKAGE
from companion.app import folder as templates
from companion.testing.words import extract

PSEUDO = "eo"
SPOKEN = ("aria-label", "title", "placeholder", "alt", "data-off")
INNERMOST = re.compile(r"⟦[^⟦⟧]*⟧")
LETTER = re.compile(r"[^\W\d_]")


def make(folder: Path, *more: Path) -> Path:
    """Write the pseudo-language's catalogue for all messages in our code and templates, and in `more`."""
    catalog = Catalog(locale=PSEUDO)
    for _, _, message, _, context in extract(PACKAGE, templates("templates"), *more):
        if isinstance(message, tuple):
            catalog.add(message, tuple(f"⟦{text}⟧" for text in message), context=context)
        else:
            catalog.add(message, f"⟦{message}⟧", context=context)
    target = folder / PSEUDO / "LC_MESSAGES" / "messages.mo"
    target.parent.mkdir(parents=True)
    with target.open("wb") as file:
        write_mo(file, catalog)
    return folder


def forgotten(html: str, data: set[str]) -> list[str]:
    """Return the words on this page that are not translatable; `data` is what people typed."""
    html = re.sub(r"</?hx-partial[^>]*>", "", html)
    page = LexborHTMLParser(html)
    for node in page.css("script, style, bdi, time, kbd, .code, .join-code, .address, meta, input, select option.data"):
        if node.tag != "input":
            node.decompose()
    texts = [node.text() for node in page.css("title")]
    texts.append(page.body.text(separator="\x1f") if page.body else "")
    texts += [node.attributes[name] or "" for name in SPOKEN for node in page.css(f"[{name}]")]
    # Elements split a sentence into several text nodes: join them before looking for brackets.
    found = []
    for text in texts:
        rest = text
        while INNERMOST.search(rest):
            rest = INNERMOST.sub(" ", rest)
        for piece in re.split(r"[\x1f\n]", rest):
            words = piece
            for known in sorted(data, key=len, reverse=True):
                words = words.replace(known, " ")
            if LETTER.search(words):
                found.append(piece.strip())
    return found
