from __future__ import annotations

from pathlib import Path

import pytest

from fewlex.data import Corpus, Example, load
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


@pytest.mark.parametrize(
    ("examples", "share", "taken"),
    [
        (40, 0.01, 4),
        (800, 0.01, 50),
        (40, 0.2, 8),
        (5, 0.01, 0),
        (5, 0.99, 4),
        (1, 0.5, 0),
        (20_000, 0.01, 200),
    ],
)
def test_validation_has_a_sensible_size(examples: int, share: float, taken: int) -> None:
    """Forty examples used to be an error, and of 800 only eight were taken."""
    parted = corpus(examples).with_validation(share, seed=0)
    assert len(parted.splits.get("validation", ())) == taken
    assert len(parted["train"]) == examples - taken


def test_a_single_file_goes_by_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "exam.tsv"
    path.write_text("dax\tRED\n")
    assert load(path).called("train") == "exam"
    assert load("colors").called("test") == "test"
