"""`fewlex translate | score`: use a run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from fewlex.cli.options import (
    BeamOption,
    ByOption,
    DataArgument,
    DeviceOption,
    RunArgument,
    ThreadsOption,
    TranslationSettingsOption,
    tell_about,
)
from fewlex.cli.screen import note, progress_bar, put, say, tell_unknown, use_threads
from fewlex.data.limits import CUT, MAX_TOKENS, too_long
from fewlex.data.lines import LineError, lines_as_they_come
from fewlex.grammar import at_least
from fewlex.lexicon import Lexicon
from fewlex.lexicon.glossary import read_glossary, read_keep, unused

if TYPE_CHECKING:
    from fewlex.answer import Answer
    from fewlex.translator import Translator

CHUNK = 4096
"""Lines of standard input that are translated together at most, where so many are there."""


def translate(
    run: RunArgument,
    n_best: Annotated[
        int,
        typer.Option(
            min=1, help="Outputs for each line, best first, each after its log probability and a tab."
        ),
    ] = 1,
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
            "--explain",
            help="After each output, a line a token: written, translated or remembered, from what.",
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
    settings: TranslationSettingsOption = None,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Translate standard input, line by line; a line is answered as soon as it is there.

    `echo 'jump twice' | fewlex translate runs/jump`

    `fewlex translate runs/jump --n-best 5 --set decoding.length_penalty=1 < commands.txt`

    `fewlex translate runs/en-zh --glossary terms.tsv --required < text.en > text.zh`
    """
    from fewlex.translator import Translator

    use_threads(threads)
    translator = Translator.load(run, device, settings or ())
    terms = _terms(translator, glossary, keep)
    translator = translator.with_glossary(terms, required=required)
    width = max(n_best, beam or translator.config.decoding.beam)
    matched: set[str] = set()
    unknown: Counter[str] = Counter()
    try:
        for lines in lines_as_they_come(CHUNK, _length_checker(translator)):
            with progress_bar("translating", len(lines)) as advance:
                outputs = translator.translate_lines(lines, beam=width, by=by, on_batch=advance)
            outputs = [at_least(answers, min_confidence) for answers in outputs]
            for line, answers in zip(lines, outputs, strict=True):
                matched.update(answers[0].source)
                unknown.update(answers[0].unknown)
                if as_json:
                    content = {"source": line, "outputs": [answer.to_json() for answer in answers[:n_best]]}
                    say(json.dumps(content, ensure_ascii=False))
                else:
                    _print_answers(
                        answers[:n_best], alignments=alignments, explain=explain, scores=n_best > 1
                    )
    finally:
        tell_unknown(unknown, run)
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
    corpus = translator.load_data(data)
    tell_about(corpus)
    examples = corpus[split]
    with progress_bar("scoring", len(examples)) as advance:
        rows = translator.score(examples, on_batch=advance)
    for example, log_probs in zip(examples, rows, strict=True):
        total = sum(log_probs)
        if as_json:
            tokens = translator.knowledge.form.in_notation(example.target)
            content = {"source": example.source, "target": example.target, "tokens": tokens}
            figures = {"log_prob": _finite(total), "token_log_probs": [_finite(p) for p in log_probs]}
            say(json.dumps(content | figures, ensure_ascii=False))
        else:
            say(f"{total:.6f}")


def _length_checker(translator: Translator) -> Callable[[str], None]:
    """A line that is too long ends the reading, after those before it were answered."""

    def check(line: str) -> None:
        if len(line) > MAX_TOKENS and (
            problem := too_long("line", translator.knowledge.form.source_tokens(line))
        ):
            raise LineError(problem, CUT)

    return check


def _terms(translator: Translator, glossary: Path | None, keep: Path | None) -> Lexicon:
    form = translator.knowledge.form
    tokenizers = form.source_tokens, form.target_tokens
    terms = Lexicon()
    if glossary is not None:
        terms = terms.merge(read_glossary(glossary, *tokenizers))
    if keep is not None:
        terms = terms.merge(read_keep(keep, *tokenizers))
    return terms


def _print_answers(answers: Sequence[Answer], *, alignments: bool, explain: bool, scores: bool) -> None:
    for answer in answers:
        text = answer.pharaoh if alignments else answer.text
        put(f"{answer.log_prob:.4f}\t{text}" if scores else text)
        if explain:
            _explain(answer)


def _explain(answer: Answer) -> None:
    """An answer of the rules as a tree; an answer of the network as a line for each token and where it comes from."""
    if answer.derivation is not None:
        from fewlex.rules.view import derivation_text

        say(indent(derivation_text(answer.derivation), "  "), fg="bright_black", nl=False)
        return
    for origin in answer.origins:
        say(
            f"  {origin.token:<16} {origin.how:<11} {origin.source:<16} "
            f"attention {origin.attention:.2f}  gate {origin.write_gate:.2f}",
            fg="bright_black",
        )


def _finite(value: float) -> float | None:
    """JSON has no infinity: an impossible output has log probability null."""
    return value if value > float("-inf") else None
