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
    """One form of a page: where it is sent, its fields as they are filled in, and what may be chosen."""

    def __init__(self, action: str) -> None:
        self.action = action
        self.fields: dict[str, str] = {}
        self.choices: dict[str, list[str]] = {}
        """The values of each field's radio buttons, without those that are switched off."""


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
        if tag == "input" and given.get("type") == "radio" and "disabled" not in given:
            self._form.choices.setdefault(name, []).append(given.get("value", "on"))
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

    def taps(self) -> set[str]:
        return {form.fields["tap"] for form in self.found if "tap" in form.fields}


class Companion:
    """A companion in a process of its own, started by this command."""

    def __init__(self, command: list[str], *, watchdog_s: float = WATCHDOG_S) -> None:
        self.command = command
        self.watchdog_s = watchdog_s
        self.said: list[str] = []
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, encoding="utf-8", errors="replace",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"}, start_new_session=True,
        )  # fmt: skip
        watchdog = threading.Timer(self.watchdog_s, self.process.kill)
        watchdog.start()
        for line in self.process.stdout or ():
            self.said.append(line)
            if found := re.search(r"http://localhost:(\d+)", line):
                self.port = int(found.group(1))
            if "Ctrl-C" in line:
                watchdog.cancel()
                return
        watchdog.cancel()
        raise SystemExit(f"The companion did not start. {''.join(self.said[-20:])}")

    def interrupt(self) -> str:
        """Ctrl-C, where a program can send it to others; Windows just ends the process. What is said then."""
        if self.process is None or self.process.poll() is not None:
            return ""
        if sys.platform == "win32":
            self.process.terminate()
        else:
            os.killpg(self.process.pid, signal.SIGINT)  # as a terminal does: everything that the command started
        return self.process.communicate(timeout=WATCHDOG_S)[0]

    def stop(self) -> None:
        self.interrupt()
        if os.name != "nt" and self.process is not None and self.process.returncode:
            raise SystemExit(f"It ended with {self.process.returncode}.")

    def kill(self) -> None:
        """End it, whatever it does; nothing happens if it has ended."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()

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
            return reply.status, reply.getheader("Location", ""), reply.read().decode(errors="replace")
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


def open_table(companion: Companion, game: str) -> tuple[str, str]:
    """Open a table as its form is filled in; the address of the shared screen, and the code to join."""
    shared = companion.send(f"/new/{game}", Forms(companion.get(f"/new/{game}")).found[0].fields)
    found = re.search(r'class="[^"]*join-code[^"]*"[^>]*>\s*([A-Z]+)', companion.get(shared))
    check(found is not None, "the shared screen shows no code")
    return shared, found.group(1) if found else ""


def evening(companion: Companion) -> None:
    companion.start()
    for name in sorted(set(re.findall(r'(?:href|src)="(/static/[^"]+)"', companion.get("/")))):
        companion.get(name)
    shared, code = open_table(companion, "score_sheet")
    ann, ben = (join(companion, code, name) for name in ("Ann", "Ben"))
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
        companion = Companion([*command, "--no-browser", "--port=0", f"--data-dir={Path(folder) / 'data'}"])
        try:
            evening(companion)
        finally:
            companion.kill()
    took = time.monotonic() - began
    print(f"It starts, plays, stops and plays on: Python {sys.version.split()[0]} on {sys.platform}, {took:.1f} s.")


if __name__ == "__main__":
    main()
