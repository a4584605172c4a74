"""Samples have what training lacks: clauses within clauses, and phrases where training has only words."""

from __future__ import annotations

import random
from itertools import pairwise

from fewlex.augment import RuleSampler
from fewlex.augment.plans import Plans
from fewlex.data import Example
from fewlex.rules.text import from_text

WORDS = " ".join(f"n{i}" for i in range(12)).split()
BOOK = from_text(
    """\
R1	_ saw _ ↦ see ( #0 , #1 )	#0: N×90	#1: N×60 R3×30
R2	_ said that _ ↦ say ( #0 , #1 )	#0: N×10	#1: R1×8 R2
R3	_ on _ ↦ #0 ( on #1 )	#0: N×30	#1: N×25 R3×5
sentence	R1×80 R2×10
[N]
"""
    + "".join(f"{word} ↦ {word.upper()}\n" for word in WORDS),
    "clauses",
)
DEEPEST_SEEN = "n1 said that n2 said that n3 saw n4"
SEEN = [Example(tuple(DEEPEST_SEEN.split()), ("x",) * 30)]


def test_recursions_are_equally_frequent_and_new_fillers_are_tried() -> None:
    samples = list(RuleSampler(BOOK, SEEN, depth=9, length=60).draw(600, random.Random(0)))
    deep = sum(example.source.count("that") >= 3 for example in samples)
    stacked = sum(example.source.count("on") >= 3 for example in samples)
    new = sum(example.source[1] == "on" for example in samples)
    assert deep >= 30, "clauses within clauses, of which training has one in a hundred"
    assert stacked >= 30
    assert new >= 30, "a phrase as the subject, which training never has"
    assert max(example.source.count("that") for example in samples) >= 6


def test_plans_say_what_fills_which_hole() -> None:
    plans = Plans(BOOK, RuleSampler(BOOK, SEEN, depth=9)._stretched, depth=9)
    assert set(plans.cycles) == {((("R2", 1), "R2"),), ((("R3", 1), "R3"),)}
    assert {(("R1", 0), "R3")} <= {step for (step,) in plans.novelties}
    rng = random.Random(0)
    for plan in (plans.draw(rng) for _ in range(50)):
        assert plan[0][0] == ("", 0), "a plan begins at the top"
        assert len(plan) <= 9
        assert all(hole[0] == above for (_, above), (hole, _) in pairwise(plan))
