"""Several networks of one run, trained one after the other, which answer together.

Each has a run folder of its own inside the run, so a training that was killed goes on with the network it was at. The
lexicon, the rules and everything that is taught belong to the whole run.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import torch

from fewlex.config import Config
from fewlex.data.example import Example
from fewlex.model.assemble import LexicalParts
from fewlex.model.loading import load_model, network_folders
from fewlex.preparing import Prepared
from fewlex.run import Run
from fewlex.training.checking import learn_confidence
from fewlex.training.distributed import Workers
from fewlex.training.interruption import Interruption
from fewlex.training.one_network import if_in_time, latest_end, recorder, train_network
from fewlex.training.progress import Observer, Progress

SUMMED = ("epochs", "updates", "seconds", "parameters")
"""The figures of a result that add up over the networks."""


def train_committee(
    prepared: Prepared, workers: Workers, observe: Observer, interruption: Interruption, began: float
) -> None:
    """Train the networks of a run that has begun and finish the run. Networks that are finished stay as they are."""
    run, config, corpus = prepared.run, prepared.config, prepared.corpus
    told = recorder(run, observe) if workers.is_first else observe
    for number in range(config.training.networks):
        member, settings = run.member(number), config_of_member(config, number)
        if workers.is_first and not member.exists():
            member.write_start(settings, run.learned_knowledge(), prepared.identity)
        workers.wait()
        member.require_same(settings, prepared.identity)
        if not member.is_finished:
            news = _News(run, _Before.of(run, number), config.training.networks, told)
            train_network(corpus, settings, member, workers, news.tell, interruption, time.monotonic())
        workers.wait()
    if workers.is_first:
        latest = latest_end(config, began, workers)
        finish_committee(run, corpus.splits.get("validation", ()), workers.device, latest)


def config_of_member(config: Config, number: int) -> Config:
    """The settings of one network. Runs of different seeds have no network in common."""
    count = config.training.networks
    training = replace(config.training, networks=1, seconds=config.training.seconds / count)
    return replace(config, seed=config.seed * count + number, training=training)


def finish_committee(
    run: Run,
    validation: Sequence[Example],
    device: torch.device,
    latest: float | None = None,
    reason: str = "",
) -> None:
    """Write what is known of all networks that are trained; the result last, as the sign that the run is finished."""
    config, knowledge = run.read_config(), run.learned_knowledge()
    if validation:
        model = load_model(run, config, knowledge, LexicalParts.of(config, knowledge), str(device))
        sure = partial(learn_confidence, model, config, knowledge, validation, device)
        run.write_confidence(if_in_time(latest, sure))
    results = [member.read_json("result.json") for member in network_folders(run, config)]
    run.write_result(
        {
            **results[-1],
            "seed": config.seed,
            "stopped_by": reason or results[-1]["stopped_by"],
            **{name: sum(result[name] for result in results) for name in SUMMED},
            "peak_memory_mib": max(result["peak_memory_mib"] for result in results),
            "networks": len(results),
        }
    )


@dataclass(frozen=True)
class _Before:
    """What the networks before one have taken together."""

    networks: int = 0
    epochs: int = 0
    updates: int = 0
    seconds: float = 0.0

    @classmethod
    def of(cls, run: Run, number: int) -> _Before:
        results = [run.member(i).read_json("result.json") for i in range(number)]
        epochs, updates, seconds = (
            sum(result[name] for result in results) for name in ("epochs", "updates", "seconds")
        )
        return cls(number, epochs, updates, seconds)


class _News:
    """Tells how one network's training goes as a part of the whole."""

    def __init__(self, run: Run, before: _Before, count: int, observe: Observer) -> None:
        self.run, self.before, self.count, self.observe = run, before, count, observe
        self.has_begun = False

    def tell(self, news: Progress) -> None:
        before = self.before
        whole = replace(
            news,
            epoch=before.epochs + news.epoch,
            update=before.updates + news.update,
            share=(before.networks + news.share) / self.count,
            seconds=before.seconds + news.seconds,
        )
        if not self.has_begun:
            # What comes now may have been told before, by a training that was killed.
            self.run.cut_metrics(whole.update - 1)
            self.has_begun = True
        self.observe(whole)
