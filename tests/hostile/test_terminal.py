"""No token, path or category takes over a terminal, a LaTeX document, a Markdown page or a spreadsheet."""

from __future__ import annotations

import ast
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import fewlex.cli
from fewlex.cli import app, screen
from fewlex.experiments.render_html import render_html
from fewlex.experiments.render_text import render_latex, render_markdown
from fewlex.experiments.report import make_report
from fewlex.experiments.results import read_results
from fewlex.lexicon import Lexicon, show_lexicon
from fewlex.lexicon.storage import to_tsv
from fewlex.printable import as_cell, from_cell, one_line, printable
from tests.experiments.fabricated import fabricate

EVIL = "\x1b]0;owned\x07\x9b2J\u202edax\r"
"""Retitles a window, clears the screen, turns the direction of text and goes back to the beginning of the line."""


def is_safe(text: str) -> bool:
    return not any(
        character in text for character in EVIL.replace("dax", "").replace("]0;owned", "").replace("2J", "")
    )


@given(st.text())
def test_printable_text_has_no_character_that_a_terminal_obeys(text: str) -> None:
    shown = printable(text)
    shown.encode()
    assert all(c in "\n\t" or (c >= " " and not "\x7f" <= c <= "\x9f") for c in shown)
    assert printable(shown) == shown


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_json_stays_the_same_json(text: str) -> None:
    assert json.loads(printable(json.dumps(text, ensure_ascii=False))) == text


def test_what_people_write_stays_as_it_is() -> None:
    for text in ("naïve café", "纽约", "שלום", "👩‍👩‍👧", "a\tb\n"):
        assert printable(text) == text
    assert one_line("a\n\\input{x}\x1b") == "a \\input{x}\\u001b"


@given(st.text(alphabet="'=+-@(|!ab", max_size=8))
def test_cells_come_back_as_they_were_and_are_no_formulas(text: str) -> None:
    cell = as_cell(text)
    assert from_cell(cell) == text
    assert not (cell[:1] in "=+-@" and any(sign in cell for sign in "(|!")) or not cell


def test_a_lexicon_for_spreadsheets_has_no_formula_and_is_read_back(tmp_path: Path) -> None:
    lexicon = Lexicon()
    for word in ("=cmd|' /C calc'!A0", "+HYPERLINK(1)", "-", "@-@", "'=a(", "plain"):
        lexicon.set(word, word)
    assert [line[0] for line in to_tsv(lexicon).splitlines()[1:]] == list("''-@'p")
    lexicon.save(tmp_path / "lexicon.tsv")
    assert Lexicon.load(tmp_path / "lexicon.tsv") == lexicon


PRINTING = {"typer.echo", "typer.secho", "print", "click.echo"}


def test_everything_is_printed_through_the_one_console() -> None:
    for path in Path(fewlex.__file__).parent.rglob("*.py"):
        called = {
            ast.unparse(n.func) for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)
        }
        written = {
            name for name in called if name.startswith(("sys.stdout.", "sys.stderr.")) and "write" in name
        }
        if path.name != "screen.py":
            assert not (called & PRINTING) | written, path.name


@pytest.mark.parametrize("words", [("data", "export"), ("augment",), ("align",)], ids=" ".join)
def test_data_that_is_written_to_a_terminal_is_safe(
    evil: Path,
    words: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Programs get the words as they are, but without a file or a pipe it is a person who reads them."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    pairs = evil / "many.tsv"
    word = EVIL.strip()
    lines = [f"{a}{word} {b}\tX{a}{word} X{b}\n" for a in "abc" for b in "ABC"]
    pairs.write_text("".join(lines[:-1]), newline="")
    app([*words, str(pairs)], standalone_mode=False)
    printed = capsys.readouterr()
    assert printed.out
    assert is_safe(printed.out), ascii(printed.out)


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A lexicon and a corpus whose words, categories and folder are hostile."""
    folder = tmp_path / "[/red]\x1b[31m"
    folder.mkdir(parents=True)
    word = EVIL.strip()
    Lexicon().save(folder / "empty.json")
    lexicon = Lexicon()
    lexicon.set(word, f"{word}X")
    lexicon.save(folder / "lexicon.json")
    (folder / "pairs.tsv").write_text(f"{word}\t{word}X\t{word}\nlug\tBLUE\t{word}\n", newline="")
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ("lexicon", "show", "lexicon.json"),
        ("lexicon", "show", "lexicon.json", "--json"),
        ("lexicon", "diff", "empty.json", "lexicon.json"),
        ("lexicon", "diff", "empty.json", "lexicon.json", "--json"),
        ("lexicon", "learn", "pairs.tsv"),
        ("lexicon", "learn", "pairs.tsv", "--out", "new.json"),
        ("data", "show", "pairs.tsv"),
        ("data", "check", "pairs.tsv"),
        ("data", "show", "missing.tsv"),
        ("rules", "learn", "pairs.tsv"),
    ],
    ids=" ".join,
)
def test_commands_print_no_escape_of_a_token(evil: Path, words: tuple[str, ...]) -> None:
    arguments = [str(evil / word) if "." in word else word for word in words]
    done = CliRunner().invoke(app, arguments)
    printed = done.output + (str(done.exception) and printable(str(done.exception)))
    assert done.exception is None or isinstance(done.exception, SystemExit | fewlex.FewlexError), (
        done.exception
    )
    assert is_safe(printed), ascii(printed)


def test_messages_are_safe_and_markup_in_a_path_is_only_text(capsys: pytest.CaptureFixture[str]) -> None:
    for tell in (screen.complain, screen.warn, screen.note, screen.say):
        tell(f"runs/[/red]{EVIL}")
    with (
        screen.waiting(f"[/red]{EVIL}"),
        screen.training_bar(f"[/red]{EVIL}"),
        screen.progress_bar("[/red]", 2),
    ):
        pass
    captured = capsys.readouterr()
    assert is_safe(captured.out + captured.err)
    assert "[/red]\\u001b]0;owned\\u0007" in captured.err


def test_bars_on_a_terminal_take_markup_for_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    with screen.waiting("[/red]"):
        pass
    with screen.training_bar("[/red]\x07"), screen.progress_bar("[/red]", 2), screen.work_bar() as show:
        show("[/red]", 1, 2)


def test_data_goes_into_a_pipe_as_it_is_and_safely_to_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen.put("a\x1bb")
    assert capsys.readouterr().out == "a\x1bb\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    screen.put("a\x1bb")
    assert "\x1b" not in capsys.readouterr().out


def test_a_table_of_a_lexicon_is_safe_from_python_too(capsys: pytest.CaptureFixture[str]) -> None:
    lexicon = Lexicon()
    lexicon.set("\x1b[2J", "[/red]")
    show_lexicon(lexicon)
    assert "\\u001b[2J" in (shown := capsys.readouterr().out)
    assert "[/red]" in shown


VERSION = "1.0\n\\input{/etc/passwd}\n<script>alert(1)</script> ![x](http://evil.example/)"


def test_notes_of_a_report_are_comments_and_text(tmp_path: Path) -> None:
    """A result whose version is hostile reaches the notes of the report, and there it is harmless."""
    fabricate(tmp_path, "colors-simple", 0, 0.8, examples=10, fewlex=VERSION)
    report = make_report(read_results(tmp_path))
    assert any("script" in note for note in report.notes)
    latex = render_latex(report).splitlines()
    assert all(line.startswith("%") for line in latex if "passwd" in line)
    markdown = render_markdown(report)
    assert "<script" not in markdown
    assert "](http" not in markdown
    page = render_html(report)
    assert "alert(1)" in page
    assert "<script>" not in page


@pytest.mark.parametrize("field", [{"fewlex": EVIL}, {"machine": {"cpu": EVIL}}, {"date": EVIL}], ids=str)
def test_no_report_has_a_character_that_a_terminal_or_a_page_obeys(
    tmp_path: Path, field: dict[str, object]
) -> None:
    """A browser shows other numbers where text turns its direction, and `cat` shows the report on a terminal."""
    fabricate(tmp_path, "colors-simple", 0, 0.8, examples=10, **field)
    report = make_report(read_results(tmp_path))
    for render in (render_html, render_markdown, render_latex):
        written = render(report)
        assert is_safe(written), ascii(written)
