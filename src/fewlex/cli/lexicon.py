"""`fewlex lexicon`: learn, show, draw and compare lexicons. Needs no torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from fewlex.cli.screen import DataArgument, JsonOption, note
from fewlex.config import parse_setting
from fewlex.data import load
from fewlex.lexicon import LEARNERS, Lexicon, finish, learn_lexicon, plot_heatmap, show_lexicon

app = typer.Typer(help="Learn, show, draw and compare lexicons.", no_args_is_help=True)

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
) -> None:
    """Learn which target words each source word translates to, from the training split."""
    parameters: dict[str, Any] = {}
    for text in settings or []:
        parameters.update(parse_setting(text))
    lexicon = learn_lexicon(load(data)["train"], method, **parameters)
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
        typer.echo(json.dumps(rows, ensure_ascii=False))
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
        typer.echo(json.dumps(rows, ensure_ascii=False))
    else:
        for source, target, entry in difference.removed:
            typer.secho(f"- {source}\t{target}\t{entry.weight:.6g}", fg="red")
        for source, target, entry in difference.added:
            typer.secho(f"+ {source}\t{target}\t{entry.weight:.6g}", fg="green")
        for source, target, before, after in difference.changed:
            typer.secho(f"~ {source}\t{target}\t{before.weight:.6g} → {after.weight:.6g}", fg="yellow")
    if difference.added or difference.removed or difference.changed:
        raise typer.Exit(1)


def _load(path: Path) -> Lexicon:
    return Lexicon.load(path / "lexicon.json" if path.is_dir() else path)
