"""The tokenizers that a configuration can name. They split text into tokens and join tokens into text."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Protocol

from fewlex.errors import DataError, did_you_mean


class Tokenizer(Protocol):
    """Splits text into tokens and joins them again."""

    def tokenize(self, text: str) -> tuple[str, ...]: ...

    def detokenize(self, tokens: Sequence[str]) -> str: ...


class Whitespace:
    """Splits text at white space."""

    def tokenize(self, text: str) -> tuple[str, ...]:
        return tuple(text.split())

    def detokenize(self, tokens: Sequence[str]) -> str:
        return " ".join(tokens)


class Characters:
    """Every character is a token, a blank too, which is written `␣`: for spellings, and where no word ends."""

    def tokenize(self, text: str) -> tuple[str, ...]:
        return tuple("␣" if character == " " else character for character in " ".join(text.split()))

    def detokenize(self, tokens: Sequence[str]) -> str:
        return "".join(" " if token == "␣" else token for token in tokens)


GLUE = "￭"


class Marks:
    """Cuts brackets, quotes and punctuation off the words: `on("lamp").` becomes `on ￭(￭ "￭ lamp ￭" ￭) ￭.`

    The sign ￭ says that there was no blank, so joining gives the text back. Words keep what is within them, as
    `dev.lamp`, `it's`, `3.5` and `12:30` do.

    Of two neighbours one has the sign. An opening bracket or an operator has it on its right, a closing bracket on its
    left. So a phrase is the same tokens wherever it stands: `(a + b)` in `f((a + b))` has the bracket `(￭`, and not
    one that is glued to the bracket before it.
    """

    pieces = re.compile(
        r"\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:[.:]\d+)+|\w+(?:[.'’@-]\w+)*|[=<>!&|+*/~^%-]+|.", re.DOTALL
    )

    def tokenize(self, text: str) -> tuple[str, ...]:
        return tuple(token for chunk in text.split() for token in self._glued(self.pieces.findall(chunk)))

    @staticmethod
    def _glued(pieces: Sequence[str]) -> Iterator[str]:
        """The pieces of a stretch without blanks, each with the signs that it has."""
        kinds = _kinds(pieces)
        has_sign = False
        for place, piece in enumerate(pieces):
            before = GLUE if place and not has_sign else ""
            has_sign = place + 1 < len(pieces) and _is_first_glued(kinds[place], kinds[place + 1])
            yield f"{before}{piece}{GLUE if has_sign else ''}"

    def detokenize(self, tokens: Sequence[str]) -> str:
        text, is_glued = "", True
        for token in tokens:
            begins, ends = token.startswith(GLUE), token.endswith(GLUE)
            text += ("" if is_glued or begins else " ") + token[
                begins : len(token) - (ends and len(token) > 1)
            ]
            is_glued = ends
        return text


WORD, NUMBER, OPENS, CLOSES, SEPARATES = "word", "number", "opens", "closes", "separates"
"""What a piece is. Operators count as pieces that open, because what follows belongs to them."""


def _kinds(pieces: Sequence[str]) -> list[str]:
    """What each piece is. Of the quotes in a stretch the first one opens and the second one closes."""
    kinds = []
    is_quoted = False
    for piece in pieces:
        if any(map(str.isalnum, piece)):
            kinds.append(NUMBER if piece.isdecimal() else WORD)
        elif piece in ",;:.!?":
            kinds.append(SEPARATES)
        else:
            kinds.append(CLOSES if piece in ")]}" or (piece in "\"'" and is_quoted) else OPENS)
            is_quoted ^= piece in "\"'"
    return kinds


def _is_first_glued(first: str, second: str) -> bool:
    """Whether the sign between two neighbours is on the first one."""
    if second in (WORD, NUMBER):
        return first != NUMBER  # a number is written in the same way beside letters and without them
    return second == OPENS and first in (OPENS, SEPARATES)


class Parts(Marks):
    """Cuts words at the marks within them, too: `house.PL-in` becomes `house ￭.￭ PL ￭-￭ in`, as glosses need it.

    Dates and times are cut, while `3.5` and `1,000` stay whole.
    """

    pieces = re.compile(
        r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d+\.\d+)(?![\w.])|[^\W_]+|[=<>!&|+*/~^%-]+|.", re.DOTALL
    )


class Codes(Marks):
    """Cuts letters from digits, too: `B12` becomes `B￭ 12`, and `PT2H` becomes `PT￭ 2 ￭H`."""

    pieces = re.compile(
        r"\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:[.:]\d+)+|\d+|[^\W\d]+(?:[.'’@-][^\W\d]+)*|[=<>!&|+*/~^%-]+|.",
        re.DOTALL,
    )


class Moses:
    """The tokenizer of the Moses toolkit, as sacremoses implements it. `ten-minute` becomes `ten @-@ minute`."""

    def __init__(self, language: str = "en", escape: bool = False) -> None:
        """With `escape`, quotes and brackets become entities such as `&apos;`, because Moses itself needs them so."""
        sacremoses = _import("sacremoses")
        languages = sacremoses.corpus.NonbreakingPrefixes().available_langs.values()
        if language not in languages:
            raise DataError(
                f"the moses tokenizer has no language {language!r}. {did_you_mean(language, set(languages))}"
            )
        self.escape = escape
        self._tokenizer = sacremoses.MosesTokenizer(lang=language)
        self._detokenizer = sacremoses.MosesDetokenizer(lang=language)

    def tokenize(self, text: str) -> tuple[str, ...]:
        return tuple(self._tokenizer.tokenize(text, aggressive_dash_splits=True, escape=self.escape))

    def detokenize(self, tokens: Sequence[str]) -> str:
        return str(self._detokenizer.detokenize(list(tokens), unescape=self.escape))


class Jieba:
    """Finds Chinese words with jieba's dictionary. Blanks are dropped; joining puts them only between Latin words."""

    def __init__(self, by_part_of_speech: bool = False) -> None:
        """With `by_part_of_speech`, jieba's tagger decides where words end, and its tags are dropped."""
        jieba = _import("jieba")
        jieba.setLogLevel(logging.WARNING)  # Otherwise it reports that it loads its dictionary.
        self._cut: Callable[[str], list[str]] = jieba.lcut
        if by_part_of_speech:
            tagger = _import("jieba.posseg")
            self._cut = lambda text: [tagged.word for tagged in tagger.cut(text)]

    def tokenize(self, text: str) -> tuple[str, ...]:
        return tuple(word for word in self._cut(text) if word.strip())

    def detokenize(self, tokens: Sequence[str]) -> str:
        text = ""
        for token in tokens:
            text += f" {token}" if _is_latin(text[-1:]) and _is_latin(token[:1]) else token
        return text


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


TOKENIZERS: dict[str, Callable[[], Tokenizer]] = {
    "whitespace": Whitespace,
    "characters": Characters,
    "marks": Marks,
    "parts": Parts,
    "codes": Codes,
    "moses": Moses,
    "jieba": Jieba,
}


def make_tokenizer(name: str) -> Tokenizer:
    """The tokenizer with a name in TOKENIZERS. `moses:de` is Moses for German, and other languages work alike."""
    kind, colon, language = name.partition(":")
    if kind == "moses" and colon:
        return Moses(language)
    if name not in TOKENIZERS:
        raise DataError(f"there is no tokenizer {name!r}. {did_you_mean(name, TOKENIZERS)}")
    return TOKENIZERS[name]()


def _import(module: str) -> ModuleType:
    """Import a module of the optional `text` dependencies. It is imported late, because it is slow to load."""
    try:
        with warnings.catch_warnings():
            # jieba imports a deprecated part of setuptools and has escape sequences that Python warns about.
            warnings.simplefilter("ignore")
            return import_module(module)
    except ModuleNotFoundError as error:
        raise DataError(
            f'the tokenizer needs {module}, which is not installed. Run: pip install "fewlex[text]"'
        ) from error
