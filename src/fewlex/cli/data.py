"""`fewlex data`: look at data sets, check them and take them elsewhere. Needs no torch."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fewlex.cli.options import (
    DataArgument,
    JsonOption,
    SourceTokenizerOption,
    TargetTokenizerOption,
    load_data,
)
from fewlex.cli.rules import NotationOption, TruecaseOption
from fewlex.cli.screen import note, progress_bar, put_into, say, work_bar
from fewlex.data import DATASETS, Form, load
from fewlex.data.codec import PUBLISHED
from fewlex.data.scripts import cut_as_it_needs, guess_sides
from fewlex.data.writers import examples_as_text

if TYPE_CHECKING:
    from fewlex.rules.checking import DataCheck

app = typer.Typer(help="List, show, check and export data sets.", no_args_is_help=True)


@app.command("list")
def list_datasets(as_json: JsonOption = False) -> None:
    """The data sets that fewlex knows by name."""
    if as_json:
        rows = [
            {
                "names": d.names,
                "summary": d.summary,
                "licence": d.licence,
                "address": d.address,
                "notations": [PUBLISHED, *d.notations],
            }
            for d in DATASETS.values()
        ]
        say(json.dumps(rows, indent=1))
        return
    from rich.console import Console
    from rich.table import Table

    columns = ("name", "what it is", "notations", "licence")
    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for dataset in DATASETS.values():
        notations = ", ".join((PUBLISHED, *dataset.notations))
        table.add_row("\n".join(dataset.names), dataset.summary, notations, dataset.licence)
    Console().print(table)


@app.command()
def show(
    data: DataArgument,
    split: Annotated[str, typer.Option(help="The split to show; all are counted.")] = "train",
    limit: Annotated[int, typer.Option(min=0, help="How many examples to show.")] = 10,
    source_tokenizer: SourceTokenizerOption = "whitespace",
    target_tokenizer: TargetTokenizerOption = "whitespace",
    as_json: JsonOption = False,
) -> None:
    """The size of each split, and some examples."""
    corpus = load_data(data, source_tokenizer, target_tokenizer)
    sizes = {name: len(examples) for name, examples in corpus.splits.items()}
    examples = corpus[split][:limit]
    if as_json:
        rows = [{"source": e.source, "target": e.target, "category": e.category} for e in examples]
        say(json.dumps({"name": corpus.name, "splits": sizes, "examples": rows}, ensure_ascii=False))
        return
    say(corpus.name, bold=True)
    for name, size in sizes.items():
        say(f"  {name:<11}{size:>7,} examples")
    say(f"{split}:", bold=True)
    for example in examples:
        say(f"  {' '.join(example.source)}  →  {' '.join(example.target)}")


@app.command()
def check(
    data: DataArgument,
    split: Annotated[str, typer.Option(help="The split to check.")] = "train",
    rules: Annotated[
        Path | None,
        typer.Option(help="Rules to compare with; without them, they are learned from the split."),
    ] = None,
    notation: NotationOption = PUBLISHED,
    truecase: TruecaseOption = False,
    source_tokenizer: SourceTokenizerOption = "whitespace",
    target_tokenizer: TargetTokenizerOption = "whitespace",
    limit: Annotated[int, typer.Option(min=1, help="How many pairs that look wrong to show.")] = 100,
    as_json: JsonOption = False,
) -> None:
    """What fewlex sees before anything is trained, and the pairs that look wrong; exit code 1 where there are any.

    Lengths, words, tokens, repeated and contradicting pairs, the lexicon's coverage, what to expect, and the command to
    run next.

    `fewlex data check my-pairs.tsv`

    `fewlex data check my-pairs.tsv --json > seen.json`
    """
    from fewlex.rules import learn_rules
    from fewlex.rules.checking import check_pairs
    from fewlex.rules.storage import load_rules
    from fewlex.survey import look_at, survey_text

    corpus = load(data, source_tokenizer, target_tokenizer)
    guesses = guess_sides(corpus, split)
    corpus = cut_as_it_needs(corpus)
    corpus = Form.learn(corpus, notation=notation, truecase=truecase).prepare(corpus)
    examples = corpus[split]
    with work_bar() as observe:
        book = learn_rules(examples, on_progress=observe) if rules is None else load_rules(rules)
    with progress_bar("checking", len(examples)) as advance:
        found = check_pairs(examples, book, advance)
    survey = look_at(corpus, split, guesses, explained=found.explained)
    if as_json:
        content = dataclasses.asdict(found) | {"survey": dataclasses.asdict(survey)}
        say(json.dumps(content, ensure_ascii=False))
    else:
        say(survey_text(survey), nl=False)
        _show_suspicions(found, limit)
    hidden = 0 if as_json else max(0, len(found.suspicions) - limit)
    more = f", of which {hidden:,} are not shown (--limit)" if hidden else ""
    note(found.note or f"the rules explain {found.explained:.1%} of {found.n_pairs:,} pairs")
    note(f"pairs that look wrong: {len(found.suspicions):,}{more}")
    if found.suspicions:
        raise typer.Exit(1)


def _show_suspicions(found: DataCheck, limit: int) -> None:
    for suspicion in found.suspicions[:limit]:
        say(f"pair {suspicion.index + 1}: {suspicion.reason}", fg="yellow")
        say(f"  source    {' '.join(suspicion.source)}")
        say(f"  target    {' '.join(suspicion.target)}")
        say(f"  expected  {' '.join(suspicion.expected)}")


@app.command()
def export(
    data: DataArgument,
    split: Annotated[str, typer.Option(help="The split to write.")] = "train",
    out: Annotated[str, typer.Option(help="A .tsv or .jsonl file; `-` = TSV on stdout.")] = "-",
) -> None:
    """Write a split as tab-separated text or JSON lines."""
    put_into(out, examples_as_text(load(data)[split], out))
