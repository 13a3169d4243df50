"""Compile the translations when a package is built, also for an installation of the checkout itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTranslations(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Write the .mo file beside every .po file; fuzzy translations are left out."""
        for source in sorted(Path(self.root, "translations").glob("*/LC_MESSAGES/messages.po")):
            with source.open("rb") as file:
                catalogue = read_po(file, locale=source.parent.parent.name)
            new = Path(self.root, f".{catalogue.locale}-{os.getpid()}.mo")
            with new.open("wb") as file:
                write_mo(file, catalogue)
            new.replace(source.with_suffix(".mo"))  # a companion that starts now reads the old file or the new one
