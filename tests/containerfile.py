"""Reads the Containerfile."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import NamedTuple

from here import ROOT


class Instruction(NamedTuple):
    name: str
    rest: str

    @property
    def exec_form(self) -> list[str]:
        """Return the command of ENTRYPOINT, CMD or HEALTHCHECK, which is a JSON list."""
        return list(json.loads(self.rest[self.rest.index("[") :]))


def stages(text: str = "") -> list[list[Instruction]]:
    """Return the instructions of each stage; a stage begins with FROM."""
    text = text or (ROOT / "Containerfile").read_text()
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines()
    found: list[list[Instruction]] = []
    for line in filter(str.strip, lines):
        name, _, rest = line.partition(" ")
        if name == "FROM":
            found.append([])
        found[-1].append(Instruction(name, " ".join(rest.split())))
    return found


def last(name: str) -> Instruction:
    """Return the last instruction of this name, which is the one that counts."""
    return [one for one in stages()[-1] if one.name == name][-1]


def environment() -> dict[str, str]:
    return dict(pair.split("=", 1) for one in stages()[-1] if one.name == "ENV" for pair in shlex.split(one.rest))


def copied() -> list[tuple[Path, Path]]:
    """Return what the first stage copies from the checkout, and where to."""
    pairs = []
    for one in stages()[0]:
        if one.name == "COPY":
            *sources, target = one.rest.split()
            is_folder = target.endswith("/")
            pairs += [(Path(source), Path(target) / (Path(source).name if is_folder else "")) for source in sources]
    return pairs
