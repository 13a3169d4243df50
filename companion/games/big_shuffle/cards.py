"""The cards of the box: how many there are of each kind, and the names known so far."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable
from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Meta

from companion.game import N_, NotAllowed

SceneKind = Literal["who", "what", "where"]
NoirKind = Literal["goon", "loot", "action", "reaction"]
Kind = Literal["who", "what", "where", "goon", "loot", "action", "reaction", "informant", "scene_change", "character"]
PileName = Literal["noir", "informant", "scene_change"]

SCENES: Final[tuple[SceneKind, ...]] = get_args(SceneKind)
NOIR: Final[tuple[NoirKind, ...]] = get_args(NoirKind)
ALSO_ONCE: Final[tuple[Kind, ...]] = ("informant", "character")
"""Kinds with no duplicates in the box, like scenes."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

BOX: Final[dict[Kind, int]] = {
    "who": 10, "what": 10, "where": 10,
    "goon": 20, "loot": 20, "action": 15, "reaction": 5,
    "informant": 10, "scene_change": 20, "character": 6,
}  # fmt: skip
AGENDAS: Final = 16
MOST_LOOT: Final = 3
MOST_NAMES: Final = 60
"""The limit per kind. It leaves room for misspelt names."""
NAME_LENGTH: Final = 40

Name = Annotated[str, Meta(title=N_("The name"), max_length=80)]
Number = Annotated[int, Meta(title=N_("The number"), ge=-30, le=30)]

# Goons have no names: people call them by their modifier.
IN_THE_RULEBOOK: Final[dict[Kind, tuple[str, ...]]] = {
    "who": ("The Crazed Killer", "The Dirty Cop", "The Mafia Don", "The Private Eye"),
    "what": ("The Car Chase", "The Dirty Double Cross", "The Oldest Profession", "The Serial Killing Spree"),
    "where": ("The Mob HQ", "The Police Station", "The Speakeasy", "The Train Station"),
    "goon": ("+1", "+2", "+3", "−1", "−2", "−3"),
    "loot": ("The Disguise Kit", "The Key to the City", "The Pipe", "The Telephone", "The Timepiece"),
    "action": ("A New York Minute",),
    "reaction": ("What Happened Here?",),
    "informant": ("The Bookie", "The Fat Man"),
    "scene_change": ("Endless Rain",),
    "character": ("The Cat Burglar", "The Femme Fatale", "The Governor", "The Mafia Don", "The Police Chief"),
}

# Numbers printed in the rulebook, in an example and in the FAQ.
NUMBERS_IN_THE_RULEBOOK: Final[dict[str, dict[str, int]]] = {
    "The Private Eye": {"active_up": 4},
    "Endless Rain": {"modifier": -2},
}
# A name belongs to one type of scene, or to one kind of noir card. A character may also be a Who: The Mafia Don is.
ONE_TYPE: Final[tuple[tuple[Kind, ...], ...]] = (SCENES, ("loot", "action", "reaction"))
KNOWN_AS: Final[dict[Kind, str]] = {
    # Translators: {name} is the name of a card. “Names” is the fold where names are corrected.
    "who": N_("{name} is a Who. If that is wrong, forget that name under Names."),
    "what": N_("{name} is a What. If that is wrong, forget that name under Names."),
    "where": N_("{name} is a Where. If that is wrong, forget that name under Names."),
    "loot": N_("{name} is loot. If that is wrong, forget that name under Names."),
    "action": N_("{name} is an action. If that is wrong, forget that name under Names."),
    "reaction": N_("{name} is a reaction. If that is wrong, forget that name under Names."),
}
CLOSE: Final = 0.84
"""Above this similarity, two spellings may be one name: a letter is missing, doubled or changed."""


class Card(msgspec.Struct, frozen=True):
    """One card that everybody may know."""

    kind: Kind
    name: str


class Known(msgspec.Struct, frozen=True):
    """A card's name, and the numbers on it that somebody has typed."""

    name: str
    numbers: dict[str, int] = {}


class Doubt(msgspec.Struct, frozen=True):
    """A new name that looks like a known one, so the table is asked which is right."""

    kind: Kind
    name: str
    meant: str


Names = dict[Kind, tuple[Known, ...]]


def from_the_rulebook() -> Names:
    return {
        kind: tuple(Known(name, NUMBERS_IN_THE_RULEBOOK.get(name, {})) for name in names)
        for kind, names in IN_THE_RULEBOOK.items()
    }


def learnt_before(book: Names, names: Names) -> Names:
    """Merge the rulebook with what earlier tables learnt or forgot; their numbers override the printed ones."""
    printed = {(kind, one.name): one.numbers for kind, known in book.items() for one in known}
    return book | {
        kind: tuple(Known(one.name, printed.get((kind, one.name), {}) | one.numbers) for one in known)
        for kind, known in names.items()
    }


def tidy(name: str) -> str:
    """Clean up a typed name: one line, no control characters, at most 40 characters."""
    kept = (c if c.isspace() or unicodedata.category(c)[0] not in "CZ" else " " for c in name)
    name = unicodedata.normalize("NFC", " ".join("".join(kept).split()))
    if not any(unicodedata.category(c)[0] in "LNSP" for c in name):
        raise NotAllowed("Type the name of the card.")
    if len(name) > NAME_LENGTH:
        raise NotAllowed("That name is too long. Use {n} characters at most.", n=NAME_LENGTH)
    return name


def same(name: str) -> str:
    """Return the key under which two spellings are one name: capitals and a leading “The” don't count."""
    folded = unicodedata.normalize("NFKC", name).casefold().strip()
    return folded.removeprefix("the ")


def find(names: Names, kind: Kind, name: str) -> Known | None:
    return next((known for known in names.get(kind, ()) if same(known.name) == same(name)), None)


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that this one may be a misspelling of."""
    spelt = {same(other): other for other in known if same(other) != same(name)}
    found = difflib.get_close_matches(same(name), spelt, n=1, cutoff=CLOSE)
    return spelt[found[0]] if found else None


def suspects(names: Names) -> tuple[Doubt, ...]:
    """Find names that look like another one, in kinds with more names than cards."""
    found: dict[tuple[Kind, str], Doubt] = {}
    for kind in (*SCENES, *ALSO_ONCE):
        known = [one.name for one in names.get(kind, ())] if len(names.get(kind, ())) > BOX[kind] else []
        for name in known:
            meant = None if name in IN_THE_RULEBOOK[kind] else closest(name, known)
            if meant is not None and (kind, meant) not in found:
                found[kind, name] = Doubt(kind, name, meant)
    return tuple(found.values())


def one_type(names: Names, kind: Kind, name: str) -> None:
    """Refuse a name that already belongs to another type."""
    for types in ONE_TYPE:
        for other in types:
            if kind in types and other != kind and (known := find(names, other, name)):
                raise NotAllowed(KNOWN_AS[other], name=known.name)


def learn(names: Names, kind: Kind, name: str, numbers: dict[str, int] | None = None) -> tuple[Names, str]:
    """Add a name and its numbers; return all names, and the spelling to use."""
    known = find(names, kind, name)
    if known is None:
        if len(names.get(kind, ())) >= MOST_NAMES:
            raise NotAllowed("The list has too many names of this kind. Correct or forget one first.")
        one_type(names, kind, name)
        known = Known(tidy(name))
    elif not numbers or all(known.numbers.get(key) == n for key, n in numbers.items()):
        return names, known.name
    spelt = known.name
    learnt = Known(spelt, {**known.numbers, **(numbers or {})})
    others = [other for other in names.get(kind, ()) if other.name != spelt]
    return {**names, kind: tuple(sorted((*others, learnt), key=lambda one: same(one.name)))}, spelt
