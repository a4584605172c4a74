"""One at a time: a lock on a file, between threads and between processes.

The system releases the lock when its holder ends, even if it was killed, so no lock can be left behind. What the file
says about the holder is only for those who wait.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from fewlex.errors import FewlexError, LockedError
from fewlex.strict import parse_json

PATIENCE = 30.0
PAUSE = 0.005


@contextmanager
def exclusive(path: Path, patience: float = PATIENCE, doing: str = "edited") -> Iterator[None]:
    """Hold the lock on `path`, which is made if it is not there; after `patience` seconds, say who has it.

    `doing` is what holders of this lock do to the folder, for those who wait.
    """
    try:
        # The file is opened for appending, since emptying it here would wipe out what its holder wrote. A link in its
        # place is not followed, since the content of another file would be replaced.
        handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW, 0o666)
        file = os.fdopen(handle, "a+", encoding="utf-8")
    except OSError as error:
        raise FewlexError(
            f"cannot write {path}: {error.strerror}. Check that the folder exists and that you may write to it."
        ) from error
    with file:
        _acquire(file, path, patience, doing)
        _write_holder(file)
        yield


def _acquire(file: IO[str], path: Path, patience: float, doing: str) -> None:
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= end:
                raise LockedError(
                    f"{path.parent} is being {doing} by {_holder(path)}. Wait for it to end, or end it."
                ) from None
            time.sleep(PAUSE)


def _write_holder(file: IO[str]) -> None:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    with suppress(OSError):  # a full disk must not keep anybody from working
        file.truncate(0)
        json.dump({"process": os.getpid(), "command": _command(), "since": since}, file)
        file.flush()


def _command() -> str:
    """The command of this process, without the token of a server: whoever reads the folder reads this too."""
    return re.sub(r"(--token[= ])\s*\S+", r"\1…", " ".join(sys.argv))[:200]


def _holder(path: Path) -> str:
    """Who holds the lock, as far as the file tells."""
    try:
        holder = parse_json(path.read_text(encoding="utf-8"))
        return f"process {holder['process']} ({holder['command']}) since {holder['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
