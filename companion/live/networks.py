"""What counts as one address."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache

MAX_ADDRESSES = 10_000
HOUSEHOLD_BITS = 64
"""The IPv6 prefix that a provider gives to one household, in bits."""
WITH_PORT = re.compile(r"\[([^\]]*)\](?::\d*)?|([^:]*):\d*")
"""As some proxies name a caller: `192.0.2.9:1234`, `[2001:db8::1]:443`."""


@lru_cache(maxsize=MAX_ADDRESSES)
def network_of(address: str | None) -> str:
    """The household that this address belongs to: the address itself or, with IPv6, its first half."""
    found = WITH_PORT.fullmatch(address or "")
    name = found[1] or found[2] or "" if found else address or ""
    try:
        ip = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return address or ""
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, HOUSEHOLD_BITS), strict=False))
