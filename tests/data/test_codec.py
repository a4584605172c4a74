"""Notations as the rest of the library meets them."""

from __future__ import annotations

import pytest

from fewlex.data import DATASETS, Corpus, Example, find_notation
from fewlex.data.codec import Codec, Pointed, published_form
from fewlex.data.registry import NOTATIONS
from fewlex.errors import ConfigError, NotationError

BACKWARDS = Codec(
    encode=lambda target: Pointed(target[::-1], (None,) * len(target)),
    decode=lambda output: output.tokens[::-1],
)


def test_a_corpus_in_another_notation_differs_in_its_targets_alone() -> None:
    corpus = Corpus("own", {"train": (Example(("a", "b"), ("A", "B"), "easy", 7),)}, "moses", "jieba")
    other = corpus.in_notation(BACKWARDS)
    assert other == Corpus("own", {"train": (Example(("a", "b"), ("B", "A"), "easy", 7),)}, "moses", "jieba")
    assert other.in_notation(BACKWARDS) == corpus


def test_a_target_that_cannot_be_encoded_is_named() -> None:
    good, bad = Example(("cat",), ("Emma",)), Example(("cat",), ("Emma", "Liam"))
    corpus = Corpus("own", {"train": (good, bad)})
    with pytest.raises(NotationError, match=r"own, split 'train', example 2: .* Set data\.notation=flat"):
        corpus.in_notation(NOTATIONS["nested"])


def test_notations_by_name() -> None:
    assert find_notation("flat", "cogs") is None
    assert find_notation("flat") is None
    assert find_notation("nested", "cogs") is find_notation("nested") is NOTATIONS["nested"]
    assert find_notation("compact", "own/cogs.tsv") is NOTATIONS["compact"], "one's own data may be like COGS"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("nestd", "cogs", "cogs has no notation 'nestd'. Did you mean 'nested'"),
        ("nested", "scan:jump", "scan:jump has no notation 'nested'. Known: flat."),
        ("tree", "", "there is no notation 'tree'. Known: compact, flat, nested."),
    ],
)
def test_unknown_notations(name: str, data: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        find_notation(name, data)


def test_a_notation_has_one_name_and_a_name_one_notation() -> None:
    assert len(NOTATIONS) == sum(len(dataset.notations) for dataset in DATASETS.values())
    assert "flat" not in NOTATIONS


def test_an_output_that_is_not_in_the_notation_stays_as_it_is() -> None:
    output = Pointed(("no", "("), (0, 1))
    assert published_form(NOTATIONS["nested"], output) == ("no", "(")
