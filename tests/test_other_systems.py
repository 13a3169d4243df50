"""Windows and macOS lack calls that Linux has: the companion plays without any of them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap

from here import ROOT, python_path

from companion.testing import House, Person

WITHOUT = textwrap.dedent(
    """
    import os, signal, socket, sys
    import flask, gevent, gevent.pywsgi, gevent.threadpool, ifaddr, platformdirs, prometheus_client, qrcode, sqlite3  # they know where they are

    for name in (
        "dup", "fdatasync", "fork", "fstatvfs", "getuid", "geteuid", "mkfifo", "pipe2", "posix_fallocate", "pread",
        "pwrite", "sched_setaffinity", "sendfile", "set_blocking", "wait4", "fchmod", "fchown",
    ):
        if hasattr(os, name):
            delattr(os, name)
    for name in ("SIGCHLD", "SIGHUP", "SIGUSR1", "pthread_sigmask", "sigwait"):
        if hasattr(signal, name):
            delattr(signal, name)
    for name in ("TCP_USER_TIMEOUT", "SO_REUSEPORT"):
        if hasattr(socket, name):
            delattr(socket, name)
    for name in ("fcntl", "resource", "termios", "pwd", "grp"):
        sys.modules[name] = None
    import time
    for name in ("clock_gettime", "CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):
        if hasattr(time, name):
            delattr(time, name)

    from companion.cli import main
    main(sys.argv[1:])
    """
)


class Elsewhere(House):
    """A companion on a system without these calls."""

    def start(self, *options: str, encoding: str = "utf-8") -> House:
        command = [sys.executable, "-c", WITHOUT, "play", "--port=0", f"--data-dir={self.data}", *options]
        environment = {**os.environ, "PYTHONPATH": python_path(), "PYTHONIOENCODING": encoding}
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, encoding=encoding
            )
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if found := re.search(r"http://localhost:(\d+)", line):
                self.port = int(found.group(1))
            if "Ctrl-C" in line:
                return self
        raise AssertionError(self.log.read_text())


def test_a_table_is_played_where_calls_are_missing(tmp_path):
    house = Elsewhere(tmp_path / "data").start()
    try:
        table = house.opens("secret_ballot")
        for name in ("Ann", "Ben"):
            table.sits(name)
        stream = table.starts().shared.listens()
        for somebody, word in zip(table, ("owl", "fox"), strict=True):
            assert somebody.taps("Cast", word=word).status == 200
        assert table["Ann"].taps("Open").status == 200
        stream.until("2 different words")
    finally:
        house.process.send_signal(signal.SIGINT)
        assert house.process.wait() == 0
        house.process.stdout.close()
    assert "Traceback" not in house.log.read_text()
    assert "bug" not in house.log.read_text()


def test_a_console_without_block_characters_shows_the_addresses(tmp_path):
    house = Elsewhere(tmp_path / "data").start(encoding="cp1252")
    try:
        assert "On a phone:" in house.said
        assert Person(house.url).get("/").status_code == 200
    finally:
        house.kill()
