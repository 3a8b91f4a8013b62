"""Players against the tables of solved games: what tree search proves is true, and nobody beats what was proved."""

import pytest

from simulator.engine.players.kernel.memory import PROVED
from simulator.engine.players.names import Expectation
from simulator.engine.players.search import Searcher
from simulator.engine.solving.solved import solve
from tests.engine.players import plain_players
from tests.engine.rulesets import RULESETS
from tests.proofs.solving import against_the_table, solved_games, value_keeping

GAMES = solved_games()
RACES = ("pancha-keliya-complex-marin-pancha", "pahada-keliya-dlp")


@pytest.mark.parametrize("name", ["uct:300/4", "uct:300/4:prior=2"])
@pytest.mark.parametrize("slug", [pytest.param("hat-diviyan-keliya-ludovisi", marks=pytest.mark.thorough), "kalah 3x2"])
def test_a_proved_root_has_its_value_and_the_move_keeps_it(slug, name):
    solved, searcher = solve(GAMES[slug]), Searcher(GAMES[slug], name)
    numbers = range(0, len(solved.values), len(solved.values) // 100)
    proved: set[int] = set()
    looked = 0
    for number in numbers:
        if solved.is_over(number) or len(solved.move_values(number)) < 2:
            continue
        seat, looked = solved.mover(number), looked + 1
        move = searcher.choose(number, [], solved.graph.identity(number))
        found, expected = int(searcher.arrays.workspace.tree[0, PROVED]), searcher.expectation(move)
        assert expected is not None
        if found:
            value = solved.value_of(number).score(seat)
            assert value == (0 if found == 1 else 1 if found > 0 else -1)
            assert solved.move_values(number)[move].score(seat) == value
            assert expected.value == ("drawn", "won", "lost")[value]
            assert value == 0 or expected.plies >= solved.value_of(number).plies, "a bound, and the fewest there are"
            proved.add(value)
        else:
            assert 0 < expected.share < 1
    assert proved >= ({-1, 1} if slug.startswith("hat") else {-1, 0, 1})


@pytest.mark.thorough
@pytest.mark.parametrize("slug", RACES)
def test_a_win_before_the_next_throw_is_not_missed(slug):
    """Nothing else is proved where lots are thrown; this is, as soon as every move was tried once."""
    game = plain_players.Game(RULESETS[slug])
    winning = 0
    for seed in range(14):
        if winning >= 4:
            break
        position, draws = plain_players.start(game, seed)
        choices = plain_players.search_draws(99, seed, 0)[8]
        while game.referee.outcome(position)[0] < 0:
            options, seat = game.moves(position), game.referee.mover(position)
            ends = {move: game.referee.outcome(game.play(position, move, fresh(seed)).position) for move in options}
            wins = {move for move, (end, winners) in ends.items() if end == 0 and winners >> seat & 1}
            if wins and len(options) > len(wins):
                winning += 1
                searcher = Searcher(RULESETS[slug], f"uct:{len(options)}/0")
                chosen = {searcher.choose(lot, [], position.words()) for lot in range(12)}
                assert chosen <= wins
                assert searcher.expectation(chosen.pop()) == Expectation(value="won")
            position = game.play(position, options[choices.below(len(options))], draws).position
    assert winning >= 2


def fresh(seed):
    return plain_players.search_draws(seed, 1, 1)


def test_alpha_beta_keeps_the_value_near_the_end():
    """Wherever the end is at most as many plies away as it looks ahead; here one of 400 of these positions."""
    figures = value_keeping(GAMES["hat-diviyan-keliya-ludovisi"], deepest=3, every=400)
    assert min(figures["positions"].values()) >= 3
    assert figures["wrong"] == []


@pytest.mark.parametrize("opponent", ["greedy", "uct:50"])
def test_nobody_does_better_than_was_proved(opponent):
    figures = against_the_table(GAMES["hat-diviyan-keliya-dlp"], opponent, games=1)
    assert figures["proven"] == {0: -1, 1: 1}
    assert figures["better_than_proven"] == []
    assert figures["scores"][0] == [-1]
