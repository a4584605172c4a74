"""Text that cannot take over a terminal, a page, a LaTeX document or a spreadsheet, whoever has written it.

Tokens, paths and categories come from files of other people. A token may hold an escape sequence that retitles the
window or hides a line, and a control character that turns the reading direction. On the way to a person all of them
become visible: `\\u001b`, as JSON spells it, so that JSON stays the same JSON.
"""

from __future__ import annotations

import re
from html import escape

_UNSAFE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but tab and line feed, line separators, what turns the direction of text, half characters."""

_FORMULA = re.compile(r"'*[=+\-@].*[(|!]", re.DOTALL)
_ESCAPED_FORMULA = re.compile(r"'+[=+\-@].*[(|!]", re.DOTALL)


def printable(text: str) -> str:
    """The text with every character that a terminal would obey spelt out."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def one_line(text: str) -> str:
    """The text on one line, for places where a line break would begin something new."""
    return " ".join(printable(text).split())


def as_html(text: str) -> str:
    """The text as part of a page, or of an attribute: neither markup nor anything that turns the direction of text."""
    return escape(printable(text))


def as_cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: one that could call something gets an apostrophe in front.

    Words such as `-` and `@-@` stay as they are, since a formula that does harm needs `(`, `|` or `!`.
    """
    return f"'{text}" if _FORMULA.match(text) else text


def from_cell(text: str) -> str:
    """The text that `as_cell` has made a cell of."""
    return text[1:] if _ESCAPED_FORMULA.match(text) else text
