"""A dict with a bound."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedDict(OrderedDict[K, V]):
    """A dict that drops the entry that was set longest ago when there are more than `max_entries`."""

    def __init__(self, max_entries: int) -> None:
        super().__init__()
        self._max_entries = max_entries

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._max_entries:
            self.popitem(last=False)
