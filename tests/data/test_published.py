"""COGS and eng-cmn as their authors published them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import pytest

from fewlex.data import Example, cogs, load, tatoeba
from fewlex.data.download import PublishedFile


def pairs(examples: Iterable[Example]) -> Counter[tuple[tuple[str, ...], tuple[str, ...]]]:
    return Counter((example.source, example.target) for example in examples)


def published_eng_cmn() -> Counter[tuple[tuple[str, ...], tuple[str, ...]]]:
    return pairs(example for split in load("eng-cmn").splits.values() for example in split)


@pytest.mark.parametrize("file", [*cogs.FILES.values(), *tatoeba.FILES.values(), tatoeba.RAW_FILE])
def test_checksums_are_those_of_the_published_files(file: PublishedFile, published: Path) -> None:
    assert sha256((published / file.name).read_bytes()).hexdigest() == file.sha256


def test_cogs_has_its_splits_and_categories(published: Path) -> None:
    corpus = load("cogs")
    sizes = {split: len(examples) for split, examples in corpus.splits.items()}
    assert sizes == {"train": 24_155, "validation": 3_000, "test": 3_000, "gen": 21_000}
    categories = Counter(example.category for example in corpus["gen"])
    assert set(categories.values()) == {1000}
    grouped = [category for group in cogs.PAPER_GROUPS.values() for category in group]
    assert len(grouped) == len(set(grouped)) == 15
    assert set(grouped) < set(categories)
    assert len(cogs.PAPER_GROUPS) == 9


def test_eng_cmn_has_its_splits(published: Path) -> None:
    sizes = {split: len(examples) for split, examples in load("eng-cmn").splits.items()}
    assert sizes == {"train": 19_222, "validation": 2_402, "test": 2_402}


def test_clean_ups_of_single_sentences(tmp_path: Path) -> None:
    raw = tmp_path / "raw.txt"
    raw.write_text(
        "I won't; Tom's ten-minute break can't wait.\t好，我们试试看。\tCC-BY\n"
        "I'd go, but I'd like to stay.\t是的。沒錯。\tCC-BY\n",
        encoding="utf-8",
    )
    first, second = tatoeba.build_from_raw(raw)
    assert " ".join(first.source) == "I will not ; Tom is ten @-@ minute break can not wait ."
    assert " ".join(first.target) == "好 , 我们 试试看 ."
    assert " ".join(second.source) == "I &apos;d go , but I would like to stay ."
    assert " ".join(second.target) == "是 的 . 沒錯 ."
    assert (first.category, second.index) == ("", 1)


def test_raw_pairs_become_the_published_ones(tmp_path: Path, published: Path) -> None:
    lines = (published / tatoeba.RAW_FILE.name).read_text(encoding="utf-8").splitlines(keepends=True)
    raw = tmp_path / "some.txt"
    raw.write_text("".join(random.Random(0).sample(lines, 300)), encoding="utf-8")
    built = pairs(tatoeba.build_from_raw(raw))
    assert not built - published_eng_cmn()


@pytest.mark.slow
def test_all_raw_pairs_become_the_published_ones(published: Path) -> None:
    built = pairs(tatoeba.build_from_raw(published / tatoeba.RAW_FILE.name))
    assert (built & published_eng_cmn()).total() >= 0.99 * built.total()
