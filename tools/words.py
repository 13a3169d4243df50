"""Extract all messages, update and compile every language, and print what is left to translate: `make words`.

`make words ARGS=it` starts a new language.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion import __version__
from companion.testing.words import extract

ROOT = Path(__file__).parent.parent
TRANSLATIONS = ROOT / "translations"


HEADER = '# The words of Companion in {language}. Licence: MIT, as for the rest. See CONTRIBUTING, "Add a language".'


def template() -> Catalog:
    """Return all messages to translate."""
    catalog = Catalog(project="companion-table", copyright_holder="Companion contributors", charset="utf-8")
    for place, line, message, comments, context in extract(ROOT / "companion", ROOT / "templates"):
        where = place.relative_to(ROOT).as_posix()
        catalog.add(message, None, [(where, line)], auto_comments=comments, context=context)
    return catalog


def main(new: list[str]) -> None:
    words = template()
    for name in new:
        (TRANSLATIONS / name / "LC_MESSAGES").mkdir(parents=True, exist_ok=True)
        path = TRANSLATIONS / name / "LC_MESSAGES" / "messages.po"
        if not path.exists():
            path.write_bytes(b"")
    for path in sorted(TRANSLATIONS.glob("*/LC_MESSAGES/messages.po")):
        name = path.parent.parent.name
        with path.open("rb") as file:
            catalog = read_po(file, locale=name)
        catalog.header_comment = HEADER.format(language=catalog.locale.english_name if catalog.locale else name)
        catalog.project, catalog.version, catalog.msgid_bugs_address = "companion-table", __version__, ""
        catalog.last_translator = catalog.language_team = "Companion contributors"
        catalog.revision_date = catalog.creation_date
        words.creation_date = catalog.creation_date  # an unchanged catalogue doesn't touch its file
        catalog.update(words, no_fuzzy_matching=False, update_header_comment=False)
        with path.open("wb") as file:
            write_po(
                file,
                catalog,
                width=120,
                sort_by_file=True,
                include_lineno=False,
                ignore_obsolete=True,
                omit_header=False,
            )
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalog)
        missing = sum(
            not message.string or (message.pluralizable and not all(message.string))
            for message in catalog
            if message.id
        )
        fuzzy = sum(message.fuzzy for message in catalog if message.id)
        print(f"{name}: {len(words)} messages, {missing} missing, {fuzzy} fuzzy")
    if not list(TRANSLATIONS.glob("*/LC_MESSAGES/messages.po")):
        print(f"{len(words)} messages, no language yet: make words ARGS=fr")


if __name__ == "__main__":
    main(sys.argv[1:])
