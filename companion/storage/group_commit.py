"""Group commit: taps that are ready at the same moment share one transaction, and so one wait for the disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import gevent
from gevent.event import AsyncResult

from companion.engine.store import StoreTrouble
from companion.storage.sealing import SealedVersion


class CommitRequest(NamedTuple):
    """A version that a greenlet wants committed."""

    sealed: SealedVersion
    alarm: float | None
    result: bytes | None


def others_are_ready() -> bool:
    """Whether other greenlets would run now: a socket is readable, or a callback waits."""
    loop = gevent.get_hub().loop
    return bool(getattr(loop, "pendingcnt", True) or getattr(loop, "_callbacks", True))


class GroupCommit:
    """Collects commit requests; the greenlet that comes first writes for all of them."""

    def __init__(self, write: Callable[[list[CommitRequest]], list[bool]]) -> None:
        self._write = write
        """Commits requests in one transaction, and tells which of them; raises if it is rolled back."""
        self._waiting: list[tuple[CommitRequest, AsyncResult]] = []

    def commit(self, request: CommitRequest) -> bool:
        """Whether the version was committed; returns when it is durable."""
        answer = AsyncResult()
        self._waiting.append((request, answer))
        if len(self._waiting) == 1:
            try:
                try:
                    if others_are_ready():
                        gevent.sleep(0)  # their requests join this transaction
                finally:
                    waiting, self._waiting = self._waiting, []
                committed = self._write([one for one, _ in waiting])
            except BaseException as error:
                trouble = error if isinstance(error, StoreTrouble) else StoreTrouble("the transaction failed")
                for _, other in waiting[1:]:
                    other.set_exception(trouble)
                raise
            for (_, one), was_committed in zip(waiting, committed, strict=True):
                one.set(was_committed)
        return bool(answer.get())
