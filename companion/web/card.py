"""Cards to print: how to join this table or this house, number cards, and stickers for a box.

Only the shared screen's own link leads to the card of a table. `/card` knows no table, so it tells nobody a code.
"""

from __future__ import annotations

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.engine.links import WATCHER, Link
from companion.web import qr, render_page, services
from companion.web.i18n import gettext
from companion.web.seat import read_link, viewer_of

pages = Blueprint("card", __name__)

SHEETS = {"a6": 1, "a4": 4, "numbers": 8, "stickers": 24}
"""What can be printed, and how many of it are on one sheet."""


@pages.route("/card", methods=["GET", "POST"])
def of_house() -> ResponseReturnValue:
    """The card of this companion. It is valid as long as the address is."""
    return draw_card(Link("", WATCHER, 1), "")


@pages.route("/x/<token>/card", methods=["GET", "POST"])
def of_table(token: str) -> ResponseReturnValue:
    """The card of a table, with its code."""
    link, now = read_link("x", token)
    return draw_card(link, now.code)


def draw_card(link: Link, code: str) -> ResponseReturnValue:
    if request.method == "POST":
        services().limits.count("join", request.remote_addr)
    viewer, name = viewer_of(link), services().addresses.name
    sheet = request.form.get("sheet", "")
    sheet = sheet if sheet in SHEETS else "a4"
    # A sticker outlives every table, so it leads to the companion.
    shown = "" if sheet == "stickers" else code
    path = f"t/{code}?k={services().links.sign_join(code)}" if shown else ""
    wifi, password = (request.form.get(field, "").strip()[:64] for field in ("name", "password"))
    # The name outlives every address, so a sticker has it.
    bases = [name.url if name and sheet == "stickers" else viewer.base, viewer.printed or viewer.base]
    if name is not None:
        bases.append(name.url)
    labels = gettext("QR code: scan it to join the table"), gettext("QR code: joins the Wi-Fi")
    pictures = {
        "join": qr.svg(f"{bases[0]}{viewer.root}/{path}", labels[0]),
        "wifi": wifi and services().costly.compute("wifi", qr.svg, qr.wifi(wifi, password), labels[1]),
    }
    return render_page(
        "card.html",
        code=code,
        sheet=sheet,
        many=SHEETS[sheet],
        pictures=pictures,
        addresses=list(dict.fromkeys(to_type(f"{base}{viewer.root}/{shown}") for base in bases[1:])),
        wifi=wifi,
        password=password,
        back=services().screens.address(viewer) if code else "",
    )


def to_type(address: str) -> str:
    """An address as short as a browser understands it."""
    return address.removeprefix("http://").rstrip("/")
