"""mDNS: phones find this machine as `companion.local`, whatever address it has.

zeroconf has an event loop and a thread of its own, and its calls wait for the network. We make them in another thread,
one at a time, so that the thread which serves phones never waits.
"""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import Callable
from itertools import count

import gevent
from gevent.lock import BoundedSemaphore
from gevent.threadpool import ThreadPool
from zeroconf import AddressResolverIPv4, IPVersion, ServiceInfo, Zeroconf  # type: ignore[attr-defined]
from zeroconf import Error as ZeroconfError

from companion.server.addresses import local_name

log = logging.getLogger("companion")

SERVICE = "_http._tcp.local."
MAX_NAMES = 50
"""How many companions can have a name in one network."""
ASK_MS = 700
"""How long we wait for somebody who already has the name to say so."""
LEAVE_S = 3.0


class Mdns:
    """Announces `companion.local`, or the next free name, in the networks of this machine."""

    def __init__(self, port: int, tell: Callable[[str], None]) -> None:
        self._port = port
        self._tell = tell
        """Called with the name that leads to us, or with nothing once none does."""
        self._pool = ThreadPool(1)
        self._turn = BoundedSemaphore()
        self._zeroconf: Zeroconf | None = None
        self._addresses: list[str] = []
        self._number = 1
        self._is_leaving = False

    def announce(self, addresses: list[str]) -> None:
        """Announce the name for these addresses. It keeps its number if that is still free."""
        with self._turn:
            if not self._is_leaving:
                self._tell(self._pool.apply(self._announce, (addresses,)))

    def check(self) -> None:
        """If two took the same name at the same moment, the one with the higher address takes the next name."""
        if self._zeroconf is not None and self._pool.apply(self._is_contested):
            self._number += 1
            self.announce(self._addresses)

    def leave(self) -> None:
        """Withdraw the name, so that nobody looks for us here."""
        self._is_leaving = True
        with gevent.Timeout(LEAVE_S, False):
            self._pool.apply(self._close)

    # ---------------------------------------------------------------- in the thread

    def _announce(self, addresses: list[str]) -> str:
        self._close()
        self._addresses = addresses
        if not addresses:
            return ""
        try:
            self._zeroconf = zeroconf = Zeroconf(interfaces=list(addresses), ip_version=IPVersion.V4Only)
            for number in count(self._number):
                if number > MAX_NAMES:
                    return ""
                if not self._others_at(zeroconf, local_name(number)):
                    break
            self._number = number
            service = ServiceInfo(
                SERVICE, f"{local_name(number)}.{SERVICE}", port=self._port, server=f"{local_name(number)}.local.",
                addresses=[socket.inet_aton(address) for address in addresses],
            )  # fmt: skip
            zeroconf.register_service(service, allow_name_change=True)
        except (OSError, ZeroconfError) as trouble:  # a firewall, or a network that has just gone
            log.info("no name could be announced by mDNS", exc_info=trouble)
            self._close()
            return ""
        return f"{local_name(number)}.local"

    def _others_at(self, zeroconf: Zeroconf, name: str) -> set[str]:
        """The addresses of other machines that answer to this name. Two companions on one machine may share one."""
        asked = AddressResolverIPv4(f"{name}.local.")
        asked.request(zeroconf, ASK_MS)
        return set(asked.parsed_addresses(IPVersion.V4Only)) - set(self._addresses)

    def _is_contested(self) -> bool:
        if self._zeroconf is None:
            return False
        known = AddressResolverIPv4(f"{local_name(self._number)}.local.")
        known.load_from_cache(self._zeroconf)
        others = set(known.parsed_addresses(IPVersion.V4Only)) - set(self._addresses)
        return bool(others) and min(map(socket.inet_aton, others)) < min(map(socket.inet_aton, self._addresses))

    def _close(self) -> None:
        zeroconf, self._zeroconf = self._zeroconf, None
        if zeroconf is not None:
            with contextlib.suppress(OSError, ZeroconfError):
                zeroconf.unregister_all_services()
            zeroconf.close()
