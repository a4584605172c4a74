"""The public names of the package: these and no others."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import fewlex

PUBLIC = [
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
OWN_TOOLS = {"Any", "TYPE_CHECKING", "annotations", "import_module"}
"""What the package imports for its own use."""


def test_all_and_dir_list_the_public_names() -> None:
    assert sorted(fewlex.__all__) == PUBLIC
    assert dir(fewlex) == PUBLIC


def test_a_star_import_brings_the_public_names() -> None:
    names: dict[str, Any] = {}
    exec("from fewlex import *", names)
    assert names.keys() - {"__builtins__"} == set(PUBLIC)


def test_nothing_else_can_be_imported_by_accident() -> None:
    found = {
        name
        for name, value in vars(fewlex).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert found - set(PUBLIC) == OWN_TOOLS
