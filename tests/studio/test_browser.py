"""The page in a real browser: what a linguist or the owner of an assistant does with it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from fewlex.lexicon import Lexicon
from fewlex.run import Run
from tests.studio.running import chromium, page_of, say, studio_at, view

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def runs(trained: Path, tmp_path: Path) -> Path:
    shutil.copytree(trained, tmp_path / "runs" / "colors")
    return tmp_path / "runs"


@pytest.fixture
def address(runs: Path) -> Iterator[str]:
    with studio_at(runs) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page on its first view, which is Try with the only run."""
    with page_of(browser) as opened:
        opened.goto(address)
        expect(opened.get_by_role("heading", name="Try")).to_be_visible()
        yield opened


def test_a_sentence_is_translated_and_each_token_explained(page: Page) -> None:
    say(page, "zup fep")
    expect(page.locator(".output-text")).to_have_text("Output: YELLOW YELLOW YELLOW")
    tokens = page.locator(".tokens button")
    expect(tokens).to_have_count(3)
    expect(tokens.first).to_have_class(re.compile("translated"))
    assert page.locator(".lines path").count() == 0
    tokens.nth(1).hover()
    expect(page.locator(".lines path").first).to_be_visible()
    expect(page.locator(".source-word.most-seen")).to_have_text("zup")
    details = page.locator(".details")
    expect(details.get_by_role("heading", name="Gate")).to_be_visible()
    expect(details.get_by_role("heading", name="Lexicon: zup")).to_be_visible()
    expect(details.locator("li").last).to_contain_text("YELLOW by simple")
    best = page.get_by_label("Other outputs").locator("tbody tr")
    expect(best).to_have_count(5)
    expect(best.first).to_contain_text("YELLOW YELLOW YELLOW")


def test_a_link_keeps_run_and_sentence(browser: Browser, page: Page) -> None:
    say(page, "dax fep")
    expect(page.locator(".output-text")).to_contain_text("RED RED RED")
    assert "run=colors" in page.url
    assert "s=dax+fep" in page.url
    with page_of(browser) as colleague:
        colleague.goto(page.url)
        expect(colleague.locator(".output-text")).to_contain_text("RED RED RED")


def test_a_word_is_taught_and_taken_back(page: Page, runs: Path) -> None:
    view(page, "Teach")
    page.get_by_role("textbox", name="Source word").fill("zup")
    page.get_by_role("textbox", name="Its translation").fill("PURPLE")
    preview = page.get_by_label("What would change")
    expect(preview).to_contain_text("of 10 sentences")
    expect(preview.locator("tbody tr").first).to_contain_text("YELLOW YELLOW YELLOW")
    expect(preview.locator("ins").first).to_contain_text("PURPLE")
    assert Lexicon.load(runs / "colors" / "lexicon.json").row("zup").keys() == {"YELLOW"}, "not yet saved"
    page.get_by_role("button", name="Teach").click()
    expect(page.locator(".toast")).to_contain_text("Taught: zup → PURPLE")
    view(page, "Try")
    say(page, "zup fep")
    expect(page.locator(".output-text")).to_contain_text("PURPLE PURPLE PURPLE")
    view(page, "Lexicon")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("row", name=re.compile("zup YELLOW"))).to_be_visible()
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("row", name=re.compile("zup PURPLE"))).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    view(page, "Try")
    say(page, "zup fep")
    expect(page.locator(".output-text")).to_contain_text("YELLOW YELLOW YELLOW")


def test_a_word_is_taught_by_an_example(page: Page) -> None:
    view(page, "Teach")
    page.get_by_role("radio", name=re.compile("a sentence")).check()
    page.get_by_role("textbox", name="Source sentence").fill("pip fep")
    page.get_by_role("textbox", name="Its translation, whole").fill("PINK PINK PINK")
    expect(page.locator(".lesson")).to_have_text("pip → PINK")


def test_rows_are_added_edited_and_deleted(page: Page) -> None:
    view(page, "Lexicon")
    page.get_by_role("button", name="Add").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Source").fill("pip")
    form.get_by_label("Target").fill("PINK")
    form.get_by_role("button", name="Save").click()
    row = page.get_by_role("row", name=re.compile("pip PINK"))
    expect(row).to_contain_text("person")
    row.get_by_role("button", name="Edit").click()
    form.get_by_label("Target").fill("ROSE")
    form.get_by_role("button", name="Save").click()
    row = page.get_by_role("row", name=re.compile("pip ROSE"))
    row.get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    page.get_by_label("Search").fill("DAX")
    expect(page.locator(".v-body .v-row")).to_have_count(1)
    page.get_by_role("button", name="Heat map").click()
    expect(page.locator("canvas")).to_be_visible()


def test_a_sample_does_not_come_between_a_person_and_the_keyboard(browser: Browser, address: str) -> None:
    """The samples may come late; who is in the box by then types into an empty box."""
    with page_of(browser) as page:
        held: list[Route] = []
        page.route("**/studio/samples*", lambda route: held.append(route))
        page.goto(f"{address}/#/try?run=colors")
        box = page.get_by_label("Sentence")
        box.focus()
        while not held:
            page.wait_for_timeout(20)
        with page.expect_response("**/studio/samples*"):
            held.pop().continue_()
        expect(page.get_by_text("For instance")).to_be_visible()
        expect(box).to_have_value("")
        page.keyboard.type("dax fep")
        expect(page.locator(".output-text")).to_have_text("Output: RED RED RED")


def test_a_broken_table_is_refused_with_its_line(page: Page, tmp_path: Path) -> None:
    broken, good = tmp_path / "broken.tsv", tmp_path / "good.tsv"
    broken.write_text("source\ttarget\tweight\ndax\tRED\t1\nlug\tBLUE\tmany\n", encoding="utf-8")
    good.write_text("source\ttarget\tweight\ndax\tRED\t2\npip\tPINK\t1\n", encoding="utf-8")
    view(page, "Lexicon")
    page.get_by_role("button", name="Import").click()
    form = page.get_by_role("dialog")
    form.locator("input[type=file]").set_input_files(broken)
    expect(form.get_by_role("alert")).to_contain_text("broken.tsv:3: 'lug'")
    expect(form.get_by_role("button", name="Import")).to_be_disabled()
    form.locator("input[type=file]").set_input_files(good)
    expect(form).to_contain_text("1 new row, 1 changed row, 0 removed rows")
    form.get_by_role("button", name="Import").click()
    expect(page.get_by_role("row", name=re.compile("pip PINK"))).to_be_visible()


def test_a_file_is_evaluated(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "test.tsv"
    file.write_text("dax\tRED\tword\nlug\tBLUE\tword\nblork\tPINK\tnew\n", encoding="utf-8")
    view(page, "Evaluate")
    page.locator("main input[type=file]").set_input_files(file)
    expect(page.get_by_text("test.tsv")).to_be_visible()
    page.get_by_role("button", name="Evaluate", exact=True).click()
    expect(page.get_by_label("Scores")).to_contain_text("66.7 %")
    expect(page.get_by_label("By category")).to_contain_text("new")
    mistake = page.get_by_label("Mistakes").locator("li").first
    expect(mistake.locator("del")).to_contain_text("PINK")
    expect(mistake).to_contain_text("blork")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export TSV").click()
    lines = saved.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("line\tsource\ttarget\toutput")
    assert lines[1].startswith("3\tblork\tPINK\t")


def test_colors_is_trained_from_an_empty_folder_to_the_end(browser: Browser, tmp_path: Path) -> None:
    with studio_at(tmp_path) as address, page_of(browser) as page:
        page.goto(address)
        page.get_by_role("button", name="Train the Colors demo").click()
        job = page.get_by_label("Training under way")
        expect(job.get_by_role("heading")).to_have_text("colors is being trained")
        expect(job.locator("path.curve")).to_be_visible(timeout=120_000)
        again = page.evaluate(
            """() => fetch("/studio/train", {method: "POST", headers: {"Content-Type": "application/json"},
                body: JSON.stringify({name: "two", data: "colors"})}).then((answer) => answer.status)"""
        )
        assert again == 429, "one training at a time"
        expect(job.get_by_role("heading")).to_have_text("colors is finished", timeout=300_000)
        job.get_by_role("link", name="Try it").click()
        say(page, "dax fep")
        expect(page.locator(".output-text")).to_contain_text("RED RED RED")
    assert Run(tmp_path / "colors").is_finished


def test_own_data_is_checked_trained_stopped_and_kept(page: Page, tmp_path: Path, runs: Path) -> None:
    file = tmp_path / "mine.tsv"
    lines = ["pip\tPINK", "pip fep\tPINK PINK PINK", "no tab", "dax\tRED", "dax fep\tRED RED RED"]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    view(page, "Train")
    page.locator("main input[type=file]").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("mine.tsv:3")
    expect(page.get_by_text("The lexicon it would learn")).to_be_visible()
    expect(page.get_by_label("Name of the run")).to_have_value("mine")
    page.get_by_label("Preset").select_option("fast")
    expect(page.get_by_label("Passes over the data")).to_have_value("300")
    page.get_by_label("Passes over the data").fill("10000")
    page.get_by_label("Networks").select_option("2")
    page.get_by_role("button", name="Start training").click()
    job = page.get_by_label("Training under way")
    expect(job.locator("path.curve")).to_be_visible(timeout=120_000)
    page.wait_for_timeout(4000)  # a checkpoint is written every three seconds
    job.get_by_role("button", name="Stop").click()
    expect(job.get_by_role("heading")).to_have_text("mine was stopped")
    job.get_by_role("button", name="Keep it as it is").click()
    expect(job.get_by_role("heading")).to_have_text("mine is finished")
    assert Run(runs / "mine").is_finished
    compared = page.get_by_label("Learning curves of finished runs")
    expect(compared.get_by_role("checkbox")).to_have_count(2)
    expect(compared.locator("path.curve")).to_have_count(4)  # two runs, in the legend and in the chart


def test_a_row_that_is_drawn_again_under_the_pointer_keeps_the_click(page: Page) -> None:
    view(page, "Lexicon")
    button = page.get_by_role("button", name="Edit").first
    button.hover()
    page.mouse.down()
    page.evaluate("document.querySelector('.v-view').dispatchEvent(new Event('scroll'))")
    page.wait_for_timeout(200)
    page.mouse.up()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_hundred_thousand_rows_stay_smooth(browser: Browser, page: Page, runs: Path) -> None:
    path = runs / "colors" / "lexicon.json"
    lexicon = Lexicon.load(path)
    lexicon.update(
        (f"word{i:06}", f"W{i:06}", next(iter(lexicon.row("dax").values()))) for i in range(100_000)
    )
    lexicon.save(path)
    view(page, "Lexicon")
    expect(page.get_by_text("100,004 rows")).to_be_visible(timeout=120_000)
    times = page.evaluate(
        """async () => {
            const view = document.querySelector(".v-view");
            const frames = [];
            let last = performance.now();
            for (let i = 0; i < 60; i++) {
                view.scrollTop = (i / 59) * view.scrollHeight;
                await new Promise(requestAnimationFrame);
                frames.push(performance.now() - last);
                last = performance.now();
            }
            return frames;
        }"""
    )
    assert sorted(times)[len(times) // 2] < 100, "half of the frames come within a tenth of a second"
    expect(page.get_by_text("W099999")).to_be_visible()
    assert page.locator(".v-body .v-row").count() < 60, "only what is seen exists"
    page.get_by_label("Search").fill("word054321")
    expect(page.get_by_text("1 row of 100,004 match")).to_be_visible()


def test_the_theme_follows_the_system_until_it_is_switched(browser: Browser, address: str) -> None:
    with page_of(browser, theme="dark") as page:
        page.goto(address)
        html = page.locator("html")
        expect(html).to_have_attribute("data-theme", "dark")
        page.get_by_role("button", name="Dark").click()
        expect(html).to_have_attribute("data-theme", "light")
        page.reload()
        expect(html).to_have_attribute("data-theme", "light")


def test_a_phone_shows_no_more_than_its_width(browser: Browser, address: str) -> None:
    with page_of(browser, width=390, height=800) as page:
        for name in ("try", "lexicon", "teach", "evaluate", "train", "runs"):
            page.goto(f"{address}/#/{name}?run=colors")
            expect(page.locator("h1")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
