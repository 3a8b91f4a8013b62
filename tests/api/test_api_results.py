"""Claims in the API with their words, tests and verdicts, and the figures of all readings."""

import csv
import io
from unittest import mock
from urllib.parse import urlencode

import pytest

from catalogue.api.results import MeasurementViewSet
from catalogue.models import Anchor, Claim
from simulator.batches import finalize
from simulator.batches.finalize import keep_measurements
from simulator.batches.service import request_batch
from simulator.models import Batch, Measurement
from tests.api.api_world import API, ApiTestCase
from tests.catalogue.claim_world import a_claim, judge
from tests.catalogue.page_world import finish, played_batch

LONG = "claims/kotu-baendum/very-long/"


class ClaimTests(ApiTestCase):
    def test_a_claim_has_its_words_its_test_and_its_verdict(self) -> None:
        claim = a_claim("kotu-baendum", "very-long")
        judge(claim, columns={"laps": 3000})
        answer = self.read(LONG)
        assert (answer["key"], answer["verdict"], answer["reason"]) == ("kotu-baendum/very-long", "supported", "")
        assert answer["readings"] == [
            {"ruleset": "kotu-baendum-parker", "verdict": "supported", "beside": ""},
            {"ruleset": "kotu-baendum-ludii", "verdict": "supported", "beside": "the sentence is not the program’s"},
        ]
        (words,) = answer["words"]
        anchor = Anchor.objects.get(claim=claim)
        assert (words["record"], words["exact"]) == ("DLP.Evidence.691", anchor.exact)
        assert self.client.get(words["annotation"]).status_code == 200
        assert [test["test"] for test in answer["tests"]] == claim.tests
        verdict = answer["tests"][0]["verdict"]
        assert (verdict["figure"], verdict["n"], verdict["players"], verdict["seed"]) == (1.0, 100, "random,random", 1)
        assert self.client.get(f"/api/v1/batches/{verdict['batches'][0]}/").status_code == 200

    def test_a_claim_that_was_not_judged_has_no_figures(self) -> None:
        answer = self.read(LONG)
        assert (answer["verdict"], answer["reason"]) == ("undecided", "It has not been judged yet.")
        assert [test["verdict"] for test in answer["tests"]] == [None] * 6
        assert "at least 2,400 laps" in answer["tests"][0]["sentence"]

    def test_an_undecided_claim_has_one_of_a_few_reasons(self) -> None:
        claim = a_claim("kotu-baendum", "very-long")
        assert self.read(LONG)["undecided_because"] == "not_judged"
        judge(claim, columns={"laps": [3000] * 54 + [10] * 46})
        answer = self.read(LONG)
        assert answer["undecided_because"] == "too_few_games"
        assert [(test["undecided_because"], test["games_wanted"]) for test in answer["tests"]] == [
            *[("too_few_games", 500)] * 4,
            *[("too_few_games", None)] * 2,  # whether the game is like another
        ]
        judge(claim, columns={"laps": 3000})
        answer = self.read(LONG)
        assert (answer["undecided_because"], answer["tests"][0]["undecided_because"]) == (None, None)

    def test_a_claim_is_about_rules_play_or_nothing(self) -> None:
        for key, about in (
            ("kotu-baendum/all-four-ends-tied", "rules"),  # a game in which it happens is one, whoever plays
            ("kotu-baendum/very-long", "play"),  # judged by random players, who are no people
            ("diviyan-keliya/cattle-always-win", "play"),
            ("puhulmutu/usually-to-the-right", "nothing"),
        ):
            assert self.read(f"claims/{key}/")["about_what"] == about, key

    def test_addresses_lead_to_the_claim_and_its_page(self) -> None:
        answer = self.read(LONG)
        assert self.client.get(answer["url"]).json() == answer
        assert "<h1" in self.client.get(answer["page"]).content.decode()
        assert self.client.get(answer["game"]["url"]).json()["slug"] == "kotu-baendum"

    @pytest.mark.by_turns
    def test_narrowed_lists(self) -> None:
        judge(a_claim("kotu-baendum", "very-long"), columns={"laps": 3000})
        for narrowed, slugs in (
            ("?game=kotu-baendum", ["very-long", "all-four-ends-tied"]),
            ("?evidence=DLP.Evidence.691", ["very-long", "all-four-ends-tied"]),
            ("?game=puhulmutu&judged_by=nothing", ["usually-to-the-right"]),
            ("?verdict=supported", ["very-long"]),
            ("?game=puhulmutu&verdict=supported", []),
        ):
            assert [result["key"].split("/")[1] for result in self.read(f"claims/{narrowed}")["results"]] == slugs
        assert self.count("claims/") == Claim.objects.count()

    def test_wrong_values_are_refused_with_the_nearest(self) -> None:
        assert self.nearest("claims/?verdict=suported") == {"verdict": "supported"}
        assert self.nearest("claims/?game=puhulmut") == {"game": "puhulmutu"}
        assert self.nearest("claims/kotu-baendum/very-lon/", 404) == {"key": "kotu-baendum/very-long"}


class MeasurementTests(ApiTestCase):
    def rows(self, **narrowed: str) -> list[dict]:
        rows, address = [], f"{API}measurements/?{urlencode({'page_size': 100, **narrowed})}"
        while address:
            answer = self.client.get(address).json()
            rows += answer["results"]
            address = answer["next"]
        return rows

    def looked_at(self, batch: Batch) -> None:
        figure = {"title": "x", "unit": "share", "value": 0.25, "low": 0.1, "high": 0.5, "n": 4}
        rows = [{"key": key, **figure} for key in ("position_again", "threefold")]
        repetition = {"games": 4, "longest": 5, "game": 2, "rows": rows}
        keep_measurements(batch.id, {**batch.summary, "repetition": repetition})

    def test_every_figure_of_a_batch_is_a_row(self) -> None:
        self.looked_at(self.batch)
        rows = self.rows(reading="daramuti-parker")
        assert [row["measure"] for row in rows[-3:]] == ["position_again", "threefold", "longest_repetition"]
        assert [(row["value"], row["low"], row["high"], row["n"], row["unit"]) for row in rows[-2:]] == [
            (0.25, 0.1, 0.5, 4, "share"),
            (5, None, None, 4, "times"),
        ]
        assert [row["title"] for row in rows[-2:]] == [
            "Would have ended by threefold repetition",
            "Longest repetition of a position",
        ]
        assert (rows[-4]["measure"], rows[-4]["value"], rows[-4]["n"]) == ("different_games", 8, 8)
        rows = rows[:-4]
        figures = [row for section in self.batch.summary["sections"] for row in section["rows"]]
        names = ("title", "unit", "value", "low", "high", "n")
        assert [[row[name] for name in ("measure", *names)] for row in rows] == [
            [figure[name] for name in ("key", *names)] for figure in figures
        ]
        assert rows[0]["measure"] == "won_0"
        assert rows[0]["value"] == 0.625  # five of eight games
        assert {(row["game"], row["batch"], row["level"], row["censored"]) for row in rows} == {
            ("daramuti", self.batch.id, "random", 0)
        }
        assert all(row["records"] == ["DLP.Evidence.692", "DLP.Evidence.1386"] for row in rows)
        assert {(row["kinds"], row["possible"]) for row in rows} == {(8, True)}

    def test_an_end_that_cannot_be_has_no_limits(self) -> None:
        """“Equal numbers end nothing” in the portal's Daramuti: no game of it is drawn."""
        played = ((10, 0, 1), (12, 0, 2))
        finish(request_batch("daramuti-dlp", announce=False, games=2, origin=Batch.Origin.DEMO), played)
        rows = {row["measure"]: row for row in self.rows(reading="daramuti-dlp")}
        drawn, endless = rows["draw"], rows["endless"]
        assert (drawn["possible"], drawn["value"], drawn["low"], drawn["high"]) == (False, 0, None, None)
        assert endless["possible"]
        assert endless["high"] > 0

    def test_the_question_of_place_year_and_measure_is_one_request(self) -> None:
        played_batch("hat-diviyan-keliya-ludovisi")
        wanted = {"place": "sri-lanka", "to": "1899", "measure": "first_player_advantage", "format": "csv"}
        response = self.client.get(f"{API}measurements/?{urlencode(wanted)}")
        (line,) = csv.DictReader(io.StringIO(response.content.decode(), newline=""))
        assert (line["reading"], line["measure"]) == ("hat-diviyan-keliya-ludovisi", "first_player_advantage")
        assert float(line["value"]) == (5 - 2) / 8
        assert "Link" not in response

    @pytest.mark.by_turns
    def test_filters_take_several_values_of_one_record(self) -> None:
        played_batch("hat-diviyan-keliya-ludovisi")
        played_batch("daramuti-parker", players="greedy", origin=Batch.Origin.DEMO)
        games = {"game": "daramuti,hat-diviyan-keliya", "measure": "won_0,draw"}
        found = {(row["game"], row["level"], row["measure"]) for row in self.rows(**games)}
        assert found == {
            (game, level, measure)
            for game, level in (("daramuti", "random"), ("daramuti", "greedy"), ("hat-diviyan-keliya", "random"))
            for measure in ("won_0", "draw")
        }
        assert {row["level"] for row in self.rows(level="greedy")} == {"greedy"}
        played_batch("daramuti-parker", players="club", origin=Batch.Origin.DEMO)
        club = self.rows(level="club")
        assert {row["level"] for row in club} == {"club"}
        assert self.rows(level=club[0]["players"].split(",")[0]) == club
        assert self.rows(place="sri-lanka", to="1500") == []
        assert self.rows(ruleset="daramuti-parker@1") == self.rows(reading="daramuti-parker")
        assert {row["game"] for row in self.rows(record="DLP.Evidence.692")} == {"daramuti"}

    def test_rows_are_of_the_batch_that_pages_show(self) -> None:
        played_batch("daramuti-parker", seed=2, origin=Batch.Origin.VISITOR)
        assert {row["batch"] for row in self.rows()} == {self.batch.id}

    def test_all_figures_of_a_batch_share_it_in_memory(self) -> None:
        """A table has 5,000 rows: with a batch and a ruleset for each it took twice as much."""
        rows = list(MeasurementViewSet(kwargs={}, action="list").get_queryset())
        assert len({id(row.batch) for row in rows}) == len({row.batch_id for row in rows}) < len(rows)
        assert "document" in rows[0].batch.ruleset.get_deferred_fields()

    def test_unknown_values_are_refused_with_the_nearest(self) -> None:
        assert self.nearest("measurements/?measure=won_0,wan_1") == {"measure": "won_1"}
        assert self.nearest("measurements/?level=gredy&game=daramuty") == {"level": "greedy", "game": "daramuti"}
        assert self.nearest("measurements/?ruleset=daramuti-parkr") == {"ruleset": "daramuti-parker"}
        assert self.nearest("measurements/?measures=won_0") == {"measures": "measure"}

    @pytest.mark.by_turns
    def test_as_parquet_numbers_are_numbers(self) -> None:
        from pyarrow import parquet

        response = self.client.get(f"{API}measurements/?format=parquet&ordering=measure")
        assert response["Content-Type"] == "application/vnd.apache.parquet"
        table = parquet.read_table(io.BytesIO(response.content))
        assert table.to_pylist()[0] | {"records": None, "batch_url": None} == self.rows(ordering="measure")[0] | {
            "records": None, "batch_url": None,
        }  # fmt: skip
        assert [str(table.schema.field(name).type) for name in ("value", "n", "title")] == ["double", "int64", "string"]

    def test_they_are_counted_anew_with_the_summary(self) -> None:
        Measurement.objects.filter(batch=self.batch).update(value=0)
        with mock.patch.object(finalize, "drawings", return_value=[]):
            finalize.redraw(self.batch)
        assert self.rows()[0]["value"] == 0.625
