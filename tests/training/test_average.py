"""The running average of the weights, with numbers by hand and against a second computation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from fewlex.config import TrainingConfig
from fewlex.errors import ConfigError
from fewlex.training.average import AveragedWeights
from fewlex.training.progress import Progress, Validation
from tests.training.conftest import small_trainer


def one_weight(value: float) -> nn.Linear:
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, value)
    return model


def test_by_hand() -> None:
    model = one_weight(100.0)  # the random start, which must not count
    average = AveragedWeights(model, decay=0.5)
    for update, value in enumerate([1.0, 2.0, 4.0], 1):
        nn.init.constant_(model.weight, value)
        average.add(update)
    # 1; then 1 + 10/11 · (2 − 1) = 21/11; then 21/11 + 10/12 · (4 − 21/11)
    assert average.weights["weight"].item() == pytest.approx(21 / 11 + 10 / 12 * (4 - 21 / 11))


def test_late_updates_count_as_the_decay_says() -> None:
    model = one_weight(3.0)
    average = AveragedWeights(model, decay=0.9)
    nn.init.constant_(model.weight, 5.0)
    average.add(1000)
    assert average.weights["weight"].item() == pytest.approx(0.9 * 3 + 0.1 * 5)


def test_own_weights_come_back() -> None:
    model = one_weight(3.0)
    average = AveragedWeights(model, decay=0.9)
    nn.init.constant_(model.weight, 5.0)
    with average.in_use():
        assert model.weight.item() == 3.0
    assert model.weight.item() == 5.0
    assert average.weights["weight"].item() == 3.0


def test_training_validates_and_ends_with_the_average(tmp_path: Path) -> None:
    expected: dict[str, Tensor] = {}
    validated: list[Tensor] = []

    def observe(news: Progress) -> None:
        newest = max(0.2, 10 / (news.update + 9))
        for name, weight in trainer.model.named_parameters():
            old = expected.get(name, torch.zeros_like(weight))
            expected[name] = (1 - newest) * old + newest * weight.detach()
        if news.is_milestone:
            torch.testing.assert_close(validated[-1], expected["decoder.embedding.weight"])

    def validate() -> Validation:
        decoder: Any = trainer.model.decoder
        validated.append(decoder.embedding.weight.detach().clone())
        return Validation(1.0, 0.0)

    trainer = small_trainer(
        tmp_path / "checkpoint", observe=observe, validate=validate, updates=45, average_decay=0.8
    )
    trainer.run()
    assert len(validated) == 15
    for name, weight in trainer.model.named_parameters():
        torch.testing.assert_close(weight.detach(), expected[name])


def test_decay_is_a_share() -> None:
    with pytest.raises(ConfigError, match="average_decay must be in"):
        TrainingConfig(average_decay=1.0)
