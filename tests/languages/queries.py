"""Questions to a database and the queries that answer them. Only the test suite knows this language.

It was written before any model was trained on it, and no default was chosen by it.
"""

from __future__ import annotations

from sampling import Draw, Language, Sentence


def sentence(draw: Draw) -> Sentence:
    things, said = _things(draw, 0)
    form = draw.rng.choice(("list", "count", "extreme"))
    if form == "list":
        return ["which", *things, "are", "there"], ["select", "(", *said, ")"]
    if form == "count":
        return ["how", "many", *things, "are", "there"], ["count", "(", *said, ")"]
    by, said_by = draw.word("attribute")
    order, said_order = draw.word("order")
    return (
        ["which", "of", "the", *things, "has", "the", *order, *by],
        [*said_order, "(", *said, ",", *said_by, ")"],
    )


def _things(draw: Draw, level: int) -> Sentence:
    thing, said = draw.word("thing")
    form = draw.rng.choice(("all", "place", "number", "relation"))
    if form == "place":
        place, said_place = draw.word("place")
        if draw.combine(0.4):
            thing, said = ["old", *thing], ["old", "(", *said, ")"]
        return [*thing, "in", *place], ["filter", "(", *said, ",", "place", "=", *said_place, ")"]
    if form == "number":
        attribute, said_attribute = draw.word("attribute")
        number, said_number = draw.word("number")
        is_old = draw.combine(0.1, is_kept_for_the_test=True)
        if is_old:
            thing, said = ["old", *thing], ["old", "(", *said, ")"]
        return (
            [*thing, "with", *attribute, "above", *number],
            ["filter", "(", *said, ",", *said_attribute, ">", *said_number, ")"],
        )
    if form == "relation" and draw.nest(level, 0.7):
        relation, said_relation = draw.word("relation")
        others, said_others = _things(draw, level + 1)
        return (
            [*thing, *relation, *others],
            ["join", "(", *said, ",", *said_relation, ",", *said_others, ")"],
        )
    return thing, said


def pairs(words: str) -> list[tuple[str, str]]:
    return [
        (source.replace("_", " "), target) for source, _, target in (p.partition(":") for p in words.split())
    ]


LANGUAGE = Language(
    "queries",
    sentence,
    words={
        "thing": pairs(
            "authors:author books:book shops:shop readers:reader prizes:prize towns:town editors:editor"
        ),
        "place": pairs("Rome:rome Oslo:oslo Lima:lima New_York:new_york Cairo:cairo Delhi:delhi"),
        "attribute": pairs("price:price age:age size:size rating:rating weight:weight"),
        "number": pairs("five:5 seven:7 twelve:12 thirty:30 fifty:50"),
        "order": pairs("highest:argmax lowest:argmin"),
        "relation": pairs("that_know:knows that_sell:sells that_like:likes that_won:won"),
    },
    once={
        "thing": pairs("poets:poet maps:map"),
        "place": pairs("Tokyo:tokyo Quito:quito"),
        "attribute": pairs("height:height"),
        "relation": pairs("that_lost:lost"),
    },
    taught={
        "thing": pairs("painters:painter castles:castle"),
        "place": pairs("Paris:paris"),
        "attribute": pairs("speed:speed"),
        "number": pairs("ninety:90"),
    },
    depth=2,
    test_depth=4,
)
