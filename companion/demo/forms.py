"""Read the forms of a screen, and fill them in with anything that a browser would accept."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

Fields = dict[str, str | list[str]]
"""What a form sends: each field with its value, or with several."""
VOID = ("input", "br", "img", "hr", "link", "meta", "path", "circle", "rect", "use", "line")
"""Elements that have no end of their own."""
UNSENT = ("submit", "button", "reset", "image", "file")
"""Inputs that a form does not send by itself."""


@dataclass
class Control:
    """A field of a form, or one of the options of a choice."""

    name: str
    sort: str
    """`radio`, `checkbox`, `number`, `select`, `text`, …"""
    value: str = ""
    checked: bool = False
    least: int | None = None
    most: int | None = None
    pattern: str = ""
    options: list[str] = field(default_factory=list)


@dataclass
class Button:
    """What sends a form."""

    name: str = ""
    value: str = ""
    classes: tuple[str, ...] = ()
    words: str = ""


@dataclass
class Form:
    """A form without its disabled fields."""

    action: str = ""
    controls: list[Control] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    folds: tuple[str, ...] = ()
    """The classes of the folds around it: reaching it takes more than one tap."""

    @property
    def kind(self) -> str:
        """The name of the tap that it sends."""
        return next((one.value for one in self.controls if one.name == "tap"), "")


def untouched(form: Form) -> Fields:
    """What a browser would send if nothing were typed."""
    fields: Fields = {}
    for one in form.controls:
        if one.sort == "select":
            if one.options:
                fields[one.name] = one.value or one.options[0]
        elif one.sort not in ("radio", "checkbox") or one.checked:
            known = fields.get(one.name)
            fields[one.name] = (
                one.value if known is None else [*(known if isinstance(known, list) else [known]), one.value]
            )
    return fields


def fill(form: Form, chance: random.Random, words: Callable[[Control], str], buttons: Sequence[Button]) -> Fields:
    """Choose, tick and type anything that a browser would accept, and press one of these buttons."""
    data = untouched(form)
    radios: dict[str, list[str]] = {}
    boxes: dict[str, list[str]] = {}
    for one in form.controls:
        if one.sort == "radio":
            radios.setdefault(one.name, []).append(one.value)
        elif one.sort == "checkbox":
            boxes.setdefault(one.name, []).append(one.value)
        elif one.sort == "number":
            least = max(-5 if one.least is None else one.least, -20)
            most = min(20 if one.most is None else one.most, least + 50)
            data[one.name] = str(chance.randint(least, max(least, most)))
        elif one.pattern.startswith("-?[0-9]"):
            data[one.name] = str(chance.randint(-20, 30))
        elif one.sort in ("text", "search", "input", "textarea"):
            data[one.name] = words(one)
        elif one.sort == "select" and one.options:
            data[one.name] = chance.choice(one.options)
    for name, values in radios.items():
        data[name] = chance.choice(values)
    for name, values in boxes.items():
        data.pop(name, None)
        data |= {name: ticked} if (ticked := [one for one in values if chance.random() < 0.5]) else {}
    if buttons:
        pressed = chance.choice(buttons)
        data |= {pressed.name: pressed.value} if pressed.name else {}
    return data


def read_forms(html: str) -> list[Form]:
    """Every form of some HTML that is posted."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader.forms


class Reader(HTMLParser):
    """Parses our own HTML, where every element is closed exactly once."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: list[tuple[str, dict[str, str | None]]] = []
        self._form: Form | None = None
        self._button: Button | None = None
        self._select: Control | None = None
        self._option: str | None = None
        self._selected = False

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag not in VOID:
            self._open.append((tag, found))
        if tag == "form" and found.get("method") == "post":
            folds = [one.get("class") or "" for name, one in self._open if name == "details" and "open" not in one]
            self._form = Form(found.get("action") or "", folds=tuple(folds))
        elif self._form is not None and not self._is_disabled(found):
            self._control(self._form, tag, found)

    def _control(self, form: Form, tag: str, found: dict[str, str | None]) -> None:
        name, value, sort = found.get("name") or "", found.get("value"), found.get("type") or tag
        if tag == "button":
            if found.get("type") not in ("button", "reset"):
                self._button = Button(name, value or "", tuple((found.get("class") or "").split()))
                form.buttons.append(self._button)
        elif tag == "option" and self._select is not None:
            self._select.options.append(value if value is not None else "")
            self._option, self._selected = "" if value is None else None, "selected" in found
            if self._selected and value is not None:
                self._select.value = value
        elif tag == "select" and name:
            self._select = Control(name, "select")
            form.controls.append(self._select)
        elif tag in ("input", "textarea") and name and sort not in UNSENT:
            usual = "on" if sort in ("radio", "checkbox") else ""
            least, most = (int(found[one] or 0) if found.get(one) else None for one in ("min", "max"))
            form.controls.append(
                Control(name, sort, usual if value is None else value, "checked" in found, least, most,
                        found.get("pattern") or "")
            )  # fmt: skip

    def _is_disabled(self, found: dict[str, str | None]) -> bool:
        return "disabled" in found or any("disabled" in one for name, one in self._open if name == "fieldset")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag == "form" and self._form is not None:
            self.forms.append(self._form)
            self._form = None
        elif tag == "button":
            self._button = None
        elif tag == "select":
            self._select = None
        elif tag == "option" and self._select is not None and self._option is not None:
            self._select.options[-1] = " ".join(self._option.split())
            if self._selected:
                self._select.value = self._select.options[-1]
            self._option = None

    def handle_data(self, data: str) -> None:
        if self._button is not None:
            self._button.words = " ".join(f"{self._button.words} {data}".split())
        if self._option is not None:
            self._option += data
