"""One public surface: what fewlex exports is what it says it exports, and what the manual lists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import fewlex

MANUAL = Path(__file__).parent.parent / "docs" / "python.md"


def test_dir_shows_the_public_names_and_no_others() -> None:
    assert dir(fewlex) == fewlex.__all__


def test_everything_of_fewlex_in_the_namespace_is_exported() -> None:
    """Before a name is used it may not be there yet, since torch must not load; so all of them are used first."""
    for name in fewlex.__all__:
        getattr(fewlex, name)
    own = {
        name
        for name, value in vars(fewlex).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("fewlex")
    }
    loaded_when_used = {"Answer", "Run", "Translator", "evaluate", "train"}
    assert own | loaded_when_used | {"__version__"} == set(fewlex.__all__)


def test_a_star_import_brings_all_names() -> None:
    code = "from fewlex import *; import fewlex; assert set(fewlex.__all__) <= set(dir())"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_manual_lists_the_public_names() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", MANUAL.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    assert listed | {"__version__"} == set(fewlex.__all__)
