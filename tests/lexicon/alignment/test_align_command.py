"""`fewlex align` and `fewlex lexicon score`, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.errors import ConfigError, DataError, LexiconError

CORPUS = "the house ||| das Haus\nthe book ||| das Buch\na book ||| ein Buch\n"


def run(*arguments: object, stdin: str = "") -> list[str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(CORPUS)
    return path


def test_align_stands_in_the_place_of_fast_align(corpus: Path) -> None:
    assert run("align", "-i", corpus, "-d", "-o", "-v") == ["0-0 1-1"] * 3
    assert run("align", corpus, "-dovr") == ["0-0 1-1"] * 3
    assert run("align", corpus, "-N", "-I", "8", "--symmetrize", "intersect") == ["0-0 1-1"] * 3
    assert run("align", "-d", stdin=CORPUS) == ["0-0 1-1"] * 3


def test_align_with_kept_parameters(corpus: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.safetensors"
    run("align", corpus, "-d", "--symmetrize", "intersect", "--save", kept)
    new = "book the ||| Buch das\n"
    assert run("align", "--load", kept, "--symmetrize", "intersect", stdin=new) == ["0-0 1-1"]


def test_mistakes_are_named(corpus: Path) -> None:
    with pytest.raises(ConfigError, match="one direction"):
        run("align", corpus, "-r", "--symmetrize", "union")
    with pytest.raises(LexiconError, match="grow-diag"):
        run("align", corpus, "--symmetrize", "grow-dig")
    with pytest.raises(DataError, match=":2: the target is empty"):
        run("align", stdin="a ||| b\na ||| \n")
    with pytest.raises(ConfigError, match="no backend"):
        run("align", corpus, "--backend", "spark")


def test_learn_with_settings_and_score(corpus: Path, tmp_path: Path) -> None:
    lexicon, gold = tmp_path / "lexicon.json", tmp_path / "gold.txt"
    run("lexicon", "learn", corpus, "--method", "ibm2", "--set", "favor_diagonal=true", "--out", lexicon)
    gold.write_text("0-0 1-1\n" * 3)
    scores = json.loads("".join(run("lexicon", "score", lexicon, "--gold", gold, "--data", corpus, "--json")))
    assert scores == {"precision": 1.0, "recall": 1.0, "aer": 0.0, "links": 6, "sure": 6}
    assert run("lexicon", "score", lexicon, "--gold", gold, "--data", corpus)[-1].split() == ["AER", "0.0000"]
    assert json.loads("".join(run("lexicon", "score", lexicon, "--gold", lexicon, "--json")))["aer"] == 0
