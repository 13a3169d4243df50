"""For an operator: is the server alive, is it ready, and how busy is it."""

from __future__ import annotations

import base64
import ipaddress
import logging
from collections.abc import Iterable

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue

from companion.web import services

log = logging.getLogger("companion")
pages = Blueprint("operate", __name__)
NOTHING_TO_SEE = base64.b64decode("R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==")
FORWARDED = ("X-Forwarded-For", "Forwarded", "Via")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
THIS_MACHINE: tuple[Network, ...] = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1"))


def networks(text: str) -> tuple[Network, ...]:
    """As a host writes them: 10.0.0.5, fd00::/8"""
    return tuple(ipaddress.ip_network(one.strip()) for one in text.split(",") if one.strip())


@pages.get("/healthz")
def alive() -> ResponseReturnValue:
    """The process lives. Nothing else is checked, so that a slow store never gets it killed."""
    return text("alive")


@pages.get("/here")
def here() -> ResponseReturnValue:
    """A picture of nothing: a page that loads it from another of our addresses knows that it is us."""
    return Response(NOTHING_TO_SEE, mimetype="image/gif", headers={"Cross-Origin-Resource-Policy": "cross-origin"})


@pages.get("/readyz")
def ready() -> ResponseReturnValue:
    """The store answers, and this process is not shutting down."""
    if services().leaving.is_set():
        return text("leaving", 503)
    try:
        services().reader.store.recall("ready")
    except Exception as trouble:
        log.error("the store does not answer", exc_info=trouble)
        return text("the store does not answer", 503)
    return text("ready")


@pages.get("/metrics")
def read_metrics() -> ResponseReturnValue:
    """The metrics of this process, for its operator only: players are to learn nothing from them."""
    if not may_read_metrics():
        abort(404)
    numbers = services().metrics.exposition(services().hub.open)
    if numbers is None:
        return text("metrics need one more package: pip install 'companion-table[server]'", 404)
    return Response(numbers, content_type="text/plain; version=0.0.4; charset=utf-8")


def may_read_metrics() -> bool:
    """From this machine or a network that the host has named."""
    return called_from(services().operators)


def called_from(networks: Iterable[Network]) -> bool:
    """Whether the caller is in one of these networks; nobody is who comes through a proxy that hides who asks."""
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        caller = ipaddress.ip_address((request.remote_addr or "").partition("%")[0])
    except ValueError:
        return False
    if isinstance(caller, ipaddress.IPv6Address) and caller.ipv4_mapped:
        caller = caller.ipv4_mapped
    return any(caller in network for network in networks)


def text(words: str, status: int = 200) -> Response:
    """For machines: one word, in no language but ours."""
    return Response(f"{words}\n", status, mimetype="text/plain")
