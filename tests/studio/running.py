"""The studio on loopback, in a thread of this process, and Chromium before it."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from fewlex.serve.server import bind, make_server
from fewlex.studio.app import create_studio

ROOT = Path(__file__).parents[2]
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Chromium as root, without its own calls to the network."""
AXE = ROOT / ".cache" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
AXE_PACKAGE = "axe-core@4"

expect.set_options(timeout=20_000)  # a busy machine is no fault of the page


@contextmanager
def studio_at(folder: Path) -> Iterator[str]:
    """The address of a studio for the runs below a folder."""
    app, studio = create_studio(folder)
    listening = bind("127.0.0.1", 0)
    ready = threading.Event()
    server = make_server(app, ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    assert ready.wait(20)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        studio.trainings.stop()


def chromium_path() -> str:
    """Where Chromium is; a machine without it is told how to get it."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("FEWLEX_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.fail("there is no Chromium. Run: apt-get install -y chromium (or set FEWLEX_CHROMIUM to one)")
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser for the tests of one module: while it is open, asyncio cannot be used in this thread."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(QUIET))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def page_of(
    browser: Browser, *, width: int = 1280, height: int = 860, theme: str = "light"
) -> Iterator[Page]:
    """A page on which no script may fail and the Content-Security-Policy may not be violated."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if theme == "dark" else "light"
    )
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if "Security Policy" in said.text else None)
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: complaints.append(f"a script has opened a dialog: {dialog.message}"))
    try:
        yield page
        assert complaints == []
        assert [url for url in asked if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))] == []
    finally:
        context.close()


def view(page: Page, name: str) -> None:
    page.get_by_role("navigation").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def say(page: Page, sentence: str) -> None:
    page.get_by_label("Sentence").fill(sentence)


def axe_source() -> str:
    """axe-core, which npm installs into a folder that git ignores; it is part of no package of ours."""
    if not AXE.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.fail(f"there is no npm to install {AXE_PACKAGE} with. Run: apt-get install -y npm")
        place = AXE.parents[2]
        place.mkdir(parents=True, exist_ok=True)
        command = [
            npm,
            "install",
            "--no-save",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(place),
            AXE_PACKAGE,
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
    return AXE.read_text(encoding="utf-8")
