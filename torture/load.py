"""Mixed traffic against `fewlex serve` while someone edits: no error, no edit lost, no memory that grows."""

from __future__ import annotations

import asyncio
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from fewlex.lexicon import Lexicon
from fewlex.run import Run
from torture.command import DATA, done, start
from torture.figures import Figures, Row

READERS = 8
PACE = 11
"""Questions a second, of all readers together: load shall show what grows, and leave the machine to others."""
WORDS = 200
"""The editor teaches these again and again, so that the lexicon stays as large as it is and memory can be compared."""
MEMORY_SLACK = 0.05
TENTHS = 10
WARM = 2
"""So many tenths of the time are for warming up; memory is compared with the last of them."""
COLORS = ("dax", "lug", "wif", "zup")


@dataclass
class Seen:
    """What happened to one server."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    taught: dict[str, str] = field(default_factory=dict)
    """The last meaning of each word that was acknowledged."""
    edits: int = 0
    memory: list[tuple[float, int]] = field(default_factory=list)
    """When, as a share of the whole time, and how many bytes."""


def run(seconds: float, rng: random.Random) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "load"
        code, _, err = done(
            "train", DATA, "--out", path, "--preset", "fast", "--set", "training.epochs=60",
            "--set", "rules.learn=true",
        )  # fmt: skip
        assert code == 0, err
        with start("serve", path, "--port", "0") as server:
            assert server.stderr is not None
            found = re.search(r"http://\S+:\d+", told := server.stderr.readline())
            assert found, told + server.stderr.read()
            try:
                seen = asyncio.run(_traffic(found[0], seconds, rng))
            finally:
                server.terminate()
                server.wait(60)
        return [
            *_rows(seen, path),
            Row("SIGTERM ends the server with exit code 0", 1, int(server.returncode == 0)),
        ]


async def _traffic(url: str, seconds: float, rng: random.Random) -> Seen:
    seen, began = Seen(), time.monotonic()
    limits = httpx.Limits(max_connections=READERS + 2)
    async with httpx.AsyncClient(base_url=url, timeout=300, limits=limits) as client:

        def share() -> float:
            return (time.monotonic() - began) / seconds

        pause = READERS / PACE
        await asyncio.gather(
            *(_read(client, seen, random.Random(rng.random()), share, pause) for _ in range(READERS)),
            _edit(client, seen, rng, share),
            _watch(client, seen, share),
        )
    return seen


async def _read(
    client: httpx.AsyncClient, seen: Seen, rng: random.Random, share: Callable[[], float], pause: float
) -> None:
    """A client that asks for this and that, and waits for each answer, and at least `pause` seconds between two."""
    while share() < 1:
        began = time.monotonic()
        await _ask(client, seen, *rng.choice(QUESTIONS)(rng))
        await asyncio.sleep(max(0.0, began + pause - time.monotonic()))


def _sentence(rng: random.Random) -> str:
    words = [*COLORS, f"word{rng.randrange(WORDS)}"]
    return rng.choice(["{0}", "{0} fep", "{0} blicket {1}", "{0} kiki {1} fep"]).format(
        rng.choice(words), rng.choice(words)
    )


Question = tuple[str, str, dict[str, Any]]

QUESTIONS: list[Callable[[random.Random], Question]] = [
    lambda rng: ("POST", "/v1/translate", {"json": {"texts": [_sentence(rng)]}}),
    lambda rng: ("POST", "/v1/translate", {"json": {"texts": [_sentence(rng) for _ in range(20)]}}),
    lambda rng: (
        "POST",
        "/v1/translate",
        {"json": {"texts": [_sentence(rng)], "n_best": 4, "explain": True, "by": "network"}},
    ),
    lambda rng: ("POST", "/translate", {"data": {"q": _sentence(rng), "source": "auto", "target": "load"}}),
    lambda rng: ("GET", "/v1/lexicon", {"params": {"search": rng.choice("dwz"), "sort": "target"}}),
    lambda rng: ("GET", "/v1/lexicon/export", {}),
    lambda rng: ("GET", "/v1/rules", {"params": {"sort": "count", "order": "down"}}),
    lambda rng: ("GET", "/v1/edits", {"params": {"limit": 20}}),
    lambda rng: (
        "POST",
        "/v1/evaluate",
        {"json": {"pairs": [{"source": _sentence(rng), "target": "RED"}] * 5}},
    ),
    lambda rng: (
        "POST",
        "/v1/teach",
        {
            "json": {
                "lessons": [{"source": "blork", "target": "PINK"}],
                "preview": True,
                "sentences": ["blork fep", _sentence(rng)],
            }
        },
    ),
]
"""What readers ask; nothing of it changes the run."""


async def _edit(
    client: httpx.AsyncClient, seen: Seen, rng: random.Random, share: Callable[[], float]
) -> None:
    """The only editor: teaches, corrects, takes back and makes again, about twice a second."""
    while share() < 1:
        word, meaning = f"word{rng.randrange(WORDS)}", f"M{seen.edits}"
        body = {"lessons": [{"source": word, "target": meaning}]}
        if await _ask(client, seen, "POST", "/v1/teach", {"json": body}):
            seen.taught[word] = meaning
            seen.edits += 1
        if rng.random() < 0.2:
            await _ask(client, seen, "POST", "/v1/undo", {"json": {}})
            await _ask(client, seen, "POST", "/v1/redo", {"json": {}})
        await asyncio.sleep(0.5)


async def _watch(client: httpx.AsyncClient, seen: Seen, share: Callable[[], float]) -> None:
    while share() < 1:
        answer = await client.get("/metrics")
        found = re.search(r"process_resident_memory_bytes (\d+)", answer.text)
        if found is not None:
            seen.memory.append((share(), int(found[1])))
        await asyncio.sleep(0.5)


async def _ask(client: httpx.AsyncClient, seen: Seen, method: str, path: str, more: dict[str, Any]) -> bool:
    """Ask once; True if the answer was 200."""
    began = time.monotonic()
    try:
        answer = await client.request(method, path, **more)
    except httpx.HTTPError as error:
        seen.errors.append(f"{method} {path}: {error!r}")
        return False
    seen.seconds.append(time.monotonic() - began)
    if answer.status_code != 200:
        seen.errors.append(f"{method} {path}: {answer.status_code} {answer.text[:100]}")
    return answer.status_code == 200


def _rows(seen: Seen, path: Path) -> list[Row]:
    lexicon = Lexicon.load(path / "lexicon.json")
    there = sum([*lexicon.row(word)] == [meaning] for word, meaning in seen.taught.items())
    _, logged = Run.open(path).history(0)
    asked = len(seen.seconds) + len(seen.errors)
    typical = (
        f"{1000 * statistics.median(seen.seconds):.0f} ms, 95 % below {1000 * _p95(seen.seconds):.0f} ms"
    )
    tenths = [_mean(seen, tenth) for tenth in range(TENTHS)]
    before, after = tenths[WARM - 1], [memory for memory in tenths[WARM:] if memory]
    kept = [memory for memory in after if abs(memory / before - 1) <= MEMORY_SLACK]
    return [
        Row(
            f"mixed requests from {READERS} clients beside edits are answered",
            asked,
            asked - len(seen.errors),
            "; ".join(seen.errors[:3]) or f"half within {typical}",
        ),
        Row("words of the lexicon have the meaning that was taught last", len(seen.taught), there),
        Row(
            "acknowledged edits are in the journal, none else",
            seen.edits,
            seen.edits - abs(logged - seen.edits),
        ),
        Row(
            "memory of the server stays within 5 %, tenth by tenth of the time",
            len(after),
            len(kept),
            f"{before / 2**20:.0f} MiB after warming up, {100 * (after[-1] / before - 1):+.1f} % at the end",
        ),
    ]


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[int(0.95 * (len(seconds) - 1))]


def _mean(seen: Seen, tenth: int) -> float:
    found = [bytes_ for when, bytes_ in seen.memory if int(TENTHS * when) == tenth]
    return statistics.mean(found) if found else 0.0
