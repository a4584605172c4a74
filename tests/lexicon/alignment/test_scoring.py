from __future__ import annotations

from pathlib import Path

import pytest

from fewlex.errors import DataError
from fewlex.lexicon import Entry, Lexicon
from fewlex.lexicon.alignment.scoring import score_entries, score_lexicon, score_links
from tests.lexicon.conftest import Pairs


def test_och_and_ney_by_hand() -> None:
    # A has 4 links, S 3, P 5; 2 of A are sure and 3 possible.
    found = [{(0, 0), (1, 1)}, {(0, 1), (5, 5)}]
    gold = [({(0, 0), (2, 2)}, {(0, 0), (2, 2), (1, 1)}), ({(0, 1)}, {(0, 1), (1, 0)})]
    scores = score_links(found, gold)
    assert (scores.precision, scores.recall, scores.aer) == pytest.approx(
        (3 / 4, 2 / 3, 1 - (2 + 3) / (4 + 3))
    )
    assert (scores.links, scores.sure) == (4, 3)


def test_a_lexicon_against_links(pairs: Pairs, tmp_path: Path) -> None:
    examples = pairs("a b | X Y\nb a | X X")
    lexicon = Lexicon([("a", "X", Entry(2)), ("a", "Y", Entry(1)), ("b", "Z", Entry(1))])
    gold = tmp_path / "gold.txt"
    gold.write_text("0-0 1-1\n1-0 1?1\n")
    scores = score_lexicon(lexicon, examples, gold)
    # Found: 0-0 in the first pair, 1-0 and 1-1 in the second.
    assert (scores.precision, scores.links, scores.sure) == (1.0, 3, 3)
    assert scores.recall == pytest.approx(2 / 3)


def test_a_lexicon_against_a_lexicon() -> None:
    learned = Lexicon([("a", "X", Entry(2)), ("b", "Z", Entry(1))])
    right = Lexicon([("a", "X", Entry(1)), ("b", "Y", Entry(1)), ("c", "W", Entry(1))])
    scores = score_entries(learned, right)
    assert (scores.precision, scores.recall, scores.aer) == pytest.approx((1 / 2, 1 / 3, 1 - 2 / 5))


def test_nothing_at_all_scores_nothing() -> None:
    scores = score_links([], [])
    assert (scores.precision, scores.recall, scores.aer) == (0, 0, 0)


def test_gold_that_does_not_fit(pairs: Pairs, tmp_path: Path) -> None:
    gold = tmp_path / "gold.txt"
    with pytest.raises(DataError, match="there is no such file"):
        score_lexicon(Lexicon(), pairs("a | X"), gold)
    gold.write_text("0-0\n0-0\n")
    with pytest.raises(DataError, match="2 lines of links for 1 sentence pairs"):
        score_lexicon(Lexicon(), pairs("a | X"), gold)
    gold.write_text("0=0\n")
    with pytest.raises(DataError, match=r"gold\.txt:1: '0=0' is not a link"):
        score_lexicon(Lexicon(), pairs("a | X"), gold)
