"""Work in a forked process, which needs no time to start and can be killed at any moment."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from pathlib import Path

from fewlex.cli import main

for _name in (
    "fewlex.training.pipeline",
    "fewlex.translator",
    "fewlex.evaluation",
    "fewlex.serve.server",
    "fewlex.experiments.report",
    "torch._dynamo",  # Adam imports it when it is made, which takes three times as long as the small training
):
    import_module(_name)  # here, so that no fork must do it, and a kill comes in work and not in an import

Work = Callable[[], object]


def fewlex(*words: str | Path) -> Work:
    """A command of fewlex, to be done in a fork."""

    def call() -> None:
        sys.argv = ["fewlex", *map(str, words)]
        main()

    return call


def in_fork(work: Work, kill_after: float | None = None, told: Path | None = None) -> int:
    """Do the work in a fork and return its exit code, or minus the signal that has ended it.

    `kill_after` so many seconds it is killed; what it has printed goes to the file `told`.
    """
    child = os.fork()
    if not child:
        work_and_exit(work, told)
    if kill_after is not None:
        time.sleep(kill_after)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def seconds_of(work: Work) -> float:
    """How long the work takes if nobody disturbs it; it must succeed."""
    started = time.monotonic()
    code = in_fork(work)
    assert code == 0, f"the undisturbed work ended with {code}"
    return time.monotonic() - started


def work_and_exit(work: Work, told: Path | None) -> None:
    """Do the work and end this process, which is a fork."""
    code, text = 0, StringIO()
    try:
        with redirect_stdout(text), redirect_stderr(text):
            work()
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else int(leave.code is not None)
    except BaseException as error:
        code = 70
        text.write(f"Traceback: {error!r}")
    if told is not None:
        told.write_text(text.getvalue(), encoding="utf-8")
    os._exit(code)
