from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.errors import DataError
from fewlex.lexicon.alignment.links import HEURISTICS, Links, format_pharaoh, parse_pharaoh, symmetrize

links = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)
sentences = st.lists(st.tuples(links, links), min_size=1, max_size=4)


def packed(sides: list[set[tuple[int, int]]]) -> Links:
    rows = [(s, i, j) for s, side in enumerate(sides) for i, j in side]
    return Links(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)


#   0 1 2 3 (target)
# 0 B . . .     B both directions
# 1 . F . .     F forward only: next to B, reaches free words
# 2 . . . R     R reverse only: apart from all, both words free
# 3 . . . F     F: only its source word is free, once R is in
FORWARD = {(0, 0), (1, 1), (3, 3)}
REVERSE = {(0, 0), (2, 3)}


@pytest.mark.parametrize(
    ("heuristic", "expected"),
    [
        ("intersect", {(0, 0)}),
        ("union", {(0, 0), (1, 1), (2, 3), (3, 3)}),
        ("grow-diag", {(0, 0), (1, 1)}),
        ("grow-diag-final", {(0, 0), (1, 1), (3, 3), (2, 3)}),
        ("grow-diag-final-and", {(0, 0), (1, 1), (3, 3)}),
        ("forward", FORWARD),
        ("reverse", REVERSE),
    ],
)
def test_by_hand(heuristic: str, expected: set[tuple[int, int]]) -> None:
    assert HEURISTICS[heuristic](FORWARD, REVERSE) == expected


@given(links, links)
def test_each_heuristic_holds_the_stricter_ones(
    forward: set[tuple[int, int]], reverse: set[tuple[int, int]]
) -> None:
    for final in ("grow-diag-final-and", "grow-diag-final"):
        chain = ["intersect", "grow-diag", final, "union"]
        for fewer, more in pairwise(HEURISTICS[name](forward, reverse) for name in chain):
            assert fewer <= more


@pytest.mark.parametrize("heuristic", HEURISTICS)
@given(sentences)
def test_many_sentences_at_once(
    heuristic: str, both: list[tuple[set[tuple[int, int]], set[tuple[int, int]]]]
) -> None:
    forward, reverse = (packed([sides[k] for sides in both]) for k in (0, 1))
    result = list(symmetrize(forward, reverse, heuristic).by_sentence(len(both)))
    assert result == [sorted(HEURISTICS[heuristic](*sides)) for sides in both]


def test_pharaoh() -> None:
    assert format_pharaoh([(0, 0), (1, 12)]) == "0-0 1-12"
    assert parse_pharaoh("0-0 1-12 2?3 4p5") == ({(0, 0), (1, 12)}, {(0, 0), (1, 12), (2, 3), (4, 5)})
    assert parse_pharaoh("") == (set(), set())


@pytest.mark.parametrize("word", ["0", "0-", "-1", "a-b", "0--1", "0-1-2", "1.5-2"])
def test_links_that_are_none(word: str) -> None:
    with pytest.raises(DataError, match=r"gold:7: '.*' is not a link"):
        parse_pharaoh(f"0-0 {word}", "gold", 7)
