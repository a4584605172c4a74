"""A trainer small enough to count its steps by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from fewlex.config import Config, TrainingConfig
from fewlex.knowledge import Knowledge
from fewlex.model.assemble import build_model
from fewlex.model.batch import encode
from fewlex.training.distributed import Workers
from fewlex.training.progress import Observer, Validate
from fewlex.training.trainer import Trainer
from tests.model.conftest import EXAMPLES, small_config

ALONE = Workers(0, 1, torch.device("cpu"))


def small_trainer(
    checkpoint: Path,
    workers: Workers = ALONE,
    config: Config | None = None,
    validate: Validate = lambda: None,
    observe: Observer = lambda news: None,
    **training: Any,
) -> Trainer:
    """On six examples; without limits but those given."""
    config = config or small_config()
    knowledge = Knowledge.learn(EXAMPLES, config)
    torch.manual_seed(0)
    return Trainer(
        build_model(config, knowledge, for_training=True),
        encode(EXAMPLES, knowledge.source_vocab, knowledge.target_vocab),
        TrainingConfig(**{"updates": 0, "learning_rate": 0.01, "batch_examples": 2, **training}),
        workers,
        seed=0,
        hidden=8,
        validate=validate,
        observe=observe,
        checkpoint=checkpoint,
    )
