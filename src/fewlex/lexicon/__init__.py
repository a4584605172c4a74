"""Lexicons: what they are, how they are learned (§4), how they become the matrix L (§3). No torch."""

from fewlex.lexicon.classes import word_classes
from fewlex.lexicon.entry import PERSON, Entry
from fewlex.lexicon.finish import FinishedLexicon, best_translation, best_translations, finish
from fewlex.lexicon.learners import LEARNERS, Learner, default_parameters, learn_lexicon
from fewlex.lexicon.lexicon import Difference, Lexicon
from fewlex.lexicon.view import plot_heatmap, show_lexicon

__all__ = [
    "LEARNERS",
    "PERSON",
    "Difference",
    "Entry",
    "FinishedLexicon",
    "Learner",
    "Lexicon",
    "best_translation",
    "best_translations",
    "default_parameters",
    "finish",
    "learn_lexicon",
    "plot_heatmap",
    "show_lexicon",
    "word_classes",
]
