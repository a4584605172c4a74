"""The house rules: a module imports only from its left, torch stays out of the front door, files stay short."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import fewlex

PACKAGE = Path(fewlex.__file__).parent
ORDER = [
    {"errors", "version", "files"},
    {"tables", "journal"},
    {"config", "config_layers"},
    {"data"},
    {"lexicon"},
    {"rules", "augment"},
    {"model"},
    {"training", "decoding"},
    {"evaluation", "evaluation_view"},
    {"required", "translation"},
    {"translator"},
    {"experiments"},
    {"cli", "studio"},
]
"""DESIGN.md's line, with the evaluation of outputs before the translator that offers it."""
LEVEL = {name: level for level, names in enumerate(ORDER) for name in names}
MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem.strip("_") == path.stem
)


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> set[str]:
    """The parts of fewlex that a file imports, wherever in the file."""
    parts = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        parts |= {name.split(".")[1] for name in names if name.startswith("fewlex.")}
    return parts


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_its_left(path: Path) -> None:
    here = part_of(path)
    assert here in LEVEL, f"{here} has no place in the order"
    wrong = {name for name in imports_of(path) if LEVEL[name] > LEVEL[here]}
    assert wrong == set()


@pytest.mark.parametrize(
    "statement", ["import fewlex", "import fewlex.cli", "import fewlex.data, fewlex.lexicon, fewlex.config"]
)
def test_torch_loads_only_when_needed(statement: str) -> None:
    heavy = "{'torch', 'matplotlib', 'jieba', 'numpy'}"
    code = f"{statement}; import sys; loaded = {heavy} & set(sys.modules); assert not loaded, loaded"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_nothing_is_unpickled() -> None:
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for danger in ("import pickle", "torch.load(", "allow_pickle=True", "marshal", "shelve"):
            assert danger not in text, path


def test_a_file_is_one_idea() -> None:
    long = {path.name: n for path in MODULES if (n := len(path.read_text("utf-8").splitlines())) > 350}
    assert long == {}


def test_every_public_name_exists() -> None:
    assert [name for name in fewlex.__all__ if not hasattr(fewlex, name)] == []
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        fewlex.nonsense  # noqa: B018
