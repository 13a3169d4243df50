"""Only our own forms are accepted."""

from __future__ import annotations

import pytest

from companion.web.forms import is_tap_id


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
