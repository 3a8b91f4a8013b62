"""What is said of each thing that happens in a turn: kind of event -> why -> sentence.

In a sentence {who} is the player it concerns and {other} the other one, {where} the hole, {state} what keeps that hole
from being played or taken ("blind", "barred", "empty"), {n} how many counters, {counters} the same with its noun.
"""

SENTENCES: dict[str, dict[str, str]] = {
    "lap": {"": "{n} sown from {where}"},
    "origin": {"": "every open hole is to be passed over: {where}, from which the lap started, takes {counters}"},
    "gain": {"": "{who} passes {where}, which he covers, and gains one counter"},
    "fell": {
        "gained": "the last counter is the one gained at {where}",
        "empty": "the last counter falls into {where}, which was empty",
        "held": "the last counter falls into {where}, which held {n}",
        "barred": "the last counter falls into {where}, which is {state}",
        "as_empty": "the last counter falls into {where}, which is {state} and counts as empty",
    },
    "vacant": {
        "empty": "{where} comes next and is empty",
        "as_empty": "{where} comes next, is {state} and counts as empty",
        "absent": "{where} comes next, is {state} and is passed over as if it were not there",
    },
    "capture": {"": "{who} takes {n} from {where}"},
    "slam": {"": "{n} in {where} would take every counter of {other}'s row: nothing is taken"},
    "tie": {"": "{who} ties {where}, which holds {n}, and the turn ends"},
    "again": {"": "the last counter falls into the store: {who} moves again"},
    "end_of_turn": {
        "empty": "the last counter falls into {where}, which was empty: the turn ends",
        "fell": "the last counter falls into {where}: the turn ends",
        "as_empty": "the last counter falls into {where}, which is {state} and counts as empty: the turn ends",
        "barred": "the last counter falls into {where}, which is {state}: the turn ends",
        "store": "the last counter falls into the store: the turn ends",
        "captured": "the turn ends with that",
        "next": "{where} comes next and is {state}: the turn ends",
        "next_full": "{where} comes next and holds {n}: the turn ends",
        "beyond": "{where} beyond it is {state}: the turn ends",
        "opposite": "{where} opposite it is {state}: the turn ends",
        "short": "{who} is short-handed and takes nothing by that: the turn ends",
    },
    "forbidden": {
        "barred": "the lap would go on from {where}, which is {state}, and may not",
        "single": "the lap would go on from {where}, which holds {n}, and may not",
        "row": "the lap would go on from {where} and may not: no hole of {who}'s row holds two or more",
    },
    "endless": {
        "laps": "the turn would take more than {n:,} laps and is endless: the position before it stands",
        "full": "every open hole is to be passed over, and the sowing never ends: the position before it stands",
    },
    "round_end": {
        "row_empty": "{who} has nothing in his row",
        "rows_empty": "both rows are empty",
        "board_empty": "the board is empty",
        "board_unplayable": "nobody may play what is left on the board",
        "stuck": "{who} has counters in his row and may play none of them",
        "neither": "neither player can move",
        "lap": "the lap may not go on",
        "idle": "nothing was taken for {n} turns",
        "repeated": "a position has come again",
        "majority": "{who} has taken more than half of all counters",
        "halves": "each player has taken half of all counters",
    },
    "layout": {
        "fewer": "a new round, begun by {who}, who owns fewer",
        "turns": "a new round, begun by {who}, who did not begin the last one",
        "equal": "a new round: both own equally many, and {who}, who did not begin the last one, begins",
        "equal_second": "a new round: both own equally many, and {who} begins as if he owned fewer",
        "full": "{who} lays a full row",
        "usual": "{who} lays out {counters}",
        "short_handed": "{who}, who is short-handed, lays out {counters}",
    },
    "draw_offered": {"": "{who} may call the game a draw"},
    "barred": {"": "{where}, which holds {n}, is barred: it is {who}'s"},
    "matching": {"": "{who} moves {n} from {where} into his store, to balance the partly filled hole"},
    "loan": {
        "borrowed": "{who} borrows one counter from each of the last two holes of the other row",
        "returned": "{who} gives one counter back to {where}",
        "shifted": "{who} moves {n} on to {where}",
    },
    "pass": {
        "": "{who} cannot move and passes",
        "layout": "{who} can play nothing of this layout: {other} begins",
    },
}
