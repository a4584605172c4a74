from __future__ import annotations

from pathlib import Path

import pytest

from fewlex.data.tokenizers import make_tokenizer
from fewlex.errors import DataError, FewlexError
from fewlex.lexicon import GLOSSARY, Entry, Lexicon, read_glossary, read_keep, unused


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def given(entry_like: str = "") -> Entry:
    return Entry(1.0, GLOSSARY, like=entry_like)


@pytest.fixture
def terms(tmp_path: Path) -> Path:
    return tmp_path / "terms.tsv"


@pytest.mark.parametrize("header", ["", "source\ttarget\n", "\ufeffsource\ttarget\r\n"])
def test_two_columns(terms: Path, header: str) -> None:
    terms.write_bytes((header + "dax\tRED\n New  York \t纽约\r\n").encode())
    assert list(read_glossary(terms, words, words)) == [
        ("dax", "RED", given()),
        ("New York", "纽约", given()),
    ]


def test_the_ending_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "terms.txt"
    path.write_text("dax\tRED")
    assert list(read_glossary(path, words, words)) == [("dax", "RED", given())]


def test_a_third_column_says_what_the_word_is_like(terms: Path) -> None:
    terms.write_text("source\ttarget\tlike\nzup\tYELLOW\tdax\nblork\tPINK\t\ntufa\tGREEN\n")
    entries = {source: entry for source, _, entry in read_glossary(terms, words, words)}
    assert entries == {"zup": given("dax"), "blork": given(), "tufa": given()}


def test_both_sides_are_tokenized_as_the_text_is(terms: Path) -> None:
    terms.write_text("ten-minute walk\t十分钟的路\n", encoding="utf-8")
    tokenize = make_tokenizer("moses").tokenize
    glossary = read_glossary(terms, tokenize, lambda text: tuple(text))
    assert list(glossary) == [("ten @-@ minute walk", "十 分 钟 的 路", given())]


def test_a_line_that_repeats_another_is_dropped(terms: Path) -> None:
    terms.write_text("dax\tRED\nlug\tBLUE\ndax\tRED\ndax \t RED\n")
    assert read_glossary(terms, words, words).sources == ("dax", "lug")


@pytest.mark.parametrize("name", ["lexicon.json", "lexicon.tsv"])
def test_a_lexicon_is_a_glossary(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    lexicon = Lexicon(
        [("dax", "RED", Entry(6, "simple", 0.5)), ("dax", "PINK", Entry(1)), ("a-b", "C", Entry(2))]
    )
    lexicon.save(path)
    assert list(read_glossary(path, words, words)) == [
        ("dax", "RED", Entry(6, GLOSSARY, 0.5)),
        ("dax", "PINK", Entry(1, GLOSSARY)),
        ("a-b", "C", Entry(2, GLOSSARY)),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"terms\.tsv: the file is empty"),
        (
            b"dax\tRED\n\nlug\tBLUE\n",
            r"terms\.tsv:2: 1 column where 2 are expected\. Write source and target",
        ),
        (b"dax RED\n", r"terms\.tsv:1: 1 column"),
        (b"dax\tRED\tlug\n", r"terms\.tsv:1: 3 columns where 2 .*needs a header"),
        (b"source\ttarget\tlike\ndax\tRED\tlug\t1\n", r"terms\.tsv:2: 4 columns where 3"),
        (b"dax\tRED\n\tBLUE\n", r"terms\.tsv:2: the source is empty"),
        (b"dax\tRED\nlug\t  \n", r"terms\.tsv:2: the target is empty"),
        (
            b"dax\tRED\nlug\tBLUE\ndax\tPINK\n",
            r"terms\.tsv:3: 'dax' is 'PINK' here and 'RED' in line 1\. Keep",
        ),
        (
            b"source\ttarget\tlike\nzup\tRED\tdax\nzup\tRED\tlug\n",
            r"terms\.tsv:3: 'zup' is 'RED' \(like 'lug'\) here and 'RED' \(like 'dax'\) in line 2",
        ),
        (b"dax\tRED\nlug\t<unk>\n", r"terms\.tsv:2: '<unk>'.*fewlex's own"),
        ("dax\tRED\n".encode("utf-16-le"), r"terms\.tsv:1: .*NUL byte"),
        (b"dax\tRED\nlug\tB\0LUE\n", r"terms\.tsv:2: .*NUL byte"),
        (b"dax\tRED\nna\xefve\tBLUE\n", r"terms\.tsv:2: byte 3 .*not UTF-8.*iconv"),
        (b"source\ttarget\tweight\ndax\tRED\tmuch\n", r"terms\.tsv:2: .*not a number"),
    ],
)
def test_bad_lines_are_named(terms: Path, content: bytes, message: str) -> None:
    terms.write_bytes(content)
    with pytest.raises(FewlexError, match=message):
        read_glossary(terms, words, words)


def test_a_side_in_which_the_tokenizer_finds_nothing(terms: Path) -> None:
    terms.write_text("dax\tRED\n")
    with pytest.raises(DataError, match=r"terms\.tsv:1: the tokenizer finds no token in 'RED'"):
        read_glossary(terms, words, lambda text: ())


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for read in (read_glossary, read_keep):
        with pytest.raises(FewlexError, match="no such file"):
            read(tmp_path / "nowhere.tsv", words, words)
    with pytest.raises(FewlexError, match=r"nowhere\.json"):
        read_glossary(tmp_path / "nowhere.json", words, words)


def test_a_json_file_that_is_no_lexicon(tmp_path: Path) -> None:
    path = tmp_path / "terms.json"
    path.write_text('{"dax": "RED"}')
    with pytest.raises(FewlexError, match="not a lexicon"):
        read_glossary(path, words, words)


def test_words_to_keep(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("Tom\nNew York\nTom\nGPT-4\n")
    kept = read_keep(path, words, lambda text: tuple(text.replace("-", " - ").split()))
    assert [(source, target) for source, target, _ in kept] == [
        ("Tom", "Tom"),
        ("New York", "New York"),
        ("GPT-4", "GPT - 4"),
    ]
    assert all(entry == given() for _, _, entry in kept)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"Tom\n\nMary\n", r"names\.txt:2: the source is empty"),
        (b"Tom\n\xff\n", r"names\.txt:2: .*not UTF-8"),
        (b"T\0m\n", r"names\.txt:1: .*NUL"),
    ],
)
def test_bad_lines_among_words_to_keep(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "names.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_keep(path, words, words)


def test_unused_entries(terms: Path) -> None:
    terms.write_text("dax\tRED\nгород\tTOWN\n", encoding="utf-8")
    assert unused(read_glossary(terms, words, words), {"dax", "lug"}) == ("город",)
