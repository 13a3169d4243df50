"""People in tests: they sit down, look at screens and tap, over real HTTP."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import httpx
from selectolax.lexbor import LexborHTMLParser

from companion.engine.snapshot import as_data
from companion.games import all_games
from companion.testing.forms import Fields, find_button, find_form, first, form_fields, is_disabled, text_of, typed
from companion.testing.stream import OPEN, Stream

if TYPE_CHECKING:
    from companion.testing.house import House

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")

TRUSTED = ssl.create_default_context()
"""The CA certificates, loaded once: loading them for each client would take longer than most tests."""


class Person(httpx.Client):
    """An HTTP client with cookies; it follows redirects only if told to."""

    def __init__(self, url: str, **options: Any) -> None:
        super().__init__(base_url=url, timeout=30, verify=TRUSTED, **options)
        OPEN.append(self)


class Answer(Protocol):
    """What responses of httpx and of Flask's test client have in common."""

    @property
    def status_code(self) -> int: ...
    @property
    def text(self) -> str: ...


class Reply:
    """The response to a tap."""

    def __init__(self, response: Answer) -> None:
        self.status = response.status_code
        self.response = response
        self.html = response.text

    @property
    def message(self) -> str:
        """The sentence in the message area."""
        found = re.search(r'<hx-partial hx-target="#message"[^>]*>(.*?)</hx-partial>', self.html, re.S)
        if found:
            return text_of(found.group(1))
        node = LexborHTMLParser(self.html).css_first("#message")
        return " ".join(node.text().split()) if node else ""

    @property
    def text(self) -> str:
        return text_of(self.html.replace("<hx-partial", "<div").replace("</hx-partial>", "</div>"))

    def shows(self, words: str) -> bool:
        return words in self.text


class Seated:
    """Somebody with a screen: a seat's phone, the shared screen, or a watcher."""

    def __init__(self, house: House, client: Person, path: str, name: str = "") -> None:
        self.house = house
        self.client = client
        self.path = path
        self.name = name

    @property
    def seat(self) -> int:
        return int(self.path.rpartition("/")[2].split(".")[1])

    def moves_on(self) -> str:
        """Open the current link, and remember the link that it redirects to."""
        reply = self.client.get(self.path)
        assert reply.status_code == 303, f"{reply.status_code} at {self.path}"
        self.path = reply.headers["location"]
        return self.path

    def reads(self, page: str) -> Reply:
        """Return a page below this person's link, such as the night or the history."""
        reply = self.client.get(f"{self.path}/{page}")
        assert reply.status_code == 200, f"{reply.status_code} at {self.path}/{page}"
        return Reply(reply)

    def page(self) -> Reply:
        reply = self.client.get(self.path)
        assert reply.status_code == 200, f"{reply.status_code} at {self.path}"
        return Reply(reply)

    def shows(self, words: str) -> bool:
        return self.page().shows(words)

    def lines(self) -> list[str]:
        """Return the lines of the history on this screen, newest first."""
        return [" ".join(node.text().split()) for node in LexborHTMLParser(self.page().html).css("#history .lines li")]

    def screen(self) -> str:
        """Return the HTML of the screen without its version number."""
        html = first(self.page().html, "#screen").html or ""
        return re.sub(r' data-version="\d+"|\?seen=[\w.]+', "", html)

    def taps(self, tap: str, tap_id: str | None = None, **fields: object) -> Reply:
        """Send a tap as a form would, even if that form is not on the screen."""
        data: Fields = {"tap": tap, **{key: str(value) for key, value in fields.items()}}
        if tap_id is not None:
            data["tap_id"] = tap_id
        return self._post(self.path, data)

    def presses(self, label: str, typed: dict[str, object] | None = None, **fields: object) -> Reply:
        """Find the form with this button on the current screen, fill it in, and press the button."""
        return self._press(self.page().html, label, {**(typed or {}), **fields})

    def presses_on(self, html: str, label: str, **fields: object) -> Reply:
        """Do the same on an older copy of the screen."""
        return self._press(html, label, fields)

    def _press(self, html: str, label: str, fields: dict[str, object]) -> Reply:
        form = find_form(html, label, fields)
        button = find_button(form, label)
        assert button is not None
        assert not is_disabled(button), f"{label!r} cannot be pressed"
        data = form_fields(form, button)
        self.house.thumbs.count(form, fields)
        for key, value in fields.items():
            assert form.css_first(f'[name="{key}"]') is not None, f"the form of {label!r} has no field {key!r}"
            data[key] = [str(one) for one in value] if isinstance(value, list | tuple) else str(value)
        return self._post(form.attributes["action"] or self.path, data)

    def _post(self, path: str, data: Fields) -> Reply:
        return Reply(self.client.post(path, data=data, headers={"HX-Request": "true"}))

    def listens(self, memory: int | None = None) -> Stream:
        """Open the live stream, with a small receive buffer."""
        return self.house.stream(f"{self.path}/live", memory)


class Table:
    """A table with its shared screen and its people."""

    def __init__(self, house: House, client: Person, path: str) -> None:
        self.house = house
        self.shared = Seated(house, client, path)
        self.people: dict[str, Seated] = {}
        self.code = first(self.shared.page().html, ".join-code").text(strip=True)
        self.id = path.rpartition("/")[2].split(".")[0]

    def sits(self, name: str) -> Seated:
        """Somebody scans the code, types a name and takes a seat."""
        client = self.house.visitor()
        path = f"{self.house.prefix}/t/{self.code}"
        fields = form_fields(first(client.get(path).text, "form")) | {"name": name}
        reply = client.post(path, data=fields)
        assert reply.status_code == 303, Reply(reply).message
        self.people[name] = Seated(self.house, client, reply.headers["location"], name)
        return self.people[name]

    def adds(self, name: str) -> None:
        """Somebody without a phone sits down."""
        assert self.shared.presses("Add", name=name).status == 200

    def starts(self) -> Table:
        reply = self.shared.presses("Start the game")
        assert reply.status == 200, reply.message
        return self

    def plays_again(self) -> Table:
        """The host taps "Play again", and everybody opens their link."""
        assert self.shared.presses("Play again").status == 200
        return self.moves_on()

    def plays(self, game: str, **setup: object) -> Table:
        """The host chooses another game for the same people."""
        fields = typed(as_data(all_games()[game].setup()) | setup)
        reply = self.shared.client.post(f"{self.shared.path}/next/{game}", data=fields)
        assert reply.status_code == 303, Reply(reply).message
        return self.moves_on()

    def moves_on(self) -> Table:
        """Everybody opens their link, which redirects to the next table."""
        for somebody in (self.shared, *self.people.values()):
            somebody.moves_on()
        return self

    def hands_to(self, seat: int) -> Passed:
        """The shared screen is handed to somebody without a phone."""
        return Passed(self, seat)

    def takes(self, cover: Reply, seat: int) -> Passed:
        """Somebody without a phone picks their name on the cover."""
        return Passed(self, seat, cover)

    def __getitem__(self, name: str) -> Seated:
        return self.people[name]

    def __iter__(self) -> Iterator[Seated]:
        return iter(self.people.values())


class Passed(Seated):
    """The shared screen while somebody without a phone holds it."""

    def __init__(self, table: Table, seat: int, cover: Reply | None = None) -> None:
        super().__init__(table.house, table.shared.client, f"{table.shared.path}/pass/{seat}")
        self._seat = seat
        self.cover = cover or self.page()
        form = first(self.cover.html, f'form[action*="/pass/{seat}"]')
        self.html = self._post(form.attributes["action"] or self.path, form_fields(form)).html

    @property
    def seat(self) -> int:
        return self._seat

    def presses(self, label: str, typed: dict[str, object] | None = None, **fields: object) -> Reply:
        html = re.sub(r"</?hx-partial[^>]*>", "", self.html)
        reply = self._press(html, label, {**(typed or {}), **fields})
        onward = getattr(reply.response, "headers", {}).get("HX-Redirect", "")
        return Reply(self.client.get(onward, follow_redirects=True)) if "/pass" in onward else reply
