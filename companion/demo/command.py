"""companion demo: serves a separate companion with a temporary data folder."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from companion.demo.pages import DemoOptions
from companion.games import all_games
from companion.server import serve

FASTEST_S = 0.1


def play(options: argparse.Namespace, usual: argparse.Namespace) -> None:
    """Serve on this machine alone until Ctrl-C, with the usual options of `companion play`.

    These pages show every seat, so nobody else may reach them.
    """
    if options.game not in (games := all_games()):
        raise SystemExit(f"There is no game called {options.game}. Choose one of these: {', '.join(games)}.")
    demo = DemoOptions(options.game, max(options.pace, FASTEST_S), options.seed)
    with tempfile.TemporaryDirectory(prefix="companion-demo-", ignore_cleanup_errors=True) as folder:
        usual.host, usual.port, usual.address, usual.proxies, usual.dev = "127.0.0.1", options.port, None, 0, False
        usual.data_dir, usual.database, usual.no_browser = Path(folder), None, options.no_browser
        serve.play(usual, demo)
