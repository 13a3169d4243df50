"""A pytest plugin and test tools for people who write games.

`pip install 'companion-table[testing]'`, and pytest has the fixtures of `plugin.py` (`house`, `seated`, `easel`,
`windows`, …). Run the tests that every game must pass on your game with

    pytest --pyargs companion.testing --game my_game

or with one line in your own test file: `from companion.testing.suite import *`. Your own tests import what they need
from here: `from companion.testing import NAMES, apply`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.testing.easel import Easel as Easel
    from companion.testing.easel import apply as apply
    from companion.testing.forms import find_form as find_form
    from companion.testing.forms import form_fields as form_fields
    from companion.testing.forms import text_of as text_of
    from companion.testing.forms import typed as typed
    from companion.testing.house import House as House
    from companion.testing.house import tables_of as tables_of
    from companion.testing.house import wait_until as wait_until
    from companion.testing.monkey import Monkey as Monkey
    from companion.testing.playthrough import compare as compare
    from companion.testing.playthrough import screens as screens
    from companion.testing.secrecy import Leak as Leak
    from companion.testing.secrecy import Prover as Prover
    from companion.testing.stream import Stream as Stream
    from companion.testing.tabletalk import NAMES as NAMES
    from companion.testing.tabletalk import Person as Person
    from companion.testing.tabletalk import Reply as Reply
    from companion.testing.tabletalk import Seated as Seated
    from companion.testing.tabletalk import Table as Table
    from companion.testing.windows import Windows as Windows
    from companion.testing.windows import assert_accessible as assert_accessible

PUBLIC = {
    "easel": ("Easel", "apply"),
    "forms": ("find_form", "form_fields", "text_of", "typed"),
    "house": ("House", "tables_of", "wait_until"),
    "monkey": ("Monkey",),
    "playthrough": ("compare", "screens"),
    "secrecy": ("Leak", "Prover"),
    "stream": ("Stream",),
    "tabletalk": ("NAMES", "Person", "Reply", "Seated", "Table"),
    "windows": ("Windows", "assert_accessible"),
}
"""The module of each name. Each is imported on first use, since pytest loads the plugin even where nobody needs it."""


def __getattr__(name: str) -> Any:
    for module, names in PUBLIC.items():
        if name in names:
            try:
                return getattr(import_module(f"companion.testing.{module}"), name)
            except ModuleNotFoundError as missing:
                raise ImportError(f"{missing}: pip install 'companion-table[testing]'") from missing
    raise AttributeError(f"companion.testing has no {name!r}")
