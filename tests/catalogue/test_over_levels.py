"""A difference between readings over the levels of play: the rule worked by hand, and planted games."""

import random
from math import sqrt

import pytest
from scipy.stats import false_discovery_control, norm

from simulator.statistics.intervals import newcombe, share
from simulator.statistics.verdicts import LevelDifference, OverLevels, adjusted, judged

MARGIN = 0.02


def at(level: str, first: float, second: float, games: int) -> LevelDifference:
    return LevelDifference(level, first, second, (games, games))


def verdict(*levels: LevelDifference) -> OverLevels:
    [found] = judged([levels], MARGIN)
    return found.verdict


def test_a_difference_worked_by_hand() -> None:
    # 0.5 against 0.6 in 200 games each: 0.55·0.45·(1/200 + 1/200) = 0.002475, its root 0.04975; z = 2.0101, p = 0.0444
    one = at("club", 0.5, 0.6, 200)
    assert one.p_differs() == pytest.approx(0.0444, abs=5e-5)
    # Against 0.5 and 0.45 at random, 20,000 each: the change is 0.15 with the errors 0.0497 and 0.0050
    other = at("random", 0.5, 0.45, 20_000)
    assert other.error == pytest.approx(sqrt(0.25 / 20_000 + 0.2475 / 20_000), rel=1e-3)
    assert one.interval.low == pytest.approx(newcombe(share(120, 200), share(100, 200)).low, abs=1e-12)


def test_absent_is_what_the_90_percent_interval_says() -> None:
    for second in (0.5, 0.505, 0.515, 0.525):
        one = at("random", 0.5, second, 20_000)
        p, interval = one.p_absent(MARGIN), one.at(float(norm.ppf(0.95)))
        assert (p < 0.05) == (max(map(abs, interval.limits)) < MARGIN), second
    assert LevelDifference("perfect", 1.0, 1.0, (0, 0)).p_absent(MARGIN) == 0
    assert LevelDifference("perfect", 1.0, 0.0, (0, 0)).p_differs() == 0


def test_many_questions_are_corrected_as_others_correct_them() -> None:
    p_values = [0.001, 0.02, 0.03, 0.5, 0.04, 1.0]
    assert adjusted(p_values) == pytest.approx(false_discovery_control(p_values))


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ((at("random", 0.50, 0.45, 20_000), at("strong", 0.30, 0.70, 90)), OverLevels.TURNS_OVER),
        ((at("random", 0.50, 0.55, 20_000), at("strong", 0.30, 0.70, 90)), OverLevels.STABLE),
        ((at("random", 0.50, 0.501, 20_000), at("greedy", 0.40, 0.401, 20_000)), OverLevels.STABLE),
        ((at("random", 0.50, 0.501, 20_000), at("strong", 0.30, 0.70, 90)), OverLevels.DEPENDS),
        # Larger by more than chance at random than among strong players, where it may be nothing or a little:
        ((at("random", 0.30, 0.70, 20_000), at("strong", 0.50, 0.51, 400)), OverLevels.DEPENDS),
        ((at("random", 0.50, 0.55, 20_000), at("strong", 0.50, 0.55, 90)), OverLevels.UNDECIDED),
        ((at("random", 0.50, 0.60, 20_000),), OverLevels.UNDECIDED),
        ((at("random", 0.50, 0.60, 20_000), LevelDifference("perfect", 1.0, 0.0, (0, 0))), OverLevels.TURNS_OVER),
    ],
)
def test_the_four_verdicts(levels: tuple[LevelDifference, ...], said: OverLevels) -> None:
    assert verdict(*levels) == said


def test_undecided_tells_what_is_missing() -> None:
    [few] = judged([[at("random", 0.50, 0.55, 20_000), at("strong", 0.50, 0.55, 90)]], MARGIN)
    assert few.why
    assert few.why.text.startswith("too few games of strong players (about ")
    [one] = judged([[at("random", 0.50, 0.60, 20_000)]], MARGIN)
    assert one.why
    assert one.why.text == "it is known on one level of play only"


def test_a_doubtful_turn_among_many_questions_is_none() -> None:
    doubtful = [at("random", 0.50, 0.55, 20_000), at("strong", 0.57, 0.42, 95)]
    nothing = [[at("random", 0.5, 0.5, 400), at("strong", 0.5, 0.5, 90)]] * 10
    assert verdict(*doubtful) == OverLevels.TURNS_OVER
    assert judged([doubtful, *nothing], MARGIN)[0].verdict != OverLevels.TURNS_OVER


def planted(rng: random.Random, chances: dict[str, tuple[float, float]]) -> list[LevelDifference]:
    """Two readings of a game whose first player wins with these chances on each level."""
    games = {"random": 5_000, "club": 390, "strong": 93}
    counted = {
        level: tuple(sum(rng.random() < chance for _ in range(games[level])) / games[level] for chance in pair)
        for level, pair in chances.items()
    }
    return [at(level, *pair, games[level]) for level, pair in counted.items()]


def test_planted_games_are_seldom_said_to_do_what_they_do_not() -> None:
    rng = random.Random(1)
    turning = {"random": (0.45, 0.55), "club": (0.6, 0.4), "strong": (0.8, 0.3)}
    steady = {"random": (0.45, 0.55), "club": (0.45, 0.55), "strong": (0.45, 0.55)}
    alike = {"random": (0.5, 0.5), "club": (0.5, 0.5), "strong": (0.5, 0.5)}
    found = {
        name: [verdict(*planted(rng, chances)) for _ in range(60)]
        for name, chances in (("turning", turning), ("steady", steady), ("alike", alike))
    }
    assert found["turning"].count(OverLevels.TURNS_OVER) >= 57
    for name in ("steady", "alike"):
        assert found[name].count(OverLevels.TURNS_OVER) <= 1, name
        assert found[name].count(OverLevels.DEPENDS) <= 6, name
