"""Which of this machine's addresses a phone can reach."""

from __future__ import annotations

import ipaddress
import re
import socket

import ifaddr
import msgspec

VIRTUAL = re.compile(
    r"docker|veth|^br-|virbr|vmnet|vboxnet|virtualbox|vmware|hyper-v|vethernet|wsl|lxc|lxd|podman|cni|flannel|"
    r"tailscale|zerotier|wireguard|^wg|^tun|^tap|utun|^zt|loopback|bluetooth|^awdl|^llw|^anpi",
    re.IGNORECASE,
)
PHONE_NETWORK = re.compile(r"^(wl|wi-?fi|wlan|en\d|eth|enp|eno|ens|ethernet)", re.IGNORECASE)

LEAD_TO_LOCALHOST = ("0.0.0.0", "::", "127.0.0.1", "::1", "localhost")


LOCAL_NAME = "companion"
"""As mDNS announces this machine: `companion.local`, `companion-2.local` …"""


class LocalAddress(msgspec.Struct, frozen=True):
    """One address of this machine."""

    ip: str
    adapter: str
    is_default: bool = False

    @property
    def is_loopback(self) -> bool:
        return ipaddress.ip_address(self.ip).is_loopback

    @property
    def is_virtual(self) -> bool:
        return bool(VIRTUAL.search(self.adapter))

    def rank(self) -> tuple[object, ...]:
        """Smaller is better: a real adapter with the default route first, loopback last."""
        ip = ipaddress.ip_address(self.ip)
        return (
            self.is_loopback,
            ip.is_link_local,
            self.is_virtual,
            ip.version != 4,
            not self.is_default,
            not ip.is_private,
            not PHONE_NETWORK.search(self.adapter),
            self.adapter,
            self.ip,
        )


def ranked(addresses: list[LocalAddress]) -> list[LocalAddress]:
    """Best first; loopback only if it is all there is."""
    best = sorted(set(addresses), key=LocalAddress.rank)
    reachable = [address for address in best if not address.is_loopback]
    return reachable or best or [LocalAddress("127.0.0.1", "lo")]


def default_route() -> str | None:
    """The address this machine would speak from to the world. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        found: str = probe.getsockname()[0]
        return found


def addresses() -> list[LocalAddress]:
    """All addresses of this machine that a phone might reach, best first."""
    default = default_route()
    found = []
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            if isinstance(ip.ip, tuple) and ipaddress.ip_address(text).is_link_local:
                continue  # needs a zone that no QR code can carry
            found.append(LocalAddress(text, adapter.nice_name, is_default=text == default))
    return ranked(found)


def local_name(number: int) -> str:
    """The name that the first companion of a network takes, the second, and so on."""
    return LOCAL_NAME if number == 1 else f"{LOCAL_NAME}-{number}"


def url(host: str, port: int, scheme: str = "http") -> str:
    """The beginning of a link to this address or name."""
    host = f"[{host}]" if ":" in host else host
    usual = 443 if scheme == "https" else 80
    return f"{scheme}://{host}" if port == usual else f"{scheme}://{host}:{port}"


def laptop_url(host: str, port: int, scheme: str = "http") -> str:
    """The address for a browser on this machine, if the companion listens on this host."""
    return f"{scheme}://localhost:{port}" if host in LEAD_TO_LOCALHOST else url(host, port, scheme)
