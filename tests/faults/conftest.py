"""Slow tests of faults: `make test-faults`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

FIGURES = "a stranger's run"


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Print this line at the end of the run, also with -n."""
    return lambda line: record_property(FIGURES, line)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    lines = [value for report in reports for key, value in report.user_properties if key == FIGURES]
    if lines:
        busy, cores = os.getloadavg()[0], os.cpu_count()
        terminalreporter.section(FIGURES)
        terminalreporter.write_line("\n".join([*map(str, lines), f"(load {busy:.1f} on {cores} cores)"]))
