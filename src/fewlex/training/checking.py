"""A trained model's answers to the validation examples, from which its confidence is learned."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from fewlex.confidence import Confidence, fit_confidence
from fewlex.config import Config
from fewlex.data.example import Example
from fewlex.decoding import decode_all
from fewlex.knowledge import Knowledge
from fewlex.model.batch import encode
from fewlex.model.committee import Committee
from fewlex.model.seq2seq import Seq2Seq

MAX_CHECKED = 1000
"""So many validation examples are enough for a curve of two parameters."""


@torch.inference_mode()
def learn_confidence(
    model: Seq2Seq | Committee,
    config: Config,
    knowledge: Knowledge,
    validation: Sequence[Example],
    device: torch.device,
) -> Confidence | None:
    """How sure the model's answers are, by the validation examples; None if these are too few."""
    model.eval()
    examples = encode(validation[:MAX_CHECKED], knowledge.source_vocab, knowledge.target_vocab)
    longest = knowledge.max_output_length(config.decoding)
    outputs = decode_all(model, [e.source for e in examples], config.decoding, longest, device)
    best = [hypotheses[0] for hypotheses in outputs]
    hits = [list(found.ids) == e.target for found, e in zip(best, examples, strict=True)]
    return fit_confidence([found.log_prob for found in best], hits)
