"""fewlex teaches a sequence model words from one example.

    translator = fewlex.fit([("jump", "JUMP"), ("jump twice", "JUMP JUMP"), …])
    translator.predict(["jump twice"])

Importing this package imports no torch: names that need it load when they are first used.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fewlex.config import Config
from fewlex.config_layers import build_config
from fewlex.data import load
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.errors import FewlexError
from fewlex.lexicon import Lexicon, learn_lexicon
from fewlex.version import __version__

# Torch's threads wait for each other by spinning, unless this is set before torch loads. On a machine that others use
# too, a thread that spins keeps the one that it waits for from running (docs/reliability.md has the figures).
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

if TYPE_CHECKING:
    from fewlex.answer import Answer
    from fewlex.evaluation import evaluate
    from fewlex.fitting import fit
    from fewlex.run import Run
    from fewlex.training import train
    from fewlex.translator import Translator

__all__ = [
    "Answer",
    "Config",
    "Corpus",
    "Example",
    "FewlexError",
    "Lexicon",
    "Run",
    "Translator",
    "__version__",
    "build_config",
    "evaluate",
    "fit",
    "learn_lexicon",
    "load",
    "train",
]

_LOADED_WHEN_USED = {
    "Answer": "fewlex.answer",
    "Run": "fewlex.run",
    "Translator": "fewlex.translator",
    "evaluate": "fewlex.evaluation",
    "fit": "fewlex.fitting",
    "train": "fewlex.training",
}


def __getattr__(name: str) -> Any:
    if name in _LOADED_WHEN_USED:
        return getattr(import_module(_LOADED_WHEN_USED[name]), name)
    raise AttributeError(f"module 'fewlex' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
