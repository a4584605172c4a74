"""What the rules get wrong on COGS *gen*, and what training says about it.

    python benchmarks/rules_errors.py

Where an answer differs from the test's in one role, one line for each verb: how many answers, the two roles, and how
often training gives the verb each role in the same construction, a subject and nothing else. A noun is animate if
training has it as the agent of a verb with an object.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rules import cogs

from fewlex.data import Example
from fewlex.rules import Derivation, RuleParser, learn_rules

ROLES = ("agent", "theme")


class Use(NamedTuple):
    """A verb with a subject and nothing else: `girl … rolled .` is `roll ( theme = * girl`."""

    verb: str
    noun: str
    role: str


def main() -> None:
    corpus = cogs()
    parser = RuleParser(learn_rules(corpus["train"]))
    wrong = [
        (example, answer)
        for example, answer in zip(
            corpus["gen"], parser.parse_all(e.source for e in corpus["gen"]), strict=True
        )
        if answer is None or answer.tokens != tuple(example.target)
    ]
    print(f"{len(wrong)} of {len(corpus['gen'])} are wrong: {dict(Counter(e.category for e, _ in wrong))}")
    exchanged = Counter(_difference(example, answer) for example, answer in wrong)
    print("the rules' role, the test's role:", dict(exchanged))

    training = Counter(_uses(corpus["train"]))
    animate = set(_agents_of_others(corpus["train"]))
    blamed = Counter(use for example, _ in wrong for use in _uses([example]))
    of_verb: dict[str, Counter[tuple[str, bool]]] = defaultdict(Counter)
    for use, n in training.items():
        of_verb[use.verb][use.role, use.noun in animate] += n
    total: Counter[tuple[str, bool]] = Counter()
    verbs = Counter(use.verb for use in blamed.elements())
    for verb, n in verbs.most_common():
        total += of_verb[verb]
        print(f"{verb}: {n} wrong; in training {_told(of_verb[verb])}")
    n_animate = sum(n for use, n in blamed.items() if use.noun in animate)
    print(
        f"all {len(verbs)} verbs: {verbs.total()} wrong, {n_animate} of them with an animate noun; "
        f"in training {_told(total)}"
    )
    for category in sorted({example.category for example in corpus["gen"]}):
        uses = [use for use in _uses(e for e in corpus["gen"] if e.category == category) if use.verb in verbs]
        if uses:
            print(f"test, {category}: {_told(Counter((use.role, use.noun in animate) for use in uses))}")


def _difference(example: Example, answer: Derivation | None) -> tuple[tuple[str, str], ...]:
    if answer is None or len(answer.tokens) != len(example.target):
        return (("other", "other"),)
    return tuple((a, b) for a, b in zip(answer.tokens, example.target, strict=True) if a != b)


def _uses(examples: Iterable[Example]) -> Iterator[Use]:
    """The last clauses that are a subject and a verb; no passives, and nothing that somebody *wanted to* do."""
    for example in examples:
        source, target = example.source, example.target
        places = [place for place, token in enumerate(target[:-2]) if token in (*ROLES, "recipient")]
        if places and source[-1] == "." and source[-3] not in ("was", "to"):
            last = places[-1]
            if target[last - 1] == "(" and target[last] in ROLES:
                yield Use(target[last - 2], _noun(target, last), target[last])


def _agents_of_others(examples: Iterable[Example]) -> Iterator[str]:
    """The agents of verbs that have an object, too."""
    for example in examples:
        target = example.target
        if "agent" in target and "theme" in target:
            yield _noun(target, target.index("agent"))


def _noun(target: Sequence[str], role: int) -> str:
    """The head of what fills a role: `agent = * girl ( …` or `agent = Emma`."""
    return target[role + 3] if target[role + 2] in ("*", "a") else target[role + 2]


def _told(counts: Counter[tuple[str, bool]]) -> str:
    return ", ".join(f"{role} {counts[role, True]} (animate) + {counts[role, False]} (not)" for role in ROLES)


if __name__ == "__main__":
    main()
