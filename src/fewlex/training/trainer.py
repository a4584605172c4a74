"""The training loop. Knows nothing of tasks, lexicons, files or screens: it is told how to validate, whom to tell
about progress and where to keep its checkpoint.
"""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from fewlex.config import TrainingConfig
from fewlex.data.batching import bucketed_batches
from fewlex.model.batch import make_batch
from fewlex.model.seq2seq import Seq2Seq
from fewlex.training.checkpoint import Position, load_checkpoint, save_checkpoint
from fewlex.training.schedule import learning_rate

CHECKPOINT_SECONDS = 60.0

Encoded = tuple[list[int], list[int]]
"""Source ids with boundaries, target ids without."""


@dataclass(frozen=True)
class Validation:
    loss: float
    accuracy: float


@dataclass(frozen=True)
class Progress:
    """News from the loop, after each update."""

    epoch: int
    update: int
    share: float
    """Of the whole training, 0 to 1."""
    loss: float
    """Per target token, since the last validation."""
    learning_rate: float
    tokens_per_second: float
    seconds: float
    is_milestone: bool = False
    """Whether it was time to validate, after this update."""
    validation: Validation | None = None
    """At a milestone, where there is something to validate on."""


Observer = Callable[[Progress], None]
Validate = Callable[[], Validation | None]


class Trainer:
    """Adam on a `Seq2Seq`, from wherever the checkpoint left off."""

    def __init__(
        self,
        model: Seq2Seq,
        examples: Sequence[Encoded],
        config: TrainingConfig,
        *,
        seed: int,
        hidden: int,
        validate: Validate,
        observe: Observer,
        checkpoint: Path,
    ) -> None:
        self.model, self.examples, self.config, self.seed, self.hidden = model, examples, config, seed, hidden
        self.validate, self.observe, self.checkpoint = validate, observe, checkpoint
        self.device = next(model.parameters()).device
        self.optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, config.adam_beta2))
        self.lengths = [(len(source), len(target) + 1) for source, target in examples]
        self.position = Position()
        self.best_weights: dict[str, Tensor] | None = None
        if checkpoint.exists():
            self.position, self.best_weights = load_checkpoint(checkpoint, model, self.optimizer)

    def run(self) -> Position:
        """Train to the end; the model then holds the weights to keep."""
        at, started = self.position, time.monotonic() - self.position.seconds
        saved = window = time.monotonic()
        while not self._is_over():
            self.model.train()
            groups = self._epoch(at.epoch)
            for group in groups[at.updates_in_epoch :]:
                share = self._share(at.updates_in_epoch / len(groups))
                rate = learning_rate(
                    self.config, at.update + 1, share, self._warmup(len(groups)), self.hidden
                )
                at.loss_sum += self._update(group, rate)
                at.tokens += self._count_tokens(group)
                at.update += 1
                at.updates_in_epoch += 1
                at.seconds = time.monotonic() - started
                speed = at.tokens / (time.monotonic() - window)
                news = Progress(at.epoch, at.update, share, at.loss_sum / at.tokens, rate, speed, at.seconds)
                if at.updates_in_epoch == len(groups):
                    at.epoch, at.updates_in_epoch = at.epoch + 1, 0
                if self._is_validation_due():
                    self._validate(news)
                    at.loss_sum, at.tokens, window = 0.0, 0, time.monotonic()
                else:
                    self.observe(news)
                if time.monotonic() - saved > CHECKPOINT_SECONDS:
                    self.save()
                    saved = time.monotonic()
                if self._is_over():
                    break
        self.save()
        if self.config.keep == "best" and self.best_weights is not None:
            self.model.load_state_dict(self.best_weights)
        return at

    def save(self) -> None:
        save_checkpoint(self.checkpoint, self.position, self.model, self.optimizer, self.best_weights)

    def _epoch(self, epoch: int) -> list[list[list[int]]]:
        """The batches of an epoch, grouped into updates: the same for the same seed, however often asked."""
        rng = random.Random(f"{self.seed}/{epoch}")
        batches = bucketed_batches(
            self.lengths, self.config.batch_examples, self.config.batch_tokens or None, rng
        )
        size = self.config.accumulate
        return [batches[i : i + size] for i in range(0, len(batches), size)]

    def _update(self, group: list[list[int]], rate: float) -> float:
        """One optimiser step; the summed loss."""
        by_examples = self.config.normalize == "examples"
        total = sum(map(len, group)) if by_examples else self._count_tokens(group)
        for settings in self.optimizer.param_groups:
            settings["lr"] = rate
        self.optimizer.zero_grad()
        loss_sum = 0.0
        for indices in group:
            batch = make_batch([self.examples[i][0] for i in indices], [self.examples[i][1] for i in indices])
            loss = self.model.loss(batch.to(self.device))
            (loss / total).backward()  # type: ignore[no-untyped-call]
            loss_sum += float(loss.detach())
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.optimizer.step()
        return loss_sum

    def _validate(self, news: Progress) -> None:
        self.model.eval()
        result = self.validate()
        self.model.train()
        self.observe(replace(news, is_milestone=True, validation=result))
        if result is None or self.config.stop_on == "never":
            return
        figure = result.loss if self.config.stop_on == "loss" else -result.accuracy
        if figure < self.position.best:
            self.position.best, self.position.validations_since_best = figure, 0
            if self.config.keep == "best":
                self.best_weights = copy.deepcopy(self.model.state_dict())
        else:
            self.position.validations_since_best += 1
            self.position.stopped = self.position.validations_since_best >= self.config.patience

    def _count_tokens(self, group: list[list[int]]) -> int:
        return sum(self.lengths[i][1] for batch in group for i in batch)

    def _is_validation_due(self) -> bool:
        every = self.config.validate_every
        return self.position.update % every == 0 if every else self.position.updates_in_epoch == 0

    def _is_over(self) -> bool:
        at, config = self.position, self.config
        return at.stopped or 0 < config.updates <= at.update or 0 < config.epochs <= at.epoch

    def _share(self, share_of_epoch: float) -> float:
        by_updates = self.position.update / self.config.updates if self.config.updates else 0.0
        by_epochs = (self.position.epoch + share_of_epoch) / self.config.epochs if self.config.epochs else 0.0
        return max(by_updates, by_epochs)

    def _warmup(self, updates_per_epoch: int) -> int:
        return self.config.warmup_updates or self.config.warmup_epochs * updates_per_epoch
