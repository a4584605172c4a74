"""One dialect of tables for all commands: headers are recognised, and CSV is read as spreadsheets write it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fewlex.data import TextPair, load, read_pairs
from fewlex.errors import DataError
from fewlex.lexicon.glossary import read_glossary

PAIRS = [TextPair("lug fep", "BLUE BLUE"), TextPair("dax", "RED")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", "source\ttarget\nlug fep\tBLUE BLUE\ndax\tRED\n"),
        ("a.txt", "Source\tTarget\nlug fep\tBLUE BLUE\ndax\tRED\n"),
        ("a.tsv", "output\tinput\nBLUE BLUE\tlug fep\nRED\tdax\n"),
        ("a.csv", "lug fep,BLUE BLUE\ndax,RED\n"),
        ("a.csv", '\ufeffsource,target\r\n"lug fep","BLUE BLUE"\r\ndax,RED\r\n'),
        ("a.csv", "source;target\nlug fep;BLUE BLUE\ndax;RED\n"),
    ],
)
def test_headers_and_csv(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert list(read_pairs(path)) == PAIRS


def test_quotes_keep_commas(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('"stop, please","say ""no"""\n')
    assert list(read_pairs(path)) == [TextPair("stop, please", 'say "no"')]


def test_a_header_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("source\ttarget\ndax\tRED\n")
    corpus = load(path)
    assert len(corpus["train"]) == 1
    assert corpus.notes == (f"{path}:1: this line is a header (source, target), not a pair",)


def test_a_line_that_only_looks_like_a_header_is_a_pair(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("source code\ttarget\n")
    assert list(read_pairs(path)) == [TextPair("source code", "target")]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", 'dax,RED\n"lug,BLUE\n', "a.csv:2: this is not CSV"),
        ("a.csv", "dax,RED\nlug\n", "a.csv:2: 1 column where 2 or 3"),
        ("a.tsv", "source\ttarget\nlug\n", "a.tsv:2: 1 column where 2 are expected"),
        ("a.tsv", "source\ttarget\nlug\t\n", "a.tsv:2: the target is empty"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        list(read_pairs(path))


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def test_a_glossary_is_such_a_table_too(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("target,source,like\nI_BLORK,blork,jump\n")
    (line,) = read_glossary(path, words, words)
    assert line[:2] == ("blork", "I_BLORK")
    assert line[2].like == "jump"
