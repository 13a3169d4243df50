"""Forms that tap, and chips of people: `button(me, 'Bribe', _('Bribe'), {'target': seat})`.

Every game draws them, many times on each screen, so they are functions: a template's macro takes ten times as long.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from companion.game import Seat

NO_FIELDS: Mapping[str, object] = {}


HERE, TAPS = (f"\2{secrets.token_hex(6)}\3" for _ in range(2))
"""Placeholders in a rendered form for its link and for the number of taps before it."""


class Anybody(NamedTuple):
    """The viewer of a fragment that all seats with the same view share. Templates know no more."""

    host: bool
    place: str = "f"
    """Begins the ids of forms: the same form may be in two places on a page."""
    here: str = HERE
    taps: str = TAPS


class Me(NamedTuple):
    """Whose screen a template draws, where it depends on that."""

    seat: Seat
    name: str
    host: bool
    place: str = "f"
    here: str = HERE
    taps: str = TAPS


def sign_forms(html: bytes, here: str, taps: str) -> bytes:
    """Put a viewer's own link, and how often they have tapped, into the forms of a fragment.

    Fragments are rendered without them, so that seats with the same view share one. With the form's id, the number of
    taps makes each tap count once.
    """
    return html.replace(HERE.encode(), here.encode()).replace(TAPS.encode(), taps.encode())


def form_id(kind: str, fields: Mapping[str, object]) -> str:
    """Tells a form from the others on a screen, and stays the same whenever it is drawn again."""
    fixed = ",".join([f"{key}={fields[key]}" for key in sorted(fields)])
    return f"{zlib.crc32(f'{kind},{fixed}'.encode()):x}"


def form(
    me: Anybody | Me, kind: str, fields: Mapping[str, object] = NO_FIELDS, caller: Callable[[], str] = str, **more: str
) -> Markup:
    """A form whose `fields` are fixed; the inputs that its caller adds are typed or chosen by the player."""
    return _form(me, kind, fields, more.get("class", ""), caller())


def button(me: Anybody | Me, kind: str, label: str, fields: Mapping[str, object] = NO_FIELDS, **more: str) -> Markup:
    """A form that is only a button."""
    inside = f'<button class="{more.get("class", "")}">{escape(label)}</button>'
    return _form(me, kind, fields, "", inside)


def ask(
    me: Anybody | Me, kind: str, label: str, question: str, fields: Mapping[str, object] = NO_FIELDS, **more: str
) -> Markup:
    """A button for what cannot be undone: it unfolds and says what will happen; only a second tap, below, does it."""
    css_class, name = more.get("class", ""), form_id(kind, fields)
    return Markup(
        f'<details class="ask" id="ask-{me.place}{name}"><summary class="button {css_class}">{escape(label)}</summary>'
        f"<div><p>{escape(question)}</p>{button(me, kind, label, fields, **more)}</div></details>"
    )


def _form(me: Anybody | Me, kind: str, fields: Mapping[str, object], css_class: str, inside: str) -> Markup:
    name = form_id(kind, fields)
    fixed = "".join([f'<input type="hidden" name="{key}" value="{escape(value)}">' for key, value in fields.items()])
    # `queue all`: what one person taps arrives in the order of their taps, also when the first is still on its way.
    return Markup(
        f'<form method="post" action="{me.here}" hx-post="{me.here}" hx-swap="none" hx-sync="body:queue all" '
        f'id="{me.place}{name}" class="tap {css_class}">'
        f'<input type="hidden" name="tap" value="{kind}"><input type="hidden" name="tap_id" value="{me.taps}.{name}">'
        f"{fixed}{inside}</form> "
    )


def chip(person: Any) -> Markup:
    """Somebody at the table: name, and shape in their colour."""
    return Markup(
        f'<span class="chip b{person.badge}"><i class="sym" aria-hidden="true"></i>'
        f" <bdi>{escape(person.name)}</bdi></span> "
    )
