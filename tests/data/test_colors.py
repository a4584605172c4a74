from __future__ import annotations

from statistics import mean

import pytest

from fewlex.data import load
from fewlex.data.colors import HUMAN_ACCURACY, PAPER_SIMPLE_ACCURACY

COLORS = {"dax": "RED", "lug": "BLUE", "wif": "GREEN", "zup": "YELLOW"}


def meaning(words: tuple[str, ...]) -> tuple[str, ...]:
    """The grammar of Lake et al. (2019): kiki binds loosest, then blicket, then fep."""
    if "kiki" in words:
        at = words.index("kiki")
        return meaning(words[at + 1 :]) + meaning(words[:at])
    if "blicket" in words:
        at = words.index("blicket")
        outer = meaning(words[:at])
        return outer + meaning(words[at + 1 :]) + outer
    if words[-1] == "fep":
        return meaning(words[:-1]) * 3
    return (COLORS[words[0]],)


def test_every_target_follows_from_the_grammar() -> None:
    corpus = load("colors")
    assert {split: len(examples) for split, examples in corpus.splits.items()} == {"train": 14, "test": 10}
    for example in corpus["train"] + corpus["test"]:
        assert example.target == meaning(example.source)


@pytest.mark.parametrize(("accuracy", "average"), [(HUMAN_ACCURACY, 0.81), (PAPER_SIMPLE_ACCURACY, 0.79)])
def test_accuracies_are_of_the_test_examples_and_average_as_the_paper_says(
    accuracy: dict[str, float], average: float
) -> None:
    assert list(accuracy) == [" ".join(example.source) for example in load("colors")["test"]]
    assert round(mean(accuracy.values()), 2) == average
