"""`fewlex reliability`: can the confidence of a run's answers be believed?"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer

from fewlex.cli.options import ByOption, DataArgument, DeviceOption, JsonOption, RunArgument, ThreadsOption
from fewlex.cli.screen import note, progress_bar, say, use_threads
from fewlex.confidence import reliability as measure
from fewlex.errors import DataError


def reliability(
    run: RunArgument,
    data: DataArgument,
    split: Annotated[
        str | None, typer.Option(help="Which split. Default: the data set's own evaluation split.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the diagram: a .png, .svg or .pdf.")] = None,
    as_json: JsonOption = False,
    by: ByOption = "both",
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Compare the confidence of answers with how often they are right.

    Answers are sorted into ten bins by their confidence. In a reliable run, 90 % of the answers of confidence 0.9 are
    right. The calibration error is the mean distance of the two.

    `fewlex reliability runs/mine test.tsv --plot reliability.png`
    """
    from fewlex.evaluation import is_exact
    from fewlex.translator import Translator

    use_threads(threads)
    translator = Translator.load(run, device)
    corpus = translator.load_data(data)
    examples = corpus[split or corpus.evaluation_split]
    with progress_bar("translating", len(examples)) as advance:
        outputs = translator.translate_tokens([e.source for e in examples], by=by, on_batch=advance)
    best = [answers[0] for answers in outputs]
    hits = is_exact(examples, [answer.published for answer in best])
    rated = [(a.confidence, hit) for a, hit in zip(best, hits, strict=True) if a.confidence is not None]
    found = measure([confidence for confidence, _ in rated], [hit for _, hit in rated])
    if found is None:
        raise DataError(
            f"{run}: its answers have no confidence, because it was trained without validation examples. "
            "Train it with data.validation_share above 0."
        )
    if plot is not None:
        from fewlex.evaluation_view import plot_reliability

        plot_reliability(found, plot)
        note(f"drawn in {plot}")
    if as_json:
        say(
            json.dumps(
                {"run": run, "answers": found.answers, "error": found.error, **dataclasses.asdict(found)}
            )
        )
        return
    say(f"{found.answers:,} answers, calibration error {found.error:.3f}")
    say("confidence  right  answers")
    for row in found.bins:
        say(f"{row.confidence:10.2f}  {row.accuracy:5.2f}  {row.count:7,}")
