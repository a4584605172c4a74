"""Rules with holes: a small synchronous grammar that is learned from pairs, read and corrected by people. No torch."""

from fewlex.rules.book import Calibration, Measured, RuleBook, Word
from fewlex.rules.rule import ARROW, LEARNED, PERSON, Fillers, Rule, Symbol

__all__ = [
    "ARROW",
    "LEARNED",
    "PERSON",
    "Calibration",
    "Fillers",
    "Measured",
    "Rule",
    "RuleBook",
    "Symbol",
    "Word",
]
