"""Weights and checkpoints, which are safetensors: bytes are damaged, and headers tell of other tensors."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import torch

from fewlex.data import load
from fewlex.lexicon.bayes.sampling import sample_posterior
from fewlex.lexicon.bayes.settings import BayesianSettings
from fewlex.model.assemble import build_model
from fewlex.model.weights import load_weights
from fewlex.training.checkpoint import Position, load_checkpoint, save_checkpoint
from fewlex.unfinished import resumes_at
from torture.mutation import damaged, json_mutation, reshaped, unsealed
from torture.small import trained
from torture.surfaces import Surface

TENSORS = "weights"


def tensors(folder: Path) -> Iterator[tuple[str, Surface]]:
    """Surfaces of a small trained run in this folder, and of the state of a Bayesian chain."""
    run = trained(folder / "network")
    config, knowledge = run.read_config(), run.learned_knowledge()
    model = build_model(config, knowledge, for_training=True)
    optimizer = torch.optim.Adam(model.parameters())
    whole, checkpoint = run.weights.read_bytes(), run.checkpoint
    _step(model, optimizer)
    save_checkpoint(checkpoint, Position(), model, optimizer, None, None)
    saved = checkpoint.read_bytes()

    def weights(data: bytes) -> None:
        run.weights.write_bytes(data)
        load_weights(model, run.weights)

    def resumed(data: bytes) -> None:
        checkpoint.write_bytes(data)
        resumes_at(run)
        load_checkpoint(checkpoint, model, optimizer, None)

    yield "model.safetensors", Surface(TENSORS, weights, [without_seal(whole), whole], tensor_mutation)
    yield "checkpoint.safetensors", Surface(TENSORS, resumed, [without_seal(saved), saved], tensor_mutation)
    yield "state of a Bayesian chain", _chain(folder / "chains")


def _step(model: torch.nn.Module, optimizer: torch.optim.Adam) -> None:
    """One step, after which Adam has moments to save."""
    for weight in model.parameters():
        weight.grad = torch.zeros_like(weight)
    optimizer.step()


def _chain(folder: Path) -> Surface:
    settings, examples = BayesianSettings(burn_in=4, samples=4, thinning=1, chains=1), load("colors")["train"]
    sample_posterior(examples, settings, state=folder)
    (path,) = folder.iterdir()
    whole = path.read_bytes()

    def feed(data: bytes) -> None:
        path.write_bytes(data)
        sample_posterior(examples, settings, state=folder)

    return Surface(TENSORS, feed, [unsealed(whole), whole], json_mutation, 0.05)


def without_seal(data: bytes) -> bytes:
    """The file as somebody would forge it who knows of seals."""
    header, rest = _parts(data)
    metadata = {name: text for name, text in header.get("__metadata__", {}).items() if name != "seal"}
    return _joined(json.dumps({**header, "__metadata__": metadata}).encode(), rest)


def tensor_mutation(content: bytes, rng: random.Random) -> bytes:
    """Damage anywhere, damage of the header, or a header of another shape whose length is told rightly."""
    if rng.random() < 0.3:
        return damaged(content, rng)
    header, rest = _parts(content)
    text = json.dumps(header).encode()
    return _joined(reshaped(text, rng) if rng.random() < 0.7 else damaged(text, rng), rest)


def _parts(data: bytes) -> tuple[dict[str, dict[str, object]], bytes]:
    size = int.from_bytes(data[:8], "little")
    return json.loads(data[8 : 8 + size]), data[8 + size :]


def _joined(header: bytes, rest: bytes) -> bytes:
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + rest
