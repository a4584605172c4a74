"""Small natural languages: French with genders, and dances whose steps are repeated and turned round."""

from __future__ import annotations

from sampling import Draw, Language, Sentence

from tests.languages.practice.words import meant


def french(draw: Draw) -> Sentence:
    """Adjectives follow and agree; the object is a pronoun or a noun."""
    subject, said_subject = _noun(draw, 0)
    verb, said_verb = draw.word("verb")
    is_negative = draw.combine(0.3)
    if draw.combine(0.15 if is_negative else 0.3, is_negative):
        source = [*subject, *(("does", "not", *verb) if is_negative else verb), "it"]
        said = ["ne", "le", *said_verb, "pas"] if is_negative else ["le", *said_verb]
        return source, [*said_subject, *said]
    thing, said_thing = _noun(draw, 0)
    if is_negative:
        return [*subject, "does", "not", *verb, *thing], [*said_subject, "ne", *said_verb, "pas", *said_thing]
    return [*subject, *verb, *thing], [*said_subject, *said_verb, *said_thing]


def _noun(draw: Draw, level: int) -> Sentence:
    gender = draw.rng.choice("mf")
    noun, said = draw.word(f"noun {gender}")
    source, target = [*noun], [*said]
    if draw.combine(0.4):
        quality, said_quality = draw.word("quality")
        source, target = [*quality, *source], [*target, *said_quality, *(["-e"] if gender == "f" else [])]
    source, target = ["the", *source], ["le" if gender == "m" else "la", *target]
    if draw.nest(level, 0.35):
        other, said_other = _noun(draw, level + 1)
        return [*source, "near", *other], [*target, "près", "de", *said_other]
    return source, target


FRENCH = Language(
    "french",
    french,
    words={
        "noun m": meant("dog:chien cat:chat boy:garçon book:livre king:roi"),
        "noun f": meant("cow:vache girl:fille house:maison queen:reine table:table"),
        "quality": meant("small:petit green:vert black:noir tired:fatigué"),
        "verb": meant("sees:voit loves:aime finds:trouve follows:suit"),
    },
    once={
        "noun m": meant("bear:ours"),
        "noun f": meant("moon:lune"),
        "quality": meant("loud:bruyant"),
        "verb": meant("hears:entend"),
    },
    taught={
        "noun m": meant("wolf:loup train:train"),
        "noun f": meant("goat:chèvre"),
        "quality": meant("strong:fort"),
        "verb": meant("carries:porte"),
    },
    depth=1,
    test_depth=3,
)


def dance(draw: Draw) -> Sentence:
    return _moves(draw, 0)


def _moves(draw: Draw, level: int) -> Sentence:
    move, said = draw.word("move")
    is_sided = draw.combine(0.4)
    if is_sided:
        side, said_side = draw.word("side")
        move, said = [*move, *side], [*said_side, *said]
    form = draw.rng.choice(("once", "once", "twice", "mirrored"))
    if form == "twice":
        move, said = [*move, "twice"], [*said, *said]
    elif form == "mirrored":
        draw.is_new_combination |= is_sided
        other, said_other = draw.word("move")
        move, said = ["between", *move, "do", *other], [*said, *said_other, *said]
    if not draw.nest(level, 0.45):
        return move, said
    rest, said_rest = _moves(draw, level + 1)
    if draw.combine(0.5):
        return [*move, "after", *rest], [*said_rest, *said]
    return [*move, "and", *rest], [*said, *said_rest]


DANCE = Language(
    "dance",
    dance,
    words={
        "move": meant("hop bow kick slide clap stomp wave nod"),
        "side": meant("left:L right:R up:U"),
    },
    once={"move": meant("spin dip"), "side": meant("down:D")},
    taught={"move": meant("shake leap roll"), "side": meant("back:B inside:I")},
    depth=2,
    test_depth=4,
)

LANGUAGES = (FRENCH, DANCE)
