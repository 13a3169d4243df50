"""The companion for physical play: phones do what cardboard is bad at.

`create_app` makes the parts and joins them; it is the only place that knows them all.
"""

from __future__ import annotations

import importlib.metadata
import threading
import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from babel.dates import format_date
from flask import Flask, request
from flask_babel import Babel
from jinja2 import FileSystemLoader
from werkzeug.sansio.utils import get_host

from companion.engine import addresses
from companion.engine.clock import SteadyClock
from companion.engine.game import Game
from companion.engine.links import Link, Links, read_keys
from companion.engine.live import Hub
from companion.engine.nights import Nights
from companion.engine.sqlite import SqliteStore
from companion.engine.store import Store
from companion.engine.table import Tables
from companion.web import Parts, Way, again, assets, errors, lobby, nights, operate, qr, seat, shared, taps
from companion.web.limits import Limits, Most
from companion.web.meter import Meter
from companion.web.paper import Paper
from companion.web.pieces import Viewer
from companion.web.screens import Screens
from companion.web.short_way import ShortWay
from companion.web.words import best_language, choose_language, draw_say, gettext, ngettext, spoken, text_direction

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

__version__ = importlib.metadata.version("companion-table")

HERE = Path(__file__).parent
BODY_LIMIT = 64 * 1024
ADDRESSES_LAST = 5.0


def folder(name: str) -> Path:
    """Templates and static files: beside the package in a checkout, inside it in a wheel."""
    return HERE / name if (HERE / name).is_dir() else HERE.parent / name


def create_app(
    data_dir: Path,
    *,
    games: Mapping[str, Game] | None = None,
    store: Store | None = None,
    address: str | None = None,
    port: int = 8000,
    heartbeat: float = 15.0,
    translations: Path | None = None,
    tries: int | None = None,
    most: Most | None = None,
    operators: Iterable[operate.Network] = (),
    meter: Meter | None = None,
) -> Flask:
    """A companion over the data in `data_dir`."""
    if games is None:
        from companion.games import all_games

        games = all_games()
    app = Flask("companion", static_folder=None, template_folder=None)
    app.jinja_environment = Paper
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = BODY_LIMIT
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = spoken_here = str(translations or folder("translations"))
    Babel(app, locale_selector=choose_language)

    meter = meter or Meter()
    store = store or SqliteStore(data_dir / "companion.sqlite")
    store.commit = meter.commits(store.commit)  # type: ignore[method-assign]
    tables = Tables(store, games, clock=SteadyClock())
    links = Links(read_keys(data_dir / "key"))
    screens = Screens(cast("Paper", app.jinja_env), tables, links, spoken_here)
    hub = Hub(screens.draw, heartbeat)
    hub.show = meter.draws(hub.show)  # type: ignore[method-assign]
    hub.counted = meter.screens
    tables.ring = hub.show
    kept_nights = Nights(tables)

    def purge(table: str) -> None:
        screens.forget(table)
        kept_nights.forget_all()

    tables.mind.purge = purge
    homes = [game.home for game in games.values() if game.home is not None]
    files = assets.Assets(folder("static"), *(home / "static" for home in homes))

    @lru_cache(maxsize=1)
    def ways_at(moment: float) -> list[Way]:
        found = [Way(addresses.url(a.ip, port), a.adapter, a.is_virtual, a.is_loopback) for a in addresses.addresses()]
        return [*([Way(address_url(address, port), "")] if address else []), *found]

    def ways() -> list[Way]:
        """Asking the system takes longer than a tap, and the laptop asks with every tap of its own."""
        return ways_at(time.monotonic() // ADDRESSES_LAST)

    @lru_cache(maxsize=1_000)
    def seen_at(scheme: str, host: str) -> str | None:
        """Where the browser that asks finds us, unless that is on this machine only."""
        here = host.rpartition(":")[0].strip("[]") in ("localhost", "127.0.0.1", "::1")
        return None if here else f"{scheme}://{get_host(scheme, host)}"

    def base(environ: WSGIEnvironment) -> str:
        """Where phones find us: as the host said, else as the host's own browser does, else our best address."""
        seen = None if address else seen_at(environ["wsgi.url_scheme"], environ.get("HTTP_HOST", "localhost:"))
        return seen or ways()[0].url

    def viewer(link: Link, environ: WSGIEnvironment) -> Viewer:
        language = best_language(spoken_here, environ.get("HTTP_ACCEPT_LANGUAGE", ""))
        return Viewer(link, language, environ.get("SCRIPT_NAME", "").rstrip("/"), base(environ))

    app.jinja_env.loader = FileSystemLoader([folder("templates"), *(home / "templates" for home in homes)])
    app.jinja_env.globals.update(
        _=gettext,
        ngettext=ngettext,
        get_locale=lambda: spoken().name,
        button=taps.button,
        form=taps.form,
        chip=taps.chip,
        asset=files.path,
        has_asset=lambda name: name in files,
        qr=qr.svg,
        say=draw_say,
        text_direction=text_direction,
        version=__version__,
    )
    app.jinja_env.filters["day"] = lambda at: format_date(datetime.fromtimestamp(at), locale=spoken().name)
    app.jinja_env.filters["clock"] = lambda at: time.strftime("%H:%M", time.localtime(at))
    app.context_processor(lambda: {"root": request.root_path.rstrip("/")})
    app.extensions["companion"] = parts = Parts(
        tables, links, hub, screens, files, Limits(tries, most=most), ways, viewer, kept_nights, meter,
        (*operate.THIS_MACHINE, *operators), threading.Event(),
    )  # fmt: skip
    errors.answer_errors(app)
    assets.serve(app, files)
    for pages in (lobby.pages, seat.pages, shared.pages, again.pages, nights.pages, operate.pages):
        app.register_blueprint(pages)
    app.wsgi_app = ShortWay(app.wsgi_app, parts, BODY_LIMIT)  # type: ignore[method-assign]
    return app


def address_url(address: str, port: int) -> str:
    """What the host typed as address, as the beginning of a link."""
    return address.rstrip("/") if "://" in address else addresses.url(address, port)
