from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.batching import bucketed_batches

LENGTHS = st.lists(st.tuples(st.integers(1, 30), st.integers(1, 60)), max_size=80)
GENERATORS = st.none() | st.integers(0, 99).map(random.Random)


@given(LENGTHS, st.integers(1, 20), st.none() | st.integers(1, 200), GENERATORS)
def test_every_index_once_and_within_the_limits(
    lengths: list[tuple[int, int]], max_examples: int, max_tokens: int | None, rng: random.Random | None
) -> None:
    batches = bucketed_batches(lengths, max_examples, max_tokens, rng)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        assert 1 <= len(batch) <= max_examples
        padded_tokens = len(batch) * max(lengths[index][1] for index in batch)
        assert max_tokens is None or padded_tokens <= max_tokens or len(batch) == 1


def test_without_generator_batches_run_from_short_to_long() -> None:
    lengths = [(5, 9), (2, 3), (1, 3), (4, 8)]
    assert bucketed_batches(lengths, max_examples=2, max_tokens=None) == [[2, 1], [3, 0]]


def test_padding_counts_against_the_token_limit() -> None:
    assert bucketed_batches([(1, 2), (1, 2), (1, 5)], max_examples=9, max_tokens=14) == [[0, 1], [2]]


def test_the_same_seed_gives_the_same_batches_and_the_next_epoch_gives_others() -> None:
    lengths = [(3, n % 7 + 1) for n in range(60)]
    rng = random.Random(1)
    first, second = (bucketed_batches(lengths, 5, None, rng) for _ in range(2))
    assert first == bucketed_batches(lengths, 5, None, random.Random(1))
    assert {frozenset(batch) for batch in first} != {frozenset(batch) for batch in second}


def test_shuffled_batches_stay_tight() -> None:
    rng = random.Random(0)
    lengths = [(1, rng.randint(1, 50)) for _ in range(1000)]
    batches = bucketed_batches(lengths, 20, None, rng)
    padded = sum(len(batch) * max(lengths[i][1] for i in batch) for batch in batches)
    assert padded < 1.25 * sum(target for _, target in lengths)


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 9)), min_size=1), st.integers(1, 5))
def test_equal_sources_have_one_length_in_each_batch(lengths: list[tuple[int, int]], most: int) -> None:
    batches = bucketed_batches(lengths, most, None, random.Random(0), equal_sources=True)
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    assert all(len({lengths[i][0] for i in batch}) == 1 and len(batch) <= most for batch in batches)
