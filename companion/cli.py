"""companion play | doctor | …: what can be typed in a terminal."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import platformdirs

from companion import __version__, admin
from companion.authoring import new_game, reload
from companion.engine.links import read_keys
from companion.engine.store import StoreTrouble
from companion.server import addresses, serve
from companion.web.limits import TAPS_PER_SECOND, LimitSettings
from companion.web.operate import networks

DATA = platformdirs.user_data_path("companion", appauthor=False)
ABOUT_COMPANION = ("-h", "--help", "--version")
"""Options of `companion` itself; all others are options of `companion play`."""
SEVERAL_PROCESSES = (
    "One process is plenty for an evening, and SQLite is for one process. Several need PostgreSQL: start each of them"
    " with --database postgresql://… and a port of its own, as deploy/ does with systemd."
)


def option(parser: Any, flag: str, default: Any = None, **more: Any) -> None:
    """An option that can also be set in the environment: `--data-dir` as COMPANION_DATA_DIR."""
    name = f"COMPANION_{flag.strip('-').replace('-', '_').upper()}"
    parser.add_argument(flag, default=os.environ.get(name, default), **more)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="companion",
        description="The companion for physical play: a QR code on your laptop, a seat on every phone.",
        epilog="Without a command it plays: companion --port 9000 is companion play --port 9000. Every option can also"
        " be set in the environment: --data-dir as COMPANION_DATA_DIR, and so on.",
    )
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    data = argparse.ArgumentParser(add_help=False)
    option(
        data, "--data-dir", DATA, type=Path, metavar="FOLDER",
        help="where tables and the key for links are kept (default: %(default)s)",
    )  # fmt: skip
    file = argparse.ArgumentParser(add_help=False)
    option(
        file, "--database", metavar="FILE",
        help="the SQLite file, or postgresql://user@host/name (default: companion.sqlite in the data folder)",
    )  # fmt: skip
    options_of_play(
        commands.add_parser(
            "play", parents=[data, file], help="open the companion for this evening",
            description="Serve the companion on this machine and show the QR code that leads to it. Ctrl-C ends it; "
            "everything is kept, and every link works again next time.",
        )
    )  # fmt: skip
    commands.add_parser(
        "doctor", parents=[data], help="check what phones need to reach this machine",
        description="Say which addresses phones can use, and whether the data folder can be written.",
    )  # fmt: skip
    rotate = commands.add_parser(
        "new-key", parents=[data, file], help="sign links and protect tables with a new key from now on",
        description="Make a new key for this installation: it signs links, and the keys of all tables are wrapped with"
        " it. Older links go on working until you drop the older keys.",
    )  # fmt: skip
    rotate.add_argument("--drop-older", action="store_true", help="all links given out so far stop working")
    commands_about_tables(commands, data, file)
    return top


def options_of_play(play: argparse.ArgumentParser) -> None:
    option(
        play, "--port", 8000, type=int,
        help="the port to serve on; if it is taken, the next free one, without --proxies (default: %(default)s)",
    )  # fmt: skip
    option(play, "--host", "0.0.0.0", help="the network interface to listen on (default: all of them)")
    option(
        play, "--address",
        help="the address to put into QR codes and to answer to, besides those of this machine: 192.168.1.20, or "
        "https://play.example",
    )  # fmt: skip
    option(
        play, "--archive-after", 30, type=float, metavar="DAYS",
        help="put nights away that nobody has touched on so many days on which the companion ran, and a week of such "
        "days later keep only their results; 0: never (default: %(default)s)",
    )  # fmt: skip
    option(
        play, "--statistics", choices=("on", "off"),
        help="whether there is a page that counts over all nights who has played and won "
        "(default: as switched on that page; off behind --proxies)",
    )  # fmt: skip
    play.add_argument(
        "--dev", action="store_true",
        help="for authors of games, on this machine alone: start again when a file changes, show errors in full and "
        "all seats' screens side by side",
    )  # fmt: skip
    play.add_argument(
        "--no-browser", action="store_true", default=os.environ.get("COMPANION_NO_BROWSER", "") not in ("", "0"),
        help="do not open the browser of this machine",
    )  # fmt: skip
    option(play, "--workers", 1, type=int, help=argparse.SUPPRESS)
    option(
        play, "--proxies", 0, type=int, metavar="N",
        help="how many reverse proxies stand in front and say who is calling (default: none)",
    )  # fmt: skip
    option(
        play, "--heartbeat", 15, type=float, metavar="SECONDS",
        help="how often an idle screen is told that it is still connected (default: %(default)s)",
    )  # fmt: skip
    option(
        play, "--tries", type=int, metavar="N",
        help="how often one address may join, open a table or mistype a code in a minute (default: 600, 120 and 40)",
    )  # fmt: skip
    server = play.add_argument_group(
        "on a server", "Limits that a club night never reaches, and what an operator reads."
    )
    usual = LimitSettings()
    option(
        server, "--tables-per-day", usual.tables, type=int, metavar="N",
        help="how many tables may be opened and joined in 24 hours, shared out among addresses (default: %(default)s)",
    )  # fmt: skip
    option(
        server, "--taps-per-second", TAPS_PER_SECOND, type=int, metavar="N",
        help="how often one seat may tap in a second (default: %(default)s)",
    )  # fmt: skip
    option(
        server, "--screens", usual.screens, type=int, metavar="N",
        help="how many screens may be live at the same time (default: %(default)s)",
    )  # fmt: skip
    option(
        server, "--screens-per-address", usual.screens_per_address, type=int, metavar="N",
        help="how many of them from one address: a whole club may share one (default: %(default)s)",
    )  # fmt: skip
    option(
        server, "--metrics", "", type=networks, metavar="NETWORKS",
        help="who may read /metrics, besides this machine: 10.0.0.5 or 10.0.0.0/24,fd00::/8 (default: nobody)",
    )  # fmt: skip
    option(
        server, "--log", "auto", choices=("auto", "json", "plain"),
        help="how to write the log: one JSON object per line, or sentences (default: sentences on a terminal)",
    )  # fmt: skip


def commands_about_tables(commands: Any, data: argparse.ArgumentParser, file: argparse.ArgumentParser) -> None:
    tables = commands.add_parser(
        "tables", parents=[data, file], help="list the tables; end, export or restore one",
        description="List all tables that are kept here. `end CODE` ends the table with that code, also while the "
        "companion is playing; `export CODE` writes the results and the history of its night to the terminal; "
        "`restore CODE` brings a night back that was put away because nobody had touched it for long.",
    )  # fmt: skip
    tables.add_argument("what", nargs="?", choices=("list", "end", "export", "restore"), default="list")
    tables.add_argument("code", nargs="?", help="the code of the table, as its shared screen shows it")
    tables.add_argument("--csv", action="store_true", help="export the results as CSV instead of everything as JSON")
    backup = commands.add_parser(
        "backup", parents=[data, file], help="copy everything to a file, also while playing",
        description="Copy everything that is kept here to FILE, as it stands at this moment. Safe while playing."
        " The file `key` in the data folder is not part of it: with both, everything can be read.",
    )  # fmt: skip
    backup.add_argument("target", type=Path, metavar="FILE")
    backup.add_argument(
        "--without-keys", action="store_true", help="results and histories only: nobody can read a state from it"
    )
    restore = commands.add_parser(
        "restore", parents=[data, file], help="put a backup into an empty data folder",
        description="Put the backup FILE into an empty data folder, or into an empty PostgreSQL database. The file"
        " `key` that belongs to it must lie in the data folder, or no table can be opened.",
    )  # fmt: skip
    restore.add_argument("source", type=Path, metavar="FILE")
    game = commands.add_parser(
        "new-game", help="begin a game of your own",
        description="Write a small game that works at once, to be changed into your own: rules, view, templates, test.",
    )  # fmt: skip
    game.add_argument("name", metavar="NAME", help="small letters and underscores: dragon_race")
    game.add_argument("--secret", action="store_true", help="with secret bids and phases, as in docs/games.md")
    game.add_argument("--into", type=Path, default=Path(), metavar="FOLDER", help="where to (default: here)")


def main(arguments: list[str] | None = None) -> None:
    typed = with_command(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(typed)
    try:
        run(options, typed)
    except StoreTrouble as trouble:
        raise SystemExit(f"The data cannot be used just now: {trouble}.") from None


def with_command(arguments: list[str]) -> list[str]:
    """What was typed, with `play` in front if it names no command."""
    if arguments and (not arguments[0].startswith("-") or arguments[0] in ABOUT_COMPANION):
        return arguments
    return ["play", *arguments]


def run(options: argparse.Namespace, arguments: list[str]) -> None:
    match options.command:
        case "play":
            if options.workers > 1:
                raise SystemExit(SEVERAL_PROCESSES)
            if options.dev:
                if options.data_dir == DATA:  # what is tried out is no evening of anybody's
                    options.data_dir = DATA / "dev"
                reload.play(options, arguments)
            else:
                serve.play(options)
        case "doctor":
            doctor(options)
        case "new-key":
            admin.new_key(options)
        case "tables":
            admin.tables(options)
        case "backup":
            admin.backup(options)
        case "restore":
            admin.restore(options)
        case "new-game":
            new_game.write(options.name, options.into, secret=options.secret)


def doctor(options: argparse.Namespace) -> None:
    """Say what phones need, and whether it is there."""
    for address in addresses.addresses():
        note = (
            "this machine only"
            if address.is_loopback
            else "virtual, phones rarely reach it"
            if address.is_virtual
            else "ok"
        )
        print(f"{address.ip:<40} {address.adapter:<20} {note}")
    try:
        read_keys(options.data_dir / "key")
        print(f"The data folder {options.data_dir} can be written.")
    except OSError as trouble:
        raise SystemExit(f"The data folder {options.data_dir} cannot be used: {trouble.strerror}.") from None
