"""python -m bench: Companion against its budgets. python -m bench peers [--quick]: Companion beside boardgame.io."""

from __future__ import annotations

import argparse

from bench import alone, peers
from bench.servers import prepared_machine


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("alone", "peers"), default="alone")
    parser.add_argument("--quick", action="store_true", help="shorter, too short for figures to quote")
    options = parser.parse_args()
    with prepared_machine() as folder:
        if options.what == "peers":
            peers.main(folder, quick=options.quick)
        else:
            alone.main(folder, quick=options.quick)


if __name__ == "__main__":
    main()
