"""The training loop. It knows nothing of tasks, lexicons, files or screens: its caller says how to validate, who hears
about progress, where the checkpoint is kept and which workers share the work.

The environment variable FEWLEX_CHECKPOINT_SECONDS says how often the checkpoint is written. It is not a setting of a
run, because it changes no result. It is meant for machines that may disappear at any moment, and for tests.
"""

from __future__ import annotations

import copy
import math
import os
import random
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn

from fewlex.augment import EpochSampler
from fewlex.config import TrainingConfig
from fewlex.data.batching import bucketed_batches
from fewlex.errors import ConfigError, DivergedError
from fewlex.model.batch import Encoded, make_batch
from fewlex.model.seq2seq import Seq2Seq
from fewlex.training.average import AveragedWeights
from fewlex.training.checkpoint import Position, load_checkpoint, save_checkpoint
from fewlex.training.distributed import Workers
from fewlex.training.interruption import Interruption, StoppedTraining
from fewlex.training.progress import Observer, Progress, Validate
from fewlex.training.schedule import is_validation_due, learning_rate, share_done, stopped_by

ABSURD = 1e4
"""No training has this loss for a token; guessing among a million words would have 14."""
CHECKPOINT_SECONDS = 60.0
"""The time between two checkpoints, unless the environment says otherwise."""


class Trainer:
    """Adam on a `Seq2Seq`, from wherever the checkpoint left off."""

    def __init__(
        self,
        model: Seq2Seq,
        examples: Sequence[Encoded],
        config: TrainingConfig,
        workers: Workers,
        *,
        seed: int,
        hidden: int,
        validate: Validate,
        observe: Observer,
        checkpoint: Path,
        sampler: EpochSampler | None = None,
        fresh: Callable[[int], Sequence[Encoded]] | None = None,
        interruption: Interruption | None = None,
        began: float | None = None,
    ) -> None:
        """`sampler` says which of the examples an epoch has; without it, an epoch has all of them.

        `fresh` gives an epoch examples of its own, which come after the others. If training has a time limit, the time
        since `began` counts too.
        """
        self.model, self.examples, self.config, self.seed, self.hidden = model, examples, config, seed, hidden
        self.validate, self.observe, self.checkpoint, self.workers = validate, observe, checkpoint, workers
        self.autocast = torch.autocast(
            workers.device.type, torch.bfloat16, enabled=precision(config, workers.device) == "bfloat16"
        )
        self.optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, config.adam_beta2), fused=True)
        self.embeddings = [part.weight for part in model.modules() if isinstance(part, nn.Embedding)]
        self.average = AveragedWeights(model, config.average_decay) if config.average_decay else None
        self.lengths = _lengths(examples)
        self.sampler = sampler or EpochSampler(len(examples))
        self.fresh = fresh
        self.interruption = interruption or Interruption()
        self.position = Position()
        self.best_weights: dict[str, Tensor] | None = None
        if checkpoint.exists():
            self.position, self.best_weights = load_checkpoint(
                checkpoint, model, self.optimizer, self.average.weights if self.average else None
            )
        counts_from = began if began is not None and config.seconds else time.monotonic()
        self.started = counts_from - self.position.seconds

    def run(self) -> Position:
        """Train to the end. Afterwards the model has the weights that the run keeps."""
        at, saved, pause = self.position, self.position.seconds, checkpoint_seconds()
        while not stopped_by(self.config, at):
            self.model.train()
            groups = self._epoch(at.epoch)
            for group in groups[at.updates_in_epoch :]:
                share, warmup = share_done(self.config, at, len(groups)), self._warmup(len(groups))
                rate = learning_rate(self.config, at.update + 1, share, warmup, self.hidden)
                at.loss_sum += self._update(group, rate)
                at.tokens += self._count_tokens(group)
                at.update += 1
                at.updates_in_epoch += 1
                at.seconds = self._clock()
                news = self._news(rate, share_done(self.config, at, len(groups)))
                if at.updates_in_epoch == len(groups):
                    at.epoch, at.updates_in_epoch = at.epoch + 1, 0
                if is_validation_due(self.config, at):
                    self._validate(news)
                else:
                    self.observe(news)
                if at.seconds - saved > pause:
                    self.save()
                    saved = at.seconds
                if stopped_by(self.config, at):
                    break
                self._stop_if_asked()
        self.save()
        if self.config.keep == "best" and self.best_weights is not None:
            self.model.load_state_dict(self.best_weights)
        elif self.average:
            self.average.exchange()
        return at

    def _stop_if_asked(self) -> None:
        """Save and stop if a signal has come to any of the workers."""
        if number := int(self.workers.sum([float(self.interruption.signal)])[0]):
            self.save()
            raise StoppedTraining(self.position.epoch + 1, self.interruption.signal or number)

    def save(self) -> None:
        if not all(bool(weight.isfinite().all()) for weight in self.model.parameters()):
            raise self._diverged("a weight is not finite")  # what was saved before stays
        if self.workers.is_first:
            averaged = self.average.weights if self.average else None
            save_checkpoint(
                self.checkpoint, self.position, self.model, self.optimizer, self.best_weights, averaged
            )

    def _diverged(self, what: str) -> DivergedError:
        rate = self.optimizer.param_groups[0]["lr"]
        saved = "The checkpoint keeps the last good weights. " if self.checkpoint.exists() else ""
        return DivergedError(
            f"training has diverged at update {self.position.update + 1}: {what}, with a learning rate of {rate:g}. "
            f"{saved}Train with a smaller training.learning_rate, or with more training.warmup_epochs, into another "
            "folder."
        )

    def _epoch(self, epoch: int) -> list[list[list[int]]]:
        """The batches of an epoch, grouped into updates. They depend only on the seed and the number of the epoch."""
        rng = random.Random(f"{self.seed}/{epoch}")
        chosen = self.sampler.of_epoch(epoch)
        if self.fresh is not None:
            kept = self.sampler.real + self.sampler.synthetic
            self.examples = [*self.examples[:kept], *self.fresh(epoch)]
            self.lengths = _lengths(self.examples)
            chosen += range(kept, len(self.examples))
        lengths = [self.lengths[i] for i in chosen]
        cut = bucketed_batches(
            lengths,
            self.config.batch_examples,
            self.config.batch_tokens or None,
            rng,
            equal_sources=self.config.equal_sources,
        )
        batches = [[chosen[i] for i in batch] for batch in cut]
        size = self.config.accumulate
        return [batches[i : i + size] for i in range(0, len(batches), size)]

    def _update(self, group: list[list[int]], rate: float) -> float:
        """Make one optimiser step and return its summed loss."""
        by_examples = self.config.normalize == "examples"
        total = sum(map(len, group)) if by_examples else self._count_tokens(group)
        for settings in self.optimizer.param_groups:
            settings["lr"] = rate
        self._seed_update()
        self.optimizer.zero_grad()
        loss_sum = 0.0
        for indices in group:
            if not (own := [self.examples[i] for i in self.workers.own(indices)]):
                continue
            with self.autocast:
                loss = self.model.loss(make_batch(own).to(self.workers.device))
            (loss / total).backward()
            loss_sum += float(loss.detach())
        self.workers.sum_gradients(self.model.parameters())
        norm = float(torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip))
        summed = self.workers.sum([loss_sum])[0]
        a_token = summed / self._count_tokens(group)
        if not (math.isfinite(norm) and a_token < ABSURD):  # written this way, it also catches NaN
            raise self._diverged(f"the loss of a token is {a_token:g} and the gradient norm {norm:g}")
        if decay := self.config.embedding_decay:
            with torch.no_grad():
                for vectors in self.embeddings:
                    vectors *= 1 - rate * decay
        self.optimizer.step()
        if self.average:
            self.average.add(self.position.update + 1)
        return summed

    def _seed_update(self) -> None:
        """Give each worker random numbers of its own.

        A checkpoint keeps only the generator of the first worker's CPU. All others are seeded again at every update, so
        that a resumed run goes on in the same way without their state.
        """
        if not self.workers.is_first or self.workers.device.type != "cpu":
            name = f"{self.seed}/{self.workers.rank}/{self.position.update}"
            torch.manual_seed(random.Random(name).getrandbits(63))

    def _clock(self) -> float:
        """The time of training so far. It is the same for all workers, so that they stop and save together."""
        return self.workers.agree(time.monotonic() - self.started)

    def _news(self, rate: float, share: float) -> Progress:
        at = self.position
        speed = at.tokens / max(at.seconds - at.validated_at, 1e-9)
        return Progress(at.epoch, at.update, share, at.loss_sum / at.tokens, rate, speed, at.seconds)

    def _validate(self, news: Progress) -> None:
        at = self.position
        self.model.eval()
        with self.average.in_use() if self.average else nullcontext():
            result = self.validate()
            if result is not None and self.config.stop_on != "never":
                self._judge(result.loss if self.config.stop_on == "loss" else -result.accuracy)
        self.model.train()
        at.validated_at = self._clock()
        at.validation_seconds = at.validated_at - at.seconds
        at.seconds, at.loss_sum, at.tokens = at.validated_at, 0.0, 0
        self.observe(replace(news, is_milestone=True, validation=result))

    def _judge(self, figure: float) -> None:
        """Keep the weights if their figure is the lowest so far. Stop if `patience` validations brought no lower
        one."""
        at = self.position
        if figure < at.best:
            at.best, at.validations_since_best = figure, 0
            if self.config.keep == "best":
                self.best_weights = copy.deepcopy(self.model.state_dict())
        else:
            at.validations_since_best += 1
            at.stopped = at.validations_since_best >= self.config.patience

    def _count_tokens(self, group: list[list[int]]) -> int:
        return sum(self.lengths[i][1] for batch in group for i in batch)

    def _warmup(self, updates_per_epoch: int) -> int:
        return self.config.warmup_updates or self.config.warmup_epochs * updates_per_epoch


def _lengths(examples: Sequence[Encoded]) -> list[tuple[int, int]]:
    return [(len(example.source), len(example.target) + 1) for example in examples]


def checkpoint_seconds() -> float:
    """The time between two checkpoints, which is the most that a killed run can lose."""
    given = os.environ.get("FEWLEX_CHECKPOINT_SECONDS") or CHECKPOINT_SECONDS
    try:
        seconds = float(given)
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:  # written this way, it also catches NaN
        raise ConfigError(
            f"FEWLEX_CHECKPOINT_SECONDS is {given!r} in the environment. Set it to seconds, such as 60, or unset it."
        )
    return seconds


def precision(config: TrainingConfig, device: torch.device) -> str:
    """The number format to train with. "auto" is bfloat16 on a GPU that has it, because most CPUs are slower with
    it."""
    if config.precision != "auto":
        return config.precision
    has_bfloat16 = device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    return "bfloat16" if has_bfloat16 else "float32"
