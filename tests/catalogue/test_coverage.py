"""How sure figures are, by simulation: what `make proof-coverage` shows at length."""

import pytest

from tests.choice import ALL
from tests.proofs import coverage

NUMBER = 200 if ALL else 40


@pytest.mark.by_turns
def test_intervals_hold_for_machines_of_few_kinds_of_games() -> None:
    """Of the share that just this machine wins: of 95 in a hundred, or more, whatever the number of kinds."""
    found = coverage.made_up_machines(20 * NUMBER)
    assert min(found.values()) >= coverage.STATED - coverage.ABOUT, found


@pytest.mark.by_turns
def test_readings_that_do_not_differ_have_no_finding() -> None:
    games = [coverage.null_game(seed) for seed in range(NUMBER)]
    assert coverage.with_findings(games) <= coverage.RATE * NUMBER
    assert coverage.with_findings(games, by_itself=True) > NUMBER / 2  # the farthest of many, by its own interval
    assert coverage.shown_over_levels(games) <= coverage.RATE * NUMBER


def test_one_game_played_by_unlike_searches_has_no_finding() -> None:
    found = coverage.of_searches([coverage.own_searches(seed) for seed in range(NUMBER // 4)])
    assert (found["findings"], found["over_the_levels"]) == (0, 0)
    assert found["findings_as_it_was"] > NUMBER / 8


@pytest.mark.by_turns
def test_comparisons_of_what_plays_alike_find_nothing() -> None:
    found = [coverage.null_comparison(seed) for seed in range(NUMBER // 2)]
    told = [both & {"differs", "depends on who plays"} for _, both, _ in found]
    assert sum(map(bool, told)) <= coverage.RATE * len(found)
    assert sum(raw > 0 for *_, raw in found) > coverage.RATE * len(found)  # uncorrected, many would
