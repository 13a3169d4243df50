"""Static files: read and compressed once, and cached forever under a hash of their content."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import posixpath
import re
from pathlib import Path

import msgspec
from flask import Blueprint, Flask, Response, abort, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion.web.i18n import current_language, gettext

BUNDLE = "companion.js"
PARTS = ("htmx.min.js", "hx-sse.min.js", "taps.js", "companion.js")
"""One script instead of four: a phone on bad Wi-Fi asks once."""
GROUND = "#12110f"
"""The colour of our pages."""
FOREVER = "public, max-age=31536000, immutable"
COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
URL = re.compile(rb"""url\((["']?)(?![a-z]+:|[/#])([^"')#]+)(#[^"')]*)?\1\)""")
"""A file beside the style sheet."""


class Asset(msgspec.Struct, frozen=True):
    """A static file, plain and compressed."""

    name: str
    kind: str
    digest: str
    plain: bytes
    compressed: bytes


class Assets:
    """All static files of the companion and its games."""

    def __init__(self, *folders: Path) -> None:
        self._files: dict[str, Asset] = {}
        found = [(folder, path) for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
        # Style sheets last: they name other files by their hashes.
        for folder, path in sorted(found, key=lambda one: one[1].suffix == ".css"):
            if path.suffix not in (".txt", ".md"):
                name = path.relative_to(folder).as_posix()
                plain = minified(name, path.read_bytes())
                self._add(name, self._with_addresses(name, plain) if path.suffix == ".css" else plain)
        if all(part in self._files for part in PARTS):
            self._add(BUNDLE, b"\n".join(self._files[part].plain for part in PARTS))

    def _add(self, name: str, plain: bytes) -> None:
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        digest = hashlib.sha256(plain).hexdigest()[:12]
        self._files[name] = Asset(name, kind, digest, plain, gzip.compress(plain, 9, mtime=0))

    def _with_addresses(self, name: str, css: bytes) -> bytes:
        """Replace `url(art/castle.svg)` by the address of that file, from this style sheet's own."""
        up = "../" * (name.count("/") + 1)

        def address(match: re.Match[bytes]) -> bytes:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[2].decode()))
            if target not in self._files:
                return match[0]
            return b'url("%s%s/%s%s")' % (
                up.encode(),
                self._files[target].digest.encode(),
                target.encode(),
                match[3] or b"",
            )

        return URL.sub(address, css)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def path(self, name: str) -> str:
        return f"static/{self._files[name].digest}/{name}"

    def drawing(self, name: str) -> Markup:
        """A drawing as part of the page, where custom properties colour it."""
        svg = self._files[name].plain.decode().strip()
        return Markup(svg.replace("<svg ", '<svg class="art" aria-hidden="true" ', 1))

    def find(self, digest: str, name: str) -> Asset | None:
        asset = self._files.get(name)
        return asset if asset is not None and asset.digest == digest else None


def minified(name: str, plain: bytes) -> bytes:
    """Our own scripts and styles without comments and indentation."""
    if name.endswith(".min.js") or not name.endswith((".css", ".js")):
        return plain
    if name.endswith(".css"):
        plain = COMMENT.sub(b"", plain)
    lines = [line.strip() for line in plain.splitlines()]
    return b"\n".join([line for line in lines if line and not line.startswith(b"//")])


def serve(app: Flask, assets: Assets) -> None:
    """Answer for static files."""
    pages = Blueprint("assets", __name__)

    @pages.get("/static/<digest>/<path:name>")
    def file(digest: str, name: str) -> Response:
        asset = assets.find(digest, name)
        if asset is None:
            abort(404)
        compress = "gzip" in request.headers.get("Accept-Encoding", "")
        reply = Response(asset.compressed if compress else asset.plain, mimetype=asset.kind)
        reply.headers["Cache-Control"] = FOREVER
        reply.headers["Vary"] = "Accept-Encoding"
        if compress:
            reply.headers["Content-Encoding"] = "gzip"
        return reply

    @pages.get("/favicon.ico")
    @pages.get("/apple-touch-icon.png")
    @pages.get("/apple-touch-icon-precomposed.png")
    def icon() -> ResponseReturnValue:
        """What browsers ask for without being told; those that take no SVG show it."""
        name = "icons/favicon.png" if request.path.endswith(".ico") else "icons/touch.png"
        return redirect(f"{request.root_path.rstrip('/')}/{assets.path(name)}")

    @pages.get("/manifest.webmanifest")
    def manifest() -> ResponseReturnValue:
        """For a phone's home screen. It names no page to start with: whichever was added is opened again."""
        root = request.root_path.rstrip("/")
        about = {
            "name": str(gettext("Companion")), "lang": current_language().name.replace("_", "-"), "scope": f"{root}/",
            "display": "standalone", "background_color": GROUND, "theme_color": GROUND,
            "icons": [
                {"src": f"{root}/{assets.path('icon.svg')}", "sizes": "any", "type": "image/svg+xml"},
                {"src": f"{root}/{assets.path('icons/512.png')}", "sizes": "512x512", "purpose": "any maskable"},
            ],
        }  # fmt: skip
        reply = Response(msgspec.json.encode(about), mimetype="application/manifest+json")
        reply.headers["Cache-Control"] = "private, max-age=86400"
        return reply

    app.register_blueprint(pages)
