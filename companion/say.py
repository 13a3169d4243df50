"""The words of the contract: seats that become names, and sentences that are translated when they are drawn.

Games import all of this from `companion.game`.
"""

from __future__ import annotations

import msgspec


class Seat(int):
    """A player's place at the table; in a sentence it is drawn as that player's name."""

    __slots__ = ()


def N_(text: str) -> str:
    """Mark words for translation without translating them yet."""
    return text


class Say:
    """An English sentence with named holes, stored as it is and translated when it is drawn.

    A hole holds a seat (drawn as a name), a number, somebody's own words, or another sentence.
    """

    __slots__ = ("holes", "many", "text")

    def __init__(self, text: str, /, **holes: Hole) -> None:
        self.text = text
        self.many: str | None = None
        self.holes = holes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Say) or (self.text, self.many, self.holes) != (other.text, other.many, other.holes):
            return False
        return all(type(other.holes[name]) is type(hole) for name, hole in self.holes.items())  # a seat reads otherwise

    def __hash__(self) -> int:
        return hash((self.text, self.many))

    def __repr__(self) -> str:
        return f"Say({self.text!r}, {self.holes!r})"

    def only(self, *seats: Seat) -> Line:
        """The same sentence for these seats alone."""
        return Line(self, to=seats)


Hole = Seat | int | str | Say


def SayN(one: str, many: str, /, *, n: int, **holes: Hole) -> Say:
    """A sentence with a singular and a plural form; `n` decides."""
    say = Say(one, n=n, **holes)
    say.many = many
    return say


def listed(names: tuple[Hole, ...]) -> Say:
    """A list of names as a sentence has it: Ann, Ben and Cleo."""
    if len(names) == 1:
        return Say("{name}", name=names[0])
    if len(names) == 2:
        # Translators: the end of a list of names
        return Say("{first} and {second}", first=names[0], second=names[1])
    # Translators: the beginning of a list of names; the rest is a list, too
    return Say("{first}, {rest}", first=names[0], rest=listed(names[1:]))


class Line(msgspec.Struct, frozen=True, array_like=True):
    """A sentence in the history, for everybody or only for some seats."""

    say: Say
    to: tuple[Seat, ...] | None = None
    aside: bool = False
    """About seats, phones and links: shown at the table, but not in the results."""

    def for_seat(self, seat: Seat | None) -> bool:
        return self.to is None or seat in self.to
