"""Measures the default on small languages, and writes the table of docs/recipe.md.

    python -m tests.languages.measure                      # all five languages, 800 and 200 pairs
    python -m tests.languages.measure queries --pairs 200  # a part of them
    python -m tests.languages.measure --practice           # the languages by which the default is chosen

Each run is what a user would do: `fewlex.fit(pairs)` without a setting. What was measured is kept in measured.json, and
the table is written from that file. `--practice` only prints.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import assistant
import glosses
import phonemes
from sampling import KINDS, Drawn, Language, draw

import fewlex
from fewlex.confidence import reliability
from tests.languages import invented, queries
from tests.languages.practice import PRACTICE

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).parent / "measured.json"
PAGE = ROOT / "docs" / "recipe.md"
BEGIN = "<!-- table: `python -m tests.languages.measure` writes it -->"
END = "<!-- end of table -->"
LANGUAGES = (assistant.LANGUAGE, glosses.LANGUAGE, phonemes.LANGUAGE, invented.LANGUAGE, queries.LANGUAGE)
HIDDEN = ("invented", "queries")
PAIRS = (800, 200)

Row: TypeAlias = dict[str, Any]


def measure(language: Language, pairs: int, seed: int = 0) -> Row:
    """Fit one language, ask all its test sentences, teach it five words and ask for these."""
    drawn = draw(language, pairs, seed)
    started = time.process_time()
    translator = fewlex.fit(drawn.train)
    seconds = time.process_time() - started
    row: Row = {"language": language.name, "pairs": pairs, "seed": seed}
    row |= ask(translator, drawn) | {"seconds": round(seconds, 1)}
    return row


def ask(translator: fewlex.Translator, drawn: Drawn) -> Row:
    """The share of right answers to each kind of sentence, who answered, and how far confidence is from accuracy."""
    right: dict[str, float] = {}
    by: Counter[str] = Counter()
    sure: list[float] = []
    hits: list[bool] = []
    for kind in (*KINDS, "taught"):
        if kind == "taught":
            for source, target, like in drawn.lessons:
                translator.teach(source, target, like=like)
        asked = drawn.after_lessons if kind == "taught" else drawn.tests[kind]
        answers = [best for best, *_ in translator.translate_lines([source for source, _ in asked])]
        found = [answer.text == target for answer, (_, target) in zip(answers, asked, strict=True)]
        right[kind] = sum(found) / len(found)
        by.update(answer.by for answer in answers)
        sure.extend(answer.confidence or 0.0 for answer in answers)
        hits.extend(found)
    measured = reliability(sure, hits)
    error = 0.0 if measured is None else round(measured.error, 3)
    return {"right": right, "by": dict(by.most_common()), "calibration_error": error}


def table(rows: Iterable[Row]) -> str:
    """The rows as Markdown."""
    heads = ("language", "pairs", *KINDS, "five taught words", "answered by", "calibration error", "seconds")
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for row in rows:
        name = row["language"] + (" (tests only)" if row["language"] in HIDDEN else "")
        scores = [f"{share:.3f}" for share in row["right"].values()]
        total = sum(row["by"].values())
        by = ", ".join(f"{who} {number / total:.0%}" for who, number in row["by"].items())
        cells = (name, row["pairs"], *scores, by, f"{row['calibration_error']:.3f}", f"{row['seconds']:.0f}")
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def with_table(page: str, rows: Iterable[Row]) -> str:
    """The page with the table between its two comments written again."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    assert begin, f"{PAGE} has no place for the table"
    assert end, f"{PAGE} has no end of the table"
    return f"{before}{BEGIN}\n\n{table(rows)}\n\n{END}{after}"


def kept_rows() -> list[Row]:
    rows: list[Row] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else []
    order = [language.name for language in LANGUAGES]
    return sorted(rows, key=lambda row: (order.index(row["language"]), -row["pairs"], row["seed"]))


def keep(row: Row) -> None:
    """Put a row in the place of an older one, and write the table."""
    same = ("language", "pairs", "seed")
    rows = [old for old in kept_rows() if any(old[key] != row[key] for key in same)]
    KEPT.write_text(json.dumps([*rows, row], indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), kept_rows()), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("languages", nargs="*", help="names of languages; all if none is given")
    asked.add_argument("--pairs", type=int, nargs="*", default=PAIRS)
    asked.add_argument("--seed", type=int, default=0, help="another sample of the languages")
    asked.add_argument("--practice", action="store_true", help="the languages by which the default is chosen")
    chosen = asked.parse_args(arguments)
    for language in PRACTICE if chosen.practice else LANGUAGES:
        if chosen.languages and language.name not in chosen.languages:
            continue
        for pairs in chosen.pairs:
            row = measure(language, pairs, chosen.seed)
            print(table([row]).splitlines()[-1], flush=True)
            if not chosen.practice and not chosen.seed:
                keep(row)


if __name__ == "__main__":
    main()
