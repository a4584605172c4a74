"""How far a trained network should trust its memory: a judge learns it from validation examples.

At each place of the validation targets, the judge sees the clues that it will have in a search, and says which part of
the probability is the memory's. It is taught to make the right token likely. Tokens that nothing makes likely must not
count much, though: a memory that is sure and wrong costs likelihood without end, and in a search no more than a word.
So a little is added to each probability before its logarithm is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import pad

from fewlex.bleu import corpus_bleu, token_f1
from fewlex.data.vocabulary import PAD
from fewlex.model.batch import Encoded, make_batch
from fewlex.model.memory import Memory
from fewlex.model.seq2seq import Seq2Seq
from fewlex.model.trust import CLUES, LEAST_DISTANCE, Trust, clues

MAX_CHECKED = 1200
"""So many validation examples are enough for a judge of eight units."""
MAX_TRANSLATED = 200
"""So many of them are translated to see whether the memory helps."""
BATCH = 64
STEPS = 300
RATE, DECAY = 0.03, 1e-4
FAR = 1e9
"""The squared distance of places that are not there. It is finite, so that gradients are."""
FORGIVEN = 0.03
"""This is added to each probability. Without it, a judge would be afraid of memories that are wrong."""

Translate = Callable[[Sequence[Encoded]], list[list[int]]]
"""What gives the best outputs of the network for some examples."""


class Lessons(NamedTuple):
    """What network and memory say at every place of the validation targets that is like a remembered one."""

    clues: Float[Tensor, "places clues"]
    written: Float[Tensor, " places"]
    """What the network alone gives to the right token."""
    distance: Float[Tensor, "places neighbours"]
    is_right: Bool[Tensor, "places neighbours"]
    """Whether the right token followed at that place."""


def collect(model: Seq2Seq, memory: Memory, examples: Sequence[Encoded]) -> Lessons:
    """The lessons that some examples give. `model` must have the memory, and not trust it."""
    device = next(model.parameters()).device
    found = [_no_lessons(memory.config.neighbours, device)]
    for first in range(0, len(examples), BATCH):
        batch = make_batch(examples[first : first + BATCH]).to(device)
        state = model.start(batch.source)
        for position in range(batch.target.shape[1]):
            step = model.step(state, batch.target_read[:, position])
            state, gold = step.state, batch.target[:, position]
            assert state.places is not None
            for rows, near, tokens in state.places.nearest(step.features):
                rows, near, tokens = (part[gold[rows] != PAD] for part in (rows, near, tokens))
                missing = memory.config.neighbours - near.shape[1]  # of sources that are like few sentences
                found.append(
                    Lessons(
                        clues(near, tokens, step.probs[rows]),
                        step.probs[rows, gold[rows]],
                        pad(near, (0, missing), value=FAR),
                        pad(tokens == gold[rows, None], (0, missing), value=False),
                    )
                )
    return Lessons(*map(torch.cat, zip(*found, strict=True)))


def _no_lessons(neighbours: int, device: torch.device) -> Lessons:
    seen, near = torch.zeros(0, CLUES, device=device), torch.zeros(0, neighbours, device=device)
    return Lessons(seen, seen.new_zeros(0), near, near.bool())


def teach_judge(lessons: Lessons) -> Trust:
    """The judge whose shares and temperatures make the right tokens of the lessons likely."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        trust = Trust(
            temperature=max(float(lessons.distance[lessons.distance < FAR].median()), LEAST_DISTANCE)
        )
    trust.to(lessons.clues.device)
    centre, spread = lessons.clues.mean(0), lessons.clues.std(0, correction=0) + 1e-3
    seen = (lessons.clues - centre) / spread
    optimizer = torch.optim.Adam(trust.parameters(), lr=RATE, weight_decay=DECAY)
    for _ in range(STEPS):
        share, temperature = trust(seen)
        recalled = ((-lessons.distance / temperature).softmax(-1) * lessons.is_right).sum(-1)
        mixed = torch.lerp(lessons.written, recalled, share[:, 0])
        optimizer.zero_grad()
        (-(mixed + FORGIVEN).log().mean()).backward()
        optimizer.step()
    with torch.no_grad():  # From now on it reads the clues as they are.
        trust.units.weight.div_(spread)
        trust.units.bias.sub_(trust.units.weight @ centre)
    return trust.requires_grad_(False)


def learn_trust(
    model: Seq2Seq, memory: Memory, validation: Sequence[Encoded], translate: Translate
) -> Trust | None:
    """The trust in a memory that suits validation examples best; None if they are better off without it.

    The model is left with the memory as it is trusted, or without one.
    """
    model.eval()
    model.memory = memory
    with torch.no_grad():
        chosen = sorted(validation[:MAX_CHECKED], key=lambda example: len(example.source))
        lessons = collect(model, memory, chosen)
    model.memory = None
    if not len(lessons.written):
        return None
    trust = teach_judge(lessons)
    checked = validation[:MAX_TRANSLATED]
    alone = _quality(checked, translate(checked))
    model.memory = memory.trusted(trust)
    if _quality(checked, translate(checked)) > alone:
        return trust
    model.memory = None
    return None


def _quality(examples: Sequence[Encoded], outputs: Sequence[list[int]]) -> tuple[float, float]:
    """BLEU and, where outputs are too short for it, the tokens that are right."""
    pairs = list(zip(examples, outputs, strict=True))
    bleu = corpus_bleu([[example.target] for example, _ in pairs], outputs)
    return bleu, fmean(token_f1(example.target, output) for example, output in pairs)
