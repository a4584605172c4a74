"""Chinese in one script: traditional sentences are written in simplified characters behind a tag.

    我 喜歡 這裡    is written    <traditional> 我 喜欢 这里
    我 喜欢 这里    stays as it is

Tatoeba mixes both scripts, and an English sentence does not say which is wanted. In this notation the choice of the
script is one token, and a word is one word in both. The conversion is OpenCC's, a token at a time; a token that would
not come back as it was is kept, behind a mark if need be, so that nothing is lost (docs/lab/eng_cmn.md).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module

from fewlex.data.codec import Codec, Pointed, Tokens
from fewlex.errors import DataError, NotationError

TRADITIONAL = "<traditional>"
KEPT = "≡"
"""In front of a token of a traditional sentence that is meant as it stands."""


def simplified(token: str) -> str:
    """The token in simplified characters."""
    return _converter("t2s")(token)


def traditional(token: str) -> str:
    """The token in traditional characters, as Taiwan writes them: those that Tatoeba mostly has."""
    return _converter("s2tw")(token)


def in_simplified(tokens: Sequence[str]) -> Tokens:
    """All tokens in simplified characters; they stay cut where they were."""
    return tuple(simplified(token) for token in tokens)


def has_opencc() -> bool:
    return importlib.util.find_spec("opencc") is not None


def encode(target: Tokens) -> Pointed:
    """A published sentence in one script; traditional is what has a traditional character."""
    if TRADITIONAL in target or any(token.startswith(KEPT) for token in target):
        raise NotationError(f"{TRADITIONAL} and {KEPT} have a meaning of their own: {' '.join(target)}")
    tokens = target
    if any(simplified(token) != token for token in target):
        tokens = (TRADITIONAL, *(_recoverable(token) for token in target))
    return Pointed(tokens, (None,) * len(tokens))


def decode(output: Pointed) -> Tokens:
    """The sentence in the script that its tag says."""
    if not output.tokens or output.tokens[0] != TRADITIONAL:
        return output.tokens
    return tuple(
        token.removeprefix(KEPT) if token.startswith(KEPT) else traditional(token)
        for token in output.tokens[1:]
    )


ONE_SCRIPT = Codec(encode, decode)


def _recoverable(token: str) -> str:
    """What a token of a traditional sentence is written as, such that `decode` gives it back."""
    short = simplified(token)
    if traditional(short) == token:
        return short
    return token if traditional(token) == token else KEPT + token


@cache
def _converter(direction: str) -> Callable[[str], str]:
    """One of OpenCC's conversions, which remembers what it was asked: a corpus has few distinct tokens."""
    try:
        convert: Callable[[str], str] = import_module("opencc").OpenCC(direction).convert
    except ImportError as error:
        raise DataError(
            'Chinese scripts are converted by OpenCC. Run: pip install "fewlex[text]" (opencc-python-reimplemented)'
        ) from error
    return cache(convert)
