"""Sources that share rare words are alike."""

from __future__ import annotations

from fewlex.data.similar import SimilarSources
from fewlex.data.vocabulary import SPECIALS

FIRST = len(SPECIALS)
THE, DOG, CAT, SLEEPS, RUNS = range(FIRST, FIRST + 5)
SOURCES = [[THE, DOG, SLEEPS], [THE, CAT, SLEEPS], [THE, CAT, RUNS], [THE, DOG, SLEEPS]]


def test_the_same_source_is_nearest_and_earlier_ones_come_first() -> None:
    assert SimilarSources(SOURCES).nearest([THE, DOG, SLEEPS], 2) == [0, 3]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    sources = [[THE, CAT], [THE, DOG], [THE, CAT], [CAT, RUNS]]
    # Both share one word with the question, but RUNS is in one source and THE in three.
    assert SimilarSources(sources).nearest([THE, RUNS], 1) == [3]


def test_only_sources_that_share_a_word_are_found() -> None:
    assert SimilarSources(SOURCES).nearest([RUNS], 10) == [2]
    assert SimilarSources(SOURCES).nearest([FIRST + 99], 10) == []
    assert SimilarSources([]).nearest([RUNS], 10) == []


def test_special_symbols_are_no_words() -> None:
    specials = list(range(FIRST))
    assert SimilarSources([specials, [*specials, DOG]]).nearest(specials, 10) == []


def test_some_sources_can_be_left_out() -> None:
    similar = SimilarSources(SOURCES)
    hidden = similar.holding([DOG])
    assert hidden.tolist() == [True, False, False, True]
    assert similar.nearest([THE, DOG, SLEEPS], 10, but=hidden) == [1, 2]
