"""Rules with holes: a small synchronous grammar that is learned from pairs, read and corrected by people. No torch.

The modules of this folder are the book itself: `rule`, `book`, how people read and write it (`text`, `storage`,
`view`), how they change it (`edits`, `journal`), and how good it is (`evaluation`, `checking`, `trial`). Below it,
`words` finds out what words stand for, `learning` makes a book of that, and `parsing` translates with a book.
"""

from fewlex.rules.book import Calibration, Measured, RuleBook, Word
from fewlex.rules.learning.learner import learn_rules
from fewlex.rules.parsing.derivation import Derivation, Node
from fewlex.rules.parsing.parser import RuleParser
from fewlex.rules.rule import ARROW, LEARNED, PERSON, Fillers, Rule, Symbol

__all__ = [
    "ARROW",
    "LEARNED",
    "PERSON",
    "Calibration",
    "Derivation",
    "Fillers",
    "Measured",
    "Node",
    "Rule",
    "RuleBook",
    "RuleParser",
    "Symbol",
    "Word",
    "learn_rules",
]
