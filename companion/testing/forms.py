"""Forms and text of a page: what a browser would send, and what a person reads."""

from __future__ import annotations

import re
from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser, LexborNode

Fields = dict[str, str | list[str]]
"""What a form sends: each field with its value, or with several."""
UNSENT = ("submit", "button", "reset", "image", "file")
"""Inputs that a form does not send by itself."""


def typed(setup: Mapping[str, object]) -> Fields:
    """Return a set-up as a browser would send it: no field for a switch that is off, several fields for a list."""
    fields: Fields = {}
    for key, value in setup.items():
        if value is True:
            fields[key] = "true"
        elif isinstance(value, list | tuple):
            fields[key] = [str(one) for one in value]
        elif isinstance(value, dict):
            fields |= {f"{key}.{name}": str(one) for name, one in value.items()}
        elif value is not None and value is not False:
            fields[key] = str(value)
    return fields


def text_of(html: str) -> str:
    """Return the text of some HTML as a person reads it."""
    html = re.sub(r"</?hx-partial[^>]*>", " ", html)
    node = LexborHTMLParser(
        re.sub(r"</(p|li|h\d|td|th|div|section|button|label|summary|option)>", r"</\1> ", html)
    ).body
    return " ".join(node.text().split()) if node else ""


def first(html: str, css: str) -> LexborNode:
    """Return the first element that matches a CSS selector; fail if there is none."""
    node = LexborHTMLParser(html).css_first(css)
    assert node is not None, f"there is no {css} on this page: {text_of(html)}"
    return node


def find_form(html: str, label: str, fields: Mapping[str, object]) -> LexborNode:
    """Return the form with this button; if there are several, `fields` chooses by hidden fields."""
    html = re.sub(r"</?hx-partial[^>]*>", "", html)
    for form in LexborHTMLParser(html).css("form"):
        if find_button(form, label) is not None:
            hidden = {node.attributes.get("name"): node.attributes.get("value") for node in form.css("[type=hidden]")}
            if all(hidden.get(key, str(value)) == str(value) for key, value in fields.items()):
                return form
    raise AssertionError(f"there is no button {label!r} on this screen: {text_of(html)}")


def find_button(form: LexborNode, label: str) -> LexborNode | None:
    """Return the first button of a form whose text starts like this."""
    return next((one for one in form.css("button") if " ".join(one.text().split()).startswith(label)), None)


def form_fields(form: LexborNode, pressed: LexborNode | None = None) -> Fields:
    """Return what a browser would send if this button were pressed without typing anything."""
    fields: Fields = {}
    for node in form.css("input, select, textarea"):
        name, kind = node.attributes.get("name"), node.attributes.get("type") or "text"
        if not name or is_disabled(node) or kind in UNSENT:
            continue
        if node.tag == "select":
            options = [one for one in node.css("option") if not is_disabled(one)]
            chosen = [one for one in options if "selected" in one.attributes]
            if "multiple" not in node.attributes:
                chosen = chosen[-1:] or options[:1]
            for one in chosen:
                add(fields, name, value_of(one))
        elif kind not in ("radio", "checkbox") or "checked" in node.attributes:
            add(fields, name, value_of(node))
    if pressed is not None and (name := pressed.attributes.get("name")):
        add(fields, name, value_of(pressed))
    return fields


def add(fields: Fields, name: str, value: str) -> None:
    """Add a value of this name: one value is stored as it is, several as a list."""
    known = fields.get(name)
    fields[name] = value if known is None else [*(known if isinstance(known, list) else [known]), value]


def value_of(node: LexborNode) -> str:
    """Return what a browser sends for this input, option, text area or button when it is chosen."""
    if node.tag == "textarea":
        return (node.text() or "").removeprefix("\n")
    if "value" in node.attributes:
        return node.attributes["value"] or ""
    if node.tag == "option":
        return " ".join(node.text().split())
    return "on" if node.attributes.get("type") in ("radio", "checkbox") else ""


def is_disabled(node: LexborNode) -> bool:
    """Return whether the element, or a fieldset around it, is disabled, so that a browser leaves it out."""
    around: LexborNode | None = node
    while around is not None:
        if "disabled" in around.attributes and around.tag in (node.tag, "fieldset", "optgroup"):
            return True
        around = around.parent
    return False
