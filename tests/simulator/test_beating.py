"""Whether a rung beats the one below, what it looks like where it does not, and the reasons that are named."""

import pytest

from simulator.engine import shipped
from simulator.engine.nearest import nearest
from simulator.statistics.intervals import share
from simulator.strength import beating
from tests.engine.rulesets import RULESETS

TWO, FOUR = 1 / 2, 1 / 4
SLUG = "niranchy-ludovisi"


def match(won: float, games: int, unfinished: int = 0, stronger: str = "uct:16") -> dict[str, object]:
    """As a ladder has it: what is unfinished is divided in the figure, and counted both ways in the limits."""
    low, high = share(won, games).low, share(won + unfinished, games).high
    figures = {"value": (won + unfinished / 2) / games, "low": low, "high": high}
    return {"stronger": stronger, "share": figures, "games": games, "unfinished": unfinished, "won": won}


def test_beaten_only_where_the_least_share_is_more_than_a_fair_part() -> None:
    # Wilson: 38 of 60 leave 0.507 to 0.744, 37 leave 0.490 to 0.729.
    assert beating.beats(match(38, 60), TWO)
    assert not beating.beats(match(37, 60), TWO)
    assert beating.beats(match(24, 60), FOUR)


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (match(36, 60), beating.CLOSE),
        (match(32, 60), beating.AS_GOOD),
        (match(23, 60), beating.AS_GOOD),
        (match(22, 60), beating.HARM),
        (match(20, 60, unfinished=31), beating.ENDLESS),
    ],
)
def test_what_a_match_that_is_not_won_looks_like(one: dict[str, object], kind: str) -> None:
    assert beating.looks(one, TWO) == kind


def test_notes() -> None:
    for one, words in (
        (match(36, 60), "no better in these games: it makes more than its part of the points, but by less than"),
        (match(22, 60), "worse in these games"),
        (match(20, 60, unfinished=31), "not shown to be better: most games are not over when they are stopped; of the"),
    ):
        assert beating.note(RULESETS[SLUG], SLUG, one, {"fair": TWO}).startswith(words)
    assert beating.note(RULESETS[SLUG], SLUG, match(38, 60), {"fair": TWO}) == ""


def test_every_exception_is_of_a_ruleset_that_is_shipped_and_has_a_reason() -> None:
    known = {one.removesuffix(".json") for one in shipped.rulesets()}
    for level in ("greedy", "club", "strong"):
        for slug, why in beating.exceptions(level).items():
            assert slug in known, f"{slug}: the nearest is {nearest(slug, known)}"
            assert why in beating.reasons(), f"{why}: the nearest is {nearest(why, beating.reasons())}"
