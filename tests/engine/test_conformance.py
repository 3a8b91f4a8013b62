"""Two engines, one truth: the referee and the kernel play the same games ply by ply, on every shipped ruleset."""

import numpy as np
import pytest

from simulator.engine import playout, reference_playout
from simulator.engine.families.sowing import referee
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.ruleset import parse, with_changes
from tests.engine.rulesets import RULESETS

SEED = 20091

# Readings nobody ships, for rules that no shipped ruleset uses or that fire rarely.
VARIANTS = {
    "loan in each turn": ("puhulmutu-parker", {"loan": "borrow", "loan_when": "each_turn"}),
    "second loan": ("puhulmutu-parker", {"loan": "shift"}),
    "ties kept": ("kotu-baendum-parker", {"ties_kept": "true", "first_move_from_end": "each_player_each_round"}),
    "opener from an end": ("kotu-baendum-parker", {"first_move_from_end": "opener", "stuck": "passes"}),
    "opposite barred taken": ("daramuti-parker", {"capture_opposite_barred": "true", "capture_opposite": "own"}),
    "matching by deficit": ("puhulmutu-parker", {"matching": "deficit", "matching_hole": "opposite"}),
    "draw when equal": ("puhulmutu-parker", {"equal_round": "draw", "pass_over_full": "endless"}),
    "barred never passed": ("puhulmutu-parker", {"pass_over_never_marked": "true", "pass_over_judged": "before_lap"}),
    "origin passed over": ("puhulmutu-dlp", {"origin_passed": "true", "stuck": "passes"}),
    "palm from its pile": ("mawkar-katiya-das-gupta", {"palm": "from_pile", "en_passant": "other_number"}),
    "part hole ends": ("mawkar-katiya-dlp", {"barred_last": "ends", "barred_next": "ends"}),
    "each turn its direction": ("kalah-reference", {"direction": "each_turn"}),
    "small board": ("puhulmutu-parker", {"holes_per_row": "4"}),
    "singles of dlp on walak": ("walak-pussa-parker", {"singles": "only_without_larger", "capture_next_holes": "2"}),
}


def variant(name):
    base, changes = VARIANTS[name]
    return with_changes(RULESETS[base], changes)


CASES = {**RULESETS, **{name: variant(name) for name in VARIANTS}}


@pytest.mark.parametrize("name", CASES)
def test_rows_agree(name):
    """The row of every game is the same, to the last integer, for whole games and first rounds."""
    ruleset = CASES[name]
    for until, cap, games in (("game", 300, 24), ("round", 300, 24), ("game", 17, 8)):
        compiled = playout.play_block(ruleset, ("random", "random"), SEED, 5, games, cap, until)
        expected = [reference_playout.row(ruleset, SEED, 5 + game, cap, until) for game in range(games)]
        assert compiled.tolist() == expected


@pytest.mark.parametrize("name", CASES)
def test_plies_agree(name):
    """Moves in the same order and the same positions, ply by ply; counters are conserved throughout."""
    ruleset = CASES[name]
    contract = playout.kernel(ruleset.family).contract
    rules = contract.compile_rules(ruleset.parameters)
    position, counts, out, streams = playout.workspace(contract, rules)
    identity = contract.identity_size(rules)
    total = referee.total_counters(ruleset.parameters)
    for game in range(6):
        open_streams(streams, SEED, game, 8)
        contract.start(rules, position, streams, counts)
        for number, ply in enumerate(reference_playout.plies(ruleset, SEED, game)):
            assert tuple(position[:identity]) == ply.before.words()
            assert out[: contract.moves(rules, position, out)].tolist() == referee.moves(ruleset.parameters, ply.before)
            move, options = contract.random_move(rules, position, streams, ply.seat, out)
            assert (move, options) == (ply.move, ply.options)
            contract.play(rules, position, move, streams, counts)
            after = ply.played.position
            assert tuple(position[:identity]) == after.words()
            assert sum(after.holes) + sum(after.stores) == total
            if number > 400:
                break


def test_a_block_is_part_of_a_larger_one():
    """Game g is the same whichever block it is in."""
    ruleset = RULESETS["puhulmutu-parker"]
    whole = playout.play_block(ruleset, ("random",) * 2, 7, 0, 60, 500, "game")
    parts = [playout.play_block(ruleset, ("random",) * 2, 7, first, 20, 500, "game") for first in (0, 20, 40)]
    assert np.array_equal(whole, np.concatenate(parts))


def test_every_parameter_is_off_its_off_value_somewhere():
    """The suite reaches every rule of the family: a parameter nobody sets would be tested by nothing."""
    used = {key for ruleset in CASES.values() for key in ruleset.document}
    schema = set(parse({"family": "sowing", "holes_per_row": 6, "counters_per_hole": 4}).parameters)
    assert schema - used <= {
        "rows",
        "lap_limit",
        "short_handed_below",
        "short_handed_surplus",
        "remainder_alone_barred",
    }
