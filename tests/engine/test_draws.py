"""Equal rounds, draws that were offered and draws that were called: rule and policy, counted apart."""

import numpy as np
import pytest

from simulator.engine import playout, shipped
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.referee import contract
from simulator.engine.families.sowing.referee.contract import row
from simulator.engine.family import family
from simulator.engine.players import search
from simulator.engine.referee_playout import Ply, plies

NAMES = [measure.name for measure in family("sowing").measures]
THREE = [NAMES.index(name) for name in ("equal_rounds", "draw_offered", "draw_called")]
END, OPTIONAL = NAMES.index("end"), ("daramuti-parker", "kotu-baendum-parker", "puhulmutu-parker", "walak-pussa-parker")


def rows_of(name: str, games: int = 400) -> np.ndarray:
    return playout.play_block(shipped.load(name), ("random", "random"), 1, 0, games, 500, "game")


def laying_out(name: str, first: int) -> tuple[dict, code.Position]:
    """The poorer player is to lay out, the first player owning so many."""
    ruleset = shipped.load(name)
    rules = ruleset.parameters
    position = contract.start(rules)
    total = sum(position.holes)
    position.holes, position.phase, position.mover = [0] * len(position.holes), code.LAY, 0
    position.stores = [first, total - first]
    return rules, position


@pytest.mark.parametrize(("first", "offered"), [(24, True), (23, False)])
def test_a_draw_is_offered_to_who_lays_out_with_half_of_all(first: int, offered: bool) -> None:
    rules, position = laying_out("walak-pussa-parker", first)
    total = contract.total_counters(rules)
    position.stores = [total // 2 - (24 - first), total // 2 + (24 - first)]
    legal = contract.moves(rules, position)
    assert (code.CALL_DRAW in legal) == offered
    for move in legal:
        assert contract.play(rules, position, move).offered == offered


def test_the_row_separates_declined_offers_from_accepted_ones() -> None:
    rules, position = laying_out("walak-pussa-parker", 24)
    position.stores = [contract.total_counters(rules) // 2] * 2
    for move, three in ((contract.moves(rules, position)[0], [0, 1, 0]), (code.CALL_DRAW, [0, 1, 1])):
        ply = Ply(0, move, 3, position, contract.play(rules, position, move))
        columns = row(iter([ply]), 100, "game")
        assert [columns[place] for place in THREE] == three


@pytest.mark.by_turns
def test_both_engines_count_alike_the_draws_that_searches_call() -> None:
    players = ("uct:30/4", "uct:30/4")
    called = 0
    for name in OPTIONAL:
        ruleset = shipped.load(name)
        for game in range(4):
            moves, counted = search.list_moves(ruleset, players, 3, game, 600, "game")
            assert row(plies(ruleset, 3, game, moves=moves), 600, "game") == counted
            called += counted[THREE[2]]
            assert counted[THREE[2]] <= counted[THREE[1]]
            assert not counted[THREE[2]] or counted[END] == 1  # a draw
    assert called


@pytest.mark.by_turns
@pytest.mark.parametrize("name", OPTIONAL)
def test_random_players_are_offered_draws_and_call_none(name: str) -> None:
    equal, offered, called = (rows_of(name)[:, place] for place in THREE)
    assert not called.any()
    assert offered.any()
    assert (offered <= equal).all()  # no offer without an equal round
    assert (equal > 1).any()


def test_a_game_of_one_equal_round_is_drawn() -> None:
    rows = rows_of("kalah-reference", 2_000)
    equal, offered, called = (rows[:, place] for place in THREE)
    assert (equal == (rows[:, END] == 1)).all()
    assert equal.any()
    assert not offered.any()
    assert not called.any()


def test_where_nobody_may_call_an_equal_round_is_played_on() -> None:
    rows = rows_of("daramuti-ludii", 1_000)
    assert rows[:, THREE[0]].any()
    assert not rows[:, THREE[1:]].any()
    assert not (rows[:, END] == 1).any()
