"""Machines with networks of their own, on one switch: Linux network namespaces, joined by cables (veth) to a bridge."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from zeroconf import AddressResolverIPv4, IPVersion, Zeroconf

from companion.testing import House

T = TypeVar("T")
CLONE_NEWNET = 0x40000000
NUMBERS = itertools.count()
"""Makes the names of machines and cables differ."""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Machine:
    """A machine on the switch. What runs `inside` it sees its networks and no others."""

    def __init__(self, switch: str, address: str) -> None:
        number = next(NUMBERS)
        self.name = f"ct{os.getpid()}-{number}"
        self.cable = f"c{os.getpid() % 100_000}-{number}"
        self.address = ""
        ip("netns", "add", self.name)
        ip("link", "add", "eth0", "netns", self.name, "type", "veth", "peer", "name", self.cable, "netns", switch)
        ip("-n", switch, "link", "set", self.cable, "master", "switch", "up")
        ip("-n", self.name, "link", "set", "lo", "up")
        self.moves_to(address)
        self._inside = ThreadPoolExecutor(1, initializer=self._enter)

    def _enter(self) -> None:
        with Path(f"/run/netns/{self.name}").open() as own:
            assert ctypes.CDLL(None, use_errno=True).setns(own.fileno(), CLONE_NEWNET) == 0, ctypes.get_errno()

    def moves_to(self, address: str) -> None:
        """Get another address, as in another Wi-Fi; the old one is gone."""
        ip("-n", self.name, "address", "flush", "dev", "eth0", "scope", "global")
        self.address = address
        if address:
            ip("-n", self.name, "address", "add", f"{address}/16", "broadcast", "+", "dev", "eth0")
            ip("-n", self.name, "link", "set", "eth0", "up")
            ip("-n", self.name, "route", "replace", "default", "dev", "eth0")

    def does(self, work: Callable[[], T]) -> T:
        """Do this from inside the machine: sockets that are opened meanwhile are the machine's own."""
        return self._inside.submit(work).result()

    def finds(self, name: str) -> list[str]:
        """Look a name up by mDNS, as a phone does that has asked nobody before."""

        def ask() -> list[str]:
            zeroconf = Zeroconf(interfaces=[self.address], ip_version=IPVersion.V4Only)
            with contextlib.closing(zeroconf):
                asked = AddressResolverIPv4(f"{name}.")
                asked.request(zeroconf, 1_500)
                return sorted(asked.parsed_addresses(IPVersion.V4Only))

        return self.does(ask)

    def goes(self) -> None:
        self._inside.shutdown()
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True)


class LaptopHouse(House):
    """A companion that runs inside a machine, and reads aloud what its terminal shows."""

    def __init__(self, machine: Machine, data: Path, **environment: str) -> None:
        super().__init__(data, port=8000, **{"COMPANION_NO_MDNS": "", "COMPANION_TRIES": "1000000"} | environment)
        self.machine = machine
        self.inside = ("ip", "netns", "exec", machine.name)
        self._said: list[str] = []

    def start(self, *options: str) -> House:
        super().start(*options)
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def _listen(self) -> None:
        with contextlib.suppress(ValueError):  # the terminal was closed
            for line in self.process.stdout:
                self._said.append(line)

    @property
    def terminal(self) -> str:
        """What was said after the greeting."""
        return "".join(self._said)


@contextlib.contextmanager
def switched() -> Iterator[Callable[[str], Machine]]:
    """A switch, and a way to connect machines to it."""
    switch = f"cs{os.getpid()}-{next(NUMBERS)}"
    machines: list[Machine] = []
    ip("netns", "add", switch)
    try:
        ip("-n", switch, "link", "add", "switch", "type", "bridge", "mcast_snooping", "0", "forward_delay", "0")
        ip("-n", switch, "link", "set", "switch", "up")

        def connect(address: str) -> Machine:
            machines.append(Machine(switch, address))
            return machines[-1]

        yield connect
    finally:
        for machine in machines:
            machine.goes()
        ip("netns", "del", switch)


class NameService:
    """What answers programs on a phone that look up a name: it asks the network by mDNS, and says what it hears."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._socket = machine.does(self._open)
        threading.Thread(target=self._answer, daemon=True).start()
        self.settings = Path(f"/etc/netns/{machine.name}")
        self.settings.mkdir(parents=True)
        (self.settings / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:2 attempts:3\n")
        (self.settings / "nsswitch.conf").write_text("hosts: files dns\n")

    def _open(self) -> socket.socket:
        found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        found.bind(("127.0.0.1", 53))
        return found

    def _answer(self) -> None:
        with contextlib.suppress(OSError, RuntimeError):  # the phone is switched off
            while True:
                question, sender = self._socket.recvfrom(512)
                end = question.index(b"\0", 12) + 5
                labels, at = [], 12
                while question[at]:
                    labels.append(question[at + 1 : at + 1 + question[at]].decode())
                    at += question[at] + 1
                name, kind = ".".join(labels), struct.unpack(">H", question[end - 4 : end - 2])[0]
                found = self._machine.finds(name) if kind == 1 and name.endswith(".local") else []
                head = question[:2] + struct.pack(">HHHHH", 0x8180, 1, len(found), 0, 0)
                records = [b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 1, 4) + socket.inet_aton(one) for one in found]
                self._socket.sendto(head + question[12:end] + b"".join(records), sender)

    def close(self) -> None:
        self._socket.close()
        for path in self.settings.iterdir():
            path.unlink()
        self.settings.rmdir()
