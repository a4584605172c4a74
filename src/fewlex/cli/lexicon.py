"""`fewlex lexicon`: learn, show, draw, compare and score lexicons. Needs no torch."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from fewlex.cli.options import (
    BackendOption,
    DataArgument,
    JsonOption,
    SourceTokenizerOption,
    TargetTokenizerOption,
    WorkersOption,
    require_other_than,
    training_examples,
)
from fewlex.cli.screen import note, say, work_bar
from fewlex.lexicon import LEARNERS, Execution, Lexicon, finish, learn_lexicon, plot_heatmap, show_lexicon
from fewlex.tables import parse_setting

app = typer.Typer(help="Learn, show, draw, compare, score and edit lexicons.", no_args_is_help=True)

LexiconArgument = Annotated[
    Path,
    typer.Argument(metavar="LEXICON", help="A .json or .tsv lexicon, or a run folder.", show_default=False),
]


@app.command()
def learn(
    data: DataArgument,
    method: Annotated[str, typer.Option(help=f"The learner: {', '.join(LEARNERS)}.")] = "simple",
    out: Annotated[Path | None, typer.Option(help="A .json or .tsv file; without it, the terminal.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="The learner's own settings: `max_competitors=5`."),
    ] = None,
    source_tokenizer: SourceTokenizerOption = "whitespace",
    target_tokenizer: TargetTokenizerOption = "whitespace",
    backend: BackendOption = "threads",
    workers: WorkersOption = 0,
) -> None:
    """Learn which target words each source word translates to, from the training split."""
    parameters: dict[str, Any] = {}
    for text in settings or []:
        parameters.update(parse_setting(text))
    require_other_than(data, out)
    examples = training_examples(data, source_tokenizer, target_tokenizer)
    with work_bar() as observe:
        execution = Execution(backend, workers, observe)
        lexicon = learn_lexicon(examples, method, execution=execution, **parameters)
    if out is None:
        show_lexicon(lexicon)
        return
    lexicon.save(out)
    note(f"{len(lexicon)} entries for {len(lexicon.sources)} source words in {out}")


@app.command()
def show(
    lexicon: LexiconArgument,
    limit: Annotated[int, typer.Option(min=1, help="How many source words to show.")] = 40,
    as_json: JsonOption = False,
) -> None:
    """The lexicon as a table: translations, weights, and who entered them."""
    content = _load(lexicon)
    if as_json:
        rows: dict[str, dict[str, float]] = {
            source: {target: entry.weight for target, entry in content.row(source).items()}
            for source in content.sources
        }
        say(json.dumps(rows, ensure_ascii=False))
    else:
        show_lexicon(content, max_rows=limit)


@app.command()
def plot(
    lexicon: LexiconArgument,
    out: Annotated[Path, typer.Option(help="A .png, .svg or .pdf file.")] = Path("lexicon.png"),
    temperature: Annotated[float, typer.Option(min=0, help="τ; 0.1 in the paper's figures.")] = 0.1,
    title: Annotated[str, typer.Option(help="Above the plot.")] = "",
) -> None:
    """The heat map of the paper's figures: source words down, target words across."""
    content = _load(lexicon)
    plot_heatmap(finish(content, content.sources, content.targets, temperature), out, title=title)
    note(f"drawn in {out}")


@app.command()
def diff(
    old: LexiconArgument,
    new: Annotated[Path, typer.Argument(metavar="OTHER", help="The lexicon to compare with.")],
    as_json: JsonOption = False,
) -> None:
    """What would turn the first lexicon into the second; exit code 1 where they differ."""
    difference = _load(old).diff(_load(new))
    if as_json:
        changed = [[s, t, before.weight, after.weight] for s, t, before, after in difference.changed]
        rows = {
            "added": [[s, t, entry.weight] for s, t, entry in difference.added],
            "removed": [[s, t, entry.weight] for s, t, entry in difference.removed],
            "changed": changed,
        }
        say(json.dumps(rows, ensure_ascii=False))
    else:
        for source, target, entry in difference.removed:
            say(f"- {source}\t{target}\t{entry.weight:.6g}", fg="red")
        for source, target, entry in difference.added:
            say(f"+ {source}\t{target}\t{entry.weight:.6g}", fg="green")
        for source, target, before, after in difference.changed:
            say(f"~ {source}\t{target}\t{before.weight:.6g} → {after.weight:.6g}", fg="yellow")
    if difference.added or difference.removed or difference.changed:
        raise typer.Exit(1)


@app.command()
def score(
    lexicon: LexiconArgument,
    gold: Annotated[
        Path,
        typer.Option(
            help="Links in Pharaoh format, one line for each pair of DATA; without it, a gold lexicon."
        ),
    ],
    data: Annotated[
        str | None, typer.Option(help="The sentence pairs that the gold links belong to.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Precision, recall and alignment error rate of each word's best translation.

    `fewlex lexicon score lexicon.json --gold links.txt --data corpus.txt`
    """
    from fewlex.lexicon.alignment.scoring import score_entries, score_lexicon

    content = _load(lexicon)
    if data is None:
        scores = score_entries(content, _load(gold))
    else:
        scores = score_lexicon(content, list(training_examples(data)), gold)
    if as_json:
        say(json.dumps(dataclasses.asdict(scores)))
        return
    say(f"precision  {scores.precision:.4f}  of {scores.links:,} links")
    say(f"recall     {scores.recall:.4f}  of {scores.sure:,} sure links")
    say(f"AER        {scores.aer:.4f}")


def _load(path: Path) -> Lexicon:
    return Lexicon.load(path / "lexicon.json" if path.is_dir() else path)
