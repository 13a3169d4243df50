"""nginx from Debian with the example of deploy/, on loopback; only ports and paths are changed."""

from __future__ import annotations

import os
import re
import signal
import socket
import ssl
import subprocess
from pathlib import Path

import httpx
from here import ROOT

from companion.testing import House, Person, Stream

HOST = "127.0.0.50"
"""Not localhost, which the companion doesn't offer to phones."""
EXAMPLE = ROOT / "deploy" / "nginx.conf"
MAIN = """
{user}
daemon off; pid {folder}/nginx.pid; error_log {folder}/main.log crit; worker_processes 1; worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server_names_hash_bucket_size 64;
  include {folder}/site.conf;
}}
"""


def free_ports(many: int) -> list[int]:
    """Return free ports."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(many)]
    ports = [sock.getsockname()[1] for sock in sockets]
    for sock in sockets:
        sock.close()
    return ports


def make_certificate(folder: Path) -> None:
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=IP:{HOST}",
            "-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem"),
        ],
        check=True, capture_output=True,
    )  # fmt: skip


class Front(House):
    """A proxy with companions behind it."""

    prefix = "/companion"

    def __init__(self, folder: Path, behind: list[int]) -> None:
        super().__init__(folder)
        folder.mkdir(parents=True)
        make_certificate(folder)
        self.port, self.plain_port = free_ports(2)
        self.tls = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
        (folder / "site.conf").write_text(self._site(behind))
        user = "user root;" if os.getuid() == 0 else ""
        (folder / "nginx.conf").write_text(MAIN.format(user=user, folder=folder))

    def _site(self, behind: list[int]) -> str:
        text = EXAMPLE.read_text()
        changes = {
            "127.0.0.1:8001": f"127.0.0.1:{behind[0]}",
            "127.0.0.1:8002": f"127.0.0.1:{behind[1]}",
            "listen 443": f"listen {HOST}:{self.port}",
            "listen 80": f"listen {HOST}:{self.plain_port}",
            "/etc/letsencrypt/live/play.example": str(self.data),
            "/var/log/nginx": str(self.data),
            "play.example;": f"{HOST};",
        }
        for theirs, ours in changes.items():
            assert theirs in text, f"the example does not say {theirs!r} any more"
            text = text.replace(theirs, ours)
        return re.sub(r"\n *listen \[::\].*", "", text)

    def start(self, *_: str) -> Front:
        command = ["nginx", "-e", "stderr", "-p", str(self.data), "-c", str(self.data / "nginx.conf")]
        subprocess.run([*command, "-t"], check=True, capture_output=True)
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            assert self.process.poll() is None, "nginx did not start"
            try:
                socket.create_connection((HOST, self.port), timeout=30).close()
            except ConnectionRefusedError:
                continue
            return self

    def kill(self) -> None:
        """Kill nginx with all its workers."""
        children = [
            int(pid) for pid in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        ]
        for pid in (self.process.pid, *children):
            os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait()

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.port}"

    def visitor(self, address: str = "127.0.0.1", **options: object) -> Person:
        """Return a browser with this client address; all of 127.* is this machine."""
        return Person(self.url, transport=httpx.HTTPTransport(verify=self.tls, local_address=address), **options)

    def stream(self, path: str, memory: int | None = None) -> Stream:
        return Stream(self.port, path, memory, HOST, self.tls)

    def written(self) -> str:
        """Return everything in nginx's logs."""
        return "".join(path.read_text() for path in self.data.glob("*.log"))
