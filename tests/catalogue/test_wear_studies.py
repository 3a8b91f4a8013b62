"""Wear studies: requested, played with traffic, held against observations, shown, and asked for over the API."""

import copy
import csv
import io
import tempfile
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core.management.base import OutputWrapper
from django.test import Client, TestCase

from catalogue.analyses.wear_document import _places, without_lopsided
from catalogue.analyses.wear_plans import candidate_set, check_wear, fitting_sets, minding_no_side, solved
from catalogue.analyses.wear_studies import WEAR
from catalogue.edition.files import EditionFolder
from catalogue.edition.making import load, write
from catalogue.edition.plans import Part
from catalogue.edition.terms import TRAFFIC
from catalogue.edition.terms import WEAR as WEAR_PARTS
from catalogue.edition.verifying import verify
from catalogue.models import Evidence, Observation, Reading, WearStudy
from catalogue.models.observations import canonical_board
from simulator import rulesets
from simulator.analyses.protocol import CannotConclude
from simulator.batches.service import request_all
from simulator.engine.boards.figures import canonical
from simulator.engine.documents import parse
from simulator.engine.family import family
from simulator.management.command_line import play_to_end
from simulator.models import Batch, Ruleset, RulesetVersion, Solution, Traffic
from simulator.problems import WrongRequest
from simulator.strength.solutions import solve_and_keep
from tests import builders

# A square with its diagonals: two against one, who loses when he cannot move.
SQUARE = {
    "points": {"a": [0, 0], "b": [1, 0], "c": [1, 1], "d": [0, 1], "e": [0.5, 0.5]},
    "lines": ["a b", "b c", "c d", "d a", "a e c", "b e d"],
}
HUNT = {"family": "points", "board": SQUARE, "first_pieces": 2, "second_pieces": 1, "second_stuck": "loses"}
THREE = {**HUNT, "first_pieces": 3}


def the_slab(**fields: Any) -> Evidence:
    """The plainest reading of the board from Coriovallum, as a record."""
    board = canonical_board(canonical(candidate_set("coriovallum").boards["none-joined"]))
    return builders.evidence(8, quotation="", without_words=True, board=board, **fields)


def seen(record: Evidence, number: int, places: list[str], than: list[str], certainty: str = "certain") -> None:
    Observation.objects.create(
        evidence=record, number=number, places=places, than=than, certainty=certainty, observer="R. Reader", means="eye"
    )


HTMX = {"HX-Request": "true"}


class SetTests(TestCase):
    def test_the_slab_has_its_candidates(self) -> None:
        record = the_slab()
        assert fitting_sets(record) == ["coriovallum"]
        asked = check_wear(record, "coriovallum", games=10)
        assert sum(1 + len(one.also) for one in asked.played) == 134, "rows that are one game are played once"
        assert len(asked.requests) == len(asked.played) < 134
        assert all(request.cap == 200 for request in asked.requests)

    def test_what_faultless_play_comes_to_is_known_of_each(self) -> None:
        played = candidate_set("coriovallum").candidates
        found = solved("coriovallum", [one.ruleset.hash for one in played])
        assert len(found) == len(played)
        assert {one["start"]["value"] for one in found.values()} == {"first_wins", "endless"}
        assert solved("", [played[0].ruleset.hash]) == {}

    def test_players_mind_no_side_that_the_rules_do_not(self) -> None:
        """The game most alike is a hunt across the board, whose weights say nothing of a hunt round and round."""
        record, played = the_slab(), candidate_set("coriovallum").candidates
        asked = check_wear(record, "coriovallum", games=10, players="greedy,random")
        assert {request.players for request in asked.requests} == {("greedy:weights=hunt", "random")}
        third = next(one for one in played if one.name == "haretavl-starting-position-no-extension-joined-diagonal")
        crossing = "greedy:weights=crossing,random"
        assert minding_no_side(crossing, [third]) == crossing, "dogs that start on one side tell up from down"
        assert minding_no_side(crossing, [played[0], third]) == "greedy:weights=hunt,random"

    def test_a_line_is_all_pieces_that_lie_on_it(self) -> None:
        # Where the slanting lines do not meet, two points more divide the lower side.
        asked = check_wear(the_slab(), "coriovallum", games=10)
        boards = {one.board: one for one in asked.played}
        whole = _places(asked, boards["none-joined"])
        assert whole["a1-b1"] == ["a1-b1"]
        apart = _places(asked, boards["none-apart"])
        assert len(apart["a1-b1"]) == 2
        assert not apart["b1-a2"], "there the slanting line leads to another point"

    def test_wrong_requests_name_the_nearest(self) -> None:
        record = the_slab()
        with pytest.raises(WrongRequest) as caught:
            check_wear(record, "coriovalum", of="line", games=0, players="randm")
        assert "randm" in str(caught.value)
        with pytest.raises(WrongRequest) as caught:
            check_wear(record, "coriovalum", of="line", games=0)
        assert {problem.nearest for problem in caught.value.problems} >= {"coriovallum", "lines"}
        with pytest.raises(WrongRequest, match="no board"):
            check_wear(builders.evidence(9), "coriovallum")


class MadeTests(TestCase):
    def test_a_made_candidate_that_is_known_is_told(self) -> None:
        made = {"vary": {"first_pieces": [2, 3], "second_pieces": [1]}}
        row = WEAR.request(check_wear(the_slab(), made, games=4, cap=20), announce=False)
        play_to_end(WEAR.batches_of(row), True, OutputWrapper(io.StringIO()))
        assert WEAR.conclude(row)
        page = " ".join(self.client.get(row.get_absolute_url()).content.decode().split())
        assert "in the set: haretavl-no-extension-joined-diagonal" in page
        assert "2 of 2 candidates are solved" in page


class WearTests(TestCase):
    record: Evidence

    @classmethod
    def setUpTestData(cls) -> None:
        cls.record = builders.evidence(9, quotation="", without_words=True, board=canonical_board(SQUARE))
        cls.names = [rulesets.save(parse(document)).hash for document in (HUNT, THREE)]
        # Of the square and its diagonals: sides are worn less, and something that no play can show.
        seen(cls.record, 1, ["a1-b2", "b2-c3"], ["a1-c1"])

    def played(self, games: int = 200) -> WearStudy:
        row = WEAR.request(check_wear(self.record, self.names, games=games), announce=False)
        play_to_end(WEAR.batches_of(row), True, OutputWrapper(io.StringIO()))
        assert WEAR.conclude(row)
        return row

    def test_document_page_and_api(self) -> None:
        row = self.played()
        document = row.document
        assert [one["hash"] for one in document["candidates"]] == self.names
        (side,) = document["sides"]
        for candidate, one in zip(document["candidates"], side["candidates"], strict=True):
            assert sum(value for value, _, _ in one["shares"].values()) == pytest.approx(1, abs=1e-5)
            assert sum(map(len, candidate["orbits"])) == len(one["shares"]) == 8
            assert one["games"] == 200 == one["won"] + one["drawn"] + one["unfinished"]
            (told,), shares = one["told"], one["shares"]
            diagonals = (shares["a1-b2"][0] + shares["b2-c3"][0]) / 2
            assert told["difference"][0] == pytest.approx(diagonals - shares["a1-c1"][0], abs=2e-6)
            low, high = told["difference"][1:]
            assert told["verdict"] == ("agrees" if low > 0 else "disagrees" if high < 0 else "cannot_tell")
        page = self.client.get(row.get_absolute_url()).content.decode()
        assert "This does not show which game was played." in page
        text = " ".join(BeautifulSoup(page, "lxml").select_one("main").text.split())
        assert "a1-b2, b2-c3 more worn than a1-c1 (certain; observation 1)" in text
        most, (share, _, _) = max(side["candidates"][0]["shares"].items(), key=lambda one: one[1][0])
        assert f"Most: {most} {100 * share:.1f} %, " in text, "for those who cannot point at a picture"
        assert "2 dogs, 1 hare</a> <code" in page
        assert "what 2 candidates would leave, by random players" in page.partition("</title>")[0]
        assert "better than chance would" in page
        drawn = self.client.get(f"{row.get_absolute_url()}1.svg")
        assert drawn.status_code == 200
        assert "of the moves" in drawn.content.decode()
        assert self.client.get(f"{row.get_absolute_url()}3.svg").status_code == 404
        assert "Can force a win" not in page
        solution = {"method": "retrograde", "first_moves": [], "line": {"names": []}, "positions": {}, "ends": {}}
        start = {"mover": 0, "value": "first_wins", "plies": 9}
        Solution.objects.create(
            ruleset_id=self.names[1],
            state=Solution.State.DONE,
            family_version=family("points").rules_version,
            document={**solution, "start": start, "longest": []},
        )
        page = " ".join(self.client.get(row.get_absolute_url()).content.decode().split())
        assert (
            "1 of 2 candidates is solved: every position was looked at. In 1 of these one side can force a win" in page
        )
        assert "<td>first, in 9 </td>" in page
        found = self.client.get(f"/api/v1/wear/{row.id}/").json()
        assert {name: one["start"] for name, one in found["solved"].items()} == {self.names[1]: start}
        assert found["document"] == document
        cited = self.client.get(f"/cite/wear/{row.id}.bib").content.decode()
        assert f"@misc{{wear-{row.id}," in cited
        assert (
            "2 candidate rulesets. Players: random players. 200 games of each, seed 1, held against 1 observed order."
            in cited
        )
        shares = list(
            csv.DictReader(io.StringIO(self.client.get(f"{row.get_absolute_url()}shares.csv").content.decode()))
        )
        assert len(shares) == 2 * 8
        first = side["candidates"][0]["shares"]
        assert [float(shares[0][name]) for name in ("share", "low", "high")] == first[shares[0]["place"]]
        assert shares[0]["in_words"] == "2 dogs, 1 hare"
        sheet = self.client.get(f"{row.get_absolute_url()}figure.svg").content.decode()
        assert sheet.count("<svg") == 3
        assert "200 games of each · seed 1" in sheet
        assert self.client.get(f"{row.get_absolute_url()}figure.png").content.startswith(b"\x89PNG")
        folds = BeautifulSoup(page, "lxml").select("main details:not(.cite)")
        assert folds
        assert all("on-paper" in fold["class"] for fold in folds), "nothing is missing on paper"
        assert self.client.get(f"/id/wear/{row.id}")["Location"].endswith(row.get_absolute_url())
        assert f"/id/wear/{row.id}" in page, "as linked data"
        of_record = " ".join(self.client.get(self.record.get_absolute_url()).content.decode().split())
        link = f'<a href="{row.get_absolute_url()}">What play by 2 rulesets would leave on it</a>'
        told = f"{link}: random players, held against"
        assert told in of_record
        assert found["orders"] == [
            {"more": ["a1-b2", "b2-c3"], "less": ["a1-c1"], "certainty": "certain", "numbers": [1]}
        ]
        assert [one["id"] for one in self.client.get("/api/v1/wear/").json()["results"]] == [row.id]
        assert row.id in self.client.get("/wear/").content.decode()

    def test_batches_of_candidates_open_where_they_are_kept(self) -> None:
        """No reading has the rules of a candidate: what its games left on the board is on their page all the same."""
        another = rulesets.save(parse({**HUNT, "board": "squares_3"}))
        RulesetVersion.objects.create(slug="daramuti-parker", number=1, ruleset=another, date="2026-01-01")
        fields = {"game": self.record.game, "authority": "parker", "kind": "interpretation"}
        Reading.objects.create(slug="daramuti-parker", title="Daramuti, after Parker", **fields)
        row = self.played(20)
        kept, gone = row.batches
        assert f"/batches/{kept}/" in self.client.get(row.get_absolute_url()).content.decode()
        page = self.client.get(f"/batches/{kept}/")
        assert page.status_code == 200
        assert "Moves along lines: most at" in page.content.decode()
        assert self.client.get(f"/batches/{kept}/traffic.csv").status_code == 200
        assert self.client.get(f"/rulesets/{self.names[0]}/").status_code == 200
        assert "<title>20 games of Daramuti, candidate: 2 dogs, 1 hare;" in page.content.decode()
        Batch.objects.filter(id=gone).delete()
        page = " ".join(self.client.get(row.get_absolute_url()).content.decode().split())
        assert f'<code>{gone}</code> <span class="soft small">not kept here</span>' in page

    def test_other_players_may_leave_something_else(self) -> None:
        """Shares by hand: the other players leave most on a side of the square where these leave it on a diagonal."""
        row, other = self.played(20), self.played(21)
        other.terms["players"] = "greedy,greedy"
        for study, most in ((row, "a1-b2"), (other, "a1-c1")):
            for one in study.document["sides"][0]["candidates"]:
                one["shares"] = {name: [float(name == most), 0.0, 1.0] for name in one["shares"]}
                one["told"][0]["verdict"] = "agrees" if most == "a1-b2" else "disagrees"
            study.document["sides"][0]["classes"] = [[0, 1]]
            study.save()
        page = " ".join(self.client.get(row.get_absolute_url()).content.decode().split())
        assert f'<a href="{other.get_absolute_url()}">Greedy players' in page
        assert "Of the 2 candidates that both studies have, 2 leave something else: another line is used most." in page
        assert "In 2 play goes the other way on what was seen" in page
        told = " ".join(self.client.get(other.get_absolute_url()).content.decode().split())
        assert "In none does play leave all that was seen." in told
        assert "Candidates that these observations cannot tell apart: 1 class<" in told
        assert "2 candidates. A1-b2, b2-c3 over a1-c1: the other way round." in told

    def test_what_a_study_does_not_use_is_said(self) -> None:
        """An observation is used, or listed with why not; and those that came later can be asked about."""
        Observation.objects.all().delete()
        graded = {"observer": "R. Reader", "means": "eye", "certainty": "likely", "evidence": self.record}
        Observation.objects.create(number=1, places=["a1-c1"], grade="slight", **graded)
        Observation.objects.create(number=2, of="points", places=["a1"], than=["c1"], **graded)
        row = self.played(20)

        def page() -> str:
            return " ".join(self.client.get(row.get_absolute_url()).content.decode().split())

        told = page()
        assert "Nobody has recorded yet" not in told
        for why in ("a grade alone is no order", "it is of points, and lines are looked at"):
            assert f"), because {why}" in told
        assert "Ask again with the observations of today" not in told
        seen(self.record, 3, ["a1-b2"], ["a1-c1"])
        seen(self.record, 4, ["a1-c1"], ["a1-b2"])
        told = page()
        assert told.count("because it was entered or changed after this study was made") == 2
        assert "Ask again with the observations of today" in told
        row = self.played(20)
        told = page()
        assert "This contradicts observation 4: observers disagree" in told
        assert "Observations contradict each other, so that no play can leave all that was seen." in told
        assert "Not used here: <a" in told
        Observation.objects.all().delete()
        assert "Those on the record are others today" in page()

    def test_a_study_that_takes_days_is_refused_to_all(self) -> None:
        for games in (300_000, 99_000_000):
            with pytest.raises(WrongRequest, match="nobody may ask for more than") as caught:
                check_wear(self.record, self.names, games=games, players="strong")
            (problem,) = caught.value.problems
            assert problem.key == "games", "once, and not of every candidate"
        assert check_wear(self.record, self.names, games=77_000, players="strong")

    def test_whether_play_is_lopsided_is_told(self) -> None:
        """Pieces that are laid leave the square as symmetrical as it is; one that is placed tells its sides apart."""
        aside = rulesets.save(parse({**HUNT, "first_array": ["a1", "c1"], "second_array": ["a3"]})).hash
        row = WEAR.request(check_wear(self.record, [*self.names, aside], games=200), announce=False)
        play_to_end(WEAR.batches_of(row), True, OutputWrapper(io.StringIO()))
        assert WEAR.conclude(row)
        *laid, last = row.document["sides"][0]["candidates"]
        assert last["lopsided"] is None
        for one in laid:
            found = one["lopsided"]
            assert one["shares"][found["place"]][0] == pytest.approx(found["share"], abs=1e-6)
            assert (found["is_lopsided"], found["by_lot"] > 0.05, found["share"] >= found["even"]) == (
                False,
                True,
                True,
            )
        address = row.get_absolute_url()
        page = " ".join(self.client.get(address).content.decode().split())
        assert "The rules of 2 of 3 candidates do not tell one side of the board from the other" in page
        assert "Play does not tell them apart either: lines that lie alike are used alike." in page
        assert "2 candidates were tested, each once. Each p is corrected for the number of tests (Holm)" in page
        assert '<a href="/about/symmetry/">' in page
        lines = list(csv.DictReader(io.StringIO(self.client.get(f"{address}candidates.csv").content.decode())))
        assert [line["symmetrical"] for line in lines] == ["True", "True", "False"]
        assert [line["lopsided_p"] for line in lines] == [*(str(one["lopsided"]["by_lot"]) for one in laid), ""]
        # As a study of players who prefer a side would tell it, and one from before this was tested.
        laid[0]["lopsided"] |= {"is_lopsided": True, "by_lot": 0.012, "place": "a1-c1", "share": 0.2, "even": 0.15}
        row.save()
        page = " ".join(self.client.get(address).content.decode().split())
        assert "Play by 1 candidate does: what these wear on one side comes from how the players choose" in page
        assert "a1-c1 has 20.0 % of the moves, where an even share is 15.0 % (p = 0.012)" in page
        row.document = without_lopsided(row.document)
        row.save()
        assert "Is one side of the board used more?" not in self.client.get(address).content.decode()

    @pytest.mark.by_turns
    def test_an_edition_ships_it_without_its_batches(self) -> None:
        shown = self.played(20)
        part = Part(WEAR_PARTS, "x random", "", "random", check_wear(self.record, self.names, games=20))
        with tempfile.TemporaryDirectory() as place:
            folder = EditionFolder(Path(place))
            write(folder, part)
            assert verify(folder, part, lambda batch: None).differences == ()
            document = folder.read(part.kind, part.id)
            for kept in (document["document"]["sides"][0]["candidates"][0]["shares"], document["batches"]):
                key = next(iter(kept))
                kept[key], right = "another", kept[key]
                folder.write(part.kind, part.id, document)
                assert len(verify(folder, part, lambda batch: None).differences) == 1
                kept[key] = right
            before = {**document, "document": without_lopsided(copy.deepcopy(document["document"]))}
            folder.write(part.kind, part.id, before)
            assert verify(folder, part, lambda batch: None).differences == (), "of before lopsidedness was tested"
            folder.write(part.kind, part.id, document)
            WearStudy.objects.all().delete()
            Batch.objects.all().delete()
            Ruleset.objects.filter(hash__in=self.names).delete()
            assert load(folder).new[WEAR_PARTS] == 1
        row = WEAR.kept(part.id)
        assert row is not None
        assert row.document == shown.document
        page = self.client.get(row.get_absolute_url()).content.decode()
        assert f"<code>{part.requests[0].id}</code>" in page, "named, and no link to what is not here"
        assert self.client.get(f"{row.get_absolute_url()}1.svg").status_code == 200, "its rules came with it"

    @pytest.mark.by_turns
    def test_an_edition_ships_the_traffic_of_a_reading(self) -> None:
        asked = check_wear(self.record, self.names[:1], games=30)
        part = Part(TRAFFIC, "x random", "", "random", asked.requests[0])
        (batch,) = request_all(part.requests, announce=False)
        play_to_end([batch], True, OutputWrapper(io.StringIO()))
        figures, whole = Traffic.objects.get(batch=batch).figures, WEAR.concluded(asked).document
        with tempfile.TemporaryDirectory() as place:
            folder = EditionFolder(Path(place))
            write(folder, part)
            assert verify(folder, part, lambda batch: None).differences == ()
            document = folder.read(part.kind, part.id)
            document["traffic"]["figures"]["unfinished"] += 1
            folder.write(part.kind, part.id, document)
            (said,) = verify(folder, part, lambda batch: None).differences
            assert said == "traffic is not what is computed from its games"
            write(folder, part)
            WearStudy.objects.all().delete()
            Batch.objects.all().delete()
            assert load(folder).new[TRAFFIC] == 1
        kept = Batch.objects.get(id=part.id)
        assert (kept.counts_traffic, kept.rows_kept, kept.origin) == (True, False, Batch.Origin.COMMAND)
        assert (kept.traffic.figures, bytes(kept.traffic.sums)) == (figures, b"")
        assert self.client.get(f"/api/v1/batches/{kept.id}/traffic/").json()["kinds"] == figures["kinds"]
        listed = {word: self.client.get(f"/api/v1/batches/?counts_traffic={word}").json() for word in ("yes", "no")}
        assert [[one["id"] for one in listed[word]["results"]] for word in ("yes", "no")] == [[kept.id], []]
        again = WEAR.concluded(asked).document
        for one in (again, whole):
            del one["sides"][0]["candidates"][0]["digest"]  # of the tally now: rows are not shipped
        assert again == whole, "whose sums are those of the games played again"

    def test_players_without_fault_are_a_level(self) -> None:
        with pytest.raises(WrongRequest, match="this is not; the nearest is 'strong'"):
            check_wear(self.record, self.names, games=200, players="faultless")
        for name in self.names:
            solve_and_keep(rulesets.find(name))
        row = WEAR.request(check_wear(self.record, self.names, games=200, players="faultless"), announce=False)
        play_to_end(WEAR.batches_of(row), True, OutputWrapper(io.StringIO()))
        assert WEAR.conclude(row)
        (side,) = row.document["sides"]
        assert side["played_by"] == "faultless,faultless"
        proved = solved("", self.names)
        for name, one in zip(self.names, side["candidates"], strict=True):
            start = proved[name]["start"]
            assert (one["won"], one["turns"]) == ((200, start["plies"]) if start["plies"] else (0, 200))
        page = self.client.get(row.get_absolute_url()).content.decode()
        assert "players without fault, by a table of all positions" in page

    def test_candidates_are_made_by_varying_rules(self) -> None:
        """Two or three dogs, laid or placed, either begins: once each, and kept so that the study is known again."""
        form = f"/evidence/{self.record}/wear/"
        page = self.client.get(form).content.decode()
        assert "Pieces of the first player (dogs)" in page
        sent = {
            "first_pieces": "2-3", "second_pieces": "1", "begins": "first,second", "setup": "laid,placed",
            "first_at": "a1 c1 a3", "second_at": "c3", "games": "4", "seed": "1", "cap": "20", "candidates": "",
        }  # fmt: skip
        asked = self.client.post(form, sent)
        assert asked.status_code == 302, asked.content.decode()
        row = WearStudy.objects.get()
        assert len(row.names) == 8
        assert "first_pieces=3 second_pieces=1 begins=second setup=placed" in row.names
        made = {
            "vary": {
                "first_pieces": [2, 3], "second_pieces": [1],
                "begins": ["first", "second"], "setup": ["laid", "placed"],
            },
            "places": {"first": ["a1", "c1", "a3"], "second": ["c3"]},
        }  # fmt: skip
        assert row.terms["made"] == made
        again = {"record": str(self.record), "candidates": made, "games": 4, "cap": 20, "players": "random,random"}
        answer = self.client.post("/api/v1/wear/", again, content_type="application/json")
        assert answer.json()["id"] == row.id
        play_to_end(WEAR.batches_of(row), True, OutputWrapper(io.StringIO()))
        assert WEAR.conclude(row), "of the row alone"
        for wrong, words in (
            ({"first_pieces": "2-400", "second_pieces": "1-9"}, "a set has at most 500"),
            ({"first_pieces": "two"}, "Numbers, as 2-4 or 2, 4."),
            ({"first_pieces": "4-2"}, "“4-2” counts down: from the smaller number to the larger, please."),
            ({"first_pieces": "0", "setup": ""}, '<p class="errors" id="id_first_pieces_error">At least 1.'),
            ({"second_pieces": "", "setup": ""}, "Say how many there are: 1, or 1-2 to try both."),
            ({"second_at": ""}, '<p class="errors" id="id_second_at_error">Names 0 points for the 1 piece'),
            ({"second_at": "a1"}, '<p class="errors" id="id_second_at_error">'),
            ({"further": "second_stock: loses"}, "second_stuck"),
            ({"base": "daramuti-parker"}, "no game on points and lines"),
            ({"base": "hare"}, "There is no ruleset “hare”: choose one of the list."),
        ):
            refused = self.client.post(form, {**sent, **wrong})
            assert (refused.status_code, words in refused.content.decode()) == (400, True), wrong
        nothing = self.client.post(form, {"games": "4", "seed": "1", "cap": "20"}).content.decode()
        assert "Are not said yet: choose a set, name rulesets, or say below which rules vary" in nothing
        like = BeautifulSoup(self.client.get(f"{form}?like={row.id}").content, "lxml")
        kept = {name: like.select_one(f"input[name={name}]")["value"] for name in ("first_pieces", "first_at", "games")}
        assert kept == {"first_pieces": "2, 3", "first_at": "a1 c1 a3", "games": "4"}
        assert like.select_one("[name=begins] [selected]")["value"] == "first,second"
        for wrong in ({"vari": {}}, {"vary": {"begins": "first"}}, {"vary": []}):
            answer = self.client.post("/api/v1/wear/", {**again, "candidates": wrong}, content_type="application/json")
            assert answer.status_code == 400, wrong
            assert answer.json()["problems"][0]["field"] == "candidates"

    def test_a_visitor_tries_observations_of_their_own(self) -> None:
        """They hold for this study only: nothing is written on the record, and the study says whose they are."""
        form = f"/evidence/{self.record}/wear/"
        sent = {"rulesets": " ".join(self.names), "games": "20", "seed": "1", "cap": "200", "players": "random"}
        for typed, words in (
            ("a1-c1", "“a1-c1” says no order: write a line for each"),
            ("a1-c1 > a1-a9", "The board has no line a1-a9; the nearest is"),
            ("a1-c1 more than a1-c1", "cannot be more worn than itself"),
        ):
            refused = self.client.post(form, {**sent, "own": typed})
            assert (refused.status_code, words in refused.content.decode()) == (400, True), typed
        mine = "a1-c1, a3-c3 more worn than b2-c3 (certain)\na1-c1 > a1-b2"
        asked = self.client.post(form, {**sent, "own": mine})
        assert asked.status_code == 302, asked.content.decode()
        row = WearStudy.objects.get()
        assert Observation.objects.count() == 1
        assert row.orders[1:] == [
            {"more": ["a1-c1", "a3-c3"], "less": ["b2-c3"], "certainty": "certain", "numbers": []},
            {"more": ["a1-c1"], "less": ["a1-b2"], "certainty": "likely", "numbers": []},
        ]
        play_to_end(WEAR.batches_of(row), True, OutputWrapper(io.StringIO()))
        assert WEAR.conclude(row), "of the row alone"
        body = {"record": str(self.record), "candidates": self.names, "games": 20, "players": "random", "own": mine}
        answer = self.client.post("/api/v1/wear/", body, content_type="application/json")
        assert answer.json()["id"] == row.id
        answer = self.client.post("/api/v1/wear/", {**body, "own": "a1"}, content_type="application/json")
        assert answer.json()["problems"][0]["field"] == "own"
        page = " ".join(self.client.get(row.get_absolute_url()).content.decode().split())
        assert "(certain; an observation for this study only)" in page
        assert "This contradicts observation 1: observers disagree" in page
        assert "Those on the record are others today" not in page
        again = BeautifulSoup(self.client.get(f"{form}?like={row.id}").content, "lxml")
        assert again.select_one("[name=own]").text.strip() == mine
        assert again.select_one("[name=rulesets]")["value"] == " ".join(self.names)
        assert again.select_one("[name=games]")["value"] == "20"
        listed = " ".join(again.select_one("main").text.split())
        assert "20 games of each, seed 1, held against 3 observed orders, some for this study only" in listed
        typed = BeautifulSoup(self.client.get(f"{form}?own=a1-c1+>+a3-c3").content, "lxml")
        assert typed.select_one("[name=own]").text.strip() == "a1-c1 > a3-c3"

    def test_pages_lead_to_the_wear_studies(self) -> None:
        for page in ("/", "/about/", "/workshop/"):
            assert 'href="/wear/"' in self.client.get(page).content.decode(), page
        game = self.client.get(self.record.game.get_absolute_url()).content.decode()
        assert f'href="/evidence/{self.record}/wear/"' in game

    def test_other_observations_are_another_study(self) -> None:
        row = WEAR.request(check_wear(self.record, self.names, games=20), announce=False)
        seen(self.record, 2, ["a1-c1"], ["a3-c3"], "doubtful")
        assert check_wear(self.record, self.names, games=20).id != row.id
        play_to_end(WEAR.batches_of(row), True, OutputWrapper(io.StringIO()))
        with pytest.raises(CannotConclude, match="observations"):
            WEAR.conclude(row)

    def test_the_form_and_the_api_ask_for_one_study(self) -> None:
        form = f"/evidence/{self.record}/wear/"
        assert "Which rules" in self.client.get(form).content.decode()
        numbers = {"games": "20", "seed": "1", "cap": "200"}
        refused = self.client.post(form, {**numbers, "rulesets": "no-such"})
        assert refused.status_code == 400
        asked = self.client.post(form, {"rulesets": " ".join(self.names), "players": ["random", "random"], **numbers})
        assert asked.status_code == 302, asked.content.decode()
        sent = {"record": str(self.record), "candidates": self.names, "games": 20, "players": "random,random"}
        answer = self.client.post("/api/v1/wear/", sent, content_type="application/json")
        assert answer.status_code == 202, answer.content
        assert asked["Location"] == f"/wear/{answer.json()['id']}/"
        waiting = self.client.get(asked["Location"]).content.decode()
        assert "of 40 games are done" in waiting
        cancel = f"/analyses/wear/{answer.json()['id']}/cancel/"
        assert f'action="{cancel}"' in waiting
        assert Client().post(cancel).status_code == 403, "another reader may not"
        stopped = self.client.post(cancel, follow=True).content.decode()
        assert "The wear study was cancelled." in stopped
        assert "Start it again" in stopped
        priced = self.client.post(form, {**numbers, "rulesets": " ".join(self.names), "estimate": "yes"}, headers=HTMX)
        assert "20 games of each of 2 candidates" in " ".join(priced.content.decode().split())
        assert WearStudy.objects.count() == 1, "asking what it takes asks for nothing"
        for wrong in ({"candidates": 7}, {"record": "none"}, {"of": "points of view"}):
            assert (
                self.client.post("/api/v1/wear/", {**sent, **wrong}, content_type="application/json").status_code == 400
            )
