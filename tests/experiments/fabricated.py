"""Result files as a run would leave them, without the run."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

from fewlex.data.cogs import PAPER_GROUPS
from fewlex.experiments.identity import config_of, identity
from fewlex.experiments.paper import EXPERIMENTS
from fewlex.experiments.runner import write_result
from fewlex.version import __version__


def fabricate(
    results: Path, name: str, seed: int, accuracy: float, *, examples: int = 200, **changes: Any
) -> dict[str, Any]:
    """A result whose examples are right with a probability; `changes` are laid over its parts."""
    experiment = EXPERIMENTS[name]
    config = config_of(experiment, seed)
    rng = random.Random(f"{name}/{seed}")
    hits = "".join("01"[rng.random() < accuracy] for _ in range(examples))
    exact = hits.count("1") / examples
    groups = {group: min(1.0, exact * rng.uniform(0.8, 1.2)) for group in PAPER_GROUPS}
    curve = {
        "epoch": list(range(8)),
        "loss": [2 * 0.5**k * rng.uniform(0.9, 1.1) for k in range(8)],
        "validation_accuracy": [1 - 0.6**k for k in range(8)],
    }
    result: dict[str, Any] = {
        "experiment": name,
        "data": experiment.data,
        "preset": experiment.preset,
        "settings": list(experiment.settings),
        "seed": seed,
        "fewlex": __version__,
        "identity": identity(experiment, config),
        "config": dataclasses.asdict(config),
        "scores": {
            "test": {
                "examples": examples,
                "exact_match": exact,
                "by_group": groups if experiment.task == "cogs" else {},
                "bleu": accuracy / 2,
                "one_shot_bleu": accuracy / 3,
                "hits": hits,
            }
        },
        "training": {"seconds": 100.0 + seed, "peak_memory_mib": 400, "threads": 1},
        "curve": curve,
        "evaluation_seconds": 2.5,
        "machine": {"cpu": "a processor"},
        "date": "2026-01-02T03:04:05+00:00",
        **changes,
    }
    write_result(results, result)
    return result
