"""The house rules: imports lead only to the left and never in a circle, torch loads late, files stay short."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest

import fewlex
import fewlex.lexicon

PACKAGE = Path(fewlex.__file__).parent
ORDER = [
    {"bleu", "errors", "garbage", "printable", "version"},
    {"files", "lock", "log_lines", "own_files", "processor", "seal", "strict"},
    {"deadline", "durations", "cluster", "journal", "confidence", "metrics"},
    {"parameters", "tables"},
    {"config"},
    {"data"},
    {"config_layers"},
    {"lexicon"},
    {"rules", "augment"},
    {"familiarity", "identity", "knowledge_file", "survey"},
    {"answer", "knowledge"},
    {"run"},
    {"doctor", "preparing", "remembered", "traits", "unfinished"},
    {"recipe", "advice"},
    {"model"},
    {"training", "decoding"},
    {"required", "grammar"},
    {"network"},
    {"mind"},
    {"translator"},
    {"evaluation", "evaluation_view", "mistakes", "fitting", "aftermath"},
    {"mistake_kinds"},
    {"experiments"},
    {"cli", "studio", "serve"},
]
"""DESIGN.md's line, with the small modules that stand between its rooms."""
LEVEL = {name: level for level, names in enumerate(ORDER) for name in names}
MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem.strip("_") == path.stem
)
PACKAGES = sorted(path.parent for path in PACKAGE.rglob("__init__.py"))


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def module_name(path: Path) -> str:
    """`fewlex.lexicon.view` for the file `lexicon/view.py`, and `fewlex.lexicon` for `lexicon/__init__.py`."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imported_names(path: Path) -> set[str]:
    """All that a file imports, as dotted names: at its top, for types alone, or inside a function."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def imports_of(path: Path) -> set[str]:
    """The parts of fewlex that a file imports, wherever in the file."""
    parts = {name.split(".")[1] for name in imported_names(path) if name.startswith("fewlex.")}
    return {part for part in parts if (PACKAGE / part).is_dir() or (PACKAGE / f"{part}.py").exists()}


def import_graph() -> dict[str, set[str]]:
    """For each module of fewlex, the modules of fewlex that it imports."""
    files = {module_name(path): path for path in PACKAGE.rglob("*.py")}
    graph = {}
    for module, path in files.items():
        names = imported_names(path)
        imported = {name if name in files else name.rpartition(".")[0] for name in names}
        graph[module] = imported & files.keys() - {module}
    return graph


def modules_in_cycles(graph: dict[str, set[str]]) -> set[str]:
    """The modules that import each other in a circle, and those that lead from one circle to another."""
    rest = dict(graph)
    while True:
        imported = {name for names in rest.values() for name in names}
        ends = {name for name in rest if name not in imported or not rest[name] & rest.keys()}
        if not ends:
            return set(rest)
        rest = {name: names - ends for name, names in rest.items() if name not in ends}


def names_that_hide_modules(package: ModuleType, modules: Iterable[str]) -> set[str]:
    """The names by which a package offers something else than its module of that name."""
    offered = {name for name, value in vars(package).items() if not isinstance(value, ModuleType)}
    return (offered | set(getattr(package, "__all__", ()))) & set(modules)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_its_left(path: Path) -> None:
    here = part_of(path)
    assert here in LEVEL, f"{here} has no place in the order"
    wrong = {name for name in imports_of(path) if LEVEL[name] > LEVEL[here]}
    assert wrong == set()


def test_no_imports_go_in_a_circle() -> None:
    """Imports for types alone and imports inside functions count: they hide a circle and do not open it."""
    assert modules_in_cycles(import_graph()) == set()


def test_a_circle_is_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"b", "e"}, "e": set()}
    assert modules_in_cycles(graph) == {"b", "c", "d"}


@pytest.mark.parametrize(
    "package",
    PACKAGES,
    ids=lambda package: module_name(package / "__init__.py"),
)
def test_no_name_hides_a_module(package: Path) -> None:
    """`from fewlex.lexicon import finish` must not be able to mean both a function and a module."""
    modules = [path.stem for path in package.iterdir() if path.suffix == ".py" or path in PACKAGES]
    offering = importlib.import_module(module_name(package / "__init__.py"))
    assert names_that_hide_modules(offering, modules) == set()


def test_a_name_that_hides_a_module_is_found() -> None:
    assert names_that_hide_modules(fewlex.lexicon, ["view", "finish", "storage"]) == {"finish"}


@pytest.mark.parametrize(
    "statement",
    [
        "import fewlex",
        "import fewlex.cli",
        "import fewlex.data, fewlex.lexicon, fewlex.config",
        "import fewlex.knowledge, fewlex.run, fewlex.answer",
    ],
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


def lines_of_functions(text: str) -> dict[str, int]:
    """How many lines the body of each function has, from the first statement after the docstring to the last.

    The signature does not count, because a command lists all its options there. A nested function counts for itself
    and as part of the function around it.
    """
    lines = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            has_more = ast.get_docstring(node) is not None and len(node.body) > 1
            first, last = node.body[int(has_more)], node.body[-1]
            lines[f"{node.name}, line {node.lineno}"] = (last.end_lineno or last.lineno) - first.lineno + 1
    return lines


def test_a_file_is_one_idea() -> None:
    long = {path.name: n for path in MODULES if (n := len(path.read_text("utf-8").splitlines())) > 350}
    assert long == {}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_function_is_one_thought(path: Path) -> None:
    lines = lines_of_functions(path.read_text(encoding="utf-8"))
    assert {name: n for name, n in lines.items() if n > 50} == {}


def test_the_lines_of_a_function_are_counted() -> None:
    text = """
def outer(
    option: int,
) -> None:
    '''A docstring,

    which does not count.
    '''
    first = 1

    async def inner() -> None:
        '''Only this.'''

    return (
        None
    )
"""
    assert lines_of_functions(text) == {"outer, line 2": 8, "inner, line 11": 1}


def test_every_public_name_exists() -> None:
    assert [name for name in fewlex.__all__ if not hasattr(fewlex, name)] == []
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        fewlex.nonsense  # noqa: B018
