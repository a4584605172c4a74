"""A server whose run is edited over HTTP, and that is killed at any moment."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fewlex.doctor import SOUND, examine
from torture.figures import Row
from torture.forks import fewlex, work_and_exit
from torture.small import is_clean, trained

MOST = 100


@contextmanager
def serving(run: Path) -> Iterator[int]:
    """A server in a process of its own, which is killed at the end; the port that it listens at."""
    port, child = free_port(), os.fork()
    if not child:
        work_and_exit(fewlex("serve", run, "--port", str(port)), None)
    try:
        _wait_for(port)
        yield port
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def serve_and_kill(folder: Path, seconds: float, rng: random.Random) -> Row:
    """Every edit that the server has acknowledged is there after the server was killed."""
    run = trained(folder / "run")
    end, tried, held, edits = time.monotonic() + seconds, 0, 0, 0
    while tried < MOST and (not tried or time.monotonic() < end):
        told: list[str] = []
        with serving(run.path) as port:
            stop = time.monotonic() + rng.uniform(0, 1)
            while time.monotonic() < stop:
                told.append(f"served{edits}")
                teach_over_http(port, told[-1])
                edits += 1
        known = run.read_knowledge().lexicon
        whole = all(finding.state == SOUND for finding in examine(run.path))
        held += all(word in known for word in told) and whole and is_clean(folder)
        tried += 1
    return Row(
        "SIGKILL in `serve` with edits: every acknowledged edit is there", tried, held, "{count} edits", edits
    )


def teach_over_http(port: int, word: str) -> None:
    """Teach a word; an error if the server does not acknowledge it."""
    _post(port, "/v1/teach", {"lessons": [{"source": word, "target": "RED"}]})


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait_for(port: int) -> None:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.02)
    raise TimeoutError("the server did not start")


def _post(port: int, path: str, content: object) -> None:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        json.dumps(content).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=300) as answer:
        answer.read()
