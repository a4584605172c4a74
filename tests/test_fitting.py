"""Python for people: plain strings, tuples, frames and paths in, a translator and plain strings out."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest

import fewlex
from fewlex import Example, Lexicon
from fewlex.data.own import corpus_of, texts_of
from fewlex.errors import DataError, LexiconError

COLORS = [(" ".join(e.source), " ".join(e.target)) for e in fewlex.load("colors")["train"]]
NEW = ["zup fep", "zup blicket wif kiki dax fep"]
RIGHT = ["YELLOW YELLOW YELLOW", "RED RED RED YELLOW GREEN YELLOW"]


@pytest.fixture(scope="module")
def translator() -> fewlex.Translator:
    return fewlex.fit(COLORS)


def test_from_pairs_to_outputs(translator: fewlex.Translator) -> None:
    assert translator.predict(NEW) == RIGHT
    assert translator.translate(NEW) == RIGHT
    assert translator.translate(NEW[0]) == RIGHT[0]


def test_a_frame_a_path_and_a_corpus_do_as_well(tmp_path: Path) -> None:
    frame = pandas.DataFrame(COLORS, columns=["says", "means"])
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{source}\t{target}\n" for source, target in COLORS))
    expected = corpus_of(COLORS)["train"]
    assert corpus_of(frame)["train"] == expected
    assert corpus_of(frame.rename(columns={"says": "target", "means": "source"}))["train"][0].source == (
        expected[0].target
    )
    assert [e.source for e in corpus_of(path)["train"]] == [e.source for e in expected]
    assert texts_of(pandas.DataFrame({"id": [1, 2], "source": NEW})) == NEW
    assert texts_of(pandas.Series(NEW)) == NEW
    (tmp_path / "lines.txt").write_text("\n".join(NEW))
    assert texts_of(tmp_path / "lines.txt") == NEW
    assert fewlex.fit(fewlex.load("colors"), tmp_path / "run").predict(NEW) == RIGHT
    assert fewlex.Run.open(tmp_path / "run").is_finished


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (["a b", "c d"], "pair 1 is 'a b'"),
        ([("a", "b", "c")], "not two texts"),
        ([("a", "b"), ("c", " ")], "pair 2"),
        ([("a", 1)], "not two texts"),
        ([], "no pairs"),
        (7, "a int is no training data"),
        (pandas.DataFrame({"only": ["a"]}), "one column"),
    ],
)
def test_what_is_no_pair_is_told(data: object, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        corpus_of(data)


def test_texts_are_a_list(translator: fewlex.Translator) -> None:
    with pytest.raises(DataError, match="give a list of texts"):
        translator.predict("zup fep")
    with pytest.raises(DataError, match="text 2 is 7"):
        translator.predict(["dax", 7])


def test_a_text_is_split_on_white_space() -> None:
    assert Example("a b", "A B") == Example(("a", "b"), ("A", "B"))  # type: ignore[arg-type]
    assert Example.of("a b", "A B") == Example(("a", "b"), ("A", "B"))


def test_a_lexicon_is_learned_from_pairs_of_texts() -> None:
    lexicon = fewlex.learn_lexicon(COLORS)  # type: ignore[arg-type]
    assert list(lexicon.row("dax")) == ["RED"]
    with pytest.raises(LexiconError, match="'dax fep' is no example"):
        fewlex.learn_lexicon(["dax fep"])  # type: ignore[list-item]


def test_a_dictionary_is_a_glossary(translator: fewlex.Translator) -> None:
    helped = translator.with_glossary({"blork": "PURPLE", "dax": "CRIMSON"})
    assert helped.translate(["blork fep", "dax fep"]) == ["PURPLE PURPLE PURPLE", "CRIMSON CRIMSON CRIMSON"]
    assert translator.translate("dax fep") == "RED RED RED"
    assert isinstance(helped.lexicon, Lexicon)
