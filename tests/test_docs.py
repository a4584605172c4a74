"""The pages say what is so: places, links, commands and settings exist, and the report has the numbers of results/."""

from __future__ import annotations

import dataclasses
import re
import shlex
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

import fewlex
from fewlex.cli import app
from fewlex.config import Config
from fewlex.config_layers import build_config
from fewlex.data import DATASETS
from fewlex.data.dataset import DataSet
from fewlex.data.example import Example
from fewlex.experiments.render_text import render_markdown
from fewlex.experiments.report import make_report
from fewlex.experiments.results import read_results
from fewlex.lexicon import LEARNERS, learn_lexicon

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
PAPER_MAP = DOCS / "paper_map.md"
PLACE = re.compile(r"`(?:src/fewlex/)?([\w/]+\.(?:py|toml))(?:: ([\w.]+))?`")
"""A file of the package, or of tests/, and perhaps a name in it: `model/output.py: Output.forward`."""

ELSEWHERE = {"config.toml", "force_align.py"}
"""Files that are not of this repository: part of a run folder, and of fast_align."""


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "report.md"], ids=name_of)
def test_the_places_exist(page: Path) -> None:
    for path, name in PLACE.findall(text_of(page)):
        if path in ELSEWHERE:
            continue
        file = next((f for f in (ROOT / "src" / "fewlex" / path, ROOT / path) if f.is_file()), None)
        assert file is not None, f"there is no {path}"
        for part in filter(None, name.split(".")):
            assert re.search(rf"(def|class) {part}\b|^{part}\b", text_of(file), re.MULTILINE), (
                f"{path}: {part}"
            )


def test_the_map_of_the_paper_names_something() -> None:
    assert len(set(PLACE.findall(text_of(PAPER_MAP)))) > 15


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if not target.startswith("https://"):
            assert (page.parent / target.partition("#")[0]).exists(), target


def test_every_page_can_be_found_from_the_index() -> None:
    for index in (DOCS / "index.md", DOCS / "lab" / "index.md"):
        others = {page.name for page in index.parent.glob("*.md")} - {index.name}
        assert others - set(re.findall(r"\]\(([\w.]+)\)", text_of(index))) == set(), index


def test_pages_that_the_code_names_exist() -> None:
    for file in (*ROOT.glob("src/**/*.py"), *ROOT.glob("src/**/*.toml"), *ROOT.glob("benchmarks/*.py")):
        for page in re.findall(r"docs/[\w/]+\.md", text_of(file)):
            assert (ROOT / page).exists(), f"{file.name} names {page}"


def commands_of(text: str) -> Iterator[list[str]]:
    """Every `fewlex …` of the shell blocks, as arguments; comments, pipes and redirections are cut off."""
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            for piece in re.split(r" \| | > | < ", line):
                if found := re.search(r"(?:^|-m )fewlex (.*)", piece):
                    yield shlex.split(found[1], comments=True)


COMMANDS = [(name_of(page), words) for page in PAGES for words in commands_of(text_of(page))]


@pytest.mark.parametrize(("page", "words"), COMMANDS, ids=[f"{page}: {' '.join(w)}" for page, w in COMMANDS])
def test_commands_and_options_exist(page: str, words: list[str]) -> None:
    command, rest = get_command(app), iter(words)
    while isinstance(command, TyperGroup):
        command = command.commands[next(rest)]
    options = {option for parameter in command.params for option in parameter.opts}
    used = {word.partition("=")[0] for word in rest if re.match(r"--\w", word)}
    assert used - options == set(), page


def test_some_commands_are_checked() -> None:
    assert len(COMMANDS) > 30


def test_presets_of_the_manual_exist() -> None:
    names = re.findall(r"^\| `([\w+]+)` \|", text_of(DOCS / "commands.md"), re.MULTILINE)
    assert len(names) >= 6
    for name in names:
        build_config(name)


MANUAL = [page for page in PAGES if page.parent != DOCS / "lab" and page.name != "CHANGELOG.md"]
"""The other pages may name settings that are gone."""


@pytest.mark.parametrize("page", MANUAL, ids=name_of)
def test_settings_of_the_manual_exist(page: Path) -> None:
    sections = [field.name for field in dataclasses.fields(Config) if field.name not in ("preset", "seed")]
    for setting in re.findall(rf"[`= ]((?:{'|'.join(sections)})(?:\.[a-z_]+)+)", text_of(page)):
        if setting.rpartition(".")[2] not in (
            "json",
            "txt",
            "safetensors",
            "tsv",
            "py",
            "png",
            "md",
        ):  # files
            attrgetter(setting)(Config())


def test_the_manual_lists_the_public_names() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", text_of(DOCS / "python.md"), re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    assert listed | {"__version__"} == set(fewlex.__all__)


def blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text_of(ROOT / page), re.DOTALL)


def test_a_learner_is_added_as_contributors_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, object] = {}
    exec(compile(blocks("CONTRIBUTING.md")[0], "CONTRIBUTING.md", "exec"), names)
    monkeypatch.setitem(LEARNERS, "dice", names["learn_dice"])
    examples = [Example(("a", "b"), ("A", "B")), Example(("a",), ("A",)), Example(("a", "c"), ("A", "C"))]
    lexicon = learn_lexicon(examples, "dice", at_least=0.9)
    assert {(source, target) for source, target, _ in lexicon} == {("a", "A"), ("b", "B"), ("c", "C")}


def test_a_data_set_is_added_as_contributors_are_told() -> None:
    names: dict[str, object] = {}
    exec(compile(blocks("CONTRIBUTING.md")[1], "CONTRIBUTING.md", "exec"), names)
    sums = names["SUMS"]
    assert isinstance(sums, DataSet)
    assert sums.names == ("sums",)
    assert sums.names[0] not in DATASETS
    assert sums.variants[""]()["train"][0].target == ("three",)


def test_the_python_of_the_manual_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for code in (*blocks("docs/python.md"), *blocks("docs/lexicons.md")):
        exec(compile(code, "docs", "exec"), {})


def test_the_committed_report_is_that_of_the_committed_results() -> None:
    report = render_markdown(make_report(read_results(ROOT / "results")))
    assert text_of(DOCS / "report.md") == report, (
        "make it anew: fewlex report --out docs/report.html --out docs/report.md --readme README.md"
    )
