"""How far a trained network should trust its memory: as far as that makes its validation outputs better.

The temperature is the one that makes the validation targets most likely. The share cannot be found in that way: a
memory is sure even where it is wrong, which costs much likelihood and few words. So a few shares are tried by
translating.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from fewlex.bleu import corpus_bleu, token_f1
from fewlex.model.batch import Encoded, make_batch
from fewlex.model.memory import Memory, Trust
from fewlex.model.seq2seq import Seq2Seq

MAX_CHECKED = 200
"""So many validation examples are enough for two parameters."""
BATCH = 64
SHARES = (0.3, 0.5, 0.7)
HALVINGS = range(-1, 7)
"""The temperatures that are tried are the mean squared distance, halved this many times."""

Translate = Callable[[Sequence[Encoded]], list[list[int]]]
"""What gives the best outputs of the network for some examples."""


class Checked:
    """What network and memory say of every token of the validation targets."""

    def __init__(self) -> None:
        self.written: list[Float[Tensor, " tokens"]] = []
        """What the network alone gives to the right token."""
        self.distance: list[Float[Tensor, "tokens neighbours"]] = []
        self.is_right: list[Bool[Tensor, "tokens neighbours"]] = []
        """Whether the right token followed at that place."""

    def add(self, model: Seq2Seq, memory: Memory, examples: Sequence[Encoded]) -> None:
        device = next(model.parameters()).device
        batch = make_batch(examples).to(device)
        probs, (features, _) = model.log_probs(batch).exp(), model.features(batch)
        places = memory.places(batch.source, model.features)
        for position in range(batch.target.shape[1]):
            for rows, near, tokens in places.nearest(features[:, position]):
                gold = batch.target[rows, position]
                real = gold > 0
                missing = memory.config.neighbours - near.shape[1]  # of sources that are like few sentences
                self.written.append(probs[rows, position][real])
                self.distance.append(_padded(near, missing, float("inf"))[real])
                self.is_right.append(_padded(tokens == gold[:, None], missing, False)[real])

    def temperature(self, share: float) -> float | None:
        """The temperature at which the targets are most likely; None if the memory has nothing like them."""
        if not self.written:
            return None
        written, distance, is_right = map(torch.cat, (self.written, self.distance, self.is_right))
        mean = float(distance[distance.isfinite()].mean()) or 1.0

        def likelihood(temperature: float) -> float:
            recalled = ((-distance / temperature).softmax(-1) * is_right).sum(-1)
            mixed = torch.lerp(written, recalled, share)
            return float(mixed.clamp_min(torch.finfo(mixed.dtype).tiny).log().mean())

        return max((mean * 0.5**halvings for halvings in HALVINGS), key=likelihood)


@torch.inference_mode()
def learn_trust(
    model: Seq2Seq, memory: Memory, validation: Sequence[Encoded], translate: Translate
) -> Trust | None:
    """The trust in a memory that suits validation examples best; None if they are better off without it.

    The model is left with the memory as it is trusted, or without one.
    """
    model.eval()
    checked = Checked()
    chosen = sorted(validation[:MAX_CHECKED], key=lambda example: len(example.source))
    for first in range(0, len(chosen), BATCH):
        checked.add(model, memory, chosen[first : first + BATCH])
    temperatures = {share: checked.temperature(share) for share in SHARES}
    trials = [Trust(share, found) for share, found in temperatures.items() if found is not None]

    def quality(trust: Trust | None) -> tuple[float, float]:
        """BLEU and, where outputs are too short for it, the tokens that are right."""
        model.memory = None if trust is None else memory.trusted(trust)
        outputs = translate(chosen)
        pairs = list(zip(chosen, outputs, strict=True))
        bleu = corpus_bleu([[example.target] for example, _ in pairs], outputs)
        return bleu, fmean(token_f1(example.target, output) for example, output in pairs)

    best = max([None, *trials], key=quality) if trials else None
    model.memory = None if best is None else memory.trusted(best)
    return best


def _padded(values: Tensor, missing: int, value: float | bool) -> Tensor:
    return torch.nn.functional.pad(values, (0, missing), value=value) if missing else values
