"""However a server ends, what it has acknowledged is there and nothing is half-written."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import threading
import time
from pathlib import Path

import httpx
import pytest

from fewlex.lexicon import Journal, Lexicon
from tests.serve.conftest import Start
from tests.serve.process import server_process
from tests.serve.running import get, outputs, post


def teach_until_it_ends(url: str, words: list[str], acknowledged: list[str], sent: set[str]) -> None:
    """Teach word after word, and note those that the server has acknowledged, until it is gone."""
    with httpx.Client(base_url=url, timeout=30) as client:
        while words:
            word = words.pop()
            sent.add(word)
            try:
                answer = client.post(
                    "/v1/teach", json={"lessons": [{"source": word, "target": word.upper()}]}
                )
            except httpx.TransportError:
                return
            assert answer.status_code == 200, answer.text
            acknowledged.append(word)


def replayed(start: Lexicon, journal: Journal) -> Lexicon:
    """The lexicon that the log leads to."""
    lexicon = start.copy()
    for line in journal.log.read_text(encoding="utf-8").splitlines():
        for source, change in json.loads(line)["rows"].items():
            for target in change["after"]:
                lexicon.set(source, target)
    return lexicon


def check(run: Path, start: Lexicon, acknowledged: list[str], sent: set[str]) -> None:
    journal = Journal(run)
    known = set(journal.read().sources) - set(start.sources)
    assert set(acknowledged) <= known, "what was acknowledged is there"
    assert known <= sent
    logged = set(replayed(start, journal).sources) - set(start.sources)
    assert known <= logged, "what is there can be undone"
    # A kill between logging and saving leaves one edit that nobody was told of; undoing it changes nothing.
    assert logged - known <= sent - set(acknowledged)


def end_during_edits(run: Path, edits: int, how: signal.Signals, seed: int) -> list[str]:
    """Teach from two clients and end the server at random moments until so many edits are acknowledged."""
    random_moment = random.Random(seed)
    start = Lexicon.load(run / "lexicon.json")
    words = [f"word{i}" for i in range(20 * edits)]
    acknowledged: list[str] = []
    sent: set[str] = set()
    while len(acknowledged) < edits:
        before = len(acknowledged)
        with server_process(run) as (process, url):
            clients = [
                threading.Thread(target=teach_until_it_ends, args=(url, words, acknowledged, sent))
                for _ in range(2)
            ]
            for client in clients:
                client.start()
            wanted = before + random_moment.randint(1, max(2, edits // 5))
            while len(acknowledged) < wanted and process.poll() is None:
                time.sleep(0.001)
            time.sleep(random_moment.random() * 0.02)
            process.send_signal(how)
            for client in clients:
                client.join()
            process.wait(40)
        check(run, start, acknowledged, sent)
    return acknowledged


def test_sigterm_drains_and_leaves_nothing_half_written(run: Path) -> None:
    acknowledged = end_during_edits(run, 3, signal.SIGTERM, seed=0)
    assert not list(run.glob(".*.partial"))
    assert len(Journal(run).log.read_text().splitlines()) == len(acknowledged), "no edit was cut off"


@pytest.mark.slow
def test_kill_during_200_edits_loses_nothing(run: Path) -> None:
    end_during_edits(run, 200, signal.SIGKILL, seed=1)


def test_a_request_in_work_is_answered_before_the_end(run: Path) -> None:
    pairs = [{"source": "dax fep", "target": "RED RED RED"}] * 2000
    with server_process(run) as (process, url):
        told: list[httpx.Response] = []
        ask = threading.Thread(
            target=lambda: told.append(httpx.post(f"{url}/v1/evaluate", json={"pairs": pairs}, timeout=60))
        )
        ask.start()
        while " 0\n" in _in_work(url):
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        ask.join()
        assert process.wait(40) == 0, "it was told to end and has ended"
    assert told[0].json()["scores"]["examples"] == 2000


def _in_work(url: str) -> str:
    lines = httpx.get(f"{url}/metrics").text.splitlines(keepends=True)
    return next(line for line in lines if line.startswith("fewlex_requests_in_work "))


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_refuses_an_edit_and_keeps_all_others(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = start()
    post(running.client, "/v1/teach", lessons=[{"source": "blork", "target": "BLACK"}])
    before = {path: path.read_bytes() for path in running.service.runs[0].run.path.glob("*.json*")}
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        refused = post(running.client, "/v1/teach", 422, lessons=[{"source": "zork", "target": "WHITE"}])
        assert "No space left on device" in refused["detail"]
        assert outputs(running.client, "blork") == ["BLACK"], "it goes on answering"
    after = {path: path.read_bytes() for path in running.service.runs[0].run.path.glob("*.json*")}
    assert after == before
    post(running.client, "/v1/teach", lessons=[{"source": "zork", "target": "WHITE"}])
    assert outputs(running.client, "blork", "zork") == ["BLACK", "WHITE"]


def test_two_servers_of_one_run_know_each_other_s_edits(start: Start, run: Path) -> None:
    clients = [start().client, start().client]
    words = [(f"word{i}", f"W{i}") for i in range(6)]

    def teach(turn: int) -> None:
        for word, meaning in words[turn::2]:
            post(clients[turn], "/v1/teach", lessons=[{"source": word, "target": meaning}])

    at_once = [threading.Thread(target=teach, args=(turn,)) for turn in (0, 1)]
    for thread in at_once:
        thread.start()
    for thread in at_once:
        thread.join()
    for client in clients:
        assert outputs(client, *(word for word, _ in words)) == [meaning for _, meaning in words]
    post(clients[0], "/v1/teach", lessons=[{"source": "last", "target": "LAST"}])
    post(clients[1], "/v1/undo")
    assert "last" not in Journal(run).read()
    assert get(clients[0], "/v1/edits", limit=1)["total"] == len(words)
