"""A run whose training was stopped by its owner, who is content with what it has learned: its checkpoint becomes the
run. Nothing more is trained."""

from __future__ import annotations

import torch

from fewlex.errors import RunError
from fewlex.model.assemble import build_model
from fewlex.run import Run
from fewlex.training.average import AveragedWeights
from fewlex.training.checkpoint import load_checkpoint
from fewlex.training.distributed import Workers
from fewlex.training.pipeline import write_end


def keep(run: Run) -> None:
    """Finish a run with the weights that its last checkpoint would have ended with."""
    if run.is_finished:
        return
    if not run.checkpoint.exists():
        raise RunError(
            f"{run.path}: there is no checkpoint yet, so there is nothing to keep. Let it train for some seconds."
        )
    config, knowledge = run.read_config(), run.read_knowledge()
    model = build_model(config, knowledge, for_training=True)
    average = AveragedWeights(model, config.training.average_decay) if config.training.average_decay else None
    optimizer = torch.optim.Adam(model.parameters())
    random_state = torch.get_rng_state()
    position, best = load_checkpoint(run.checkpoint, model, optimizer, average.weights if average else None)
    torch.set_rng_state(random_state)  # whoever else draws random numbers here must not notice
    if config.training.keep == "best" and best is not None:
        model.load_state_dict(best)
    elif average:
        average.exchange()
    data = str(run.read_json("knowledge.json").get("data", ""))
    alone = Workers(0, 1, torch.device("cpu"))
    write_end(run, data, knowledge, model, position, alone, "person")
