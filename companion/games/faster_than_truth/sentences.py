"""Sentences that name a resource, written out for each kind: a word dropped into a hole cannot be translated."""

from __future__ import annotations

from typing import Final

from companion.game import N_
from companion.games.faster_than_truth.state import Kind

ByKind = dict[Kind, str]

GAINS: Final[ByKind] = {
    "fists": N_("{name} gains Muscle."),
    "crown": N_("{name} gains Prestige."),
    "coins": N_("{name} gains Money."),
}
NONE_TO_GAIN: Final[ByKind] = {
    "fists": N_("{name} gains nothing: the reserve has no Muscle left."),
    "crown": N_("{name} gains nothing: the reserve has no Prestige left."),
    "coins": N_("{name} gains nothing: the reserve has no Money left."),
}
NONE_LEFT: Final[ByKind] = {
    "fists": N_("The reserve has no Muscle left."),
    "crown": N_("The reserve has no Prestige left."),
    "coins": N_("The reserve has no Money left."),
}
MUST_LOSE: Final[ByKind] = {
    "fists": N_("{name} must lose Muscle, or say they have none."),
    "crown": N_("{name} must lose Prestige, or say they have none."),
    "coins": N_("{name} must lose Money, or say they have none."),
}
ASKS: Final[ByKind] = {
    "fists": N_("{name} asks {rival} for Muscle."),
    "crown": N_("{name} asks {rival} for Prestige."),
    "coins": N_("{name} asks {rival} for Money."),
}
LOSES: Final[ByKind] = {
    "fists": N_("{name} loses Muscle."),
    "crown": N_("{name} loses Prestige."),
    "coins": N_("{name} loses Money."),
}
LOSES_HIDDEN: Final[ByKind] = {
    "fists": N_("{name} loses a hidden card: Muscle."),
    "crown": N_("{name} loses a hidden card: Prestige."),
    "coins": N_("{name} loses a hidden card: Money."),
}
HANDS: Final[ByKind] = {
    "fists": N_("{name} hands Muscle to {thief}."),
    "crown": N_("{name} hands Prestige to {thief}."),
    "coins": N_("{name} hands Money to {thief}."),
}
HANDS_HIDDEN: Final[ByKind] = {
    "fists": N_("{name} hands {thief} a hidden card: Muscle."),
    "crown": N_("{name} hands {thief} a hidden card: Prestige."),
    "coins": N_("{name} hands {thief} a hidden card: Money."),
}
HAS_NONE: Final[ByKind] = {
    "fists": N_("{name} has no Muscle."),
    "crown": N_("{name} has no Prestige."),
    "coins": N_("{name} has no Money."),
}
YOU_HAVE: Final[ByKind] = {
    "fists": N_("You have Muscle. Hold your stash to look at it."),
    "crown": N_("You have Prestige. Hold your stash to look at it."),
    "coins": N_("You have Money. Hold your stash to look at it."),
}
NOT_THIS: Final[ByKind] = {
    "fists": N_("That card is not Muscle. Hold your stash to look at it."),
    "crown": N_("That card is not Prestige. Hold your stash to look at it."),
    "coins": N_("That card is not Money. Hold your stash to look at it."),
}
REVEALS: Final[ByKind] = {
    "fists": N_("{name} reveals Muscle."),
    "crown": N_("{name} reveals Prestige."),
    "coins": N_("{name} reveals Money."),
}
TAKES: Final[ByKind] = {
    "fists": N_("{name} takes Muscle from {loser}."),
    "crown": N_("{name} takes Prestige from {loser}."),
    "coins": N_("{name} takes Money from {loser}."),
}
TAKES_HIDDEN: Final[ByKind] = {
    "fists": N_("{name} takes a hidden card from {loser}: Muscle."),
    "crown": N_("{name} takes a hidden card from {loser}: Prestige."),
    "coins": N_("{name} takes a hidden card from {loser}: Money."),
}
TAKES_FROM_RESERVE: Final[ByKind] = {
    "fists": N_("{loser} has no cards, so {name} takes Muscle from the reserve."),
    "crown": N_("{loser} has no cards, so {name} takes Prestige from the reserve."),
    "coins": N_("{loser} has no cards, so {name} takes Money from the reserve."),
}
FIX_ADD: Final[ByKind] = {
    # Translators: {who} is a player's name, or "The table" for the shared screen
    "fists": N_("{who} fixes a mistake: {name} gets Muscle from the reserve."),
    "crown": N_("{who} fixes a mistake: {name} gets Prestige from the reserve."),
    "coins": N_("{who} fixes a mistake: {name} gets Money from the reserve."),
}
FIX_RETURN: Final[ByKind] = {
    "fists": N_("{who} fixes a mistake: {name} returns Muscle to the reserve."),
    "crown": N_("{who} fixes a mistake: {name} returns Prestige to the reserve."),
    "coins": N_("{who} fixes a mistake: {name} returns Money to the reserve."),
}
FIX_MOVE: Final[ByKind] = {
    "fists": N_("{who} fixes a mistake: {name} gives Muscle to {other}."),
    "crown": N_("{who} fixes a mistake: {name} gives Prestige to {other}."),
    "coins": N_("{who} fixes a mistake: {name} gives Money to {other}."),
}
FIX_FACE_UP: Final[ByKind] = {
    "fists": N_("{who} fixes a mistake: a hidden card is now face up, Muscle."),
    "crown": N_("{who} fixes a mistake: a hidden card is now face up, Prestige."),
    "coins": N_("{who} fixes a mistake: a hidden card is now face up, Money."),
}
