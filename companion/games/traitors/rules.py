"""All taps of The Traitors and their rules."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Rule, Tap
from companion.games.traitors import agreement, banishment, corrections, events, gold, murder

RULES: Mapping[type[Tap], Rule] = {
    **events.RULES,
    **murder.RULES,
    **banishment.RULES,
    **agreement.RULES,
    **gold.RULES,
    **corrections.RULES,
}
