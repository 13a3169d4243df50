"""`create_app` builds all parts and connects them through constructors. No other place knows them all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import gevent
from flask import Flask, request
from jinja2 import ChoiceLoader, FileSystemLoader, FunctionLoader, StrictUndefined, pass_context
from jinja2.runtime import Context

from companion import __version__
from companion.authoring import dev as authors
from companion.demo import pages as demo_pages
from companion.engine.links import Links, read_keys
from companion.engine.nights import MAX_CACHED_RESULTS, Nights
from companion.engine.reader import BoundedDict, TableCache, TableReader
from companion.engine.results import Played
from companion.engine.store import Store
from companion.engine.tables import CODE_LENGTH, Tables
from companion.game import Game
from companion.games import all_games
from companion.live.costly import CostlyPages, breathe
from companion.live.hub import HEARTBEAT_S, Hub
from companion.live.notify import ATTEMPT
from companion.server import addresses
from companion.server.request import MAX_BODY_BYTES
from companion.storage.sqlite import SqliteStore
from companion.web import (
    Address,
    Services,
    again,
    assets,
    card,
    charts,
    claims,
    controls,
    errors,
    help,
    lobby,
    nights,
    operate,
    own_host,
    players,
    qr,
    seat,
    shared,
)
from companion.web.i18n import (
    ENGLISH,
    Languages,
    clock,
    current_language,
    day,
    decimal,
    draw_say,
    gettext,
    ngettext,
    percent,
    pgettext,
    set_locale,
)
from companion.web.limits import Limits, LimitSettings
from companion.web.origins import OriginCheck
from companion.web.regions import Screens
from companion.web.render import FragmentMemo, OneLine, Renderer, Templates, compiled_templates
from companion.web.taps import Metrics, TapEndpoint
from companion.web.whereabouts import OwnAddresses, Viewers

HERE = Path(__file__).parent
PUBLIC_CODE_LENGTH = 6
"""Length of table codes where strangers might guess them."""


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
    heartbeat_s: float = HEARTBEAT_S,
    translations: Path | None = None,
    limits: LimitSettings | None = None,
    operators: Iterable[operate.Network] = (),
    metrics: Metrics | None = None,
    public: bool = False,
    statistics: bool | None = None,
    dev: bool = False,
    https: bool = False,
    demo: demo_pages.DemoOptions | None = None,
) -> Flask:
    """A companion over the data in `data_dir`; `public` if it serves people who do not know each other.

    `dev` shows all seats and errors to anybody who can reach it; `demo` shows all seats, and plays for them.
    """
    games = all_games() if games is None else games
    metrics, limits = metrics or Metrics(), limits or LimitSettings()
    store = store or SqliteStore(data_dir / "companion.sqlite", data_dir / "key")
    links = Links(read_keys(data_dir / "key"))
    homes = [game.home for game in games.values() if game.home is not None]
    files = assets.Assets(folder("static"), *(home / "static" for home in homes))
    languages = Languages(translations or folder("translations"), *(home / "translations" for home in homes))

    app = Flask("companion", static_folder=None, template_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = MAX_BODY_BYTES
    set_up_templates(app, [folder("templates"), *(home / "templates" for home in homes)], files)
    app.jinja_env.globals["languages"] = tuple(languages)

    memo, pages = FragmentMemo(), CostlyPages()
    results: BoundedDict[str, tuple[int, Played]] = BoundedDict(MAX_CACHED_RESULTS)
    reader = TableReader(store, games, TableCache(memo.burn, results.forget, pages.drop, store.forget))
    renderer = Renderer(app.jinja_env, languages, memo)
    screens = Screens(reader, links, renderer)
    hub = Hub(screens.draw, heartbeat_s, metrics.observe_draw)
    tables = Tables(
        reader, tell=hub.show, observe_commit=metrics.observe_commit,
        code_length=PUBLIC_CODE_LENGTH if public else CODE_LENGTH,
    )  # fmt: skip
    scheme = "https" if https else "http"
    own = own_addresses(address, port, scheme)
    services = Services(
        tables=tables, reader=reader, links=links, hub=hub, renderer=renderer, screens=screens, languages=languages,
        assets=files, limits=Limits(limits, alias=links.alias, announce=announcer(store)),
        addresses=own,
        viewer=Viewers(
            own, languages, own_name=addresses.url(own_host(), port, scheme), fixed=address is not None,
            behind_proxy=public,
        ),
        nights=Nights(tables, results, statistics, breathe), costly=pages,
        metrics=metrics, public=public, operators=(*operate.THIS_MACHINE, *operators), leaving=threading.Event(),
        explain_bug=authors.explain_bug if dev else None,
    )  # fmt: skip
    app.extensions["companion"] = services
    app.before_request(lambda: set_locale(languages.of(request.environ)))
    app.teardown_request(lambda _: set_locale(ENGLISH))
    app.url_map.converters["seat"] = shared.SeatConverter
    app.url_map.converters["join_code"] = lobby.CodeConverter
    errors.register(app, services)
    assets.serve(app, files)
    for blueprint in (
        lobby.pages, help.pages, claims.pages, seat.pages, shared.pages, again.pages, nights.pages, players.pages,
        operate.pages, card.pages,
    ):  # fmt: skip
        app.register_blueprint(blueprint)
    taps = TapEndpoint(app.wsgi_app, services, MAX_BODY_BYTES, limits.taps_per_second)
    app.wsgi_app = OriginCheck(taps, services, behind_proxy=public)  # type: ignore[method-assign]
    if dev:
        authors.register(app, services)
    if demo is not None:
        demo_pages.register(app, services, demo)
    return app


def set_up_templates(app: Flask, folders: list[Path], files: assets.Assets) -> None:
    """Jinja as Flask has it: a misspelt name is an error, and compiled templates are kept for the next start."""
    app.jinja_environment = Templates
    options = crc32(Path(__file__).read_bytes())  # this file sets them
    app.jinja_options = {
        "undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True, "auto_reload": False,
        "extensions": [OneLine], "bytecode_cache": compiled_templates(f"{__version__}-{options:08x}"),
    }  # fmt: skip
    environment = app.jinja_env
    environment.loader = ChoiceLoader([FileSystemLoader(folders), FunctionLoader(default_template)])
    environment.globals.update(
        _=gettext,
        ngettext=ngettext,
        pgettext=pgettext,
        get_locale=lambda: current_language().name,
        text_direction=lambda: current_language().direction,
        button=controls.button,
        form=controls.form,
        ask=controls.ask,
        chip=controls.chip,
        asset=files.path,
        has_asset=lambda name: name in files,
        art=files.drawing,
        picture=charts.picture,
        panelled=charts.panelled,
        qr=qr.svg,
        say=draw_say,
        version=__version__,
        dev=False,
    )
    for write in (day, clock, percent, decimal):
        environment.filters[write.__name__] = for_each_reader(write)


def for_each_reader(write: Callable[..., str]) -> Callable[..., str]:
    """A filter that depends on the language: Jinja must not compute it once, when it compiles a template."""

    @pass_context
    def drawn(_context: Context, *given: Any) -> str:
        return write(*given)

    return drawn


def default_template(name: str) -> str | None:
    """Stands in for a template that a game doesn't have."""
    return (
        {"stage": "{% include '_stage.html' %}", "mine": "", "drawer": ""}.get(Path(name).stem) if "/" in name else None
    )


def announcer(store: Store) -> Callable[[str, str], None]:
    """Notify other processes of the same store about a rate-limited attempt, without waiting."""
    notify_all = getattr(store, "notify_all", None)
    if notify_all is None:
        return lambda what, alias: None
    return lambda what, alias: gevent.spawn(notify_all, f"{ATTEMPT} {what} {alias}")


def own_addresses(address: str | None, port: int, scheme: str) -> OwnAddresses:
    """The addresses by which phones may reach us, found again when they change."""

    def find() -> list[Address]:
        return [
            Address(addresses.url(one.ip, port, scheme), one.adapter, one.is_virtual, one.is_loopback)
            for one in addresses.addresses()
        ]

    return OwnAddresses(find, Address(address_url(address, port, scheme), "") if address else None)


def address_url(address: str, port: int, scheme: str = "http") -> str:
    """Turn the host's --address into the beginning of a link."""
    return address.rstrip("/") if "://" in address else addresses.url(address, port, scheme)
