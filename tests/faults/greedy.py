"""Request the same expensive pages on many connections, again and again: greedy.py PORT JSON"""

from __future__ import annotations

import asyncio
import json
import sys

CONNECTIONS = 50


async def ask(port: int, requests: list[tuple[str, str, str]], first: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    n = first
    while True:
        method, path, body = requests[n % len(requests)]
        n += CONNECTIONS
        body = body.replace("NUMBER", str(n))
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHX-Request: true\r\nContent-Length: {len(body)}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\n\r\n{body}".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.decode().split("\r\n") if line.lower().startswith("content-length:"))
        await reader.readexactly(int(length.partition(":")[2]))
        print(head.split()[1].decode(), method, path.rpartition("/")[2], flush=True)


async def main(port: int, requests: list[tuple[str, str, str]]) -> None:
    await asyncio.gather(*(ask(port, requests, n) for n in range(CONNECTIONS)))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), json.loads(sys.argv[2])))
