"""What a wrong output lacks, and why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.mistakes import Part, token_diff

tokens = st.lists(st.sampled_from("abc"), max_size=8)


@pytest.mark.parametrize(
    ("target", "output", "expected"),
    [
        ("A B", "A B", [Part("same", ("A", "B"))]),
        ("A B", "A C", [Part("same", ("A",)), Part("missing", ("B",)), Part("extra", ("C",))]),
        ("A", "", [Part("missing", ("A",))]),
        ("", "A", [Part("extra", ("A",))]),
    ],
)
def test_the_parts_of_a_difference(target: str, output: str, expected: list[Part]) -> None:
    assert token_diff(target.split(), output.split()) == tuple(expected)


@given(tokens, tokens)
def test_the_parts_make_up_target_and_output(target: list[str], output: list[str]) -> None:
    parts = token_diff(target, output)
    assert [t for part in parts if part.op != "extra" for t in part.tokens] == target
    assert [t for part in parts if part.op != "missing" for t in part.tokens] == output
