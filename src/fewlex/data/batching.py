"""Batches consist of examples of similar length, so that little is computed for padding."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

Lengths = tuple[int, int]  # The lengths of the source and of the target, in tokens.


def bucketed_batches(
    lengths: Sequence[Lengths],
    max_examples: int,
    max_tokens: int | None,
    rng: random.Random | None = None,
    *,
    equal_sources: bool = False,
) -> list[list[int]]:
    """Every index once, in batches of at most `max_examples` examples and `max_tokens` target tokens with padding.

    With a generator the batches differ from call to call; without one they run from short to long. None sets no limit
    to the tokens, and an example that is longer than `max_tokens` gets a batch of its own. With `equal_sources` all
    sources of a batch have the same length, so that the encoder meets no padding.
    """
    order = _by_length(lengths, rng)
    if equal_sources:
        order.sort(key=lambda i: lengths[i][0])  # The sort is stable, so target lengths stay sorted.
    batches = list(_cut(order, lengths, max_examples, max_tokens, equal_sources))
    if rng is not None:
        rng.shuffle(batches)
    return batches


def _by_length(lengths: Sequence[Lengths], rng: random.Random | None) -> list[int]:
    """Indices sorted by target length, then by source length. A generator shuffles ties and blurs the target length."""
    order = list(range(len(lengths)))
    if rng is None:
        return sorted(order, key=lambda i: (lengths[i][1], lengths[i][0]))

    def blurred(index: int) -> tuple[int, int]:
        source_length, target_length = lengths[index]
        spread = 1 + target_length / 10
        return round(target_length + rng.uniform(-spread, spread)), source_length

    rng.shuffle(order)
    return sorted(order, key=blurred)


def _cut(
    order: Iterable[int],
    lengths: Sequence[Lengths],
    max_examples: int,
    max_tokens: int | None,
    equal_sources: bool,
) -> Iterator[list[int]]:
    batch: list[int] = []
    longest = 0
    for index in order:
        target_length = lengths[index][1]
        padded_tokens = (len(batch) + 1) * max(longest, target_length)
        too_wide = max_tokens is not None and padded_tokens > max_tokens
        is_other = equal_sources and bool(batch) and lengths[batch[0]][0] != lengths[index][0]
        if batch and (len(batch) == max_examples or too_wide or is_other):
            yield batch
            batch, longest = [], 0
        batch.append(index)
        longest = max(longest, target_length)
    if batch:
        yield batch
