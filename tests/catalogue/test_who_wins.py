"""Who wins, in words a child would understand: by role, whoever of them moves first."""

import pytest

from catalogue.outcomes.bars import DRAW, OPEN, Outcomes, Segment
from catalogue.outcomes.wording import NamedOutcomes, in_roles, who_wins

ALIGNER, BLOCKER = "won by the aligner", "won by the blocker"


def under(name: str, *parts: tuple[str, str, float], games: int = 2000) -> NamedOutcomes:
    segments, start = [], 0.0
    for kind, title, share in parts:
        segments.append(Segment(kind, title, start, share, f"{100 * share:.1f} %"))
        start += share
    stopped = sum(one.share for one in segments if one.kind == OPEN)
    return NamedOutcomes(name, Outcomes(tuple(segments), "18 turns", "", games, unfinished=stopped), 2000)


# Niranchy: the aligner wins either way, and only who begins is another.
PORTAL = under(
    "the portal", ("won-0", f"{ALIGNER} (first player)", 0.947), ("won-1", f"{BLOCKER} (second player)", 0.053)
)
LUDII = under("Ludii", ("won-0", f"{BLOCKER} (first player)", 0.05), ("won-1", f"{ALIGNER} (second player)", 0.95))
PLAIN = under("Ludovisi", ("won-0", "won by the first player", 0.56), ("won-1", "won by the second player", 0.44))


def test_the_same_side_wins_though_it_moves_second() -> None:
    assert who_wins([PORTAL, LUDII]) == [
        "Under every reading the aligner wins most games.",
        "Of every hundred games the aligner wins 95 under the portal and 95 under Ludii.",
        "Under the portal the aligner moves first; under Ludii the blocker moves first.",
    ]


def test_sides_with_different_names_are_named_one_by_one() -> None:
    assert who_wins([PLAIN, PORTAL, LUDII]) == [
        "Under Ludovisi the first player wins most games; under the portal and Ludii the aligner wins most games.",
        "Of every hundred games the first player wins 56 under Ludovisi; the aligner wins 95 under the portal; "
        "the aligner wins 95 under Ludii.",
        "Under the portal the aligner moves first; under Ludii the blocker moves first.",
    ]


def test_the_outcome_that_differs_most_is_named() -> None:
    drawn = under("Parker", ("won-0", "won by the first player", 0.1), (DRAW, "drawn", 0.7), (OPEN, "not over", 0.2))
    open_ = under("Ludii", ("won-0", "won by the first player", 0.2), (DRAW, "drawn", 0.05), (OPEN, "not over", 0.75))
    assert who_wins([drawn, open_]) == [
        "Under Parker most games are drawn; under Ludii most games are not over after 2,000 turns.",
        "Of every hundred games 70 under Parker and 5 under Ludii are drawn.",
    ]


def test_a_small_difference_is_named_before_a_frequent_outcome() -> None:
    first = under("Parker", ("won-0", "won by the first player", 0.61), (DRAW, "drawn", 0.2), (OPEN, "not over", 0.19))
    other = under("Ludii", ("won-0", "won by the first player", 0.60), (DRAW, "drawn", 0.22), (OPEN, "not over", 0.18))
    same = under("Culin", ("won-0", "won by the first player", 0.61), (DRAW, "drawn", 0.2), (OPEN, "not over", 0.19))
    assert "Of every hundred games 20 under Parker and 22 under Ludii are drawn." in who_wins([first, other])
    assert "Of every hundred games the first player wins 61 under Parker and 61 under Culin." in who_wins([first, same])


def test_of_one_reading_or_of_a_proof_nothing_is_compared() -> None:
    assert who_wins([PORTAL]) == []
    assert who_wins([PORTAL, under("Ludii", ("won-0", ALIGNER, 1.0), games=0)]) == []


def test_a_role_has_one_shade_wherever_it_sits() -> None:
    portal, ludii, plain = in_roles([PORTAL.outcomes, LUDII.outcomes, PLAIN.outcomes])
    assert [(one.kind, one.title) for one in ludii.segments] == [("won-0", ALIGNER), ("won-1", BLOCKER)]
    assert [one.share for one in ludii.segments] == [0.95, 0.05]
    assert [one.start for one in ludii.segments] == [0, pytest.approx(0.95)]
    assert [one.kind for one in portal.segments] == ["won-0", "won-1"]
    assert plain == PLAIN.outcomes


def test_roles_that_always_sit_alike_keep_their_seats() -> None:
    assert in_roles([PORTAL.outcomes, PLAIN.outcomes]) == [PORTAL.outcomes, PLAIN.outcomes]
