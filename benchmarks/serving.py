"""What batching gives `fewlex serve`, and whether it stays well under load: ratios taken in one run.

    python benchmarks/serving.py [--run runs/jump] [--connections 32] [--seconds 60] [--minutes 10]

One connection asks sentence after sentence; then 32 connections do, each waiting for its answer before it asks again.
At last, for `--minutes`, they go on while a teacher adds a word each second; memory is read from /metrics. Only the
network is asked (`by: network`), since rules are not decoded in batches. Beside it, Joey NMT of the same sizes with
random weights decodes the same sentences in a loop, without HTTP, for as many steps as the references have tokens.
Without `--run`, a network learns SCAN for an epoch. Each result is a line of JSON.
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

DATA = "scan:simple"
SENTENCES = 512
JOEY_SENTENCES = 60


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


def joey_per_second(run: Run, examples: list[Example]) -> float:
    """Sentences a second of Joey NMT, one at a time and without HTTP."""
    import torch
    from joey import Joey

    torch.set_num_threads(1)
    peer = Joey(run.read_config(), run.read_knowledge(), input_feeding=False)
    peer.decode(examples[:1], 2, 1)
    began = time.perf_counter()
    for example in examples:
        peer.decode([example], len(example.target) + 1, 1)
    return len(examples) / (time.perf_counter() - began)


def measure(run: Path, connections: int, seconds: float, minutes: float) -> None:
    examples = list(fewlex.load(DATA)["test"])[:SENTENCES]
    sentences = cycle(" ".join(example.source) for example in examples)
    with server(run) as port:
        asyncio.run(phase(port, sentences, connections, 3))  # warm
        alone = asyncio.run(phase(port, sentences, 1, seconds))
        print(json.dumps({"connections": 1, **alone.told()}), flush=True)
        together = asyncio.run(phase(port, sentences, connections, seconds))
        one, many = alone.told(), together.told()
        ratios = {
            "throughput": round(many["per_second"] / one["per_second"], 2),
            "p95_over_single_median": round(many["p95_ms"] / one["median_ms"], 2),
        }
        print(json.dumps({"connections": connections, **many, **ratios}), flush=True)
        before, taught = memory(port), list[str]()
        edited = asyncio.run(phase(port, sentences, connections, 60 * minutes, taught))
        growth = memory(port) / before - 1
    known = set(Lexicon.load(run / "lexicon.json").sources)
    lost = [word for word in taught if word not in known]
    told = {"minutes": minutes, "edits": len(taught), "lost": len(lost), "memory_growth": round(growth, 4)}
    print(json.dumps({**told, **edited.told()}), flush=True)
    joey = joey_per_second(Run.open(run), examples[:JOEY_SENTENCES])
    print(
        json.dumps(
            {"joey_per_second": round(joey, 1), "fewlex_over_joey": round(many["per_second"] / joey, 2)}
        )
    )


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
            config = fewlex.build_config(
                "fast", DATA, settings=["training.epochs=1", "data.validation_share=0"]
            )
            run = fewlex.train(fewlex.load(DATA), config, Path(folder) / "scan").path
        measure(run, options.connections, options.seconds, options.minutes)


if __name__ == "__main__":
    main()
