"""What Prometheus asks for: counts and times of requests, sizes of batches, memory."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from pathlib import Path

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SENTENCES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Histogram:
    """How many values were up to each bound, and their sum."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def lines(self, name: str) -> list[str]:
        lines, running = [f"# TYPE {name} histogram"], 0
        for bound, count in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            running += count
            lines.append(f'{name}_bucket{{le="{bound}"}} {running}')
        return [*lines, f"{name}_sum {self._sum:.6f}", f"{name}_count {running}"]


class Metrics:
    """Counters that any thread may raise."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._edits: Counter[tuple[str, str]] = Counter()
        self._seconds = Histogram(SECONDS)
        self._sentences = Histogram(SENTENCES)
        self.in_work = 0

    def observe_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer. `route` is a path of the route table, so that clients cannot make up labels."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._seconds.add(seconds)

    def observe_batch(self, sentences: int) -> None:
        with self._lock:
            self._sentences.add(sentences)

    def observe_edit(self, run: str, action: str) -> None:
        with self._lock:
            self._edits[run, action] += 1

    def text(self) -> str:
        """All metrics in Prometheus' text format."""
        with self._lock:
            lines = ["# TYPE fewlex_requests_total counter"]
            for (method, route, status), count in sorted(self._requests.items()):
                labels = f'method="{method}",route="{route}",status="{status}"'
                lines.append(f"fewlex_requests_total{{{labels}}} {count}")
            lines += self._seconds.lines("fewlex_request_seconds")
            lines += self._sentences.lines("fewlex_batch_sentences")
            lines.append("# TYPE fewlex_edits_total counter")
            for (run, action), count in sorted(self._edits.items()):
                lines.append(f'fewlex_edits_total{{run="{_escaped(run)}",action="{action}"}} {count}')
        lines += ["# TYPE fewlex_requests_in_work gauge", f"fewlex_requests_in_work {self.in_work}"]
        if (memory := resident_bytes()) is not None:
            lines += [
                "# TYPE process_resident_memory_bytes gauge",
                f"process_resident_memory_bytes {memory}",
            ]
        return "\n".join(lines) + "\n"


def resident_bytes(process: str = "self") -> int | None:
    """The memory of a process, where the system tells it."""
    try:
        fields = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    found = [line.split() for line in fields.splitlines() if line.startswith("VmRSS:")]
    return int(found[0][1]) * 1024 if found else None


def _escaped(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
