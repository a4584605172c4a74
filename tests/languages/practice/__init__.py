"""Languages by which the default is chosen, so that it need not be chosen by those that judge it."""

from __future__ import annotations

from tests.languages.practice import calls, forms, later, text

PRACTICE = (*calls.LANGUAGES, *forms.LANGUAGES, *text.LANGUAGES, *later.LANGUAGES)
