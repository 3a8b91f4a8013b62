"""`import_portal`: what is written, what is left alone, and how the command ends."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from django.core.management import CommandError, call_command
from django.test import TestCase

from catalogue.models import Citation, Evidence, Game, Place, Source
from catalogue.portal.dump.dates_and_places import kml_names
from catalogue.portal.page_import import read_files
from catalogue.portal.record_pages import NoPortalPage, page_text
from tests.catalogue.portal_layouts import PAGE_FILES, PAGES, as_html_table, on_lines, on_one_line, read_file

pytestmark = pytest.mark.django_db


def run(*files: Path | str, code: int = 0, **options: object) -> tuple[dict, str]:
    """The JSON document and what went to stderr; `code` is the exit status to expect."""
    out, err = io.StringIO(), io.StringIO()
    if code:
        with pytest.raises(CommandError) as failure:
            call_command("import_portal", *map(str, files), json=True, stdout=out, stderr=err, **options)
        assert failure.value.returncode == code
        err.write(str(failure.value))
    else:
        call_command("import_portal", *map(str, files), json=True, stdout=out, stderr=err, **options)
    return json.loads(out.getvalue() or "{}"), err.getvalue()


def everything() -> list[list[tuple]]:
    return [list(model.objects.order_by("pk").values_list()) for model in (Evidence, Citation, Source, Game, Place)]


class FivePagesTests(TestCase):
    report: ClassVar[dict]

    @classmethod
    def setUpTestData(cls) -> None:
        cls.report, _ = run(*PAGE_FILES)

    def test_five_pages_are_twenty_one_records(self) -> None:
        assert len(self.report["created"]) == 21
        assert self.report["differences"] == self.report["problems"] == self.report["doubts"] == []
        assert (Evidence.objects.count(), Game.objects.count(), Source.objects.count()) == (21, 21, 6)
        assert list(Place.objects.values_list("slug", flat=True)) == ["khasi", "sri-lanka"]
        khasi = Evidence.objects.get(places__slug="khasi")
        assert (khasi.identifier, khasi.date_edtf, khasi.year_latest) == ("DLP.Evidence.741", "1923-06/1923-12", 1923)

    def test_sources_of_a_record_are_linked_with_their_pages(self) -> None:
        cited = Citation.objects.filter(evidence__identifier="DLP.Evidence.837")
        assert list(cited.values_list("source__key", "role", "locator")) == [
            ("ludovisi-1873", "quoted", "33–34"),
            ("murray-1951", "referred-to", "106–107"),
            ("parker-1909", "referred-to", "581"),
        ]
        assert Citation.objects.get(evidence__identifier="DLP.Evidence.1485").role == "referred-to"

    @pytest.mark.by_turns
    def test_a_second_import_changes_nothing_in_whatever_order(self) -> None:
        before = everything()
        report, _ = run(*reversed(PAGE_FILES))
        assert (len(report["unchanged"]), report["created"], report["differing"]) == (21, [], [])
        assert everything() == before


def test_a_game_of_reference_of_the_same_name_is_another() -> None:
    """Its rules check the engine; nothing that the portal holds is evidence for them."""
    Game.objects.create(slug="daramuti", name="Daramuti", is_reference=True)
    run(PAGES / "daramuti.txt")
    record = Evidence.objects.get(identifier="DLP.Evidence.692")
    assert (record.game.slug, record.game.name, record.game.is_reference) == (
        "daramuti-portal", "Daramuti (portal)", False,
    )  # fmt: skip


@pytest.mark.by_turns
def test_the_text_with_the_most_line_breaks_is_kept() -> None:
    game, place = PAGES / "daramuti.txt", PAGES / "sri-lanka.txt"
    run(game, place)
    text = Evidence.objects.get(identifier="DLP.Evidence.692").quotation
    assert text.startswith('"Daramutu, or Ellaewala-kanda.\nPlay begins')
    Evidence.objects.all().delete()
    run(place, game)
    assert Evidence.objects.get(identifier="DLP.Evidence.692").quotation == text


@pytest.mark.by_turns
def test_a_stored_text_is_never_rewrapped() -> None:
    run(PAGES / "daramuti.txt")
    report, _ = run(PAGES / "sri-lanka.txt")
    assert "DLP.Evidence.692" in report["unchanged"]
    assert "\n" not in Evidence.objects.get(identifier="DLP.Evidence.692").quotation


@pytest.mark.by_turns
def test_pages_as_html_are_the_same_records(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(as_html_table(read_file("sri-lanka.txt").records, "in Sri Lanka"))
    run(PAGES / "sri-lanka.txt")
    report, _ = run(tmp_path / "page.html")
    assert (len(report["unchanged"]), report["differing"]) == (20, [])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<html>" + b"<div>" * 20_000, "its elements are nested too deeply"),
        (b"<html>" + bytes(4 << 20), "it has more than 4,194,304 bytes"),
    ],
    ids=["deep", "large"],
)
def test_a_page_that_takes_too_much_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "page.html").write_bytes(content)
    with pytest.raises(NoPortalPage, match=rf"page\.html is no evidence page of the portal: {words}"):
        read_files([tmp_path / "page.html"])


def test_what_a_page_or_a_drawing_declares_is_never_fetched() -> None:
    """Entities are words, not files or floods; of drawings (KML) only the names are read, nothing is opened."""
    told = b'<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>'
    text = page_text(told + b"<html><p>&b; &x;</p></html>").text
    assert text.split() == ["]>", "&b", "&x"]
    assert kml_names("India.kml; http://evil.example/x.kmz") == ["India", "http://evil.example/x"]


def test_two_pages_that_differ_are_reported_and_the_first_stands(tmp_path: Path) -> None:
    (record,) = read_file("daramuti.txt").records
    other = replace(record, spaces="Inside", rules=record.rules.replace("three", "four"))
    (tmp_path / "other.txt").write_text(on_lines([other], "for Daramuti"))
    report, _ = run(PAGES / "daramuti.txt", tmp_path / "other.txt")
    assert [
        (difference["field"], difference["kept"], difference["offered"])
        for difference in report["differences"]
        if difference["field"] == "spaces"
    ] == [("spaces", "", "Inside")]
    assert {difference["field"] for difference in report["differences"]} == {"rules", "spaces"}
    assert Evidence.objects.get().paraphrase == record.rules


def test_what_is_stored_is_not_overwritten(tmp_path: Path) -> None:
    (record,) = read_file("daramuti.txt").records
    run(PAGES / "daramuti.txt")
    before = everything()
    other = replace(record, game="Daramutu", places=("Ceylon",), sources=("Culin, S. 1898. Chess. Washington: Press.",))
    (tmp_path / "other.txt").write_text(on_lines([other], "for Daramutu"))
    report, _ = run(tmp_path / "other.txt")
    assert report["differing"] == ["DLP.Evidence.692"]
    assert sorted(difference["field"] for difference in report["differences"]) == ["game", "places", "sources"]
    assert {difference["kept_from"] for difference in report["differences"]} == {"the catalogue"}
    assert everything() == before


@pytest.mark.by_turns
def test_a_malformed_record_is_named_and_the_others_imported(tmp_path: Path) -> None:
    page = (PAGES / "sri-lanka.txt").read_text().replace("Id DLP.Evidence.780 Type", "Id DLP.Evidence.780 Typ")
    (tmp_path / "page.txt").write_text(page)
    report, err = run(tmp_path / "page.txt", code=1)
    assert f"{tmp_path / 'page.txt'}:33: DLP.Evidence.780: no field Type" in err
    assert len(report["created"]) == 19
    assert not Evidence.objects.filter(identifier="DLP.Evidence.780").exists()


def test_a_record_that_cannot_be_stored_leaves_nothing_behind(tmp_path: Path) -> None:
    (record,) = read_file("daramuti.txt").records
    too_long = replace(record, identifier="DLP.Evidence.1", game="G" * 101, sources=("New, N. 1999. New. New: New.",))
    (tmp_path / "page.txt").write_text(on_one_line([too_long, record], "in Sri Lanka"))
    report, err = run(tmp_path / "page.txt", code=1)
    assert "DLP.Evidence.1: game " in err
    assert "at most 100 characters" in err
    assert report["created"] == ["DLP.Evidence.692"]
    assert list(Game.objects.values_list("slug", flat=True)) == ["daramuti"]
    assert list(Source.objects.values_list("key", flat=True)) == ["parker-1909"]


def test_one_file_that_is_no_page_refuses_all(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Evidence is something else.\n")
    report, err = run(PAGES / "daramuti.txt", tmp_path / "notes.txt", code=2)
    assert report == {}
    assert "notes.txt is no evidence page of the portal" in err
    assert Evidence.objects.count() == 0


def test_a_file_that_is_not_there_is_a_wrong_request(tmp_path: Path) -> None:
    _, err = run(PAGES / "daramuti.txt", tmp_path / "none.txt", code=2)
    assert "none.txt cannot be read: No such file" in err
    assert Evidence.objects.count() == 0


def test_two_works_of_one_author_and_year_have_two_keys(tmp_path: Path) -> None:
    (record,) = read_file("daramuti.txt").records
    more = replace(
        record, identifier="DLP.Evidence.1", sources=("Parker, H. 1909. Village Folk-Tales. London: Luzac.",)
    )
    (tmp_path / "page.txt").write_text(on_one_line([more], "in Sri Lanka"))
    run(PAGES / "daramuti.txt")
    run(tmp_path / "page.txt")
    assert dict(Source.objects.values_list("key", "title")) == {
        "parker-1909": "Ancient Ceylon",
        "parker-1909-b": "Village Folk-Tales",
    }
