"""A companion for board games: phones do what cardboard is bad at."""

from __future__ import annotations

import importlib.metadata

__version__ = importlib.metadata.version("companion-table")
