"""Races solved by value iteration: throws listed exactly, bounds that enclose what is true, refusals by name."""

from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from simulator.engine import playout
from simulator.engine.documents import parse, with_changes
from simulator.engine.families.race.chances import NotListed, throws
from simulator.engine.families.race.kernel.compiling import kinds
from simulator.engine.families.race.referee import contract as referee
from simulator.engine.families.race.referee.throws import every_throw
from simulator.engine.randomness import CHANCE, CHOICE, Draws, stream_key
from simulator.engine.solving import expected
from simulator.engine.solving.kernel.throwing import LOWER, UPPER
from tests.engine.rulesets import RULESETS

MARIN = RULESETS["pancha-keliya-complex-marin-dice"]
SHORT = {"family": "race", "board": "pancha_track", "seats": 2, "dice": 1, "die_faces": [1, 2], "sends_back": "landing"}
ONE, TWO = (
    parse({**SHORT, "pieces": 1}),
    parse({**SHORT, "pieces": 2, "die_faces": [1, 2, 3], "face_weights": [1, 2, 1]}),
)
GAMES = 20_000


@pytest.fixture(scope="module")
def one():
    return expected.solve_expected(ONE)


@pytest.fixture(scope="module")
def two():
    return expected.solve_expected(TWO)


@pytest.mark.parametrize("name", ["pancha-keliya-complex-marin-dice", "kawade-kelia-culin"])
def test_throws_are_as_likely_as_the_lots_can_lie(name):
    """All of them are equally likely here; the referee lists them one by one."""
    parameters = RULESETS[name].parameters
    scores = Counter(throw.score for throw in every_throw(parameters))
    values = [value for value, _ in kinds(parameters)]
    listed = {values[kind] if kind >= 0 else 0: chance for kind, chance in throws(parameters).items()}
    assert listed == {score: Fraction(number, scores.total()) for score, number in scores.items()}
    assert sum(listed.values()) == 1


def test_faces_weigh_what_the_ruleset_says():
    assert list(throws(TWO.parameters).values()) == [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    half = throws({**RULESETS["kawade-kelia-culin"].parameters, "mouth_chance": [1, 3]})
    assert half[-1] == Fraction(2, 3) ** 6


def drawn(number=40):
    """Positions of two pieces each, drawn: the referee's, before the throw of the first player."""
    chance = np.random.default_rng(3)
    for _ in range(number):
        yield [sorted(chance.integers(0, 31, 2).tolist()) for _ in range(2)]


def followed(solved, steps, policy, bound):
    """The chance of the first player before his throw, by the referee's moves and the bounds of what they lead to."""
    rules, total = solved.ruleset.parameters, 0.0
    for kind, chance in throws(rules).items():
        position = referee.start(rules, draws())
        position.clear_throw()
        position.pieces, position.mover = [list(row) for row in steps], 0
        if kind >= 0:
            position.hand[kind] = 1
        found = []
        moves = referee.moves(rules, position)
        for move in moves:
            after = referee.play(rules, position, move, draws(), moves).position
            mover = after.mover
            if after.end >= 0:
                found.append(1.0)
                continue
            mine, other = after.pieces[mover], after.pieces[1 - mover]
            swapped = expected.POLICY_NAMES.index(expected.POLICY_NAMES[policy][::-1])
            if mover == 0:
                found.append(solved.chances[solved.number(mine, other), policy, bound])
            else:
                found.append(1 - solved.chances[solved.number(mine, other), swapped, 1 - bound])
        chooses = expected.POLICY_NAMES[policy][0] == "best"
        total += float(chance) * (max(found) if chooses else sum(found) / len(found))
    return total


def draws():
    return [Draws(stream_key(1, 0, stream)) for stream in range(CHANCE, CHOICE)]


@pytest.mark.thorough
def test_every_bound_follows_from_the_referees_moves(two):
    """The next round would change no bound by more than the error: four ways to play, both bounds."""
    for steps in drawn():
        number = two.number(*steps)
        for policy in range(len(expected.POLICY_NAMES)):
            for bound in (LOWER, UPPER):
                assert (
                    abs(followed(two, steps, policy, bound) - two.chances[number, policy, bound]) < 2 * expected.ERROR
                )


@pytest.mark.parametrize("name", ["one", pytest.param("two", marks=pytest.mark.thorough)])
def test_bounds_enclose_and_come_together(name, request):
    solved = request.getfixturevalue(name)
    lower, upper = solved.chances[..., LOWER], solved.chances[..., UPPER]
    assert (lower <= upper).all()
    assert (upper - lower).max() == solved.widest <= expected.ERROR


@pytest.mark.thorough
def test_best_play_wins_more_often_than_random_play(two):
    best, random, against_random, against_best = (two.bounds(policy) for policy in range(4))
    for middle in (best, random):
        assert against_best[UPPER] < middle[LOWER] < middle[UPPER] < against_random[LOWER]


@pytest.mark.thorough
def test_random_players_win_as_often_as_is_computed(two):
    wins = playout.play_games(TWO, GAMES, seed=5)["winners"] == 1
    chance = np.mean(two.bounds(expected.POLICY_NAMES.index(("random", "random"))))
    assert abs(wins.mean() - chance) < 4 * (chance * (1 - chance) / GAMES) ** 0.5


def test_a_single_piece_leaves_nothing_to_choose(one):
    chances = [np.mean(one.bounds(policy)) for policy in range(4)]
    assert max(chances) - min(chances) < 2 * expected.ERROR
    assert one.chances.shape == (32**2, 4, 2)
    assert expected.sides(ONE) == 32


@pytest.mark.thorough
def test_the_best_move_is_the_one_with_the_greatest_chance(two):
    """With one step to go for each: the piece that goes home wins; a throw of 1 that strikes is better than another."""
    race = expected.race_of(TWO)
    for steps in drawn(10):
        position = referee.start(TWO.parameters, draws())
        position.clear_throw()
        position.pieces, position.hand[1] = [list(row) for row in steps], 1
        chances = {}
        for move in referee.moves(TWO.parameters, position):
            after = referee.play(TWO.parameters, position, move, draws()).position
            chances[move] = 1 - two.chances[two.number(after.pieces[1], after.pieces[0]), 0].mean()
        best = max(chances.values())
        chosen = expected.best_moves(race, two, position.words())
        assert chosen == [move for move, chance in chances.items() if chance >= best - expected.ERROR]


def test_which_rulesets_can_be_listed():
    listed = set()
    for name, ruleset in RULESETS.items():
        if ruleset.family == "race":
            try:
                throws(ruleset.parameters)
            except NotListed:
                continue
            listed.add(name)
    assert listed == {"pancha-keliya-complex-marin-dice", "kawade-kelia-culin", "kawade-kelia-dlp"}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("saturankam-parker", "a throw is divided freely, over more than one move"),
        ("pancha-keliya-dlp", r"a throw can bring another, so that many are played together \(again_scores\)"),
        ("sokkattan-dlp", "only games of two are solved, and here are 4 seats"),
    ],
)
def test_what_cannot_be_listed_is_refused_by_name(name, why):
    with pytest.raises(NotListed, match=why):
        throws(RULESETS[name].parameters)


def test_what_would_fit_is_known_beforehand():
    kawade = RULESETS["kawade-kelia-culin"]
    assert expected.sides(kawade) ** 2 == comb(65 + 3, 3) ** 2 == 2_511_613_456
    assert expected.what_fits(kawade, 10**9) == "at most 2 pieces each on this board"
    assert expected.sides(MARIN) ** 2 == 5_503_716


def test_bounds_that_do_not_come_together_are_no_solution(monkeypatch):
    monkeypatch.setattr(expected, "MOST_ROUNDS", 2)
    with pytest.raises(expected.NotSettled, match="after 2 rounds a chance is still known to within"):
        expected.solve_expected(ONE)


def test_the_document_has_bounds_for_four_ways_to_play(one):
    document = expected.expected_document(one)
    assert [(row["first"], row["second"]) for row in document["chances"]] == list(expected.POLICY_NAMES)
    assert all(0 < row["upper"] - row["lower"] < expected.ERROR for row in document["chances"])
    assert document["positions"] == {"numbered": 1024}


@pytest.mark.thorough
def test_marins_figure_with_one_counter_needs_no_choices():
    solved = expected.solve_expected(with_changes(MARIN, {"pieces": "1"}))
    for policy in range(4):
        assert np.mean(solved.bounds(policy)) == pytest.approx(0.5192, abs=5e-5)
