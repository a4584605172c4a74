"""A moment at which work must end, wherever it is: a time budget also holds while data are read and lexicons learned.

The system's alarm clock interrupts the work, so no learner needs to know about time. Only the main thread of a program
can be interrupted in this way; elsewhere, and on systems without alarm clocks, the work takes as long as it takes.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from fewlex.errors import OutOfTimeError

LEAST = 20.0
"""Seconds that preparing a training may take at least: a budget of one second is not used up by loading torch."""


class OutOfTime(BaseException):
    """The moment has come. It is no Exception, so nobody who looks for mistakes catches it."""


@contextmanager
def ending(moment: float | None) -> Iterator[None]:
    """Raise `OutOfTime` in the block once `time.monotonic()` has passed `moment`. None means that there is no hurry.

    Such blocks do not nest.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if moment is None or not is_main or not hasattr(signal, "setitimer"):
        yield
        return
    before, is_over = signal.getsignal(signal.SIGALRM), False

    def ring(number: int, frame: FrameType | None) -> None:
        if not is_over:
            raise OutOfTime

    try:
        try:
            signal.signal(signal.SIGALRM, ring)
            # It rings once: a second time it could interrupt whoever clears up after the first.
            signal.setitimer(signal.ITIMER_REAL, max(moment - time.monotonic(), 1e-6))
            yield
        finally:
            is_over = True
    finally:  # also if the alarm rang in the very moment when the block had ended
        is_over = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def preparing(seconds: float, began: float, doing: str) -> Iterator[None]:
    """End what comes before training when the time budget is used up; without a budget (0), it may take its time."""
    try:
        with ending(began + max(seconds, LEAST) if seconds else None):
            yield
    except OutOfTime:
        raise OutOfTimeError(max(seconds, LEAST), doing) from None
