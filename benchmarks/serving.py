"""What batching gives `fewlex serve`, and whether it stays well under load: ratios taken in one run.

    python benchmarks/serving.py [--run runs/jump] [--connections 32] [--seconds 60] [--minutes 10]

One connection asks sentence after sentence, and 32 connections do, each waiting for its answer before it asks again.
Both take turns in rounds, and after each round Joey NMT of the same sizes with random weights decodes some of the
sentences in a loop, without HTTP, for as many steps as the references have tokens; so what else the machine does weighs
on all alike. The ratios are medians over the rounds, with the smallest and the largest. At last, for `--minutes`, the
32 go on while a teacher adds a word each second; memory is read from /metrics once a second. Only the network is asked
(`by: network`), since rules are not decoded in batches. Without `--run`, the preset `fast` learns SCAN jump, which
takes some minutes. Each result is a line of JSON.

LibreTranslate's own server installs from PyPI, but it fetches its models from another site when it starts, so Joey NMT
stands in its place.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import fewlex
from fewlex.data.example import Example
from fewlex.lexicon import Lexicon
from fewlex.run import Run

TRAINED_ON, DATA = "scan:jump", "scan:simple"
SENTENCES = 512
JOEY_SENTENCES = 40
ROUNDS = 6


@dataclass
class Load:
    """What the answers of one phase were like."""

    latencies: list[float] = field(default_factory=list)
    errors: int = 0
    seconds: float = 0.0

    def told(self) -> dict[str, Any]:
        cuts = statistics.quantiles(self.latencies, n=20)
        return {
            "requests": len(self.latencies),
            "errors": self.errors,
            "per_second": round(len(self.latencies) / self.seconds, 1),
            "median_ms": round(1000 * statistics.median(self.latencies), 1),
            "p95_ms": round(1000 * cuts[-1], 1),
        }


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, body: Any) -> int:
    """Send one request over an open connection and give the status of its answer."""
    content = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
    answer = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", answer, re.IGNORECASE)
    await reader.readexactly(int(length[1]) if length else 0)
    return int(answer.split(b" ", 2)[1])


async def work(port: int, sentences: Iterator[str], end: float, load: Load) -> None:
    """One connection that asks until `end`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while (began := time.perf_counter()) < end:
        status = await ask(reader, writer, "/v1/translate", {"texts": [next(sentences)], "by": "network"})
        load.latencies.append(time.perf_counter() - began)
        load.errors += status != 200
    writer.close()


async def teach(port: int, end: float, taught: list[str]) -> None:
    """A word each second; those that are acknowledged are noted."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < end:
        word = f"word{len(taught)}"
        body = {"lessons": [{"source": word, "target": word.upper()}]}
        if await ask(reader, writer, "/v1/teach", body) == 200:
            taught.append(word)
        await asyncio.sleep(1)
    writer.close()


async def phase(
    port: int, sentences: Iterator[str], connections: int, seconds: float, taught: list[str] | None = None
) -> Load:
    load, began = Load(), time.perf_counter()
    end = began + seconds
    tasks = [work(port, sentences, end, load) for _ in range(connections)]
    if taught is not None:
        tasks.append(teach(port, end, taught))
    await asyncio.gather(*tasks)
    load.seconds = time.perf_counter() - began
    return load


def memory(port: int) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        found = re.search(r"process_resident_memory_bytes (\d+)", answer.read().decode())
    if found is None:
        raise SystemExit("this system does not tell the memory of a process")
    return int(found[1])


@contextmanager
def server(run: Path) -> Iterator[int]:
    command = [sys.executable, "-m", "fewlex", "serve", str(run), "--port", "0"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            told = process.stderr.readline() if process.stderr else ""
            found = re.search(r"http://[\d.]+:(\d+)", told)
            if found is None:
                raise SystemExit(told)
            yield int(found[1])
        finally:
            process.terminate()


class JoeyLoop:
    """Joey NMT, one sentence at a time and without HTTP."""

    def __init__(self, run: Run, examples: list[Example]) -> None:
        import torch
        from joey import Joey

        torch.set_num_threads(1)
        self._peer = Joey(run.read_config(), run.read_knowledge(), input_feeding=False)
        self._examples = examples
        self._peer.decode(examples[:1], 2, 1)

    def per_second(self) -> float:
        began = time.perf_counter()
        for example in self._examples:
            self._peer.decode([example], len(example.target) + 1, 1)
        return len(self._examples) / (time.perf_counter() - began)


async def soak(
    port: int, sentences: Iterator[str], connections: int, seconds: float
) -> tuple[Load, list[str], list[int]]:
    """Ask and teach for so long; the words that were acknowledged, and memory once a second."""
    taught: list[str] = []
    memories: list[int] = []
    end = time.perf_counter() + seconds

    async def watch() -> None:
        while time.perf_counter() < end:
            memories.append(await asyncio.to_thread(memory, port))
            await asyncio.sleep(1)

    load, _ = await asyncio.gather(phase(port, sentences, connections, seconds, taught), watch())
    return load, taught, memories


def measure(run: Path, connections: int, seconds: float, minutes: float) -> None:
    examples = list(fewlex.load(DATA)["test"])[:SENTENCES]
    sentences = cycle(" ".join(example.source) for example in examples)
    joey = JoeyLoop(Run.open(run), examples[:JOEY_SENTENCES])
    with server(run) as port:
        asyncio.run(phase(port, sentences, connections, 3))  # warm
        rounds = [measure_round(port, sentences, connections, seconds / ROUNDS, joey) for _ in range(ROUNDS)]
        print(json.dumps({name: spread([r[name] for r in rounds]) for name in rounds[0]}), flush=True)
        edited, taught, memories = asyncio.run(soak(port, sentences, connections, 60 * minutes))
    known = set(Lexicon.load(run / "lexicon.json").sources)
    lost = [word for word in taught if word not in known]
    tenth = max(1, len(memories) // 10)
    growth = statistics.mean(memories[-tenth:]) / statistics.mean(memories[tenth : 2 * tenth]) - 1
    told = {"minutes": minutes, "edits": len(taught), "lost": len(lost), "memory_growth": round(growth, 4)}
    print(json.dumps({**told, "memory_mib": round(memories[-1] / 2**20), **edited.told()}), flush=True)


def measure_round(
    port: int, sentences: Iterator[str], connections: int, seconds: float, joey: JoeyLoop
) -> dict[str, float]:
    """One connection, then many, then Joey NMT; what they gave and how it compares."""
    one = asyncio.run(phase(port, sentences, 1, seconds)).told()
    many = asyncio.run(phase(port, sentences, connections, seconds)).told()
    beside = joey.per_second()
    return {
        "errors": one["errors"] + many["errors"],
        "one_per_second": one["per_second"],
        "one_median_ms": one["median_ms"],
        "many_per_second": many["per_second"],
        "many_p95_ms": many["p95_ms"],
        "joey_per_second": round(beside, 1),
        "throughput": round(many["per_second"] / one["per_second"], 2),
        "p95_over_single_median": round(many["p95_ms"] / one["median_ms"], 2),
        "one_over_joey": round(one["per_second"] / beside, 2),
        "many_over_joey": round(many["per_second"] / beside, 2),
    }


def spread(values: list[float]) -> dict[str, float]:
    return {"median": round(statistics.median(values), 2), "least": min(values), "most": max(values)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--run", type=Path, help="a run of SCAN; words are taught to it")
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--minutes", type=float, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = options.run
        if run is None:
            config = fewlex.build_config("fast", TRAINED_ON)
            run = fewlex.train(fewlex.load(TRAINED_ON), config, Path(folder) / "jump").path
        measure(run, options.connections, options.seconds, options.minutes)


if __name__ == "__main__":
    main()
