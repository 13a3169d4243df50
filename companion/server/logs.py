"""Logging: our own sentences and where something broke, but nothing that anybody has typed.

A name, a link, a code or a choice must never get into a log, also not by way of an error message:
of an error only its kind and the lines of code are told, and of other people's log messages only
their fixed words.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

log = logging.getLogger("companion")
ONCE_IN = 1.0
"""Seconds."""
HERE = Path(__file__).parent.parent


def begin(style: str = "auto") -> None:
    """Write to standard error: JSON for a machine, sentences for a person; `full` tracebacks for an author alone."""
    as_json = style == "json" or (style == "auto" and not sys.stderr.isatty())
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter() if style == "full" else Machine() if as_json else Person())
    handler.addFilter(Seldom())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    log.setLevel(logging.INFO)
    logging.raiseExceptions = False  # it would print what was to be logged
    logging.captureWarnings(capture=True)
    sys.excepthook = _crashed
    threading.excepthook = lambda crash: _crashed(crash.exc_type, crash.exc_value, crash.exc_traceback)


def _crashed(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    log.critical("the companion has crashed", exc_info=(kind, error or kind(), trace))


def words_of(record: logging.LogRecord) -> str:
    """Our own sentences; of other people's only what never changes."""
    return record.getMessage() if record.name.startswith("companion") else f"{record.name}: {record.msg}"


def trouble_of(error: BaseException | None) -> Iterator[tuple[str, list[str]]]:
    """Kinds of errors, the first cause last, each with the lines of code it passed; never its message."""
    while error is not None:
        lines = [
            f"{_short(frame.filename)}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
        yield type(error).__name__, lines
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _short(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(HERE)) if path.is_relative_to(HERE) else "/".join(path.parts[-3:])


def _error_of(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if record.exc_info else None


class Seldom(logging.Filter):
    """Logs the same sentence about the same place once a second: a full disk hits a hundred phones at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[tuple[str, ...], list[float]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kinds = next(trouble_of(_error_of(record)), ("", []))
        key = (record.name, str(record.msg), kinds[0], *kinds[1][-1:])
        if len(self._said) > 1_000:
            self._said.clear()
        said = self._said.setdefault(key, [0.0, 0])
        if abs(record.created - said[0]) < ONCE_IN:
            said[1] += 1
            return False
        if said[1]:
            record.about = {**getattr(record, "about", {}), "unsaid": said[1]}
        said[:] = [record.created, 0]
        return True


class Machine(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {
            "at": f"{at}.{int(record.msecs):03}Z", "level": record.levelname.lower(), "what": words_of(record),
            **getattr(record, "about", {}),
        }  # fmt: skip
        if (error := _error_of(record)) is not None:
            line["trouble"] = [{"kind": kind, "lines": lines} for kind, lines in trouble_of(error)]
        return json.dumps(line)


class Person(logging.Formatter):
    """A sentence, and below it where it broke."""

    def format(self, record: logging.LogRecord) -> str:
        about = ", ".join(f"{key} {value}" for key, value in getattr(record, "about", {}).items())
        lines = [f"{time.strftime('%H:%M:%S', time.localtime(record.created))} {words_of(record)}"]
        if about:
            lines[0] += f" ({about})"
        for kind, passed in trouble_of(_error_of(record)):
            lines += [f"    {kind}", *(f"      {line}" for line in passed)]
        return "\n".join(lines)
