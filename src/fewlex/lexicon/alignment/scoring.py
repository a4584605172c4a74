"""Precision, recall and alignment error rate (AER) of links and lexicons, compared with links that people made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fewlex.data.lines import numbered_lines
from fewlex.errors import DataError
from fewlex.lexicon.alignment.links import Link, parse_pharaoh
from fewlex.lexicon.finishing import best_translations
from fewlex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from fewlex.data.example import Example


@dataclass(frozen=True)
class LinkScores:
    """Och and Ney's measures, which compare the links A with the sure links S and the possible links P ⊇ S."""

    precision: float  # |A ∩ P| / |A|
    recall: float  # |A ∩ S| / |S|
    aer: float  # 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
    links: int  # |A|
    sure: int  # |S|


def score_links(found: Iterable[set[Link]], gold: Iterable[tuple[set[Link], set[Link]]]) -> LinkScores:
    """Compare the links of each sentence with its sure and possible links."""
    links = sure_links = right_sure = right_possible = 0
    for one, (sure, possible) in zip(found, gold, strict=True):
        links += len(one)
        sure_links += len(sure)
        right_sure += len(one & sure)
        right_possible += len(one & possible)
    return LinkScores(
        precision=right_possible / links if links else 0.0,
        recall=right_sure / sure_links if sure_links else 0.0,
        aer=1 - (right_sure + right_possible) / (links + sure_links) if links + sure_links else 0.0,
        links=links,
        sure=sure_links,
    )


def read_gold(path: Path | str) -> list[tuple[set[Link], set[Link]]]:
    """The sure and the possible links of each line of a file in Pharaoh format; `1?2` is possible but not sure."""
    return [parse_pharaoh(line, str(path), number) for number, line in numbered_lines(path)]


def lexicon_links(lexicon: Lexicon, examples: Iterable[Example]) -> Iterable[set[Link]]:
    """Link each source token to all target tokens that are its best translation."""
    best = best_translations(lexicon)
    for example in examples:
        yield {
            (i, j)
            for i, source in enumerate(example.source)
            for j, target in enumerate(example.target)
            if best.get(source) == target
        }


def score_entries(lexicon: Lexicon, gold: Lexicon) -> LinkScores:
    """Compare the best translation of each word with the entries of a lexicon that is known to be right."""
    found = set(best_translations(lexicon).items())
    right = {(source, target) for source, target, _ in gold}
    correct = len(found & right)
    return LinkScores(
        precision=correct / len(found) if found else 0.0,
        recall=correct / len(right) if right else 0.0,
        aer=1 - 2 * correct / (len(found) + len(right)) if found or right else 0.0,
        links=len(found),
        sure=len(right),
    )


def score_lexicon(lexicon: Lexicon, examples: Sequence[Example], gold: Path | str) -> LinkScores:
    """Link each source token to the target tokens that are its best translation, and score these links."""
    links = read_gold(gold)
    if len(links) != len(examples):
        raise DataError(
            f"{gold}: there are {len(links)} lines of links for {len(examples)} sentence pairs. Give one line for each."
        )
    return score_links(lexicon_links(lexicon, examples), links)
