"""Languages that were written down before the learner met them: the first numbers that it had on them are blind.

Postfix sums, nouns with classes that everything agrees with, patterns, verb-final clauses, pipelines and knitting.
"""

from __future__ import annotations

from sampling import Draw, Language, Sentence

from tests.languages.practice.words import meant


def postfix(draw: Draw) -> Sentence:
    """Operators come first in the source and last in the target, which has no brackets."""
    return _operand(draw, -1)


def _operand(draw: Draw, level: int) -> Sentence:
    if level >= 0 and not draw.nest(level - 1, 0.55):
        return draw.word("number")
    form = draw.rng.choice(("two", "two", "one", "twin"))
    one, said_one = _operand(draw, level + 1)
    if form == "one":
        name, said = draw.word("function")
        return ["the", *name, "of", *one], [*said_one, *said]
    if form == "twin":
        return [*one, "doubled"] if len(one) == 1 else ["twice", *one], [*said_one, "dup", "add"]
    other, said_other = _operand(draw, level + 1)
    name, said = draw.word("operator")
    is_nested = len(one) > 1
    if draw.combine(0.15 if is_nested else 0.25, is_nested):
        return [*name, *one, "from", *other], [*said_other, *said_one, *said]
    return [*name, *one, "and", *other], [*said_one, *said_other, *said]


POSTFIX = Language(
    "postfix",
    postfix,
    words={
        "number": meant("one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8"),
        "operator": meant("add:add multiply:mul subtract:sub divide:div"),
        "function": meant("square:sq root:sqrt inverse:inv"),
    },
    once={"number": meant("nine:9 zero:0"), "function": meant("negation:neg")},
    taught={
        "number": meant("ten:10 eleven:11"),
        "operator": meant("raise:pow"),
        "function": meant("half:2div sign:sgn"),
    },
    depth=1,
    test_depth=3,
)


CLASSES = {"person": ("mu", "ba"), "thing": ("ki", "bi"), "tree": ("u", "mi")}


def agreement(draw: Draw) -> Sentence:
    """The class of a noun and its number show in the noun's prefix, in its adjective and in the verb."""
    subject, said_subject, prefix = _agreeing(draw, 0)
    verb, said_verb = draw.word("verb")
    tense, said_tense = draw.rng.choice(((["will"], ["ta"]), (["did"], ["li"]), (["does"], ["na"])))
    source, target = [*subject, *tense, *verb], [*said_subject, f"{prefix}+", *said_tense, *said_verb]
    if draw.combine(0.55):
        thing, said_thing, _ = _agreeing(draw, 0)
        source, target = [*source, *thing], [*target, *said_thing]
    return source, target


def _agreeing(draw: Draw, level: int) -> tuple[list[str], list[str], str]:
    kind = draw.rng.choice(list(CLASSES))
    is_many = draw.combine(0.4)
    prefix = CLASSES[kind][is_many]
    noun, said = draw.word(kind)
    source, target = [*noun], [f"{prefix}-", *said]
    has_quality = draw.combine(0.35)
    if has_quality:
        quality, said_quality = draw.word("quality")
        source, target = [*quality, *source], [*target, f"{prefix}-", *said_quality]
    source = ["many" if is_many else "a", *source]
    if draw.combine(0.12 if has_quality else 0.25, has_quality):
        number, said_number = draw.word("place")
        source, target = [*source, "from", *number], [*target, "wa", *said_number]
    if draw.nest(level, 0.25):
        owner, said_owner, _ = _agreeing(draw, level + 1)
        return [*source, "of", *owner], [*target, f"{prefix}:a", *said_owner], prefix
    return source, target, prefix


AGREEMENT = Language(
    "agreement",
    agreement,
    words={
        "person": meant("child:toto teacher:alimu farmer:kulima guest:geni"),
        "thing": meant("book:tabu chair:ti knife:su basket:kapu"),
        "tree": meant("tree:ti2 river:to bread:kate city:ji"),
        "verb": meant("see:ona like:penda find:kuta lose:poteza"),
        "quality": meant("big:kubwa small:dogo good:zuri"),
        "place": meant("town:mjini home:nyumbani school:shuleni"),
    },
    once={
        "person": meant("thief:wizi"),
        "thing": meant("bowl:bakuli"),
        "verb": meant("cut:kata"),
        "quality": meant("new:pya"),
    },
    taught={
        "thing": meant("cup:kombe"),
        "verb": meant("hold:shika bring:leta"),
        "quality": meant("long:refu"),
        "place": meant("market:sokoni"),
    },
    depth=1,
    test_depth=3,
)


def pattern(draw: Draw) -> Sentence:
    """What a text looks like, as a regular expression."""
    source, target = _sequence(draw, 0)
    if draw.combine(0.3):
        return ["lines", "that", "begin", "with", *source], ["^", *target]
    return ["find", *source], target


def _sequence(draw: Draw, level: int) -> Sentence:
    source, target = _item(draw, level)
    if draw.combine(0.4):
        more, said = _item(draw, level)
        source, target = [*source, "followed", "by", *more], [*target, *said]
    return source, target


def _item(draw: Draw, level: int) -> Sentence:
    if draw.nest(level, 0.3):
        inner, said = _sequence(draw, level + 1)
        return ["the", "group", "of", *inner, "end"], ["(", *said, ")"]
    unit, said = draw.word("unit")
    form = draw.rng.choice(("one", "some", "any", "choice", "times"))
    if form == "some":
        return ["some", *unit], [*said, "+"]
    if form == "any":
        return ["maybe", *unit], [*said, "?"]
    if form == "choice":
        other, said_other = draw.word("unit")
        is_not = draw.combine(0.25)
        if is_not:
            return ["neither", *unit, "nor", *other], ["[^", *said, *said_other, "]"]
        return ["either", *unit, "or", *other], ["[", *said, *said_other, "]"]
    if form == "times":
        number, said_number = draw.word("number")
        is_least = draw.combine(0.3)
        many = [*number, "or", "more", *unit] if is_least else [*number, "times", *unit]
        target = [*said, "{", *said_number, *([","] if is_least else []), "}"]
        if draw.combine(0.2, True):
            return ["maybe", *many], [*target, "?"]
        return many, target
    return ["a", *unit], [*said]


PATTERNS = Language(
    "patterns",
    pattern,
    words={
        "unit": meant("digit:\\d letter:\\w space:\\s dash:- dot:\\. comma:, vowel:V tab:\\t"),
        "number": meant("two:2 three:3 four:4 five:5"),
    },
    once={"unit": meant("slash:/ colon::"), "number": meant("six:6")},
    taught={"unit": meant("star:\\* hash:# quote:'"), "number": meant("seven:7 ten:10")},
    depth=1,
    test_depth=3,
)


def clause(draw: Draw) -> Sentence:
    """Verbs, and nouns with what belongs to them, stand last; the target has them first."""
    return _final(draw, 0)


def _final(draw: Draw, level: int) -> Sentence:
    subject, said_subject = _thing(draw, level)
    form = draw.rng.choice(("go", "do", "do", "give"))
    if form == "go":
        verb, said = draw.word("motion")
        place, said_place = draw.word("place")
        source, target = [*subject, "ga", *place, "e", *verb], [*said_subject, *said, "to", *said_place]
    else:
        thing, said_thing = _thing(draw, level)
        verb, said = draw.word("action")
        source, target = [*subject, "ga", *thing, "o", *verb], [*said_subject, *said, *said_thing]
        if form == "give":
            other, said_other = draw.word("name")
            source = [*subject, "ga", *other, "ni", *thing, "o", *verb]
            target = [*target, "for", *said_other]
    is_past = draw.combine(0.35)
    if is_past:
        source, target = [*source, "ta"], [*target, "PAST"]
    if draw.combine(0.15 if is_past else 0.3, is_past):
        source, target = [*source, "ka"], ["did", *target, "?"]
    return source, target


def _thing(draw: Draw, level: int) -> Sentence:
    if draw.combine(0.35):
        return draw.word("name")
    noun, said = draw.word("noun")
    if draw.nest(level, 0.3):
        who, said_who = _thing(draw, level + 1)
        verb, said_verb = draw.word("action")
        return [*who, "ga", *verb, *noun], ["the", *said, "that", *said_who, *said_verb]
    if draw.combine(0.3):
        quality, said_quality = draw.word("quality")
        return [*quality, *noun], ["the", *said_quality, *said]
    return noun, ["the", *said]


CLAUSES = Language(
    "clauses",
    clause,
    words={
        "name": meant("hanako:Hanako taro:Taro ken:Ken yuki:Yuki"),
        "noun": meant("hon:book neko:cat kuruma:car ringo:apple tegami:letter kasa:umbrella"),
        "action": meant("yomu:reads miru:sees kau:buys motsu:holds"),
        "motion": meant("iku:goes kuru:comes kaeru:returns"),
        "place": meant("eki:station mise:shop gakko:school"),
        "quality": meant("akai:red furui:old chiisai:small"),
    },
    once={
        "name": meant("jun:Jun"),
        "noun": meant("hana:flower isu:chair"),
        "action": meant("uru:sells"),
        "quality": meant("takai:tall"),
    },
    taught={
        "noun": meant("inu:dog mizu:water"),
        "name": meant("emi:Emi"),
        "place": meant("umi:sea"),
        "quality": meant("shiroi:white"),
    },
    depth=1,
    test_depth=3,
)


def pipeline(draw: Draw) -> Sentence:
    """Commands with options, joined by pipes."""
    what, said = draw.word("what")
    source, target = ["list", "the", *what], ["ls", *said]
    is_hidden = draw.combine(0.25)
    if is_hidden:
        source, target = ["list", "also", "hidden", *what], ["ls", "-a", *said]
    if draw.combine(0.35):
        folder, said_folder = draw.word("folder")
        source, target = [*source, "in", *folder], [*target, "/", *said_folder]
    level = -1
    while draw.nest(level, 0.55):
        level += 1
        form = draw.rng.choice(("sort", "keep", "drop", "head", "count"))
        if form == "sort":
            key, said_key = draw.word("key")
            is_down = draw.combine(0.4)
            source = [*source, "sorted", "by", *key, *(["downwards"] if is_down else [])]
            target = [*target, "|", "sort", *(["-r"] if is_down else []), "-k", *said_key]
        elif form == "head":
            number, said_number = draw.word("number")
            source, target = (
                [*source, "only", "the", "first", *number],
                [*target, "|", "head", "-n", *said_number],
            )
        elif form == "count":
            source, target = [*source, "counted"], [*target, "|", "wc", "-l"]
        else:
            name, said_name = draw.word("name")
            word, flag = ("with", []) if form == "keep" else ("without", ["-v"])
            source, target = [*source, word, *name], [*target, "|", "grep", *flag, *said_name]
    if draw.combine(0.15 if is_hidden else 0.3, is_hidden):
        name, said_name = draw.word("name")
        source, target = [*source, "into", *name], [*target, ">", *said_name, ".", "txt"]
    return source, target


PIPELINES = Language(
    "pipelines",
    pipeline,
    words={
        "what": meant("files:f folders:d links:l programs:x"),
        "folder": meant("home:~ temp:tmp music:mp3s archive:arc"),
        "key": meant("size:S date:t name:n owner:u"),
        "number": meant("five:5 ten:10 twenty:20 hundred:100"),
        "name": meant("alpha:alpha beta:beta gamma:gamma delta:delta omega:omega"),
    },
    once={"folder": meant("desk:desktop"), "key": meant("type:X"), "name": meant("sigma:sigma kappa:kappa")},
    taught={
        "folder": meant("trash:bin pictures:jpgs"),
        "number": meant("six:6"),
        "name": meant("theta:theta zeta:zeta"),
    },
    depth=1,
    test_depth=4,
)


def knitting(draw: Draw) -> Sentence:
    """Rows of stitches, in which groups are repeated, and rows that mirror what they name."""
    source, target = _stitches(draw, 0)
    if draw.combine(0.3):
        colour, said = draw.word("colour")
        source, target = ["in", *colour, *source], ["#", *said, *target]
    return source, target


def _stitches(draw: Draw, level: int) -> Sentence:
    stitch, said = draw.word("stitch")
    form = draw.rng.choice(("one", "many", "pair", "edge"))
    source, target = [*stitch], [*said]
    if form == "many":
        number, said_number = draw.word("number")
        source, target = [*stitch, *number], [*said, *said_number]
    elif form == "pair":
        other, said_other = draw.word("stitch")
        source, target = [*stitch, "around", *other], [*said, *said_other, *said]
    elif form == "edge":
        source, target = ["edge", *stitch], [*said, *said, "sl"]
    is_twice = draw.combine(0.3)
    if is_twice:
        source, target = [*source, "again"], [*target, *target]
    if draw.nest(level, 0.45):
        rest, said_rest = _stitches(draw, level + 1)
        if draw.combine(0.15 if is_twice else 0.35, is_twice):
            return [*source, "but", "before", *rest], [*said_rest, *target]
        return [*source, "next", *rest], [*target, *said_rest]
    return source, target


KNITTING = Language(
    "knitting",
    knitting,
    words={
        "stitch": meant("knit:k purl:p yarnover:yo cable:c moss:m rib:r"),
        "number": meant("two:2 three:3 four:4 six:6"),
        "colour": meant("red:R blue:B white:W"),
    },
    once={"stitch": meant("bobble:b lace:l"), "number": meant("eight:8")},
    taught={
        "stitch": meant("shell:sh star:st"),
        "number": meant("nine:9"),
        "colour": meant("green:G black:K"),
    },
    depth=1,
    test_depth=4,
)

LANGUAGES = (POSTFIX, AGREEMENT, PATTERNS, CLAUSES, PIPELINES, KNITTING)
