"""Lists of the API: by cursor, in every order, with chosen fields, as tables; and mistakes in their parameters."""

import csv
import datetime
import io
from typing import Any
from unittest import mock

import pytest
from django.core import signing
from django.utils import timezone

from catalogue.api.formats import ExcelTableRenderer, TableRenderer
from catalogue.models import Anchor, Answer, Evidence, Game, GameName, Place, Source, Term, UncertaintyFactor
from simulator.models import Batch
from tests.api.api_world import API, ApiTestCase, lists
from tests.choice import half_of_the_day, third_of_the_day

# What tells two rows apart, where it is not their address.
KEYS = {"annotations": "id", "coverage": "record", "measurements": "measure"}
# Of 1,500 rows that are alike those of one reading, which are of two records and fill two pages.
NARROWED = {"annotations": "&reading=puhulmutu-parker"}


class ListTests(ApiTestCase):
    def followed(self, path: str) -> list[dict[str, Any]]:
        rows, address = [], f"{API}{path}"
        while address:
            answer = self.client.get(address).json()
            rows += answer["results"]
            address = answer["next"]
        return rows

    @pytest.mark.thorough
    def test_every_list_in_every_order_holds_every_row_once(self) -> None:
        Evidence.objects.create(identifier="X.1", type="Artifact", game=Game.objects.first(), quotation="A board.")
        for name, view in lists().items():
            key, narrowed = KEYS.get(name, "url"), NARROWED.get(name, "")
            count = self.read(f"{name}/?page_size=1&fields={key}{narrowed}")["count"]
            size = min(100, count // 2 + 1)
            for order in view.orderings:
                up, down = (
                    [
                        row[key]
                        for row in self.followed(
                            f"{name}/?cursor=*&page_size={size}&ordering={way}{order}&fields={key}{narrowed}"
                        )
                    ]
                    for way in ("", "-")
                )
                assert up == down[::-1], (name, order)
                assert len(set(up)) == len(up) == count, (name, order)

    def test_years_are_in_order_and_undated_records_stand_last(self) -> None:
        Evidence.objects.create(identifier="X.1", type="Artifact", game=Game.objects.first(), quotation="A board.")
        years = [row["date"]["earliest"] for row in self.followed("evidence/?cursor=*&page_size=5&ordering=year")]
        assert years[-2:] == [None, None], "this one, and the slab"
        assert years[:-2] == sorted(years[:-2])

    def test_ties_and_undated_records_are_listed_once(self) -> None:
        """Most records are of 1909: a page ends among rows of the same year, and among those without one."""
        game = Game.objects.first()
        Evidence.objects.bulk_create(
            Evidence(identifier=f"X.{number}", type="Artifact", game=game, quotation="A board.") for number in range(3)
        )
        every = set(Evidence.objects.values_list("identifier", flat=True))
        for ordering in ("year", "-year"):
            rows = self.followed(f"evidence/?cursor=*&page_size=10&ordering={ordering}&fields=identifier")
            found = [row["identifier"] for row in rows]
            assert (len(found), set(found)) == (len(every), every), ordering

    def test_rows_written_meanwhile_neither_repeat_nor_hide_others(self) -> None:
        first = self.read("games/?cursor=*&page_size=5&ordering=slug")
        Game.objects.create(slug="a-first", name="A first")
        rest = self.client.get(first["next"]).json()["results"]
        expected = list(Game.objects.exclude(slug="a-first").order_by("slug").values_list("slug", flat=True)[:10])
        assert [row["slug"] for row in (*first["results"], *rest)] == expected

    def test_nothing_is_counted_and_a_page_costs_no_more_far_down(self) -> None:
        first = self.read("evidence/?cursor=*&page_size=3")
        assert first["count"] is None
        further = first["next"].removeprefix(f"http://testserver{API}")
        assert self.queries("evidence/?page_size=3") - 1 == self.queries("evidence/?cursor=*&page_size=3")
        assert self.queries(further) == self.queries("evidence/?cursor=*&page_size=3")

    def test_a_cursor_is_good_for_its_own_list_and_order_only(self) -> None:
        cursor = self.read("evidence/?cursor=*&page_size=3")["next"].split("cursor=")[1].split("&")[0]
        forged = signing.Signer(salt="another").sign_object(["x"])
        for path in (
            f"games/?cursor={cursor}",
            f"evidence/?cursor={cursor}&ordering=year",
            f"evidence/?cursor={cursor[:-1]}",
            f"evidence/?cursor={forged}",
            f"evidence/?cursor={'x' * 9_000}",
            "evidence/?cursor=%C3%A9%F0%9F%8E%B2",
        ):
            assert self.nearest(path) == {"cursor": "*"}, path
        assert self.nearest(f"evidence/?cursor={cursor}&page=2") == {"page": None}

    @pytest.mark.by_turns
    def test_pages_have_numbers_up_to_a_bound_and_go_on_by_cursor(self) -> None:
        everyone = [row["identifier"] for row in self.read("evidence/?page_size=100")["results"]]
        with mock.patch("catalogue.api.lists.MOST_LEAFED", 10), self.client.fresh():
            second = self.read("evidence/?page=2&page_size=5")
            assert "cursor=" in second["next"]
            refused = self.read("evidence/?page=3&page_size=5", 400)
            assert "begin with cursor=*" in refused["detail"]
            found = [row["identifier"] for row in self.followed("evidence/?page_size=5")]
        assert found == everyone

    def test_the_next_page_stands_in_the_header_too(self) -> None:
        response = self.client.get(f"{API}evidence/?page=2&page_size=5")
        answer = response.json()
        assert response["Link"] == f'<{answer["next"]}>; rel="next", <{answer["previous"]}>; rel="prev"'

    def test_rows_have_the_fields_that_were_asked_for(self) -> None:
        (row, *_) = self.read("evidence/?fields=date,identifier")["results"]
        assert list(row) == ["identifier", "date"]
        assert list(self.read("evidence/DLP.Evidence.692/?fields=quotation")) == ["quotation"]
        assert self.read("evidence/DLP.Evidence.692/?fields=") == self.read("evidence/DLP.Evidence.692/")
        assert list(self.read("annotations/?fields=@context")["results"][0]) == ["@context"]
        assert list(self.read("rulesets/daramuti-parker/?fields=hash,seats")) == ["hash", "seats"]

    def table(self, path: str) -> list[dict[str, str]]:
        response = self.client.get(f"{API}{path}")
        assert response.status_code == 200, (path, response.content)
        assert response["Content-Type"] == "text/csv; charset=utf-8"
        return list(csv.DictReader(io.StringIO(response.content.decode(), newline="")))

    @pytest.mark.by_turns
    def test_every_list_is_also_a_table_of_its_rows(self) -> None:
        answered = set()
        for name in {"questions", *half_of_the_day(lists())}:
            rows = self.read(f"{name}/?page_size=5")["results"]
            table = self.table(f"{name}/?page_size=5&format=csv")
            assert len(table) == len(rows), name
            for line, row in zip(table, rows, strict=True):
                plain = {key: value for key, value in row.items() if isinstance(value, str)}
                plain |= {key: "true" if value else "false" for key, value in row.items() if isinstance(value, bool)}
                assert plain == {key: line[key] for key in plain}, name
                answered |= {(name, key) for key, value in row.items() if isinstance(value, bool)}
        assert ("questions", "disputed") in answered  # yes or no

    def test_fields_of_fields_have_columns_and_lists_are_json(self) -> None:
        (line,) = self.table("evidence/?game=daramuti&fields=identifier,date,places,quotation&format=csv")
        assert list(line) == [
            "identifier",
            "places",
            "date.as_printed",
            "date.edtf",
            "date.earliest",
            "date.latest",
            "quotation",
        ]
        assert (line["date.earliest"], line["identifier"]) == ("1909", "DLP.Evidence.692")
        assert '"slug": "sri-lanka"' in line["places"]
        assert line["quotation"] == Evidence.objects.get(identifier="DLP.Evidence.692").quotation

    def test_a_table_is_asked_for_by_header_too_and_may_be_longer(self) -> None:
        response = self.client.get(f"{API}games/", headers={"accept": "text/csv"})
        assert response["Content-Type"] == "text/csv; charset=utf-8"
        assert response["Content-Disposition"] == 'attachment; filename="game.csv"'
        assert len(self.table("clauses/?format=csv&page_size=101&fields=key")) == 101
        assert self.nearest("clauses/?format=csv&page_size=1001") == {"page_size": 1000}

    def test_a_table_for_excel_begins_with_the_mark(self) -> None:
        plain, marked = (self.client.get(f"{API}games/?format={name}").content for name in ("csv", "csv-excel"))
        assert marked == b"\xef\xbb\xbf" + plain
        assert not self.client.get(f"{API}games/", headers={"accept": "text/csv"}).content.startswith(b"\xef\xbb\xbf")

    def test_a_table_for_excel_holds_no_formula_and_changes_no_text(self) -> None:
        texts = (
            "=1+1",
            " +cmd",
            "-0499",
            "@SUM(A1)",
            "\t=1",
            "＝1",
            "1909-06",
            "3/4",
            "12e5",
            "0123",
            "1234567890123456",
        )
        written = ExcelTableRenderer().written
        assert [written(text) for text in texts] == [f"'{text}" for text in texts]
        for value in ("daramuti", "82726b14ec8899b6", "1873/1909", "1909", -5, 0.5, None, "2–3", "12 e5"):
            assert written(value) == value
        assert TableRenderer().written("=1+1") == "=1+1"  # what programmes read is to the letter

    def test_one_row_is_no_table(self) -> None:
        assert self.nearest("games/daramuti/?format=csv") == {"format": "json"}
        response = self.client.get(f"{API}games/daramuti/", headers={"accept": "text/csv"})
        assert (response.status_code, response.json()["problems"][0]["nearest"]) == (406, "application/json")

    def since(self, name: str, moment: str) -> int:
        return int(self.read(f"{name}/?changed_since={moment}&page_size=1")["count"])

    @pytest.mark.by_turns
    def test_only_what_changed_since_a_day_or_a_moment(self) -> None:
        everything = self.read("evidence/")["count"]
        assert self.since("evidence", "2001-01-01") == self.since("evidence", "2001-01-01T10:00:00Z") == everything > 1
        begun = timezone.now()
        moment = begun.isoformat().replace("+00:00", "Z")
        assert [self.since(name, moment) for name in ("evidence", "claims", "batches", "studies")] == [0, 0, 0, 0]
        record = Evidence.objects.exclude(identifier="").first()
        assert record is not None
        record.date_text = "about 1900"
        record.save()
        Batch.objects.update(closed=begun + datetime.timedelta(seconds=1))
        assert [self.since(name, moment) for name in ("evidence", "claims", "batches")] == [1, 0, 1]

    def test_what_is_edited_is_a_change_of_every_list_it_is_in(self) -> None:
        """Rows with a history, rows that know when they were written, and what belongs to them."""
        moment = timezone.now().isoformat().replace("+00:00", "Z")
        by_day = ("versions", "rulesets")  # those of this world are all of today
        names = [name for name in lists() if name not in by_day]
        assert {name: self.since(name, moment) for name in names} == dict.fromkeys(names, 0)
        tomorrow = (timezone.now() + datetime.timedelta(days=1)).date()
        assert [self.since(name, str(tomorrow)) for name in by_day] == [0, 0]
        words, of_claim = (Anchor.objects.filter(**{f"{name}__isnull": False})[0] for name in ("clause", "claim"))
        for row in (words, Answer.objects.order_by("pk")[0]):
            row.save()
        for model in (GameName, Place, Source, Term, UncertaintyFactor):
            model.objects.order_by("pk")[0].save()
        of_claim.delete()
        once = ("clauses", "questions", "games", "places", "sources", "terms", "uncertainty-factors", "claims")
        assert {name: self.since(name, moment) for name in once} == dict.fromkeys(once, 1)
        assert self.since("annotations", moment) == 1
        assert self.since("coverage", moment) == len({words.evidence_id, of_claim.evidence_id})

    def test_what_is_no_moment_is_refused(self) -> None:
        for name in lists():
            answer = self.client.get(f"{API}{name}/?changed_since=yesterday")
            assert answer.status_code == 400, name
            assert "changed_since" in answer.text, name


class ParameterTests(ApiTestCase):
    def test_mistakes_are_named_with_the_nearest_valid_value(self) -> None:
        for path, nearest in (
            ("evidence/?plac=sri-lanka", {"plac": "place"}),
            ("evidence/?place=sri-lnka", {"place": "sri-lanka"}),
            ("evidence/?game=daramutti&source=parker-1908", {"game": "daramuti", "source": "parker-1909"}),
            ("evidence/?type=Ethnografy", {"type": "Ethnography"}),
            ("evidence/?from=99999", {"from": 3000}),
            ("evidence/?from=2000&to=1000", {"from": 1000}),
            ("sources/?from=2000&to=1000", {"from": 1000}),
            ("map/?from=-100&to=-200", {"from": -200}),
            ("timeline/?from=1&to=0", {"from": 0}),
            ("evidence/?to=-99999", {"to": -20000}),
            ("evidence/?from=nineteen", {"from": None}),
            ("evidence/?undated=ja", {"undated": "yes"}),
            ("evidence/?page=2", {"page": 1}),
            ("evidence/?page=x", {"page": 1}),
            ("evidence/?page=-3", {"page": 1}),
            ("evidence/?page_size=0", {"page_size": 1}),
            ("evidence/?page_size=1000", {"page_size": 100}),
            ("evidence/?page_size=5&page=9", {"page": 5}),
            ("evidence/?format=jsn", {"format": "json"}),
            ("evidence/DLP.Evidence.692/?formt=json", {"formt": "format"}),
            ("games/?place=khas", {"place": "khasi"}),
            ("places/?kind=contry", {"kind": "country"}),
            ("rulesets/?authority=parkr", {"authority": "parker"}),
            ("rulesets/?evidence=DLP.Evidence.6922", {"evidence": "DLP.Evidence.692"}),
            ("batches/?state=don", {"state": "done"}),
            ("batches/?ruleset=daramuti-parkr", {"ruleset": "daramuti-parker"}),
            ("?place=khasi", {"place": None}),
            ("evidence/?game=daramuti&game=puhulmutu", {"game": None}),
            ("evidence/?fields=identifier,quotatoin", {"fields": "quotation"}),
            ("evidence/?ordering=yeer", {"ordering": "year"}),
            ("evidence/?ordering=--year", {"ordering": "-year"}),
        ):
            assert self.nearest(path) == nearest, path
        answer = self.read("games/daramuti/?fields=nam,slog", 400)
        assert [problem["nearest"] for problem in answer["problems"]] == ["name", "slug"]

    def test_the_message_repeats_the_value_and_says_what_there_is(self) -> None:
        answer = self.read("evidence/?plac=khasi", 400)
        assert answer["title"] == "Bad Request"
        assert "'plac'" in answer["detail"]
        assert "page, page_size, place, source, to, type, uncertainty, undated" in answer["detail"]

    def test_names_nearly_right_lead_to_the_right_ones(self) -> None:
        for path, nearest in (
            ("evidence/DLP.Evidence.6922/", {"identifier": "DLP.Evidence.692"}),
            ("games/daramutti/", {"slug": "daramuti"}),
            ("places/srilanka/", {"slug": "sri-lanka"}),
            ("sources/parker-1906/", {"key": "parker-1909"}),
            ("rulesets/daramuti-parkr/", {"ruleset": "daramuti-parker"}),
            (f"batches/{self.batch.id[:-1]}/", {"id": self.batch.id}),
            ("evidnce/", {"": "evidence"}),
            ("games/daramuti/rules/", {"": "games"}),
        ):
            assert self.nearest(path, 404) == nearest, path

    def test_an_address_without_final_slash_redirects(self) -> None:
        assert self.client.get("/api/v1/evidence").headers["Location"] == "/api/v1/evidence/"

    def test_rows_cannot_be_changed(self) -> None:
        for method in (self.client.post, self.client.put, self.client.patch, self.client.delete):
            response = method("/api/v1/evidence/")
            assert (response.status_code, response.json()["title"]) == (405, "Method Not Allowed")

    def test_pages_hold_every_row_once(self) -> None:
        seen, address = [], "/api/v1/evidence/?page_size=6&place=sri-lanka"
        while address:
            answer = self.client.get(address).json()
            seen += [record["identifier"] for record in answer["results"]]
            address = answer["next"]
        assert len(seen) == len(set(seen)) == answer["count"] == 20
        assert answer["previous"].endswith("page=3&page_size=6&place=sri-lanka")


class OneContractTests(ApiTestCase):
    """What is promised of lists holds of findings, which are no rows of a table; and filters take several values."""

    def results(self, path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.read(path)["results"]
        return found

    def test_findings_are_read_as_every_list(self) -> None:
        whole = self.results("findings/?page_size=100")
        for ordering, expected in (("rank", whole), ("-rank", whole[::-1])):
            page, found = self.read(f"findings/?cursor=*&page_size=7&ordering={ordering}"), []
            assert (page["count"], page["previous"]) == (None, None)
            while True:
                found += page["results"]
                if page["next"] is None:
                    break
                page = self.client.get(page["next"]).json()
            assert found == expected
        link = self.client.get(f"{API}findings/?page_size=2")["Link"]
        assert link.endswith('page=2&page_size=2>; rel="next"') or "page=2" in link
        table = list(csv.DictReader(io.StringIO(self.client.get(f"{API}findings/?format=csv").content.decode())))
        assert [int(row["rank"]) for row in table][:9] == [row["rank"] for row in whole][:9]
        assert [row["game.slug"] for row in table][:9] == [row["game"]["slug"] for row in whole][:9]
        assert set(self.results("findings/?fields=rank,sentence")[0]) == {"rank", "sentence"}
        games = {row["game"]["slug"] for row in self.results("findings/?game=dam,niranchy&page_size=100")}
        assert games == {"dam", "niranchy"}
        for query in ("cursor=x", "cursor=*&page=2", "fields=rnk", "ordering=value", "game=dam,nirancy", "kind=idle,x"):
            assert (
                self.read(f"findings/?{query}", 400)["problems"][0]["field"] == query.rpartition("&")[2].split("=")[0]
            )

    def test_filters_take_several_values(self) -> None:
        for path, one, other, key in third_of_the_day([
            ("games/", "place=sri-lanka", "khasi", "slug"), ("evidence/", "game=dam", "niranchy", "identifier"),
            ("evidence/", "source=parker-1909", "ludovisi-1873", "identifier"),
            ("rulesets/", "game=dam", "niranchy", "slug"), ("clauses/", "reading=dam-parker", "dam-ludii", "key"),
            ("clauses/", "held_by=dam-parker", "dam-ludii", "key"), ("claims/", "game=dam", "niranchy", "key"),
            ("annotations/", "reading=dam-parker", "dam-ludii", "id"),
            ("clauses/", "basis=stated", "conjecture", "key"),
            ("questions/", "game=dam", "niranchy", "key"),
            ("batches/", "state=done", "cancelled", "id"),
            ("batches/", "ruleset=daramuti-parker", "daramuti-dlp", "id"),
        ]):  # fmt: skip
            name = one.partition("=")[0]
            with self.subTest(f"{path}?{one},{other}"):
                alone = [self.results(f"{path}?{query}&page_size=100") for query in (one, f"{name}={other}")]
                both = self.results(f"{path}?{one},{other}&page_size=100")
                union = {row[key] for rows in alone for row in rows}
                assert len(both) == len({row[key] for row in both}), "a row twice"
                assert {row[key] for row in both} == union or len(union) > 100
                for wrong in (f"{one},no-such-value", f"{name}=,,"):
                    assert self.read(f"{path}?{wrong}", 400)["problems"][0]["field"] == name
        for page in ("/timeline/?type=,,", "/evidence/?place=,", "/map/?game=%20,"):
            assert self.client.get(page).status_code == 400, page

    def test_yes_and_no_are_said_in_other_ways_too(self) -> None:
        for yes, no in (("true", "false"), ("True", "False"), ("1", "0")):
            assert self.read(f"evidence/?undated={yes}")["count"] == self.read("evidence/?undated=yes")["count"]
            assert self.read(f"evidence/?undated={no}")["count"] == self.read("evidence/?undated=no")["count"]
        assert self.read("evidence/?undated=maybe", 400)["problems"][0]["nearest"] in ("yes", "no")

    def test_a_form_that_there_is_not_names_those_that_there_are(self) -> None:
        for path in ("games/", "findings/"):
            refused = self.client.get(f"{API}{path}", headers={"accept": "application/xml"})
            assert (refused.status_code, "text/csv" in refused.json()["detail"]) == (406, True)
