"""How long one small piece of work may take. Its own computing time counts, because others use the machine too."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

WAITING = 30
"""So many times as long as it may compute, a piece of work may take in all, before it counts as hanging."""


class TooSlowError(Exception):
    """A piece of work took too long."""


@contextmanager
def watched() -> Iterator[None]:
    """In this block, `limit` can end work."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlowError(f"too long, by {signal.Signals(number).name}")

    before = {number: signal.signal(number, stop) for number in (signal.SIGPROF, signal.SIGALRM)}
    try:
        yield
    finally:
        limit(0)
        for number, handler in before.items():
            signal.signal(number, handler)


def limit(seconds: int) -> None:
    """From now on, so many seconds of computing are left until a `TooSlowError`; 0 means that there is no hurry."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(WAITING * seconds)
