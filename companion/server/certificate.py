"""--https: a certificate made on the spot, which browsers warn of."""

from __future__ import annotations

import datetime
import ipaddress
import os
import ssl
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID
from gevent.ssl import SSLContext

from companion.server.addresses import local_name
from companion.web import own_host

FILE = "https.pem"
"""In the data folder: the key, and the certificate for it."""
NAMES = 10
"""So many `.local` names are in the certificate, since we may get any of the first."""
VALID_DAYS = 397
"""Browsers believe no certificate that is good for longer."""
RENEW_DAYS = 30


class Certificate:
    """Keeps a certificate for all addresses of this machine. With a new address it is made again, for the same key."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self.context = SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2

    def cover(self, ips: Iterable[str]) -> None:
        """Make sure that the certificate names these addresses; connections that begin later use it."""
        wanted = {*map(ipaddress.ip_address, ips), ipaddress.ip_address("127.0.0.1")}
        key, known, is_good = self._read()
        if not (is_good and wanted <= known):
            self._write(key or ec.generate_private_key(ec.SECP256R1()), wanted)
        self.context.load_cert_chain(self._path)

    def _read(self) -> tuple[ec.EllipticCurvePrivateKey | None, set[Any], bool]:
        """The key, the addresses of the certificate, and whether it is good for a while."""
        try:
            data = self._path.read_bytes()
            key = serialization.load_pem_private_key(data, None)
            found = x509.load_pem_x509_certificate(data)
            names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except (OSError, ValueError, x509.ExtensionNotFound):
            return None, set(), False
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            return None, set(), False
        left = found.not_valid_after_utc - datetime.datetime.now(datetime.UTC)
        known = set(names.get_values_for_type(x509.IPAddress))
        return key, known, left > datetime.timedelta(days=RENEW_DAYS)

    def _write(self, key: ec.EllipticCurvePrivateKey, ips: set[Any]) -> None:
        now, name = datetime.datetime.now(datetime.UTC), x509.Name.from_rfc4514_string("CN=Companion")
        hosts = [
            x509.DNSName(host)
            for host in ("localhost", own_host(), *(f"{local_name(n)}.local" for n in range(1, NAMES)))
        ]
        addresses = [x509.IPAddress(ip) for ip in sorted(ips, key=str)]
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))  # the clock of a phone may be slow
            .not_valid_after(now + datetime.timedelta(days=VALID_DAYS))
            .add_extension(x509.SubjectAlternativeName([*hosts, *addresses]), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(key, hashes.SHA256())
        )
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_name(f"{FILE}.{os.getpid()}.new")
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
            file.write(pem + certificate.public_bytes(serialization.Encoding.PEM))
        draft.replace(self._path)
