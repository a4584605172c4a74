"""The parts of a run that a result keeps for figures: some rows of the lexicon, and one translation of a rare word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fewlex.bleu import token_f1
from fewlex.data.example import Example
from fewlex.lexicon import Lexicon, finish

if TYPE_CHECKING:
    from fewlex.answer import Answer

FIGURE_TEMPERATURE = 0.1
"""The temperature τ of the paper's figures."""
WORDS_SHOWN = 24
TRANSLATIONS_SHOWN = 5
ROUNDED = 3


def lexicon_excerpt(
    lexicon: Lexicon, train: Sequence[Example], test: Sequence[Example]
) -> dict[str, dict[str, float]]:
    """Rows of L at τ = 0.1: all rows of a small lexicon, and of a large one the rare words that the test uses most.

    The choice of words depends on the data alone, so that lexicons can be compared. A word without entries has an empty
    row, because its background row would look as if it had entries.
    """
    sources = dict.fromkeys(word for example in train for word in example.source)
    targets = dict.fromkeys(word for example in train for word in example.target)
    finished = finish(lexicon, sources, targets, FIGURE_TEMPERATURE)
    words = list(sources)
    if len(words) > WORDS_SHOWN:
        seen = Counter(word for example in train for word in set(example.source))
        used = Counter(word for example in test for word in example.source)
        in_test = [word for word in words if used[word]]
        words = sorted(in_test, key=lambda word: (seen[word], -used[word], word))[:WORDS_SHOWN]
    return {word: _rounded(finished.rows.get(word, {})) for word in words}


def _rounded(row: Mapping[str, float]) -> dict[str, float]:
    best = sorted(row, key=lambda target: -row[target])[:TRANSLATIONS_SHOWN]
    return {target: round(row[target], ROUNDED) for target in best if row[target] >= 0.5 * 10**-ROUNDED}


def worked_example(
    translations: Sequence[Answer],
    train: Sequence[Example],
    test: Sequence[Example],
    rows: Mapping[str, Mapping[str, float]],
) -> dict[str, Any] | None:
    """The best output in which the lexicon translated a word that only one training sentence has (figure 2)."""
    seen = Counter(word for example in train for word in set(example.source))
    found: list[tuple[float, int, int]] = []
    for number, (translation, example) in enumerate(zip(translations, test, strict=True)):
        for step, origin in enumerate(translation.origins):
            if origin.how == "translated" and seen[origin.source] == 1 and origin.token in example.target:
                found.append((token_f1(example.target, translation.tokens), -number, step))
                break
    if not found:
        return None
    _, negative, step = max(found)
    translation, example = translations[-negative], test[-negative]
    word = translation.origins[step].source
    lesson = next(e for e in train if word in e.source)
    return {
        "word": word,
        "step": step,
        "learned_from": {"source": " ".join(lesson.source), "target": " ".join(lesson.target)},
        "source": list(translation.source),
        "tokens": list(translation.tokens),
        "reference": list(example.target),
        "attention": [[round(a, ROUNDED) for a in looked] for looked in translation.attention],
        "write_gate": [round(gate, ROUNDED) for gate in translation.write_gate],
        "lexicon": {source: _rounded(rows[source]) for source in translation.source if source in rows},
    }
