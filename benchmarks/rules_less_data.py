"""Rules from parts of COGS: how much of what goes wrong has a word that the part lacks.

    python benchmarks/rules_less_data.py [PAIRS ...]

For each number of pairs, drawn at random, one line: exact match on 40 sentences of each category of *gen*, the share of
these that have only words of the part, exact match on those, and how often the rules are right where they are sure.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict

from rules import cogs

from fewlex.data import Example
from fewlex.rules import RuleParser, learn_rules
from fewlex.rules.evaluation import evaluate_rules

OF_A_CATEGORY = 40


def main(sizes: list[int]) -> None:
    corpus = cogs()
    by_category: dict[str, list[Example]] = defaultdict(list)
    for example in corpus["gen"]:
        by_category[example.category].append(example)
    gen = [example for examples in by_category.values() for example in examples[:OF_A_CATEGORY]]
    for size in sizes:
        part = random.Random(0).sample(list(corpus["train"]), size)
        words = {word for example in part for word in example.source}
        known = [example for example in gen if words.issuperset(example.source)]
        parser = RuleParser(learn_rules(part))
        every, few = evaluate_rules(parser, gen), evaluate_rules(parser, known)
        precision = "–" if every.precision is None else f"{every.precision:.3f}"
        print(
            f"{size:>6} pairs: {every.exact_match:.3f}; {len(known) / len(gen):.3f} have only known words, "
            f"{few.exact_match:.3f} of these are right; sure of {every.sure:.3f}, right in {precision} of these; "
            f"{len(parser.book.rules)} rules",
            flush=True,
        )


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [1_000, 3_000, 10_000])
