"""`fewlex train`: from data to a run folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fewlex.cli.options import DataArgument, DeviceOption, ThreadsOption
from fewlex.cli.screen import note, training_bar, use_threads
from fewlex.config_layers import build_config
from fewlex.data import load
from fewlex.durations import parse_duration
from fewlex.run import Run

STOPPED_BY = {
    "patience": "stopped early: validation no longer improved",
    "time": "stopped: the time budget is used up",
}


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
    time_budget: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="End training in this time, with the best weights by then: `90s`, `20m`, `1.5h`.",
            show_default="no limit",
        ),
    ] = "",
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Train a model; a run that was interrupted goes on where it stopped.

    `fewlex train scan:jump --out runs/jump --seed 1 --set model.hidden=256`

    On several devices or machines: `torchrun --nproc-per-node 2 -m fewlex train …`
    """
    settings = list(settings or [])
    if time_budget:
        settings.append(f"training.seconds={parse_duration(time_budget)}")
    settled = build_config(preset, data, file=config, settings=settings, seed=seed)
    corpus = load(
        data, source_tokenizer=settled.data.source_tokenizer, target_tokenizer=settled.data.target_tokenizer
    )
    from fewlex.training import is_first_worker
    from fewlex.training import train as train_model

    use_threads(threads)
    was_finished = Run(out).is_finished
    with training_bar(f"training on {corpus.name}", hidden=not is_first_worker()) as observe:
        run = train_model(corpus, settled, out, device=device, observe=observe)
    if not is_first_worker():
        return
    result = run.read_json("result.json")
    if was_finished:
        note(f"{out} is finished already")
    elif result["stopped_by"] in ("patience", "time"):
        note(STOPPED_BY[result["stopped_by"]])
    note(f"trained in {result['seconds']:.0f} s, {result['updates']:,} updates; the run is in {out}")
