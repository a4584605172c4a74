"""Bits flip, blocks are lost and tails are cut off, in every file of a run: the damage is named and never used."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load

from fewlex.doctor import examine
from fewlex.errors import FewlexError, RunError
from fewlex.lexicon import Lexicon
from fewlex.remembered import Remembered
from fewlex.rules.storage import load_rules
from fewlex.run import Run
from fewlex.seal import read_sealed
from torture.figures import Figures, Row
from torture.forks import in_fork
from torture.small import trained, training

BLOCK = 4096


def run(seconds: float, rng: random.Random) -> Figures:
    with tempfile.TemporaryDirectory() as name:
        whole = trained(Path(name) / "run")
        (Path(name) / "killed").mkdir()
        _leave_a_checkpoint(Path(name) / "killed" / "run", rng)
        shutil.copy(Path(name) / "killed" / "run" / whole.checkpoint.name, whole.checkpoint)
        files = _readers(whole)
        rows = [_damage(whole, file, seconds / len(files) / 2, rng, files) for file in files]
        return [*rows, _mend(whole, seconds / 4, rng)]


def _readers(run: Run) -> Mapping[str, Callable[[], object]]:
    """Who reads a file when the run is used."""
    return {
        "config.toml": run.read_config,
        "knowledge.json": run.read_knowledge,
        "lexicon.json": run.read_knowledge,
        "rules.json": run.read_knowledge,
        "edits.jsonl": lambda: (run.read_knowledge(), run.history(1000)),
        "memory.json": lambda: Remembered.read(run),
        "model.safetensors": lambda: _tensors(run.weights),
        "checkpoint.safetensors": lambda: _tensors(run.checkpoint),
    }


def _tensors(path: Path) -> object:
    """As `fewlex.model.weights` reads them."""
    try:
        return load(read_sealed(path))
    except SafetensorError as error:
        raise RunError(str(error)) from error


def _leave_a_checkpoint(out: Path, rng: random.Random) -> None:
    kill_after = 1.0
    while not Run(out).checkpoint.exists() or Run(out).is_finished:
        shutil.rmtree(out, ignore_errors=True)
        in_fork(training(out, "training.epochs=1000"), kill_after=kill_after)
        kill_after *= 1.5


def _damage(
    run: Run, name: str, seconds: float, rng: random.Random, files: Mapping[str, Callable[[], object]]
) -> Row:
    path, end, tried, held, note = run.path / name, time.monotonic() + seconds, 0, 0, ""
    whole = path.read_bytes()
    while tried < 2000 and (not tried or time.monotonic() < end):
        how, damaged = rng.choice((_flipped, _lost, _cut))(whole, rng)
        if damaged == whole:
            continue
        path.write_bytes(damaged)
        good = _is_named(files[name]) and (tried % 10 > 0 or not _is_sound(run, name))
        tried, held, note = tried + 1, held + good, note if good else how
    path.write_bytes(whole)
    return Row(
        f"`{name}` with a flipped bit, a lost block or a cut tail is named, not used", tried, held, note
    )


def _flipped(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    bit = rng.randrange(8 * len(data))
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return f"bit {bit}", bytes(changed)


def _lost(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    first = rng.randrange(0, len(data), BLOCK)
    size = min(BLOCK, len(data) - first)
    return f"block at {first}", data[:first] + rng.choice((bytes(size), rng.randbytes(size))) + data[
        first + size :
    ]


def _cut(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    size = rng.randrange(len(data))
    return f"cut to {size}", data[:size]


def _is_named(read: Callable[[], object]) -> bool:
    try:
        read()
    except FewlexError:
        return True
    return False


def _is_sound(run: Run, name: str) -> bool:
    return all(finding.is_good for finding in examine(run.path) if finding.file == name)


def _mend(run: Run, seconds: float, rng: random.Random) -> Row:
    """The doctor makes lexicon and rules again, with every edit."""
    end, tried, held = time.monotonic() + seconds, 0, 0
    known = Lexicon.load(run.path / "lexicon.json"), load_rules(run.rules)
    while tried < 500 and (not tried or time.monotonic() < end):
        path = run.path / rng.choice(
            ("lexicon.json", "rules.json", "lexicon.learned.json", "rules.learned.json")
        )
        path.write_bytes(_flipped(path.read_bytes(), rng)[1])
        examine(run.path, mend=True)
        now = Lexicon.load(run.path / "lexicon.json"), load_rules(run.rules)
        held += now == known and all(finding.is_good for finding in examine(run.path))
        tried += 1
    return Row(
        "`doctor --mend` makes a lexicon, rules or what was learned again, with all edits", tried, held
    )
