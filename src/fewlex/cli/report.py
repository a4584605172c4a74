"""`fewlex report` writes the paper's tables and figures beside what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fewlex.cli.reproduce import RESULTS, ResultsOption
from fewlex.cli.screen import note
from fewlex.errors import ConfigError
from fewlex.files import atomic_write_text


def report(
    out: Annotated[
        list[Path] | None,
        typer.Option(help="A .html, .md or .tex file to write; may be repeated.", show_default="report.html"),
    ] = None,
    results: ResultsOption = RESULTS,
    without_times: Annotated[
        bool, typer.Option("--without-times", help="Leave out times, which differ from machine to machine.")
    ] = False,
    readme: Annotated[
        Path | None,
        typer.Option(help="A README in which to rewrite the small table, between its two comments."),
    ] = None,
) -> None:
    """Write the tables and figures of the paper beside fewlex's own numbers, from result files alone.

    `fewlex report --out docs/report.html --out docs/report.md --readme README.md`
    """
    from fewlex.experiments.readme_table import with_table
    from fewlex.experiments.render_html import render_html
    from fewlex.experiments.render_text import render_latex, render_markdown
    from fewlex.experiments.report import make_report
    from fewlex.experiments.results import read_results

    renderers = {".html": render_html, ".md": render_markdown, ".tex": render_latex}
    paths = out or ([] if readme else [Path("report.html")])
    for path in paths:
        if path.suffix not in renderers:
            raise ConfigError(
                f"{path}: a report is a {', '.join(renderers)} file. Give its name one of these endings."
            )
    found = read_results(results)
    if readme is not None:
        atomic_write_text(readme, with_table(_read_readme(readme), found))
        note(f"wrote the table of {readme}")
    if not paths:
        return
    made = make_report(found, with_times=not without_times)
    for said in made.notes:
        note(said)
    for path in paths:
        atomic_write_text(path, renderers[path.suffix](made))
        note(f"wrote {path}")


def _read_readme(path: Path) -> str:
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file. Name the README that has the table.")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start + 1} is not UTF-8. Save the file as UTF-8.") from error
