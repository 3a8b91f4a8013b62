"""Verdicts on rows that nobody played, worked by hand on both sides of a threshold, and verdicts by a solution."""

from typing import Any

import numpy as np
import pytest

from catalogue.analyses.claim_definitions import read
from catalogue.analyses.claim_figures import judged
from catalogue.analyses.claim_games import Games, Judgement, names_of_columns
from catalogue.analyses.claim_proofs import judged_by_solution, wrong_moves
from catalogue.models import Verdict
from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED, WIN
from simulator.engine.families.points.measures import MEASURES as POINTS
from tests.simulator.synthetic_games import MEASURES as SOWING
from tests.simulator.synthetic_games import rows_of

CAP = 100
SHARE: dict[str, Any] = {"kind": "share", "ruleset": "puhulmutu-parker", "cap": CAP}
DIFFERENCE: dict[str, Any] = {"kind": "difference", "ruleset": "a", "against": "b", "cap": CAP}


def finding_of(test: dict[str, Any], *rows: np.ndarray, measures: Any = SOWING) -> Judgement:
    return judged(read(test), [Games(row, measures, CAP) for row in rows])


def games(won: int = 0, drawn: int = 0, endless: int = 0, stopped: int = 0, **columns: Any) -> np.ndarray:
    """So many games of each kind of end; the first player won all that were won."""
    ends = [WIN] * won + [DRAW] * drawn + [ENDLESS] * endless + [UNFINISHED] * stopped
    rows = {"end": ends, "winners": [1] * won + [0] * (len(ends) - won), **columns}
    return rows_of(len(ends), **rows)


class TestShares:
    @pytest.mark.parametrize(
        ("threshold", "outcome"),
        [(0.25, Verdict.Kind.SUPPORTED), (0.30, Verdict.Kind.UNDECIDED), (0.37, Verdict.Kind.NOT_SUPPORTED)],
    )
    def test_both_sides_of_a_threshold(self, threshold: float, outcome: Verdict.Kind) -> None:
        # Newcombe 1998: 81 of 263 lies between 25.53 % and 36.62 %.
        found = finding_of({**SHARE, "of": [["end", "=", 0]], "at_least": threshold}, games(won=81, drawn=182))
        assert found.kind == outcome
        assert found.text == "30.8 % (25.5 to 36.6) of 263 games."

    def test_at_most_is_the_other_way_round(self) -> None:
        rows = games(won=81, drawn=182)
        outcomes = [
            finding_of({**SHARE, "of": [["end", "=", 0]], "at_most": at}, rows).kind for at in (0.25, 0.30, 0.37)
        ]
        assert outcomes == [Verdict.Kind.NOT_SUPPORTED, Verdict.Kind.UNDECIDED, Verdict.Kind.SUPPORTED]

    def test_among_leaves_games_out(self) -> None:
        rows = games(won=81, drawn=182, endless=500)
        found = finding_of({**SHARE, "of": [["end", "=", 0]], "among": [["end", "!=", 2]], "at_least": 0.25}, rows)
        assert (found.kind, found.figure.games) == (Verdict.Kind.SUPPORTED, 263)

    def test_all_conditions_have_to_be_met(self) -> None:
        rows = games(won=100, laps=[9] * 60 + [10] * 40)
        found = finding_of({**SHARE, "of": [["winners", "=", 1], ["laps", ">", 9]], "at_least": 0.3}, rows)
        assert found.figure.value == 0.4

    def test_a_measure_is_compared_with_another(self) -> None:
        rows = games(won=10, captures_0=[5] * 7 + [4] * 3, captures_1=[4] * 10)
        found = finding_of({**SHARE, "of": [["captures_0", ">", "captures_1"]], "at_least": 0.1}, rows)
        assert found.figure.value == 0.7

    def test_no_such_game_decides_nothing_and_says_so(self) -> None:
        found = finding_of(
            {**SHARE, "of": [["winners", "=", 1]], "among": [["end", "=", 1]], "at_least": 0.5}, games(won=9)
        )
        assert found.kind == Verdict.Kind.UNDECIDED
        assert found.text == "None of the 9 games was of this kind, so there is nothing to judge by."


class TestGamesThatTheCapStopped:
    def test_they_keep_open_what_they_could_change(self) -> None:
        # 60 won, 20 drawn, 20 stopped: at least 60 % (from 50.2 %), at most 80 % (to 86.7 %).
        rows = games(won=60, drawn=20, stopped=20)
        test = {**SHARE, "of": [["end", "=", 0]]}
        assert finding_of({**test, "at_least": 0.5}, rows).kind == Verdict.Kind.SUPPORTED
        assert finding_of({**test, "at_least": 0.7}, rows).kind == Verdict.Kind.UNDECIDED
        assert finding_of({**test, "at_least": 0.87}, rows).kind == Verdict.Kind.NOT_SUPPORTED
        assert finding_of({**test, "at_least": 0.7}, rows).text == (
            "60.0 to 80.0 % (50.2 to 86.7): "
            "our cap of 100 turns stopped 20 of 100 games that could still go either way."
        )

    def test_they_keep_nothing_open_that_had_been_settled(self) -> None:
        # A stopped game that has its 50 laps will still have them when it ends; one that lacks them may get them.
        rows = games(won=50, stopped=50, laps=[10] * 50 + [60] * 50)
        found = finding_of({**SHARE, "of": [["laps", ">=", 50]], "at_least": 0.3}, rows)
        assert (found.figure.value, found.kind) == (0.5, Verdict.Kind.SUPPORTED)
        rows = games(won=50, stopped=50, laps=[60] * 50 + [10] * 50)
        found = finding_of({**SHARE, "of": [["laps", ">=", 50]], "at_least": 0.3}, rows)
        assert (found.figure.least, found.figure.most, found.kind) == (0.5, 1.0, Verdict.Kind.SUPPORTED)

    def test_a_stopped_game_may_turn_out_endless(self) -> None:
        # Long enough already: it is a yes, or is not among them. 40 yes and 60 no; 20 may be added to the yes.
        rows = games(won=100, stopped=20, laps=[60] * 40 + [10] * 60 + [60] * 20)
        figure = finding_of(
            {**SHARE, "of": [["laps", ">=", 50]], "among": [["end", "!=", 2]], "at_least": 0.5}, rows
        ).figure
        assert (figure.least, figure.most) == (0.4, 0.5)

    def test_that_the_cap_stopped_a_game_is_itself_known(self) -> None:
        rows = games(won=90, stopped=10)
        assert finding_of({**SHARE, "of": [["end", "=", 3]], "at_least": 0.5}, rows).figure.value == 0.1
        assert (
            finding_of(
                {**SHARE, "of": [["winners", "=", 1]], "among": [["end", "!=", 3]], "at_least": 0.5}, rows
            ).figure.value
            == 1
        )

    def test_a_mean_is_bounded_from_below_only(self) -> None:
        rows = games(won=50, stopped=50, turns=[20] * 50 + [CAP] * 50)
        mean = {"kind": "mean", "ruleset": "x", "measure": "turns", "cap": CAP}
        assert finding_of({**mean, "at_least": 40}, rows).kind == Verdict.Kind.SUPPORTED  # 60 at the least
        assert finding_of({**mean, "at_least": 90}, rows).kind == Verdict.Kind.UNDECIDED
        assert finding_of({**mean, "at_most": 40}, rows).kind == Verdict.Kind.NOT_SUPPORTED
        assert finding_of({**mean, "at_most": 200}, rows).kind == Verdict.Kind.UNDECIDED
        assert finding_of({**mean, "at_most": 200}, rows).text.startswith("At least 60.0 turns (")


class TestMeans:
    def test_a_mean_with_its_interval(self) -> None:
        # 1, 2, 3: 2 ± 4.3027 / √3
        found = finding_of(
            {"kind": "mean", "ruleset": "x", "measure": "laps", "at_most": 5}, games(won=3, laps=[1, 2, 3])
        )
        assert (found.kind, found.text) == (Verdict.Kind.SUPPORTED, "2.0 laps (−0.5 to 4.5), of 3 games.")


class TestDifferences:
    def test_more_is_judged_pair_by_pair(self) -> None:
        test = {**DIFFERENCE, "measure": "laps", "direction": "more"}
        first, second = games(won=4, laps=[101, 52, 13, 9]), games(won=4, laps=[100, 50, 12, 7])
        assert finding_of(test, first, second).kind == Verdict.Kind.SUPPORTED
        assert finding_of(test, second, first).kind == Verdict.Kind.NOT_SUPPORTED
        assert finding_of({**test, "direction": "less"}, second, first).kind == Verdict.Kind.SUPPORTED
        assert finding_of(test, first, second).text.startswith(
            "+1.50 laps (+0.58 to +2.42) on average. Of 4 pairs of games"
        )

    def test_the_same_games_are_neither_more_nor_less(self) -> None:
        rows = games(won=4, laps=[1, 2, 3, 4])
        for direction in ("more", "less"):
            found = finding_of({**DIFFERENCE, "measure": "laps", "direction": direction}, rows, rows)
            assert (found.figure.value, found.kind) == (0, Verdict.Kind.NOT_SUPPORTED)

    def test_pairs_left_open_by_the_cap_decide_against_it(self) -> None:
        # All 100 pairs have more up to the cap; of the open ones nobody knows which game would have had more.
        test = {**DIFFERENCE, "measure": "laps", "direction": "more"}
        for stopped, outcome in ((20, Verdict.Kind.SUPPORTED), (60, Verdict.Kind.UNDECIDED)):
            first = games(won=100 - stopped, stopped=stopped, laps=[9] * 100)
            second = games(won=100 - stopped, stopped=stopped, laps=[8] * 99 + [7])
            found = finding_of(test, first, second)
            assert (found.figure.counts["open"], found.kind) == (stopped, outcome)
            assert f"{stopped}.0 % are open; our cap of 100 turns, up to which is counted" in found.text

    def test_a_difference_of_chance_is_undecided(self) -> None:
        first, second = games(won=4, laps=[1, 9, 4, 5]), games(won=4, laps=[2, 7, 6, 4])
        assert (
            finding_of({**DIFFERENCE, "measure": "laps", "direction": "more"}, first, second).kind
            == Verdict.Kind.UNDECIDED
        )


class TestColumns:
    def test_only_what_a_test_looks_at_is_read(self) -> None:
        test = read({**SHARE, "of": [["first_round_winner", "!=", -1], ["laps", ">", "turns"]], "at_least": 0})
        assert names_of_columns(test, SOWING) == ["end", "turns", "laps", "first_round_ended", "first_round_winner"]
        test = read({**SHARE, "of": [["first_capture_turns", "<", 9]], "at_least": 0})
        assert names_of_columns(test, POINTS) == ["end", "first_capture_ended", "first_capture_turns"]


LOSES_SOON, LOSES_LATE = ("second_wins", 13), ("second_wins", 15)
WINS_SOON, WINS_LATE, DRAWS = ("first_wins", 4), ("first_wins", 6), ("endless", None)


MOVE = {"kind": "solution", "ruleset": "some-game"}


def document(*values):
    moves = [
        {"name": name, "value": value, "plies": plies} for name, (value, plies) in zip("abc", values, strict=False)
    ]
    return {"start": {"mover": 0}, "first_moves": moves}


def first_move(name, **more):
    return read({**MOVE, "first_move": name, **more})


@pytest.mark.parametrize(
    ("values", "outcome", "text"),
    [
        (
            (LOSES_SOON, LOSES_SOON, LOSES_SOON),
            Verdict.Kind.NOT_SUPPORTED,
            "a loses within 13 plies, and so does every one",
        ),
        (
            (LOSES_LATE, LOSES_SOON, LOSES_SOON),
            Verdict.Kind.SUPPORTED,
            "the best of the others, b, loses within 13 plies",
        ),
        ((DRAWS, LOSES_LATE, LOSES_SOON), Verdict.Kind.SUPPORTED, "a comes to a draw"),
        ((WINS_SOON, WINS_LATE, DRAWS), Verdict.Kind.SUPPORTED, "the best of the others, b, wins within 6 plies"),
        ((WINS_LATE, WINS_SOON, DRAWS), Verdict.Kind.NOT_SUPPORTED, "but b wins within 4 plies"),
        ((WINS_SOON, WINS_SOON, DRAWS), Verdict.Kind.NOT_SUPPORTED, "as the best of the others do: 1 of 2"),
        ((WINS_SOON,), Verdict.Kind.UNTESTABLE, "no other first move"),
    ],
)
def test_a_first_move_is_held_against_the_best_of_the_others(values, outcome, text):
    found = judged_by_solution(first_move("a"), document(*values))
    assert found.kind == outcome
    assert text in found.text


def test_a_first_move_can_be_best_against_random_moves():
    found = document(LOSES_SOON, LOSES_SOON, LOSES_SOON)
    for move, chance in zip(found["first_moves"], (0.99, 0.97, 0.98), strict=True):
        move["against_random"] = chance
    by_chance = [judged_by_solution(first_move(name, by="chance"), found) for name in "abc"]
    assert [one.kind for one in by_chance] == [
        Verdict.Kind.SUPPORTED,
        Verdict.Kind.NOT_SUPPORTED,
        Verdict.Kind.NOT_SUPPORTED,
    ]
    assert by_chance[0].text == "a wins 99.00 % of games; the best of the others, c, 98.00 %."
    found["first_moves"][1]["against_random"] = None  # a table too large for chances
    assert judged_by_solution(first_move("a", by="chance"), found).kind == Verdict.Kind.UNTESTABLE


@pytest.mark.parametrize(
    ("value", "plies", "outcome", "text"),
    [
        ("second_wins", 14, Verdict.Kind.NOT_SUPPORTED, "The second player wins, and the game then lasts 14 plies."),
        ("first_wins", 15, Verdict.Kind.SUPPORTED, "The first player wins, and the game then lasts 15 plies."),
        ("endless", None, Verdict.Kind.SUPPORTED, "Neither side can force a win, so that the game need not end."),
    ],
)
def test_how_long_faultless_play_lasts(value, plies, outcome, text):
    found = {"start": {"mover": 0, "value": value, "plies": plies}, "first_moves": []}
    test = read({**MOVE, "at_least": 15})
    assert wrong_moves(test, found) == []
    assert (judged_by_solution(test, found).kind, judged_by_solution(test, found).text) == (outcome, text)


def test_a_move_that_is_none_is_named_with_those_that_are():
    assert wrong_moves(first_move("z"), document(DRAWS, DRAWS)) == ["z is no first move of some-game: there are a, b"]
    assert wrong_moves(first_move("b"), document(DRAWS, DRAWS)) == []
