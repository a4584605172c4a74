"""The README's Python works as written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_ten_lines_do_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    promised = re.findall(r"print\(.*\)  # (.*)", code)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == promised


def test_every_folder_of_the_tree_exists() -> None:
    text = README.read_text(encoding="utf-8")
    tree = text[text.index("src/fewlex/\n") : text.index("A module imports only")]
    package = README.parent / "src" / "fewlex"
    for name in re.findall(r"^  (\S+)", tree, re.MULTILINE):
        assert (package / name).exists(), name
    for name in re.findall(r"^(\w+/)", tree, re.MULTILINE):
        assert (README.parent / name).exists(), name


def test_every_named_preset_exists() -> None:
    from fewlex.config_layers import build_config

    for name in re.findall(r"^\| `([\w+]+)` \|", README.read_text(encoding="utf-8"), re.MULTILINE):
        build_config(name)
