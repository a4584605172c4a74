"""Text that needs a tokenizer: a guess from its characters, and what to do about it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice

from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.data.letters import is_spelled
from fewlex.data.tokenizers import GLUE, Codes, Marks, Parts

LOOKED_AT = 1000
"""Examples that the guess is made from."""

LONG_WORD = 4.0
"""Words of scripts without blanks have one to three characters. Tokens that are longer on average are phrases."""

WITHOUT_BLANKS = {
    "CJK": "Chinese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "THAI": "Thai",
    "LAO": "Lao",
}
"""Scripts whose words are not written apart, by the first word of a character's Unicode name; and a language."""

GLUED = frozenset(".,;:!?。，！？；：")
"""Marks that end a word in raw text and stand alone once it is cut."""

MAX_LEFT = 0.9
"""Marks are cut off if at most this share of the different tokens is left: `lamp`, `lamp.` and `lamp,` are one word."""

MANY_CALLS = 0.1
"""They also are if words are glued to opening brackets, as in `COUNT(*)`, in more than this share of the sentences."""

MAX_PARTS = 0.7
"""Words are cut into parts if at most this share of the different tokens is left."""

MIN_CODES, MAX_PIECES = 6, 0.5
"""Codes are cut if there are so many of them, and so few pieces for each."""

_DIGITS = re.compile(r"\d+")
_CODE = re.compile(r"[^\W\d]\d|\d[^\W\d]")
_CALL = re.compile(r"\w[(\[{]")

SIDES = ("source", "target")


@dataclass(frozen=True)
class SideGuess:
    """What one side of the pairs is written in."""

    side: str
    script: str
    """The commonest script, in Unicode's words: LATIN, CJK …; '' where there are no letters."""
    tokenizer: str
    """The tokenizer that the text seems to need; '' where white space will do."""
    reason: str = ""


def guess_side(examples: Iterable[Example], side: str) -> SideGuess:
    """A guess about sources or targets that were cut at white space."""
    examples = list(islice(examples, LOOKED_AT))
    sentences = [getattr(example, side) for example in examples]
    scripts = Counter(_script(c) for tokens in sentences for token in tokens for c in token if c.isalpha())
    script = scripts.most_common(1)[0][0] if scripts else ""
    unspaced = sum(scripts[name] for name in WITHOUT_BLANKS)
    if 2 * unspaced > scripts.total():
        lengths = [
            len(token) for tokens in sentences for token in tokens if _script(token[0]) in WITHOUT_BLANKS
        ]
        if lengths and sum(lengths) / len(lengths) > LONG_WORD:
            has_kana = scripts["HIRAGANA"] + scripts["KATAKANA"] > 0
            chinese = script == "CJK" and not has_kana
            language = (
                "Chinese" if chinese else WITHOUT_BLANKS.get("HIRAGANA" if has_kana else script, script)
            )
            reason = f"the {side}s are {language} without blanks between words"
            return SideGuess(side, script, "jieba" if chinese else "characters", reason)
    elif any(GLUE in token for tokens in sentences for token in tokens):
        return SideGuess(side, script, "")  # it was cut before
    elif cut := _put_together(examples, side):
        return SideGuess(side, script, cut, f"words of the {side}s are put together from parts")
    elif is_spelled(examples, side):
        return SideGuess(side, script, "characters", f"letters count in the {side}s, and not words")
    elif _is_glued(sentences):
        return SideGuess(side, script, "marks", f"punctuation is glued to the words of the {side}s")
    return SideGuess(side, script, "")


def guess_sides(corpus: Corpus, split: str = "train") -> tuple[SideGuess, ...]:
    """A guess about each side of one's own data that was cut at white space."""
    if corpus.dataset is not None:
        return ()
    return tuple(
        guess_side(corpus[split], side)
        for side in SIDES
        if getattr(corpus, f"{side}_tokenizer") == "whitespace"
    )


def warnings_of(corpus: Corpus) -> list[str]:
    """A sentence about each side that was cut at white space and has none between its words."""
    return [
        f"{guess.reason}, and were read as whole phrases. Add {option_of(guess)}"
        for guess in guess_sides(corpus)
        if guess.tokenizer in ("jieba", "characters")
    ]


def cut_as_it_needs(corpus: Corpus, but: Collection[str] = ()) -> Corpus:
    """One's own text, which was cut at white space, as `guess_side` says; not the sides that are named."""
    for guess in guess_sides(corpus):
        if guess.tokenizer and guess.side not in but:
            has_it = guess.tokenizer != "jieba" or find_spec("jieba") is not None
            corpus = corpus.cut_anew(guess.side, guess.tokenizer if has_it else "characters")
    return corpus


def option_of(guess: SideGuess) -> str:
    """The option that follows a guess: `--target-tokenizer jieba`."""
    return f"--{guess.side}-tokenizer {guess.tokenizer}"


def _is_glued(sentences: Sequence[Sequence[str]]) -> bool:
    """Whether most sentences end with a glued mark, many have calls, or cutting leaves clearly fewer tokens."""
    ends = [tokens[-1] for tokens in sentences if tokens]
    if 2 * sum(len(end) > 1 and end[-1] in GLUED and end[-2].isalpha() for end in ends) > len(ends):
        return True
    if sum(any(map(_CALL.search, tokens)) for tokens in sentences) > MANY_CALLS * len(sentences):
        return True
    tokens = {token for sentence in sentences for token in sentence}
    # Many numbers that stay as they are can hide that the other tokens become fewer, so they also count as one.
    kinds = {_DIGITS.sub("0", token) for token in tokens}
    return any(len(_cut(some, Marks())) <= MAX_LEFT * len(some) for some in (tokens, kinds))


def _put_together(examples: Sequence[Example], side: str) -> str:
    """How to cut words as `house.PL.in`, `2026-11-17` or `B12` that are so many because few parts are put together.

    Empty if words are not put together.
    """
    tokens = {token for example in examples for token in getattr(example, side)}
    if len(_cut(tokens, Parts())) <= MAX_PARTS * len(_cut(tokens, Marks())):
        return "parts"
    return "codes" if _has_codes(examples, side) else ""


def _has_codes(examples: Sequence[Example], side: str) -> bool:
    """Whether there are several codes as `B12` and few new pieces in them. Codes that are copied stay whole."""
    tokens = _cut({token for example in examples for token in getattr(example, side)}, Marks())
    codes = set(filter(_CODE.search, tokens))
    if any(_CODE.search(token) for e in examples for token in set(e.source).intersection(e.target)):
        return False
    pieces = _cut(codes, Codes()) - tokens
    return len(codes) >= MIN_CODES and len(pieces) <= MAX_PIECES * len(codes)


def _cut(tokens: set[str], tokenizer: Marks) -> set[str]:
    return {piece for token in tokens for piece in tokenizer.tokenize(token)}


def _script(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]
