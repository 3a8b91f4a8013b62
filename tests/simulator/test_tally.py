"""Tallies count what the rows say, and merging is exact, in any order and any split."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.engine.families.sowing.measures import MEASURES
from simulator.engine.family import COMMON_MEASURES, Measure
from simulator.engine.tally import Tally, TallyProblem, tally_rows
from tests.simulator.synthetic_games import NAMES, random_rows, rows_of

ROWS = random_rows(600)


def counted(tally: Tally, name: str, group: int) -> dict[int, int]:
    values, counts = tally.histograms[name][group]
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def column(rows: np.ndarray, name: str) -> np.ndarray:
    return rows[:, NAMES.index(name)]


def test_four_games_counted_by_hand():
    rows = rows_of(
        4, end=[0, 0, 2, 3], winners=[1, 2, 0, 0], turns=[5, 5, 3, 9], captures_0=[4, 8, 0, 4], captures_1=[0, 4, 0, 4],
        first_round_ended=[1, 1, 0, 0], first_round_winner=[0, -1, -1, -1], first_round_laps=[7, 9, 0, 0],
        options=[10, 20, 3, 30], decisions=[4, 5, 1, 9],
    )  # fmt: skip
    tally = tally_rows(rows, MEASURES)
    assert tally.games == 4
    assert tally.ends() == (2, 0, 1, 1)
    assert tally.marginal("end", "winners") == {(0, 1): 1, (0, 2): 1, (2, 0): 1, (3, 0): 1}
    assert tally.marginal("first_round_ended", "first_round_winner") == {(1, 0): 1, (1, -1): 1, (0, -1): 2}
    assert [counted(tally, "turns", group) for group in (0, 2, 3)] == [{5: 2}, {3: 1}, {9: 1}]
    assert [counted(tally, "captures", group) for group in (0, 2, 3)] == [{4: 1, 12: 1}, {0: 1}, {8: 1}]
    # A part of the game: 0 where it ended, else how the game stopped in it.
    assert [counted(tally, "first_round_laps", group) for group in (0, 2, 3)] == [{7: 1, 9: 1}, {0: 1}, {0: 1}]
    assert tally.products == {
        "options": 63, "decisions": 19, "options*options": 100 + 400 + 9 + 900,
        "options*decisions": 40 + 100 + 3 + 270, "decisions*decisions": 16 + 25 + 1 + 81,
    }  # fmt: skip


def test_every_histogram_agrees_with_plain_counting():
    tally = tally_rows(ROWS, MEASURES)
    end, over = column(ROWS, "end"), column(ROWS, "first_round_ended") == 1
    for measure in MEASURES:
        if measure.unit == "code" or measure.name == "options":
            continue
        group = end if measure.scope == "game" else np.where(over, 0, np.where(end == 0, 1, end))
        for kind in range(4):
            expected: dict[int, int] = {}
            for value in column(ROWS, measure.name)[group == kind].tolist():
                expected[value] = expected.get(value, 0) + 1
            found = counted(tally, measure.name, kind) if kind in tally.histograms[measure.name] else {}
            assert found == expected, (measure.name, kind)


@pytest.mark.by_turns
@given(cuts=st.lists(st.integers(0, len(ROWS)), max_size=6), order=st.randoms(use_true_random=False))
def test_any_split_merged_in_any_order_is_the_whole(cuts, order):
    edges = [0, *sorted(cuts), len(ROWS)]
    parts = [tally_rows(ROWS[low:high], MEASURES) for low, high in pairwise(edges)]
    order.shuffle(parts)
    merged = parts[0]
    for part in parts[1:]:
        merged = merged.merged_with(part)
    whole = tally_rows(ROWS, MEASURES)
    assert merged.games == len(ROWS)
    assert merged.to_json() == whole.to_json()
    assert merged.digest() == whole.digest()


def test_digest_depends_on_turns_and_not_on_order():
    whole = tally_rows(ROWS, MEASURES).digest()
    assert tally_rows(ROWS[::-1], MEASURES).digest() == whole
    changed = ROWS.copy()
    changed[17, NAMES.index("turns")] += 1
    assert tally_rows(changed, MEASURES).digest() != whole


def test_json_there_and_back():
    tally = tally_rows(ROWS, MEASURES)
    again = Tally.from_json(json.loads(json.dumps(tally.to_json())))
    assert again.to_json() == tally.to_json()
    assert again.digest() == tally.digest()
    assert again.merged_with(again).games == 2 * len(ROWS)


def test_sums_are_exact_beyond_64_bits():
    most = 2**31 - 1
    tally = tally_rows(rows_of(8, options=most, decisions=most), MEASURES)
    assert tally.products["options*decisions"] == 8 * most**2
    assert 8 * most**2 > 2**63


def test_values_far_apart_are_counted_too():
    laps = [0, 2**31 - 1, -5, 2**31 - 1]
    tally = tally_rows(rows_of(4, laps=laps), MEASURES)
    assert counted(tally, "laps", 0) == {-5: 1, 0: 1, 2**31 - 1: 2}


def test_rows_and_tallies_that_do_not_fit_are_refused():
    with pytest.raises(TallyProblem, match="25 columns"):
        tally_rows(ROWS[:, :9], MEASURES)
    with pytest.raises(TallyProblem, match="from 0 to 3"):
        tally_rows(rows_of(2, end=[0, 4]), MEASURES)
    other = tally_rows(np.zeros((1, len(COMMON_MEASURES)), dtype=np.int32), COMMON_MEASURES)
    with pytest.raises(TallyProblem, match="different columns"):
        tally_rows(ROWS, MEASURES).merged_with(other)


def test_options_by_seat_are_sums_and_courses_go_by_end():
    measures = (
        *COMMON_MEASURES,
        *(
            Measure(f"{unit}_{seat}", unit, unit, "mobility", seat)
            for seat in (0, 1)
            for unit in ("options", "decisions")
        ),
        *(Measure(f"taken_{seat}_at_10", "Taken", "pieces", "course", seat) for seat in (0, 1)),
    )
    rows = np.array(
        [[0, 1, 12, 5, 17, 0, 9, 3, 8, 2, 4, 0], [3, 0, 30, 6, 20, 0, 12, 4, 8, 2, 4, 1]], dtype=np.int32
    )  # fmt: skip
    tally = tally_rows(rows, measures)
    assert set(tally.histograms) == {"turns", "decisions", "lead_changes", "taken_0_at_10", "taken_1_at_10"}
    assert counted(tally, "taken_0_at_10", 0) == counted(tally, "taken_0_at_10", 3) == {4: 1}
    assert tally.products == {
        "options": 37, "decisions": 11, "options*options": 689, "options*decisions": 205, "decisions*decisions": 61,
        "options_0": 21, "decisions_0": 7, "options_0*options_0": 225, "options_0*decisions_0": 75,
        "decisions_0*decisions_0": 25, "options_1": 16, "decisions_1": 4, "options_1*options_1": 128,
        "options_1*decisions_1": 32, "decisions_1*decisions_1": 8,
    }  # fmt: skip
