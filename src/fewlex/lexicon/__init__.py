"""Lexicons: what they are, how they are learned (§4), how they become the matrix L (§3). No torch."""

from fewlex.lexicon.alignment.settings import Ibm2Settings
from fewlex.lexicon.bayes.settings import BayesianSettings
from fewlex.lexicon.classes import class_by_place, word_classes
from fewlex.lexicon.entry import GLOSSARY, PERSON, Entry
from fewlex.lexicon.execution import Execution
from fewlex.lexicon.finishing import FinishedLexicon, best_translation, best_translations, finish
from fewlex.lexicon.glossary import read_glossary, read_keep, unused
from fewlex.lexicon.journal import Change, Edit, Journal
from fewlex.lexicon.learners import LEARNERS, Learner, default_parameters, learn_lexicon, with_exact_rows
from fewlex.lexicon.lexicon import Difference, Lexicon
from fewlex.lexicon.one_shot import infer_entry, wider_reading
from fewlex.lexicon.view import plot_heatmap, show_lexicon

__all__ = [
    "GLOSSARY",
    "LEARNERS",
    "PERSON",
    "BayesianSettings",
    "Change",
    "Difference",
    "Edit",
    "Entry",
    "Execution",
    "FinishedLexicon",
    "Ibm2Settings",
    "Journal",
    "Learner",
    "Lexicon",
    "best_translation",
    "best_translations",
    "class_by_place",
    "default_parameters",
    "finish",
    "infer_entry",
    "learn_lexicon",
    "plot_heatmap",
    "read_glossary",
    "read_keep",
    "show_lexicon",
    "unused",
    "wider_reading",
    "with_exact_rows",
    "word_classes",
]
