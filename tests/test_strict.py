"""The one door for JSON and TOML: what only an accident or an attacker writes is refused, with the place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.strict import StrictError, Within, checked, parse_json, parse_toml

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("aé\n"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab"), inner, max_size=4),
    max_leaves=20,
)


@given(PLAIN)
def test_plain_json_comes_back_as_it_was(content: object) -> None:
    import json

    assert parse_json(json.dumps(content)) == content


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("[" * 100_000, "nested more than 100 levels", 0),
        ('{"a":' * 300 + "1" + "}" * 300, "nested more than 100 levels", 0),
        ("\n" + "7" * 6000, "4300 digits", 0),
        ('{"a": 1,\n"a": 2}', "'a' is there twice", 1),
        ('{"a": 1,\n"b": NaN}', "the number NaN is not finite", 2),
        ("[\n\n-Infinity]", "the number -Infinity is not finite", 3),
        ("[1e999]", "the number 1e999 is not finite", 1),
        (r'["\ud800"]', "half a character", 0),
        (r'{"\udfff": 1}', "half a character", 0),
        ('{"a"\n 1}', "expecting ':' delimiter, column 2", 2),
        ("", "expecting value, column 1", 1),
    ],
)
def test_what_nobody_writes_on_purpose_is_refused(text: str, problem: str, line: int) -> None:
    with pytest.raises(StrictError, match=problem) as refused:
        parse_json(text)
    assert refused.value.line == line


def test_a_whole_character_may_be_spelt_in_two_halves() -> None:
    assert parse_json(r'["\ud83d\ude00"]') == ["😀"]


@pytest.mark.parametrize("text", ["a=" + "[" * 100_000, "a=" + "7" * 6000, "a=[", "a." * 3000 + "b=1", "\0"])
def test_toml_is_refused_in_the_same_way(text: str) -> None:
    with pytest.raises(StrictError):
        parse_toml(text)


class Inner(TypedDict):
    words: list[str]
    weights: NotRequired[dict[str, float]]


class Outer(TypedDict):
    inner: Inner
    share: Annotated[float, Within(0, 1)]
    kind: NotRequired[Literal["a", "b"]]
    note: NotRequired[str | None]


@dataclass
class Made:
    number: int
    texts: dict[str, list[int]] = field(default_factory=dict)


GOOD: dict[str, Any] = {
    "inner": {"words": ["x"], "weights": {"x": 1}},
    "share": 1,
    "kind": "a",
    "note": None,
    "new": 3,
}


def test_content_of_the_right_type_passes_and_whole_numbers_do_for_floats() -> None:
    made: Any = checked(GOOD, Outer)
    assert made == GOOD
    assert type(made["inner"]["weights"]["x"]) is float
    assert checked({"number": 3}, Made) == checked({"number": 3.0}, Made) == Made(3)
    assert checked([["a", 1]], tuple[tuple[str | int, ...], ...]) == (("a", 1),)


@pytest.mark.parametrize(
    ("content", "kind", "problem"),
    [
        ("", Annotated[str, Within(1)], "it must be at least 1 characters, not ''"),
        ("aaa", Annotated[str, Within(most=2)], "it must be at most 2 characters, not 'aaa'"),
        (10**9, Annotated[int, Within(most=10**6)], "it must be at most 1000000, not 1000000000"),
        ([1, 2], Annotated[tuple[int, ...], Within(3, 4)], "it must be from 3 to 4 items, not a tuple"),
        (1e300, int, "it must be a whole number, not 1e+300"),
    ],
)
def test_numbers_and_lengths_have_bounds(content: object, kind: Any, problem: str) -> None:
    with pytest.raises(StrictError) as refused:
        checked(content, kind)
    assert str(refused.value) == problem


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"inner": 3}, "inner must be a JSON object, not 3"),
        ({"inner": {}}, "'inner.words' is missing"),
        ({"inner": {"words": "x"}}, "inner.words must be a list, not 'x'"),
        ({"inner": {"words": [1]}}, "inner.words must be a list of texts, not 1"),
        ({"inner": {"words": [], "weights": {"x": "1"}}}, "inner.weights.x must be a finite number, not '1'"),
        ({"inner": {"words": [], "weights": {"x": 10**400}}}, "inner.weights.x must be a finite number"),
        (
            {"inner": {"words": [], "weights": {"x": True}}},
            "inner.weights.x must be a finite number, not True",
        ),
        ({"share": 1.5}, "share must be from 0 to 1, not 1.5"),
        ({"share": float("nan")}, "share must be a finite number, not nan"),
        ({"kind": "c"}, "kind must be one of 'a', 'b', not 'c'"),
        ({"note": 3}, "note must be a text, not 3"),
    ],
)
def test_content_of_another_type_is_refused_with_its_place(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(StrictError) as refused:
        checked(GOOD | changes, Outer)
    assert str(refused.value).startswith(problem)


@pytest.mark.parametrize(
    "content", [{}, {"number": 1, "other": 2}, {"number": True}, {"number": 1, "texts": {"a": [0.5]}}, []]
)
def test_a_dataclass_is_made_of_its_own_fields_alone(content: object) -> None:
    with pytest.raises(StrictError):
        checked(content, Made)
