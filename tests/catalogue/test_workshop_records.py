"""Records entered in the workshop: from nothing, from a page of the portal, from an object; words corrected."""

from pathlib import Path
from typing import Any, ClassVar

import pytest
from bs4 import BeautifulSoup
from django.test import Client, TestCase

from catalogue.models import Anchor, Clause, Evidence, Game, GameName, Reading, Source
from catalogue.texts.anchors import digest_of
from catalogue.texts.dates import DateProblem, edtf_of_words, our_years_of, years
from catalogue.workshop.sources import SourceProblem, new_source, read_source
from tests import builders
from tests.catalogue.members import member

NEW, IMPORT = "/workshop/records/new/", "/workshop/records/import/"
BIBTEX = """@article{d, author = {Das-Gupta, Hem Chandra and M{\\"u}ller, J. and {de Voogt}, Alex},
 title = {A few types of {Sedentary} Games}, journal = {JASB}, year = 1923, volume = 19, number = 4,
 pages = {143--148}, doi = {10.1000/xyz.123}}"""
PRINTED = "Ludovisi, L. 1904. Un piccolo gioco. Roma: Loescher."
QUOTATION = "‘The last counter\r\nfalls  into an empty hole.’ "
TYPED = {
    "quotation": QUOTATION,
    "source": "parker-1909",
    "locator": "597-598",
    "game": "Daramuti",
    "place": "Sri Lanka",
    "date_words": "the 1890s",
    "type": "Ethnography",
}


class TestSources(TestCase):
    def test_bibtex_is_taken_apart(self) -> None:
        source = new_source(read_source(BIBTEX).parts, "")
        assert (source.key, source.year, source.container) == ("das-gupta-1923", 1923, "JASB")
        assert source.authors == "Das-Gupta, Hem Chandra; Müller, J.; de Voogt, Alex"
        assert source.title == "A few types of Sedentary Games"
        assert (source.volume, source.pages) == ("19(4)", "143-148")
        assert source.address == "https://doi.org/10.1000/xyz.123"
        assert source.as_printed.startswith("Das-Gupta, Hem Chandra")
        assert "<i>" not in source.as_printed

    def test_a_printed_reference_is_read_as_those_of_the_portal_are(self) -> None:
        read = read_source(f"  {PRINTED}\n")
        assert read.as_printed == PRINTED
        assert (read.parts["year"], read.parts["place"], read.parts["publisher"]) == (1904, "Roma", "Loescher")

    def test_a_doi_is_an_address(self) -> None:
        for typed in (
            "10.15184/aqy.2025.10264",
            "doi:10.15184/aqy.2025.10264",
            "https://doi.org/10.15184/aqy.2025.10264",
        ):
            assert read_source(typed).parts == {"address": "https://doi.org/10.15184/aqy.2025.10264"}
        within = "Crist, W. 2026. Board games. Antiquity 100: 1-9. doi:10.15184/aqy.2025.10264."
        assert read_source(within).parts["address"] == "https://doi.org/10.15184/aqy.2025.10264"

    def test_what_is_here_is_found_by_key_and_by_its_reference(self) -> None:
        here = builders.a_source()
        assert read_source("parker-1909").here == here
        assert read_source(f"{builders.PARKER}  ").here == here

    def test_what_cannot_be_read_is_said(self) -> None:
        for typed, said in (
            ("@article{x, author={P", "cannot be read"),
            ("@book{a, title={A}}\n@book{b, title={B}}", "2 entries"),
            ("@comment{nothing}", "0 entries"),
            ("", "Paste a reference"),
            ("x" * 30_000, "at most 20,000"),
        ):
            with pytest.raises(SourceProblem, match=said):
                read_source(typed)


@pytest.mark.parametrize(
    ("words", "edtf"),
    [("1909", "1909"), ("ca. 1880", "1880~"), ("the 1890s", "189X"), ("19th century", "18XX"), ("1873–74", "1873/1874"),
     ("1873 to 1909", "1873/1909"), ("the 250s", "025X"),
     ("700–601 BC", "-0699/-0600"), ("189X", "189X"), ("Lent", ""), ("", ""),
     ("c1880", "1880~"), ("c. 500 BC", "-0499~"), ("c. AD 50", "0050~"), ("c. 3000–2500 BCE", "-2999~/-2499"),
     ("3rd c. BC", "-0299/-0200"), ("1st century BC", "-0099/0000"), ("1st century AD", "0001/0099"),
     ("2nd c. BC–1st c. AD", "-0199/0099"), ("3rd millennium BC", "-2999/-2000"), ("XIXe siècle", "18XX"),
     ("late 18th century", "17XX"), ("early to mid-19th century", "18XX"), ("turn of the 20th century", ""),
     ("late 18th to early 19th century", "17XX/18XX"), ("18th or 19th century", "17XX/18XX"), ("1800s", "18XX"),
     ("the 190s BC", "-0198/-0189"), ("1890s–1910s", "189X/191X"), ("1873–9", "1873/1879"),
     ("before 1500", "../1500"), ("before the 3rd century BC", "../-0200"), ("1909 onwards", "1909/.."),
     ("1909 (?)", "1909?"), ("[1909]", "1909?"), ("[c. 1909]", "1909%"), ("between 1873 and 1909", "1873/1909"),
     ("Sept. 1900", "1900-09"), ("15th June, 1923", "1923-06-15"), ("Fall 1923", "1923-23"),
     ("June–December 1923", "1923-06/1923-12"), ("c. 50 BC–AD 50", "-0049~/0050"), ("27 BC–14 AD", "-0026/0014"),
     ("100 BC – 50", ""), ("500 v. Chr.", "-0499"), ("500 a.C.", "-0499"), ("500 до н. э.", "-0499"),
     # Years of other calendars are kept as printed, and are no years of ours.
     ("600 AH", ""), ("A.H. 600", ""), ("2450 BE", ""), ("B.E. 2450", ""), ("Śaka 1830", ""), ("1830 Saka", ""),
     ("Vikram Samvat 1966", ""), ("1966 V.S.", ""), ("AM 5669", ""), ("3000 BP", ""), ("Meiji 42", ""),
     ("1288 SH", "")],
)  # fmt: skip
def test_dates_are_read_as_books_print_them(words: str, edtf: str) -> None:
    assert edtf_of_words(words) == edtf


@pytest.mark.parametrize(
    ("words", "ours"),
    [("600 AH", "1203/1204"), ("A.H. 1", "0622/0623"), ("AH 1327", "1909/1910"), ("1288 SH", "1909/1910"),
     ("2450 BE", "1906/1908"), ("Śaka 1830", "1908/1909"), ("1966 V.S.", "1909/1910"),
     ("Vikram Samvat 1", "-0056/-0055"), ("AM 5669", "1908/1909"), ("3000 BP", ""), ("1909", "")],
)  # fmt: skip
def test_years_of_ours_are_offered_for_other_calendars(words: str, ours: str) -> None:
    assert our_years_of(words) == ours


def test_a_span_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(DateProblem, match="did you mean 1873/1874"):
        edtf_of_words("1874-1873")
    with pytest.raises(DateProblem, match="did you mean -0699/-0600"):
        edtf_of_words("601–700 BC")


def bounds_of(printed: str) -> dict[str, int | None]:
    first, last = years(edtf_of_words(printed))
    return {"year_earliest": first, "year_latest": last}


class Entering(TestCase):
    editor: ClassVar[Client]

    @classmethod
    def setUpTestData(cls) -> None:
        cls.game, cls.place, cls.source = builders.a_game(), builders.a_place(), builders.a_source()
        cls.editor = Client()
        cls.editor.force_login(member("editor"))

    def page(self, **typed: str) -> BeautifulSoup:
        return BeautifulSoup(self.editor.post(NEW, {**TYPED, **typed}).content, "lxml")

    def wrong(self, **typed: str) -> dict[str, str]:
        page = self.page(save="", **typed)
        return {
            one["id"].removeprefix("id_").removesuffix("_error"): one.get_text() for one in page.select(".errors[id]")
        }

    def save(self, **typed: str) -> Evidence:
        answer = self.editor.post(NEW, {**TYPED, "save": "", **typed})
        assert answer.status_code == 302, BeautifulSoup(answer.content, "lxml").main.get_text()
        return Evidence.objects.order_by("pk").last()

    def test_it_is_shown_as_it_is_understood_and_then_saved(self) -> None:
        shown = self.page().select_one(".understood").get_text(" ", strip=True)
        assert "189X" in shown
        assert "here already" in shown
        assert not Evidence.objects.exists()
        record = self.save()
        assert (record.identifier, record.game, record.type) == ("ETG.Evidence.1", self.game, "Ethnography")
        assert record.quotation == "‘The last counter\nfalls  into an empty hole.’ ", "not a blank is changed"
        assert (record.year_earliest, record.year_latest) == (1890, 1899)
        assert list(record.places.all()) == [self.place]
        (citation,) = record.citations.all()
        assert (citation.source, citation.role, citation.locator) == (self.source, "quoted", "597-598")
        (revision,) = record.history.all()
        assert (revision.history_type, revision.history_user.username) == ("+", "editor")
        assert self.client.get(record.get_absolute_url()).status_code == 200
        assert self.editor.get(f"/workshop/records/{record.identifier}/").status_code == 200
        assert self.save(game="Kotu").identifier == "ETG.Evidence.2"

    def test_a_source_is_made_from_what_is_pasted_and_corrected(self) -> None:
        page = self.page(source=BIBTEX)
        assert page.select_one("#id_title")["value"] == "A few types of Sedentary Games"
        typed = {one["name"]: one.get("value", "") for one in page.select(".parts-of-source input")}
        kept = page.select_one("[name=parsed_from]")["value"]
        record = self.save(source=BIBTEX, **{**typed, "parsed_from": kept, "year": "1924"})
        made = record.sources.get()
        assert (made.year, made.key) == (1924, "das-gupta-1924")

    def test_a_source_of_the_same_name_and_year_is_asked_about(self) -> None:
        near = "Parker, H. 1909. Village Folk-Tales. London: Luzac."
        assert "say which" in self.wrong(source=near)["source_is"]
        assert self.save(source=near, source_is="parker-1909").sources.get() == self.source
        assert self.save(source=near, source_is="new").sources.get().title == "Village Folk-Tales"

    def test_names_that_are_nearly_known_are_asked_about(self) -> None:
        wrong = self.wrong(place="Sri Lamka", game="daramutti")
        assert set(wrong) == {"place_is_0", "game_is"}
        record = self.save(place="Sri Lamka", game="daramutti", place_is_0="new", game_is="daramuti")
        assert (record.game, record.places.get().name) == (self.game, "Sri Lamka")
        GameName.objects.create(game=self.game, name="Daramutu")
        assert self.save(game="daramutu").game == self.game

    def test_places_are_known_by_what_they_were_called(self) -> None:
        typed = {"place": "Ceylon", "quotation": "Other words."}
        assert "Did you mean Sri Lanka, by “Ceylon”?" in self.page(**typed).select_one(".asked").text
        assert list(self.save(**typed, place_is_0="sri-lanka").places.all()) == [self.place]

    def test_words_that_are_here_already_are_asked_about(self) -> None:
        words = "‘The last counter falls into an empty hole, and what lies opposite is taken by him who sowed.’"
        record = self.save(quotation=words)
        part = {"quotation": words.replace(" falls", "\nfalls").partition(" who")[0]}
        for typed in ({"quotation": f"He says: {words} (Parker 1909)"}, part):
            assert str(record) in self.page(**typed).select_one(".asked").text
            assert "Go on with" in self.wrong(**typed, quotation_is=str(record))["quotation_is"]
        assert self.save(**part, quotation_is="new") != record

    def test_years_that_are_not_sure_are_shown_so(self) -> None:
        for printed, shown in (
            ("c. 1200", "c. 1200"),
            ("1909 (?)", "1909?"),
            ("[c. 1909]", "c. 1909?"),
            ("1909", "1909"),
        ):
            assert Evidence(date_edtf=edtf_of_words(printed), **bounds_of(printed)).years_in_words == shown

    def test_new_games_and_places_are_made(self) -> None:
        record = self.save(game="Xiangqi", place="Ulaanbaatar; Tōkyō")
        assert record.game == Game.objects.get(slug="xiangqi")
        assert set(record.places.values_list("slug", flat=True)) == {"ulaanbaatar", "tokyo"}

    def test_an_artefact_has_no_words(self) -> None:
        doi = "10.15184/aqy.2025.10264"
        typed = {"quotation": "", "without_words": "on", "type": "Artifact", "source": doi, "game": "A slab"}
        assert set(self.wrong(**typed)) == {"title"}, "a DOI alone tells no title"
        record = self.save(**typed, parsed_from=doi, title="Board games")
        assert (record.without_words, record.quotation) == (True, "")
        assert record.citations.get().role == "referred-to"
        page = self.client.get(record.get_absolute_url()).content.decode()
        assert "an artefact without words" in page
        assert self.wrong(without_words="on")["without_words"]

    def test_each_mistake_is_named_and_nothing_typed_is_lost(self) -> None:
        assert set(self.wrong(quotation=" \n", source="", game="", type="")) == {"quotation", "source", "game", "type"}
        assert "“Lent” tells no years" in self.wrong(date_words="Lent")["date_edtf"]
        assert "write 1203/1204 here" in self.wrong(date_words="600 AH")["date_edtf"]
        assert "did you mean 1873/1909" in self.wrong(date_edtf="1909/1873")["date_edtf"]
        assert "cannot be read" in self.wrong(source="@article{x")["source"]
        builders.evidence(5)
        assert "here already" in self.wrong(identifier="DLP.Evidence.5")["identifier"]
        assert self.wrong(identifier="no such/name")["identifier"]
        page = self.page(save="", date_words="Lent", quotation="<script>x</script>")
        assert page.select_one("#id_quotation").get_text().strip() == "<script>x</script>"

    def test_an_undated_record_is_an_ordinary_one(self) -> None:
        assert self.save(date_words="undated").date_edtf == ""
        assert self.save(date_words="Lent", date_edtf="1873?").year_latest == 1873

    def test_only_for_those_who_may_add_records(self) -> None:
        for role in ("", "contributor"):
            client = Client()
            if role:
                client.force_login(member(role))
            for address in (NEW, IMPORT):
                assert client.get(address).status_code == 403
                assert client.post(address, TYPED).status_code == 403

    @pytest.mark.by_turns
    def test_a_page_of_the_portal_is_taken_in(self) -> None:
        page = (Path(__file__).parent / "pages").glob("*.txt")
        text = sorted(page)[0].read_text(encoding="utf-8")
        assert "no evidence page" in self.editor.post(IMPORT, {"page": "Nothing."}).content.decode()
        assert self.editor.post(IMPORT, {"page": text}).status_code in (200, 302)
        assert Evidence.objects.filter(identifier__startswith="DLP.").exists()
        assert "Nothing new" in self.editor.post(IMPORT, {"page": text}).content.decode()


class CorrectingTests(TestCase):
    """Anchors follow their words, in the workshop as in the admin, in the look before as in the saving."""

    TEXT = (
        "He takes six out of any hole of his own row and sows them to the left, one in each hole that he comes to; "
        "his neighbour looks on, and may count what is left of the twenty-four. If the last seed falls into an empty "
        "hole then nothing is won by him. Whoever has no more seeds of his own lends none and passes, as at home. "
        "Only when both of them are content, and without another word, the turn ends there for good."
    )

    @classmethod
    def setUpTestData(cls) -> None:
        cls.record, cls.places = builders.evidence(quotation=cls.TEXT), []
        reading = Reading.objects.create(
            slug="r", title="R", game=cls.record.game, authority="a", kind="interpretation"
        )
        reading.evidence.add(cls.record)
        clause = Clause.objects.create(reading=reading, slug="c", basis="stated", text="A rule.")
        for number, words in enumerate(("takes six", "last seed falls", "the turn ends"), start=1):
            start = cls.TEXT.index(words)
            cls.places.append(start)
            Anchor.objects.create(
                key=f"clause/r/c/supports/{number}", clause=clause, evidence=cls.record, field="content", exact=words,
                start=start, end=start + len(words), text_sha256=digest_of(cls.TEXT),
            )  # fmt: skip
        cls.editor = Client()
        cls.editor.force_login(member("editor"))

    def send(self, text: str, **more: str) -> Any:
        address = f"/workshop/records/{self.record}/words/"
        seen = BeautifulSoup(self.editor.get(address).content, "lxml").select_one("[name=seen]")["value"]
        typed = {"quotation": text, "type": "Ethnography", "date_words": "1909-01-01 - 1909-12-31", "reason": "A slip."}
        return self.editor.post(address, {**typed, "seen": seen, **more})

    def test_two_editors_at_once_lose_nothing(self) -> None:
        page = BeautifulSoup(self.send("Mine.", seen="of an earlier page").content, "lxml")
        assert "Somebody saved this record meanwhile" in page.get_text()
        assert self.TEXT in page.select_one("section .quotation").get_text()
        assert page.select_one("#id_quotation").get_text().strip() == "Mine."
        self.record.refresh_from_db()
        assert self.record.quotation == self.TEXT
        assert self.send("Mine.", seen=page.select_one("[name=seen]")["value"]).status_code == 302

    def test_a_look_says_what_would_become_of_them_and_saves_nothing(self) -> None:
        changed = f"Here it begins. {self.TEXT.replace('seed', 'counter')}"
        page = BeautifulSoup(self.send(changed, look="", reason="").content, "lxml")
        note = page.select_one("#carried").get_text()
        assert note == "Nothing is saved yet. 2 of 3 anchors found again, 1 needs you: on the desk."
        assert "last seed falls" in page.select_one(".note li").get_text()
        self.record.refresh_from_db()
        assert (self.record.quotation, self.record.history.count()) == (self.TEXT, 1)
        assert all(anchor.problem() == "" for anchor in Anchor.objects.all())

    def test_saving_carries_them_along(self) -> None:
        answer = self.send(f"Here it begins. {self.TEXT}")
        page = self.editor.get(answer["Location"]).content.decode()
        assert "3 of 3 anchors found again." in page
        assert [anchor.problem() for anchor in Anchor.objects.all()] == ["", "", ""]
        assert [anchor.start - 16 for anchor in Anchor.objects.order_by("key")] == self.places
        assert self.record.history.latest().history_change_reason == "A slip."

    def test_the_page_is_previewed_with_its_anchors_carried(self) -> None:
        page = BeautifulSoup(self.send(f"Here it begins. {self.TEXT}", _preview="", reason="").content, "lxml")
        assert page.select_one("main > p.note").get_text().startswith("Preview.")
        assert "3 of 3 anchors found again." in page.get_text()
        assert "Here it begins." in page.select_one(".quotation").get_text()
        assert len(page.select(".quotation a.words")) == 3
        self.record.refresh_from_db()
        assert self.record.quotation == self.TEXT

    def test_a_reason_and_some_words_are_asked_for(self) -> None:
        assert "id_reason_error" in self.send("Other.", reason="").content.decode()
        assert "A record says something" in self.send("").content.decode()

    def test_a_date_that_nobody_changed_is_not_asked_about(self) -> None:
        nothing = {"date_edtf": "", "year_earliest": None, "year_latest": None}
        Evidence.objects.update(date_words="600 AH", **nothing)
        assert self.send(self.TEXT, date_words="600 AH").status_code == 302
        assert self.send(self.TEXT, date_words="601 AH").status_code == 400


class DeskTests(TestCase):
    def test_everybody_finds_the_way_that_is_his(self) -> None:
        found = {}
        for role in ("", "contributor", "editor"):
            client = Client()
            if role:
                client.force_login(member(role))
            page = BeautifulSoup(client.get("/workshop/").content, "lxml")
            found[role] = (page.h1.get_text(), [one.get_text() for one in page.select(".ways h2")])
        assert found[""][0] == "The workshop"
        assert found["editor"][0] == found["contributor"][0] == "The desk"
        assert "Enter a record" in found["editor"][1]
        assert "Enter a record" not in found["contributor"][1] + found[""][1]
        assert "For editors" in found[""][1]


def test_a_new_source_gets_a_key_of_its_own(db: None) -> None:
    builders.a_source()
    made = new_source({"authors": "Parker, H.", "year": 1909, "title": "Another"}, "")
    assert made.key == "parker-1909-b"
    assert not Source.objects.filter(key=made.key).exists()
