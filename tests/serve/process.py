"""`fewlex serve` as its users start it: a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import fewlex

SOURCE = str(Path(fewlex.__file__).parent.parent)


@contextmanager
def server_process(*arguments: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process and the URL that it tells; it is killed at the end if it is still there."""
    command = [sys.executable, "-m", "fewlex", "serve", *map(str, arguments), "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": SOURCE, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            told = process.stderr.readline()
            found = re.search(r"http://\S+:\d+", told)
            assert found, told + process.stderr.read()
            yield process, found[0]
        finally:
            process.kill()
