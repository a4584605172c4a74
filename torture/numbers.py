"""Same seed, same machine, same threads: the same bits. And no number that is none."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from fewlex.run import Run
from torture.figures import Figures, Row
from torture.forks import in_fork
from torture.small import training

TOLERANCE = 1e-4
"""The most that a weight may differ between one thread and two, after this short training."""


def run(seconds: float, rng: random.Random) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        return [_same_bits(place, seconds / 2), _threads(place), _diverging(place, rng)]


def _same_bits(folder: Path, seconds: float) -> Row:
    end, tried, held = time.monotonic() + seconds, 0, 0
    first = _trained(folder / "first")
    while tried < 20 and (not tried or time.monotonic() < end):
        held += _trained(folder / f"again{tried}") == first
        tried += 1
    return Row("the same training again: weights bit-identical", tried, held)


def _trained(out: Path) -> bytes:
    assert in_fork(training(out)) == 0
    return Run(out).weights.read_bytes()


def _threads(folder: Path) -> Row:
    """One thread and two give weights that differ by no more than rounding."""
    from safetensors.torch import load

    one = load(_trained(folder / "one"))
    out = folder / "two"
    assert in_fork(lambda: training_with_two(out)) == 0
    two = load(Run(out).weights.read_bytes())
    difference = max(float((one[name] - two[name]).abs().max()) for name in one)
    what = f"one thread and two: no weight differs by {TOLERANCE:g}"
    return Row(what, 1, int(difference < TOLERANCE), f"{difference:.1e}")


def training_with_two(out: Path) -> None:
    """The small training, on two threads."""
    training(out, threads=2)()


def _diverging(folder: Path, rng: random.Random) -> Row:
    """A training that diverges stops with exit code 1, the update, the gradient norm and advice, and makes no run."""
    tried, held, note = 0, 0, ""
    for rate in ("1e300", "1e30", "1e20"):
        out, told = folder / f"rate{rate}", folder / "told"
        code = in_fork(training(out, f"training.learning_rate={rate}"), told=told)
        said = told.read_text()
        good = code == 1 and "has diverged at update" in said and "smaller training.learning_rate" in said
        good = good and not Run(out).is_finished and not Run(out).weights.exists()
        tried, held, note = tried + 1, held + good, note if good else f"{rate}: {code} {said[-100:]!r}"
    return Row(
        "a diverging training stops, says where and what to do, and leaves no weights", tried, held, note
    )
