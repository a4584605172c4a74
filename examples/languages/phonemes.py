"""The letters of invented words with an Italian spelling, and their sounds.

    python examples/languages/phonemes.py phonemes
    fewlex train phonemes --out runs/phonemes

*c* and *g* are soft before *e* and *i* and hard elsewhere; *h* keeps them hard; a consonant that is written twice is
long; *gn* and *sc* are sounds of their own before a soft vowel. A letter that training shows once, or never, stands for
a sound of its own. Training never has a long *f*, and its words have at most four syllables. Test words have up to
seven.
"""

from __future__ import annotations

from sampling import Draw, Language, Sentence, main

SOFT = {"c": "tS", "g": "dZ"}
HARD = {"c": "k", "g": "g"}


def sentence(draw: Draw) -> Sentence:
    source, target = _syllable(draw, is_first=True)
    level = -1
    while draw.nest(level, 0.8):
        level += 1
        more_source, more_target = _syllable(draw, is_first=False)
        source, target = source + more_source, target + more_target
    return source, target


def _syllable(draw: Draw, is_first: bool) -> Sentence:
    vowel, sound = draw.word("vowel")
    is_soft = vowel[0] in ("e", "i")
    form = draw.rng.choice(
        ("plain", "plain", "plain", "c or g", "c or g", "cluster", "none" if is_first else "long")
    )
    if form == "none":
        return vowel, sound
    if form == "c or g":
        letter = draw.rng.choice("cg")
        if is_soft and draw.combine(0.4):
            return [letter, "h", *vowel], [HARD[letter], *sound]
        return [letter, *vowel], [SOFT[letter] if is_soft else HARD[letter], *sound]
    if form == "cluster":
        cluster, said = draw.rng.choice(((["g", "n"], ["J"]), (["t", "r"], ["t", "r"]), (["s", "c"], ["S"])))
        said = ["s", "k"] if cluster[0] == "s" and not is_soft else said
        return [*cluster, *vowel], [*said, *sound]
    letter, said = draw.word("consonant")
    if form == "long" and letter[0] in "tplf":
        draw.is_new_combination |= letter[0] == "f"
        return [*letter, *letter, *vowel], [*said, ":", *sound]
    return [*letter, *vowel], [*said, *sound]


def spelt(words: str) -> list[tuple[str, str]]:
    return [(source, target) for source, _, target in (pair.partition(":") for pair in words.split())]


LANGUAGE = Language(
    "phonemes",
    sentence,
    words={
        "vowel": spelt("a:a e:e i:i o:o u:u"),
        "consonant": spelt("b:b d:d f:f l:l m:m n:n p:p r:r s:s t:t v:v z:ts q:kw"),
    },
    once={"consonant": spelt("x:ks j:j")},
    taught={"consonant": spelt("ß:s ñ:nj þ:T š:S ł:w")},
    depth=2,
    test_depth=5,
)

if __name__ == "__main__":
    main(LANGUAGE)
