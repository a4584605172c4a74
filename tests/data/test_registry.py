from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fewlex.data import DATASETS, Example, load
from fewlex.errors import DataError

RED = Example(("dax",), ("RED",))


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)


def test_a_file_becomes_the_training_split(tmp_path: Path) -> None:
    write(tmp_path, own_tsv="dax\tRED\n")
    corpus = load(tmp_path / "own.tsv")
    assert corpus.name == f"{tmp_path}/own.tsv"
    assert corpus.splits == {"train": (RED,)}


def test_parallel_files(tmp_path: Path) -> None:
    write(tmp_path, a_txt="dax\n", b_txt="RED\n")
    assert load(f"{tmp_path}/a.txt,{tmp_path}/b.txt")["train"] == (RED,)


def test_tokenizers_are_applied_and_remembered(tmp_path: Path) -> None:
    write(tmp_path, own_tsv="Go!\tRED!\n")
    corpus = load(tmp_path / "own.tsv", source_tokenizer="moses")
    assert corpus["train"] == (Example(("Go", "!"), ("RED!",)),)
    assert (corpus.source_tokenizer, corpus.target_tokenizer) == ("moses", "whitespace")


@pytest.mark.parametrize("validation", ["validation_tsv", "dev_tsv", "dev_jsonl"])
def test_a_folder_has_one_file_per_split(tmp_path: Path, validation: str) -> None:
    line = "dax\tRED\n" if validation.endswith("tsv") else '{"source": "dax", "target": "RED"}\n'
    write(tmp_path, train_tsv="dax\tRED\n", test_tsv="dax\tRED\n", README_md="about it", **{validation: line})
    corpus = load(tmp_path)
    assert corpus.splits == {"train": (RED,), "validation": (RED,), "test": (RED,)}


def test_a_folder_without_training_data(tmp_path: Path) -> None:
    write(tmp_path, test_tsv="dax\tRED\n")
    with pytest.raises(DataError, match=r"the folder has no train\.tsv"):
        load(tmp_path)


def test_a_folder_with_a_split_twice(tmp_path: Path) -> None:
    write(tmp_path, train_tsv="a\tb\n", dev_tsv="a\tb\n", validation_tsv="a\tb\n")
    with pytest.raises(DataError, match=r"validation\.tsv: the folder has the split 'validation' twice"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("colour", "no data set and no file 'colour'. Did you mean 'colors'"),
        ("scn:jump", "no data set and no file 'scn:jump'. Did you mean 'scan:jump'"),
        ("wmt", "no data set and no file 'wmt'. Known: cogs, colors, eng-cmn, scan:around_right, "),
        ("scan", "no data set 'scan'. Name one of: scan:simple, scan:jump, scan:around_right, scan:length."),
        ("scan:jmp", "no data set 'scan:jmp'. Name one of: scan:simple, "),
        ("colors:red", "no data set 'colors:red'. Name one of: colors."),
        ("no/such.tsv", "no/such.tsv: there is no such file"),
        ("no.txt,such.txt", "no.txt: there is no such file"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(name)


def test_registered_data_are_tokenized_already() -> None:
    with pytest.raises(DataError, match="colors is tokenized already"):
        load("colors", target_tokenizer="jieba")


def test_every_data_set_tells_where_it_comes_from() -> None:
    for name, dataset in DATASETS.items():
        assert dataset.name == name
        assert dataset.summary
        assert dataset.licence
        assert dataset.address.startswith("https://")
        assert dataset.variants


@pytest.mark.parametrize("name", ["colors", "scan:jump"])
def test_evaluation_split_exists(name: str) -> None:
    assert load(name)[DATASETS[name.partition(":")[0]].evaluation_split]


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = "{'torch', 'numpy', 'sacremoses', 'jieba', 'rich', 'urllib.request', 'http.client'}"
    check = f"import sys, fewlex.data; print(sorted({heavy} & set(sys.modules)))"
    printed = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"
