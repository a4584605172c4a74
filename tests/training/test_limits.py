"""When training ends: epochs, updates, time or patience; and what it says meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from fewlex.config import TrainingConfig
from fewlex.errors import ConfigError
from fewlex.training.checkpoint import Position
from fewlex.training.progress import Observer, Progress, Validation
from fewlex.training.schedule import share_done, stopped_by
from tests.training.conftest import small_trainer

# Time


class Clock:
    """A clock that only moves when told: here 1 s for an update, 5 s for a validation."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.milestones: list[int] = []
        self.rates: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def validate(self) -> Validation:
        self.now += 5
        return Validation(1.0, 0.0)

    def observe(self, news: Progress) -> None:
        self.now += 1
        self.rates.append(news.learning_rate)
        if news.is_milestone:
            self.milestones.append(news.update)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("fewlex.training.trainer.time", clock)
    return clock


BUDGET: dict[str, Any] = {"seconds": 60.0, "validate_every": 9, "schedule": "linear", "learning_rate": 0.01}


def test_a_time_budget_has_room_for_the_last_validation(tmp_path: Path, clock: Clock) -> None:
    """The ninth update ends at 9 s; validations last from 9 to 14, 23 to 28 and 37 to 42 s. The one after update 36,
    at 51 s, would leave no time for updates and another one; so the last one starts at 55 s and ends in time."""
    trainer = small_trainer(tmp_path / "checkpoint", validate=clock.validate, observe=clock.observe, **BUDGET)
    clock.now += 1
    end = trainer.run()
    assert clock.milestones == [9, 18, 27, 40]
    assert end.seconds == 60.0
    assert stopped_by(trainer.config, end) == "time"
    assert clock.rates[0] == pytest.approx(0.01)  # at 0 of 60 s: how long a validation takes is not known yet
    assert clock.rates[18] == pytest.approx(0.01 * (1 - 28 / 55))
    assert clock.rates[39] == pytest.approx(0.01 * (1 - 54 / 55))


def test_a_resumed_run_keeps_its_time_budget(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fewlex.training.trainer.CHECKPOINT_SECONDS", 0.0)

    def killed(news: Progress) -> None:
        clock.observe(news)
        if news.update == 25:
            raise InterruptedError

    def run(observe: Observer) -> Position:
        trainer = small_trainer(tmp_path / "checkpoint", validate=clock.validate, observe=observe, **BUDGET)
        clock.now += 1
        return trainer.run()

    with pytest.raises(InterruptedError):
        run(killed)
    clock.now += 10_000  # the night in between does not count, nor does the update that was lost
    end = run(clock.observe)
    assert clock.milestones == [9, 18, 27, 40]
    assert end.seconds == 60.0


def test_best_weights_when_time_is_up(tmp_path: Path, clock: Clock) -> None:
    figures = iter([3.0, 1.0, 2.0, 2.0])
    seen: list[dict[str, Tensor]] = []

    def validate() -> Validation:
        clock.now += 5
        seen.append(_weights(trainer.model))
        return Validation(next(figures), 0.0)

    trainer = small_trainer(
        tmp_path / "checkpoint",
        validate=validate,
        observe=clock.observe,
        **{**BUDGET, "stop_on": "loss", "keep": "best"},
    )
    clock.now += 1
    trainer.run()
    assert len(seen) == 4
    assert _equal(_weights(trainer.model), seen[1])
    assert not _equal(seen[1], seen[3])


@pytest.mark.parametrize(
    ("limits", "position", "share", "reason"),
    [
        ({"epochs": 4}, Position(epoch=1, updates_in_epoch=5), 0.375, ""),
        ({"epochs": 4, "updates": 30}, Position(epoch=1, updates_in_epoch=5, update=15), 0.5, ""),
        ({"epochs": 4, "updates": 30, "seconds": 8}, Position(epoch=1, update=10, seconds=6), 0.75, ""),
        ({"seconds": 8}, Position(seconds=3, validation_seconds=2), 0.5, ""),
        ({"seconds": 8}, Position(seconds=7, validation_seconds=2), 1.0, "time"),
        ({"epochs": 4, "seconds": 8}, Position(epoch=4, seconds=9), 1.0, "epochs"),
        ({"updates": 30}, Position(epoch=3, update=30), 1.0, "updates"),
        ({"updates": 30}, Position(epoch=2, update=15, stopped=True), 0.5, "patience"),
    ],
)
def test_the_nearest_limit_counts(
    limits: dict[str, Any], position: Position, share: float, reason: str
) -> None:
    config = TrainingConfig(**{"updates": 0, **limits})
    assert share_done(config, position, updates_per_epoch=10) == pytest.approx(share)
    assert stopped_by(config, position) == reason


def test_time_left() -> None:
    news = Progress(0, 10, share=0.25, loss=1.0, learning_rate=0.1, tokens_per_second=1.0, seconds=30.0)
    assert news.seconds_left == pytest.approx(90)


def test_a_limit_is_needed() -> None:
    with pytest.raises(ConfigError, match="epochs, updates or seconds"):
        TrainingConfig(epochs=0, updates=0)
    TrainingConfig(epochs=0, updates=0, seconds=1.0)
    with pytest.raises(ConfigError, match=r"training\.seconds must not be negative"):
        TrainingConfig(seconds=-1.0)


def test_training_that_ends_within_an_epoch_is_validated(tmp_path: Path) -> None:
    news: list[Progress] = []
    small_trainer(
        tmp_path / "checkpoint", validate=lambda: Validation(1, 0), observe=news.append, updates=7
    ).run()
    assert [n.update for n in news if n.validation] == [3, 6, 7]
    assert news[-1].share == 1.0


# Patience


@pytest.mark.parametrize(
    ("figures", "best"),
    [
        ([3.0, 2.0, 2.5, 2.1, 2.2], 1),
        ([3.0, 2.0, 2.0, 2.0, 2.0], 1),  # as good is no improvement
        ([3.0, 4.0, 4.0, 1.0, 5.0, 4.0, 3.0], 3),  # an improvement starts the count again
        ([2.0, float("nan"), float("nan"), float("nan")], 0),
    ],
)
@pytest.mark.parametrize("stop_on", ["loss", "accuracy"])
def test_patience_counts_validations_without_improvement(
    tmp_path: Path, figures: list[float], best: int, stop_on: str
) -> None:
    remaining: Iterator[float] = iter(figures)
    seen: list[dict[str, Tensor]] = []

    def validate() -> Validation:
        seen.append(_weights(trainer.model))
        figure = next(remaining)
        return Validation(figure, 0.0) if stop_on == "loss" else Validation(0.0, 1 - figure)

    trainer = small_trainer(
        tmp_path / "checkpoint", validate=validate, epochs=50, stop_on=stop_on, patience=3, keep="best"
    )
    end = trainer.run()
    assert len(seen) == len(figures)
    assert stopped_by(trainer.config, end) == "patience"
    assert _equal(_weights(trainer.model), seen[best])


def test_the_last_weights_are_kept_where_asked(tmp_path: Path) -> None:
    figures = iter([1.0, 2.0, 3.0])
    seen: list[dict[str, Tensor]] = []

    def validate() -> Validation:
        seen.append(_weights(trainer.model))
        return Validation(next(figures), 0.0)

    trainer = small_trainer(tmp_path / "checkpoint", validate=validate, epochs=50, stop_on="loss", patience=2)
    trainer.run()
    assert _equal(_weights(trainer.model), seen[2])


# Speed


def test_speed_after_a_resumption(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """An update takes 2 s. Tokens of the time before a kill do not count as work of the time after it."""
    monkeypatch.setattr("fewlex.training.trainer.CHECKPOINT_SECONDS", 0.0)
    speeds: list[float] = []

    def observe(news: Progress) -> None:
        clock.now += 2
        speeds.append(news.tokens_per_second)
        if len(speeds) == 2:
            raise InterruptedError

    def run() -> None:
        trainer = small_trainer(tmp_path / "checkpoint", observe=observe, updates=4, validate_every=4)
        clock.now += 2
        trainer.run()

    with pytest.raises(InterruptedError):
        run()
    run()
    assert speeds[2] == pytest.approx(speeds[1])


def _weights(model: torch.nn.Module) -> dict[str, Tensor]:
    return {name: weight.clone() for name, weight in model.state_dict().items()}


def _equal(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)
