"""Outcome figures in words: who wins, by role, whoever of them moves first; keys of shades; curves of lengths."""

from dataclasses import replace

import pytest

from catalogue.outcomes.bars import DRAW, NOT_OVER, OPEN, LabelledCurve, Outcomes, Segment, length_curves
from catalogue.outcomes.figure import Bar, FigureRow, OutcomeFigure
from catalogue.outcomes.wording import NamedOutcomes, either, in_roles, role, tendency, what_an_answer_changes, who_wins
from catalogue.texts.sureness import PROVED, sureness

ALIGNER, BLOCKER = "won by the aligner", "won by the blocker"


def under(name: str, *parts: tuple[str, str, float], games: int = 2000) -> NamedOutcomes:
    segments, start = [], 0.0
    for kind, title, share in parts:
        segments.append(Segment(kind, title, start, share, f"{100 * share:.1f} %"))
        start += share
    stopped = sum(segment.share for segment in segments if segment.kind == OPEN)
    return NamedOutcomes(name, Outcomes(tuple(segments), "18 turns", "", games, unfinished=stopped), 2000)


# Niranchy: the aligner wins either way, and only who begins is another.
PORTAL = under(
    "the portal", ("won-0", f"{ALIGNER} (first player)", 0.947), ("won-1", f"{BLOCKER} (second player)", 0.053)
)
LUDII = under("Ludii", ("won-0", f"{BLOCKER} (first player)", 0.05), ("won-1", f"{ALIGNER} (second player)", 0.95))
PLAIN = under("Ludovisi", ("won-0", "won by the first player", 0.56), ("won-1", "won by the second player", 0.44))


def test_one_mark_says_how_sure_a_figure_is() -> None:
    assert [one.mark for one in (PROVED, sureness(2000, are_alike=False), sureness(2000, are_alike=True))] == [
        "●●●", "●●○", "●○○",
    ]  # fmt: skip
    assert sureness(20, are_alike=False).words == "few or similar games"


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


def test_no_cap_is_named_that_is_not_known() -> None:
    stopped = under("Parker", ("won-0", "won by the first player", 0.1), (OPEN, NOT_OVER, 0.9)).outcomes
    assert tendency(stopped, 2000) == "most games have not ended after 2,000 turns"
    assert tendency(stopped, 0) == "most games were still going when they were stopped"


def test_the_outcome_that_differs_most_is_named() -> None:
    drawn = under("Parker", ("won-0", "won by the first player", 0.1), (DRAW, "drawn", 0.7), (OPEN, NOT_OVER, 0.2))
    open_ = under("Ludii", ("won-0", "won by the first player", 0.2), (DRAW, "drawn", 0.05), (OPEN, NOT_OVER, 0.75))
    assert who_wins([drawn, open_]) == [
        "Under Parker most games are drawn; under Ludii most games have not ended after 2,000 turns.",
        "Of every hundred games 70 under Parker and 5 under Ludii are drawn.",
    ]


def test_a_small_difference_is_named_before_a_frequent_outcome() -> None:
    first = under("Parker", ("won-0", "won by the first player", 0.61), (DRAW, "drawn", 0.2), (OPEN, NOT_OVER, 0.19))
    other = under("Ludii", ("won-0", "won by the first player", 0.60), (DRAW, "drawn", 0.22), (OPEN, NOT_OVER, 0.18))
    same = under("Culin", ("won-0", "won by the first player", 0.61), (DRAW, "drawn", 0.2), (OPEN, NOT_OVER, 0.19))
    assert "Of every hundred games 20 under Parker and 22 under Ludii are drawn." in who_wins([first, other])
    assert "Of every hundred games the first player wins 61 under Parker and 61 under Culin." in who_wins([first, same])


def test_of_one_reading_or_of_a_proof_nothing_is_compared() -> None:
    assert who_wins([PORTAL]) == []
    assert who_wins([PORTAL, under("Ludii", ("won-0", ALIGNER, 1.0), games=0)]) == []


def test_a_role_has_one_shade_wherever_it_sits() -> None:
    portal, ludii, plain = in_roles([PORTAL.outcomes, LUDII.outcomes, PLAIN.outcomes])
    assert [(segment.kind, segment.title) for segment in ludii.segments] == [("won-0", ALIGNER), ("won-1", BLOCKER)]
    assert [segment.share for segment in ludii.segments] == [0.95, 0.05]
    assert [segment.start for segment in ludii.segments] == [0, pytest.approx(0.95)]
    assert [segment.kind for segment in portal.segments] == ["won-0", "won-1"]
    assert [(side.title, side.share) for side in plain.segments] == [
        (side.title, side.share) for side in PLAIN.outcomes.segments
    ]


def test_a_shade_never_means_two_sides_in_one_figure() -> None:
    """Niranchy, three bars all of one shade, which was the first player in one of them and the aligner in two."""
    portal, ludii, plain = in_roles([PORTAL.outcomes, LUDII.outcomes, PLAIN.outcomes])
    shades = [{role(side): side.kind for side in bar.segments} for bar in (portal, ludii, plain)]
    assert shades[0] == shades[1]
    assert not set(shades[0].values()) & set(shades[2].values())
    five = [replace(PLAIN.outcomes, segments=tuple(
        replace(side, title=f"won by the {name} {side.kind}") for side in PLAIN.outcomes.segments
    )) for name in ("red", "black", "green")]  # fmt: skip
    assert in_roles(five) == five  # more sides than shades


def test_a_side_has_one_shade_in_games_and_first_rounds() -> None:
    """Daramuti over the levels: won by the first player was black, left with more by him was blue."""
    games = under("Parker", ("won-0", "won by the first player", 0.3), ("won-1", "won by the second player", 0.2))
    rounds = under("Parker", ("won-0", "the first player owned more", 0.6), ("draw", "ended equal", 0.4))
    both = in_roles([games.outcomes, rounds.outcomes])
    assert [segment.kind for outcomes in both for segment in outcomes.segments] == ["won-0", "won-1", "won-0", "draw"]
    key = either({"won by the first player": ["Parker"], "the first player owned more": ["Parker"]})
    assert key == "won by the first player, or left with more after a first round"
    assert either({"drawn": ["Parker"], "ended equal": ["Ludii"]}) == "drawn, or equal after a first round"


def test_a_side_that_always_sits_alike_keeps_its_shade() -> None:
    assert in_roles([PORTAL.outcomes, PORTAL.outcomes]) == [PORTAL.outcomes, PORTAL.outcomes]


def test_what_an_answer_changes_is_a_sentence_with_both_figures() -> None:
    before = under("Parker 1909", ("won-0", "won by the first player", 0.21), (OPEN, NOT_OVER, 0.79)).outcomes
    same = under("but", ("won-0", "won by the first player", 0.22), (OPEN, NOT_OVER, 0.78)).outcomes
    other = under("but", ("won-0", "won by the first player", 0.6), (OPEN, NOT_OVER, 0.4)).outcomes
    few = under("but", ("won-0", "won by the first player", 0.25), (OPEN, NOT_OVER, 0.75), games=60).outcomes
    verdict, said = what_an_answer_changes(before, same)
    assert verdict == "This question makes no difference here:"
    assert said.startswith("22 of 100 games are won by the first player, instead of 21 of 100. They lie 1.0 percentage")
    verdict, said = what_an_answer_changes(before, other)
    assert verdict == "This question makes a difference here:"
    assert said.endswith("instead of 21 of 100. They lie 39.0 percentage points (36.2 to 41.7) apart.")
    assert what_an_answer_changes(before, few)[0] == "These games do not show whether it makes a difference:"


def bar(label: str, *titles: str) -> Bar:
    parts = (*((f"won-{place}", title) for place, title in enumerate(titles)), ("draw", "drawn"))
    segments = tuple(Segment(kind, title, 0.0, 0.4 * (kind != "draw"), "") for kind, title in parts)
    return Bar(FigureRow(label.lower(), label, label, "/", 0, None), Outcomes(segments, "", "", 100))


def key(*bars: Bar) -> list[tuple[str, str]]:
    return [(shade.kind, shade.title) for shade in OutcomeFigure(bars).shades]


def test_where_all_call_a_side_alike_its_name_is_enough() -> None:
    both = ("won by the aligner", "won by the blocker")
    assert key(bar("Portal", *both), bar("Ludii", *both)) == [("won-0", both[0]), ("won-1", both[1])]


def test_where_a_reading_calls_a_side_otherwise_it_is_said_which() -> None:
    """Niranchy: after Ludovisi nobody aligns alone, so that the sides are only first and second."""
    bars = [
        bar("Ludovisi", "won by the first player", "won by the second player"),
        bar("Portal", "won by the aligner", "won by the blocker"),
        bar("Ludii", "won by the aligner", "won by the blocker"),
    ]
    assert key(*bars) == [
        ("won-0", "won by the first player (Ludovisi) or the aligner (Portal, Ludii)"),
        ("won-1", "won by the second player (Ludovisi) or the blocker (Portal, Ludii)"),
    ]


SHORT = LabelledCurve("Ludii", 1, False, {"turn": [0, 50, 100], "running": [1.0, 0.5, 0.0]})
LONG = LabelledCurve("Parker", 0, False, {"turn": [0, 100, 200, 400], "running": [1.0, 0.75, 0.5, 0.25]})


def test_lines_share_one_axis_and_go_on_to_its_end() -> None:
    found = length_curves([LONG, SHORT])
    assert found.longest == 400
    assert [line.points for line in found.lines] == [
        "0.0,0.0 25.0,10.0 50.0,20.0 100.0,30.0 100.0,30.0",
        "0.0,0.0 12.5,20.0 25.0,40.0 100.0,40.0",
    ]


def test_the_axis_ends_where_all_games_are_all_but_over() -> None:
    tail = LabelledCurve("Tail", 0, False, {"turn": [0, 10, 20, 2000], "running": [1.0, 0.5, 0.009, 0.001]})
    assert length_curves([tail]).longest == 20


def test_the_description_names_the_shares_half_way() -> None:
    assert length_curves([LONG, SHORT]).words == "Games that have not ended after 200 turns: Parker 50 %, Ludii 0 %."
