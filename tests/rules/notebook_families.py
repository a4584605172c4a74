"""The texts of the families of `notebook.py`: what users bring, from queries to glosses."""

from __future__ import annotations

from typing import NamedTuple


class Family(NamedTuple):
    """Classes of words with the least and the most words of each, and the productions."""

    words: dict[str, tuple[int, int]]
    text: str


SQL = Family(
    {"table": (4, 9), "column": (5, 10), "value": (5, 10)},
    """
    cond = column is value ↦ #0 = #1 ¦ ( #0 = #1 ) ¦ eq ( #0 , #1 ) ¦ #0 == #1
    ?cond = column (is above|exceeds) value ↦ #0 > #1 ¦ ( #0 > #1 ) ¦ gt ( #0 , #1 )
    ?cond = column is below value ↦ #0 < #1 ¦ ( #0 < #1 ) ¦ lt ( #0 , #1 )
    ?cond = column lies between value and value ↦ #0 BETWEEN #1 AND #2 ¦ ( #0 >= #1 AND #0 <= #2 ) ¦ in ( #0 , #1 , #2 )
    ?cond = column is missing ↦ #0 IS NULL ¦ ( #0 IS NULL ) ¦ null ( #0 )
    ?cond = column contains value ↦ #0 LIKE % #1 % ¦ ( #0 LIKE % #1 % ) ¦ like ( #0 , #1 )
    neg = cond ↦ #0
    ?neg = not cond ↦ NOT #0 ¦ ( NOT #0 ) ¦ not ( #0 )
    test = neg ↦ #0
    test = neg or test ↦ #0 OR #1 ¦ ( #0 OR #1 ) ¦ or ( #0 , #1 )
    ?test = neg and also test ↦ ( #0 AND #1 ) ¦ ( #0 AND #1 ) ¦ and ( #0 , #1 )
    rows = table ↦ #0
    ?rows = table joined with table by column ↦ #0 JOIN #1 USING ( #2 )
    part = rows ↦ FROM #0
    part = rows where test ↦ FROM #0 WHERE #1
    ?part = rows that have part ↦ FROM #0 WHERE EXISTS ( SELECT * #1 )
    full = part ↦ #0
    ?full = part sorted by column ↦ #0 ORDER BY #1
    ?full = part sorted by column from high to low ↦ #0 ORDER BY #1 DESC
    ?full = part per column ↦ #0 GROUP BY #1
    what = column ↦ #0
    ?what = everything ↦ *
    ?what = column and column ↦ #0 , #1
    ?what = the number of column ↦ COUNT ( #0 )
    ?what = the average column ↦ AVG ( #0 )
    S = (show|list) [me] what of full ↦ SELECT #0 #1 ;
    ?S = how many full are there ↦ SELECT COUNT ( * ) #0 ;
    """,
)

GLOSS = Family(
    {"noun": (6, 14), "act": (4, 9), "do": (4, 9), "quality": (3, 6), "tense": (2, 4), "person": (2, 4)},
    """
    n = noun ↦ #0
    ?n = noun -pl ↦ #0 PL ¦ PL #0 ¦ #0 ( PL )
    np = n ↦ #0
    ?np = quality n ↦ #0 #1 ¦ #1 #0 ¦ #1 ( #0 ) ¦ #0 #1
    ?np = n -gen np ↦ #1 of #0 ¦ #0 's #1 ¦ #1 ( of #0 ) ¦ #1 #0 GEN
    ?np = np rel n act that ↦ #0 [ #1 #2 ]
    verb = act tense ↦ #0 #1 ¦ #1 #0 ¦ #0 ( #1 )
    ?verb = act tense -neg ↦ NEG #0 #1 ¦ NEG #1 #0 ¦ not ( #0 ( #1 ) )
    does = do tense ↦ #0 #1 ¦ #1 #0 ¦ #0 ( #1 )
    ?does = do tense person ↦ #0 #1 #2 ¦ #2 #1 #0 ¦ #0 ( #1 , #2 )
    clause = np -nom verb ↦ #0 #1 ¦ #1 #0 ¦ #1 ( #0 )
    clause = np -nom np -acc does ↦ #0 #2 #1 ¦ #2 #0 #1 ACC ¦ #2 ( #0 , #1 )
    ?clause = np -nom np -dat np -acc does ↦ #0 #3 #2 to #1 ¦ #3 #0 #2 ACC #1 DAT ¦ #3 ( #0 , #2 , to = #1 )
    ?clause = np -loc np -nom verb ↦ #1 #2 at #0 ¦ #2 #1 #0 LOC ¦ #2 ( #1 , at = #0 )
    S = clause ↦ #0
    ?S = clause ka ↦ #0 ? ¦ Q #0 ¦ ask ( #0 )
    ?S = [eh] clause ↦ #0
    """,
)

ROBOT = Family(
    {"thing": (5, 12), "place": (4, 8), "way": (2, 4), "number": (2, 4), "colour": (2, 5)},
    """
    obj = [the] thing ↦ #0
    ?obj = the colour thing ↦ #1 #0 ¦ #0 #1 ¦ #1 ( #0 ) ¦ #1 . #0
    act = go to [the] place ↦ GOTO #0 ¦ goto ( #0 ) ¦ ( goto #0 )
    act = (take|pick up) obj ↦ GRAB #0 ¦ grab ( #0 ) ¦ ( grab #0 )
    ?act = drop obj ↦ RELEASE #0 ¦ release ( #0 ) ¦ ( release #0 )
    ?act = turn way ↦ ROT #0 ¦ rotate ( #0 ) ¦ ( rotate #0 )
    ?act = bring obj to [the] place ↦ GRAB #0 GOTO #1 RELEASE #0 ¦ bring ( #0 , #1 ) ¦ ( bring #0 #1 )
    ?act = wait ↦ WAIT ¦ wait ( ) ¦ ( wait )
    ?act = look around ↦ LOOK LOOK LOOK LOOK ¦ scan ( 4 ) ¦ ( scan 4 )
    rep = act ↦ #0
    ?rep = act twice ↦ #0 #0 ¦ repeat ( 2 , #0 ) ¦ ( repeat 2 #0 )
    ?rep = act thrice ↦ #0 #0 #0 ¦ repeat ( 3 , #0 ) ¦ ( repeat 3 #0 )
    ?rep = act number times ↦ #1 * #0 ¦ repeat ( #1 , #0 ) ¦ ( repeat #1 #0 )
    ?rep = keep going until you see obj ↦ UNTIL #0 GO ¦ until ( see ( #0 ) , go ) ¦ ( until ( see #0 ) go )
    seq = rep ↦ #0
    seq = rep and seq ↦ #0 #1 ¦ do ( #0 , #1 ) ¦ ( do #0 #1 )
    ?seq = rep after seq ↦ #1 #0 ¦ do ( #1 , #0 ) ¦ ( do #1 #0 )
    plan = seq ↦ #0
    ?plan = if you see obj seq ↦ IF #0 : #1 ¦ if ( see ( #0 ) , #1 ) ¦ ( if ( see #0 ) #1 )
    S = [please] plan ↦ #0
    """,
)

ARITHMETIC = Family(
    {"digit": (5, 9), "name": (3, 6)},
    """
    num = digit ↦ #0
    ?num = digit tens ↦ #0 0
    ?num = digit hundred digit ↦ #0 0 #1
    ?num = minus digit ↦ - #0 ¦ ( - #0 ) ¦ neg ( #0 )
    atom = num ↦ #0
    atom = name ↦ #0
    ?atom = open sum close ↦ ( #0 )
    ?atom = the square of atom ↦ #0 ^ 2 ¦ ( #0 * #0 ) ¦ sq ( #0 )
    ?atom = the larger of atom and atom ↦ max ( #0 , #1 )
    prod = atom ↦ #0
    prod = atom times prod ↦ #0 * #1 ¦ ( #0 * #1 ) ¦ mul ( #0 , #1 ) ¦ #0 #1 *
    ?prod = atom over prod ↦ #0 / #1 ¦ ( #0 / #1 ) ¦ div ( #0 , #1 ) ¦ #0 #1 /
    sum = prod ↦ #0
    sum = prod plus sum ↦ #0 + #1 ¦ ( #0 + #1 ) ¦ add ( #0 , #1 ) ¦ #0 #1 +
    ?sum = sum less prod ↦ #0 - #1 ¦ ( #0 - #1 ) ¦ sub ( #0 , #1 ) ¦ #0 #1 -
    S = [what is] sum ↦ #0
    ?S = let name be sum ↦ #0 := #1
    ?S = is sum equal to sum ↦ #0 == #1 ¦ eq ( #0 , #1 )
    """,
)

DATES = Family(
    {"month": (6, 12), "day": (6, 12), "weekday": (5, 7), "event": (5, 10), "number": (3, 4)},
    """
    date = month day ↦ #0 / #1 ¦ date ( #0 , #1 ) ¦ ( #0 #1 )
    ?date = the day of month ↦ #1 / #0 ¦ date ( #1 , #0 ) ¦ ( #1 #0 )
    ?date = next weekday ↦ #0 + 7 ¦ next ( #0 ) ¦ ( next #0 )
    ?date = (today|this day) ↦ now
    ?date = the eve of date ↦ #0 - 1 ¦ shift ( #0 , - 1 ) ¦ ( shift #0 - 1 )
    ?date = number mornings after date ↦ #1 + #0 ¦ shift ( #1 , #0 ) ¦ ( shift #1 #0 )
    span = on date ↦ at #0 ¦ on ( #0 ) ¦ ( on #0 )
    ?span = from date to date ↦ #0 - #1 ¦ between ( #0 , #1 ) ¦ ( between #0 #1 )
    ?span = every weekday ↦ each #0 ¦ every ( #0 ) ¦ ( every #0 )
    what = [the] event ↦ #0
    ?what = [the] event with [the] event ↦ #0 & #1 ¦ both ( #0 , #1 ) ¦ ( both #0 #1 )
    S = book what span ↦ ADD #0 #1 ¦ add ( what = #0 , when = #1 ) ¦ ( add #0 #1 )
    ?S = (cancel|drop) what span ↦ DEL #0 #1 ¦ del ( what = #0 , when = #1 ) ¦ ( del #0 #1 )
    ?S = move what span to date ↦ MOVE #0 #1 > #2 ¦ move ( what = #0 , when = #1 , to = #2 ) ¦ ( move #0 #1 #2 )
    ?S = when is what ↦ WHEN #0 ¦ when ( #0 ) ¦ ( when #0 )
    """,
)

API = Family(
    {"user": (5, 10), "file": (5, 12), "folder": (4, 8), "label": (3, 8), "number": (3, 4)},
    """
    what = file ↦ #0
    ?what = all files in folder ↦ files ( dir = #0 )
    ?what = what labelled label ↦ tagged ( #0 , tag = #1 ) ¦ filter ( tag = #1 , in = #0 )
    ?what = the latest of what ↦ latest ( #0 )
    ?what = the first number of what ↦ head ( #1 , n = #0 ) ¦ take ( #0 , #1 )
    who = user ↦ #0
    ?who = user and who ↦ [ #0 , #1 ] ¦ #0 ; #1 ¦ #0 , #1
    ?who = everybody but user ↦ all ( except = #0 )
    act = share what with who ↦ share ( #0 , to = #1 ) ¦ { op : share , what : #0 , to : #1 }
    act = move what to folder ↦ move ( src = #0 , dst = #1 ) ¦ { op : move , src : #0 , dst : #1 }
    ?act = (delete|remove) what ↦ delete ( #0 ) ¦ { op : delete , what : #0 }
    ?act = tell who about what ↦ mail ( to = #0 , body = #1 ) ¦ { op : mail , to : #0 , body : #1 }
    ?act = rename file to file ↦ rename ( #0 , #1 ) ¦ { op : rename , from : #0 , to : #1 }
    ?act = mark what as label ↦ tag ( #0 , #1 ) ¦ { op : tag , what : #0 , tag : #1 }
    plan = act ↦ #0
    plan = act then plan ↦ #0 ; #1 ¦ seq ( #0 , #1 ) ¦ #0 >> #1
    ?plan = once user agrees plan ↦ when ( agrees ( #0 ) , #1 )
    S = [please] plan ↦ #0
    ?S = could you plan [for me] ↦ #0
    """,
)

LAMBDA = Family(
    {"noun": (6, 12), "verb": (4, 8), "act": (3, 7), "name": (4, 9), "quality": (3, 6)},
    """
    n = noun ↦ #0
    ?n = quality n ↦ #0 & #1 ¦ and ( #0 , #1 ) ¦ ( and #0 #1 )
    vp = verb ↦ #0
    vp = act name ↦ #0 @ #1 ¦ #0 ( #1 ) ¦ ( #0 #1 )
    ?vp = verb and vp ↦ #0 & #1 ¦ and ( #0 , #1 ) ¦ ( and #0 #1 )
    ?vp = does not verb ↦ ~ #0 ¦ not ( #0 ) ¦ ( not #0 )
    s = name vp ↦ #1 @ #0 ¦ #1 ( #0 ) ¦ ( #1 #0 )
    s = every n vp ↦ all x . #0 x -> #1 x ¦ all ( x , if ( #0 ( x ) , #1 ( x ) ) ) ¦ ( forall x ( #0 x ) ( #1 x ) )
    s = some n vp ↦ ex x . #0 x & #1 x ¦ ex ( x , both ( #0 ( x ) , #1 ( x ) ) ) ¦ ( exists x ( #0 x ) ( #1 x ) )
    ?s = no n vp ↦ ~ ex x . #0 x & #1 x ¦ no ( x , both ( #0 ( x ) , #1 ( x ) ) ) ¦ ( none x ( #0 x ) ( #1 x ) )
    ?s = only name vp ↦ #1 @ #0 & all x . #1 x -> x = #0 ¦ only ( #0 , #1 ( #0 ) ) ¦ ( only #0 ( #1 #0 ) )
    ?s = name act himself ↦ #1 @ #0 @ #0 ¦ #1 ( #0 , #0 ) ¦ ( #1 #0 #0 )
    S = s ↦ #0
    ?S = it is false that S ↦ ~ ( #0 ) ¦ not ( #0 ) ¦ ( not #0 )
    ?S = if s then S ↦ ( #0 ) -> ( #1 ) ¦ if ( #0 , #1 ) ¦ ( if #0 #1 )
    ?S = name thinks that S ↦ think ( #0 , #1 )
    """,
)

HOME = Family(
    {"device": (5, 12), "room": (4, 8), "number": (3, 6), "song": (4, 8), "artist": (4, 8)},
    """
    dev = [the] device ↦ #0
    ?dev = [the] device in [the] room ↦ #0 @ #1 ¦ #0 ( in = #1 ) ¦ #1 . #0 ¦ ( #0 #1 )
    act = (turn|switch) on dev ↦ ON #0 ¦ on ( #0 ) ¦ set ( #0 , state = on ) ¦ power #0 1
    act = turn dev off ↦ OFF #0 ¦ off ( #0 ) ¦ set ( #0 , state = off ) ¦ power #0 0
    ?act = set dev to number ↦ SET #0 #1 ¦ level ( #0 , #1 ) ¦ set ( #0 , level = #1 ) ¦ level #0 #1
    ?act = dim dev by number percent ↦ DIM #0 #1 ¦ dim ( #0 , #1 ) ¦ set ( #0 , dim = #1 ) ¦ dim #1 #0
    ?act = play song ↦ PLAY #0 ¦ play ( #0 ) ¦ play ( song = #0 )
    ?act = play song by artist ↦ PLAY #0 BY #1 ¦ play ( #0 , #1 ) ¦ play ( song = #0 , artist = #1 )
    ?act = play song in [the] room ↦ PLAY #0 IN #1 ¦ play ( #0 , in = #1 ) ¦ play ( song = #0 , room = #1 )
    when = act ↦ #0
    ?when = act in number minutes ↦ DELAY #1 #0 ¦ after ( #1 , #0 ) ¦ timer ( #1 , #0 )
    ?when = act at number o'clock ↦ #0 AT #1 ¦ at ( #1 , #0 ) ¦ clock ( #1 , #0 )
    many = when ↦ #0
    many = when and then many ↦ #0 ; #1 ¦ seq ( #0 , #1 ) ¦ [ #0 , #1 ]
    ?many = when but first many ↦ #1 ; #0 ¦ seq ( #1 , #0 ) ¦ [ #1 , #0 ]
    S = many ↦ #0
    ?S = please many ↦ #0
    ?S = hey house many ↦ #0
    """,
)

FAMILIES = {
    "sql": SQL,
    "gloss": GLOSS,
    "robot": ROBOT,
    "arithmetic": ARITHMETIC,
    "dates": DATES,
    "api": API,
    "lambda": LAMBDA,
    "home": HOME,
}
