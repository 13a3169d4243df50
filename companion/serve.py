"""companion play: serve, print the address and its QR code, and say what to do next."""

from __future__ import annotations

import argparse
import gc
import logging
import signal
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from companion import address_url, create_app, logs
from companion.engine import addresses
from companion.engine.bell import TRIED, Ears, Pipes
from companion.engine.finding import NoSuchTable
from companion.engine.sqlite import SqliteStore
from companion.engine.store import Store, StoreTrouble
from companion.keeping import open_store
from companion.web import Parts, qr
from companion.web.limits import Most
from companion.web.meter import Meter
from companion.web.operate import networks

log = logging.getLogger("companion")

if TYPE_CHECKING:
    from companion.engine.postgres import PostgresStore

PORTS_TO_TRY = 50
SWEEP_EVERY = 10.0
PATIENCE = 4.0
"""So many seconds may what is being served take to finish when the companion ends."""
GARBAGE = (2_000, 20, 20)
"""Taps make little garbage that Python does not see at once, so it is looked for less often than by default."""
FILES_BESIDES = 200
"""What a process needs files for, besides open screens."""


def play(options: argparse.Namespace) -> None:
    """Serve until Ctrl-C."""
    logs.begin(options.log)
    # A proxy looks for us on one port only.
    listener, port = listen(options.host, options.port, 1 if options.proxies else PORTS_TO_TRY)
    if options.workers > 1:
        from companion import workers

        workers.play(options, listener, port, ready=lambda: greet(options, port))
    else:
        serve(options, listener, port, ready=lambda: greet(options, port))
    print("\nGood night. Everything is kept.", flush=True)


def serve(
    options: argparse.Namespace,
    listener: socket.socket,
    port: int,
    *,
    ready: Callable[[], None],
    pipes: Pipes | None = None,
    tidies_up: bool = True,
    meter: Meter | None = None,
) -> None:
    """One process that serves, alone or (with `pipes`) as one of several on this machine, until it is told to stop."""
    import gevent
    import gevent.socket
    from werkzeug.middleware.proxy_fix import ProxyFix

    from companion.web.server import make_server

    store = open_store(options, together=True, shared=pipes is not None)
    try:
        app = create_app(
            options.data_dir,
            store=store,
            address=options.address,
            port=port,
            tries=options.tries,
            heartbeat=options.heartbeat,
            most=Most(options.tables_per_day, screens_to_hold(options.screens), options.screens_per_address),
            operators=networks(options.metrics),
            meter=meter,
        )
    except OSError as trouble:
        raise SystemExit(f"The data folder {options.data_dir} cannot be used: {trouble.strerror}.") from None
    if options.proxies:
        n = options.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n, x_prefix=n)  # type: ignore[method-assign]
    parts = app.extensions["companion"]
    gevent.get_hub().print_exception = broke_off
    ours = gevent.socket.socket(listener.family, listener.type, listener.proto, fileno=listener.detach())
    server = make_server(ours, app, environ={"wsgi.multiprocess": pipes is not None})
    server.start()
    parts.hub.start()
    gevent.spawn(watch_the_clock, parts.tables)
    gevent.spawn(sweep, store)
    hear_the_others(parts, pipes)
    if tidies_up:
        gevent.spawn(tidy_up, parts, options.archive_after)
    stop = gevent.event.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(number, stop.set)
    if pipes is not None:
        gevent.spawn(pipes.parent_is_gone, stop.set)
    # All that was loaded so far stays: looking through it for garbage, again and again, would hold up everybody.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    ready()
    stop.wait()
    log.info("on the way out", extra={"about": {"screens": parts.hub.open}})
    parts.leaving.set()
    server.leave(PATIENCE)
    parts.hub.stop()
    parts.tables.store.close()


def screens_to_hold(wanted: int) -> int:
    """As many as the host wants, if the system gives us a file for each."""
    try:
        import resource
    except ImportError:  # not on every system
        return wanted
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = wanted + FILES_BESIDES if most == resource.RLIM_INFINITY else min(wanted + FILES_BESIDES, most)
    if now != resource.RLIM_INFINITY and now < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return min(wanted, files - FILES_BESIDES)


def broke_off(_: Any, kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """Something that runs on its own has broken off: gevent would print what it was about."""
    log.error("something broke off", exc_info=(kind, error, trace))


def hear_the_others(parts: Parts, pipes: Pipes | None) -> None:
    """Other processes may keep something, too: open screens of ours are to know."""
    import gevent

    store, ears = parts.tables.store, Ears(parts.tables, parts.hub, parts.limits.hear)
    if isinstance(store, SqliteStore):
        if pipes is None:
            gevent.spawn(watch_the_file, store, parts)
            return
        tell, ring = pipes.tell, parts.tables.ring

        def ring_everywhere(table: str) -> None:
            ring(table)
            tell(f"{table} 0 0")

        parts.tables.ring = ring_everywhere
        gevent.spawn(pipes.listen, ears.hear)
        gevent.spawn(ears.keep_looking, store.others_wrote, every=0.5)
    else:
        from companion.engine.listening import listen

        postgres = cast("PostgresStore", store)
        tell = postgres.tell
        gevent.spawn(listen, postgres, ears.hear, ears.missed)
        gevent.spawn(ears.keep_looking)
    parts.limits.alias = parts.links.alias
    parts.limits.tell = lambda what, alias: gevent.spawn(tell, f"{TRIED} {what} {alias}")


def listen(host: str, port: int, ports_to_try: int = PORTS_TO_TRY) -> tuple[socket.socket, int]:
    """A listening socket on this port or, if it is taken, on the next free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + ports_to_try, 65_536)) if port else [0]:
        listener = socket.socket(family)
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
    """Wake the tables whose alarm is due. Every process does, and each table is woken once."""
    import gevent

    hopeless: set[str] = set()
    while True:
        gevent.sleep(0.25)
        try:
            due = tables.due()
        except StoreTrouble:
            continue  # the store is away just now
        for table in due:
            if table in hopeless:
                continue
            try:
                tables.wake(table)
            except StoreTrouble:
                log.error("an alarm has to wait: the store cannot write")
            except NoSuchTable:
                continue  # it was deleted just now
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


def sweep(store: Store) -> None:
    """What was burnt is cleaned away for good, where that could not be done at once."""
    import gevent

    while True:
        gevent.sleep(SWEEP_EVERY)
        try:
            store.sweep()
        except Exception:
            log.exception("the ashes could not be swept")


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
