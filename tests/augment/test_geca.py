"""GECA against its definition, worked by hand and by brute force."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.augment import AUGMENTERS, augment, augment_geca
from fewlex.data import load
from fewlex.data.example import Example
from fewlex.data.scan import commands
from fewlex.errors import ConfigError
from tests.augment.brute_force import Pair, everything_licensed


def examples_of(text: str) -> list[Example]:
    """`source = target` lines."""
    rows = [line.split("=") for line in text.strip().splitlines()]
    return [Example(tuple(source.split()), tuple(target.split())) for source, target in rows]


def pairs_of(examples: list[Example] | tuple[Example, ...]) -> set[Pair]:
    return {(example.source, example.target) for example in examples}


WALK = """
jump = JUMP
walk = WALK
walk twice = WALK WALK
"""


def test_by_hand_a_word_seen_alone() -> None:
    """jump ↦ JUMP and walk ↦ WALK both fill `_ ↦ _`; so jump may stand in `_ twice ↦ _ _`."""
    new = augment_geca(examples_of(WALK), limit=100)
    assert pairs_of(new) == pairs_of(examples_of("jump twice = JUMP JUMP"))


def test_by_hand_a_gap_that_occurs_many_times() -> None:
    """left ↦ L and right ↦ R fill `walk _ ↦ _ WALK`; left stands once in *around left* and L twice in its target."""
    old = examples_of("""
        walk left = L WALK
        walk right = R WALK
        walk around left = L WALK L WALK
    """)
    assert pairs_of(augment_geca(old, limit=100)) == pairs_of(
        examples_of("walk around right = R WALK R WALK")
    )


def test_by_hand_a_span_of_two_words() -> None:
    """home ↦ nach Hause fills `go _ ↦ _ gehen` like there ↦ dort, but only as one span of two words."""
    old = examples_of("""
        go home = nach Hause gehen
        go there = dort gehen
        we run home now = wir laufen jetzt nach Hause
    """)
    assert augment_geca(old, limit=100) == augment_geca(old, limit=100, gaps=3) == ()
    new = augment_geca(old, limit=100, size=2)
    assert pairs_of(new) == pairs_of(examples_of("we run there now = wir laufen jetzt dort"))


def test_by_hand_a_word_of_both_sides_is_one_gap() -> None:
    old = examples_of("""
        Ann = Ann
        Bob = Bob
        Ann saw = see Ann
    """)
    assert pairs_of(augment_geca(old, limit=9, gaps=1)) == pairs_of(examples_of("Bob saw = see Bob"))


def test_by_hand_a_window_forgives_what_is_far() -> None:
    old = examples_of("""
        one of the red balls = EIN DER ROT BALL
        two of the blue balls = ZWEI DER BLAU BALL
    """)
    assert augment_geca(old, limit=100) == ()
    exchanged = pairs_of(
        examples_of("""
        one of the blue balls = EIN DER BLAU BALL
        two of the red balls = ZWEI DER ROT BALL
    """)
    )
    assert exchanged <= pairs_of(augment_geca(old, limit=100, window=1))


def test_rare_spans_alone_are_exchanged_where_asked() -> None:
    """JUMP occurs once, WALK three times."""
    old = examples_of(WALK + "run = RUN\n")
    assert len(augment_geca(old, limit=9)) == 2
    assert len(augment_geca(old, limit=9, max_occurrences=3)) == 2
    assert augment_geca(old, limit=9, max_occurrences=2) == ()


def test_a_known_target_is_not_made_again() -> None:
    """As in the original: neither the source nor the target of a new example is in the training data."""
    old = examples_of(WALK + "jump and jump = JUMP JUMP\n")
    sources = {example.source for example in augment_geca(old, limit=100)}
    assert ("jump", "twice") not in sources
    assert ("walk", "and", "walk") not in sources


words = st.lists(st.sampled_from("abs"), min_size=1, max_size=4).map(tuple)
targets = st.lists(st.sampled_from("ABs"), min_size=1, max_size=4).map(tuple)
corpora = st.lists(st.builds(Example, words, targets), min_size=1, max_size=6)


@given(corpora, st.integers(0, 2), st.integers(1, 3), st.integers(1, 2), st.integers(0, 3))
def test_exactly_what_shared_environments_license(
    examples: list[Example], window: int, gaps: int, size: int, seed: int
) -> None:
    new = augment_geca(
        examples, limit=10_000, seed=seed, window=window, gaps=gaps, size=size, max_fragments=10_000
    )
    old = pairs_of(examples)
    sources, old_targets = {source for source, _ in old}, {target for _, target in old}
    licensed = everything_licensed(list(old), window, gaps, size)
    assert pairs_of(new) == {(s, t) for s, t in licensed if s not in sources and t not in old_targets}
    assert len(pairs_of(new)) == len(new)


@given(corpora, st.integers(1, 5), st.integers(1, 20), st.integers(0, 3))
def test_limits_only_leave_out(examples: list[Example], limit: int, max_fragments: int, seed: int) -> None:
    everything = pairs_of(augment_geca(examples, limit=10_000, window=1))
    some = augment_geca(examples, limit=limit, seed=seed, window=1, max_fragments=max_fragments)
    assert len(some) <= limit
    assert pairs_of(some) <= everything
    whole = augment_geca(examples, limit=limit, seed=seed, window=1)
    assert len(whole) == min(limit, len(everything))
    assert [example.index for example in whole] == list(range(len(whole)))


def test_the_same_seed_gives_the_same_examples_in_any_process() -> None:
    code = "import fewlex; from fewlex.augment import augment; print(augment(fewlex.load('colors')['train'], seed=3))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    colors = load("colors")["train"]
    assert outputs == {f"{augment(colors, seed=3)}\n"}
    assert augment(colors, seed=3) != augment(colors, seed=4)


def test_as_many_as_there_are_unless_said() -> None:
    assert len(augment(load("colors")["train"])) == 14


def test_nothing_to_exchange() -> None:
    assert augment_geca([]) == ()
    assert augment_geca([Example(("a",), ("A",)), Example((), ())]) == ()


def test_a_draw_ends_where_there_is_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fewlex.augment.geca._FEWEST_TRIES", 3)
    monkeypatch.setattr("fewlex.augment.geca._TRIES_PER_EXAMPLE", 0)
    assert len(augment_geca(load("colors")["train"], limit=1000)) <= 3


@pytest.mark.parametrize(("variant", "of_the_test"), [("jump", 1000), ("around_right", 750)])
def test_scan_is_generalized_rightly(variant: str, of_the_test: int) -> None:
    """Every new pair is one of the grammar, and most are of the test (see docs/lab/augmentation.md)."""
    corpus = load(f"scan:{variant}")
    new = pairs_of(augment(corpus["train"], parameters={"limit": 1000}))
    assert len(new) == 1000
    assert new <= set(commands())
    assert len(new & pairs_of(corpus["test"])) >= of_the_test


@pytest.mark.parametrize(
    ("method", "parameters", "message"),
    [
        ("gecka", {}, "no augmentation method 'gecka'. Did you mean 'geca'?"),
        ("geca", {"windows": 1}, "geca has no parameter 'windows'. Did you mean 'window'?"),
        ("geca", {"window": "far"}, "geca: window must be a whole number, not 'far'"),
        ("geca", {"size": 0}, "geca: size = 0 makes no sense. Give at least 1"),
        ("geca", {"gaps": 9}, "geca: gaps = 9 is too many. Give at most 8"),
    ],
)
def test_mistakes_are_explained(method: str, parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        augment(examples_of(WALK), method, parameters)
    assert message in str(caught.value)


def test_the_registry() -> None:
    assert AUGMENTERS["geca"] is augment_geca
