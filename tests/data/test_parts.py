"""Which source words a target token may come from."""

from __future__ import annotations

from fewlex.data.example import Example
from fewlex.data.parts import find_allowed_sources


def examples(*lines: str) -> list[Example]:
    pairs = (line.split(" = ") for line in lines)
    return [Example(tuple(source.split()), tuple(target.split())) for source, target in pairs]


def last(*lines: str) -> list[str] | None:
    """For each target token of the last example, its source words as 1 and the others as 0."""
    allowed = find_allowed_sources(examples(*lines))[-1]
    return None if allowed is None else ["".join(str(int(a)) for a in row) for row in allowed]


def test_halves_in_the_order_of_the_source() -> None:
    found = last("run left = L R", "walk left = L W", "run left and walk left = L R L W")
    assert found == ["11000", "11000", "00011", "00011"]


def test_halves_in_the_other_order() -> None:
    found = last("run = R", "walk left = L W", "run after walk left = L W R")
    assert found == ["0011", "0011", "1000"]


def test_a_half_that_is_no_example_is_not_guessed() -> None:
    assert last("run left = L R", "run left and walk left = L R L W") is None


def test_the_whole_target_must_be_the_two_targets() -> None:
    assert last("run = R", "walk = W", "run twice and walk = R R W") is None


def test_equal_halves_say_nothing() -> None:
    assert last("run left = L R", "run left and run left = L R L R") is None


def test_two_ways_to_cut_say_nothing() -> None:
    assert last("a = X", "a b = X", "c = Y", "b c = Y", "a b c = X Y") is None


def test_a_source_with_two_targets_is_no_half() -> None:
    assert last("run = R", "run = Q", "walk = W", "run and walk = R W") is None


def test_every_example_gets_an_answer() -> None:
    found = find_allowed_sources(examples("run = R", "walk = W", "run and walk = R W"))
    assert [allowed is None for allowed in found] == [True, True, False]
