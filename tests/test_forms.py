"""What a browser sends is read as it was typed, and whatever is no form of ours is refused."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.forms import form_of, is_tap_id

words = st.text(max_size=12)


@given(st.lists(st.tuples(words, words), min_size=1, max_size=8))
def test_a_form_is_read_as_it_was_typed(fields):
    sent = urlencode(fields)
    assert form_of(sent) == parse_qs(sent, keep_blank_values=True)


@pytest.mark.parametrize("sent", ["a=1&a=2", "a", "a=", "a=b=c", "a=1+2&b=%F0%9F%90%A6", "a=%zz&b=%"])
def test_so_is_what_no_browser_would_send(sent):
    assert form_of(sent) == parse_qs(sent, keep_blank_values=True)


@pytest.mark.parametrize("tap_id", ["0.1", "r12.deadbeef", "123456789.0"])
def test_a_tap_id_is_how_often_somebody_has_tapped_and_the_name_of_the_form(tap_id):
    assert is_tap_id(tap_id)


@pytest.mark.parametrize(
    "tap_id",
    [
        "", ".", "1", "1.", ".1", "r.1", "rr1.1", "1.r", "1.1.1", "1 .1", "-1.1", "+1.1", "1.G", "1.A", "1.123456789",
        "1234567890.1", "\u0661.1", "1.\u0661", "\u00b2.1", "1.1\n", ["1.1", "1.1"], {"1": "1"}, None,
    ],
)  # fmt: skip
def test_nothing_else_is_a_tap_id(tap_id):
    assert not is_tap_id(tap_id)
