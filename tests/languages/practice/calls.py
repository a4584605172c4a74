"""Things that people ask of programs: recipes for a kitchen robot, a home in German word order, SQL, sums."""

from __future__ import annotations

from sampling import Draw, Language, Sentence

from tests.languages.practice.words import meant


def recipe(draw: Draw) -> Sentence:
    source, target = _step(draw)
    level = -1
    while draw.nest(level, 0.5):
        level += 1
        more, said = _step(draw)
        source, target = [*source, "then", *more], [*target, ";", *said]
    return source, target


def _step(draw: Draw) -> Sentence:
    form = draw.rng.choice(("mix", "heat", "add", "rest"))
    if form == "rest":
        time, said_time = draw.word("time")
        return ["wait", *time, "minutes"], ["wait", "{", "t", ":", *said_time, "}"]
    food, said = draw.word("food")
    source, target = ["the", *food], [*said]
    if draw.combine(0.4):
        other, said_other = draw.word("food")
        source, target = [*source, "and", "the", *other], [*target, "+", *said_other]
    if form == "add":
        bowl, said_bowl = draw.word("place")
        return ["add", *source, "to", "the", *bowl], ["put", "{", *target, ">", *said_bowl, "}"]
    verb, said_verb = draw.word("verb")
    source, target = [*verb, *source], [*said_verb, "{", *target]
    is_gentle = draw.combine(0.3)
    if is_gentle:
        source, target = ["gently", *source], [*target, "|", "low"]
    if draw.combine(0.15 if is_gentle else 0.4, is_gentle):
        time, said_time = draw.word("time")
        source, target = [*source, "for", *time, "minutes"], [*target, "|", "t", ":", *said_time]
    return source, [*target, "}"]


RECIPES = Language(
    "recipes",
    recipe,
    words={
        "food": meant("flour sugar eggs butter milk salt rice beans cream brown_sugar:BSUGAR"),
        "verb": meant("stir:STIR fry:FRY bake:BAKE boil:BOIL chop:CHOP"),
        "place": meant("bowl pan pot oven tray"),
        "time": meant("five:5 ten:10 twenty:20 thirty:30 forty:40"),
    },
    once={"food": meant("honey lentils"), "verb": meant("grill:GRILL"), "place": meant("dish")},
    taught={"food": meant("yeast ginger"), "verb": meant("steam:STEAM"), "time": meant("sixty:60 two:2")},
    depth=2,
    test_depth=5,
)


def home(draw: Draw) -> Sentence:
    return _wish(draw, 0)


def _wish(draw: Draw, level: int) -> Sentence:
    device, said = draw.word("device")
    source, target = [*device], [*said]
    if draw.combine(0.4):
        room, said_room = draw.word("room")
        source, target = [*source, "im", *room], [*target, "@", *said_room]
    is_percent = draw.combine(0.25)
    if is_percent:
        number, said_number = draw.word("number")
        source = [*source, "auf", *number, "prozent", "stellen"]
        target = ["level", "(", *target, ",", *said_number, ")"]
    else:
        verb, said_verb = draw.word("verb")
        source, target = [*source, *verb], [*said_verb, "(", *target, ")"]
    if draw.combine(0.3):
        event, said_event = draw.word("event")
        source, target = ["sobald", *event, *source], ["when", "(", *said_event, ",", *target, ")"]
    is_polite = draw.combine(0.2 if not is_percent else 0.1, is_percent)
    if is_polite:
        source = ["bitte", *source]
    if not draw.nest(level, 0.4):
        return source, target
    rest, said_rest = _wish(draw, level + 1)
    return [*source, "und", "dann", *rest], ["seq", "(", *target, ",", *said_rest, ")"]


HOME = Language(
    "home",
    home,
    words={
        "device": meant("licht:light heizung:heat radio:radio ofen:oven lüfter:fan tor:gate fernseher:tv"),
        "room": meant("keller:cellar bad:bath flur:hall garten:garden wohnzimmer:living"),
        "verb": meant("anschalten:on ausschalten:off prüfen:check sperren:lock"),
        "number": meant("zehn:10 zwanzig:20 dreißig:30 fünfzig:50"),
        "event": meant("es_klingelt:bell es_regnet:rain jemand_kommt:guest"),
    },
    once={
        "device": meant("kamera:cam rollo:blind"),
        "room": meant("büro:office"),
        "verb": meant("putzen:clean"),
    },
    taught={
        "device": meant("sauna:sauna herd:stove"),
        "room": meant("stall:stable"),
        "number": meant("neun:9 elf:11"),
    },
    depth=2,
    test_depth=4,
)


def sql(draw: Draw) -> Sentence:
    source, target = _query(draw, 0)
    return ["show", *source], target


def _query(draw: Draw, level: int) -> Sentence:
    column, said_column = draw.word("column")
    table, said_table = draw.word("table")
    source, target = ["the", *column, "of", *table], ["SELECT", *said_column, "FROM", *said_table]
    is_distinct = draw.combine(0.2)
    if is_distinct:
        source, target = ["the", "different", *source[1:]], ["SELECT", "DISTINCT", *target[1:]]
    if draw.combine(0.6):
        other, said_other = draw.word("column")
        compare, said_compare = draw.rng.choice((("above", ">"), ("below", "<")))
        source, target = (
            [*source, "whose", *other, "is", compare],
            [*target, "WHERE", *said_other, said_compare],
        )
        if draw.nest(level, 0.4):
            inner, said_inner = _query(draw, level + 1)
            return [*source, *inner], [*target, "(", *said_inner, ")"]
        number, said_number = draw.word("number")
        source, target = [*source, *number], [*target, *said_number]
    if level == 0 and draw.combine(0.15 if is_distinct else 0.35, is_distinct):
        by, said_by = draw.word("column")
        source, target = [*source, "sorted", "by", *by], [*target, "ORDER", "BY", *said_by]
    return source, target


SQL = Language(
    "sql",
    sql,
    words={
        "column": meant("name:name salary:salary age:age title:title birth_date:born rank:rank"),
        "table": meant("workers:worker managers:manager guests:guest pilots:pilot teams:team"),
        "number": meant("3:3 8:8 15:15 40:40 99:99"),
    },
    once={
        "column": meant("bonus:bonus"),
        "table": meant("clerks:clerk nurses:nurse"),
        "number": meant("77:77"),
    },
    taught={
        "column": meant("shift:shift"),
        "table": meant("cooks:cook judges:judge"),
        "number": meant("6:6 120:120"),
    },
    depth=1,
    test_depth=3,
)


def total(draw: Draw) -> Sentence:
    source, target = _term(draw, 0)
    return (["what", "is", *source], target) if draw.combine(0.7) else (["compute", *source], target)


def _term(draw: Draw, level: int) -> Sentence:
    if not draw.nest(level, 0.75):
        return draw.word("number")
    one, said_one = _term(draw, level + 1)
    form = draw.rng.choice(("two", "two", "one"))
    if form == "one":
        name, said = draw.word("function")
        if draw.combine(0.15 if level else 0.0, True):
            return ["minus", "the", *name, "of", *one], ["-", *said, "[", *said_one, "]"]
        if level == 0 and draw.combine(0.3):
            return ["minus", "the", *name, "of", *one], ["-", *said, "[", *said_one, "]"]
        return ["the", *name, "of", *one], [*said, "[", *said_one, "]"]
    other, said_other = _term(draw, level + 1)
    operator, said = draw.word("operator")
    return ["the", *operator, "of", *one, "and", *other], ["(", *said_one, *said, *said_other, ")"]


SUMS = Language(
    "sums",
    total,
    words={
        "number": meant("one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 x:x y:y"),
        "operator": meant("sum:+ product:* difference:- quotient:/"),
        "function": meant("root:sqrt square:sq logarithm:log sine:sin"),
    },
    once={"number": meant("nine:9 z:z"), "operator": meant("power:^"), "function": meant("cosine:cos")},
    taught={
        "number": meant("ten:10 twelve:12 k:k"),
        "operator": meant("remainder:%"),
        "function": meant("tangent:tan"),
    },
    depth=2,
    test_depth=4,
)

LANGUAGES = (RECIPES, HOME, SQL, SUMS)
