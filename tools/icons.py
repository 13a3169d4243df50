"""Make the PNG icons from static/icon.svg, for systems that take no SVG: `make icons`."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from companion.testing.windows import started_chromium

STATIC = Path(__file__).parent.parent / "static"
GROUND = "#1b1916"
ICONS = {"icons/favicon.png": (32, 1.0), "icons/touch.png": (180, 1.0), "icons/512.png": (512, 0.86)}
"""Size in pixels, and how much of it the drawing fills: some launchers cut a circle out of the largest."""
COLOURS = 32


def page(size: int, part: float) -> str:
    drawing = (STATIC / "icon.svg").read_text("utf-8")
    edge = size * (1 - part) / 2
    return (
        f"<style>body {{ margin: 0; width: {size}px; height: {size}px; background: {GROUND}; }}"
        f" svg {{ display: block; position: absolute; left: {edge}px; top: {edge}px; width: {size * part}px; }}</style>"
        f"{drawing}"
    )


def main() -> None:
    with started_chromium() as browser:
        for name, (size, part) in ICONS.items():
            window = browser.new_page(viewport={"width": size, "height": size})
            window.set_content(page(size, part))
            picture = Image.open(io.BytesIO(window.screenshot())).convert("RGB").quantize(COLOURS)
            (STATIC / name).parent.mkdir(exist_ok=True)
            picture.save(STATIC / name, optimize=True)


if __name__ == "__main__":
    main()
