"""The solution on the page of a ruleset and in the API: what is proved, for which board, and how to have it again."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from simulator import rulesets
from simulator.batches.levels import player_of
from simulator.engine import shipped
from simulator.engine.family import family
from simulator.models import RulesetVersion, Solution
from simulator.problems import WrongRequest
from simulator.strength.solutions import check_solvable, folder_of
from tests.catalogue.page_world import CatalogueTestCase

HAT = "hat-diviyan-keliya-ludovisi"
NIRANCHY, UNSOLVED = "DLP.Evidence.1479", "DLP.Evidence.692"
LINE = {"plies": 2, "turns": 2, "moves": [9, 0], "names": ["+b4", "+a1"]}
DOCUMENT = {
    "method": "retrograde",
    "family": "points",
    "family_version": 1,
    "set_aside": {},
    "reduced": {},
    "start": {"mover": 0, "value": "second_wins", "plies": 14},
    "first_moves": [
        {"move": point, "name": name, "value": "second_wins", "plies": 13, "replies": {"all": 9, "keeping": 9}}
        | {"against_random": chance}
        for point, name, chance in ((0, "+a1", 0.9805), (9, "+b4", 0.9921))
    ],
    "line": LINE,
    "positions": {"reached": 33308, "running": 32128, "ended": 1180, "moves": 118383},
    "counts": [
        {"mover": 0, "all": 17558, "lost": 11301, "first_wins": 2478, "second_wins": 11301, "draw": 0, "endless": 3779}
    ],
    "ends": {"first_wins": 926, "second_wins": 254, "draw": 0, "endless": 0},
    "longest": [{"winner": 1, "mover": 0, "positions": 2, "before": LINE, "line": {**LINE, "names": ["b4-a3"]}}],
    "seconds": 0.1,
    "peak_bytes": 10**8,
    "table_bytes": 10**6,
}


def keep(name: str, version: int = 1, **changed: object) -> None:
    row = rulesets.save(rulesets.find(name))
    said = {"state": Solution.State.DONE, "family_version": version, "document": {**DOCUMENT, **changed}}
    Solution.objects.update_or_create(ruleset=row, defaults=said)


class SolutionOnThePageOfARuleset(CatalogueTestCase):
    def section(self, name: str) -> str:
        found = self.soup(f"/rulesets/{name}/").find("section", {"aria-labelledby": "solution"})
        return " ".join(found.get_text(" ").split()) if found else ""

    def test_it_says_what_is_proved_and_how_to_have_it_again(self) -> None:
        keep(HAT)
        said = self.section(HAT)
        assert "the owner of the leopards (second player) wins in 14 moves" in said
        assert "proved, by looking at every position that can come about: 33,308" in said
        assert "All 2 first moves come to the same: the owner of the leopards (second player) wins in 13 moves" in said
        assert "9 of 9" in said
        assert "0.9921" in said
        assert f"manage.py solve {HAT}@1 \\ --json" in said
        assert "historical board" not in said

    def test_omitted_rules_and_a_reduced_board_are_named(self) -> None:
        keep(HAT, set_aside={"repetition": 3}, reduced={"board": "triangle_10", "second_pieces": 4})
        said = self.section(HAT)
        assert "not the historical board (board triangle_10, second_pieces 4)" in said
        assert "without the rules that look further back than the board does (repetition 3)" in said

    def test_a_proof_by_search_is_named_as_one(self) -> None:
        said = self.section("niranchy-dlp")  # a solution that is shipped
        assert "the aligner (first player) wins in 7 moves" in said
        assert "A search proved it" in said
        assert "+d1 no win is forced so soon" in said
        assert "--search 600" in said

    def test_where_throws_decide_it_has_chances_between_bounds(self) -> None:
        marin = "pancha-keliya-complex-marin-dice"
        rows = [{"first": "best", "second": "random", "lower": 0.8440011, "upper": 0.8440079}]
        wanted = {"method": "value_iteration", "first_moves": [], "counts": [], "longest": [], "chances": rows}
        empty = {"plies": 0, "turns": 0, "moves": [], "names": []}
        start = {"mover": 0, "value": None, "plies": None}
        keep(marin, **wanted, start=start, line=empty, positions={"numbered": 5_503_716})
        said = self.section(marin)
        assert "all 5,503,716 positions before a throw" in said
        assert "best random 0.844001 0.844008" in said
        assert "faultless" not in said
        assert "Value iteration, version" in said
        assert "without fault" not in said

    def test_lines_can_be_played_through(self) -> None:
        keep(HAT)
        page = self.soup(f"/rulesets/{HAT}/")
        link = page.find("a", string="play it through")["href"]
        assert link == f"/rulesets/{HAT}@1/play-a-game/?players=you,you&seed=1&moves=b4.a1"
        assert self.client.get(link).status_code == 200

    def test_the_perfect_player_is_met_where_its_table_is_soon_made(self) -> None:
        keep(HAT, family("points").rules_version)
        page = self.soup(f"/rulesets/{HAT}/")
        link = page.find("a", string="Play against the perfect player")["href"]
        assert link == f"/rulesets/{HAT}@1/play-a-game/?players=you,perfect"
        offered = self.soup(f"/rulesets/{HAT}/play-a-game/").find(value="perfect")
        assert offered.get_text() == "Perfect: never errs (this game is solved)"
        begun = self.client.get(link)
        assert begun.status_code == 302
        assert "Perfect" in self.page(begun["Location"])

    def test_what_a_search_proved_has_a_player_who_says_what_he_sees(self) -> None:
        assert "perfect player , who misses no win that is as short as the one that was proved" in self.section(
            "niranchy-dlp"
        )
        offered = self.soup("/rulesets/niranchy-dlp/play-a-game/").find(value="perfect")
        assert offered.get_text() == "Perfect: misses no win that is as short as the one that was proved"

    @pytest.mark.by_turns
    def test_nobody_is_perfect_without_a_table_that_is_soon_made(self) -> None:
        now = family("points").rules_version
        for name, version, changed in (
            (HAT, now - 1, {}),
            ("niranchy-dlp", now, {"method": "search", "looked_at": 174315, "counts": [], "seconds": 600.0}),
            ("koti-keliya-parker", now, {"seconds": 600.0}),
            ("koti-keliya-ludii", now, {"table_bytes": 10**9}),
        ):
            keep(name, version, **changed)
            assert "perfect player</a>" not in self.page(f"/rulesets/{name}/"), name
            assert 'value="perfect"' not in self.page(f"/rulesets/{name}/play-a-game/"), name
            refused = self.page(f"/rulesets/{name}/play-a-game/?players=you,perfect&seed=1", 400)
            assert "perfect plays only rulesets that are solved" in refused
            assert f"players=you,{quote(player_of(shipped.load(name), 'strong'), safe=':/')}" in refused

    @pytest.mark.by_turns
    def test_a_missing_table_names_the_command_that_makes_it(self) -> None:
        kept = ("koti-keliya-parker", "81.1 s", "2.6 GB"), ("pancha-keliya-complex-marin-dice", "504.6 s", "713.8 MB")
        with TemporaryDirectory() as folder, self.settings(VAR_DIR=Path(folder)):
            for name, seconds, size in kept:
                newest = RulesetVersion.objects.filter(slug=name).latest("number")
                for address in (f"/rulesets/{name}/", f"/rulesets/{name}/play-a-game/"):
                    page = self.soup(address)
                    said = " ".join(page.main.get_text(" ").replace("\xa0", " ").split())
                    assert "There is no perfect player here, though it is solved" in said, address
                    assert f"at most {size} on the disk; to solve it took {seconds}" in said, address
                    commands = [one.get_text() for one in page.main.find_all("pre")]
                    assert f"manage.py solve {newest} --keep-table" in commands, address
                    assert not page.find(value="perfect"), address
                folder_of(shipped.load(name)).mkdir(parents=True)
                assert "no perfect player here" not in self.page(f"/rulesets/{name}/")
                offered = self.soup(f"/rulesets/{name}/play-a-game/")
                assert offered.find(value="perfect")
                assert "no perfect player here" not in offered.get_text(), name

    @pytest.mark.by_turns
    def test_a_table_too_large_to_keep_is_not_offered(self) -> None:
        with TemporaryDirectory() as folder, self.settings(VAR_DIR=Path(folder)):
            Solution.objects.filter(ruleset=shipped.load("koti-keliya-ludii").hash).update(family_version=0)
            keep("koti-keliya-parker", family("points").rules_version, seconds=600.0)
            for name in ("koti-keliya-ludii", "koti-keliya-parker", "niranchy-dlp", "daramuti-parker"):
                for address in (f"/rulesets/{name}/", f"/rulesets/{name}/play-a-game/"):
                    assert "--keep-table" not in self.page(address), address

    def test_a_solution_of_an_older_engine_says_so(self) -> None:
        keep(HAT)
        Solution.objects.update(family_version=0)
        assert "An older version of the engine" in self.section(HAT)

    @pytest.mark.by_turns
    def test_unsolved_rulesets_name_the_command_or_the_reason(self) -> None:
        assert "manage.py solve daramuti-parker@1" in self.section("daramuti-parker")
        for name, why in (
            ("sokkattan-parker", "only games of two are solved, and here are 4 seats"),
            ("saturankam-parker", "a throw is divided freely, over more than one move"),
            ("pancha-keliya-parker", "a throw can bring another, so that many are played together (again_scores)"),
        ):
            said = self.section(name)
            assert why in said, name
            assert "manage.py" not in said
            with pytest.raises(WrongRequest, match=re.escape(why)):
                check_solvable(shipped.load(name))

    @pytest.mark.by_turns
    def test_a_record_shows_what_is_proved_of_its_readings(self) -> None:
        for record, words, reading in (
            ("DLP.Evidence.1760", "whoever throws first wins 51.20 % of games if both play as well as can be, 51.19 %",
             "pancha-keliya-complex-marin-dice"),
            (NIRANCHY, "if both sides play without fault: the aligner (first player) wins in 7 moves", "niranchy-dlp"),
        ):  # fmt: skip
            page = self.soup(f"/evidence/{record}/")
            link = page.find("a", href=f"/rulesets/{reading}/#solution")
            assert words in " ".join(link.find_parent("li").get_text(" ").split())
        assert "What is proved" not in self.page(f"/evidence/{UNSOLVED}/")

    def test_proofs_by_other_rules_do_not_count(self) -> None:
        proved = "if both sides play without fault: the aligner"
        assert proved in self.page(f"/evidence/{NIRANCHY}/")
        Solution.objects.update(family_version=0)
        assert proved not in self.page(f"/evidence/{NIRANCHY}/")

    def test_a_solution_takes_no_more_queries(self) -> None:
        with CaptureQueriesContext(connection) as before:
            self.page(f"/rulesets/{HAT}/")
        keep(HAT)
        with self.assertNumQueries(len(before)):
            self.page(f"/rulesets/{HAT}/")

    def test_the_api_has_the_document(self) -> None:
        address = f"/api/v1/rulesets/{HAT}/"
        assert self.client.get(address).json()["solution"] is None
        keep(HAT)
        assert self.client.get(address).json()["solution"]["start"] == DOCUMENT["start"]
