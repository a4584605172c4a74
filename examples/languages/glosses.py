"""Interlinear glosses of an invented language: morphemes, and what each of them says.

    python examples/languages/glosses.py glosses
    fewlex train glosses --out runs/glosses

Verbs stand last and their glosses first; the marks of person and tense surround the stem; a stem that is said twice
goes on and on; a noun may be followed by a clause in `ke … re`, whose gloss is in brackets. Training never has a stem
that is said twice in the negative, and no clause within a clause.
"""

from __future__ import annotations

from sampling import Draw, Language, Sentence, main


def sentence(draw: Draw) -> Sentence:
    subject, said_subject = _noun(draw, 0)
    verb, said_verb = _verb(draw)
    source, target = [*subject, *verb], [*said_verb, *said_subject]
    if draw.combine(0.5):
        patient, said_patient = _noun(draw, 0)
        source = [*subject, *patient, "-mu", *verb]
        target = [*said_verb, *said_subject, *said_patient, "ACC"]
    return source, target


def _verb(draw: Draw) -> Sentence:
    stem, said = draw.word("stem")
    person, said_person = draw.word("person")
    tense, said_tense = draw.word("tense")
    is_negative = draw.combine(0.35)
    if draw.combine(0.15 if is_negative else 0.3, is_negative):
        stem, said = [*stem, *stem], [*said, "ITER"]
    if is_negative:
        return ["ha-", *person, *stem, *tense, "-si"], ["NEG", *said, *said_tense, *said_person]
    return [*person, *stem, *tense], [*said, *said_tense, *said_person]


def _noun(draw: Draw, level: int) -> Sentence:
    noun, said = draw.word("noun")
    if draw.combine(0.3):
        noun, said = [*noun, "-wa"], [*said, "PL"]
    if draw.combine(0.3):
        size, said_size = draw.word("quality")
        noun, said = [*noun, *size], [*said_size, *said]
    if draw.nest(level, 0.3):
        inner, said_inner = _noun(draw, level + 1)
        verb, said_verb = _verb(draw)
        return (
            [*noun, "ke", *inner, *verb, "re"],
            [*said, "[", *said_verb, *said_inner, "]"],
        )
    return noun, said


def glossed(words: str) -> list[tuple[str, str]]:
    return [(source, target) for source, _, target in (pair.partition(":") for pair in words.split())]


LANGUAGE = Language(
    "glosses",
    sentence,
    words={
        "noun": glossed(
            "tanu:house mibo:dog sefa:woman koru:river lumi:child paki:tree gode:stone zira:bird hamo:fire neki:boat"
        ),
        "stem": glossed("tal:see bim:eat sor:walk kun:hear lef:carry dap:break vin:sing"),
        "person": glossed("ni-:1SG o-:2SG a-:3SG tu-:1PL"),
        "tense": glossed("-ta:PST -no:FUT -e:PRS"),
        "quality": glossed("dolo:big piri:small kemu:old bana:red"),
    },
    once={
        "noun": glossed("wuti:moon yela:goat rasu:road"),
        "stem": glossed("gop:swim met:find"),
        "quality": glossed("fenu:new"),
    },
    taught={
        "noun": glossed("jaba:cloud holi:knife"),
        "stem": glossed("zut:weave"),
        "quality": glossed("lasi:blue"),
        "person": glossed("wi-:3PL"),
    },
    depth=1,
    test_depth=3,
)

if __name__ == "__main__":
    main(LANGUAGE)
