"""`fewlex evaluate | compare`: how good a run is, what it gets wrong, and whether another one is better."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from fewlex.cli.options import (
    BeamOption,
    ByOption,
    DataArgument,
    DeviceOption,
    JsonOption,
    RunArgument,
    ThreadsOption,
    TranslationSettingsOption,
    tell_about,
)
from fewlex.cli.screen import note, progress_bar, say, tell_unknown, use_threads

if TYPE_CHECKING:
    from fewlex.answer import Answer
    from fewlex.data import Corpus, Example
    from fewlex.evaluation import Scores
    from fewlex.translator import Translator

SplitOption = Annotated[
    str | None, typer.Option(help="Which split. Default: the data set's own evaluation split.")
]


def evaluate(
    run: RunArgument,
    data: DataArgument,
    split: SplitOption = None,
    beam: BeamOption = None,
    as_json: JsonOption = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw exact match by group and category, the paper's beside it: a .png, .svg or .pdf."
        ),
    ] = None,
    errors: Annotated[
        Path | None,
        typer.Option(
            help="Write what went wrong, with a token diff, grouped by the reason: a text or a .jsonl file."
        ),
    ] = None,
    references: Annotated[
        Literal["examples", "corpus"],
        typer.Option(
            help="What BLEU compares with: the targets that the evaluated examples give the same source, or also those "
            "of all other splits."
        ),
    ] = "examples",
    by: ByOption = "both",
    settings: TranslationSettingsOption = None,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Exact match (in all, by category and by the paper's groups), BLEU and token F1; of text also sacreBLEU and chrF.

    All figures are between 0 and 1: a BLEU of 0.27 is what others write as 27.

    `fewlex evaluate runs/jump scan:jump --split test --json`

    `fewlex evaluate runs/cogs cogs --plot cogs.png`

    `fewlex evaluate runs/mine test.tsv --errors errors.txt`
    """
    from fewlex.evaluation import sacrebleu_tokenizer, score
    from fewlex.translator import Translator

    use_threads(threads)
    translator = Translator.load(run, device, settings or ())
    corpus = translator.load_data(data)
    tell_about(corpus)
    split = split or corpus.evaluation_split
    examples = corpus[split]
    answers = _answers(translator, examples, beam=beam, by=by)
    scores = score(examples, [answer.published for answer in answers], corpus, references)
    tell_unknown(Counter(word for answer in answers for word in answer.unknown), run)
    if errors is not None:
        from fewlex.mistake_kinds import find_mistakes, summary, write_mistakes

        mistakes = find_mistakes(examples, answers, translator.knowledge)
        write_mistakes(mistakes, errors)
        note(f"{summary(mistakes)}; written to {errors}")
    if plot is not None:
        from fewlex.evaluation_view import plot_categories

        plot_categories(scores, plot, name=Path(run).name, reference=_reported(corpus, split))
        note(f"drawn in {plot}")
    if as_json:
        content: dict[str, Any] = {"run": run, "data": corpus.name, "split": corpus.called(split)}
        content |= {"references": references, **dataclasses.asdict(scores)}
        say(json.dumps(content, ensure_ascii=False))
        return
    say(f"{corpus.name}, {corpus.called(split)}: {scores.examples:,} examples")
    _show(scores, REFERENCES[references])
    if scores.sacrebleu is None and sacrebleu_tokenizer(corpus.text_tokenizer):
        note('sacreBLEU and chrF are left out. Run: pip install "fewlex[text]"')


def compare(
    run_a: Annotated[str, typer.Argument(metavar="RUN_A", help="A run folder.", show_default=False)],
    run_b: Annotated[str, typer.Argument(metavar="RUN_B", help="Another one.", show_default=False)],
    data: DataArgument,
    split: SplitOption = None,
    by: ByOption = "both",
    as_json: JsonOption = False,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Whether one run is better than another on the same examples, or whether it may be chance.

    Exact match is compared by McNemar's test, BLEU by a paired bootstrap; p < 0.01 counts as significant.

    `fewlex compare runs/small runs/large test.tsv`
    """
    from fewlex.experiments.statistics import ALPHA
    from fewlex.experiments.two_runs import compare_outputs
    from fewlex.translator import Translator

    use_threads(threads)
    outputs = []
    for run in (run_a, run_b):
        translator = Translator.load(run, device)
        corpus = translator.load_data(data)
        examples = corpus[split or corpus.evaluation_split]
        answers = _answers(translator, examples, beam=None, by=by)
        outputs.append([translator.knowledge.form.text(answer.published) for answer in answers])
        targets = [translator.knowledge.form.text(example.target) for example in examples]
    found = compare_outputs(targets, *outputs)
    if as_json:
        say(json.dumps({"runs": [run_a, run_b], "data": data, **dataclasses.asdict(found)}))
        return
    say(f"{corpus.name}, {corpus.called(split or corpus.evaluation_split)}: {found.examples:,} examples")
    for name, figure in (("exact match", found.exact_match), ("BLEU", found.bleu)):
        verdict = "significant" if figure.p < ALPHA else "may be chance"
        say(
            f"{name:<12} {figure.first:.4f}  {figure.second:.4f}  difference {figure.second - figure.first:+.4f}  "
            f"p = {figure.p:.4f}, {verdict}"
        )
    say(f"right in the first run only {found.only_first:,}, in the second only {found.only_second:,}")


REFERENCES = {
    "examples": "references: the targets that these examples give the same source",
    "corpus": "references: the targets that all splits give the same source",
}
"""How BLEU is told."""


def _answers(
    translator: Translator, examples: Sequence[Example], *, beam: int | None, by: str
) -> list[Answer]:
    """The best answer to each example."""
    with progress_bar("evaluating", len(examples)) as advance:
        outputs = translator.translate_tokens(
            [e.source for e in examples], beam=beam, by=by, on_batch=advance
        )
    return [n_best[0] for n_best in outputs]


def _show(scores: Scores, references: str) -> None:
    """A line for each figure that there is."""
    say(f"exact match  {scores.exact_match:.4f}")
    say(f"BLEU         {scores.bleu:.4f}  ({references})")
    if scores.one_shot_bleu is not None:
        say(
            f"1-shot BLEU  {scores.one_shot_bleu:.4f}  ({scores.one_shot_examples:,} examples with a source "
            "word that occurs once in training)"
        )
    if scores.one_script_bleu is not None:
        say(f"BLEU         {scores.one_script_bleu:.4f}  (outputs and references in simplified characters)")
    if scores.sacrebleu is not None and scores.chrf is not None:
        say(f"sacreBLEU    {scores.sacrebleu:.4f}  (of the text, one reference)")
        say(f"chrF2        {scores.chrf:.4f}  (of the text, one reference)")
    say(f"token F1     {scores.token_f1:.4f}")
    for title, parts in (("by category", scores.by_category), ("by the paper's groups", scores.by_group)):
        if parts:
            say(f"{title}:")
        for part, accuracy in parts.items():
            say(f"  {accuracy:.4f}  {part}")


def _reported(corpus: Corpus, split: str) -> dict[str, dict[str, float]]:
    """What the paper reports of this split by group of categories, for each method."""
    if corpus.dataset is None or not corpus.dataset.groups or split != corpus.evaluation_split:
        return {}
    from fewlex.experiments.reported import TABLE_3

    methods = dict.fromkeys(method for row in TABLE_3.values() for method in row)
    return {
        f"paper, {method}": {group: row[method].mean for group, row in TABLE_3.items() if method in row}
        for method in methods
    }
