"""Where phones find this companion: its addresses as they are now, its name, and which of them goes into QR codes.

The decision: a QR code holds the address by which most phones have come, and before the first has come, the one that
looks best. Every phone can open an IP address, and not every phone can look up a `.local` name, so the name goes into
QR codes only when more phones came by it than by any address. A phone that comes by an address and can look up the name
moves on to the name by itself (`static/companion.js`), where its cookies outlive a change of the network.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from werkzeug import Response
from werkzeug.sansio.utils import get_host

from companion.engine.links import Link
from companion.live.networks import network_of
from companion.web import Address
from companion.web.errors import HEADERS
from companion.web.i18n import Languages
from companion.web.own_regions import Viewer

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

TTL_S = 5.0
"""Asking the system for its addresses takes longer than a tap."""
MOVED_S = 600.0
"""How long after a change of network the code for phones that come back is shown."""
MAX_PHONES = 200
"""How many phones are counted per address."""


class OwnAddresses:
    """The addresses by which phones may reach us, the best one first."""

    def __init__(
        self,
        find: Callable[[], list[Address]],
        fixed: Address | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._find = find
        self._fixed = fixed
        """The address from --address: it always comes first."""
        self._clock = clock
        self._found: list[Address] = []
        self._listed: list[Address] = []
        self._looked_at = -TTL_S
        self._phones: dict[str, set[str]] = {}
        """Which phones have come by an address."""
        self._name: Address | None = None
        self._moved_at: float | None = None
        self.generation = 0
        """Increases whenever the list changes."""

    def __call__(self) -> list[Address]:
        if self._clock() - self._looked_at >= TTL_S:
            self.refresh()
        return self._listed

    def refresh(self) -> None:
        """Ask the system again, and put what phones use first."""
        self._looked_at = self._clock()
        found = self._find()
        if self._found and any(one not in found for one in self._found):
            self._moved_at = self._looked_at
        self._found = found
        self._list()

    def _list(self) -> None:
        name, found = self._name, sorted(self._found, key=lambda one: -self._count(one))
        if name is not None:
            is_best = not found or self._count(name) > self._count(found[0])
            found = [name, *found] if is_best else [*found, name]
        listed = [self._fixed, *found] if self._fixed else found
        if listed != self._listed:
            self._listed = listed
            self.generation += 1

    def _count(self, address: Address) -> int:
        return len(self._phones.get(address.url, ()))

    @property
    def name(self) -> Address | None:
        """The `.local` name that phones may look up, once it is announced."""
        return self._name

    def announced(self, url: str) -> None:
        """Set the name that leads to us; empty if there is none."""
        self._name = Address(url, "mDNS", is_name=True) if url else None
        self._list()

    def has_moved(self) -> bool:
        """Whether we have lost an address recently, and phones with it."""
        return self._moved_at is not None and self._clock() - self._moved_at < MOVED_S

    def note_phone(self, url: str, caller: str | None, reached: str | None = None) -> None:
        """A phone has come by this address: it works. What comes from this machine proves nothing.

        Nor does an address that a phone only names: one that nobody can reach would go into QR codes.
        """
        address = next((one for one in self() if one.url == url), None)
        if address is None or caller is None or is_own(caller, self._listed):
            return
        is_true = reached is None or network_of(reached) == network_of(urlsplit(url).hostname)
        if not (is_true or address.is_name or address == self._fixed):
            return
        phones = self._phones.setdefault(url, set())
        if len(phones) < MAX_PHONES and network_of(caller) not in phones:
            phones.add(network_of(caller))
            self._list()

    def lasts(self, url: str) -> bool:
        """Whether this address will still lead to us on another evening: our name, or --address."""
        return url in {one.url for one in (self._name, self._fixed) if one is not None}

    def printed(self) -> str:
        """The best address that every phone can open: people type it, whatever the QR code holds."""
        listed = self()
        return next((one.url for one in listed if not one.is_name), listed[0].url)

    def others(self, url: str, *, by_name: bool = False) -> str:
        """Where else a page that came from `url` may find us: our name first, or our name alone.

        A page on this machine needs none of them, and a content security policy cannot name an IPv6 address.
        """
        if not any(one.url == url for one in self()):
            return ""
        listed = [one for one in self() if not (one.is_virtual or one.is_loopback or "[" in one.url or one.url == url)]
        return " ".join(
            one.url for one in sorted(listed, key=lambda one: not one.is_name) if one.is_name or not by_name
        )


def is_own(caller: str, addresses: Iterable[Address]) -> bool:
    """Whether a request comes from this machine."""
    try:
        is_loopback = ipaddress.ip_address(caller).is_loopback
    except ValueError:
        is_loopback = False
    return is_loopback or caller in {urlsplit(one.url).hostname for one in addresses}


def names_this_machine(host: str) -> bool:
    """Whether this name can only lead to the reader's own machine.

    Everybody in a network can lead a `.local` name of their own to anywhere, and so read here from their own page.
    """
    name = urlsplit(f"//{host}").hostname or ""
    return name == "localhost" or name.endswith(".localhost") or is_own(name, ())


def allow_pictures_from(reply: Response, addresses: str) -> Response:
    """Let a page find out whether these addresses lead to us, by loading a picture from them."""
    if addresses:
        policy = HEADERS["Content-Security-Policy"].replace("data:;", f"data: {addresses};")
        reply.headers["Content-Security-Policy"] = policy
    return reply


class Viewers:
    """Says who looks through a link: in which language, and at which address they, and so other phones, find us.

    If the host has named an address it is `fixed`. Else it is the one that the browser has used, if it is one of ours
    or a proxy says so, and our best one if not: each address is drawn for by itself, so nobody may make up new ones.
    """

    def __init__(
        self, addresses: OwnAddresses, languages: Languages, *, own_name: str, fixed: bool, behind_proxy: bool
    ) -> None:
        self._addresses = addresses
        self._languages = languages
        self._own_name = own_name
        """The address that this machine's own name gives us."""
        self._fixed = fixed
        self._behind_proxy = behind_proxy
        self.seen_at = lru_cache(maxsize=1_000)(seen_at)

    def __call__(self, link: Link, environ: WSGIEnvironment) -> Viewer:
        language, root = self._languages.of(environ).name, environ.get("SCRIPT_NAME", "").rstrip("/")
        if host := "" if self._fixed else environ.get("HTTP_HOST", ""):
            seen = self.seen_at(environ["wsgi.url_scheme"], host)
            is_forwarded = self._behind_proxy and "HTTP_X_FORWARDED_FOR" in environ
            is_local = urlsplit(seen).hostname in ("localhost", "127.0.0.1", "::1")
            if (is_forwarded and not is_local) or self._is_used(seen):
                return Viewer(link, language, root, seen)
        return self._at_best(Viewer(link, language, root, "", is_ours=True))

    def _is_used(self, url: str) -> bool:
        return url == self._own_name or any(url == one.url and not one.is_name for one in self._addresses())

    def _at_best(self, viewer: Viewer) -> Viewer:
        best, printed = self._addresses()[0].url, self._addresses.printed()
        return msgspec.structs.replace(viewer, base=best, printed="" if printed == best else printed, is_ours=True)

    def again(self, viewer: Viewer) -> Viewer:
        """The same viewer after our addresses have changed."""
        if viewer.is_ours or not self._is_used(viewer.base):
            viewer = self._at_best(viewer)
        return msgspec.structs.replace(viewer, has_moved=self._addresses.has_moved())


def seen_at(scheme: str, host: str) -> str:
    """The beginning of the address that a browser has used."""
    return f"{scheme}://{get_host(scheme, host.lower())}"
