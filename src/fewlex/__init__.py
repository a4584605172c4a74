"""fewlex teaches a sequence model words from one example.

    corpus = fewlex.load("scan:jump")
    lexicon = fewlex.learn_lexicon(corpus["train"])
    run = fewlex.train(corpus, fewlex.build_config("fast", "scan:jump"), "runs/jump")
    fewlex.Translator.load(run.path).translate("jump twice")

Importing this package imports no torch: names that need it load when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fewlex.config import Config
from fewlex.config_layers import build_config
from fewlex.data import load
from fewlex.data.example import Corpus, Example
from fewlex.errors import FewlexError
from fewlex.lexicon import Lexicon, learn_lexicon
from fewlex.version import __version__

if TYPE_CHECKING:
    from fewlex.training import train
    from fewlex.translation import Translation
    from fewlex.translator import Translator

__all__ = [
    "Config",
    "Corpus",
    "Example",
    "FewlexError",
    "Lexicon",
    "Translation",
    "Translator",
    "__version__",
    "build_config",
    "learn_lexicon",
    "load",
    "train",
]

_NEEDS_TORCH = {
    "train": "fewlex.training",
    "Translation": "fewlex.translation",
    "Translator": "fewlex.translator",
}


def __getattr__(name: str) -> Any:
    if name in _NEEDS_TORCH:
        return getattr(import_module(_NEEDS_TORCH[name]), name)
    raise AttributeError(f"module 'fewlex' has no attribute {name!r}")
