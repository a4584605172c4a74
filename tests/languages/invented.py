"""A language that is made up from a seed: its words, and what its function words do. Only the test suite knows it.

Function words repeat, turn round or wrap what stands beside them, as those of Colors and SCAN do. The language was
fixed before any model was trained on it, and no default was chosen by it.
"""

from __future__ import annotations

import random

from sampling import Draw, Language, Sentence

SEED = 20261117


def _names(rng: random.Random, number: int) -> list[str]:
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    names: dict[str, None] = {}
    while len(names) < number:
        names["".join(rng.sample(syllables, 2))] = None
    return list(names)


def language(seed: int = SEED) -> Language:
    rng = random.Random(seed)
    *names, twice, thrice, swap, wrap, deep, end = _names(rng, 46)
    nouns, verbs = names[:24], names[24:]
    is_verb_first = rng.random() < 0.5

    def sentence(draw: Draw) -> Sentence:
        return _phrase(draw, 0)

    def _phrase(draw: Draw, level: int) -> Sentence:
        source, target = _clause(draw)
        if not draw.nest(level, 0.4):
            return source, target
        rest, said_rest = _phrase(draw, level + 1)
        if draw.combine(0.5):
            return [deep, *source, *rest, end], ["<", *target, *said_rest, ">"]
        return [*source, swap, *rest], [*said_rest, "/", *target]

    def _clause(draw: Draw) -> Sentence:
        verb, said_verb = draw.word("verb")
        noun, said_noun = draw.word("noun")
        is_wrapped = draw.combine(0.3)
        if is_wrapped:
            noun, said_noun = [*noun, wrap], ["*", *said_noun, "*"]
        source = [*verb, *noun] if is_verb_first else [*noun, *verb]
        target = [*said_noun, *said_verb]
        form = draw.rng.choice(("once", "once", "twice", "thrice"))
        if form == "twice":
            return [*source, twice], [*target, *target]
        if form == "thrice":
            draw.is_new_combination |= is_wrapped
            return [*source, thrice], [*target, *target, *target]
        return source, target

    def meant(words: list[str]) -> list[tuple[str, str]]:
        return [(word, word.upper()) for word in words]

    return Language(
        "invented",
        sentence,
        words={"noun": meant(nouns[:16]), "verb": meant(verbs[:10])},
        once={"noun": meant(nouns[16:20]), "verb": meant(verbs[10:13])},
        taught={"noun": meant(nouns[20:23]), "verb": meant(verbs[13:15])},
        depth=2,
        test_depth=4,
    )


LANGUAGE = language()
