"""Forms that tap, drawn by every game: `button(me, 'Bribe', _('Bribe'), {'target': seat})`.

These few lines are most of what a screen is made of, so they are drawn by hand: a template's macro
takes ten times as long.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from companion.engine.game import Say, Seat
from companion.web.paper import as_html
from companion.web.words import draw_say, gettext

NOTHING: Mapping[str, object] = {}
CHIPS_IN_MIND = 256
"""A score sheet shows everybody's with every tap."""

HERE, TAPS = (f"\2{secrets.token_hex(6)}\3" for _ in range(2))
"""What stands in a drawn form for the link of whoever taps it, and for how often they have tapped."""
Who = tuple[Seat, str, bool]
"""Seat, name, and whether this is the host."""


class Me:
    """Who taps on this screen, as a template knows them.

    Forms are drawn with marks in place of the link and the number of taps. So what was drawn without
    asking who it is for looks the same for everybody who sees the same, and is drawn once.
    """

    __slots__ = ("_who", "asked", "place")
    here, taps = HERE, TAPS

    def __init__(self, who: Who, place: str = "f") -> None:
        self._who = who
        self.place = place
        """Where on the screen a form stands: the same one may stand in two places."""
        self.asked = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Me) and self._who == other._who

    __hash__ = None  # type: ignore[assignment]

    @property
    def seat(self) -> Seat:
        self.asked = True
        return self._who[0]

    @property
    def name(self) -> str:
        self.asked = True
        return self._who[1]

    @property
    def host(self) -> bool:
        self.asked = True
        return self._who[2]


def name_of(kind: str, fields: Mapping[str, object]) -> str:
    """Tells a form from the others on a screen: in every drawing it is the same one, with what was typed into it.

    With the number of taps before it, it tells a tap from all others of this seat, so a double tap counts once.
    """
    fixed = ",".join([f"{key}={fields[key]}" for key in sorted(fields)])
    return f"{zlib.crc32(f'{kind},{fixed}'.encode()):x}"


def form(
    me: Me, kind: str, fields: Mapping[str, object] = NOTHING, caller: Callable[[], str] = str, **more: str
) -> Markup:
    """A form whose `fields` are fixed; what its caller adds is typed or chosen by the player."""
    return as_html(_form(me, kind, fields, more.get("class", ""), caller()))


def button(me: Me, kind: str, label: str, fields: Mapping[str, object] = NOTHING, **more: str) -> Markup:
    """A form that is nothing but a button."""
    return as_html(_form(me, kind, fields, "", f'<button class="{more.get("class", "")}">{escape(label)}</button>'))


def draw_take_back(me: Me, what: Say, names: Mapping[Seat, str]) -> str:
    """The form that takes back the last step, which was this."""
    label, said = gettext("Take back"), draw_say(what, names)
    inside = f'<button class="plain">{label}: <span class="what">{said}</span></button>'
    return _form(me, "TakeBack", NOTHING, "take-back", inside)


def _form(me: Me, kind: str, fields: Mapping[str, object], look: str, inside: str) -> str:
    here, name = me.here, name_of(kind, fields)
    fixed = "".join([f'<input type="hidden" name="{key}" value="{escape(value)}">' for key, value in fields.items()])
    # What one person taps arrives in the order of their taps, also when the first one is still on its way.
    return (
        f'<form method="post" action="{here}" hx-post="{here}" hx-swap="none" hx-sync="body:queue all" '
        f'id="{me.place}{name}" class="tap {look}">'
        f'<input type="hidden" name="tap" value="{kind}"><input type="hidden" name="tap_id" value="{me.taps}.{name}">'
        f"{fixed}{inside}</form> "
    )


def chip(person: Any) -> Markup:
    """Somebody at the table: name and symbol beside the colour."""
    return draw_chip(person.name, person.symbol, person.colour)


@lru_cache(maxsize=CHIPS_IN_MIND)
def draw_chip(name: str, symbol: str, colour: int) -> Markup:
    return Markup(
        f'<span class="chip c{colour}"><span class="symbol" aria-hidden="true">{symbol}</span>'
        f" <bdi>{escape(name)}</bdi></span> "
    )
