"""The same surfaces under atheris, Google's fuzzer for Python, which keeps inputs that reach code no other has reached.

atheris ends its process when it is done, so it runs in one of its own, on one surface each.
"""

from __future__ import annotations

import importlib.util
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from torture.command import ROOT
from torture.figures import Row

GUIDED = (
    "pairs.tsv", "pairs.csv", "pairs.jsonl", "glossary.tsv", "gold links", "standard input",
    "lexicon.json", "lexicon.tsv", "rules.json", "rules.txt", "knowledge.json", "edits.jsonl",
    "config file", "--set of train",
)  # fmt: skip
SHORTEST, START = 20, 5
"""The seconds below which a surface is not worth the start of a process, and what that start takes."""
_EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")


def is_there() -> bool:
    return importlib.util.find_spec("atheris") is not None


def run(seconds: float, rng: random.Random) -> Iterator[Row]:
    """A row for the surfaces that are fuzzed in this way; where time is short, it is for a few of them.

    There is none where atheris is not installed.
    """
    if not is_there():
        return
    executed, broken = 0, list[str]()
    chosen = rng.sample(GUIDED, max(1, min(len(GUIDED), int(seconds / SHORTEST))))
    share = max(5, int(seconds / len(chosen)) - START)
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.run(
                [sys.executable, "-m", "torture.coverage_guided", name, str(share)],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", ROOT, *sys.path)))},
                capture_output=True,
                text=True,
                errors="replace",
            )
        found = _EXECUTED.search(process.stderr)
        executed += int(found[1]) if found else 0
        if process.returncode or not found:
            broken.append(f"{name}: {_why(process.stderr + process.stdout)}")
    note = "; ".join(broken[:3]) or f"{share} s each: {', '.join(chosen)}"
    yield Row("atheris: guided by coverage, only a FewlexError", executed, executed - len(broken), note)


def _why(output: str) -> str:
    """The line of an output that tells what broke."""
    errors = [line for line in output.splitlines() if re.match(r"\s*[\w.]*(Error|Exception)\b", line)]
    return (errors or output.splitlines() or ["no output"])[-1][:120]


def main() -> None:
    """`python -m torture.coverage_guided SURFACE SECONDS`, in a folder of its own."""
    import atheris  # type: ignore[import-untyped]

    name, seconds = sys.argv[1:]
    with atheris.instrument_imports(include=["fewlex"]):
        from torture.inputs import files

    from fewlex.errors import FewlexError

    surface = files(Path.cwd())[name]
    corpus = Path("corpus")
    corpus.mkdir()
    for number, seed in enumerate(surface.seeds):
        (corpus / str(number)).write_bytes(seed)

    def one_input(data: bytes) -> None:
        try:
            surface.feed(data)
        except FewlexError:
            return

    options = [
        f"-max_total_time={seconds}",
        "-print_final_stats=1",
        "-timeout=20",
        "-rss_limit_mb=2048",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *options, "-max_len=8192", str(corpus)], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
