"""A network that learns nested targets and is judged by the published ones, from training to the command line."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

import fewlex
from fewlex.cli import app
from fewlex.data.codec import Pointed
from fewlex.data.cogs_nested import NESTED
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.decoding import Hypothesis
from fewlex.errors import ConfigError
from fewlex.evaluation import evaluate
from fewlex.network import pointed
from fewlex.translator import Translator

NOUNS, NAMES = ("cat", "dog", "frog"), ("Emma", "Liam")
PHRASES = [
    (f"{article} {noun}", f"{marker} {noun}")
    for noun in NOUNS
    for article, marker in (("a", "a"), ("the", "*"))
]
PHRASES += [(name, name) for name in NAMES]


def sentence(subject: tuple[str, str], verb: tuple[str, str], thing: tuple[str, str]) -> Example:
    """*the cat saw a dog*; its tree, and from that the published form."""
    source = tuple(f"{subject[0]} {verb[0]} {thing[0]}".split())
    tree = tuple(f"{verb[1]} ( agent = {subject[1]} , theme = {thing[1]}".split())
    first, second = len(subject[0].split()) - 1, len(source) - 1
    at = [first + 1] + [first] * (3 + len(subject[1].split())) + [second] * (3 + len(thing[1].split()))
    return Example(source, NESTED.decode(Pointed(tree, tuple(at))), "transitive")


EXAMPLES = tuple(sentence(*parts) for parts in product(PHRASES, [("saw", "see"), ("ate", "eat")], PHRASES))
CORPUS = Corpus("sentences", {"train": EXAMPLES[::2], "test": EXAMPLES[1::2]})


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    small = [
        "model.hidden=48",
        "model.embedding=48",
        "training.batch_examples=8",
        "training.learning_rate=4e-3",
        "training.epochs=15",
        "lexicon.parameters.max_competitors=8",
        "fast_mapping.probability=0.3",
        "fast_mapping.policy=word",
        "fast_mapping.classes=target",
    ]
    config = fewlex.build_config("fast+nested", "cogs", settings=[*small, "data.validation_share=0"])
    return fewlex.train(CORPUS, config, tmp_path_factory.mktemp("runs") / "nested").path


def test_what_is_learned_is_nested_and_what_is_scored_is_published(run: Path) -> None:
    translator = Translator.load(run)
    assert "theme" in translator.knowledge.target_vocab
    assert "AND" not in translator.knowledge.target_vocab
    (best,) = translator.translate_lines(["the cat saw a dog"])[0]
    assert " ".join(best.tokens) == "see ( agent = * cat , theme = a dog"
    assert best.text == " ".join(best.published)
    assert best.text == (
        "* cat ( x _ 1 ) ; see . agent ( x _ 2 , x _ 1 ) AND see . theme ( x _ 2 , x _ 4 ) AND dog ( x _ 4 )"
    )
    scores = evaluate(translator, CORPUS["test"])
    assert scores.exact_match >= 0.9
    assert scores.hits.count("1") == round(scores.exact_match * len(CORPUS["test"]))


def test_a_taught_word_points_at_its_place(run: Path) -> None:
    translator = Translator.load(run)
    translator.teach("blicket", "blicket", like="dog")
    assert "blicket ( x _ 4 )" in translator.translate("the cat saw a blicket")
    translator.teach("green blicket", "greenling", like="dog")
    text = translator.translate("the cat saw a green blicket")
    assert "greenling ( x _ 4 )" in text, "the first token of a term of two"


def test_scores_of_given_outputs_are_those_of_their_trees(run: Path) -> None:
    translator = Translator.load(run)
    (row,) = translator.score(CORPUS["test"][:1])
    tree = NESTED.encode(CORPUS["test"][0].target).tokens
    assert translator.knowledge.form.in_notation(CORPUS["test"][0].target) == tree
    assert len(row) == len(tree) + 1


def test_the_command_line_shows_published_forms_and_explains_emitted_tokens(
    run: Path, tmp_path: Path
) -> None:
    lines = "".join(f"{' '.join(e.source)}\t{' '.join(e.target)}\n" for e in CORPUS["test"])
    (tmp_path / "own.tsv").write_text(lines)
    invoke = CliRunner().invoke
    explained = invoke(app, ["translate", str(run), "--explain"], input="Emma saw Liam\n").stdout.splitlines()
    assert explained[0] == "see . agent ( x _ 1 , Emma ) AND see . theme ( x _ 1 , Liam )"
    emitted = " ".join(line.split()[0] for line in explained[1:])
    assert emitted == "see ( agent = Emma , theme = Liam"
    told = json.loads(invoke(app, ["evaluate", str(run), str(tmp_path / "own.tsv"), "--json"]).stdout)
    assert told["exact_match"] >= 0.9
    assert len(told["hits"]) == len(CORPUS["test"])
    shown = invoke(
        app, ["evaluate", str(run), str(tmp_path / "own.tsv"), "--plot", str(tmp_path / "bars.png")]
    )
    assert shown.stdout.startswith(f"{tmp_path}/own.tsv, own: ")
    assert (tmp_path / "bars.png").read_bytes().startswith(b"\x89PNG")


def test_a_data_set_without_the_notation(tmp_path: Path) -> None:
    config = fewlex.build_config("fast", "colors", settings=["data.notation=nested"])
    with pytest.raises(ConfigError, match=r"data\.notation: colors has no notation 'nested'\. Known: flat"):
        fewlex.train(fewlex.load("colors"), config, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def hypothesis(attention: list[list[float]]) -> Hypothesis:
    """Steps that looked at the source like this; boundaries got nothing."""
    looked = torch.tensor([[0.0, *row, 0.0] for row in attention])
    return Hypothesis(tuple(range(len(attention) - 1)), 0.0, looked, looked[:, 0], looked[:, 0], looked[:, 0])


def test_a_token_points_at_the_most_attended_word_that_translates_to_it() -> None:
    source = ("a", "cat", "saw", "a", "cat")
    rows = {"cat": {"cat": 1.0}, "saw": {"see": 1.0}}
    looks = [[0.1, 0.3, 0.4, 0.0, 0.2], [0.1, 0.1, 0.4, 0.2, 0.2], [0.0, 0.0, 0.2, 0.5, 0.3], [0.2] * 5]
    output = pointed(hypothesis(looks), ("cat", "cat", "theme"), source, rows)
    assert output == Pointed(("cat", "cat", "theme"), (1, 4, 3))


def test_terms_and_words_of_several_tokens() -> None:
    source = ("New York", "saw", "ice cream")
    rows = {"ice cream": {"ice cream": 1.0}, "New York": {"NY": 1.0}}
    looks = [[0.5, 0.3, 0.2], [0.6, 0.2, 0.2], [0.6, 0.2, 0.2]]
    output = pointed(hypothesis(looks), ("ice cream", "NY"), source, rows)
    assert output == Pointed(("ice", "cream", "NY"), (3, 3, 0))


def test_nothing_to_point_at() -> None:
    assert pointed(hypothesis([[], []]), ("cat",), (), {}) == Pointed(("cat",), (None,))
