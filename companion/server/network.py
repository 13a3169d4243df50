"""Follows the networks of this machine while people play: QR codes, the name, the terminal."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import gevent

from companion.server import terminal
from companion.server.addresses import url
from companion.web import Services

if TYPE_CHECKING:
    from companion.server.certificate import Certificate

POLL_S = 2.0
"""How often this machine is asked for its addresses."""
ANY_HOST = ("0.0.0.0", "::")


class NetworkWatch:
    """Notices that addresses have changed, and tells everybody who shows one."""

    def __init__(
        self, options: argparse.Namespace, services: Services, port: int, certificate: Certificate | None
    ) -> None:
        self._options = options
        self._services = services
        self._port = port
        self._certificate = certificate
        self._scheme = "https" if options.https else "http"
        self._generation = services.addresses.generation
        self._best = services.addresses()[0]
        self._had_moved = False
        self._ips: list[str] = []
        self._mdns = None
        # Behind a proxy, or with a complete --address, somebody else manages the name.
        if not (options.no_mdns or options.proxies or options.dev or "://" in (options.address or "")):
            from companion.server.mdns import Mdns

            self._mdns = Mdns(port, self._named)
        self._naming: gevent.Greenlet | None = None
        self._cover()

    def _cover(self) -> None:
        """Renew the certificate for our present addresses."""
        if self._certificate is not None:
            hosts = [urlsplit(one.url).hostname or "" for one in self._services.addresses()]
            self._certificate.cover(host for host in hosts if ":" in host or host.replace(".", "").isdecimal())

    def poll(self) -> None:
        """Check the addresses of this machine, and act if they have changed."""
        addresses = self._services.addresses
        addresses.refresh()
        if (addresses.generation, addresses.has_moved()) != (self._generation, self._had_moved):
            self._generation, self._had_moved = addresses.generation, addresses.has_moved()
            best, listed = addresses()[0], [one.url for one in addresses()]
            self._cover()
            self._services.hub.readdress(self._services.viewer.again)
            if self._best.url not in listed and not self._options.dev:
                terminal.say_moved(best)
            self._best = best
        if self._mdns is not None and (self._naming is None or self._naming.ready()):
            self._naming = gevent.spawn(self._name)

    def _name(self) -> None:
        """Announce our name in the present networks."""
        ips = [host for one in self._services.addresses() if (host := self._announced(one.url, one.is_virtual))]
        if self._mdns is None:
            return
        if sorted(ips) != self._ips:
            self._ips = sorted(ips)
            self._mdns.announce(self._ips)
        else:
            self._mdns.check()

    def _announced(self, address: str, is_virtual: bool) -> str:
        """The IPv4 address in this link, if phones can reach us there."""
        host = urlsplit(address).hostname or ""
        is_ip = host.replace(".", "").isdecimal() and not host.startswith("127.")
        is_served = self._options.host in (*ANY_HOST, host)
        return host if is_ip and is_served and not is_virtual else ""

    def _named(self, name: str) -> None:
        before, after = self._services.addresses.name, url(name, self._port, self._scheme) if name else ""
        self._services.addresses.announced(after)
        if after and (before is None or before.url != after):
            terminal.say_named(after)

    def leave(self) -> None:
        if self._mdns is not None:
            self._mdns.leave()
