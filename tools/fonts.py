"""Make static/fonts from the Fraunces package on npm: `make fonts`.

The package has the font in two files, Latin and Latin Extended. Each is reduced to one weight, one optical size and the
letters of our languages, and both are merged. The package has no tabular figures, so they are made from the usual ones.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from fontTools.merge import Merger
from fontTools.otlLib.builder import SingleSubstBuilder
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent
from fontTools.ttLib.tables.otTables import Feature, FeatureRecord
from fontTools.varLib.instancer import instantiateVariableFont

CUTS = {"fraunces-600": {"wght": 600, "opsz": 36}, "fraunces-900": {"wght": 900, "opsz": 72}}
"""The first is for phones and headings; the second, with a larger optical size, is for the stage."""
LETTERS = {*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, "ȘșȚțẞ–—‘’‚“”„•…′″‹›€−")}
FIGURES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def cut(source: Path, where: dict[str, int], letters: set[int]) -> TTFont:
    """Return the font at one weight and optical size, with these letters and their kerning."""
    font = instantiateVariableFont(TTFont(source, recalcTimestamp=False), dict(where))
    options = Options()
    options.layout_features = ["kern", "liga"]
    options.hinting = False
    options.notdef_outline = True
    options.drop_tables += ["STAT"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    return font


def joined(parts: list[TTFont]) -> TTFont:
    files = []
    for part in parts:
        part.flavor = None
        file = io.BytesIO()
        part.save(file)
        file.seek(0)
        files.append(file)
    font = Merger().merge(files)
    font.recalcTimestamp = False  # the same bytes every time
    font["head"].created, font["head"].modified = parts[0]["head"].created, parts[0]["head"].modified
    return font


def add_tabular_figures(font: TTFont) -> None:
    """Add figures of equal width, each a centred usual one, for `font-variant-numeric: tabular-nums`."""
    widths, glyphs = font["hmtx"].metrics, font["glyf"]
    widest = max(widths[figure][0] for figure in FIGURES)
    builder = SingleSubstBuilder(font, None)
    for figure in FIGURES:
        width, side = widths[figure]
        shift = (widest - width) // 2
        part = GlyphComponent()
        part.glyphName, part.x, part.y, part.flags = figure, shift, 0, 0x4
        glyph = Glyph()
        glyph.numberOfContours, glyph.components = -1, [part]
        glyphs[f"{figure}.tnum"] = glyph
        glyph.recalcBounds(glyphs)
        widths[f"{figure}.tnum"] = (widest, side + shift)
        builder.mapping[figure] = f"{figure}.tnum"
    font.setGlyphOrder(glyphs.glyphOrder)
    font["maxp"].numGlyphs = len(glyphs.glyphOrder)
    table = font["GSUB"].table
    table.LookupList.Lookup.append(builder.build())
    table.LookupList.LookupCount = len(table.LookupList.Lookup)
    record = FeatureRecord()
    record.FeatureTag, record.Feature = "tnum", Feature()
    record.Feature.FeatureParams, record.Feature.LookupListIndex = None, [len(table.LookupList.Lookup) - 1]
    table.FeatureList.FeatureRecord.append(record)  # last, because tags are sorted
    for script in table.ScriptList.ScriptRecord:
        for system in (script.Script.DefaultLangSys, *(one.LangSys for one in script.Script.LangSysRecord)):
            if system:
                system.FeatureIndex.append(len(table.FeatureList.FeatureRecord) - 1)


def main(package: Path, target: Path) -> None:
    latin, more = (package / "files" / f"fraunces-{part}-opsz-normal.woff2" for part in ("latin", "latin-ext"))
    both = LETTERS & set(TTFont(latin).getBestCmap())
    for name, where in CUTS.items():
        font = joined([cut(latin, where, both), cut(more, where, LETTERS - both)])
        add_tabular_figures(font)
        font["post"].formatType = 3.0  # no names of glyphs
        font.flavor = "woff2"
        font.save(target / f"{name}.woff2")
        print(f"{name}: {(target / f'{name}.woff2').stat().st_size / 1000:.1f} KB, {len(font.getBestCmap())} letters")
    (target / "fraunces.LICENSE.txt").write_bytes((package / "LICENSE").read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
