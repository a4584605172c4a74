"""The state of a training run between two updates, in one safetensors file with the counters in its header.

The file holds everything that the next update depends on: the weights and their average, Adam's moments, the random
state and the position in the data. So a run that was killed and resumed ends with the same weights as one that was not.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn

from fewlex.errors import RunError
from fewlex.files import atomic_write
from fewlex.seal import metadata_of, read_sealed, seal_tensors
from fewlex.strict import checked, parse_json


@dataclass
class Position:
    """How far training has come."""

    epoch: int = 0
    updates_in_epoch: int = 0
    update: int = 0
    seconds: float = 0.0
    """The time spent on training so far. It includes validations and the time before the run was resumed."""
    loss_sum: float = 0.0
    """The loss summed over all target tokens since the last validation."""
    tokens: int = 0
    """The number of these tokens."""
    validated_at: float = 0.0
    """The value of `seconds` at the end of the last validation."""
    validation_seconds: float = 0.0
    """How long the last validation took."""
    best: float = float("inf")
    """The lowest validation figure so far, which is the loss or minus the accuracy."""
    validations_since_best: int = 0
    stopped: bool = False
    """True once `patience` validations in a row have brought no improvement."""


def save_checkpoint(
    path: Path,
    position: Position,
    model: nn.Module,
    optimizer: torch.optim.Adam,
    best_weights: dict[str, Tensor] | None,
    averaged: dict[str, Tensor] | None,
) -> None:
    names = [name for name, _ in model.named_parameters()]
    tensors = {f"weight.{name}": tensor for name, tensor in model.state_dict().items()}
    tensors |= {f"best.{name}": tensor for name, tensor in (best_weights or {}).items()}
    tensors |= {f"average.{name}": tensor for name, tensor in (averaged or {}).items()}
    tensors["random"] = torch.get_rng_state()
    for index, state in optimizer.state_dict()["state"].items():
        tensors |= {f"adam.{names[index]}.{key}": value for key, value in state.items()}
    content = save({key: value.contiguous() for key, value in tensors.items()})
    with atomic_write(path) as file:
        file.write(seal_tensors(content, position=_position_text(position)))


def load_checkpoint(
    path: Path, model: nn.Module, optimizer: torch.optim.Adam, averaged: dict[str, Tensor] | None
) -> tuple[Position, dict[str, Tensor] | None]:
    """Restore the model, the optimiser, the average and the random state; return the position and the best weights."""
    try:
        content = read_sealed(path)
        tensors = load(content)
        model.load_state_dict(_under("weight.", tensors))
        _load_adam(optimizer, model, _under("adam.", tensors))
        for name, tensor in (averaged or {}).items():
            tensor.copy_(tensors[f"average.{name}"])
        torch.set_rng_state(tensors["random"])
        position = _position(metadata_of(content)["position"])
    except (SafetensorError, KeyError, OSError, RuntimeError, TypeError, ValueError) as error:
        raise RunError(
            f"{path}: not a checkpoint of this run ({error}). Delete the file to train from the start."
        ) from error
    return position, _under("best.", tensors) or None


def _position_text(position: Position) -> str:
    """The counters as JSON, which has no infinity: before the first validation, `best` is left out."""
    fields = dataclasses.asdict(position)
    return json.dumps(
        {name: value for name, value in fields.items() if value != float("inf")}, allow_nan=False
    )


def _position(text: str) -> Position:
    # Older checkpoints spell infinity in a way that only Python reads.
    return checked(parse_json(text.replace('"best": Infinity, ', "")), Position)


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {key.removeprefix(prefix): value for key, value in tensors.items() if key.startswith(prefix)}


def _load_adam(optimizer: torch.optim.Adam, model: nn.Module, moments: dict[str, Tensor]) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for index, (name, _) in enumerate(model.named_parameters()):
        mine = {
            key.removeprefix(f"{name}."): value
            for key, value in moments.items()
            if key.rpartition(".")[0] == name
        }
        if mine:
            state[index] = mine
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
