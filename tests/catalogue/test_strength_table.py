"""Differences over the levels of play: how sides are followed, the table, and the pages that have it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.analyses.comparisons import COMPARISONS, check_comparison
from catalogue.findings import compared as compared_module
from catalogue.findings.compared import Kinds, Played, compared
from catalogue.findings.kept import findings
from catalogue.findings.over_levels import DifferenceOverLevels, levels_played, over_levels, telling
from catalogue.outcomes.bars import certain
from catalogue.outcomes.figure import Bar, FigureLevel
from catalogue.pages.figures import Cell, strength_table
from simulator.batches.service import request_batch
from simulator.models import Batch
from simulator.statistics.over_levels import OverLevels
from tests.catalogue.page_world import CatalogueTestCase, finish
from tests.catalogue.planted_bars import GAME, PERFECT, RANDOM, bar, read, sides

CLUB, STRONG, SECOND = (FigureLevel(level, f"{level} players", level) for level in ("club", "strong", "strong-second"))


def limits(found: DifferenceOverLevels) -> list[tuple[float, ...]]:
    """On each level, in hundredths."""
    return [
        tuple(round(number, 2) for number in (level.interval.value, *level.interval.limits))
        for level in found.judged.levels
    ]


def test_differences_follow_the_roles_of_the_sides() -> None:
    """Under one reading the aligner begins, under the other the blocker: the side is the same one."""
    levels = [
        (RANDOM, {7: (read("a", *sides("aligner", "blocker", 0.40), games=20_000),
                      read("b", *sides("blocker", "aligner", 0.50), games=20_000))}),
        (STRONG, {7: (read("a", *sides("aligner", "blocker", 0.80), games=93),
                      read("b", *sides("blocker", "aligner", 0.70), games=93)),
                  8: (read("c", *sides("x", "y", 0.80), games=93), read("d", *sides("x", "y", 0.20), games=93))}),
        (SECOND, {7: (read("a", *sides("aligner", "blocker", 0.85), games=93),
                      read("b", *sides("blocker", "aligner", 0.65), games=93))}),
    ]  # fmt: skip
    assert {one.verdict for one in over_levels(levels[:2])[7]} == {OverLevels.UNDECIDED}  # without a second player
    found = over_levels(levels)
    assert found[8] == ()  # on one level only
    by_outcome = {one.outcome: one for one in found[7]}
    assert by_outcome.keys() == {"won by the aligner", "won by the blocker"}
    aligner = by_outcome["won by the aligner"]  # 40 % and 50 % at random, 80 % and 30 % of strong players
    assert aligner.verdict == OverLevels.TURNS_OVER
    assert limits(aligner)[0] == (0.1, 0.09, 0.11)
    assert [one.verdict for one in telling(found[7])] == [OverLevels.TURNS_OVER] * 2


def test_first_rounds_are_compared_where_a_level_has_only_these() -> None:
    """Whole random games differ by 30 points and their first rounds do not; strong players are 60 points apart."""

    def in_rounds(share: float) -> list[tuple[str, str, float]]:
        return [("won-0", "the x owned more", share), ("won-1", "the y owned more", 1 - share)]

    def random(slug: str, share: float) -> Bar:
        rounds = bar(slug, *in_rounds(0.5)).outcomes
        assert rounds is not None
        return replace(read(slug, *sides("x", "y", share), games=20_000), first_rounds=replace(rounds, of_rounds=True))

    def round_(slug: str, share: float) -> Bar:
        found = read(slug, *in_rounds(share), games=93)
        assert found.outcomes is not None
        return replace(found, outcomes=replace(found.outcomes, of_rounds=True))

    levels = [
        (RANDOM, {7: (random("a", 0.5), random("b", 0.8))}),
        (STRONG, {7: (round_("a", 0.8), round_("b", 0.2))}),
        (SECOND, {7: (round_("a", 0.8), round_("b", 0.2))}),
    ]
    with mock.patch.object(compared_module, "first_round_variety", return_value={}):  # no rows were kept
        found = over_levels(levels)[7]
    assert {one.counted for one in found} == {"first rounds"}
    assert limits(found[0])[0] == (0.0, -0.01, 0.01)
    assert {one.verdict for one in found} == {OverLevels.DEPENDS}  # of whole games it would turn over
    with mock.patch.object(compared_module, "first_round_variety", return_value={}):
        mixed = compared(GAME, Played([random("a", 0.5), round_("b", 0.9)]), RANDOM)
    assert mixed is not None
    assert mixed.sentence.startswith("In 50.0 % (49.3 to 50.7) of first rounds the x owned more under a and 90.0 %")


def test_whole_games_of_many_kinds_may_begin_alike() -> None:
    """Walak-pussa, as Ludii plays it: greedy games of 770 kinds begin with first rounds of 32; nothing is concluded."""
    rounds = [("won-0", "the x owned more", 1.0)]
    whole = [read(slug, *sides("x", "y", 0.5), games=2_400) for slug in ("a", "b")]
    first = bar("", *rounds).outcomes
    assert first is not None
    bars = tuple(replace(one, first_rounds=replace(first, of_rounds=True)) for one in whole)
    with mock.patch.object(compared_module, "first_round_variety", return_value={"games": 2_400, "different": 32}):
        assert Kinds.of(bars[0], of_rounds=True) == (32, True)
        assert Kinds.of(bars[0], of_rounds=False) == (20_000, False)
        assert not compared_module._tell_of_rules((bars[0], replace(bars[1], outcomes=replace(first, of_rounds=True))))


def test_only_proved_differences_are_called_proved() -> None:
    """A difference of games whose limits are printed alike is no proof."""
    few = [(read(slug, *sides("a", "b", 0.5001), games=10**9)) for slug in ("one", "two")]
    proofs = [
        Bar(few[0].row, certain("won-0", "won by the a (first player)")),
        Bar(few[1].row, certain("won-0", "won by the a (first player)")),
    ]
    (of_game,) = over_levels([(RANDOM, {1: tuple(few)}), (PERFECT, {1: tuple(proofs)})]).values()
    table = strength_table(of_game)
    assert table
    assert table.levels == ("random", "faultless")
    [pair] = table.pairs
    assert (pair.title, pair.notes) == ("two against one", ())
    kinds = "20,000 and 20,000 different"
    assert [(row.difference.outcome, row.cells) for row in pair.rows] == [
        (f"won by the {side}", (Cell("+0.0", "−0.0 to +0.0", kinds=kinds), Cell("+0.0", "proved")))
        for side in ("a", "b")
    ]


def test_the_table_has_a_column_for_each_level() -> None:
    """Of the third reading strong players have no games; those of the first are of two kinds."""

    def both(share: float) -> tuple[Bar, ...]:
        first = bar("first", *sides("x", "y", share), games=93, different=2)
        return (first, *(read(slug, *sides("x", "y", 0.2), games=93) for slug in ("second", "third")))

    levels = [(RANDOM, {7: both(0.1)}), (CLUB, {7: both(0.5)}), (STRONG, {7: both(0.9)[:2]})]
    table = strength_table(over_levels(levels)[7])
    assert table
    assert table.levels == ("random", "club", "strong")
    titles = [pair.title for pair in table.pairs]
    assert titles == ["second against first", "third against first", "third against second"]
    known = [[cell is not None for cell in pair.rows[0].cells] for pair in table.pairs]
    assert known == [[True, True, True], [True, True, False], [True, True, False]]
    few = "first: only 2 different games"
    assert [pair.notes for pair in table.pairs[::2]] == [tuple((level, few) for level in table.levels), ()]
    cell = table.pairs[0].rows[0].cells[2]
    assert cell
    assert cell.value == "−70.0"
    assert strength_table([]) is None


def played(slug: str, games: Sequence[tuple[int, int, int]], **terms: Any) -> None:
    batch = request_batch(slug, games=len(games), announce=False, **{"origin": Batch.Origin.DEMO, **terms})
    finish(batch, tuple(games))


def rows_of_table(page: BeautifulSoup) -> list[str]:
    return [
        row.get_text(" ", strip=True) for row in page.select("[aria-labelledby=over-levels] table.over-levels tbody tr")
    ]


def varied(*won: tuple[int, int]) -> list[tuple[int, int, int]]:
    """(winning seats, games): no two of them are of a kind."""
    seats = [seat for seat, number in won for _ in range(number)]
    return [(10 + place, 0, seat) for place, seat in enumerate(seats)]


WON, LOST = varied((1, 40), (2, 10)), varied((2, 40), (1, 10))


class OverLevelsTests(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_seats_are_compared_where_sides_have_no_common_names(self) -> None:
        """Ludovisi’s sides have no roles, and are held against seats: the first wins 80 % there, else 20 %."""
        readings = {"niranchy-ludovisi": WON * 2, "niranchy-dlp": LOST * 2, "niranchy-ludii": LOST[::-1] * 2}
        for players in ("random", "greedy"):
            for slug, games in readings.items():
                played(slug, games, players=players)
        rows = [one for differences in over_levels(levels_played()).values() for one in telling(differences)]
        first = {
            (row.first.slug, row.second.slug): [round(100 * level.interval.value) for level in row.judged.levels]
            for row in rows
            if row.outcome == "won by the first player"
        }
        assert {pair: shares[:2] for pair, shares in first.items()} == {
            ("niranchy-ludovisi", "niranchy-dlp"): [-60, -60],
            ("niranchy-ludovisi", "niranchy-ludii"): [-60, -60],
        }
        roles = [row for row in rows if {row.first.slug, row.second.slug} == {"niranchy-dlp", "niranchy-ludii"}]
        assert {role.outcome for role in roles} == {"won by the aligner", "won by the blocker"}

    @pytest.mark.thorough
    def test_games_that_somebody_asks_for_displace_no_prepared_ones(self) -> None:
        won, lost = [(10, 0, 1)] * 60, [(10, 0, 2)] * 60
        played("daramuti-parker", won, players="club", until="round")
        for players, games in (("club", lost), ("strong", lost[:5]), ("uct:1", lost)):
            played("daramuti-parker", games, players=players, origin="visitor")
        levels = {level.key: by_game for level, by_game in levels_played()}
        assert set(levels) == {"random", "club", "perfect"}
        (club,) = (one for bars in levels["club"].values() for one in bars)
        assert club.outcomes
        assert (club.outcomes.segments[0].share, club.outcomes.counted) == (1.0, "first rounds")
        page = self.soup("/games/daramuti/")
        levels = {one.get_text().split()[0] for one in page.select(".levels li, .levels a, .levels [aria-current]")}
        assert {"random", "club", "strong"} <= levels  # asked for, it is there

    @pytest.mark.by_turns
    def test_pages_and_the_api_tell_what_turns_over(self) -> None:
        for players, first, second in (("random", WON, LOST), ("greedy", LOST, WON)):
            played("koti-keliya-parker", first, players=players)
            played("koti-keliya-ludii", second, players=players)
        page = self.soup("/games/koti-keliya/")
        rows = rows_of_table(page)
        head = [cell.get_text(strip=True) for cell in page.select("table.over-levels thead th")]
        assert head == ["Games that are", "Verdict", "random", "greedy", "faultless"]
        assert rows[0] == "The Ludii program against Parker 1909"
        assert len(rows) == 3
        assert all(
            "reverses with strength −60.0 −72.4 to −41.6 " in row or "reverses with strength +60.0 " in row
            for row in rows[1:]
        )
        assert all("50 and 50 different" in row for row in rows[1:])
        said = self.client.get("/api/v1/games/koti-keliya/").json()["over_levels"]
        assert {one["becomes"] for one in said if one["outcome"].startswith("won")} == {"turns over"}
        assert [level["games"] for level in said[0]["levels"]] == [[50, 50], [50, 50], [0, 0]]  # the last is proved
        assert self.client.get("/api/v1/games/saturankam/").json()["over_levels"] == []

    @pytest.mark.by_turns
    def test_a_comparison_shows_its_part_of_the_table(self) -> None:
        names = ("daramuti-parker", "daramuti-ludii", "daramuti-dlp")
        for players, first, other in (("random", WON, LOST), ("greedy", LOST, WON)):
            for slug in names:
                played(slug, first if slug == names[0] else other, players=players)
        comparison = COMPARISONS.request(check_comparison(names[:2], games=50, players="greedy"), announce=False)
        assert COMPARISONS.conclude(comparison)
        findings()  # they are gathered
        with CaptureQueriesContext(connection) as queries:
            rows = rows_of_table(self.soup(comparison.get_absolute_url()))
        assert len(queries) <= 12  # as of the comparison of two levels less
        both = rows_of_table(self.soup("/games/daramuti/"))
        assert 0 < len(rows) < len(both)
        start = both.index(rows[0])
        assert rows[0].startswith(("The Ludii program against Parker 1909", "Parker 1909 against the Ludii program"))
        assert both[start : start + len(rows)] == rows
        assert all("reverses with strength" in row for row in rows[1:])
