"""A run whose training was stopped by its owner, who is content with what it has learned: its checkpoint becomes the
run. Nothing more is trained."""

from __future__ import annotations

import torch

from fewlex.errors import RunError
from fewlex.model.assemble import build_model
from fewlex.run import Run
from fewlex.training.average import AveragedWeights
from fewlex.training.checkpoint import load_checkpoint
from fewlex.training.committee import finish_committee
from fewlex.training.distributed import Workers
from fewlex.training.one_network import write_end


def keep(run: Run) -> None:
    """Finish a run with the weights that its last checkpoint would have ended with."""
    with run.locked_for_training():
        if not run.is_finished:
            _keep_several(run) if run.read_config().training.networks > 1 else _keep(run)


def _keep_several(run: Run) -> None:
    """Finish a run of several networks with those that are trained; with the first as it is, if none is."""
    if not any(member.is_finished for member in run.members):
        _keep(run.member(0))
    finish_committee(run, (), torch.device("cpu"), reason="person")


def _keep(run: Run) -> None:
    if not run.checkpoint.exists():
        raise RunError(
            f"{run.path}: there is no checkpoint yet, so there is nothing to keep. Let it train for some seconds."
        )
    config, knowledge = run.read_config(), run.learned_knowledge()
    with torch.random.fork_rng(devices=[]):  # whoever else draws random numbers must not notice
        model = build_model(config, knowledge, for_training=True)
        decay = config.training.average_decay
        average = AveragedWeights(model, decay) if decay else None
        position, best = load_checkpoint(
            run.checkpoint,
            model,
            torch.optim.Adam(model.parameters()),
            average.weights if average else None,
        )
    if config.training.keep == "best" and best is not None:
        model.load_state_dict(best)
    elif average:
        average.exchange()
    data = str(run.read_json("knowledge.json").get("data", ""))
    alone = Workers(0, 1, torch.device("cpu"))
    write_end(run, data, knowledge, model, position, alone, "person")
