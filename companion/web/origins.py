"""Origin check: a request must use one of our addresses, and a form must come from one of our own pages.

A website could otherwise point its own domain name at this machine (DNS rebinding) and read along, or send
forms here in the visitor's name. This check runs before everything else.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from werkzeug import Request

from companion.web import Services
from companion.web.errors import problem_reply, with_headers
from companion.web.i18n import use_locale

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HOST = re.compile(r"(?:\[(?P<ipv6>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9._-]{1,253}))(?::[0-9]{1,5})?")
"""No longer than a name can be: it goes into QR codes, and some of it is kept."""
PREFIX = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?")
"""A plain path. `//evil.example` would make every link of a page lead there."""
MAX_PREFIX = 200
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
PROBLEMS = {"unreadable": 400, "foreign_page": 403, "unknown_host": 421}


class OriginCheck:
    """Refuses what uses an address that is not ours, and what another site's page sends."""

    def __init__(self, app: WSGIApplication, services: Services, *, behind_proxy: bool) -> None:
        self._app = app
        self._services = services
        self._behind_proxy = behind_proxy
        self._is_known = lru_cache(maxsize=1_000)(self._look_up)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not (problem := self._problem(environ)):
            return self._app(environ, start_response)
        if problem == "unreadable":
            environ["SCRIPT_NAME"] = ""
        services = self._services
        with use_locale(services.languages.of(environ)):
            reply = with_headers(problem_reply(services, Request(environ), PROBLEMS[problem], problem))
        return reply(environ, start_response)

    def _problem(self, environ: WSGIEnvironment) -> str:
        prefix = environ.get("SCRIPT_NAME", "")
        if len(prefix) > MAX_PREFIX or not PREFIX.fullmatch(prefix):
            return "unreadable"
        host = environ.get("HTTP_HOST", "").lower()
        # A proxy has its own list of names; only old programs, no browsers, send no host at all.
        is_forwarded = self._behind_proxy and "HTTP_X_FORWARDED_FOR" in environ
        if host and not (HOST.fullmatch(host) and (is_forwarded or self._is_known(host, self._generation()))):
            return "unknown_host"
        is_safe = environ["REQUEST_METHOD"] in SAFE_METHODS
        return "" if is_safe or not comes_from_elsewhere(environ, host) else "foreign_page"

    def _generation(self) -> int:
        """How often our addresses have changed."""
        self._services.addresses()
        return self._services.addresses.generation

    def _look_up(self, host: str, _generation: int) -> bool:
        """Whether this is a present address of this machine, or a name that only leads to it."""
        found = HOST.fullmatch(host)
        name = found["ipv6"] or found["name"] if found else ""
        if name == "localhost" or name.endswith((".local", ".localhost")):
            return True
        try:
            if ipaddress.ip_address(name).is_loopback:
                return True
        except ValueError:
            pass  # a name that the host may have given us
        return name in {urlsplit(address.url).hostname for address in self._services.addresses()}


def comes_from_elsewhere(environ: WSGIEnvironment, host: str) -> bool:
    """Whether a page that is not ours has sent this. Some browsers inside of apps do not say, and may play."""
    site, origin = environ.get("HTTP_SEC_FETCH_SITE"), environ.get("HTTP_ORIGIN")
    if site in ("same-origin", "cross-site"):
        return bool(site == "cross-site")
    return origin is not None and without_usual_port(origin.lower().partition("://")[2]) != without_usual_port(host)


def without_usual_port(host: str) -> str:
    return re.sub(r":(80|443)$", "", host)
