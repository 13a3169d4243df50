"""--https: a certificate made on the spot, and a table played over it."""

from __future__ import annotations

import socket
import ssl
import stat
from collections.abc import Iterator

import httpx
import pytest
from cryptography import x509

from companion.server.certificate import FILE, Certificate
from companion.testing import House, Person
from companion.testing.stream import Stream


class SafeHouse(House):
    """A companion that encrypts. Its visitors trust its certificate, as people do who have read the warning."""

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def trusted(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.data / FILE)

    def visitor(self) -> Person:
        person = Person(self.url)
        person._transport = httpx.HTTPTransport(verify=self.trusted)
        return person

    def stream(self, path: str, memory: int | None = None) -> Stream:
        return Stream(self.port, path, memory, tls=self.trusted)


@pytest.fixture
def safe_house(tmp_path) -> Iterator[SafeHouse]:
    house = SafeHouse(tmp_path / "data", COMPANION_TRIES="1000000", COMPANION_HEARTBEAT="0.5")
    house.start("--https")
    yield house
    house.kill()


def test_a_table_is_played_over_https(safe_house):
    table = safe_house.opens("score_sheet", mode="running")
    ann = table.sits("Ann")
    table.sits("Ben")
    stream = table.shared.listens()
    table.starts()
    assert ann.presses("Write down", points=7).status == 200
    stream.until("7")
    assert table.shared.shows("https://")
    assert all("Secure" in one for one in ann.client.get(ann.path).headers.get_list("set-cookie"))
    assert safe_house.stop() == 0
    assert stream.ended()


def test_many_screens_at_once_and_slow_ones_among_them(safe_house):
    """A stream over TLS is the hub's own: what one reader leaves unread holds up nobody."""
    table = safe_house.opens("score_sheet", mode="running")
    ann = table.sits("Ann")
    table.sits("Ben")
    table.starts()
    lazy = [safe_house.stream(f"{table.shared.path}/live", memory=4096) for _ in range(5)]
    stream = ann.listens()
    for points in range(1, 40):
        assert ann.presses("Write down", points=points).status == 200
    stream.until("780")
    for one in lazy:
        one.until("780")


def test_who_speaks_plain_http_is_led_to_https(safe_house):
    reply = httpx.get(f"http://127.0.0.1:{safe_house.port}/t/ABCD?k=x")
    assert (reply.status_code, reply.headers["location"]) == (307, f"{safe_house.url}/t/ABCD?k=x")
    for said in (b"\x16", b"\x16\x03\x01\x00\x05hello", b"nonsense\r\n\r\n", b'GET / HTTP/1.1\r\nHost: "><b>\r\n\r\n'):
        with socket.create_connection(("127.0.0.1", safe_house.port)) as sock:
            sock.sendall(said)
            sock.shutdown(socket.SHUT_WR)
            assert b"<b>" not in sock.recv(4096)
    assert safe_house.visitor().get("/").status_code == 200


def test_the_terminal_explains_the_warning_in_two_sentences(safe_house):
    assert "https://localhost:" in safe_house.greeting
    assert "Each phone warns once" in safe_house.greeting
    assert "your connection is encrypted" in safe_house.greeting


def names(path) -> x509.SubjectAlternativeName:
    found = x509.load_pem_x509_certificate(path.read_bytes())
    return found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value


def test_the_certificate_names_every_address_and_keeps_its_key(tmp_path):
    certificate, path = Certificate(tmp_path / "data"), tmp_path / "data" / FILE
    certificate.cover(["192.168.1.20", "fd00::7"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {"localhost", "companion.local", "companion-2.local"} <= set(names(path).get_values_for_type(x509.DNSName))
    assert {str(ip) for ip in names(path).get_values_for_type(x509.IPAddress)} == {
        "127.0.0.1",
        "192.168.1.20",
        "fd00::7",
    }
    first = path.read_text()
    certificate.cover(["192.168.1.20"])
    assert path.read_text() == first  # phones that have accepted it are not asked again
    certificate.cover(["10.0.0.5"])
    assert "10.0.0.5" in {str(ip) for ip in names(path).get_values_for_type(x509.IPAddress)}
    assert path.read_text().partition("-----BEGIN CERT")[0] == first.partition("-----BEGIN CERT")[0]


@pytest.mark.parametrize("broken", ["", "nonsense", "-----BEGIN CERTIFICATE-----\n"])
def test_a_broken_certificate_is_made_again(tmp_path, broken):
    (tmp_path / FILE).write_text(broken)
    Certificate(tmp_path).cover(["10.0.0.5"])
    assert "PRIVATE KEY" in (tmp_path / FILE).read_text()
