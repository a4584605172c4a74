"""`fewlex train`: from data to a run folder."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from fewlex.advice import next_steps
from fewlex.cli.options import DataArgument, DeviceOption, ThreadsOption, tell_about
from fewlex.cli.screen import note, resumable, training_bar, use_threads, waiting
from fewlex.config import Config
from fewlex.config_layers import AUTO, build_config, preset_names
from fewlex.data import Corpus, load
from fewlex.data.copies import Copies
from fewlex.deadline import preparing
from fewlex.durations import parse_duration
from fewlex.errors import ConfigError
from fewlex.preparing import prepare
from fewlex.recipe import Plan, plan
from fewlex.rules.storage import load_rules
from fewlex.run import Run
from fewlex.unfinished import resumes_at

BASELINE = "baseline"
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
            help="`auto`: what follows from the data. "
            "`fast`: this project's recipe for two cores. `paper`: equations and settings of the paper. "
            "`paper+as_published`: the authors' code where it differs. `rules`: rules and no network, in seconds. "
            f"Presets can be joined with +. There are: {', '.join(preset_names())} (`fewlex config`)."
        ),
    ] = AUTO,
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
            help="Train for this long, neither longer nor shorter: `90s`, `20m`, `1.5h`.",
            show_default="no limit",
        ),
    ] = "",
    networks: Annotated[
        int | None,
        typer.Option(
            help="Train so many networks that answer together: better, in so many times the time.",
            show_default="1",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done, and why.")] = False,
    baseline: Annotated[
        bool,
        typer.Option("--baseline", help="Train a plain LSTM without lexicon and rules, to compare with."),
    ] = False,
    device: DeviceOption = "cpu",
    threads: ThreadsOption = 0,
) -> None:
    """Train a model; a run that was interrupted goes on where it stopped.

    `fewlex train scan:jump --out runs/jump --seed 1 --set model.hidden=256`

    On several devices or machines: `torchrun --nproc-per-node 2 -m fewlex train …`
    """
    began = time.monotonic()
    if out == Path():  # --out ""
        raise ConfigError("--out names no folder. Write the name of the run folder, such as --out runs/mine.")
    settings = [*_time(time_budget), *(settings or [])]
    for side, tokenizer in (("source", source_tokenizer), ("target", target_tokenizer)):
        if tokenizer:
            settings.append(f"data.{side}_tokenizer={tokenizer!r}")
    if networks is not None:
        settings.append(f"training.networks={networks}")
    preset = f"{preset}+{BASELINE}" if baseline else preset
    read = build_config(preset, data, like=like, file=config, settings=settings, seed=seed).data
    seconds = parse_duration(time_budget) if time_budget else 0.0
    with preparing(seconds, began, "reading the data"):
        corpus = load(data, read.source_tokenizer, read.target_tokenizer)
    with waiting(f"looking at {corpus.name}"), preparing(seconds, began, "looking at the data"):
        planned = plan(corpus, preset, like=like, file=config, settings=settings, seed=seed)
    tell_about(planned.corpus)
    for reason in planned.recipe.reasons if planned.recipe else ():
        note(reason)
    if dry_run:
        return
    settled = planned.config
    corpus = _with_validation(planned.corpus, settled)
    was_finished = Run(out).is_finished
    alone = settled.rules.alone
    how = _learn_rules if alone else partial(_train, device=device, threads=threads)
    run = how(corpus, planned, out, began=began)
    if run is None:
        return
    result = run.read_json("result.json")
    if was_finished:
        note(f"{out} is finished already")
    if settled.rules.learn:
        _tell_rules(run)
    if alone:
        note(f"learned in {result['seconds']:.1f} s; the run is in {out}")
    elif not was_finished and result["stopped_by"] in STOPPED_BY:
        note(STOPPED_BY[result["stopped_by"]])
    if not alone:
        note(f"trained in {result['seconds']:.0f} s, {result['updates']:,} updates; the run is in {out}")
    for step in next_steps(run, data):
        note(step)


def _with_validation(corpus: Corpus, config: Config) -> Corpus:
    """The corpus with the examples set aside that training is watched with, after saying how many these are."""
    parted = corpus.with_validation(
        config.data.validation_share,
        config.seed,
        keeps_words=config.data.validation_keeps_words,
        copies=Copies.named(config.data.copies),
    )
    if parted is not corpus:
        taken = len(parted["validation"])
        note(
            f"set aside for validation: {taken:,} of {len(corpus['train']):,} examples (data.validation_share)"
        )
    return parted


def _time(budget: str) -> list[str]:
    """The settings that make a training use a time budget: time alone decides when it ends."""
    if not budget:
        return []
    limits = ("epochs=0", "updates=0", "stop_on=never", "keep=last")
    return [f"training.seconds={parse_duration(budget)}", *(f"training.{limit}" for limit in limits)]


def _learn_rules(corpus: Corpus, planned: Plan, out: Path, *, began: float) -> Run:
    """A run of rules alone, which needs no torch."""
    with preparing(planned.config.training.seconds, began, "learning rules"):
        prepared = prepare(corpus, planned.config, out, rules=planned.rules)
        with prepared.run.locked_for_training(), waiting(f"learning rules from {corpus.name}"):
            prepared.begin()
    return prepared.run


def _train(
    corpus: Corpus, planned: Plan, out: Path, *, device: str, threads: int, began: float
) -> Run | None:
    """The run; None for all workers but the first, which speaks for them."""
    from fewlex.training import is_first_worker
    from fewlex.training import train as train_model

    use_threads(threads)
    if is_first_worker() and (epoch := resumes_at(Run(out))) is not None:
        note(f"goes on at epoch {epoch}")
    with (
        resumable("The run"),
        training_bar(f"training on {corpus.name}", hidden=not is_first_worker()) as observe,
    ):
        run = train_model(
            corpus, planned.config, out, rules=planned.rules, device=device, observe=observe, began=began
        )
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
