"""The files of the page: nothing inline, nothing from elsewhere, nothing missing. Needs no browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from fewlex.studio.app import STATIC

FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
NAMESPACE = "http://www.w3.org/2000/svg"


def name_of(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


class Page(HTMLParser):
    """What a page loads, and what it has inline."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = dict(attrs)
        self.inline += [name for name in fields if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in fields):
            self.inline.append(tag)
        self.loaded += [value for name in ("src", "href") if (value := fields.get(name))]


def test_the_page_has_nothing_inline_and_all_that_it_loads() -> None:
    page = Page((STATIC / "index.html").read_text(encoding="utf-8"))
    assert page.inline == []
    loaded = [link for link in page.loaded if not link.startswith("#")]
    assert loaded
    for link in loaded:
        assert (STATIC / link.removeprefix("/studio/static/")).is_file(), link


def test_inline_code_is_found() -> None:
    page = Page('<p style="x"><a onclick="y()"><script>z()</script><style></style><script src="/a.js">')
    assert page.inline == ["style", "onclick", "script", "style"]
    assert page.loaded == ["/a.js"]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_file_names_another_site(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace(NAMESPACE, "")
    assert re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", text) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_scripts_never_parse_html_or_run_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    dangers = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function")
    assert [danger for danger in dangers if danger in text] == []
    assert 'setAttribute("style"' not in text, "the Content-Security-Policy forbids it"


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_what_a_script_imports_is_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for names, place in re.findall(r'import \{([^}]*)\} from "([^"]+)"', text):
        imported = (path.parent / place).read_text(encoding="utf-8")
        for name in map(str.strip, names.split(",")):
            assert re.search(rf"export (?:async )?(?:function|const|class) {name}\b", imported), name
            used = len(re.findall(rf"\b{name}\b", text))
            assert used > 1, f"{name} is imported and not used"
    for place in re.findall(r'import\("([^"]+)"\)', text):
        assert (path.parent / place).is_file()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_is_one_idea(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 350


def test_pages_and_scripts_come_with_a_strict_policy(client: httpx.Client) -> None:
    for path in ("/", "/studio/static/main.js", "/studio/static/base.css", "/studio/runs"):
        answer = client.get(path)
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "style-src 'self';" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/studio/static/../app.py", "/studio/static/%2e%2e/app.py", "/studio/static//etc/passwd"]
)
def test_only_the_files_of_the_page_are_given_away(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404
