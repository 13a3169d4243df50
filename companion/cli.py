"""The command line: companion play, doctor, tables, backup and the others."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import platformdirs

from companion import __version__, admin
from companion.authoring import new_game, reload
from companion.demo import command as demo
from companion.demo.pages import DEFAULT_GAME, USUAL_PACE_S
from companion.engine.links import read_keys
from companion.engine.store import StoreTrouble
from companion.server import addresses, serve
from companion.web.limits import TAPS_PER_SECOND, LimitSettings
from companion.web.operate import networks

DATA = platformdirs.user_data_path("companion", appauthor=False)
ABOUT_COMPANION = ("-h", "--help", "--version")
"""Options of `companion` itself; all others are options of `companion play`."""
SEVERAL_PROCESSES = (
    "One process is plenty for an evening, and SQLite allows only one. Several need PostgreSQL: start each process with"
    " --database postgresql://… and its own --port, as deploy/ does with systemd."
)


def option(parser: Any, flag: str, default: Any = None, **more: Any) -> None:
    """An option that can also be set in the environment: `--data-dir` as COMPANION_DATA_DIR."""
    name = f"COMPANION_{flag.strip('-').replace('-', '_').upper()}"
    parser.add_argument(flag, default=os.environ.get(name, default), **more)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="companion",
        description="A companion for board games: a QR code on your laptop, a seat on every phone.",
        epilog="Without a command it plays: companion --port 9000 is companion play --port 9000. You can also set every"
        " option in the environment: --data-dir as COMPANION_DATA_DIR, and so on.",
    )
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    data = argparse.ArgumentParser(add_help=False)
    option(
        data, "--data-dir", DATA, type=Path, metavar="FOLDER",
        help="the folder for tables and keys (default: %(default)s)",
    )  # fmt: skip
    file = argparse.ArgumentParser(add_help=False)
    option(
        file, "--database", metavar="FILE",
        help="the SQLite file, or postgresql://user@host/name (default: companion.sqlite in the data folder)",
    )  # fmt: skip
    options_of_play(
        commands.add_parser(
            "play", parents=[data, file], help="start the companion",
            description="Start the companion on this machine and show its QR code. Press Ctrl-C to stop. Everything is "
            "saved, and every link works again next time.",
        )
    )  # fmt: skip
    watch = commands.add_parser(
        "demo", help="watch a table that plays itself",
        description="Show a table of invented people that plays itself: the shared screen and two phones in one window"
        " of this machine. Stop it at any time and take a seat. Nothing is kept.",
    )  # fmt: skip
    watch.add_argument(
        "game", nargs="?", default=DEFAULT_GAME, metavar="GAME", help="which game (default: %(default)s)"
    )
    watch.add_argument(
        "--pace", type=float, default=USUAL_PACE_S, metavar="SECONDS", help="from tap to tap (default: %(default)s)"
    )
    watch.add_argument("--port", type=int, default=8000, help="the port to serve on, or the next free one")
    watch.add_argument("--no-browser", action="store_true", help="do not open the browser of this machine")
    watch.add_argument("--seed", type=int, help=argparse.SUPPRESS)
    commands.add_parser(
        "doctor", parents=[data], help="check whether phones can reach this machine",
        description="List the addresses that phones can use, and check that the data folder is writable.",
    )  # fmt: skip
    rotate = commands.add_parser(
        "new-key", parents=[data, file], help="make a new key for links and tables",
        description="Make a new key for this installation. It signs links and encrypts the keys of all tables."
        " Older links keep working until you drop the older keys.",
    )  # fmt: skip
    rotate.add_argument(
        "--drop-older", action="store_true", help="also drop all older keys, so that older links stop working"
    )
    commands_about_tables(commands, data, file)
    return top


def options_of_play(play: argparse.ArgumentParser) -> None:
    option(
        play, "--port", 8000, type=int,
        help="the port to use; without --proxies, the next free one if it is taken (default: %(default)s)",
    )  # fmt: skip
    option(play, "--host", "0.0.0.0", help="the network interface to listen on (default: all of them)")
    option(
        play, "--address",
        help="the address for QR codes, if this machine has another one for phones: 192.168.1.20 or "
        "https://play.example",
    )  # fmt: skip
    option(
        play, "--archive-after", 30, type=float, metavar="DAYS",
        help="archive a night when nobody has touched it for this many days, and after another week keep only its "
        "results; days on which the companion doesn't run don't count; 0 means never (default: %(default)s)",
    )  # fmt: skip
    option(
        play, "--statistics", choices=("on", "off"),
        help="show a page that counts everybody's games and wins over all nights "
        "(default: as set on that page; off with --proxies)",
    )  # fmt: skip
    play.add_argument(
        "--no-mdns", action="store_true", default=bool(os.environ.get("COMPANION_NO_MDNS")),
        help="announce no name: phones find this machine by its address, not as companion.local (mDNS is off behind "
        "--proxies, too)",
    )  # fmt: skip
    play.add_argument(
        "--https", action="store_true", default=bool(os.environ.get("COMPANION_HTTPS")),
        help="encrypt what phones and laptop send, with a certificate made on the spot, which every browser warns of",
    )  # fmt: skip
    play.add_argument(
        "--dev", action="store_true",
        help="for authors of games: restart when a file changes, show errors in full and all screens side by side; "
        "serves this machine only",
    )  # fmt: skip
    play.add_argument(
        "--no-browser", action="store_true", default=os.environ.get("COMPANION_NO_BROWSER", "") not in ("", "0"),
        help="do not open the browser of this machine",
    )  # fmt: skip
    option(play, "--workers", 1, type=int, help=argparse.SUPPRESS)
    option(
        play, "--proxies", 0, type=int, metavar="N",
        help="how many trusted reverse proxies are in front of the companion (default: none)",
    )  # fmt: skip
    option(
        play, "--heartbeat", 15, type=float, metavar="SECONDS",
        help="how often to tell an idle screen that it is still connected (default: %(default)s)",
    )  # fmt: skip
    option(
        play, "--tries", type=int, metavar="N",
        help="how often one address may join, open a table or mistype a code per minute (default: 600, 120 and 40)",
    )  # fmt: skip
    server = play.add_argument_group(
        "on a server", "Limits that a club night never reaches, and settings for operators."
    )
    usual = LimitSettings()
    option(
        server, "--tables-per-day", usual.tables, type=int, metavar="N",
        help="how many tables people may open and join in 24 hours, shared between addresses (default: %(default)s)",
    )  # fmt: skip
    option(
        server, "--taps-per-second", TAPS_PER_SECOND, type=int, metavar="N",
        help="how often one seat may tap per second (default: %(default)s)",
    )  # fmt: skip
    option(
        server, "--screens", usual.screens, type=int, metavar="N",
        help="how many screens may be live at a time (default: %(default)s)",
    )  # fmt: skip
    option(
        server, "--screens-per-address", usual.screens_per_address, type=int, metavar="N",
        help="how many of them may be at one address, which a whole club may share (default: %(default)s)",
    )  # fmt: skip
    option(
        server, "--metrics", "", type=networks, metavar="NETWORKS",
        help="who else may read /metrics: 10.0.0.5 or 10.0.0.0/24,fd00::/8 (default: nobody)",
    )  # fmt: skip
    option(
        server, "--log", "auto", choices=("auto", "json", "plain"),
        help="how to write the log: one JSON object per line, or sentences (default: sentences on a terminal)",
    )  # fmt: skip


def commands_about_tables(commands: Any, data: argparse.ArgumentParser, file: argparse.ArgumentParser) -> None:
    tables = commands.add_parser(
        "tables", parents=[data, file], help="list the tables, or end, export or restore one",
        description="List all tables. `end CODE` ends the table with that code, even while people play. "
        "`export CODE` prints the results and the history of its night. "
        "`restore CODE` brings its night back from the archive.",
    )  # fmt: skip
    tables.add_argument("what", nargs="?", choices=("list", "end", "export", "restore"), default="list")
    tables.add_argument("code", nargs="?", help="the code of the table, as on its shared screen")
    tables.add_argument("--csv", action="store_true", help="export the results as CSV instead of everything as JSON")
    backup = commands.add_parser(
        "backup", parents=[data, file], help="copy everything to a file, even while people play",
        description="Copy everything to FILE, as it is at this moment. This is safe while people play."
        " FILE doesn't include the file `key` from the data folder. Anybody who has both can read everything.",
    )  # fmt: skip
    backup.add_argument("target", type=Path, metavar="FILE")
    backup.add_argument(
        "--without-keys", action="store_true", help="copy only results and histories: nobody can open a table from them"
    )
    restore = commands.add_parser(
        "restore", parents=[data, file], help="put a backup into an empty data folder",
        description="Put the backup FILE into an empty data folder or an empty PostgreSQL database. First copy the"
        " file `key` that belongs to it into the data folder, or no table can be opened.",
    )  # fmt: skip
    restore.add_argument("source", type=Path, metavar="FILE")
    game = commands.add_parser(
        "new-game", help="start writing your own game",
        description="Write a small working game for you to change: rules, view, templates and a test.",
    )  # fmt: skip
    game.add_argument("name", metavar="NAME", help="lower-case letters and underscores: dragon_race")
    game.add_argument("--secret", action="store_true", help="with secret bids and phases, as in docs/games.md")
    game.add_argument("--into", type=Path, default=Path(), metavar="FOLDER", help="where to write it (default: here)")


def main(arguments: list[str] | None = None) -> None:
    typed = with_command(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(typed)
    try:
        run(options, typed)
    except StoreTrouble as trouble:
        raise SystemExit(f"The data can't be used right now: {trouble}.") from None


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
                if options.data_dir == DATA:  # tables of an author are kept apart from real evenings
                    options.data_dir = DATA / "dev"
                reload.play(options, arguments)
            else:
                serve.play(options)
        case "demo":
            demo.play(options, parser().parse_args(["play"]))
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
    """List the addresses of this machine, and check the data folder."""
    for address in addresses.addresses():
        note = (
            "this machine only"
            if address.is_loopback
            else "virtual, phones can rarely reach it"
            if address.is_virtual
            else "ok"
        )
        print(f"{address.ip:<40} {address.adapter:<20} {note}")
    try:
        read_keys(options.data_dir / "key")
        print(f"The data folder {options.data_dir} is writable.")
    except OSError as trouble:
        raise SystemExit(f"The data folder {options.data_dir} can't be used: {trouble.strerror}.") from None
