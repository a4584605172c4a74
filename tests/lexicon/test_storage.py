from __future__ import annotations

import errno
import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.vocabulary import SPECIALS
from fewlex.errors import FewlexError, LexiconError
from fewlex.files import atomic_write
from fewlex.lexicon import Entry, Lexicon

words = (
    st.text(st.characters(exclude_characters="\0\t\n\r", exclude_categories=["Cs"]), min_size=1, max_size=8)
    .map(lambda word: word.strip(" "))
    .filter(lambda word: word != "" and not set(SPECIALS) & set(word.split(" ")))
)
numbers = st.floats(allow_nan=False, allow_infinity=False)
entries = st.builds(Entry, numbers, words, numbers, st.just("") | words)
lexicons = st.lists(st.tuples(words, words, entries), max_size=20).map(Lexicon)
formats = pytest.mark.parametrize("name", ["lexicon.json", "lexicon.tsv"])


@formats
@given(lexicon=lexicons)
def test_round_trip(name: str, lexicon: Lexicon) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        lexicon.save(path)
        assert list(Lexicon.load(path)) == list(lexicon)


def test_json_is_readable_and_keeps_provenance(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.json"
    lexicon = Lexicon(
        [("土星", "Saturn", Entry(2.0, "simple", 0.5))], {"method": "simple", "max_competitors": 3}
    )
    lexicon.save(path)
    seal = json.loads(path.read_text(encoding="utf-8"))["seal"]
    assert path.read_text(encoding="utf-8") == (
        f'{{"seal": "{seal}", "format": "fewlex-lexicon", "version": 1, '
        '"provenance": {"method": "simple", "max_competitors": 3}, "rows": {\n'
        '"土星": {"Saturn": {"weight": 2.0, "origin": "simple", "dice": 0.5}}\n'
        "}}\n"
    )
    assert Lexicon.load(path).provenance == lexicon.provenance


def test_tsv_is_a_plain_table(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    Lexicon([("dax", "RED", Entry(6.0, "simple", 1.0))]).save(path)
    assert path.read_text() == "source\ttarget\tweight\torigin\tdice\ndax\tRED\t6.0\tsimple\t1.0\n"


@formats
def test_like_is_written_only_where_an_entry_has_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    lexicon = Lexicon([("dax", "RED", Entry(6.0, "simple", 1.0))])
    lexicon.save(path)
    assert "like" not in path.read_text()
    lexicon.update([("zup", "YELLOW", Entry(1.0, like="dax"))])
    lexicon.save(path)
    assert "like" in path.read_text().splitlines()[0 if name.endswith("tsv") else 2]
    assert Lexicon.load(path).row("zup")["YELLOW"].like == "dax"
    assert Lexicon.load(path).row("dax")["RED"].like == ""


def test_optional_columns_may_be_left_out_and_so_may_a_last_tab(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text("source\ttarget\tweight\tlike\ndax\tRED\t6\nzup\tYELLOW\t1\tdax\n")
    assert list(Lexicon.load(path)) == [
        ("dax", "RED", Entry(6.0)),
        ("zup", "YELLOW", Entry(1.0, like="dax")),
    ]


def test_a_table_by_hand_needs_three_columns_only(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_bytes("\ufeffsource\ttarget\tweight\r\ndax\tRED\t6\r\n\r\nNew York\t纽约\t1\r\n".encode())
    assert list(Lexicon.load(path)) == [("dax", "RED", Entry(6.0)), ("New York", "纽约", Entry(1.0))]


def json_text(rows: str, version: int = 1) -> str:
    return f'{{"format": "fewlex-lexicon", "version": {version}, "rows": {{\n{rows}\n}}}}'


HEADER = "source\ttarget\tweight\torigin\tdice\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "", "a.json:1: this is not JSON"),
        ("a.json", json_text('"dax": {"RED": {"weight": 1}},\n"lug": '), "a.json:4: this is not JSON"),
        ("a.json", '{"dax": {"RED": 6}}', "not a lexicon"),
        ("a.json", "[]", "not a lexicon"),
        ("a.json", json_text("", version=2), "version 2.*newest fewlex"),
        ("a.json", json_text('"dax": {"RED": 6}'), "a.json:2: 'dax' ↦ 'RED' has no weight"),
        ("a.json", json_text('"dax": 6'), "rows are not of the form"),
        ("a.json", '{"format": "fewlex-lexicon", "version": 1}', "rows are not of the form"),
        ("a.json", json_text('"a": {"A": {"weight": 1}},\n"dax": {"RED": {}}'), "a.json:3: 'dax'.*no weight"),
        ("a.json", json_text('"dax": {"RED": {"weight": "much"}}'), "a.json:2: .*not a number"),
        ("a.json", json_text('"dax": {"RED": {"weight": NaN}}'), "a.json:2: .*not finite"),
        ("a.json", json_text('"dax": {"RED": {"wieght": 1}}'), "a.json:2: .*no weight"),
        ("a.json", json_text('"dax": {"RED": {"weight": 1, "dise": 1}}'), "a.json:2: .*Did you mean 'dice'"),
        ("a.json", json_text('"dax": {"": {"weight": 1}}'), "a.json:2: .*empty"),
        (
            "a.json",
            json_text('"dax": {"RED": {"weight": 1}},\n"dax": {"RED": {"weight": 2}}'),
            "'dax' is there twice",
        ),
        ("a.tsv", "", "a.tsv:1: the header"),
        ("a.tsv", "dax\tRED\t1\n", "a.tsv:1: the header"),
        ("a.tsv", "source\ttarget\n", "a.tsv:1: the header"),
        ("a.tsv", "source\ttarget\tweight\tdice\torigin\n", "a.tsv:1: the header"),
        ("a.tsv", "source\ttarget\tweight\tlike\tlike\n", "a.tsv:1: the header"),
        ("a.tsv", "source\ttarget\tweight\tlike\ndax\tRED\n", "a.tsv:2: 2 columns"),
        ("a.tsv", "source\ttarget\tweight\tlike\ndax\tRED\t1\t lug\n", "a.tsv:2: .*padded"),
        ("a.tsv", HEADER + "dax\tRED\t1\n", "a.tsv:2: 3 columns"),
        ("a.tsv", HEADER + "dax\tRED\tmuch\tperson\t0\n", "a.tsv:2: .*not a number"),
        ("a.tsv", HEADER + "dax\tRED\tinf\tperson\t0\n", "a.tsv:2: .*not finite"),
        ("a.tsv", HEADER + "\tRED\t1\tperson\t0\n", "a.tsv:2: the source '' is empty"),
        ("a.tsv", HEADER + "dax\tR\0D\t1\tperson\t0\n", "a.tsv:2: .*NUL"),
        ("a.tsv", HEADER + "dax\tRED\t1\tperson\t0\n" * 2, "a.tsv:3: .*second time"),
    ],
)
def test_corrupted_files_are_named_with_their_line(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(LexiconError, match=message):
        Lexicon.load(path)


@formats
def test_bytes_that_are_not_utf8(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LexiconError, match="not UTF-8"):
        Lexicon.load(path)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"nowhere\.json: No such file"):
        Lexicon.load(tmp_path / "nowhere.json")
    with pytest.raises(FewlexError, match=r"cannot write .*No such file"):
        Lexicon().save(tmp_path / "no folder" / "lexicon.json")


def test_unknown_extensions(tmp_path: Path) -> None:
    for use in (Lexicon.load, Lexicon().save):
        with pytest.raises(LexiconError, match=r"\.json or \.tsv"):
            use(tmp_path / "lexicon.xml")


@formats
def test_a_full_disk_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / name
    old = Lexicon([("dax", "RED", Entry(6.0))])
    old.save(path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FewlexError, match=r"No space left on device\. Free some space"):
        Lexicon([("lug", "BLUE", Entry(1.0))]).save(path)
    assert Lexicon.load(path) == old
    assert os.listdir(tmp_path) == [name]


def test_an_interrupted_write_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def write_half() -> None:
        with atomic_write(path) as file:
            file.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]
