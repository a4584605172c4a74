"""The weights of a network on disk, as safetensors."""

from __future__ import annotations

from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import nn

from fewlex.config import ModelConfig
from fewlex.errors import RunError
from fewlex.files import atomic_write
from fewlex.seal import read_sealed, seal_tensors


def save_weights(model: nn.Module, path: Path) -> None:
    """Write all weights but a trained lexicon, which is kept in lexicon.json, where it can be read and corrected."""
    weights = {
        name: weight.contiguous().cpu()
        for name, weight in model.state_dict().items()
        if not name.startswith("lexicon.")
    }
    with atomic_write(path) as file:
        file.write(seal_tensors(save_tensors(weights)))


def require_size(config: ModelConfig, path: Path) -> None:
    """Complain about weights that are far too few for the network of a config, before memory is taken for it.

    Every backbone has a square matrix of its width in each layer, and no weight takes less than a byte.
    """
    width = config.transformer.feedforward if config.backbone == "transformer" else config.hidden
    if path.stat().st_size < config.layers * config.hidden * max(width, config.hidden):
        raise RunError(
            f"{path}: too small for the network that config.toml describes (model.hidden = {config.hidden}, "
            f"model.layers = {config.layers}). Train the run again."
        )


def load_weights(model: nn.Module, path: Path) -> None:
    try:
        model.load_state_dict(load_tensors(read_sealed(path)))
    except (SafetensorError, RuntimeError) as error:
        raise RunError(
            f"{path}: not the weights of this run's config ({error}). Train the run again."
        ) from error
    if not all(bool(weight.isfinite().all()) for weight in model.parameters()):
        raise RunError(
            f"{path}: weights that are not finite, so the training has diverged. Train again with a smaller "
            "training.learning_rate."
        )
