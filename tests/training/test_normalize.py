"""What the loss of an update is divided by."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from fewlex.model.batch import make_batch
from tests.training.conftest import small_trainer


@pytest.mark.parametrize("normalize", ["tokens", "examples"])
def test_the_loss_is_divided_by_tokens_or_examples(tmp_path: Path, normalize: str) -> None:
    """Adam hardly sees the scale of a gradient, but clipping does."""
    trainer = small_trainer(
        tmp_path / "checkpoint", updates=1, batch_examples=6, clip=1e9, normalize=normalize
    )
    model = trainer.model
    tokens = sum(len(example.target) + 1 for example in trainer.examples)
    model.train().loss(make_batch(trainer.examples)).backward()
    whole = {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}
    trainer.run()
    divisor = {"tokens": tokens, "examples": len(trainer.examples)}[normalize]
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(parameter.grad, whole[name] / divisor)
