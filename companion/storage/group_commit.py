"""Group commit: taps that are ready at the same moment share one transaction, and so one wait for the disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gevent
from gevent.hub import Waiter

from companion.engine.store import StoreTrouble
from companion.storage.sealing import SealedVersion


class CommitRequest:
    """A version that a greenlet wants committed, and what became of it."""

    __slots__ = ("alarm", "committed", "done", "error", "result", "sealed")

    def __init__(self, sealed: SealedVersion, alarm: float | None, result: bytes | None) -> None:
        self.sealed = sealed
        self.alarm = alarm
        self.result = result
        self.committed = False
        self.error: Exception | None = None
        """Why the transaction failed."""
        self.done: Any = None
        """Wakes the greenlet that waits while another one writes."""


def others_are_ready() -> bool:
    """Whether other greenlets would run now: a socket is readable, or a callback waits."""
    loop = gevent.get_hub().loop
    return bool(getattr(loop, "pendingcnt", True) or getattr(loop, "_callbacks", True))


class GroupCommit:
    """Collects commit requests; the greenlet that comes first writes for all of them."""

    def __init__(self, write: Callable[[list[CommitRequest]], None]) -> None:
        self._write = write
        """Commits all requests in one transaction, or sets the `error` of each."""
        self._requests: list[CommitRequest] = []

    def commit(self, request: CommitRequest) -> bool:
        """Whether the version was committed; returns when it is durable."""
        self._requests.append(request)
        if len(self._requests) > 1:
            request.done = Waiter()
            request.done.get()
        else:
            try:
                if others_are_ready():
                    gevent.sleep(0)  # their requests join this transaction
            finally:
                requests, self._requests = self._requests, []
            try:
                self._write(requests)
            except BaseException:
                for other in requests[1:]:
                    other.error = other.error or StoreTrouble("the transaction failed")
                raise
            finally:
                for other in requests[1:]:
                    gevent.get_hub().loop.run_callback(other.done.switch, None)
        if request.error is not None:
            raise request.error
        return request.committed
