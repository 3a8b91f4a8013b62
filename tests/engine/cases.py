"""Readings nobody ships, for rules that no shipped ruleset uses or that fire rarely: base -> what is changed."""

import json
from pathlib import Path

from simulator.engine.documents import parse, with_changes
from simulator.engine.ruleset import Ruleset
from tests.engine.rulesets import CORNER, RULESETS

CHANGES = {
    "loan in each turn": ("puhulmutu-parker", {"loan": "borrow", "loan_when": "each_turn"}),
    "second loan": ("puhulmutu-parker", {"loan": "shift"}),
    "ties kept": ("kotu-baendum-parker", {"ties_kept": "true", "first_move_from_end": "each_player_each_round"}),
    "ties of the short-handed by his number": (
        "kotu-baendum-parker",
        {"short_handed_ties": "his_number", "short_handed_holes": "as_many_as_fit"},
    ),
    "no ties of the short-handed": ("kotu-baendum-parker", {"short_handed_ties": "never"}),
    "as many as fit, mixed": (
        "puhulmutu-parker",
        {"short_handed_holes": "as_many_as_fit", "short_handed_mixed": "true"},
    ),
    "opener from an end": ("kotu-baendum-parker", {"first_move_from_end": "opener", "stuck": "passes"}),
    "opposite barred taken": ("daramuti-parker", {"capture_opposite_barred": "true", "capture_opposite": "own"}),
    "matching by deficit": ("puhulmutu-parker", {"matching": "deficit", "matching_hole": "opposite"}),
    "matching when alone": (
        "puhulmutu-ludii",
        {"matching": "deficit", "matching_hole": "opposite", "matching_alone": "true"},
    ),
    "draw when equal": ("puhulmutu-parker", {"equal_round": "draw", "pass_over_full": "endless"}),
    "barred never passed": ("puhulmutu-parker", {"pass_over_never_marked": "true", "pass_over_judged": "before_lap"}),
    "origin passed over": ("puhulmutu-dlp", {"origin_passed": "true", "stuck": "passes"}),
    "palm from its pile": ("mawkar-katiya-das-gupta", {"palm": "from_pile", "en_passant": "other_number"}),
    "part hole ends": ("mawkar-katiya-dlp", {"barred_last": "ends", "barred_next": "ends"}),
    "each turn its direction": ("kalah-reference", {"direction": "each_turn"}),
    "small board": ("puhulmutu-parker", {"holes_per_row": "4"}),
    "long rows": ("puhulmutu-parker", {"holes_per_row": "12"}),
    "singles of dlp on walak": ("walak-pussa-parker", {"singles": "only_without_larger", "capture_next_holes": "2"}),
    "singles bound late": ("puhulmutu-parker", {"singles_below": "28", "blind_next": "empty"}),
    "chain past barred holes": ("walak-pussa-parker", {"barred_in_chain": "absent", "blind_next": "empty"}),
    "chain ends at barred holes": ("walak-pussa-dlp", {"barred_in_chain": "ends", "short_handed_holes": "some_empty"}),
    "short-handed capture ends": (
        "puhulmutu-parker",
        {"short_handed_then": "end", "short_handed_passes_usual": "true"},
    ),
    "short-handed with gaps": ("puhulmutu-dlp", {"short_handed_holes": "some_empty", "short_handed_below": "14"}),
    "direction kept": ("puhulmutu-parker", {"layout_from": "kept", "loan": "borrow"}),
    "clockwise throughout": (
        "kotu-baendum-parker",
        {"layout_from": "kept", "direction": "clockwise", "short_handed_then": "next"},
    ),
    "begun with nine": ("puhulmutu-parker", {"begins_with": "9"}),
    "begun with all but one": ("daramuti-dlp", {"begins_with": "55"}),
    "begun with a part hole": ("mawkar-katiya-dlp", {"begins_with": "33"}),
    "relay from opposite": ("mawkar-katiya-das-gupta", {"relay": "opposite"}),
    "groups after sowing": ("mawkar-katiya-das-gupta", {"en_passant_when": "after_sowing"}),
    "groups in a relay from the last": (
        "mawkar-katiya-das-gupta",
        {"relay": "last", "capture_next": "off", "palm": "off", "barred_next": "ends", "en_passant": "other_number"},
    ),
    "sokkattan of two with six": ("sokkattan-parker", {"seats": "2", "pieces": "6", "cancel_after": "2"}),
    "sokkattan of three": ("sokkattan-dlp", {"seats": "3", "cancelled": "last_throw", "may_decline": "true"}),
    "saturankam of four": ("saturankam-parker", {"seats": "4"}),
    "saturankam walking on": ("saturankam-dlp", {"entry": "walks_on", "enter_double": "0", "overshoot": "true"}),
    "asi by totals": ("asi-keliya-dlp", {"series_played": "total", "mouth_chance": "[2, 3]"}),
    "pancha all in all": ("pancha-keliya-parker", {"series_played": "total", "series_limit": "5"}),
    "pahada protected": ("pahada-keliya-dlp", {"safe_squares": "true", "partner_bar": "4"}),
    "kawade of four": ("kawade-kelia-dlp", {"seats": "4", "teams": "opposite"}),
    "saturankam by any die": (
        "saturankam-parker",
        {"exit_alone": "any_die", "exit_doubles": "[3]", "safe_meeting": "passed_over", "face_weights": "[1, 2, 3, 1]"},
    ),
    "pahada for the partner": (
        "pahada-keliya-dlp",
        {"finished_player": "throws_for_partner", "turn_order": "against_the_pieces", "bar_squares": "with_row_end"},
    ),
    "pahada, crosses closed": ("pahada-keliya-dlp", {"safe_squares": "true", "safe_meeting": "passed_over"}),
    "asi, corners closed": (
        "asi-keliya-dlp",
        {
            "safe_meeting": "passed_over",
            "leaving_shared": "any_throw",
            "finished_player": "throws_for_partner",
            "series_played": "either",
        },
    ),
    "asi, corners passed by ones": (
        "asi-keliya-dlp",
        {"safe_meeting": "passed_by_ones", "leaving_shared": "any_throw"},
    ),
    "asi, corners passed over, by sums": (
        "asi-keliya-dlp",
        {
            "safe_meeting": "passed_by_ones",
            "leaving_shared": "any_throw",
            "no_passing": "false",
            "series_played": "either",
            "sends_back": "landing_or_passing",
        },
    ),
    "asi, corners left by ones, by sums": ("asi-keliya-dlp", {"series_played": "either", "pairs_apart": "true"}),
    "tayam, pairs apart": ("tayam-sonalu-dlp", {"pairs_apart": "true"}),
    "asi, pairs apart, by sums": (
        "asi-keliya-dlp",
        {"pairs_apart": "true", "series_played": "either", "entry_spends": "its_score"},
    ),
    "sokkattan, castles closed": (
        "sokkattan-parker",
        {"safe_meeting": "passed_over", "turn_order": "against_the_pieces", "seats": "3"},
    ),
}

ARRAY_BELOW = ["a1", "c1", "e1", "g1", "b2", "d2", "f2", "h2"]
ARRAY_ABOVE = ["a7", "c7", "e7", "g7", "b8", "d8", "f8", "h8"]
FLYING = {
    "family": "points",
    "board": "chequered_8",
    "first_pieces": 8,
    "second_pieces": 8,
    "first_array": ARRAY_BELOW,
    "second_array": ARRAY_ABOVE,
    "captures_by": "both",
    "chain": "must_go_on",
    "kings": "flying",
    "first_crowned_at": ["b8", "d8", "f8", "h8"],
    "second_crowned_at": ["a1", "c1", "e1", "g1"],
    "first_loses_below": 1,
    "second_loses_below": 1,
    "first_stuck": "loses",
    "second_stuck": "loses",
}
HUNT = {
    "family": "points",
    "board": "alquerque_triangles",
    "first_pieces": 2,
    "second_pieces": 24,
    "captures_by": "first",
    "second_loses_below": 17,
    "first_stuck": "loses",
    "second_stuck": "passes",
}
ROWS = {
    "family": "points",
    "board": "squares_3",
    "first_pieces": 9,
    "second_pieces": 9,
    "line_laying": "remove",
    "line_moving": "remove",
    "first_loses_below": 3,
    "second_loses_below": 3,
    "first_stuck": "loses",
    "second_stuck": "loses",
}
ON = {"last": "occupied", "then": "on_from_last"}
SOWN = {"family": "sowing", "counters_per_hole": 3}
TAKEN = {"last": "occupied", "in": "inner", "if": "both_opposite_hold", "take": ["opposite", "opposite_outer"]}
TABLES = {
    "four rows, captured counters sown on": {
        **SOWN,
        "rows": 4,
        "holes_per_row": 6,
        "minimum": 2,
        "below_minimum": "if_no_other_into_empty",
        "backward": ["a1-a2", "d5-d6"],
        "ends": "stuck_loses",
        "after_lap": [{**TAKEN, "then": "sow_taken_from_start"}, ON],
    },
    "six rows, either way, the nearest taken": {
        **SOWN,
        "rows": 6,
        "holes_per_row": 4,
        "direction": "each_turn",
        "begins_at": "outermost_row",
        "ends": "empty_loses",
        "arranged": 3,
        "after_lap": [{"last": "empty", "in": "inner", "take": ["opposite_nearest"], "extra": 1}, ON],
    },
    "halves of two rows, a way of its own": {
        **SOWN,
        "holes_per_row": 5,
        "circuits": ["a1-a5 b1-b5"],
        "owners": ["a1-a2 b1-b2", "a4-a5 b4-b5"],
        "start": [{"holes": ["a3"], "counters": 1}],
        "openings": [{"who": "first", "holes": ["a1"]}],
        "origin_first": True,
        "while_sowing": [{"numbers": [4], "to": "sower"}],
        "after_lap": [{"last": "makes", "numbers": [2, 5], "take": ["last", "beside"], "optional": True}, ON],
    },
    "special holes": {
        **SOWN,
        "holes_per_row": 6,
        "special": [
            {"holes": ["a6", "b1"], "starts": "must", "least": 6, "taken": False},
            {"holes": ["a1", "b6"], "way": "clockwise"},
        ],
        "after_lap": [{"last": "makes", "numbers": [2, 4], "in": "opposing", "take": ["last", "run_back"]}],
    },
    "holes won, one of two taken": {
        **SOWN,
        "holes_per_row": 5,
        "after_lap": [
            {"last": "makes", "numbers": [4], "in": "opposing", "wins": ["last", "opposite"]},
            {"in": "lost", "take": ["last_two"]},
            {"last": "empty", "take": ["before", "next"], "one": True, "optional": True},
            ON,
        ],
    },
    "a ring, one counter left": {**SOWN, "rows": 1, "holes_per_row": 8, "leaves_one": True, "relay": "next"},
}
ALQUERQUE = {"shapes": [{"grid": [5, 5], "diagonals": "alternating"}]}
DOCUMENTS = {
    "rows of four in longer lines": {
        **ROWS,
        "board": {"shapes": [{"grid": [6, 6]}]},
        "row_length": 4,
        "line_moving": "win",
        "first_loses_below": 4,
        "second_loses_below": 4,
    },
    "rows round circles": {
        **ROWS,
        "board": {"shapes": [{"rings": 2, "round": 8, "joined": "corners"}]},
        "first_pieces": 6,
        "second_pieces": 6,
        "row_length": 3,
        "line_laying": "lay_again",
    },
    "goals, jumps sideways": {
        "family": "points",
        "board": ALQUERQUE,
        "first_pieces": 5,
        "second_pieces": 5,
        "first_array": ["a1-e1"],
        "second_array": ["a5-e5"],
        "first_goal": ["a5-e5"],
        "second_goal": ["a1-e1"],
        "captures_by": "both",
        "captures": "forward_and_sideways",
        "chain": "may_go_on",
        "second_steps": "forward",
    },
    "time is out": {
        "family": "points",
        "board": ALQUERQUE,
        "first_pieces": 1,
        "second_pieces": 5,
        "first_array": ["c3"],
        "second_array": ["a5-e5"],
        "turn_limit": 20,
        "limit_won_by": "first",
    },
    **TABLES,
    "flying kings lift after the turn": {**FLYING, "lifted": "after_turn", "king_lands": "any_beyond"},
    "kings turn at the edge": {**FLYING, "king_turns": "at_edge", "chain": "may_go_on", "crowning": "goes_on_as_king"},
    "edge, any landing": {**FLYING, "king_turns": "at_edge", "king_lands": "any_beyond", "crowning": "first_hop_only"},
    "crowned where no jump follows": {**FLYING, "chain": "may_go_on", "crowning": "if_it_cannot_jump_on"},
    "men must go on, kings may": {**FLYING, "king_chain": "may_go_on", "crowning": "goes_on_as_king"},
    "men may stop, kings must go on": {
        **FLYING,
        "chain": "may_go_on",
        "king_chain": "must_go_on",
        "capture_compulsory": True,
        "lifted": "after_turn",
    },
    "huff": {**FLYING, "huff": True, "lifted": "after_turn", "repetition": 4},
    "huff while laying, stuck in every way": {
        **HUNT,
        "huff": True,
        "chain": "may_go_on",
        "second_loses_below": 12,
        "first_stuck": "loses_after_pass",
        "second_stuck": "loses",
        "idle_turns": 60,
    },
    "short kings must capture": {
        **FLYING,
        "kings": "short",
        "capture_compulsory": True,
        "first_steps": "forward",
        "second_steps": "forward",
        "captures": "forward",
        "crowning": "ends_turn",
        "idle_turns": 40,
    },
    "long men, repetition": {
        **FLYING,
        "first_reach": 3,
        "second_reach": 2,
        "second_steps": "forward",
        "kings": "short",
        "repetition": 3,
        "turn_limit": 150,
    },
    "safe laying": {**HUNT, "lay_safe": "every_piece", "chain": "may_go_on"},
    "first piece safe, all laid first": {**HUNT, "lay_safe": "first_piece", "laying_ends": "both_hands"},
    "herd steps sideways": {
        **HUNT,
        "second_steps": "forward_and_sideways",
        "chain": "must_go_on",
        "lifted": "after_turn",
    },
    "second begins moving": {**HUNT, "first_move_by": "first", "begins": "second", "stuck_after_laying": "passes"},
    "rows outside first, flying": {**ROWS, "removable": "outside_lines_first", "flies_at": 3, "repetition": 4},
    "rows outside only, vacant": {**ROWS, "removable": "outside_lines_only", "moves_to": "vacant", "turn_limit": 300},
    "rows and another move": {
        **ROWS,
        "board": "squares_3_diagonals",
        "line_moving": "remove_and_move_again",
        "first_stuck": "passes",
        "second_stuck": "passes",
        "first_pieces": 12,
        "second_pieces": 11,
        "idle_turns": 60,
    },
    "two points left": {
        **ROWS,
        "first_pieces": 22,
        "second_pieces": 22,
        "laying_leaves": 2,
        "line_laying": "lay_again",
        "first_stuck": "passes",
        "second_stuck": "loses_after_pass",
        "first_move_by": "second",
        "first_loses_below": 1,
        "second_loses_below": 1,
    },
    "two points left, a common supply": {
        **ROWS,
        "board": "squares_3_diagonals",
        "supply": "common",
        "first_pieces": 22,
        "second_pieces": 22,
        "laying_leaves": 2,
        "line_laying": "remove",
        "corner_rows": "steps_only",
        "first_stuck": "passes",
        "second_stuck": "passes",
        "idle_turns": 60,
    },
    "one hand empty": {
        **ROWS,
        "board": "squares_3_diagonals",
        "first_pieces": 11,
        "second_pieces": 12,
        "laying_ends": "either_hand",
        "line_laying": "win",
        "line_moving": "win",
        "line_by": "second",
        "first_loses_below": 0,
        "second_loses_below": 0,
        "first_stuck": "passes",
        "second_stuck": "passes",
        "idle_turns": 40,
    },
    "past the line": {
        "family": "points",
        "board": "chequered_12",
        "first_pieces": 2,
        "second_pieces": 6,
        "second_array": ["a12", "c12", "e12", "g12", "i12", "k12"],
        "first_reach": 3,
        "second_steps": "forward",
        "first_stuck": "loses_after_pass",
        "line_passed": "behind",
        "first_move_by": "first",
    },
}

VARIANTS: dict[str, Ruleset] = {
    **{name: with_changes(RULESETS[base], changes) for name, (base, changes) in CHANGES.items()},
    **{name: parse(document) for name, document in DOCUMENTS.items()},
}
# Games of other collections, written from their words: they play on boards, with lots and by marks that are data.
PROVED = {
    entry["game"].rpartition("/")[2].lower(): parse(entry["document"])
    for path in sorted((Path(__file__).parents[1] / "proofs" / "data").glob("race*.json"))
    for entry in json.loads(path.read_text(encoding="utf-8"))
}
RACE_OF_THREE = {
    "family": "race",
    "board": {
        "rows": ["a1-a10", ". b1-b8 .", "c1-c10"],
        "tracks": {
            "3": [
                "a1-a10 c10-c1 b1-b8 a9 a10",
                "c1-c10 a10-a1 b8-b1 c2 c1",
                "b4-b8 c9-c1 a1-a10 b5-b1 c5",
            ]
        },
        "marks": {"star": ["a5", "c5"], "ladder": ["b3"], "snake": ["c9"], "gate": ["a4"]},
    },
    "seats": 3,
    "pieces": 8,
    "lots": [
        {"times": 3, "moves": [1, 2, 4, 5]},
        {"times": 2, "moves": [3, 3], "again": True, "name": "three"},
        {"times": 1},
        {"times": 2, "moves": [6]},
    ],
    "marked": [
        {"mark": "star", "does": ["again", "safe"]},
        {"mark": "ladder", "to": "a5"},
        {"mark": "snake", "does": ["returns"]},
        {"mark": "gate", "does": ["closed"]},
    ],
    "entry": "by_score",
    "enter_scores": [1, 3, 6],
    "enter_all_scores": [1, 6],
    "entry_spends": "its_score",
    "sends_back": "landing_or_passing",
    "safe_meeting": "passed_over",
    "block_of": 2,
    "block_stops": "passing",
    "again_sending_back": True,
    "again_home": True,
    "overshoot": True,
    "may_decline": True,
}
LONG_RACE = {
    "family": "race",
    "board": {
        "rows": ["a1-a40", "b40-b1"],
        "tracks": {"2": ["a1-a40 b40-b1 b2-b40 a40-a1", "b1-b40 a40-a1 a2-a40 b40-b1"]},
    },
    "seats": 2,
    "pieces": 16,
    "lots": [{"times": 1 << abs(8 - up), "moves": [17 - up]} for up in range(17)],
    "sends_back": "landing_or_passing",
    "own_on_square": 3,
    "home_field": 20,
    "again_home": True,
}
LADDERS = {
    "family": "race",
    "board": {
        "rows": ["a1-a8", "b8-b1", "c1-c8"],
        "tracks": {"2": ["c1-c8 b8-b1 a1-a8", "c1-c8 b8-b1 a1-a8"]},
        "marks": {"ladder": ["c3"], "snake": ["a6"], "rest": ["b2"]},
    },
    "seats": 2,
    "pieces": 4,
    "dice": 1,
    "die_faces": [1, 2, 3, 4, 5, 6],
    "marked": [
        {"mark": "ladder", "to": "b4"},
        {"mark": "snake", "to": "c6"},
        {"mark": "rest", "does": ["again", "safe"]},
    ],
    "sends_back": "landing",
    "overshoot": True,
    "goal": "last_square",
}
TABLES = {"race of three": RACE_OF_THREE, "long race to and fro": LONG_RACE, "ladders and snakes": LADDERS}
VARIANTS |= {name: parse(document) for name, document in TABLES.items()}
CASES: dict[str, Ruleset] = {**RULESETS, **CORNER, **VARIANTS, **PROVED}
