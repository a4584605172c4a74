"""Open connections: clients that say nothing, or read nothing, do not keep the others out."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from fewlex.serve.limits import Limits
from tests.serve.conftest import Start
from tests.serve.process import server_process
from tests.serve.running import get, outputs

HALF = b"GET /health HTTP/1.1\r\nHost: loc"
"""Headers that do not end."""


def connect(port: int, say: bytes = b"") -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), 10)
    made.sendall(say)
    return made


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


@contextmanager
def closing(connections: list[socket.socket]) -> Iterator[list[socket.socket]]:
    try:
        yield connections
    finally:
        for connection in connections:
            connection.close()


@pytest.mark.parametrize("say", [b"", HALF])
def test_a_quiet_connection_is_closed(start: Start, say: bytes) -> None:
    """Be it that nothing was said, or that the headers do not come to an end."""
    running = start(limits=Limits(quiet_seconds=0.3))
    with closing([connect(running.port, say)]) as (quiet,):
        quiet.settimeout(5)
        began = time.monotonic()
        assert is_closed(quiet)
        assert time.monotonic() - began > 0.2


def test_headers_that_trickle_in_gain_no_time(start: Start) -> None:
    running = start(limits=Limits(quiet_seconds=0.5))
    with closing([connect(running.port)]) as (slow,):
        slow.settimeout(0.1)
        end = time.monotonic() + 10
        while not is_closed(slow):
            assert time.monotonic() < end, "each byte would have to come in time on its own"
            with suppress(OSError):
                slow.sendall(b"x")


def test_newcomers_take_the_place_of_those_that_were_quiet_for_longest(start: Start) -> None:
    running = start(limits=Limits(connections=5))
    assert outputs(running.client, "dax") == ["RED"], "its connection stays open and is quiet now"
    with (
        closing([connect(running.port, HALF) for _ in range(5)]) as quiet,
        httpx.Client(base_url=running.client.base_url, timeout=10) as other,
    ):
        assert get(other, "/health")["status"] == "ok"
        quiet[0].settimeout(5)
        quiet[-1].settimeout(0.2)
        assert is_closed(quiet[0])
        assert not is_closed(quiet[-1])
        assert get(other, "/health")["status"] == "ok", "the newcomer itself is kept"


def test_connections_in_work_are_kept_and_others_told_to_wait(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = start(limits=Limits(connections=1))
    mind, held, free = type(running.service.runs[0].snapshot().mind), threading.Event(), threading.Event()
    decode = mind.answer

    def slow(*arguments: object) -> object:
        held.set()
        free.wait(10)
        return decode(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(mind, "answer", slow)
    answers: list[list[str]] = []
    asking = threading.Thread(target=lambda: answers.append(outputs(running.client, "dax")))
    asking.start()
    held.wait(10)
    with closing([connect(running.port)]) as (refused,):
        refused.settimeout(5)
        told = b""
        while piece := refused.recv(65536):
            told += piece
    free.set()
    asking.join()
    head, body = told.split(b"\r\n\r\n")
    assert b" 503 " in head.splitlines()[0]
    assert json.loads(body)["status"] == 503
    assert answers == [["RED"]]


def test_who_reads_nothing_is_given_up(start: Start) -> None:
    """The answer does not fit into the buffers of the system, and nobody takes it."""
    running = start(limits=Limits(quiet_seconds=0.3))
    running.service.runs[0].journal.teach([("long", "W" * 30_000_000)])
    asked = b"GET /v1/lexicon/export HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with closing([connect(running.port, asked)]) as (deaf,):
        time.sleep(4)
        read = 0
        deaf.settimeout(5)
        with suppress(ConnectionResetError):
            while piece := deaf.recv(1 << 20):
                read += len(piece)
        assert 0 < read < 30_000_000


@pytest.mark.slow
def test_ten_thousand_idle_connections_do_not_keep_others_out(run: Path) -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    wanted = 10_000
    if hard < wanted + 200:
        pytest.fail(f"this system allows {hard} open files; raise it (ulimit -Hn) to test {wanted}")
    with server_process(run) as (_, url):
        port = int(url.rpartition(":")[2])
        with closing([]) as idle:
            for _ in range(wanted):
                idle.append(connect(port, HALF))
            with httpx.Client(base_url=url, timeout=10) as client:
                assert outputs(client, "dax", "lug") == ["RED", "BLUE"]
                assert get(client, "/health")["status"] == "ok"
