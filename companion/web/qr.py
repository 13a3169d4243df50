"""QR codes as inline SVG, and as blocks for a terminal."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict

import qrcode
from markupsafe import Markup

MAX_KEPT_BYTES = 8 << 20
"""Of pictures: a few hundred tables' codes."""
_kept: OrderedDict[tuple[str, str], Markup] = OrderedDict()
_keeping = threading.Lock()


def _code(text: str) -> qrcode.QRCode[qrcode.image.base.BaseImage]:
    code: qrcode.QRCode[qrcode.image.base.BaseImage] = qrcode.QRCode(
        border=4, error_correction=qrcode.constants.ERROR_CORRECT_M
    )
    code.add_data(text)
    code.make()
    return code


def svg(text: str, label: str) -> Markup:
    """Dark on light with its quiet zone, so that any phone reads it in a dim room."""
    if (kept := _kept.get((text, label))) is not None:
        return kept
    picture = _svg(text, label)
    with _keeping:
        _kept[text, label] = picture
        while sum(map(len, _kept.values())) > MAX_KEPT_BYTES:
            _kept.popitem(last=False)
    return picture


def _svg(text: str, label: str) -> Markup:
    rows = _code(text).get_matrix()
    path = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            run = 0
            while x + run < len(row) and row[x + run]:
                run += 1
            if run:
                path.append(f"M{x} {y}h{run}v1h-{run}z")
            x += run or 1
    size = len(rows)
    return Markup(
        '<svg class="qr" role="img" aria-label="{label}" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        '<rect width="{size}" height="{size}" fill="#fff"/><path fill="#000" d="{path}"/></svg>'
    ).format(label=label, size=size, path="".join(path))


def blocks(text: str) -> str:
    """For a terminal with a dark background."""
    out = io.StringIO()
    _code(text).print_ascii(out=out, invert=True)
    return out.getvalue()


def wifi(name: str, password: str) -> str:
    """The text that makes a phone join a Wi-Fi."""
    escaped = ["".join("\\" + c if c in '\\;,":' else c for c in text) for text in (name, password)]
    kind = "WPA" if password else "nopass"
    return f"WIFI:T:{kind};S:{escaped[0]};P:{escaped[1]};;"
