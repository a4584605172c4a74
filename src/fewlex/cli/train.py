"""`fewlex train`: from data to a run folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fewlex.cli.options import DataArgument, DeviceOption, ThreadsOption, load_data
from fewlex.cli.screen import note, resumable, training_bar, use_threads, waiting
from fewlex.config import Config
from fewlex.config_layers import build_config, preset_names
from fewlex.data import Corpus
from fewlex.durations import parse_duration
from fewlex.preparing import prepare
from fewlex.rules.storage import load_rules
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
            "`paper+as_published`: the authors' code where it differs. `rules`: rules and no network, in seconds. "
            f"Presets can be joined with +. There are: {', '.join(preset_names())} (`fewlex config`)."
        ),
    ] = "fast",
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.", show_default="0")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings, over the preset.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SECTION.NAME=VALUE",
            help="One setting, over all others; may be repeated. `fewlex config` lists them.",
        ),
    ] = None,
    like: Annotated[
        str,
        typer.Option(
            metavar="DATA_SET",
            help="Treat your text as this data set is treated, tokenizers included: `--like eng-cmn`.",
        ),
    ] = "",
    source_tokenizer: Annotated[
        str, typer.Option(help="Short for --set data.source_tokenizer=…", show_default="whitespace")
    ] = "",
    target_tokenizer: Annotated[
        str, typer.Option(help="Short for --set data.target_tokenizer=…", show_default="whitespace")
    ] = "",
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
    for side, tokenizer in (("source", source_tokenizer), ("target", target_tokenizer)):
        if tokenizer:
            settings.append(f"data.{side}_tokenizer={tokenizer!r}")
    if time_budget:
        settings.append(f"training.seconds={parse_duration(time_budget)}")
    settled = build_config(preset, data, like=like, file=config, settings=settings, seed=seed)
    corpus = _with_validation(
        load_data(data, settled.data.source_tokenizer, settled.data.target_tokenizer), settled
    )
    was_finished = Run(out).is_finished
    alone = settled.rules.alone
    run = _learn_rules(corpus, settled, out) if alone else _train(corpus, settled, out, device, threads)
    if run is None:
        return
    result = run.read_json("result.json")
    if was_finished:
        note(f"{out} is finished already")
    if settled.rules.learn:
        _tell_rules(run)
    if alone:
        note(f"learned in {result['seconds']:.1f} s; the run is in {out}")
        return
    if not was_finished and result["stopped_by"] in STOPPED_BY:
        note(STOPPED_BY[result["stopped_by"]])
    note(f"trained in {result['seconds']:.0f} s, {result['updates']:,} updates; the run is in {out}")


def _with_validation(corpus: Corpus, config: Config) -> Corpus:
    """The corpus with the examples set aside that training is watched with, after saying how many these are."""
    parted = corpus.with_validation(config.data.validation_share, config.seed)
    if parted is not corpus:
        taken = len(parted["validation"])
        note(
            f"set aside for validation: {taken:,} of {len(corpus['train']):,} examples (data.validation_share)"
        )
    return parted


def _learn_rules(corpus: Corpus, config: Config, out: Path) -> Run:
    """A run of rules alone, which needs no torch."""
    prepared = prepare(corpus, config, out)
    with waiting(f"learning rules from {corpus.name}"):
        prepared.begin()
    return prepared.run


def _train(corpus: Corpus, config: Config, out: Path, device: str, threads: int) -> Run | None:
    """The run; None for all workers but the first, which speaks for them."""
    from fewlex.training import is_first_worker
    from fewlex.training import train as train_model

    use_threads(threads)
    if is_first_worker() and (epoch := Run(out).resumes_at()) is not None:
        note(f"goes on at epoch {epoch}")
    with (
        resumable("The run"),
        training_bar(f"training on {corpus.name}", hidden=not is_first_worker()) as observe,
    ):
        run = train_model(corpus, config, out, device=device, observe=observe)
    return run if is_first_worker() else None


def _tell_rules(run: Run) -> None:
    """Say how many rules there are, or why there are none."""
    book = load_rules(run.rules)
    if book.measured.silence:
        note(f"no rules: {book.measured.silence}")
        return
    note(
        f"{len(book.rules)} rules, which derive {book.measured.derived:.1%} of the training pairs; "
        f"`fewlex rules show {run.path}` prints them"
    )
