"""Forms that tap, drawn by every game: `button(me, 'Bribe', _('Bribe'), {'target': seat})`.

These few lines are most of what a screen is made of, so they are drawn by hand: a template's macro
takes ten times as long.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from markupsafe import Markup, escape

from companion.engine.game import Seat

NOTHING: Mapping[str, object] = {}


class Me(msgspec.Struct, frozen=True):
    """Who taps on this screen, and where its forms go."""

    seat: Seat
    name: str
    here: str
    taps: int | str
    """Tells the forms that were drawn before the last tap from those that are drawn now."""
    host: bool

    def of_the_room(self, changes: int) -> Me:
        """For forms about the room: they are drawn anew when the room has changed, not with every tap in the game."""
        return Me(self.seat, self.name, self.here, f"r{changes}", self.host)


def tap_id(me: Me, kind: str, fields: Mapping[str, object]) -> str:
    """Names a drawn form, the same for every drawing until this seat has tapped: a double tap counts once."""
    fixed = ",".join([f"{key}={fields[key]}" for key in sorted(fields)])
    return f"{me.taps}.{zlib.crc32(f'{kind},{fixed}'.encode()):x}"


def form(
    me: Me, kind: str, fields: Mapping[str, object] = NOTHING, caller: Callable[[], str] = str, **more: str
) -> Markup:
    """A form whose `fields` are fixed; what its caller adds is typed or chosen by the player."""
    return Markup(_form(me, kind, fields, more.get("class", ""), caller()))


def button(me: Me, kind: str, label: str, fields: Mapping[str, object] = NOTHING, **more: str) -> Markup:
    """A form that is nothing but a button."""
    return Markup(_form(me, kind, fields, "", f'<button class="{more.get("class", "")}">{escape(label)}</button>'))


def _form(me: Me, kind: str, fields: Mapping[str, object], look: str, inside: str) -> str:
    here, name = me.here, tap_id(me, kind, fields)
    fixed = "".join([f'<input type="hidden" name="{key}" value="{escape(value)}">' for key, value in fields.items()])
    return (
        f'<form method="post" action="{here}" hx-post="{here}" hx-swap="none" id="f{name}" class="tap {look}">'
        f'<input type="hidden" name="tap" value="{kind}"><input type="hidden" name="tap_id" value="{name}">'
        f"{fixed}{inside}</form> "
    )


def chip(person: Any) -> Markup:
    """Somebody at the table: name and symbol beside the colour."""
    return Markup(
        f'<span class="chip c{person.colour}"><span class="symbol" aria-hidden="true">{person.symbol}</span>'
        f" <bdi>{escape(person.name)}</bdi></span> "
    )
