"""companion play: serve, print the address and its QR code, and say what to do next."""

from __future__ import annotations

import argparse
import logging
import signal
import time
from typing import Any

from companion import address_url, create_app, logs
from companion.engine import addresses
from companion.engine.schema import TooNew
from companion.engine.store import StoreTrouble
from companion.web import qr
from companion.web.limits import Most
from companion.web.operate import networks

log = logging.getLogger("companion")

PORTS_TO_TRY = 50
PATIENCE = 4.0
"""So many seconds may what is being served take to finish when the companion ends."""
FILES_BESIDES = 200
"""What a process needs files for, besides open screens."""


def play(options: argparse.Namespace) -> None:
    """Serve until Ctrl-C."""
    import gevent
    from werkzeug.middleware.proxy_fix import ProxyFix

    from companion.engine.sqlite import SqliteStore
    from companion.web.server import make_server

    logs.begin(options.log)
    # A proxy looks for us on one port only.
    listener, port = listen(options.host, options.port, 1 if options.proxies else PORTS_TO_TRY)
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
            most=Most(options.tables_per_day, screens_to_hold(options.screens), options.screens_per_address),
            operators=networks(options.metrics),
        )
    except TooNew:
        raise SystemExit("The data was written by a newer companion. Please use that one.") from None
    except StoreTrouble as trouble:
        raise SystemExit(f"The data in {options.data_dir} cannot be opened: {trouble}.") from None
    except OSError as trouble:
        raise SystemExit(f"The data folder {options.data_dir} cannot be used: {trouble.strerror}.") from None
    if options.proxies:
        n = options.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n, x_prefix=n)  # type: ignore[method-assign]
    parts = app.extensions["companion"]
    gevent.get_hub().print_exception = broke_off
    server = make_server(listener, app)
    server.start()
    parts.hub.start()
    gevent.spawn(watch_the_clock, parts.tables)
    gevent.spawn(watch_the_file, store, parts)
    gevent.spawn(tidy_up, parts, options.archive_after)
    stop = gevent.event.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(number, stop.set)
    greet(options, port)
    stop.wait()
    log.info("on the way out", extra={"about": {"screens": parts.hub.open}})
    parts.leaving.set()
    server.leave(PATIENCE)
    parts.hub.stop()
    parts.tables.store.close()
    print("\nGood night. Everything is kept.", flush=True)


def screens_to_hold(wanted: int) -> int:
    """As many as the host wants, if the system gives us a file for each."""
    try:
        import resource
    except ImportError:  # not on every system
        return wanted
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = wanted + FILES_BESIDES if most == resource.RLIM_INFINITY else min(wanted + FILES_BESIDES, most)
    now, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now != resource.RLIM_INFINITY and now < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return min(wanted, max(files, now) - FILES_BESIDES)


def broke_off(_: Any, kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """Something that runs on its own has broken off: gevent would print what it was about."""
    log.error("something broke off", exc_info=(kind, error, trace))


def listen(host: str, port: int, ports_to_try: int = PORTS_TO_TRY) -> tuple[Any, int]:
    """A listening socket on this port or, if it is taken, on the next free one."""
    import socket

    import gevent.socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + ports_to_try, 65_536)) if port else [0]:
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
        try:
            due = tables.due()
        except Exception:
            log.exception("alarms cannot be read")
            gevent.sleep(5)
            continue
        for table in due:
            if table in hopeless:
                continue
            try:
                tables.wake(table)
            except StoreTrouble:
                log.error("an alarm has to wait: the store cannot write")
                gevent.sleep(1)
            except Exception:
                hopeless.add(table)
                log.exception("an alarm could not be rung")


def watch_the_file(store: Any, parts: Any) -> None:
    """Somebody may end a table from the terminal while we play: open screens are to know."""
    import gevent

    while True:
        gevent.sleep(0.5)
        if store.others_wrote():
            parts.tables.forget_all()
            parts.hub.ring_all()


def tidy_up(parts: Any, days: float) -> None:
    """Once an hour, nights that nobody has touched for long are archived to their results."""
    import gevent

    while days > 0:
        try:
            # If the machine's clock has jumped ahead, nobody's night is any older.
            parts.nights.archive(min(time.time(), parts.tables.now()), days)
        except Exception:
            log.exception("old nights could not be archived")
        gevent.sleep(3600)


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
