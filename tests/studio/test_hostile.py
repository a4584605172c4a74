"""Hostile text in the page: it is shown by its characters, and it does nothing.

`page_of` fails where a script complains, where the Content-Security-Policy is violated, or where a dialog opens.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import fewlex
from fewlex.lexicon import Lexicon
from fewlex.preparing import prepare
from tests.studio.running import chromium, page_of, say, studio_at, view

pytestmark = pytest.mark.slow

SCRIPT, IMAGE = "<script>alert(1)</script>", '"><img/src=x/onerror=alert(2)>'
TURNED = "a\u202eb"
MARKED = "e" + "\u0301" * 500
MARKS = "e" + "\u0301" * (10 << 20)
HOSTILE = (SCRIPT, TURNED, MARKED, IMAGE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A run of rules alone, which is made in a second, with hostile words."""
    folder = tmp_path / "runs"
    prepare(fewlex.load("colors"), fewlex.build_config("rules", "colors"), folder / "colors").begin()
    path = folder / "colors" / "lexicon.json"
    lexicon = Lexicon.load(path)
    for hostile in HOSTILE:
        lexicon.set(hostile, hostile)
    lexicon.save(path)
    return folder


@pytest.fixture
def page(browser: Browser, runs: Path) -> Iterator[Page]:
    with studio_at(runs) as address, page_of(browser) as opened:
        opened.goto(f"{address}/#/try?run=colors&s=dax")
        expect(opened.locator(".output-text")).to_contain_text("RED")
        yield opened
        assert opened.locator("main script, main img").count() == 0


def test_in_the_lexicon(page: Page) -> None:
    view(page, "Lexicon")
    table = page.get_by_role("grid")
    expect(table.get_by_text(SCRIPT).first).to_be_visible()
    expect(table.get_by_text("a⟨U+202E⟩b").first).to_be_visible()
    expect(table.get_by_text("marks⟩").first).to_be_visible()
    page.get_by_role("button", name="Heat map").click()
    expect(page.locator("canvas")).to_be_visible()


def test_in_a_sentence_and_in_its_address(page: Page) -> None:
    say(page, f"{SCRIPT} {TURNED}")
    expect(page.locator(".source-word")).to_have_count(2)
    expect(page.locator(".source-word").first).to_have_text(SCRIPT)
    expect(page.locator(".source-word").last).to_have_text("a⟨U+202E⟩b")
    page.reload()
    expect(page.locator(".source-word").first).to_have_text(SCRIPT)


def test_in_rules_and_in_what_they_would_change(page: Page) -> None:
    view(page, "Rules")
    for hostile in (SCRIPT, TURNED):
        page.get_by_role("button", name="Add").click()
        form = page.get_by_role("dialog")
        form.get_by_label("Rule").fill(f"_ {hostile} -> #0 {IMAGE}")
        form.get_by_role("button", name="Save").click()
        expect(form).to_have_count(0)
    expect(page.get_by_role("grid").first.get_by_text(f"_ {SCRIPT} ↦ #0 {IMAGE}")).to_be_visible()
    expect(page.get_by_role("grid").first.get_by_text("_ a⟨U+202E⟩b ↦")).to_be_visible()
    view(page, "Try")
    say(page, f"dax {SCRIPT}")
    expect(page.locator(".output-text")).to_contain_text(f"RED {IMAGE}")
    expect(page.get_by_label("Derivation")).to_contain_text(SCRIPT)


def test_in_a_lesson(page: Page) -> None:
    view(page, "Teach")
    page.get_by_role("textbox", name="Source word").fill("zup")
    page.get_by_role("textbox", name="Its translation").fill(IMAGE)
    expect(page.locator("ins").first).to_contain_text(IMAGE)
    page.get_by_role("button", name="Teach").click()
    expect(page.locator(".toast")).to_contain_text(IMAGE)


def test_in_an_evaluation_file_and_its_name(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "<img src=x onerror=alert(3)>.tsv"
    file.write_text(f"{SCRIPT}\t{IMAGE}\t{TURNED}\n", encoding="utf-8")
    view(page, "Evaluate")
    page.locator("main input[type=file]").set_input_files(file)
    expect(page.get_by_text(file.name)).to_be_visible()
    page.get_by_role("button", name="Evaluate", exact=True).click()
    expect(page.get_by_label("Mistakes")).to_contain_text(SCRIPT)
    expect(page.get_by_label("Mistakes")).to_contain_text(IMAGE)
    expect(page.get_by_label("By category")).to_contain_text("a⟨U+202E⟩b")


def test_in_dropped_data_and_its_broken_lines(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text(f"{SCRIPT}\t{IMAGE}\n{SCRIPT} without a tab\n{TURNED}\tX\n", encoding="utf-8")
    view(page, "Train")
    page.locator("main input[type=file]").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("mine.tsv:2")
    expect(page.get_by_label("Learned lexicon")).to_contain_text("a⟨U+202E⟩b")


def test_in_the_name_of_a_run(browser: Browser, runs: Path) -> None:
    name = "<img src=x onerror=alert(4)>\u202e"
    shutil.copytree(runs / "colors", runs / name)
    with studio_at(runs) as address, page_of(browser) as page:
        page.goto(f"{address}/#/runs")
        expect(page.get_by_role("region", name="All runs")).to_contain_text(
            "<img src=x onerror=alert(4)>⟨U+202E⟩"
        )
        page.get_by_label("Run", exact=True).select_option(name)
        say(page, "dax")
        expect(page.locator(".output-text")).to_contain_text("RED")


def test_ten_megabytes_of_combining_marks(page: Page, runs: Path) -> None:
    """Pasted into a sentence, they are refused with the reason; in a file, they are shown as a number."""
    page.evaluate(
        """(marks) => {
            const box = document.querySelector("textarea");
            box.focus();
            box.select();
            document.execCommand("insertText", false, "e" + "\\u0301".repeat(marks));
        }""",
        len(MARKS) - 1,
    )
    expect(page.locator("main .notice.bad")).to_contain_text("2000 are allowed")
    assert len(page.url) < 10_000
    lexicon = Lexicon.load(runs / "colors" / "lexicon.json")
    lexicon.set("marks", MARKS)
    lexicon.save(runs / "colors" / "lexicon.json")
    view(page, "Lexicon")
    page.get_by_label("Search").fill("marks")
    expect(page.get_by_role("grid").get_by_text("characters⟩").first).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Edit").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
