"""The runner makes one run: it trains or continues training, evaluates, and writes one JSON file for the report."""

from __future__ import annotations

import dataclasses
import datetime
import fcntl
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewlex.data import load
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.errors import RunError
from fewlex.experiments.experiment import Experiment
from fewlex.experiments.held_out import WithoutDrawnWords, measure
from fewlex.experiments.identity import config_of, identity
from fewlex.experiments.results import failure_path, result_path
from fewlex.files import atomic_write_text
from fewlex.metrics import read_metrics
from fewlex.processor import processor_name
from fewlex.version import __version__

if TYPE_CHECKING:
    from fewlex.config import Config
    from fewlex.run import Run
    from fewlex.translator import Translator

CURVE_POINTS = 60
"""The most points of a learning curve that a result keeps."""
CURVE_COLUMNS = ("epoch", "update", "seconds", "loss", "validation_loss", "validation_accuracy")


class BusyRunError(RunError):
    """Another process works on this run."""


def run_folder(experiment: Experiment, seed: int, runs: Path) -> Path:
    """The folder of a run, during training and afterwards. Other settings or another version have another folder."""
    me = identity(experiment, config_of(experiment, seed))
    return runs / experiment.name / f"seed{seed}-{me}-{__version__}"


def run_one(experiment: Experiment, seed: int, results: Path, runs: Path, threads: int = 1) -> dict[str, Any]:
    """Make a run and write its result."""
    result = make_run(experiment, seed, runs, threads)
    write_result(results, result)
    return result


def make_run(experiment: Experiment, seed: int, runs: Path, threads: int = 1) -> dict[str, Any]:
    """Train or continue training, then teach, then evaluate."""
    import torch

    from fewlex.training import train

    torch.set_num_threads(threads)
    config = config_of(experiment, seed)
    corpus = experiment.corpus(seed)
    out = run_folder(experiment, seed, runs)
    with _alone_at(out):
        folder = train(corpus, config, out)
        started = time.monotonic()
        measured = _measure(experiment, config, corpus, folder)
    return {
        "experiment": experiment.name,
        "data": corpus.name,
        "preset": experiment.preset,
        "settings": list(experiment.settings),
        "seed": seed,
        "fewlex": __version__,
        "identity": identity(experiment, config),
        "config": dataclasses.asdict(config),
        **measured,
        "training": folder.read_json("result.json"),
        "curve": learning_curve(folder.path / "metrics.jsonl"),
        "evaluation_seconds": round(time.monotonic() - started, 1),
        "machine": {"cpu": processor_name(), "threads": torch.get_num_threads(), "torch": torch.__version__},
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


def write_result(results: Path, result: Mapping[str, Any]) -> None:
    """Write a result with one line for each part, so that files stay small and people can read their differences."""
    experiment, seed = result["experiment"], result["seed"]
    _write(result_path(results, experiment, seed), result)
    failure_path(results, experiment, seed).unlink(missing_ok=True)


def write_failure(results: Path, experiment: Experiment, seed: int, error: str) -> None:
    """Write a file about a run that failed. The report lists it, and it is not repeated unless the user asks for it."""
    me = identity(experiment, config_of(experiment, seed))
    failure = {
        "experiment": experiment.name,
        "seed": seed,
        "fewlex": __version__,
        "identity": me,
        "error": error,
    }
    _write(failure_path(results, experiment.name, seed), failure)


def learning_curve(metrics: Path) -> dict[str, list[float]]:
    """The milestones as columns; empty if nothing was recorded. Of many milestones, some are kept at even distances.

    The last milestone is always kept.
    """
    rows = list(read_metrics(metrics))
    step = max(1, -(-len(rows) // CURVE_POINTS))
    kept = rows[::-1][::step][::-1]
    return {
        name: [_rounded(row[name]) for row in kept] for name in CURVE_COLUMNS if kept and name in kept[-1]
    }


@contextmanager
def _alone_at(folder: Path) -> Iterator[None]:
    """Lock a run folder, because two processes that train in one folder would damage it.

    The lock disappears together with its process.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BusyRunError(f"another process works in {folder}. Wait for it, or stop it.") from error
        yield


def _measure(experiment: Experiment, config: Config, corpus: Corpus, folder: Run) -> dict[str, Any]:
    """The scores on the published evaluation split, and the excerpts that figures are drawn from."""
    from fewlex.evaluation import evaluate
    from fewlex.translator import Translator

    if isinstance(experiment.prepare, WithoutDrawnWords):
        words = experiment.prepare.words(load(experiment.data), config.seed)
        return {
            "words": {word: taught.target for word, taught in words.items()},
            "scores": measure(Translator.load(folder.path), corpus, words),
        }
    test = corpus[experiment.evaluation_split]
    if not experiment.lessons:
        translator = Translator.load(folder.path)
        measured = _measure_test(translator, config, corpus, test)
        if experiment.evaluation_split != "test":  # The split test is then like the training split.
            measured["scores"]["in_distribution"] = _exact_match(
                translator, corpus["test"], "network" if translator.has_network else "rules"
            )
        return measured
    scores = {}
    for name, lesson in experiment.lessons.items():
        translator = Translator.load(folder.path)
        before = evaluate(translator, lesson.apply(test)).exact_match
        translator.teach(lesson.source, lesson.target)
        scores[name] = {
            "untaught": before,
            **dataclasses.asdict(evaluate(translator, lesson.apply(test))),
        }
    return {"scores": scores}


def _measure_test(
    translator: Translator, config: Config, corpus: Corpus, test: Sequence[Example]
) -> dict[str, Any]:
    from fewlex.confidence import reliability
    from fewlex.evaluation import is_exact, one_shot_examples, references_of, score
    from fewlex.experiments.excerpts import lexicon_excerpt, worked_example
    from fewlex.experiments.statistics import bleu_counts

    # The row measures the network, unless the run has none.
    asked = "network" if translator.has_network else "rules"
    translations = [best[0] for best in translator.translate_tokens([e.source for e in test], by=asked)]
    outputs = [translation.published for translation in translations]
    measured: dict[str, Any] = {
        "scores": {"test": dataclasses.asdict(score(test, outputs, corpus, "corpus"))}
    }
    rated = [
        (translation.confidence, hit)
        for translation, hit in zip(translations, is_exact(test, outputs), strict=True)
        if translation.confidence is not None
    ]
    if found := reliability([confidence for confidence, _ in rated], [hit for _, hit in rated]):
        measured["reliability"] = [dataclasses.astuple(bin_) for bin_ in found.bins]
    if translator.has_network and translator.has_rules:
        measured["scores"] |= {by: _exact_match(translator, test, by) for by in ("rules", "both")}
    if config.model.output == "lexical":
        measured["lexicon"] = lexicon_excerpt(translator.lexicon, corpus["train"], test)
    if corpus.text_tokenizer != "whitespace":  # Text is compared by BLEU, and figure 2 needs an example.
        one_shot = set(one_shot_examples(test, corpus))
        measured["bleu_counts"] = bleu_counts(references_of(test, corpus), outputs)
        measured["one_shot"] = "".join("01"[i in one_shot] for i in range(len(test)))
        if config.model.output == "lexical" and translator.has_network:
            measured["example"] = worked_example(translations, corpus["train"], test, translator.rows)
    return measured


def _exact_match(translator: Translator, examples: Sequence[Example], by: str = "both") -> dict[str, float]:
    from fewlex.evaluation import evaluate

    scores = evaluate(translator, examples, by=by)
    return {"examples": scores.examples, "exact_match": scores.exact_match}


def _write(path: Path, content: Mapping[str, Any]) -> None:
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in content.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


def _rounded(value: float) -> float:
    return value if isinstance(value, int) else float(f"{value:.4g}")
