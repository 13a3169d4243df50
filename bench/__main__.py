"""Measure Companion.

python -m bench [--quick]: everything, against its budgets.
python -m bench paint [--quick] [--game risk]: only tap to paint on two slow phones, in all games or in these.
python -m bench peers [--quick]: compared with boardgame.io and, on phones, Colyseus.
"""

from __future__ import annotations

import argparse

from bench import alone, peers
from bench.servers import prepared_machine


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="bench", description=__doc__, formatter_class=raw)
    parser.add_argument("what", nargs="?", choices=("alone", "paint", "peers"), default="alone")
    parser.add_argument("--quick", action="store_true", help="shorter; don't quote its figures")
    parser.add_argument("--game", action="append", default=[], metavar="NAME", help="a game to measure on phones")
    options = parser.parse_args()
    with prepared_machine() as folder:
        if options.what == "peers":
            peers.main(folder, quick=options.quick)
        else:
            alone.main(folder, quick=options.quick, only_paint=options.what == "paint", games=options.game)


if __name__ == "__main__":
    main()
