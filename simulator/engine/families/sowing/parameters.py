"""The parameters of the sowing family, and documents that are no game: inactive rules, impossible combinations."""

from collections.abc import Iterator
from typing import Any

from simulator.engine.ends import DRAW, ENDLESS
from simulator.engine.families.sowing import tables
from simulator.engine.family import Impossible, Inactive, Rules, ineffective_settings, unmet_needs
from simulator.engine.schemas import schema

SCHEMA = schema("sowing")
PROPERTIES = SCHEMA["properties"]


# A parameter that can never fire is refused: two documents for one game would have two hashes.
# key -> (the key it needs, the values that let it fire)
NEEDS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "store_again": ("store_sown", (True,)),
    "ends_empty": ("first_move_from_end", ("each_player", "each_player_each_round", "opener")),
    "singles_exempt": ("singles", ("last_hole_alone", "only_without_larger", "larger_throughout")),
    "singles_below": ("singles", ("last_hole_alone", "only_without_larger")),
    "last_empty_ends": ("relay", ("next", "opposite")),
    "barred_next": ("relay", ("next", "opposite")),
    "grand_slam": ("capture_making_run", (True,)),
    "capture_opposite_own_counter": ("capture_opposite", ("either", "own")),
    "capture_opposite_barred": ("capture_opposite", ("either", "own")),
    "capture_next_holes": ("capture_next", ("beyond_empty", "after_empty")),
    "barred_in_chain": ("capture_next", ("beyond_empty", "after_empty")),
    "ties_kept": ("tied_ends", (True,)),
    "short_handed_ties": ("tied_ends", (True,)),
    "equal_round": ("next_round", ("refill",)),
    "ruined_below": ("next_round", ("refill",)),
    "round_starter": ("next_round", ("refill",)),
    "equal_starter": ("next_round", ("refill",)),
    "begins_with": ("next_round", ("refill",)),
    "layout_from": ("next_round", ("refill",)),
    "layout_turn": ("layout_from", ("chosen", "kept")),
    "remainder": ("next_round", ("refill",)),
    "remainder_from_round": ("remainder", ("next", "first")),
    "remainder_barred": ("remainder", ("next", "first")),
    "remainder_alone_barred": ("remainder", ("next", "first")),
    "matching": ("remainder", ("next", "first")),
    "matching_hole": ("matching", ("same", "deficit")),
    "matching_alone": ("matching", ("same", "deficit")),
    "matching_barred": ("matching", ("same", "deficit")),
    "unfilled_closed": ("next_round", ("refill",)),
    "short_handed": ("layout_from", ("chosen", "kept")),
    "loan": ("layout_from", ("chosen", "kept")),
    "loan_when": ("loan", ("borrow", "shift")),
    "en_passant": ("layout_from", ("left",)),
    "en_passant_when": ("en_passant", ("own_number", "other_number")),
    "palm": ("relay", ("next", "opposite")),
    "part_hole_to_richer": ("remainder", ("next", "first")),
}
# Keys that need one of several others.
BARRING = ("remainder_barred", "remainder_alone_barred", "tied_ends", "part_hole_to_richer")
OF_BARRED_HOLES = (
    *("barred_last", "barred_next", "barred_in_chain", "pass_over_never_marked", "capture_opposite_barred"),
)
OF_MAKING = ("capture_making_side", "capture_making_run", "capture_making_then", "tied_ends")
OF_PASSING = ("pass_over_judged", "pass_over_never_marked", "pass_over_full")
OF_SHORT_HANDED = (
    *("short_handed_below", "short_handed_surplus", "short_handed_holes", "short_handed_passes_both"),
    "short_handed_ties",
)
OF_LAYING_FROM_THE_LEFT = ("en_passant", "palm", "part_hole_to_richer")


def inactive_rules(rules: Rules) -> Iterator[Inactive]:
    """Yield every key that never fires while the others are as they are, whatever its own value, and why."""
    yield from unmet_needs(NEEDS.items(), rules, PROPERTIES)
    yield from tables.inactive_rules(rules)
    if not rules["minimum"]:
        yield "below_minimum", "never fires while minimum is 0"
    for keys, fires, why in (
        (OF_BARRED_HOLES, any(rules[key] for key in BARRING), "never fires while no rule bars a hole"),
        (OF_MAKING, rules["capture_making"] or rules["short_handed"], "never fires while capture_making is empty"),
        (OF_PASSING, rules["pass_over"] or rules["short_handed"], "never fires while no number is passed over"),
        (OF_SHORT_HANDED, rules["short_handed"], "never fires while short_handed is empty"),
        (("short_handed_mixed",), rules["short_handed"] == [1, 2], "mixing needs both ones and twos in short_handed"),
        (
            ("short_handed_passes_usual",),
            rules["short_handed"] and rules["pass_over"],
            "never fires unless short_handed lays some holes and pass_over passes over others",
        ),
        (
            ("short_handed_then",),
            rules["short_handed"] and rules["capture_making"],
            "never fires unless both short_handed and capture_making capture by a number",
        ),
        (
            ("blind_next",),
            rules["unfilled_closed"] and _looks_at_the_next(rules),
            "never fires unless unfilled_closed makes blind holes and a rule looks at the next hole",
        ),
        (
            OF_LAYING_FROM_THE_LEFT,
            rules["next_round"] != "off" and rules["layout_from"] == "left",
            "belongs to further rounds laid out from the left",
        ),
    ):
        if not fires:
            yield from ((key, why) for key in keys)


def _looks_at_the_next(rules: Rules) -> bool:
    goes_on = rules["capture_making"] and rules["capture_making_then"] != "end"
    short = rules["short_handed"] and (rules["capture_making_then"] != "end" or rules["short_handed_then"] == "next")
    return bool(
        goes_on or short or rules["relay"] == "next" or rules["capture_next"] in ("beyond_empty", "after_empty")
    )


# A turn goes on and on only by lap after lap, or by a sowing that passes over every hole.
RUNNING_ON = ("relay", "capture_making_then", "pass_over", "short_handed", "unfilled_closed", "palm", "en_passant_when")


def ends(rules: Rules) -> Iterator[int]:
    """Yield DRAW where equal numbers end the game, and ENDLESS where a turn may never release the mover."""
    counted = rules["ends"] == "off" or rules["idle_turns"] or rules["repetition_memory"] or rules["majority_ends"]
    if (rules["next_round"] == "off" or rules["equal_round"] != "play_on") and (
        counted or rules["ends"] == "empty_loses"
    ):
        yield DRAW
    if (tables.is_tabled(rules) and tables.may_run_on(rules)) or any(
        rules[key] != PROPERTIES[key]["default"] for key in RUNNING_ON
    ):
        yield ENDLESS


def problems(rules: Rules) -> Iterator[Impossible]:
    """Yield every impossible combination."""
    yield from ineffective_settings(inactive_rules(rules), rules, PROPERTIES)
    yield from _numbers(rules)
    yield from _rounds(rules)
    if tables.is_tabled(rules):
        yield from tables.problems(rules)
    if rules["begins_with"]:
        yield from _beginning(rules)


def _numbers(rules: Rules) -> Iterator[Impossible]:
    if rules["capture_making_run"] and rules["capture_making_side"] != "opposing":
        yield (
            "capture_making_run",
            "runs are captured in the opponent's row: capture_making_side must be opposing",
            False,
        )
    on_from_another = rules["relay"] in ("next", "opposite")
    if rules["capture_next"] in ("beyond_empty", "opposite_empty") and not on_from_another:
        yield "capture_next", "looking past the next hole needs relay to be next", "after_empty"
    if rules["capture_next"] == "after_empty" and on_from_another:
        yield "capture_next", f"an empty last hole does not end a lap while relay is {rules['relay']}", "beyond_empty"
    if rules["capture_next"] == "opposite_empty" and rules["relay"] == "opposite":
        yield "capture_next", "the hole opposite the empty one would be the last one itself", "beyond_empty"
    if rules["barred_in_chain"] == "ends" and rules["capture_next_holes"] == 1:
        yield "barred_in_chain", "a chain of one hole has no hole between", "as_next"
    if rules["short_handed_then"] == rules["capture_making_then"]:
        yield "short_handed_then", "this is what follows every capture by making a number", "as_usual"
    full = rules["counters_per_hole"]
    if any(number >= full for number in rules["remainder_barred"]):
        fitting = [number for number in rules["remainder_barred"] if number < full]
        yield "remainder_barred", f"a partly filled hole holds fewer than {full}", fitting
    if rules["singles"] == "larger_throughout" and full == 1 and rules["singles_exempt"] == "off":
        yield "singles", "no player could ever move: every hole begins with a single counter", "off"
    if rules["store_sown"] and on_from_another:
        yield "relay", "a last counter in a store has no next hole in this family", "last"


def _rounds(rules: Rules) -> Iterator[Impossible]:
    if rules["layout_from"] == "chosen" and rules["direction"] != "chosen_once":
        yield "layout_from", "the end a layout begins from sets the direction: direction must be chosen_once", "left"
    if rules["layout_from"] == "kept" and rules["direction"] == "each_turn":
        yield "layout_from", "a direction chosen anew in each turn is not kept from round to round", "left"
    if rules["layout_from"] != "left" and rules["round_starter"] == "alternate":
        yield "round_starter", "the player who lays towards his gap begins the round", "poorer"
    if rules["short_handed_holes"] == "some_empty" and rules["holes_per_row"] > 8:
        yield "short_handed_holes", "such layouts are listed for rows of eight holes at most", "from_one_end"
    if rules["equal_round"] == "optional" and rules["layout_from"] == "left":
        yield "equal_round", "calling a draw is offered to the player who lays out: layout_from must be chosen", "draw"
    if rules["next_round"] == "refill" and rules["direction"] == "chosen_once" and rules["layout_from"] == "left":
        yield "layout_from", "with a direction chosen once a later round needs layout_from chosen", "chosen"
    if rules["round_end"] == "board_empty" and rules["stuck"] != "passes":
        yield "stuck", "a round that ends only with an empty board needs players who pass", "passes"
    if rules["repetition_memory"] and rules["next_round"] != "off":
        yield "repetition_memory", "repeated positions are kept in games of one round only", 0
    if rules["loan"] != "off" and rules["holes_per_row"] < 4:
        yield "loan", "borrowing needs at least four holes in a row", "off"


def _beginning(rules: Rules) -> Iterator[Impossible]:
    total, least = 2 * rules["holes_per_row"] * rules["counters_per_hole"], rules["ruined_below"]
    if not least <= rules["begins_with"] <= total - least:
        nearest = min(max(rules["begins_with"], least), total - least)
        yield "begins_with", f"each player must own at least {least} of the {total} counters", nearest
    if 2 * rules["begins_with"] == total:
        yield "begins_with", "with half of the counters every hole is full: the game begins so without it", 0
    if rules["layout_from"] == "kept" and rules["direction"] == "chosen_once":
        yield "begins_with", "a layout keeps a direction that nobody has chosen before the first round", 0
