from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import pytest

from fewlex.data import Example, load, read_examples
from fewlex.data.scan import commands

# Of the published files with their lines sorted bytewise (`LC_ALL=C sort file | sha256sum`).
SORTED_SHA256 = {
    ("jump", "train"): "0683daacfdce23cf8ed6f5077feda21785e93ac82e0d11363a9280b7b0c6561e",
    ("jump", "test"): "522454c6280eab957dfc4ea9579ef1d780a716ac34df09619970e1d98822d7e2",
    ("around_right", "train"): "f2b91818e1216d5c95bf050c8d328ade7f773664fdc87e67d07f945e2134ebdc",
    ("around_right", "test"): "8e1297eb61d98ff61ef480e9d4641d1d8596fe21c20131a57411a3fbdfd653a9",
    ("length", "train"): "7ffb97f45029871c94bede7e723f7a4aa179eb99fe2b977a18283310422c719d",
    ("length", "test"): "3297fd0b676c391f7bc3a7385aa66a7fdf64f6f8e81ad584810c1d4ebd0eaa2c",
}
PUBLISHED_NAMES = {"jump": "addprim_jump", "around_right": "template_around_right", "length": "length"}


def pairs(examples: Iterable[Example]) -> Counter[tuple[tuple[str, ...], tuple[str, ...]]]:
    return Counter((example.source, example.target) for example in examples)


def test_the_grammar_has_20910_different_commands() -> None:
    assert len({command for command, _ in commands()}) == sum(1 for _ in commands()) == 20_910


@pytest.mark.parametrize(("variant", "split"), SORTED_SHA256)
def test_generated_lines_have_the_published_checksum(variant: str, split: str) -> None:
    examples = load(f"scan:{variant}")[split]
    lines = [f"IN: {' '.join(e.source)} OUT: {' '.join(e.target)}\n" for e in examples]
    assert sha256("".join(sorted(lines)).encode()).hexdigest() == SORTED_SHA256[variant, split]


@pytest.mark.parametrize(("variant", "split"), SORTED_SHA256)
def test_generated_lines_are_the_published_ones(variant: str, split: str, published: Path) -> None:
    path = published / "scan" / f"tasks_{split}_{PUBLISHED_NAMES[variant]}.txt"
    assert pairs(load(f"scan:{variant}")[split]) == pairs(read_examples(path))


def test_simple_is_a_fixed_80_percent_of_the_commands() -> None:
    corpus = load("scan:simple")
    assert (len(corpus["train"]), len(corpus["test"])) == (16_728, 4_182)
    everything = pairs(corpus["train"]) + pairs(corpus["test"])
    assert everything == Counter(commands())
    assert corpus == load("scan:simple")


def test_jump_is_repeated_as_published() -> None:
    train = load("scan:jump")["train"]
    assert sum(example.source == ("jump",) for example in train) == 1467
    assert [example.index for example in train] == list(range(len(train)))
