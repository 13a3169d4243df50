"""Play one evening against an installed companion: python tools/smoke.py [COMMAND ...]

It starts the companion, opens a table, lets two people sit down and play, stops it, starts it again, and looks whether
everything is still there. It needs nothing but Python, so it runs on every system right after an installation.
COMMAND starts the companion; without it, this Python's own `-m companion` does.
"""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode, urlsplit

WATCHDOG_S = 120.0
"""A companion that says nothing for so long is killed, so that the run fails instead of hanging."""


class Form:
    """One form of a page: where it is sent, and its fields as they are filled in."""

    def __init__(self, action: str) -> None:
        self.action = action
        self.fields: dict[str, str] = {}


class Forms(HTMLParser):
    """Reads all forms of a page as a browser would send them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._form: Form | None = None
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name = given.get("name", "")
        if tag == "form":
            self._form = Form(given.get("action", ""))
            self.found.append(self._form)
        if self._form is None:
            return
        if tag == "input" and name and (given.get("type") not in ("radio", "checkbox") or "checked" in given):
            self._form.fields[name] = given.get("value", "on" if given.get("type") == "checkbox" else "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and (self._select not in self._form.fields or "selected" in given):
            self._form.fields[self._select] = given.get("value", "")
        elif tag == "button" and name:
            self._form.fields[name] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None

    def of_tap(self, tap: str) -> Form:
        return next(form for form in self.found if form.fields.get("tap") == tap)


class Companion:
    """A companion in a process of its own."""

    def __init__(self, command: list[str], data: Path) -> None:
        self.command = [*command, "--no-browser", "--port=0", f"--data-dir={data}"]
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603  the command that this script was given
            self.command, stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        watchdog = threading.Timer(WATCHDOG_S, self.process.kill)
        watchdog.start()
        for line in self.process.stdout or ():
            if found := re.search(r"http://localhost:(\d+)", line):
                self.port = int(found.group(1))
            if "Ctrl-C" in line:
                watchdog.cancel()
                return
        raise SystemExit("The companion did not start.")

    def stop(self) -> None:
        """Ctrl-C, where a program can send it to another one; Windows just ends the process."""
        if self.process is None or self.process.poll() is not None:
            return
        if os.name == "nt":
            self.process.terminate()
        else:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=WATCHDOG_S)
        if os.name != "nt" and self.process.returncode:
            raise SystemExit(f"It ended with {self.process.returncode}.")

    def ask(self, path: str, fields: dict[str, str] | None = None) -> tuple[int, str, str]:
        """The status, the address that it leads to, and the page; with fields, a form is sent."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WATCHDOG_S)
        try:
            if fields is None:
                connection.request("GET", path)
            else:
                kind = {"Content-Type": "application/x-www-form-urlencoded"}
                connection.request("POST", path, urlencode(fields), kind)
            reply = connection.getresponse()
            return reply.status, reply.getheader("Location", ""), reply.read().decode()
        finally:
            connection.close()

    def get(self, path: str) -> str:
        status, _, page = self.ask(path)
        check(status == http.HTTPStatus.OK, f"{path} answers with {status}")
        return page

    def send(self, path: str, fields: dict[str, str]) -> str:
        """Send a form; the path that it leads to, if it leads somewhere."""
        status, target, page = self.ask(path, fields)
        words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
        check(status in (http.HTTPStatus.OK, http.HTTPStatus.SEE_OTHER), f"{path} answers with {status}: {words[:300]}")
        return urlsplit(target).path


def check(holds: bool, problem: str) -> None:
    if not holds:
        raise SystemExit(f"Smoke: {problem}.")


def join(companion: Companion, code: str, name: str) -> str:
    """Somebody types the code and a name; the address of their seat."""
    form = Forms(companion.get(f"/t/{code}")).found[0]
    return companion.send(f"/t/{code}", form.fields | {"name": name})


def evening(companion: Companion) -> None:
    companion.start()
    for name in sorted(set(re.findall(r'(?:href|src)="(/static/[^"]+)"', companion.get("/")))):
        companion.get(name)
    shared = companion.send("/new/score_sheet", Forms(companion.get("/new/score_sheet")).found[0].fields)
    found = re.search(r'class="[^"]*join-code[^"]*"[^>]*>\s*([A-Z]+)', companion.get(shared))
    check(found is not None, "the shared screen shows no code")
    ann, ben = (join(companion, found.group(1) if found else "", name) for name in ("Ann", "Ben"))
    start = Forms(companion.get(shared)).of_tap("Start")
    companion.send(start.action, start.fields)
    companion.send(ann, {"tap": "Enter", "points": "4711"})
    check("4711" in companion.get(shared), "what Ann typed is not on the shared screen")
    companion.stop()
    companion.start()
    for screen in (shared, ann, ben):
        check("4711" in companion.get(screen), "what Ann typed is gone after a restart")
    companion.stop()


def main() -> None:
    command = sys.argv[1:] or [sys.executable, "-m", "companion"]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        companion = Companion(command, Path(folder) / "data")
        try:
            evening(companion)
        finally:
            if companion.process is not None and companion.process.poll() is None:
                companion.process.kill()
                companion.process.wait()
    took = time.monotonic() - began
    print(f"It starts, plays, stops and plays on: Python {sys.version.split()[0]} on {sys.platform}, {took:.1f} s.")


if __name__ == "__main__":
    main()
