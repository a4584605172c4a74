"""Runs experiments, several at a time, and leaves one JSON file for each seed. What is done is not done again."""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from fewlex.config import build_config
from fewlex.data import DATASETS
from fewlex.experiments.experiment import Experiment
from fewlex.files import atomic_write_text
from fewlex.version import __version__


def result_path(experiment: Experiment, seed: int, results: Path) -> Path:
    return results / experiment.name / f"seed{seed}.json"


def run_all(
    experiments: Sequence[Experiment],
    seeds: Iterable[int],
    *,
    results: Path,
    runs: Path,
    processes: int = 1,
    tell: Callable[[str], None] = print,
) -> None:
    """Every experiment with every seed that has no result yet; each in a process of its own, with one thread."""
    missing = [(e, seed) for seed in seeds for e in experiments if not result_path(e, seed, results).exists()]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, max_tasks_per_child=1) as pool:
        pending = {pool.submit(run_one, e, seed, results, runs): (e, seed) for e, seed in missing}
        for done in as_completed(pending):
            experiment, seed = pending[done]
            tell(f"{experiment.name} seed {seed}: {_summary(done.result())}")


def run_one(experiment: Experiment, seed: int, results: Path, runs: Path, threads: int = 1) -> dict[str, Any]:
    """Train (or go on training), teach, evaluate, and write the result."""
    import torch

    from fewlex.training import train
    from fewlex.translator import Translator

    torch.set_num_threads(threads)
    config = build_config(experiment.preset, experiment.data, settings=experiment.settings, seed=seed)
    corpus = experiment.corpus()
    folder = train(corpus, config, runs / experiment.name / f"seed{seed}")
    translator = Translator.load(folder.path)
    test = corpus[DATASETS[experiment.data.partition(":")[0]].evaluation_split]
    if experiment.lessons:
        scores = {}
        for name, lesson in experiment.lessons.items():
            taught = Translator.load(folder.path)
            before = taught.evaluate(lesson.apply(test)).exact_match
            taught.teach(lesson.source, lesson.target)
            scores[name] = {"untaught": before, **dataclasses.asdict(taught.evaluate(lesson.apply(test)))}
    else:
        scores = {"test": dataclasses.asdict(translator.evaluate(test, corpus=corpus))}
    result = {
        "experiment": experiment.name,
        "data": corpus.name,
        "preset": experiment.preset,
        "settings": list(experiment.settings),
        "seed": seed,
        "fewlex": __version__,
        "scores": scores,
        "training": folder.read_json("result.json"),
    }
    path = result_path(experiment, seed, results)
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write_text(path, json.dumps(result, ensure_ascii=False, indent=1) + "\n")
    return result


def _summary(result: dict[str, Any]) -> str:
    figures = ", ".join(f"{name} {scores['exact_match']:.4f}" for name, scores in result["scores"].items())
    return f"{figures} ({result['training']['seconds']:.0f} s)"
