"""A corpus and models small enough to compute with in a test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from fewlex.config import Config, FastMappingConfig, LexiconConfig, ModelConfig
from fewlex.data.example import Example
from fewlex.knowledge import Knowledge
from fewlex.model.assemble import build_model
from fewlex.model.batch import Batch, encode, make_batch
from fewlex.model.seq2seq import Seq2Seq
from fewlex.tables import build, merge

PAIRS = [
    ("walk", "WALK"),
    ("jump", "JUMP"),
    ("walk twice", "WALK WALK"),
    ("run twice", "RUN RUN"),
    ("run and walk", "RUN WALK"),
    ("walk and walk twice", "WALK WALK WALK"),
]
EXAMPLES = tuple(Example(tuple(s.split()), tuple(t.split()), index=i) for i, (s, t) in enumerate(PAIRS))

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {"output": "write"},
    "copy": {"output": "copy"},
    "paper": {"layers": 2},
    "tanh": {"lstm": {"features": "tanh", "bidirectional": True}},
    "positions": {"gate": "copy_token", "lstm": {"features": "tanh", "positions": True}},
    "residual": {"embedding": 8, "lstm": {"residual": True, "bidirectional": True}},
    "fed": {"lstm": {"input_feeding": True}},
    "as_published": {
        "gate": "copy_token",
        "layers": 2,
        "lstm": {"features": "linear_with_input", "input_feeding": True},
    },
    "transformer": {
        "backbone": "transformer",
        "embedding": 8,
        "layers": 2,
        "transformer": {"heads": 2, "feedforward": 12},
    },
    "transformer_copy": {
        "backbone": "transformer",
        "embedding": 8,
        "output": "copy",
        "gate": "copy_token",
        "transformer": {"heads": 2},
    },
    "syntactic_attention": {"backbone": "syntactic_attention", "output": "write"},
    "syntax_action": {
        "backbone": "syntactic_attention",
        "layers": 2,
        "syntactic_attention": {"syntax_action": True},
    },
}


def small_config(
    model: dict[str, Any] | None = None,
    fast_mapping: dict[str, Any] | None = None,
    lexicon: dict[str, Any] | None = None,
) -> Config:
    """Tables of settings, as a file would have them, over a tiny network."""
    tiny = {"hidden": 8, "embedding": 6, "layers": 1, "dropout": 0.0}
    return Config(
        model=build(ModelConfig, merge(tiny, model or {}), "model."),
        fast_mapping=FastMappingConfig(**(fast_mapping or {})),
        lexicon=LexiconConfig(**(lexicon or {})),
    )


def small_model(config: Config) -> tuple[Seq2Seq, Knowledge]:
    torch.manual_seed(0)
    knowledge = Knowledge.learn(EXAMPLES, config)
    return build_model(config, knowledge).eval(), knowledge


def batch_of(knowledge: Knowledge, examples: tuple[Example, ...] = EXAMPLES) -> Batch:
    return make_batch(encode(examples, knowledge.source_vocab, knowledge.target_vocab))


@pytest.fixture(params=VARIANTS)
def variant(request: pytest.FixtureRequest) -> Config:
    return small_config(VARIANTS[request.param])


ModelMaker = Callable[[Config], tuple[Seq2Seq, Knowledge]]
