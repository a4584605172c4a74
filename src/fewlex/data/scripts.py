"""Text that needs a tokenizer: a guess from its characters, and what to do about it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from statistics import correlation

from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.data.tokenizers import GLUE, Marks, Parts

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

MAX_PARTS = 0.7
"""Words are cut into parts if at most this share of the different tokens is left."""

MIN_SPELLED = 20
"""With fewer words nothing is said about their spelling."""

MIN_CORRELATION = 0.6
"""The correlation of lengths from which on words are read letter by letter."""

_DIGITS = re.compile(r"\d+")

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
    elif _is_spelled(examples, side):
        reason = f"the {side}s are single words, whose letters tell what belongs to them"
        return SideGuess(side, script, "characters", reason)
    elif _has_parts(sentences):
        return SideGuess(side, script, "parts", f"words of the {side}s are put together from parts")
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
    """Whether most sentences end with a glued mark, or cutting marks off leaves clearly fewer different tokens."""
    ends = [tokens[-1] for tokens in sentences if tokens]
    if 2 * sum(len(end) > 1 and end[-1] in GLUED and end[-2].isalpha() for end in ends) > len(ends):
        return True
    tokens = {token for sentence in sentences for token in sentence}
    # Many numbers that stay as they are can hide that the other tokens become fewer, so they also count as one.
    kinds = {_DIGITS.sub("0", token) for token in tokens}
    return any(len(_cut(some, Marks())) <= MAX_LEFT * len(some) for some in (tokens, kinds))


def _is_spelled(examples: Sequence[Example], side: str) -> bool:
    """Whether examples are words and their sounds, or words and their forms, so that letters count and not words.

    The side then has single words, hardly any of them twice, and longer words go with longer answers. In a list of
    words and their translations the lengths have little to do with each other.
    """
    words = [getattr(example, side) for example in examples]
    if len(words) < MIN_SPELLED or sum(len(word) == 1 for word in words) < 0.95 * len(words):
        return False
    if len(set(words)) < 0.8 * len(words) or _has_parts(words):
        return False
    lengths = [[_letters(example.source), _letters(example.target)] for example in examples]
    sources, targets = zip(*lengths, strict=True)
    return min(len(set(sources)), len(set(targets))) > 1 and correlation(sources, targets) >= MIN_CORRELATION


def _letters(tokens: Sequence[str]) -> int:
    """The length of a word in letters, and of a list of sounds in sounds."""
    return len(tokens[0]) if len(tokens) == 1 else len(tokens)


def _has_parts(sentences: Sequence[Sequence[str]]) -> bool:
    """Whether words as `house.PL.in` or `2026-11-17` are so many because few parts were put together in many ways."""
    tokens = {token for sentence in sentences for token in sentence}
    return len(_cut(tokens, Parts())) <= MAX_PARTS * len(_cut(tokens, Marks()))


def _cut(tokens: set[str], tokenizer: Marks) -> set[str]:
    return {piece for token in tokens for piece in tokenizer.tokenize(token)}


def _script(character: str) -> str:
    return unicodedata.name(character, "").partition(" ")[0]
