"""Ctrl-C and SIGTERM end training between two updates, so that a checkpoint can be written first."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StoppedTraining(KeyboardInterrupt):
    """Training was asked to stop and has written its checkpoint; `code` is the exit code that shells expect."""

    def __init__(self, epoch: int, number: int) -> None:
        super().__init__(f"training has stopped in epoch {epoch}; the same call goes on from there")
        self.epoch, self.code = epoch, 128 + number


class Interruption:
    """Whether somebody has asked to stop. It asks nobody unless it is watching."""

    def __init__(self) -> None:
        self.signal = 0
        """The signal that came; 0 = none."""

    @contextmanager
    def watching(self) -> Iterator[Interruption]:
        """Take note of the first signal; a second one ends the program at once.

        Signals that the program was started to ignore stay ignored. Only the main thread can watch.
        """
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        watched = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.getsignal(number) for number in watched}
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, self._take)
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _take(self, number: int, frame: FrameType | None) -> None:
        if self.signal:
            raise KeyboardInterrupt
        self.signal = number
