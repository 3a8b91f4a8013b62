"""Whether referee and kernel play a ruleset alike, ply by ply and to the last column of a row."""

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
