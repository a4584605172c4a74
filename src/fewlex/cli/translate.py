"""`fewlex translate | score | evaluate`: use a run."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

import typer

from fewlex.cli.screen import (
    DataArgument,
    DeviceOption,
    JsonOption,
    RunArgument,
    ThreadsOption,
    progress_bar,
    use_threads,
)
from fewlex.data import DATASETS, Corpus

BeamOption = Annotated[int | None, typer.Option(min=1, help="Beam width; 1 = greedy. Default: the run's.")]
CHUNK = 4096
"""Lines of standard input translated at a time, so that a long stream starts to flow early."""


def translate(
    run: RunArgument,
    n_best: Annotated[int, typer.Option(min=1, help="Outputs for each line, best first.")] = 1,
    beam: BeamOption = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="One JSON object a line: outputs with score, attention, gate of each token."
        ),
    ] = False,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Translate standard input, line by line.

    `echo 'jump twice' | fewlex translate runs/jump`
    """
    from fewlex.translator import Translator

    use_threads(threads)
    translator = Translator.load(run, device)
    width = max(n_best, beam or translator.config.decoding.beam)
    for lines in _chunks():
        with progress_bar("translating", len(lines)) as advance:
            outputs = translator.translate_lines(lines, beam=width, on_batch=advance)
        for line, hypotheses in zip(lines, outputs, strict=True):
            chosen = hypotheses[:n_best]
            if as_json:
                content = {"source": line, "outputs": [dataclasses.asdict(h) for h in chosen]}
                typer.echo(json.dumps(content, ensure_ascii=False))
            else:
                for hypothesis in chosen:
                    typer.echo(hypothesis.text)


def score(
    run: RunArgument,
    data: DataArgument,
    split: Annotated[str, typer.Option(help="Which split, where the data has several.")] = "train",
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line, with every token.")
    ] = False,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Print log p(target | source) of each pair: how likely the model finds a given output."""
    from fewlex.translator import Translator

    use_threads(threads)
    translator = Translator.load(run, device)
    examples = translator.load_data(data)[split]
    with progress_bar("scoring", len(examples)) as advance:
        rows = translator.score(examples, on_batch=advance)
    for example, log_probs in zip(examples, rows, strict=True):
        total = sum(log_probs)
        if as_json:
            content = {"source": example.source, "target": example.target}
            figures = {"log_prob": _finite(total), "token_log_probs": [_finite(p) for p in log_probs]}
            typer.echo(json.dumps(content | figures, ensure_ascii=False))
        else:
            typer.echo(f"{total:.6f}")


def evaluate(
    run: RunArgument,
    data: DataArgument,
    split: Annotated[
        str | None, typer.Option(help="Which split. Default: the data set's own evaluation split.")
    ] = None,
    beam: BeamOption = None,
    as_json: JsonOption = False,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Exact match (in all and by category), BLEU and token F1 of the run's outputs.

    `fewlex evaluate runs/jump scan:jump --split test --json`
    """
    from fewlex.translator import Translator

    use_threads(threads)
    translator = Translator.load(run, device)
    corpus = translator.load_data(data)
    split = split or _evaluation_split(corpus)
    examples = corpus[split]
    with progress_bar("evaluating", len(examples)) as advance:
        scores = translator.evaluate(examples, corpus=corpus, beam=beam, on_batch=advance)
    if as_json:
        content: dict[str, Any] = {"run": run, "data": corpus.name, "split": split}
        typer.echo(json.dumps(content | dataclasses.asdict(scores), ensure_ascii=False))
        return
    typer.echo(f"{corpus.name}, {split}: {scores.examples:,} examples")
    typer.echo(f"exact match  {scores.exact_match:.4f}")
    typer.echo(f"BLEU         {100 * scores.bleu:.2f}")
    typer.echo(f"token F1     {scores.token_f1:.4f}")
    for category, accuracy in scores.by_category.items():
        typer.echo(f"  {accuracy:.4f}  {category}")


def _evaluation_split(corpus: Corpus) -> str:
    """The split that a data set is judged by; for a single file, its only one."""
    dataset = DATASETS.get(corpus.name.partition(":")[0])
    if dataset is not None:
        return dataset.evaluation_split
    return "test" if "test" in corpus.splits else "train"


def _chunks() -> Iterator[list[str]]:
    stream = (line.rstrip("\r\n") for line in sys.stdin)
    while lines := list(islice(stream, CHUNK)):
        yield lines


def _finite(value: float) -> float | None:
    """JSON has no infinity: an impossible output has log probability null."""
    return value if value > float("-inf") else None
