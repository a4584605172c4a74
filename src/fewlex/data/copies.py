"""Numbers, codes, names and quotations that training copies from the source to the target, whatever they are.

If the pairs show that *set a timer for 5 minutes* means `timer ( 5 min )`, and so on for many numbers, then 17 minutes
should work although no pair has a 17. So what is copied is hidden behind a few slots, `⟨1⟩` to `⟨6⟩`, before anything
is learned from a pair or a sentence is read, and what a slot stands for is put back into the output. Which slot stands
for what is drawn by the sentence, so that all slots occur in all places.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fewlex.data.example import Example
from fewlex.errors import ConfigError, did_you_mean

Tokens = tuple[str, ...]

SLOTS = tuple(f"⟨{number}⟩" for number in range(1, 7))
"""A sentence in which more things are copied keeps the others as they are."""

KINDS = ("numbers", "codes", "names", "quotations")
"""The kinds of things that can be copied, in the order in which a token is tried."""

MIN_DIFFERENT, MIN_PAIRS, MIN_COPIED = 3, 5, 0.97
"""A kind is copied if so many different things of it, in so many pairs, are nearly always in the target as well."""
MIN_NAMES, MAX_NAME_USES = 10, 2
"""Names are an open class if there are so many, half of which are in no more pairs than this. Otherwise they are words
like all others."""

_NUMBER = re.compile(r"[+-]?\d+(?:[.,:/-]\d+)*")
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»"}
_GLUE = "￭"
"""The mark by which the tokenizer `marks` says that a token had no blank beside it."""


@dataclass(frozen=True)
class Copied:
    """A sentence with slots, and what they stand for."""

    tokens: Tokens
    values: Mapping[str, Tokens] = field(default_factory=dict)

    def restored(self, token: str) -> Tokens:
        """What a token of an output stands for; most stand for themselves."""
        for slot in SLOTS if self.values else ():
            # A network may write a slot that the sentence does not have. Then it is the first thing that is meant.
            value = self.values.get(slot) or next(iter(self.values.values()))
            if token == slot:
                return value
            token = token.replace(slot, " ".join(value))
        return (token,)


@dataclass(frozen=True)
class Copies:
    """The kinds of things that are copied."""

    kinds: Tokens = ()

    @classmethod
    def named(cls, names: str) -> Copies:
        """From the names of kinds with a + between them, as a configuration has it: `numbers+codes`."""
        kinds = tuple(filter(None, names.split("+")))
        for kind in kinds:
            if kind not in KINDS:
                raise ConfigError(f"data.copies: nothing is called {kind!r}. {did_you_mean(kind, KINDS)}")
        return cls(kinds)

    @property
    def name(self) -> str:
        return "+".join(self.kinds)

    def hide(self, source: Sequence[str], known: Collection[str] = ()) -> Copied:
        """A source with slots in the place of what will be copied; words that are `known` stay as they are."""
        source = tuple(source)
        spans = [span for span in self._spans(source) if " ".join(source[slice(*span)]) not in known]
        values = list(dict.fromkeys(source[start:end] for start, end in spans))[: len(SLOTS)]
        slots = random.Random(" ".join(source)).sample(SLOTS, len(values))
        slot_of = dict(zip(values, slots, strict=True))
        tokens: list[str] = []
        position = 0
        for start, end in spans:
            if source[start:end] in slot_of:
                tokens += [*source[position:start], slot_of[source[start:end]]]
                position = end
        return Copied((*tokens, *source[position:]), {slot: value for value, slot in slot_of.items()})

    def hide_in_pair(self, example: Example) -> Example:
        """A pair with the same slots on both sides. What the target does not have is not hidden in the source."""
        if not self.kinds:
            return example
        copied = self.hide(example.source)
        if not copied.values:
            return example
        target, missing = example.target, set[str]()
        for slot, value in copied.values.items():
            hidden = _with_slot(target, value, slot)
            if hidden == target:
                missing.add(slot)
            target = hidden
        source = tuple(
            token for read in copied.tokens for token in (copied.values[read] if read in missing else (read,))
        )
        return replace(example, source=source, target=target)

    def _spans(self, source: Tokens) -> list[tuple[int, int]]:
        """Where things that can be copied begin and end."""
        spans: list[tuple[int, int]] = []
        if "quotations" in self.kinds:
            spans += _quotations(source)
        taken = {place for start, end in spans for place in range(start, end)}
        for place, token in enumerate(source):
            if place not in taken and _kind(token, place) in self.kinds:
                spans.append((place, place + 1))
        return sorted(spans)


def find_copies(examples: Sequence[Example]) -> Copies:
    """The kinds of things that the examples copy."""
    return Copies(tuple(kind for kind in KINDS if _is_copied(kind, examples)))


def _is_copied(kind: str, examples: Iterable[Example]) -> bool:
    only = Copies((kind,))
    pairs: Counter[Tokens] = Counter()
    holding = copied = total = 0
    for example in examples:
        values = {example.source[start:end] for start, end in only._spans(example.source)}
        holding += bool(values)
        pairs.update(values)
        total += len(values)
        copied += sum(_with_slot(example.target, value, SLOTS[0]) != example.target for value in values)
    if len(pairs) < MIN_DIFFERENT or holding < MIN_PAIRS or copied < MIN_COPIED * total:
        return False
    if kind != "names":
        return True
    rare = sum(number <= MAX_NAME_USES for number in pairs.values())
    return len(pairs) >= MIN_NAMES and 2 * rare >= len(pairs)


def _kind(token: str, place: int) -> str:
    """The kind of a single token; '' if it is a word like others. The first word of a sentence is no name."""
    if _NUMBER.fullmatch(token):
        return "numbers"
    has_letter = any(character.isalpha() for character in token)
    if has_letter and ("@" in token or "://" in token or any(character.isdigit() for character in token)):
        return "codes"
    if place and token[0].isupper() and any(character.islower() for character in token):
        return "names"
    return ""


def _quotations(source: Tokens) -> Iterator[tuple[int, int]]:
    """The stretches between quotation marks: without the marks if these are tokens, otherwise with them."""
    start, closer = -1, ""
    for place, token in enumerate(source):
        bare = token.strip(_GLUE)
        if start < 0 and bare[:1] in _QUOTES:
            closer = _QUOTES[bare[0]]
            start = place + 1 if len(bare) == 1 else place
            if len(bare) == 1 or not bare.endswith(closer):
                continue
        if start >= 0 and bare.endswith(closer):
            end = place if len(bare) == 1 else place + 1
            if end > start:
                yield start, end
            start = -1


def _with_slot(target: Tokens, value: Tokens, slot: str) -> Tokens:
    """The target with a slot wherever it has the value, as tokens of its own or else within longer tokens."""
    found: list[str] = []
    place = 0
    while place < len(target):
        if target[place : place + len(value)] == value:
            found.append(slot)
            place += len(value)
        else:
            found.append(target[place])
            place += 1
    if tuple(found) != target or len(value) > 1:
        return tuple(found)
    edge = r"\d" if value[0].isdigit() else r"[^\W_]"
    within = re.compile(rf"(?<!{edge}){re.escape(value[0])}(?!{edge})")
    return tuple(within.sub(slot, token) for token in target)
