from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.example import Example
from fewlex.lexicon import counts as counts_module
from fewlex.lexicon.counts import Counts
from tests.lexicon.conftest import Pairs

sentences = st.lists(st.sampled_from("abcdefg"), max_size=6).map(tuple)
corpora = st.lists(st.builds(Example, sentences, sentences), max_size=30)


def by_pair(counts: Counts) -> dict[tuple[str, str], int]:
    columns = (counts.pair_source.tolist(), counts.pair_target.tolist(), counts.cooccurrence.tolist())
    return {(counts.source_words[v], counts.target_words[w]): n for v, w, n in zip(*columns, strict=True)}


@given(corpora)
def test_counts_equal_a_plain_count(examples: list[Example]) -> None:
    counts = Counts.from_examples(iter(examples))

    assert by_pair(counts) == Counter((v, w) for e in examples for v in set(e.source) for w in set(e.target))
    sources = Counter(v for e in examples for v in set(e.source))
    targets = Counter(w for e in examples for w in set(e.target))
    assert dict(zip(counts.source_words, counts.source_count.tolist(), strict=True)) == sources
    assert dict(zip(counts.target_words, counts.target_count.tolist(), strict=True)) == targets
    assert counts.sentences == len(examples)


@pytest.mark.parametrize("chunk", [1, 7, 50])
def test_chunks_do_not_change_the_counts(
    colors: list[Example], monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    whole = Counts.from_examples(colors)
    monkeypatch.setattr(counts_module, "CHUNK_PAIRS", chunk)
    chunked = Counts.from_examples(colors)

    assert by_pair(chunked) == by_pair(whole)
    assert list(by_pair(chunked)) == list(by_pair(whole))
    assert chunked.source_count.tolist() == whole.source_count.tolist()


def test_words_are_numbered_by_first_appearance(colors: list[Example]) -> None:
    counts = Counts.from_examples(colors)
    assert counts.source_words == ("dax", "lug", "wif", "zup", "fep", "blicket", "kiki")
    assert counts.target_words == ("RED", "BLUE", "GREEN", "YELLOW")


def test_dice_is_kept_with_each_line(pairs: Pairs) -> None:
    counts = Counts.from_examples(pairs("a b | X\na | X\na | Y"))
    everything, weights = counts.cooccurrence > 0, counts.cooccurrence.astype(float)
    dice = {(v, w): entry.dice for v, w, entry in counts.lines(everything, weights, "test")}
    assert dice[("a", "X")] == pytest.approx(2 * 2 / (3 + 2))
    assert dice[("b", "X")] == pytest.approx(2 * 1 / (1 + 2))
