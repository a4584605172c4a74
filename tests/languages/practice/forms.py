"""Forms of words: suffixes and their glosses, a spelling with context rules, dates."""

from __future__ import annotations

from sampling import Draw, Language, Sentence

from tests.languages.practice.words import meant


def suffixes(draw: Draw) -> Sentence:
    """Verb last, suffixes in a fixed order; the person is glossed first, and *not* before the stem."""
    subject, said_subject = _noun(draw, 0)
    stem, said_stem = draw.word("stem")
    tense, said_tense = draw.word("tense")
    person, said_person = draw.word("person")
    is_causative = draw.combine(0.25)
    verb, said_verb = [*stem], [*said_stem]
    if is_causative:
        verb, said_verb = [*verb, "-dir"], [*said_verb, "-CAUS"]
    if draw.combine(0.15 if is_causative else 0.25, is_causative):
        verb, said_verb = [*verb, "-me"], ["not", *said_verb]
    verb, said_verb = [*verb, *tense, *person], [*said_person, *said_verb, *said_tense]
    if draw.combine(0.5):
        thing, said_thing = _noun(draw, 0)
        return [*subject, *thing, "-i", *verb], [*said_subject, *said_verb, *said_thing]
    return [*subject, *verb], [*said_subject, *said_verb]


def _noun(draw: Draw, level: int) -> Sentence:
    noun, said = draw.word("noun")
    if draw.combine(0.3):
        noun, said = [*noun, "-ler"], [*said, "-PL"]
    if draw.nest(level, 0.35):
        owner, said_owner = _noun(draw, level + 1)
        return [*owner, "-in", *noun, "-si"], [*said, "of", "<", *said_owner, ">"]
    return noun, said


SUFFIXES = Language(
    "suffixes",
    suffixes,
    words={
        "noun": meant("ev:house at:horse kuş:bird göl:lake taş:stone dal:branch kapı:door yol:road"),
        "stem": meant("gör:see al:take sev:love bul:find kır:break"),
        "tense": meant("-di:-PST -ecek:-FUT -iyor:-PRS"),
        "person": meant("-m:1SG -n:2SG -k:1PL"),
    },
    once={"noun": meant("el:hand ses:voice"), "stem": meant("yaz:write"), "tense": meant("-miş:-EVID")},
    taught={
        "noun": meant("deniz:sea köy:village"),
        "stem": meant("sat:sell"),
        "person": meant("-ler3:3PL -siniz:2PL"),
    },
    depth=1,
    test_depth=3,
)

VOWELS = "aeiou"


def spelling(draw: Draw) -> Sentence:
    """*s* is voiced between vowels, *c* is soft before *e* and *i*, *ph* is one sound, a final *e* is silent."""
    letters, sounds = _syllable(draw, "")
    level = -1
    while draw.nest(level, 0.75):
        level += 1
        more, said = _syllable(draw, letters[-1])
        letters, sounds = letters + more, sounds + said
    if draw.combine(0.25):
        letter, said = draw.word("consonant")
        letters, sounds = [*letters, *letter, "e"], [*sounds, *said, "."]
    else:
        sounds = [*sounds, "."]
    return letters, sounds


def _syllable(draw: Draw, before: str) -> Sentence:
    vowel, sound = draw.word("vowel")
    form = draw.rng.choice(("plain", "plain", "s", "c", "ph", "double"))
    if form == "s":
        return ["s", *vowel], ["z" if before in VOWELS and before else "s", *sound]
    if form == "c":
        return ["c", *vowel], ["s" if vowel[0] in "ei" else "k", *sound]
    if form == "ph":
        return ["p", "h", *vowel], ["f", *sound]
    letter, said = draw.word("consonant")
    if form == "double":
        draw.is_new_combination |= letter[0] == "m"
        return [*letter, *letter, *vowel], [*said, *sound]
    return [*letter, *vowel], [*said, *sound]


SPELLING = Language(
    "spelling",
    spelling,
    words={
        "vowel": meant("a:A e:E i:I o:O u:U"),
        "consonant": meant("b:b d:d f:f k:k l:l m:m n:n r:r t:t v:v"),
    },
    once={"consonant": meant("w:v z:dz")},
    taught={"consonant": meant("ç:ts ş:sh ğ:gh ñ:ny ł:wl")},
    depth=2,
    test_depth=5,
)


def date(draw: Draw) -> Sentence:
    source, target = _day(draw)
    level = -1
    while draw.nest(level, 0.5):
        level += 1
        number, said_number = draw.word("number")
        unit, said_unit = draw.word("unit")
        way, said_way = draw.rng.choice((("before", "-"), ("after", "+")))
        source = [*number, *unit, way, *source]
        target = ["(", *target, ")", said_way, *said_number, *said_unit]
    if draw.combine(0.3):
        source = ["on", *source]
    return source, target


def _day(draw: Draw) -> Sentence:
    form = draw.rng.choice(("date", "date", "weekday", "time"))
    if form == "weekday":
        day, said = draw.word("weekday")
        if draw.combine(0.4):
            return ["next", *day], ["week", "+", "1", "#", *said]
        return ["this", *day], ["week", "+", "0", "#", *said]
    number, said_number = draw.word("ordinal")
    month, said_month = draw.word("month")
    source, target = ["the", *number, "of", *month], [*said_month, "/", *said_number]
    has_year = draw.combine(0.3)
    if has_year:
        year, said_year = draw.word("year")
        source, target = [*source, *year], [*said_year, "/", *target]
    if draw.combine(0.15 if has_year else 0.3, has_year):
        hour, said_hour = draw.word("number")
        source, target = [*source, "at", *hour], [*target, "T", *said_hour]
    return source, target


DATES = Language(
    "dates",
    date,
    words={
        "ordinal": meant("first:1 second:2 third:3 fourth:4 fifth:5 tenth:10 twentieth:20"),
        "month": meant("january:01 march:03 april:04 june:06 july:07 may:05"),
        "year": meant("1999:1999 2001:2001 2026:2026 1850:1850"),
        "number": meant("two:2 three:3 four:4 five:5 six:6 seven:7"),
        "unit": meant("days:d weeks:w months:m"),
        "weekday": meant("monday:mo friday:fr sunday:su tuesday:tu"),
    },
    once={
        "ordinal": meant("sixth:6"),
        "month": meant("august:08"),
        "number": meant("nine:9"),
        "unit": meant("years:y"),
    },
    taught={
        "ordinal": meant("ninth:9"),
        "month": meant("october:10 december:12"),
        "weekday": meant("saturday:sa"),
        "number": meant("eleven:11"),
    },
    depth=1,
    test_depth=3,
)

LANGUAGES = (SUFFIXES, SPELLING, DATES)
