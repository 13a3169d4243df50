"""A bare uvloop server to measure beside: what one says is written to everybody at the same table.

    python echo.py PORT

The first line of a connection is the number of its table.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict

import uvloop

tables: dict[bytes, list[asyncio.WriteTransport]] = defaultdict(list)


class Place(asyncio.Protocol):
    """One connection."""

    table: bytes | None = None

    def connection_made(self, transport: asyncio.WriteTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self.table is None:
            self.table = data
            tables[data].append(self.transport)
            self.transport.write(b"\n")
            return
        for transport in tables[self.table]:
            transport.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.table is not None:
            tables[self.table].remove(self.transport)


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Place, "127.0.0.1", int(sys.argv[1]))
    print("ready", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
