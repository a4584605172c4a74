from __future__ import annotations

import io
import os
import re
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from fewlex.data import Example, TextPair, read_examples, read_pairs
from fewlex.errors import DataError

PAIRS = [TextPair("lug fep", "BLUE BLUE BLUE"), TextPair("dax", "RED")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", "lug fep\tBLUE BLUE BLUE\ndax\tRED\n"),
        ("a.txt", "lug fep\tBLUE BLUE BLUE\ndax\tRED\n"),
        ("a.tsv", "lug fep\tBLUE BLUE BLUE\ndax\tRED"),
        ("a.tsv", "lug fep\tBLUE BLUE BLUE\r\ndax\tRED\r\n"),
        ("a.tsv", "\ufefflug fep\tBLUE BLUE BLUE\ndax\tRED\n"),
        ("a.txt", "lug fep ||| BLUE BLUE BLUE\ndax ||| RED\n"),
        ("a", "\ufefflug fep ||| BLUE BLUE BLUE\r\ndax ||| RED\r\n"),
        ("a.txt", "IN: lug fep OUT: BLUE BLUE BLUE\nIN: dax OUT: RED\n"),
        (
            "a.jsonl",
            '{"source": "lug fep", "target": "BLUE BLUE BLUE"}\n{"target": "RED", "source": "dax"}\n',
        ),
        (
            "a.json",
            '{"source": "lug fep", "target": "BLUE BLUE BLUE"}\n{"source": "dax", "target": "RED"}\r\n',
        ),
        (
            "a.json",
            '[{"source": "lug fep", "target": "BLUE BLUE BLUE"}, {"source": "dax", "target": "RED"}]',
        ),
        ("a.json", '[\n  ["lug fep",\n  "BLUE BLUE BLUE"],\n  ["dax", "RED"]\n]\n'),
        ("a", '\ufeff[ {"input": "lug fep", "output": "BLUE BLUE BLUE"},\r\n["dax", "RED"]]\r\n'),
    ],
)
def test_every_format_gives_the_same_pairs(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    assert list(read_pairs(path)) == PAIRS


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[\n{"source": "a", "target": "A"},\n{"source": "b"}\n]', "a.json:3: the object has no 'target'"),
        ('[\n["a", "A"],\n["b", 3]]', "a.json:3: 'target' is not a string"),
        ('[["a", "A"],\n["b", "B"]', "a.json:2: this is not JSON"),
        ("[]", "a.json:1: this is JSON, but not an array of pairs"),
        ('["a", "A"]', "a.json:1: this is JSON, but not an object"),
        ('[["a", "A"],\n\n ["b", " "]]', "a.json:3: the target is empty"),
    ],
)
def test_an_array_names_the_line_of_a_bad_record(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(DataError, match=re.escape(problem)):
        list(read_pairs(path))


def test_brackets_at_the_start_of_a_line_are_words(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("[ [ x ] ] ||| X\n")
    assert list(read_pairs(path)) == [TextPair("[ [ x ] ]", "X")]


def test_parallel_files_are_named_with_a_comma(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("\ufefflug fep\r\ndax".encode())
    (tmp_path / "b.txt").write_bytes(b"BLUE BLUE BLUE\nRED\n")
    assert list(read_pairs(f"{tmp_path}/a.txt,{tmp_path}/b.txt")) == PAIRS


def test_a_comma_in_the_name_of_a_file_is_no_pair(tmp_path: Path) -> None:
    path = tmp_path / "a,b.tsv"
    path.write_text("dax\tRED\n")
    assert list(read_pairs(path)) == [TextPair("dax", "RED")]


@pytest.mark.parametrize("text", ["dax\tRED\n", "dax ||| RED\n", '{"source": "dax", "target": "RED"}\n'])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    assert list(read_pairs("-")) == [TextPair("dax", "RED")]


def test_an_error_in_standard_input_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"dax\tRED\nlug\t\n")))
    with pytest.raises(DataError, match=r"^<stdin>:2: the target is empty"):
        list(read_pairs("-"))


@pytest.mark.parametrize("name", ["a.tsv", "a.jsonl"])
def test_categories_are_kept(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    line = {"a.tsv": "dax\tRED\tcolour", "a.jsonl": '{"source":"dax","target":"RED","category":"colour"}'}
    path.write_text(line[name])
    assert list(read_pairs(path)) == [TextPair("dax", "RED", "colour")]


GOOD = {".tsv": b"dax\tRED\n", ".jsonl": b'{"source": "dax", "target": "RED"}\n', ".txt": b"dax ||| RED\n"}


@pytest.mark.parametrize(
    ("suffix", "line", "problem"),
    [
        (".tsv", b"dax RED\n", "1 column where 2 or 3 are expected. Write"),
        (".tsv", b"dax\tRED\tcolour\tx\n", "4 columns where 2 or 3 are expected. Write"),
        (".tsv", b"\nlug\tBLUE\n", "1 column where 2 or 3 are expected. Write"),
        (".tsv", b"\tRED\n", "the source is empty. Write at least"),
        (".tsv", b"dax\t \r\n", "the target is empty. Write at least"),
        (".tsv", b"dax\tR\xc9D\n", "byte 6 of the line is not UTF-8. If the text is in Latin-1"),
        (".tsv", b"dax\tR\0D\n", "the line holds a NUL byte"),
        (".txt", b"dax RED\n", "0 times '|||' where one is expected. Write"),
        (".txt", b"dax ||| RED ||| BLUE\n", "2 times '|||' where one is expected. Write"),
        (".txt", b"dax |||\n", "the target is empty"),
        (".txt", b"||| RED\n", "the source is empty"),
        (
            ".jsonl",
            b"dax\n",
            "this is not JSON (expecting value, column 1). Write one object",
        ),
        (".jsonl", b"\n{}\n", "this is not JSON"),
        (".jsonl", b"[" * 100_000 + b"\n", "this is not JSON"),
        (".jsonl", b'["dax"]\n', "this is JSON, but not an object"),
        (".jsonl", b'{"source": "dax"}\n', "the object has no 'target'"),
        (".jsonl", b'{"source": 1, "target": "RED"}\n', "'source' is not a string"),
        (".jsonl", b'{"source": "a", "target": "b", "category": 3}\n', "'category' is not a string"),
        (".jsonl", b'{"source": "a", "target": "\\u0000"}\n', "'target' holds a NUL, which is not text"),
        (
            ".jsonl",
            b'{"source": "a\\ud800", "target": "b"}\n',
            "this is not JSON ('a\\ud800' has half",
        ),
        (".jsonl", b'{"source": "dax", "target": ""}\n', "the target is empty"),
    ],
)
def test_a_bad_line_is_named_with_its_cure(tmp_path: Path, suffix: str, line: bytes, problem: str) -> None:
    path = tmp_path / f"corpus{suffix}"
    path.write_bytes(GOOD[suffix] + line)
    with pytest.raises(DataError, match="^" + re.escape(f"{path}:2: {problem}")):
        list(read_pairs(path))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read_unless_it_is_too_much(
    tmp_path: Path, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes("\ufeffdax\tRED\r\nñu\tBLUE\r\n".encode(encoding))
    assert list(read_pairs(path)) == [("dax", "RED", ""), ("ñu", "BLUE", "")]
    monkeypatch.setattr("fewlex.data.lines.MAX_UTF16_BYTES", 8)
    with pytest.raises(DataError, match=r"a\.tsv:1: the text is in UTF-16\. Convert it: iconv -f UTF-16"):
        list(read_pairs(path))


def test_blank_lines_at_the_end_mean_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("dax\tRED\n\n\n")
    assert list(read_pairs(path)) == [("dax", "RED", "")]
    path.write_text("dax\tRED\n\nlug\tBLUE\n")
    with pytest.raises(DataError, match=r"a\.tsv:2"):
        list(read_pairs(path))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"input": "dax", "output": "RED", "id": 3}\n'),
        ("a.jsonl", '{"input": "other", "source": "dax", "target": "RED"}\n'),
        ("a.jsonl", '{"Prompt": "dax", "completion": "RED"}\n'),
        ("a.tsv", "id\tquestion\tanswer\tnotes\n7\tdax\tRED\tnone\n"),
        ("a.csv", "output,input\nRED,dax\n"),
    ],
)
def test_columns_and_keys_have_many_names(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert list(read_pairs(tmp_path / name)) == [("dax", "RED", "")]


def test_a_column_that_numbers_the_lines_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("0\tdax\tRED\n1\tlug\tBLUE\n2\twif\tGREEN\n")
    told: list[str] = []
    assert [pair[:2] for pair in read_pairs(path, told.append)] == [
        ("dax", "RED"),
        ("lug", "BLUE"),
        ("wif", "GREEN"),
    ]
    assert told == [f"{path}:1: the first column numbers the lines; it is left out"]
    path.write_text("1\tONE\tnumber\n3\tTHREE\tnumber\n")
    assert next(read_pairs(path)) == ("1", "ONE", "number")


def test_a_broken_scan_line(tmp_path: Path) -> None:
    path = tmp_path / "tasks.txt"
    path.write_text("IN: jump OUT: I_JUMP\nIN: jump\n")
    with pytest.raises(DataError, match=r"tasks\.txt:2: this is not 'IN: command OUT: actions'"):
        list(read_pairs(path))


def test_an_unknown_format(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("just a sentence\n")
    with pytest.raises(DataError, match=r"a\.txt:1: no known format.*source\.txt,target\.txt"):
        list(read_pairs(path))


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("dax\nlug\n", "RED\n", r"b.txt:2: the file ends, but .*a.txt goes on. Give both the same number"),
        ("dax\n", "RED\nBLUE\n", r"a.txt:2: the file ends, but .*b.txt goes on"),
        ("dax\n\n", "RED\nBLUE\n", "a.txt:2: the source is empty"),
        ("dax\nlug\n", "RED\n\n", "b.txt:2: the target is empty"),
        ("", "RED\n", "a.txt: the file is empty"),
    ],
)
def test_parallel_files_that_do_not_fit(tmp_path: Path, source: str, target: str, message: str) -> None:
    (tmp_path / "a.txt").write_text(source)
    (tmp_path / "b.txt").write_text(target)
    with pytest.raises(DataError, match=message):
        list(read_pairs(f"{tmp_path}/a.txt,{tmp_path}/b.txt"))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no\.tsv: there is no such file"):
        list(read_pairs(tmp_path / "no.tsv"))


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").touch()
    with pytest.raises(DataError, match=r"a\.tsv: the file is empty"):
        list(read_pairs(tmp_path / "a.tsv"))


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="this is a folder"):
        list(read_pairs(tmp_path))


def test_a_file_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # Root, as which many containers run, may read every file.
    with pytest.raises(DataError, match=r"a\.tsv: the file cannot be read \(Permission denied\)"):
        list(read_pairs("a.tsv"))


def test_examples_are_tokenized_and_numbered(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("Wait, Tom!\tX  Y\nGo.\tZ\n")
    assert read_examples(path, source_tokenizer="moses") == (
        Example(("Wait", ",", "Tom", "!"), ("X", "Y"), index=0),
        Example(("Go", "."), ("Z",), index=1),
    )


def test_a_line_without_tokens_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("dax\tRED\n\x01\tBLUE\n")
    with pytest.raises(DataError, match=r"a\.tsv:2: the tokenizer finds no token in the source"):
        read_examples(path, source_tokenizer="moses")


def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    """`fewlex train <(zcat pairs.tsv.gz)`: a pipe cannot be read twice."""
    fifo = tmp_path / "pairs.tsv"
    os.mkfifo(fifo)
    writing = threading.Thread(target=fifo.write_text, args=("dax\tRED\nlug\tBLUE\n",))
    writing.start()
    assert [pair.source for pair in read_pairs(fifo)] == ["dax", "lug"]
    writing.join()
