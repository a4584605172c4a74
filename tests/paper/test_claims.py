"""The paper's claims, and those of docs/fast_mapping.md, in a form small enough for CI. All of these train."""

from __future__ import annotations

from pathlib import Path

import pytest

import fewlex
from fewlex.data import scan
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.evaluation import evaluate
from fewlex.translator import Translator

pytestmark = pytest.mark.slow

PLAIN = ["model.output=write", "fast_mapping.probability=0"]


def accuracy(corpus: Corpus, run: Path, seed: int = 0, settings: tuple[str, ...] | list[str] = ()) -> float:
    config = fewlex.build_config("fast", corpus.name, settings=settings, seed=seed)
    fewlex.train(corpus, config, run)
    return evaluate(Translator.load(run), corpus["test"]).exact_match


@pytest.mark.parametrize("seed", range(5))
def test_colors_with_the_simple_lexicon(tmp_path: Path, seed: int) -> None:
    """Table 2: 0.79; at least 8 of the 10 test examples with any seed."""
    assert accuracy(fewlex.load("colors"), tmp_path / "run", seed) >= 0.8


def test_colors_without_a_lexicon(tmp_path: Path) -> None:
    """Table 2: 0.00. One example by luck is allowed."""
    assert accuracy(fewlex.load("colors"), tmp_path / "run", settings=PLAIN) <= 0.1


@pytest.fixture(scope="module")
def short_commands() -> tuple[Example, ...]:
    """The SCAN commands of one clause, and those of two in which one is a single word."""
    everything = [e for split in scan.splits("simple").values() for e in split]
    return tuple(e for e in everything if len(e.source) <= 6 and len(e.target) <= 12)


SHORT = ("training.epochs=14", "data.validation_share=0")


def test_a_word_in_no_training_sentence_is_taught(
    tmp_path: Path, short_commands: tuple[Example, ...]
) -> None:
    """docs/fast_mapping.md: *jump* is in no training sentence, and neither is I_JUMP in any vocabulary."""
    train = tuple(e for e in short_commands if "jump" not in e.source)
    test = tuple(e for e in short_commands if "jump" in e.source)
    config = fewlex.build_config("fast", "scan:jump", settings=SHORT)
    run = fewlex.train(Corpus("scan:jump", {"train": train}), config, tmp_path / "run")
    translator = Translator.load(run.path)
    assert evaluate(translator, test).exact_match == 0.0
    translator.teach("jump", "I_JUMP")
    assert evaluate(translator, test).exact_match >= 0.95


def test_one_example_of_jump(tmp_path: Path, short_commands: tuple[Example, ...]) -> None:
    """Table 2, jump, on short commands: the lexicon with fast mapping against the plain network."""
    primitive = tuple(e for e in short_commands if e.source == ("jump",))
    train = tuple(e for e in short_commands if "jump" not in e.source) + primitive * 100
    test = tuple(e for e in short_commands if "jump" in e.source and len(e.source) > 1)
    corpus = Corpus("scan:jump", {"train": train, "test": test})
    assert accuracy(corpus, tmp_path / "lexical", settings=SHORT) >= 0.95
    assert accuracy(corpus, tmp_path / "plain", settings=[*SHORT, *PLAIN]) <= 0.1
