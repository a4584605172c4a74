"""Small rule books that several tests use."""

from __future__ import annotations

from fewlex.rules import Calibration, Measured, Rule, RuleBook, Word
from fewlex.rules.text import from_text

TEXT = """\
R1	_ twice ↦ #0 #0	#0: C0×5
R2	_ and _ ↦ #0 #1	#0: C0×3 R1×2	#1: C0×2 R1×3
R3	_ after _ ↦ #1 #0	#0: C0 R1	#1: C0 R1

sentence	R2×5 R3×2 R1×2 C0

[C0]
walk ↦ I_WALK
jump ↦ I_JUMP
turn round ↦ I_TURN I_TURN
"""


def scan() -> RuleBook:
    """Commands with *twice*, *and* and *after*, as if they had been learned."""
    book = from_text(TEXT, "scan")
    return RuleBook(
        tuple(
            Rule(r.name, r.source, r.target, r.fillers, count, example=("walk", "twice"))
            for r, count in zip(book.rules, (7, 5, 2), strict=True)
        ),
        tuple(Word(w.source, w.target, w.kind, habits={"R1#0": 2}) for w in book.words),
        book.sentences,
        calibration=Calibration({0: 0.995, 1: 0.5}, 40),
        measured=Measured(12, 1.0),
    )
