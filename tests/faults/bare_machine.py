"""A machine with nothing on it but Python, make and git: a root folder of its own, in its own mount and PID namespaces.

Everything is mounted inside the namespace, so the system's own mounts never change, and the kernel unmounts all of it and
ends every process in there as soon as the first one ends. That one ends with the test, even if the test is killed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

USER = 1000
HOME = "/home/stranger"
TOOLS = (
    "sh", "git", "make", "basename", "cat", "cp", "dirname", "env", "ls", "mkdir", "mv", "readlink", "realpath", "rm", "touch", "uname",
)  # fmt: skip
"""All that a command finds on PATH, besides python3: no compiler, no pip, no browser."""
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
NETWORK = (
    "resolv.conf", "hosts", "host.conf", "nsswitch.conf", "gai.conf", "ssl", "ca-certificates", "pki", "pip.conf",
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime",
)  # fmt: skip
"""What is read in /etc to reach the package registries, and to load a library."""
DEVICES = ("null", "zero", "full", "random", "urandom")
REGISTRIES = (
    "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_CERT", "PIP_PROXY", "PIP_DEFAULT_TIMEOUT",
    "UV_INDEX", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
)  # fmt: skip
"""How this machine reaches the registries is all that the stranger's machine knows of it."""


class BareMachine:
    """Give commands to `command()`; what they write lies below `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in (HOME, "/srv", "/tmp", "/etc", "/dev", "/proc", "/tools"):
            self.path(name).mkdir(parents=True)
        for name in (HOME, "/tmp"):
            os.chown(self.path(name), USER, USER)
        self.path("/etc/passwd").write_text(f"root:x:0:0::/:/bin/sh\nstranger:x:{USER}:{USER}::{HOME}:/bin/sh\n")
        self.path("/etc/group").write_text(f"root:x:0:\nstranger:x:{USER}:\n")
        for tool in TOOLS:
            found = shutil.which(tool, path="/usr/bin:/bin")
            assert found, f"This machine has no {tool}."
            self.path(f"/tools/{tool}").symlink_to(found)
        base = Path(sys.base_prefix)
        python = self.path("/tools/python3")
        python.write_text(f'#!/bin/sh\nexec {base}/bin/python3 "$@"\n')
        python.chmod(0o755)
        self._mounts: list[tuple[str, str]] = []
        for name in SYSTEM:
            self._show(name)
        if not base.is_relative_to("/usr"):
            self._show(str(base))
        for name in NETWORK:
            self._show(f"/etc/{name}")
        for name in DEVICES:
            self._show(f"/dev/{name}")

    def path(self, name: str) -> Path:
        """Where a file of that machine lies on this one."""
        return self.root / name.lstrip("/")

    def _show(self, name: str) -> None:
        """Let that machine read this folder or file of ours, if we have it."""
        source, target = Path(name), self.path(name)
        if not source.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink() and name in SYSTEM:
            target.symlink_to(source.readlink())
            return
        if source.is_dir():
            target.mkdir()
        else:
            target.touch()
        self._mounts.append((str(source.resolve()), str(target)))

    def command(self, line: str) -> list[str]:
        """What runs this line of shell in there, in the user's empty home, with a clean environment and nothing of ours to write to."""
        steps = [
            *(shlex.join(["mount", "-o", "bind,ro", source, target]) for source, target in self._mounts),
            shlex.join(["mount", "-t", "proc", "proc", str(self.path("/proc"))]),
        ]
        known = {name: os.environ[name] for name in REGISTRIES if name in os.environ}
        variables = {"PATH": "/tools", "HOME": HOME, "LANG": "C.UTF-8", **known}
        inside = [
            "chroot", f"--userspec={USER}:{USER}", "--groups=", str(self.root), "/usr/bin/env", "-i",
            *(f"{name}={value}" for name, value in variables.items()),
            "/bin/sh", "-c", f"cd {HOME} && {line}",
        ]  # fmt: skip
        # The shell stays the first process of the namespace: with `exit` after it, chroot does not replace it.
        script = "set -e\n" + "\n".join(steps) + f"\nset +e\n{shlex.join(inside)}\nexit $?"
        return [
            "setpriv", "--pdeathsig", "KILL",
            "unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child=KILL", "--", "sh", "-c", script,
        ]  # fmt: skip

    def run(self, line: str) -> str:
        """Run a line of shell to its end; what it printed."""
        done = subprocess.run(
            self.command(line),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def remove(self) -> None:
        """Delete the root folder; never if anything of this machine were still to be seen in it."""
        mounted = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        left = [place for place in mounted if Path(place).is_relative_to(self.root)]
        assert not left, f"Still mounted: {left}"
        shutil.rmtree(self.root)
