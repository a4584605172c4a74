"""`fewlex translate | score | evaluate`: use a run."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewlex.cli.options import (
    BeamOption,
    ByOption,
    DataArgument,
    DeviceOption,
    JsonOption,
    RunArgument,
    ThreadsOption,
)
from fewlex.cli.screen import note, progress_bar, use_threads
from fewlex.grammar import at_least
from fewlex.lexicon import Lexicon
from fewlex.lexicon.glossary import read_glossary, read_keep, unused

if TYPE_CHECKING:
    from fewlex.answer import Answer
    from fewlex.data import Corpus
    from fewlex.evaluation import Scores
    from fewlex.translator import Translator

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
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="After each output, a line a token: written or translated, from what."
        ),
    ] = False,
    alignments: Annotated[
        bool, typer.Option("--alignments", help="Print word alignments (`0-0 2-1`) in place of the output.")
    ] = False,
    glossary: Annotated[
        Path | None, typer.Option(help="Terms for this call only: a file of `source<TAB>target` lines.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Words to pass through unchanged, for this call only: one a line.")
    ] = None,
    required: Annotated[
        bool, typer.Option("--required", help="Terms of --glossary and --keep must appear in the output.")
    ] = False,
    min_confidence: Annotated[
        float,
        typer.Option(min=0, max=1, help="Give no answer (an empty line) where it is less sure to be right."),
    ] = 0.0,
    by: ByOption = "both",
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Translate standard input, line by line.

    `echo 'jump twice' | fewlex translate runs/jump`

    `fewlex translate runs/en-zh --glossary terms.tsv --required < text.en > text.zh`
    """
    from fewlex.translator import Translator

    use_threads(threads)
    translator = Translator.load(run, device)
    terms = _terms(translator, glossary, keep)
    translator = translator.with_glossary(terms, required=required)
    width = max(n_best, beam or translator.config.decoding.beam)
    matched: set[str] = set()
    for lines in _chunks():
        with progress_bar("translating", len(lines)) as advance:
            outputs = translator.translate_lines(lines, beam=width, by=by, on_batch=advance)
        outputs = [at_least(answers, min_confidence) for answers in outputs]
        for line, answers in zip(lines, outputs, strict=True):
            matched.update(answers[0].source)
            if as_json:
                content = {"source": line, "outputs": [answer.to_json() for answer in answers[:n_best]]}
                typer.echo(json.dumps(content, ensure_ascii=False))
                continue
            for answer in answers[:n_best]:
                typer.echo(answer.pharaoh if alignments else answer.text)
                if explain:
                    _explain(answer)
    if idle := unused(terms, matched):
        note(f"{len(idle)} of {len(terms.sources)} glossary terms are in no line, such as {idle[0]!r}")


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
            tokens = translator.knowledge.form.in_notation(example.target)
            content = {"source": example.source, "target": example.target, "tokens": tokens}
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
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw exact match by group and category, the paper's beside it: a .png, .svg or .pdf."
        ),
    ] = None,
    by: ByOption = "both",
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Exact match (in all, by category and by the paper's groups), BLEU and token F1; of text also sacreBLEU and chrF.

    `fewlex evaluate runs/jump scan:jump --split test --json`

    `fewlex evaluate runs/cogs cogs --plot cogs.png`
    """
    from fewlex.evaluation import evaluate as evaluate_run
    from fewlex.evaluation import sacrebleu_tokenizer
    from fewlex.translator import Translator

    use_threads(threads)
    translator = Translator.load(run, device)
    corpus = translator.load_data(data)
    split = split or corpus.evaluation_split
    examples = corpus[split]
    with progress_bar("evaluating", len(examples)) as advance:
        scores = evaluate_run(
            translator,
            examples,
            corpus=corpus,
            beam=beam,
            by=by,
            on_batch=advance,
        )
    if plot is not None:
        from fewlex.evaluation_view import plot_categories

        plot_categories(scores, plot, name=Path(run).name, reference=_reported(corpus, split))
        note(f"drawn in {plot}")
    if as_json:
        content: dict[str, Any] = {"run": run, "data": corpus.name, "split": split}
        typer.echo(json.dumps(content | dataclasses.asdict(scores), ensure_ascii=False))
        return
    typer.echo(f"{corpus.name}, {split}: {scores.examples:,} examples")
    _show(scores)
    if scores.sacrebleu is None and sacrebleu_tokenizer(corpus.text_tokenizer):
        note('sacreBLEU and chrF are left out. Run: pip install "fewlex[text]"')


def _show(scores: Scores) -> None:
    """A line for each figure that there is."""
    typer.echo(f"exact match  {scores.exact_match:.4f}")
    typer.echo(f"BLEU         {100 * scores.bleu:.2f}")
    if scores.one_shot_bleu is not None:
        typer.echo(
            f"1-shot BLEU  {100 * scores.one_shot_bleu:.2f}  ({scores.one_shot_examples:,} examples with a source "
            "word that occurs once in training)"
        )
    if scores.one_script_bleu is not None:
        typer.echo(
            f"BLEU         {100 * scores.one_script_bleu:.2f}  (outputs and references in simplified characters)"
        )
    if scores.sacrebleu is not None and scores.chrf is not None:
        typer.echo(f"sacreBLEU    {100 * scores.sacrebleu:.2f}  (of the text, one reference)")
        typer.echo(f"chrF2        {100 * scores.chrf:.2f}  (of the text, one reference)")
    typer.echo(f"token F1     {scores.token_f1:.4f}")
    for title, parts in (("by category", scores.by_category), ("by the paper's groups", scores.by_group)):
        if parts:
            typer.echo(f"{title}:")
        for part, accuracy in parts.items():
            typer.echo(f"  {accuracy:.4f}  {part}")


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


def _terms(translator: Translator, glossary: Path | None, keep: Path | None) -> Lexicon:
    form = translator.knowledge.form
    tokenizers = form.source_tokens, form.target_tokens
    terms = Lexicon()
    if glossary is not None:
        terms = terms.merge(read_glossary(glossary, *tokenizers))
    if keep is not None:
        terms = terms.merge(read_keep(keep, *tokenizers))
    return terms


def _explain(answer: Answer) -> None:
    """An answer of the rules as a tree; an answer of the network as a line for each token and where it comes from."""
    if answer.derivation is not None:
        from fewlex.rules.view import derivation_text

        typer.secho(indent(derivation_text(answer.derivation), "  "), fg="bright_black", nl=False)
        return
    for origin in answer.origins:
        typer.secho(
            f"  {origin.token:<16} {origin.how:<11} {origin.source:<16} "
            f"attention {origin.attention:.2f}  gate {origin.write_gate:.2f}",
            fg="bright_black",
        )


def _chunks() -> Iterator[list[str]]:
    stream = (line.rstrip("\r\n") for line in sys.stdin)
    while lines := list(islice(stream, CHUNK)):
        yield lines


def _finite(value: float) -> float | None:
    """JSON has no infinity: an impossible output has log probability null."""
    return value if value > float("-inf") else None
