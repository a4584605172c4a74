"""How well the learner of rules does on languages that nobody chose: accuracy by construction.

python -m tests.rules.any_language             # 200 languages that development never looks at
python -m tests.rules.any_language 0 40        # languages of development: seeds 0 to 39
python -m tests.rules.any_language 17 18 --show   # one language, its rules and its mistakes
python -m tests.rules.any_language --user         # languages of the kinds that users bring, unseen ones
python -m tests.rules.any_language --user sql 0 5 # languages of development of one family
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fewlex.data.example import Example
from fewlex.rules import RuleBook, RuleParser, learn_rules
from fewlex.rules.evaluation import parse_or_none
from tests.rules.notebook import draw_user_language
from tests.rules.notebook_families import FAMILIES
from tests.rules.random_grammars import Language, Score, draw_language, score
from tests.rules.synchronous import Words

HELD_OUT_SEEDS = range(10_000, 10_200)
"""Choices are made on languages of seeds below 10,000."""

HELD_OUT_USER_SEEDS = range(1_000, 1_005)
"""The same for the families that users bring: their languages of development have seeds below 1,000."""


@dataclass(frozen=True)
class Outcome:
    """What was learned of one language."""

    language: Language
    book: RuleBook
    score: Score
    sure: int
    """In how many held-out sentences the rules were sure of their answer, and in how many of these it was right."""
    sure_and_right: int
    seconds: float

    def __str__(self) -> str:
        tags = self.score.by_tag()
        deeper = f"{tags['deeper']:.3f}" if "deeper" in tags else "  –  "
        return (
            f"{self.language.name:<18} {self.score.accuracy:.3f}  deeper {deeper}  "
            f"sure of {self.sure} of {self.score.asked['all']}, {self.sure_and_right} right  "
            f"{len(self.language.train)} pairs, {len(self.book.rules)} rules, {self.seconds:.1f} s"
        )


def try_language(language: Language) -> Outcome:
    started = time.process_time()
    book = learn_rules([Example(source, target) for source, target in language.pairs()])
    seconds = time.process_time() - started
    parser = RuleParser(book)
    asked = {drawn.source: drawn.target for drawn in (*language.same, *language.deeper)}
    answers = {source: parse_or_none(parser, source) for source in asked}
    said = {source: answer.tokens for source, answer in answers.items() if answer is not None}
    sure = [source for source, answer in answers.items() if answer is not None and answer.is_sure]
    right = sum(said[source] == asked[source] for source in sure)
    return Outcome(language, book, score(language, said.get), len(sure), right, seconds)


def try_all(seeds: Iterable[int]) -> Iterator[Outcome]:
    for seed in seeds:
        yield try_language(draw_language(seed))


def try_families(names: Iterable[str], seeds: Iterable[int]) -> Iterator[Outcome]:
    """Languages of the kinds that users bring."""
    for name in names:
        for seed in seeds:
            yield try_language(draw_user_language(name, seed))


def summary(outcomes: Iterable[Outcome]) -> tuple[float, Score]:
    """The mean accuracy over languages, and all answers together by construction."""
    outcomes = list(outcomes)
    total = sum((outcome.score for outcome in outcomes), Score(Counter(), Counter()))
    return sum(outcome.score.accuracy for outcome in outcomes) / len(outcomes), total


def main(arguments: list[str]) -> None:
    is_shown = "--show" in arguments
    numbers = [int(argument) for argument in arguments if argument.isdecimal()]
    if "--user" in arguments:
        names = [name for name in FAMILIES if name in arguments] or list(FAMILIES)
        tried = try_families(names, range(*numbers) if numbers else HELD_OUT_USER_SEEDS)
    else:
        tried = try_all(range(*numbers) if numbers else HELD_OUT_SEEDS)
    outcomes = []
    for outcome in tried:
        outcomes.append(outcome)
        print(outcome, flush=True)
        if is_shown:
            show(outcome)
    report(outcomes)


def report(outcomes: Sequence[Outcome]) -> None:
    """Accuracy by family and by construction, and how often the rules are right where they are sure."""
    for family in dict.fromkeys(outcome.language.family for outcome in outcomes):
        mean, _ = summary(outcome for outcome in outcomes if outcome.language.family == family)
        print(f"  {family:<16} {mean:.4f}")
    mean, total = summary(outcomes)
    for tag, accuracy in total.by_tag().items():
        print(f"  {tag:<16} {accuracy:.4f}  of {total.asked[tag]:,}")
    sure, right = sum(o.sure for o in outcomes), sum(o.sure_and_right for o in outcomes)
    print(f"sure of {sure / total.asked['all']:.4f}, right in {right / max(1, sure):.4f} of these")
    print(f"mean over {len(outcomes)} languages: {mean:.4f}")


def show(outcome: Outcome) -> None:
    """The language, what was learned of it, and its first mistakes."""
    language, parser = outcome.language, RuleParser(outcome.book)

    def translate(source: Words) -> Words | None:
        derivation = parse_or_none(parser, source)
        return None if derivation is None else derivation.tokens

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
