"""What the host reads in the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from companion.authoring.check import BadGame
from companion.server import addresses, browser
from companion.web import Address, qr

NO_NETWORK = "  Warning: phones can't reach this machine. Join a Wi-Fi network."
HTTPS_WARNING = (
    "  Each phone warns once, because this laptop has made its own certificate.\n"
    '  If the address in the warning is the one above, choose "Advanced" and continue: your connection is encrypted.'
)


def greet(options: argparse.Namespace, port: int, address: Address, bad_games: Sequence[BadGame] = ()) -> None:
    """Show the QR code and how to begin, and open the browser."""
    here = addresses.laptop_url(options.host, port, "https" if options.https else "http")
    if options.dev:
        say("\n  For authors: these pages show every seat, so only this machine can open them.\n")
        say(f"  All seats:       {here}/dev/")
        say(f"  On this laptop:  {here}")
    else:
        say(qr_code(address.url))
        say(f"  On this laptop:  {here}")
        say(f"  On a phone:      {address.url}")
        if address.is_loopback:
            say(NO_NETWORK)
    if options.https:
        say(HTTPS_WARNING)
    for wrong in bad_games:
        say(f"  Skipping a game: {wrong}")
    if options.dev:
        say("  Press Ctrl-C to stop.\n")
        return
    if not (options.no_browser or options.proxies):
        browser.open_page(here)
    say("  Choose a game on the laptop, then everybody scans the code of your table. Press Ctrl-C to stop.\n")


def say_moved(address: Address) -> None:
    """Say that this machine is in another network now."""
    if address.is_loopback:
        say(NO_NETWORK)
        return
    say(qr_code(address.url))
    say(f"  The network has changed. On a phone:  {address.url}")
    say("  The shared screens show the new code. Scan it again and tap your name.\n")


def say_named(url: str) -> None:
    say(f"  Or by its name:  {url}\n")


def qr_code(text: str) -> str:
    """For a terminal; nothing on a console that has no block characters."""
    blocks = f"\n{qr.blocks(text)}"
    try:
        blocks.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return blocks


def say(text: str) -> None:
    """Print, also on a console that lacks some characters."""
    encoding = sys.stdout.encoding or "ascii"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)
