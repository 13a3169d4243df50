"""companion play: serve, print the address and its QR code, and say what to do next."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import platformdirs

from companion import __version__, address_url, create_app
from companion.engine import addresses
from companion.engine.links import add_key, read_keys
from companion.web import qr

PORTS_TO_TRY = 50


def from_environment(name: str, default: Any = None) -> Any:
    return os.environ.get(f"COMPANION_{name}", default)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="companion",
        description="The companion for physical play: a QR code on your laptop, a seat on every phone.",
        epilog="Every option can also be set in the environment: --data-dir as COMPANION_DATA_DIR, and so on.",
    )
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    data = argparse.ArgumentParser(add_help=False)
    data.add_argument(
        "--data-dir",
        type=Path,
        metavar="FOLDER",
        default=from_environment("DATA_DIR", platformdirs.user_data_path("companion", appauthor=False)),
        help="where tables and the key for links are kept (default: %(default)s)",
    )

    play = commands.add_parser(
        "play",
        parents=[data],
        help="open the companion for this evening",
        description="Serve the companion on this machine and show the QR code that leads to it. Ctrl-C ends it; "
        "everything is kept, and every link works again next time.",
    )
    play.add_argument(
        "--port", type=int, default=int(from_environment("PORT", 8000)),
        help="the port to serve on; if it is taken, the next free one is used (default: %(default)s)",
    )  # fmt: skip
    play.add_argument(
        "--host", default=from_environment("HOST", "0.0.0.0"),
        help="the network interface to listen on (default: all of them)",
    )  # fmt: skip
    play.add_argument(
        "--address", default=from_environment("ADDRESS"),
        help="the address to put into QR codes, if the one found is wrong: 192.168.1.20, or https://play.example",
    )  # fmt: skip
    play.add_argument(
        "--database", default=from_environment("DATABASE"), metavar="FILE",
        help="the SQLite file (default: companion.sqlite in the data folder)",
    )  # fmt: skip
    play.add_argument(
        "--proxies", type=int, default=int(from_environment("PROXIES", 0)), metavar="N",
        help="how many reverse proxies stand in front and say who is calling (default: none)",
    )  # fmt: skip
    play.add_argument(
        "--heartbeat", type=float, default=float(from_environment("HEARTBEAT", 15)), metavar="SECONDS",
        help="how often an idle screen is told that it is still connected (default: %(default)s)",
    )  # fmt: skip
    play.add_argument(
        "--tries", type=int, default=from_environment("TRIES"), metavar="N",
        help="how often one address may join or mistype a code in a minute (default: 60 and 20)",
    )  # fmt: skip
    commands.add_parser(
        "doctor", parents=[data], help="check what phones need to reach this machine",
        description="Say which addresses phones can use, and whether the data folder can be written.",
    )  # fmt: skip
    rotate = commands.add_parser(
        "new-key", parents=[data], help="sign links with a new key from now on",
        description="Make a new key for signing links. Older links go on working until you drop the older keys.",
    )  # fmt: skip
    rotate.add_argument("--drop-older", action="store_true", help="all links given out so far stop working")
    return top


def main(arguments: list[str] | None = None) -> None:
    top = parser()
    options = top.parse_args(arguments)
    match options.command:
        case "play":
            play(options)
        case "doctor":
            doctor(options)
        case "new-key":
            add_key(options.data_dir / "key", drop_older=options.drop_older)
            print("Links are signed with a new key once the companion is started again.")
        case _:
            top.print_help()


def play(options: argparse.Namespace) -> None:
    """Serve until Ctrl-C."""
    import gevent
    from werkzeug.middleware.proxy_fix import ProxyFix

    from companion.engine.sqlite import SqliteStore
    from companion.web.server import make_server

    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    listener, port = listen(options.host, options.port)
    if "://" in (options.database or ""):
        raise SystemExit("--database takes the name of an SQLite file.")
    try:
        store = SqliteStore(options.database or options.data_dir / "companion.sqlite")
        app = create_app(
            options.data_dir,
            store=store,
            address=options.address,
            port=port,
            tries=options.tries,
            heartbeat=options.heartbeat,
        )
    except OSError as trouble:
        raise SystemExit(f"The data folder {options.data_dir} cannot be used: {trouble.strerror}.") from None
    if options.proxies:
        n = options.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n, x_prefix=n)  # type: ignore[method-assign]
    parts = app.extensions["companion"]
    server = make_server(listener, app)
    server.start()
    parts.hub.start()
    gevent.spawn(watch_the_clock, parts.tables)
    greet(options, port)
    stop = gevent.event.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(number, stop.set)
    stop.wait()
    print("\nGood night. Everything is kept.", flush=True)
    parts.hub.stop()
    server.stop(timeout=2)
    parts.tables.store.close()


def listen(host: str, port: int) -> tuple[Any, int]:
    """A listening socket on this port or, if it is taken, on the next free one."""
    import socket

    import gevent.socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + PORTS_TO_TRY, 65_536)) if port else [0]:
        listener = gevent.socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(1024)
        except PermissionError:
            raise SystemExit(f"This user may not serve on port {candidate}. Try --port 8000.") from None
        except OSError as taken:
            listener.close()
            if candidate == port:
                first = taken
            continue
        found: int = listener.getsockname()[1]
        if port and found != port:
            print(f"Port {port} is taken, so this companion uses {found}.")
        return listener, found
    raise SystemExit(f"Cannot listen on {host}, port {port}: {first.strerror}.")


def watch_the_clock(tables: Any) -> None:
    """Wake the tables whose alarm is due."""
    import gevent

    hopeless: set[str] = set()
    while True:
        gevent.sleep(0.25)
        for table in tables.store.due_alarms(time.time()):
            if table in hopeless:
                continue
            try:
                tables.wake(table)
            except Exception:
                hopeless.add(table)
                logging.getLogger("companion").exception("an alarm could not be rung")


def greet(options: argparse.Namespace, port: int) -> None:
    found = addresses.addresses()
    base = address_url(options.address, port) if options.address else addresses.url(found[0].ip, port)
    print(f"\n{qr.blocks(base)}")
    print(f"  On this laptop:  http://localhost:{port}")
    print(f"  On a phone:      {base}")
    if not options.address and found[0].is_loopback:
        print("  Warning: this machine has no network that a phone could reach. Join a Wi-Fi and start again.")
    print("\n  Open the address on the laptop, choose a game, and let everybody scan the code of your table.")
    print("  Ctrl-C ends it.\n", flush=True)


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
