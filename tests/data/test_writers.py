from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data import Example, read_examples, write_jsonl, write_tsv

TOKENS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)
SENTENCES = st.lists(TOKENS, min_size=1, max_size=5).map(tuple)
EXAMPLES = st.lists(st.builds(Example, SENTENCES, SENTENCES, TOKENS | st.just("")), min_size=1, max_size=5)


@pytest.mark.parametrize(("write", "suffix"), [(write_tsv, ".tsv"), (write_jsonl, ".jsonl")])
@given(examples=EXAMPLES)
def test_what_is_written_is_read_back(
    write: Callable[[list[Example], TextIO], None], suffix: str, examples: list[Example]
) -> None:
    numbered = [Example(e.source, e.target, e.category, i) for i, e in enumerate(examples)]
    text = io.StringIO()
    write(numbered, text)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"corpus{suffix}")
        path.write_text(text.getvalue(), encoding="utf-8", newline="")
        assert list(read_examples(path)) == numbered


def test_the_category_is_written_where_there_is_one() -> None:
    examples = [Example(("a", "b"), ("X",), "odd"), Example(("c",), ("é",))]
    tsv, jsonl = io.StringIO(), io.StringIO()
    write_tsv(examples, tsv)
    write_jsonl(examples, jsonl)
    assert tsv.getvalue() == "a b\tX\todd\nc\té\n"
    assert jsonl.getvalue() == (
        '{"source": "a b", "target": "X", "category": "odd"}\n{"source": "c", "target": "é"}\n'
    )
