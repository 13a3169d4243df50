"""Count taps on buttons, choices and folds, and typed keys."""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from companion.testing.forms import form_fields

CHOSEN = ("radio", "checkbox")


class Thumbs:
    """Counts the taps and keys of everybody in a house."""

    def __init__(self) -> None:
        self.taps = 0
        self.keys = 0

    def count(self, form: LexborNode, fields: Mapping[str, object]) -> None:
        """Count the taps and keys needed to fill in these fields of a form and to press its button.

        A choice costs one tap, a select list two, a text one tap and its letters. A field that already has the right
        value costs nothing. Every closed fold or tab around the form costs one more tap.
        """
        before = form_fields(form)
        for name, value in fields.items():
            node = form.css_first(f'[name="{name}"]')
            if node is None or node.attributes.get("type") == "hidden":
                continue
            old = before.get(name, [])
            was = {old} if isinstance(old, str) else set(old)
            wanted = {str(one) for one in value} if isinstance(value, list | tuple) else {str(value)}
            if was == wanted:
                continue
            if node.tag == "select":
                self.taps += 2
            elif node.attributes.get("type") in CHOSEN:
                self.taps += len(wanted - was) if node.attributes.get("type") == "radio" else len(wanted ^ was)
            else:
                self.taps += 1
                self.keys += sum(len(one) for one in wanted)
        self.taps += 1
        above = form.parent
        while above is not None:
            if above.tag == "details" and "open" not in above.attributes:
                self.taps += 1
            if "tab" in (above.attributes.get("class") or "").split() and above.attributes.get("id") != "tab-table":
                self.taps += 1
            above = above.parent
