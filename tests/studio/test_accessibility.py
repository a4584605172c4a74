"""The page for those who use no mouse or do not see it: by keyboard alone, and examined by axe-core."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import fewlex
from fewlex.preparing import prepare as prepare_run
from tests.studio.running import axe_source, chromium, page_of, studio_at

pytestmark = pytest.mark.slow

VIEWS = ("try", "lexicon", "rules", "teach", "evaluate", "train", "runs")
FOCUSED = "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || ''"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def address(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("studio")
    shutil.copytree(trained, folder / "colors")
    prepare_run(fewlex.load("colors"), fewlex.build_config("rules", "colors"), folder / "rules").begin()
    with studio_at(folder) as found:
        yield found


def tab_to(page: Page, wanted: str, most: int = 60) -> None:
    """Press Tab until the element with this text or label has the focus."""
    seen = []
    for _ in range(most):
        page.keyboard.press("Tab")
        seen.append(str(page.evaluate(FOCUSED)).strip())
        if seen[-1].startswith(wanted):
            return
    pytest.fail(f"Tab does not lead to {wanted!r}, only to {seen}")


def test_everything_can_be_done_by_keyboard(browser: Browser, address: str) -> None:
    with page_of(browser) as page:
        page.goto(f"{address}/#/try?run=colors&s=zup")
        expect(page.locator(".output-text")).to_contain_text("YELLOW")
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED) == "Skip to the content"
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Control+A")
        page.keyboard.type("dax blicket lug")
        expect(page.locator(".output-text")).to_contain_text("RED BLUE RED")
        tab_to(page, "RED")
        expect(page.locator(".source-word.most-seen")).to_have_text("dax")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".source-word.most-seen")).to_have_text("lug")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", "one sees where the focus is"
        tab_to(page, "Open in the lexicon")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Lexicon", level=1)).to_be_visible()
        expect(page.get_by_label("Search")).to_have_value("lug")
        tab_to(page, "Lexicon. Arrow keys move")
        expect(page.locator(".v-body .v-row")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("Delete")
        expect(page.locator(".toast")).to_contain_text("Deleted: lug → BLUE")
        page.keyboard.press("Shift+Tab")
        while "Undo" not in str(page.evaluate(FOCUSED)):
            page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        expect(page.locator(".v-body .v-row")).to_have_count(1)


def test_the_links_of_a_token_do_not_wait_for_its_row(browser: Browser, address: str) -> None:
    """Who presses Tab sooner than the server answers still comes to them, and is told nothing false meanwhile."""
    with page_of(browser) as page:
        held: list[Route] = []
        page.route("**/v1/lexicon*", lambda route: held.append(route))
        page.goto(f"{address}/#/try?run=colors&s=lug")
        expect(page.locator(".output-text")).to_contain_text("BLUE")
        page.locator(".tokens button").first.focus()
        expect(page.locator(".details")).to_contain_text("Looking it up")
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED) == "Open in the lexicon"
        while not held:
            page.wait_for_timeout(20)
        held.pop().continue_()
        expect(page.locator(".details")).to_contain_text("by simple")
        assert page.evaluate(FOCUSED) == "Open in the lexicon", "the row takes the focus from nobody"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_no_serious_fault(browser: Browser, address: str, theme: str, width: int) -> None:
    source = axe_source()
    faults: list[str] = []
    with page_of(browser, theme=theme, width=width) as page:
        for view in VIEWS:
            run = "rules" if view == "rules" else "colors"
            page.goto(f"{address}/#/{view}?run={run}&s=zup+fep")
            expect(page.locator("h1")).to_have_text(view.capitalize())  # not that of the view before
            prepare(page, view)
            page.evaluate(source)
            found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            faults += [
                f"{view}: {fault['id']} ({fault['impact']}): {fault['nodes'][0]['html']}"
                for fault in found["violations"]
                if fault["impact"] in ("serious", "critical")
            ]
    assert faults == []


def prepare(page: Page, view: str) -> None:
    """Bring as much of a view to light as there is."""
    if view == "try":
        page.locator(".tokens button").first.focus()
        expect(page.get_by_role("link", name="Open in the lexicon")).to_be_visible()
    elif view == "lexicon":
        expect(page.locator(".v-body .v-row").first).to_be_visible()
        page.get_by_role("button", name="Heat map").click()
        page.get_by_role("button", name="Import").click()
        expect(page.get_by_role("dialog")).to_be_visible()
    elif view == "rules":
        expect(page.locator(".v-body .v-row").first).to_be_visible()
        page.get_by_role("button", name="Heat map").click()
        page.get_by_role("button", name="Edit").first.click()
        page.get_by_role("dialog").get_by_label("Rule").fill("_ fep -> #0 #0")
        expect(page.get_by_role("dialog").locator("del").first).to_be_visible()
    elif view == "teach":
        page.get_by_role("textbox", name="Source word").fill("zup")
        page.get_by_role("textbox", name="Its translation").fill("PURPLE")
        expect(page.locator("ins").first).to_be_visible()
    elif view == "evaluate":
        page.get_by_role("button", name="Evaluate", exact=True).click()
        expect(page.get_by_label("Mistakes")).to_be_visible()
    elif view == "train":
        expect(page.locator("figure path.curve").first).to_be_visible()
