"""Absurd numbers are refused with a sentence before anything is computed from them."""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator

import msgspec
import psutil
import pytest
from msgspec import inspect
from test_every_game import GAMES

from companion.engine.snapshot import as_data
from companion.game import Game, NotAllowed, Tap
from companion.testing import NAMES, House, Person, Reply, typed
from companion.testing.numbers import forms_of, numbers_in
from companion.web.forms import MAX_NUMBER, fitting, read, tree

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
HUGE = ("1000000000", "-1000000000", "1e9", "9" * 5_000, "9" * 60_000, "9" * 100_000)
"""The last one is larger than the limit for forms."""
MOST_MEMORY = 1 << 30
"""The memory limit of the companion under test, to protect the machine if a test fails."""
MOST_GROWTH = 64 << 20


@pytest.fixture
def small_house(own_house: House) -> Iterator[House]:
    """A companion with little memory; its memory use must hardly grow during the tests."""
    process = psutil.Process(own_house.process.pid)
    resource.prlimit(process.pid, resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    before = process.memory_info().rss
    yield own_house
    assert process.is_running()
    assert process.memory_info().rss - before < MOST_GROWTH


def filled(kind: type[msgspec.Struct]) -> dict[str, object]:
    """Fill every field of a form with a valid value, so that only the number is wrong."""
    return {field.encode_name: answer(field.type) for field in inspect.type_info(kind).fields}


def answer(info: inspect.Type) -> object:
    match info:
        case inspect.Metadata():
            return answer(info.type)
        case inspect.UnionType():
            return answer(info.types[0])
        case inspect.IntType() | inspect.FloatType():
            return info.ge
        case inspect.LiteralType():
            return info.values[0]
        case inspect.DictType():
            return {answer(info.key_type): answer(info.value_type)}
        case inspect.VarTupleType() | inspect.FrozenSetType():
            return [answer(info.item_type)]
        case inspect.StrType():
            return next(word for word in ("x", "1", "1-1") if re.search(info.pattern or "", word))
        case inspect.BoolType():
            return True
        case _:
            return 1  # a seat


def spoilt(fields: dict[str, object], name: str, number: str) -> dict[str, object]:
    """Return the form with this number in this field, or as its key."""
    return {**fields, name.replace("#", number): "x" if "#" in name else number}


def as_sent(fields: dict[str, object]) -> dict[str, list[str]]:
    return {key: value if isinstance(value, list) else [value] for key, value in fields.items()}


def assert_refused(reply: Reply, usual: int) -> None:
    assert reply.status in (413, 422)
    assert reply.message.endswith(".") or reply.shows("Nothing has changed.")
    assert len(reply.html) < 2 * usual + 1_000


@every_game
def test_no_set_up_accepts_an_absurd_number(small_house, game: Game):
    table = small_house.opens(game.name)
    fields = typed(as_data(game.setup()))
    for path in (f"/new/{game.name}", f"{table.shared.path}/setup"):
        usual = len(table.shared.client.get(path).text)
        for name, _ in numbers_in(inspect.type_info(game.setup), ""):
            for number in HUGE:
                reply = table.shared.client.post(path, data=spoilt(fields, name, number))
                assert_refused(Reply(reply), usual)


@every_game
def test_no_tap_accepts_an_absurd_number(small_house, game: Game):
    table = small_house.opens(game.name)
    for name in NAMES[: game.players[0]]:
        table.sits(name)
    table.starts()
    screens = (table["Ann"], table.shared)
    usual = max(len(screen.page().html) for screen in screens)
    before = [screen.screen() for screen in screens]
    for tag, kind in game.taps.items():
        for name, _ in numbers_in(inspect.type_info(kind), ""):
            for number in HUGE:
                data = {"tap": tag, **spoilt(typed(filled(kind)), name, number)}
                for screen in screens:
                    assert_refused(Reply(screen.client.post(screen.path, data=data)), usual)
    assert [screen.screen() for screen in screens] == before


@every_game
def test_only_the_number_is_wrong_with_these_forms(game: Game):
    """Check the two tests above: their forms are accepted with a small number."""
    for kind in forms_of(game).values():
        fields = typed(filled(kind))
        read(tree(as_sent(fields)), kind)
        for name, _ in numbers_in(inspect.type_info(kind), ""):
            for number in HUGE:
                with pytest.raises(NotAllowed):
                    read(tree(as_sent(spoilt(fields, name, number))), kind)


class Loose(Tap, frozen=True, tag="Loose"):
    """A tap whose author forgot all bounds."""

    n: int = 0
    x: float = 0.0
    many: tuple[int, ...] = ()
    of: dict[int, int] = {}


@pytest.mark.parametrize("field", ["n", "x", "many", "of.1", "of.#"])
@pytest.mark.parametrize("number", ["1000001", "-1000001", "1e7", "inf", "nan", *HUGE])
def test_a_game_that_forgets_its_bounds_still_has_ours(field, number):
    form = {field.replace("#", number): ["1" if "#" in field else number]}
    with pytest.raises(NotAllowed) as refused:
        read(tree(form), Loose)
    assert str(refused.value).endswith(".")
    if "#" not in field:
        assert fitting(tree(form), Loose) == {}
        assert as_data(read(tree({field: [str(MAX_NUMBER)]}), Loose))


def test_a_form_with_four_thousand_fields_is_refused(house):
    reply = Reply(Person(house.url).post("/new/risk", data={"die_spaces": ["3"] * 4_000}))
    assert (reply.status, reply.message) == (422, "We can't read that form. Reload the page and try again.")


def test_a_refused_set_up_shows_again_what_fits_and_nothing_else(house):
    data = {"length": "999", "die_spaces": ["3", "4"], "gang.1": "The Lovelies", "region.1": "x" * 50_000}
    reply = Reply(Person(house.url).post("/new/risk", data=data))
    assert (reply.status, reply.message) == (422, "“Spaces on the Crown's route” must be 30 or less.")
    assert "The Lovelies" in reply.html
    assert "xxx" not in reply.html
    assert 'value="24"' in reply.html
    assert reply.html.count('name="die_spaces"') == 23
    assert 'value="4" checked' in reply.html
    assert 'value="5" checked' not in reply.html


@pytest.mark.parametrize("number", [*HUGE[:3], "9" * 5_000, "1_0", "٣"])
def test_no_url_and_no_cookie_accepts_one_either(seated, number):
    table = seated("score_sheet")
    client = Person(table.house.url)
    for path in (
        f"{table['Ann'].path}/history?before={number}",
        f"{table.shared.path}/pass/{number}",
        f"{table.shared.path}/seat/{number}",
        f"{table.shared.path}/live/{number}",
    ):
        for method in ("GET", "POST"):
            reply = client.request(method, path)
            assert reply.status_code in (200, 404, 405), (path[:80], reply.status_code)
            assert Reply(reply).text
    late = Person(table.house.url, headers={"Cookie": f"player={number if number.isascii() else 9}~Zoe"})
    assert Reply(late.get(f"/t/{table.code}")).shows("Take a seat")
    reply = late.post(f"/t/{table.code}", data={"name": "Zoe", "badge": number, "nonce": "0" * 16})
    assert reply.status_code == 303
