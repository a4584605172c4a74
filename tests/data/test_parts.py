"""Which half of a target belongs to which half of its source."""

from fewlex.data.example import Example
from fewlex.data.parts import Halves, find_halves


def examples(*lines: str) -> list[Example]:
    pairs = (line.split(" = ") for line in lines)
    return [Example(tuple(source.split()), tuple(target.split())) for source, target in pairs]


def last(*lines: str) -> Halves | None:
    return find_halves(examples(*lines))[-1]


def test_halves_in_the_order_of_the_source():
    found = last("run left = L R", "walk left = L W", "run left and walk left = L R L W")
    assert found == Halves((1, 1, 0, 2, 2), (1, 1, 2, 2))


def test_halves_in_the_other_order():
    found = last("run left = L R", "walk left = L W", "run left after walk left = L W L R")
    assert found == Halves((1, 1, 0, 2, 2), (2, 2, 1, 1))


def test_a_half_that_is_no_example_is_not_guessed():
    assert last("run left = L R", "run left and walk left = L R L W") is None


def test_the_whole_target_must_be_the_two_targets():
    assert last("run = R", "walk = W", "run twice and walk = R R W") is None


def test_equal_halves_say_nothing():
    assert last("run left = L R", "run left and run left = L R L R") is None


def test_two_ways_to_cut_say_nothing():
    assert last("a = X", "a b = X", "c = Y", "b c = Y", "a b c = X Y") is None


def test_a_source_with_two_targets_is_no_half():
    assert last("run = R", "run = Q", "walk = W", "run and walk = R W") is None


def test_every_example_gets_an_answer():
    found = find_halves(examples("run = R", "walk = W", "run and walk = R W"))
    assert [halves is None for halves in found] == [True, True, False]
