"""Whether referee and kernel play a ruleset alike, ply by ply and to the last column of a row."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulator.engine import kernels, playout, referee_playout
from simulator.engine.family import family
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.ruleset import Ruleset


def assert_engines_agree(ruleset: Ruleset, games: int = 2, cap: int = 60, seed: int = 3) -> None:
    contract, referee = kernels.kernel(ruleset.family).contract, ruleset.module("referee.contract")
    rules = contract.compile_rules(ruleset.parameters)
    position, counts, out, streams = kernels.workspace(contract, rules)
    identity = contract.identity_size(rules)
    for game in range(games):
        open_streams(streams, seed, game, contract.FIRST_STREAM, contract.LAST_STREAM)
        contract.start(rules, position, streams, counts)
        for number, ply in enumerate(referee_playout.plies(ruleset, seed, game)):
            if number == cap:
                break
            assert tuple(position[:identity]) == ply.before.words()
            assert out[: contract.moves(rules, position, out)].tolist() == referee.moves(ruleset.parameters, ply.before)
            # A move that is drawn is the one at that place of the list, though none is written.
            move, options = contract.random_move(rules, position, streams, CHOICE + ply.seat, out)
            assert (move, options) == (ply.move, ply.options)
            contract.play(rules, position, move, streams, counts)
            assert tuple(position[:identity]) == ply.played.position.words()
    players = ("random",) * family(ruleset.family).seats(ruleset.parameters)
    rows = playout.play_block(ruleset, players, seed, 0, games, cap, "game")
    assert rows.tolist() == [
        referee.row(referee_playout.plies(ruleset, seed, game), cap, "game") for game in range(games)
    ]


Words = tuple[int, ...]


def kernel_game(
    contract: Any, rules: Any, workspace: Any, seed: int, game: int, mover: int, end: int
) -> Iterator[tuple[Words, list[int], int]]:
    """(position, its moves, the move played) of every ply of a random game, and last the end with no moves.

    mover, end: where these stand among the words of a position
    """
    position, counts, out, streams = workspace
    open_streams(streams, seed, game, contract.FIRST_STREAM, contract.LAST_STREAM)
    contract.start(rules, position, streams, counts)
    while position[end] < 0:
        listed = out[: contract.moves(rules, position, out)].tolist()
        move, _ = contract.random_move(rules, position, streams, CHOICE + position[mover], out)
        yield tuple(position.tolist()), listed, int(move)
        contract.play(rules, position, np.int64(move), streams, counts)
    yield tuple(position.tolist()), [], -1


def results_met(oracle: Any, ruleset: Ruleset, games: int, seed: int, mover: int, end: int) -> set[float]:
    """Play random games in the kernel and in OpenSpiel, ply by ply; the results of the first player that were met.

    oracle: has the `game`; `check`s a state against the words of a position; `play`s a move of those listed in a state
    """
    contract = kernels.kernel(ruleset.family).contract
    rules = contract.compile_rules(ruleset.parameters)
    workspace = kernels.workspace(contract, rules)
    results = set()
    for game in range(games):
        state = oracle.game.new_initial_state()
        for words, moves, move in kernel_game(contract, rules, workspace, seed, game, mover, end):
            oracle.check(state, words)
            if moves:
                oracle.play(state, words, moves, move)
        results.add(state.returns()[0])
    return results
