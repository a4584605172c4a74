"""`fewlex train`: from data to a run folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fewlex.cli.screen import DataArgument, DeviceOption, ThreadsOption, note, training_bar, use_threads
from fewlex.config import build_config
from fewlex.data import load


def train(
    data: DataArgument,
    out: Annotated[Path, typer.Option(help="The run folder to write.", show_default=False)],
    preset: Annotated[
        str,
        typer.Option(
            help="`fast`: this project's recipe for two cores. `paper`: equations and settings of the paper. "
            "`paper+as_published`: the authors' code where it differs."
        ),
    ] = "fast",
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.", show_default="0")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings, over the preset.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="SECTION.NAME=VALUE", help="One setting, over all others; may be repeated."
        ),
    ] = None,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Train a model; a run that was interrupted goes on where it stopped.

    `fewlex train scan:jump --out runs/jump --seed 1 --set model.hidden=256`
    """
    settled = build_config(preset, data, file=config, settings=settings or [], seed=seed)
    corpus = load(
        data, source_tokenizer=settled.data.source_tokenizer, target_tokenizer=settled.data.target_tokenizer
    )
    from fewlex.training import RunFolder
    from fewlex.training import train as train_model

    if RunFolder(out).is_finished:
        note(f"{out} is finished already")
    use_threads(threads)
    with training_bar(f"training on {corpus.name}") as observe:
        folder = train_model(corpus, settled, out, device=device, observe=observe)
    result = folder.read_json("result.json")
    note(f"trained in {result['seconds']:.0f} s, {result['updates']:,} updates; the run is in {out}")
