"""How well the learner of rules does on languages that nobody chose: accuracy by construction.

python -m tests.rules.any_language             # 200 languages that development never looks at
python -m tests.rules.any_language 0 40        # languages of development: seeds 0 to 39
python -m tests.rules.any_language 17 18 --show   # one language, its rules and its mistakes
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fewlex.data.example import Example
from fewlex.errors import ParseBudgetError
from fewlex.rules import RuleBook, RuleParser, learn_rules
from tests.rules.hand_written import assistant, queries
from tests.rules.random_grammars import Language, Score, draw_language, score
from tests.rules.synchronous import Words

HELD_OUT_SEEDS = range(10_000, 10_200)
"""Choices are made on languages of seeds below 10,000."""


@dataclass(frozen=True)
class Outcome:
    """What was learned of one language."""

    language: Language
    book: RuleBook
    score: Score
    seconds: float

    def __str__(self) -> str:
        tags = self.score.by_tag()
        deeper = f"{tags['deeper']:.3f}" if "deeper" in tags else "  –  "
        return (
            f"{self.language.name:<18} {self.score.accuracy:.3f}  deeper {deeper}  "
            f"{len(self.language.train)} pairs, {len(self.book.rules)} rules, {self.seconds:.1f} s"
        )


def translator(book: RuleBook) -> Callable[[Words], Words | None]:
    parser = RuleParser(book)

    def translate(source: Words) -> Words | None:
        try:
            derivation = parser.parse(source)
        except ParseBudgetError:
            return None
        return None if derivation is None else derivation.tokens

    return translate


def try_language(language: Language) -> Outcome:
    started = time.perf_counter()
    book = learn_rules([Example(source, target) for source, target in language.pairs()])
    result = score(language, translator(book))
    return Outcome(language, book, result, time.perf_counter() - started)


def try_all(seeds: Iterable[int]) -> Iterator[Outcome]:
    for seed in seeds:
        yield try_language(draw_language(seed))


def summary(outcomes: Iterable[Outcome]) -> tuple[float, Score]:
    """The mean accuracy over languages, and all answers together by construction."""
    outcomes = list(outcomes)
    total = sum((outcome.score for outcome in outcomes), Score(Counter(), Counter()))
    return sum(outcome.score.accuracy for outcome in outcomes) / len(outcomes), total


def main(arguments: list[str]) -> None:
    is_shown = "--show" in arguments
    numbers = [int(argument) for argument in arguments if argument.isdecimal()]
    outcomes = []
    if not numbers:
        for language in (assistant(), queries()):
            print(try_language(language), flush=True)
    for outcome in try_all(range(*numbers) if numbers else HELD_OUT_SEEDS):
        outcomes.append(outcome)
        print(outcome, flush=True)
        if is_shown:
            show(outcome)
    mean, total = summary(outcomes)
    for tag, accuracy in total.by_tag().items():
        print(f"  {tag:<16} {accuracy:.4f}  of {total.asked[tag]:,}")
    print(f"mean over {len(outcomes)} languages: {mean:.4f}")


def show(outcome: Outcome) -> None:
    """The language, what was learned of it, and its first mistakes."""
    translate, language = translator(outcome.book), outcome.language
    for production in language.grammar.productions:
        print("   ", production)
    for rule in outcome.book.rules:
        fillers = " ".join("|".join(kinds) for kinds in rule.fillers)
        print(f"    {rule.name} {rule.count}: {rule}    {fillers}")
    print("    words:", "; ".join(f"{w.term} {' '.join(w.target)} {w.kind}" for w in outcome.book.words))
    wrong = [d for d in (*language.same, *language.deeper) if translate(d.source) != d.target]
    for drawn in wrong[:5]:
        print("    source ", " ".join(drawn.source))
        print("    target ", " ".join(drawn.target))
        print("    learned", " ".join(translate(drawn.source) or ("–",)))


if __name__ == "__main__":
    main(sys.argv[1:])
