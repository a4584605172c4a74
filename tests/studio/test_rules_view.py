"""The view Rules in a real browser: look at rules, edit them, see what an edit would change, import and export."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

import fewlex
from fewlex.preparing import prepare
from fewlex.rules.storage import load_rules, save_rules
from fewlex.rules.text import read_rule
from tests.studio.running import chromium, page_of, say, studio_at, view

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def rules_run(tmp_path: Path) -> Path:
    """A folder with a run of rules alone, `rules`."""
    folder = tmp_path / "ruled"
    prepare(fewlex.load("colors"), fewlex.build_config("rules", "colors"), folder / "rules").begin()
    return folder


def test_rules_are_shown_and_edited(browser: Browser, rules_run: Path) -> None:
    """A run of rules alone: its derivation is a tree, and a rule that is deleted is missed until it is brought back."""
    with studio_at(rules_run) as address, page_of(browser) as page:
        page.goto(f"{address}/#/try?run=rules&s=zup+blicket+wif+kiki+dax+fep")
        expect(page.locator(".output-text")).to_contain_text("RED RED RED YELLOW GREEN YELLOW")
        tree = page.get_by_label("Derivation")
        expect(tree).to_contain_text("_ fep ↦ #0 #0 #0")
        expect(tree.get_by_role("listitem")).to_have_count(6)
        view(page, "Rules")
        row = page.get_by_role("row", name=re.compile("_ fep ↦"))
        row.get_by_role("button", name="Delete").click()
        expect(row).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(row).to_be_visible()
        page.get_by_role("button", name="Add").click()
        form = page.get_by_role("dialog")
        form.get_by_label("Rule").fill("_ pok -> #0 #7")
        form.get_by_role("button", name="Save").click()
        expect(form.get_by_role("alert")).to_contain_text("#7")
        form.get_by_label("Rule").fill("_ pok -> #0 #0")
        form.get_by_role("button", name="Save").click()
        expect(page.get_by_role("row", name=re.compile("_ pok ↦"))).to_contain_text("person")
        view(page, "Try")
        say(page, "dax pok")
        expect(page.locator(".output-text")).to_have_text("Output: RED RED")
        page.locator(".tokens button").first.hover()
        details = page.locator(".details")
        expect(details.get_by_role("heading", name="Rule: ")).to_be_visible()
        expect(details).to_contain_text("_ pok ↦ #0 #0")
        details.get_by_role("link", name="Open in the rules").click()
        expect(page.get_by_text("1 rule of")).to_be_visible()


def test_what_a_rule_would_change_is_seen_before_it_is_saved(browser: Browser, rules_run: Path) -> None:
    with studio_at(rules_run) as address, page_of(browser) as page:
        page.goto(f"{address}/#/rules?run=rules")
        row = page.get_by_role("row", name=re.compile("_ fep ↦"))
        row.get_by_role("button", name="Edit").click()
        form = page.get_by_role("dialog")
        form.get_by_label("Rule").fill("_ fep -> #0 #0")
        expect(form).to_contain_text(re.compile(r"changes the output of \d+ of 10 sentences"))
        expect(form.get_by_role("row", name=re.compile("zup fep")).first.locator("del")).to_contain_text(
            "YELLOW"
        )
        form.get_by_role("button", name="Cancel").click()
        expect(row).to_contain_text("_ fep ↦ #0 #0 #0")


def test_rules_are_imported_with_a_preview_and_exported(
    browser: Browser, rules_run: Path, tmp_path: Path
) -> None:
    with studio_at(rules_run) as address, page_of(browser) as page:
        page.goto(f"{address}/#/rules?run=rules")
        with page.expect_download() as saved:
            page.get_by_role("link", name="Export").click()
        text = saved.value.path().read_text(encoding="utf-8")
        assert "_ fep ↦ #0 #0 #0" in text
        broken, good = tmp_path / "broken.txt", tmp_path / "good.txt"
        broken.write_text("_ a -> #0\n_ b #0\n", encoding="utf-8")
        good.write_text(text.replace("_ fep ↦ #0 #0 #0", "_ fep ↦ #0 #0"), encoding="utf-8")
        page.get_by_role("button", name="Import").click()
        form = page.get_by_role("dialog")
        form.locator("input[type=file]").set_input_files(broken)
        expect(form.get_by_role("alert")).to_contain_text("broken.txt:2:")
        expect(form.get_by_role("button", name="Import")).to_be_disabled()
        form.get_by_label("What to do with it").select_option("replace")
        form.locator("input[type=file]").set_input_files(good)
        expect(form).to_contain_text("0 new rules, 1 changed rule, 0 removed rules")
        expect(form.get_by_role("row", name=re.compile("changed"))).to_contain_text("_ fep ↦ #0 #0 #0")
        form.get_by_role("button", name="Import").click()
        row = page.get_by_role("grid").get_by_role("row", name=re.compile("_ fep ↦"))
        expect(row.locator(".mono")).to_have_text("_ fep ↦ #0 #0")
        page.get_by_role("button", name="Undo").click()
        expect(row.locator(".mono")).to_have_text("_ fep ↦ #0 #0 #0")
        page.get_by_role("button", name="Redo").click()
        expect(row.locator(".mono")).to_have_text("_ fep ↦ #0 #0")


def test_a_preview_that_comes_late_is_not_shown(browser: Browser, rules_run: Path, tmp_path: Path) -> None:
    """The page asked about a broken file, then about a good one; the first answer comes last."""
    broken, good = tmp_path / "broken.txt", tmp_path / "good.txt"
    broken.write_text("_ b #0\n", encoding="utf-8")
    good.write_text("_ wham -> #0 #0\n", encoding="utf-8")
    with studio_at(rules_run) as address, page_of(browser) as page:
        page.goto(f"{address}/#/rules?run=rules")
        page.get_by_role("button", name="Import").click()
        form = page.get_by_role("dialog")
        held: list[Route] = []

        def hold_the_first(route: Route) -> None:
            route.continue_() if held else held.append(route)

        page.route("**/v1/rules/import", hold_the_first)
        form.locator("input[type=file]").set_input_files(broken)
        while not held:
            page.wait_for_timeout(20)
        form.locator("input[type=file]").set_input_files(good)
        expect(form).to_contain_text("1 new rule")
        held[0].fulfill(status=422, json={"detail": "broken.txt:1: no arrow"})
        page.wait_for_timeout(200)
        expect(form.get_by_role("alert")).to_have_count(0)
        form.get_by_role("button", name="Import").click()
        expect(page.get_by_role("grid").get_by_role("row", name=re.compile("_ wham ↦"))).to_be_visible()


def test_thousands_of_rules_are_scrolled_searched_and_sorted(browser: Browser, rules_run: Path) -> None:
    path = rules_run / "rules" / "rules.json"
    book = load_rules(path)
    more = (read_rule(f"_ w{i:05} -> #0 W{i:05}", f"X{i}") for i in range(5000))
    save_rules(replace(book, rules=(*book.rules, *more)), path)
    with studio_at(rules_run) as address, page_of(browser) as page:
        page.goto(f"{address}/#/rules?run=rules")
        expect(page.get_by_text(f"{5000 + len(book.rules):,} rules")).to_be_visible(timeout=60_000)
        grid = page.get_by_role("grid", name=re.compile("Rules"))
        assert grid.locator(".v-body .v-row").count() < 60, "only what is seen exists"
        grid.get_by_role("button", name="Name").click()
        grid.get_by_role("button", name="Name").click()
        expect(grid.locator(".v-body .v-row").first).to_contain_text("X4999")
        page.get_by_label("Search").fill("w01234")
        expect(page.get_by_text("1 rule of")).to_be_visible()
        page.get_by_role("button", name="Heat map").click()
        expect(page.get_by_label("Heat map")).to_be_visible()
