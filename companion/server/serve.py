"""companion play: serve, print the address and its QR code, and say what to do next."""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import gevent
import gevent.socket
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.app import create_app
from companion.demo.pages import DemoOptions
from companion.engine.nights import EmptyTables, RunningDays
from companion.engine.reader import NoSuchTable
from companion.engine.store import StoreTrouble, Unreadable
from companion.games import find_games
from companion.live.notify import POLL_S, RemoteListener
from companion.server import browser, logs
from companion.server.http import Server
from companion.server.network import POLL_S as NETWORK_POLL_S
from companion.server.network import NetworkWatch
from companion.server.terminal import greet, say
from companion.storage.factory import open_store
from companion.storage.sqlite import SqliteStore
from companion.web import Services
from companion.web.errors import problem_bytes
from companion.web.i18n import current_language
from companion.web.limits import LimitSettings
from companion.web.taps import Metrics

if TYPE_CHECKING:
    from companion.server.certificate import Certificate
    from companion.storage.postgres import PostgresStore

log = logging.getLogger("companion")

PORTS_TO_TRY = 50
ALARM_POLL_S = 0.25
FILE_POLL_S = 0.5
MAINTAIN_EVERY_S = 10.0
ARCHIVE_EVERY_S = 3600.0
CLOSE_EMPTY_EVERY_S = 300.0
SHUTDOWN_TIMEOUT_S = 4.0
"""How long requests that are being answered may take to finish when the companion ends."""
GC_THRESHOLDS = (2_000, 20, 20)
"""Taps make few reference cycles, so Python looks for them less often than by default."""
PR_SET_DUMPABLE = 4
"""As Linux numbers it."""
FILES_BESIDES_SCREENS = 1_000
"""What a process opens files for, besides open screens: connections, most of all."""
FILES_USED = 0.9
"""The part of the files that a process may open that we use for connections and screens."""


def play(options: argparse.Namespace, demo: DemoOptions | None = None) -> None:
    """Serve until Ctrl-C."""
    logs.begin("full" if options.dev else options.log)
    keep_memory_private()
    # A proxy looks for us on one port only.
    listener, port = listen(options.host, options.port, 1 if options.proxies else PORTS_TO_TRY)
    serve(options, listener, port, demo)
    say("\nGood night." if demo else "\nGood night. Everything is saved.")


def serve(options: argparse.Namespace, listener: socket.socket, port: int, demo: DemoOptions | None = None) -> None:
    games, bad_games = find_games()
    store = open_store(options)
    store.recover()
    metrics = installed_metrics()
    screens, max_open = files_to_hold(options.screens)
    settings = LimitSettings(
        options.tries, options.tables_per_day, screens, options.screens_per_address, options.taps_per_second
    )
    try:
        app = create_app(
            options.data_dir, games=games, store=store, address=options.address, port=port,
            heartbeat_s=options.heartbeat, limits=settings, operators=options.metrics, metrics=metrics,
            public=options.proxies > 0, dev=options.dev, https=options.https, demo=demo,
            statistics=options.statistics == "on" if options.statistics or options.proxies else None,
        )  # fmt: skip
    except OSError as trouble:
        raise SystemExit(f"The data folder {options.data_dir} can't be used: {trouble.strerror}.") from None
    services: Services = app.extensions["companion"]
    wsgi_app: Any = app
    if (n := options.proxies) > 0:
        wsgi_app = ProxyFix(app, x_for=n, x_proto=n, x_host=n, x_prefix=n)
    # A client that keeps sending garbage must not make us render a page each time.
    problem_page = lru_cache(lambda status, language: problem_bytes(services, status))
    gevent.get_hub().print_exception = greenlet_failed
    certificate = own_certificate(options)
    network = NetworkWatch(options, services, port, certificate)
    server = Server(
        gevent.socket.socket(listener.family, listener.type, listener.proto, fileno=listener.detach()), wsgi_app,
        problem_page=lambda status: problem_page(status, current_language().name),
        count=metrics.request, max_open=max_open, streams=lambda: services.hub.open,
        proxies=options.proxies, tls=certificate.context if certificate else None,
    )  # fmt: skip
    server.start()
    services.hub.start()
    begin_tasks(options, services, store)
    stop = gevent.event.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(number, stop.set)
    # Everything loaded so far stays, so keep the garbage collector from scanning it again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    if demo is None:
        greet(options, port, services.addresses()[0], bad_games)
    else:
        say(demo.greeting(port))
        if not options.no_browser:
            browser.open_page(f"http://localhost:{port}/demo/")
    if not options.proxies:
        network.poll()
        gevent.spawn(repeat, NETWORK_POLL_S, network.poll, "the network could not be watched")
    stop.wait()
    log.info("shutting down", extra={"about": {"screens": services.hub.open}})
    services.leaving.set()
    leaving = gevent.spawn(network.leave)
    server.leave(SHUTDOWN_TIMEOUT_S)
    services.hub.stop()
    leaving.join()
    if isinstance(store, SqliteStore):
        store.drop_old_file()
    store.close()


def own_certificate(options: argparse.Namespace) -> Certificate | None:
    if not options.https:
        return None
    from companion.server.certificate import Certificate

    return Certificate(options.data_dir)


def keep_memory_private() -> None:
    """Forbid core dumps and reading our memory from other programs: it holds ballots and keys."""
    with contextlib.suppress(ImportError):  # not on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def installed_metrics() -> Metrics:
    try:
        from companion.server.metrics import PrometheusMetrics
    except ModuleNotFoundError:
        return Metrics()  # the package comes with the extra `server`
    return PrometheusMetrics()


def files_to_hold(screens: int) -> tuple[int, int | None]:
    """How many screens the system gives us a file for, of those that the host wants, and how many files we use."""
    try:
        import resource
    except ImportError:  # not on Windows
        return screens, None
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = int((screens + FILES_BESIDES_SCREENS) / FILES_USED) + 1
    if most != resource.RLIM_INFINITY:
        files = min(files, most)
    if now != resource.RLIM_INFINITY and now < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    elif now != resource.RLIM_INFINITY:
        files = now
    used = int(files * FILES_USED)
    return min(screens, max(used - FILES_BESIDES_SCREENS, used // 2)), used


def greenlet_failed(_: Any, kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """Log a failed greenlet without its arguments, which gevent would print."""
    log.error("a background task failed", exc_info=(kind, error, trace))


def listen(host: str, port: int, ports_to_try: int = PORTS_TO_TRY) -> tuple[socket.socket, int]:
    """A listening socket on this port or, if it is taken, on the next free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + ports_to_try, 65_536)) if port else [0]:
        listener = socket.socket(family)
        if sys.platform == "win32":
            # There, SO_REUSEADDR would let two programs share a port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(1024)
        except PermissionError:
            raise SystemExit(f"You may not use port {candidate}. Try --port 8000.") from None
        except OSError as taken:
            listener.close()
            if candidate == port:
                first = taken
            continue
        found: int = listener.getsockname()[1]
        if port and found != port:
            say(f"Port {port} is taken, so this companion uses {found}.")
        return listener, found
    raise SystemExit(f"Cannot listen on {host}, port {port}: {first.strerror}.")


# -------------------------------------------------------------------------------- background tasks


def begin_tasks(options: argparse.Namespace, services: Services, store: SqliteStore | PostgresStore) -> None:
    """Start the background tasks."""
    gevent.spawn(repeat, ALARM_POLL_S, partial(ring_alarms, services, set()), "alarms could not be rung")
    gevent.spawn(repeat, MAINTAIN_EVERY_S, store.maintain, "the store could not be maintained")
    if options.archive_after > 0:

        def archive() -> None:
            services.nights.archive(services.tables.time(), options.archive_after)

        with contextlib.suppress(StoreTrouble):
            RunningDays(store).note(services.tables.time())
        gevent.spawn(archive)
        gevent.spawn(repeat, ARCHIVE_EVERY_S, archive, "old nights could not be archived")
    empty = EmptyTables(services.tables, services.nights, services.hub.tables)
    gevent.spawn(repeat, CLOSE_EMPTY_EVERY_S, empty.close, "empty tables could not be closed")
    gevent.spawn(services.nights.keep_missing_results)
    # Other processes may write to the same store: our open screens have to show it.
    if isinstance(store, SqliteStore):
        gevent.spawn(repeat, FILE_POLL_S, partial(watch_file, store, services), "the file could not be watched")
    else:
        remote = RemoteListener(services.reader, services.hub, services.limits.count_remote)
        gevent.spawn(store.listen, remote.receive, remote.missed)
        gevent.spawn(repeat, POLL_S, remote.poll, "the newest versions could not be looked up")


def repeat(every_s: float, task: Callable[[], object], failure: str) -> None:
    """Run a task at intervals. If it fails, log that and go on."""
    while True:
        gevent.sleep(every_s)
        try:
            task()
        except StoreTrouble:
            log.error("a background task has to wait: the store cannot be used")
        except Exception:
            log.exception(failure)


def watch_file(store: SqliteStore, services: Services) -> None:
    """Notice what other processes write to the file, such as `companion tables end`."""
    if store.changed_by_others():
        services.reader.cache.lost()
        services.hub.show_all_soon()


def ring_alarms(services: Services, failed: set[str]) -> None:
    """Wake the tables whose alarm is due. Every process does, and each table is woken once."""
    for table in services.tables.store.due_alarms(services.tables.time()):
        if table in failed:
            continue
        try:
            services.tables.wake(table)
        except NoSuchTable:
            continue  # it was deleted just now
        except Unreadable:
            failed.add(table)
        except StoreTrouble:
            raise
        except Exception:
            failed.add(table)
            log.exception("an alarm could not be rung")
