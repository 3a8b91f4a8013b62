"""Expectimax equals a plain one over the referee, which makes each throw by telling the lots how to fall."""

from fractions import Fraction
from itertools import product

import pytest

from simulator.engine.families.race.chances import NotListed, listed_throws
from simulator.engine.families.race.referee import throws
from simulator.engine.players.kernel.memory import FOUND
from simulator.engine.players.search import Searcher
from simulator.engine.randomness import CHANCE, CHOICE, Draws
from tests.choice import rulesets_of_the_day
from tests.engine.players import plain_players
from tests.engine.rulesets import RULESETS

LISTED = ("kawade-kelia-culin", "pancha-keliya-complex-marin-dice", "saturankam-dlp", "pahada-keliya-dlp")


class Fallen(Draws):
    """Draws that are given beforehand; one more than was given is an error."""

    def __init__(self, given):
        super().__init__(0)
        self.given = list(given)

    def below(self, bound):
        self.drawn += 1
        number = self.given.pop(0)
        assert 0 <= number < bound
        return number


def every_fall(rules):
    """(chance, what the lots draw) of every way in which they can fall."""
    if rules["cowries"]:
        up, of = rules["mouth_chance"]
        for mouths in product((True, False), repeat=rules["cowries"]):
            chance = Fraction(up, of) ** sum(mouths) * Fraction(of - up, of) ** (len(mouths) - sum(mouths))
            yield chance, [0 if mouth else up for mouth in mouths]
        return
    sides = len(throws.die_outcomes(rules))
    for drawn in product(range(sides), repeat=rules["dice"]):
        yield Fraction(1, sides ** rules["dice"]), drawn


def value(game, position, seat, depth):
    """What a seat's side expects so many plies on: the mean over all falls, the best of its moves or the worst."""
    values = [played(game, position, move, seat, depth) for move in game.moves(position)]
    return (max if (game.referee.mover(position) ^ seat) % 2 == 0 else min)(values)


def played(game, position, move, seat, depth):
    expected = Fraction(0)
    for chance, fall in every_fall(game.rules):
        draws = [Fallen(fall)] * (CHOICE - CHANCE)
        after = game.referee.play(game.rules, position, move, draws).position
        end, winners = game.referee.outcome(after)
        if end >= 0:
            return Fraction(winners >> seat & 1)
        if depth == 1:
            ahead = plain_players.evaluate(game.ruleset, after, seat)
            return Fraction(1, 2) + Fraction(ahead, 2 * (abs(ahead) + plain_players.SCALE))
        found = value(game, after, seat, depth - 1)
        if not draws[0].drawn:
            return found
        expected += chance * found
    return expected


@pytest.mark.parametrize("slug", LISTED)
def test_all_throws_are_listed_and_every_key_gives_its_own(slug):
    rules = RULESETS[slug].parameters
    found = listed_throws(rules)
    assert sum(chance for chance, _ in found) == 1
    if rules["cowries"]:
        scores = {score: Fraction(0) for score in rules["scores"]}
        for chance, key in found:
            scores[throws.cast(rules, Draws(key)).score] += chance
        expected = dict.fromkeys(scores, Fraction(0))
        for chance, fall in every_fall(rules):
            expected[throws.cast(rules, Fallen(fall)).score] += chance
        assert scores == expected
    else:
        faces = [tuple(sorted(throws.cast(rules, Draws(key)).lots)) for _, key in found]
        assert len(set(faces)) == len(faces)


@pytest.mark.by_turns
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("slug", rulesets_of_the_day(LISTED))
def test_the_value_is_that_of_plain_expectimax(slug, depth):
    game, searcher = plain_players.Game(RULESETS[slug]), Searcher(RULESETS[slug], f"expectimax:{depth}")
    for position in positions(game, 8 if depth == 1 else 3):
        seat, options = game.referee.mover(position), game.moves(position)
        values = {move: played(game, position, move, seat, depth) for move in options}
        move = searcher.choose(1, [], position.words())
        assert searcher.arrays.workspace.expected[0, FOUND] == pytest.approx(float(max(values.values())), abs=1e-14)
        assert values[move] == max(values.values())


def positions(game, number):
    """Of a game at random, those with fewest moves to choose among: at its beginning, and where its end is near."""
    position, draws = plain_players.start(game, 5)
    choices, found = plain_players.search_draws(99, 5, 0)[8], []
    while game.referee.outcome(position)[0] < 0:
        found.append(position)
        options = game.moves(position)
        position = game.play(position, options[choices.below(len(options))], draws).position
    choosing = [one for one in found if len(game.moves(one)) > 1]
    return sorted(choosing, key=lambda one: len(game.moves(one)))[:number]


def test_throws_that_bring_others_cannot_be_listed():
    with pytest.raises(NotListed, match="another"):
        listed_throws(RULESETS["pancha-keliya-parker"].parameters)
    with pytest.raises(NotListed, match="each for themselves"):
        listed_throws(RULESETS["sokkattan-dlp"].parameters)
