"""Requests that arrive together are decoded together, each with its own answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from fewlex.serve import batching
from fewlex.serve.batching import Batcher, Decoded, Snapshot
from fewlex.translator import Translator
from tests.serve.running import outputs


class Counting:
    """Stands in for a mind: it answers each sentence with its own words and counts its batches."""

    def __init__(self) -> None:
        self.knowledge = self.form = self
        self.batches: list[tuple[int, int | None]] = []
        self.is_held, self.may_go = threading.Event(), threading.Event()

    def source_tokens(self, line: str) -> Sequence[str]:
        return line.split()

    def answer(self, sources: Sequence[Sequence[str]], beam: int | None, *_: object) -> list[Any]:
        self.is_held.set()
        self.may_go.wait(5)
        self.batches.append((len(sources), beam))
        if ("bad",) in map(tuple, sources):
            raise ValueError("bad sentence")
        return [" ".join(source) for source in sources]


def told(job: Future[Decoded], seconds: float) -> list[Any]:
    return list(job.result(seconds).answers)


@pytest.fixture
def network() -> Counting:
    return Counting()


@pytest.fixture
def batcher(network: Counting) -> Batcher:
    return Batcher(lambda: Snapshot(network, "1"))  # type: ignore[arg-type]


def test_what_waits_is_decoded_at_once(network: Counting, batcher: Batcher) -> None:
    first = batcher.submit(["a"])
    network.is_held.wait(5)
    rest = [batcher.submit([f"b{i}", f"c{i}"]) for i in range(10)]
    other = batcher.submit(["d"], beam=4)
    network.may_go.set()
    assert told(first, 5) == ["a"]
    assert [told(job, 5) for job in rest] == [[f"b{i}", f"c{i}"] for i in range(10)]
    assert told(other, 5) == ["d"]
    assert network.batches == [(1, None), (20, None), (1, 4)]
    batcher.close()


def test_who_asks_alone_does_not_wait(
    network: Counting, batcher: Batcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batching, "SHORTEST_PAUSE", 60.0)
    monkeypatch.setattr(batching, "LONGEST_WAIT", 1e9)
    network.may_go.set()
    assert [told(batcher.submit([word]), 5) for word in "abc"] == [["a"], ["b"], ["c"]]
    batcher.close()


def test_those_who_came_together_are_waited_for(
    network: Counting, batcher: Batcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batching, "SHORTEST_PAUSE", 0.5)
    monkeypatch.setattr(batching, "LONGEST_WAIT", 1e9)
    jobs = [batcher.submit(["first"])]
    network.is_held.wait(5)
    jobs += [batcher.submit(["together"]) for _ in range(4)]
    network.may_go.set()
    for job in jobs:
        job.result(5)
    again = []
    for _ in range(4):
        again.append(batcher.submit(["again"]))
        time.sleep(0.05)
    for job in again:
        job.result(5)
    assert network.batches == [(1, None), (4, None), (4, None)]
    began = time.monotonic()
    assert told(batcher.submit(["alone"]), 5) == ["alone"], (
        "the others have gone: after a pause it goes on alone"
    )
    assert time.monotonic() - began > 0.4
    began = time.monotonic()
    assert told(batcher.submit(["alone"]), 5) == ["alone"]
    assert time.monotonic() - began < 0.4
    batcher.close()


def test_two_halves_of_the_clients_do_not_take_turns(
    network: Counting, batcher: Batcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batching, "SHORTEST_PAUSE", 2.0)
    monkeypatch.setattr(batching, "LONGEST_WAIT", 1e9)
    first = batcher.submit(["first half"])
    network.is_held.wait(5)
    second = batcher.submit(["second half"])
    network.may_go.set()
    first.result(5)
    time.sleep(0.1)
    again = batcher.submit(["first half again"])
    for job in (second, again):
        job.result(5)
    assert network.batches == [(1, None), (2, None)]
    batcher.close()


def test_a_batch_has_a_limit(network: Counting, batcher: Batcher) -> None:
    first = batcher.submit(["a"])
    network.is_held.wait(5)
    jobs = [batcher.submit(["b"] * 200) for _ in range(4)]
    network.may_go.set()
    for job in (first, *jobs):
        job.result(5)
    assert network.batches == [(1, None), (400, None), (400, None)]
    batcher.close()


def test_a_mistake_reaches_those_who_wait_and_no_others(network: Counting, batcher: Batcher) -> None:
    network.may_go.set()
    with pytest.raises(ValueError, match="bad sentence"):
        batcher.submit(["bad"]).result(5)
    assert told(batcher.submit(["good"]), 5) == ["good"]
    batcher.close()


def test_closing_answers_what_was_accepted(network: Counting, batcher: Batcher) -> None:
    jobs = [batcher.submit([str(i)]) for i in range(5)]
    network.may_go.set()
    batcher.close()
    assert [told(job, 0) for job in jobs] == [[str(i)] for i in range(5)]
    with pytest.raises(RuntimeError, match="closed"):
        batcher.submit(["late"])
    batcher.close()


def test_answers_do_not_depend_on_company(reading: httpx.Client, colors: Path) -> None:
    words = ["dax", "lug", "wif", "zup"]
    texts = [f"{a} {f} {b}" for a in words for f in ("blicket", "kiki") for b in words]
    alone = [n_best[0].text for n_best in Translator.load(colors).translate_lines(texts)]
    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(lambda text: outputs(reading, text)[0], texts))
    assert together == alone
