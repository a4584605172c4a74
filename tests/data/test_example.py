from __future__ import annotations

import pytest

from fewlex.data import Corpus, Example
from fewlex.errors import DataError


def corpus(size: int, **others: tuple[Example, ...]) -> Corpus:
    train = tuple(Example((f"w{i}",), ("X",), index=i) for i in range(size))
    return Corpus("toy", {"train": train, **others})


def test_unknown_split_is_named() -> None:
    with pytest.raises(DataError, match=r"toy has no split 'tran'\. Did you mean 'train'\?"):
        corpus(3)["tran"]


def test_validation_is_a_seeded_part_of_train() -> None:
    whole = corpus(100)
    parted = whole.with_validation(0.1, seed=3)
    assert len(parted["validation"]) == 10
    assert set(parted["train"]) | set(parted["validation"]) == set(whole["train"])
    assert not set(parted["train"]) & set(parted["validation"])
    assert parted == whole.with_validation(0.1, seed=3)
    assert parted != whole.with_validation(0.1, seed=4)


def test_a_corpus_keeps_the_validation_split_that_it_brings() -> None:
    own = corpus(10, validation=(Example(("v",), ("Y",)),))
    assert own.with_validation(0.5, seed=0) is own


def test_a_share_of_zero_takes_nothing() -> None:
    assert "validation" not in corpus(10).with_validation(0, seed=0).splits


@pytest.mark.parametrize("share", [0.01, 0.99])
def test_a_share_that_leaves_a_part_empty_is_an_error(share: float) -> None:
    with pytest.raises(DataError, match=r"validation share of .* of 5 training examples"):
        corpus(5).with_validation(share, seed=0)
