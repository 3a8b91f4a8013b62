"""The shipped fixtures: that the importer made them, that they load, and that what they say of the records is so."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import TestCase
from django.utils import timezone

from catalogue.analyses.wear_plans import fitting_sets
from catalogue.models import (
    Anchor,
    Citation,
    EditorsNote,
    Evidence,
    EvidenceUncertainty,
    Game,
    GameName,
    LoadedRow,
    Place,
    Reading,
    Source,
)
from catalogue.models.observations import canonical_board
from simulator.models import RulesetVersion
from tests.builders import CORNER_FILES, EARLIER_FILES, REFERENCE_GAMES, RULESET_FILES
from tests.catalogue.portal_layouts import PAGE_FILES

pytestmark = pytest.mark.django_db
FIXTURES = Path(settings.BASE_DIR) / "fixtures"
ROWS = json.loads((FIXTURES / "evidence.json").read_text(encoding="utf-8"))
RECORDS = [row for row in ROWS if row["model"] == "catalogue.evidence"]
SLAB = "ETG.Artefact.04433"  # no page of the portal, and no words


def load(**options: object) -> dict:
    out = io.StringIO()
    call_command("load_fixtures", json=True, no_edition=True, stdout=out, **options)
    return json.loads(out.getvalue())


def import_pages() -> None:
    call_command("import_portal", *map(str, PAGE_FILES), stdout=io.StringIO())


def rows_of(model: type) -> list[tuple]:
    skipped = {"id", "evidence", "source", "game", "note", "changed"}
    plain = [field.name for field in model._meta.concrete_fields if field.name not in skipped]  # type: ignore[attr-defined]
    linked = {Evidence: ["game__slug"], Citation: ["evidence__identifier", "source__key"]}.get(model, [])
    return sorted(model.objects.values_list(*linked, *plain), key=str)  # type: ignore[attr-defined]


def test_the_importer_writes_the_fixture_files_to_the_letter(tmp_path: Path) -> None:
    call_command(
        "import_portal", *map(str, PAGE_FILES), write_fixtures=tmp_path, stdout=io.StringIO(), stderr=io.StringIO()
    )
    for name in ("evidence.json", "sources.json"):
        assert (tmp_path / name).read_text() == (FIXTURES / name).read_text()
    assert Evidence.objects.count() == 0


@pytest.mark.thorough
def test_games_and_places_of_an_import_are_those_of_the_fixtures() -> None:
    import_pages()
    games = set(Game.objects.values_list("slug", "name"))
    places = set(Place.objects.values_list("slug", "name"))
    load()
    assert (
        set(Game.objects.filter(is_reference=False).exclude(evidence__identifier=SLAB).values_list("slug", "name"))
        == games
    )
    assert set(Game.objects.filter(is_reference=True).values_list("slug", flat=True)) == REFERENCE_GAMES
    assert set(Place.objects.exclude(evidence__identifier=SLAB).values_list("slug", "name")) == places


@pytest.mark.parametrize(
    ("old", "new", "what_is_said"),
    [
        ('"sri-lanka",\n   "name"', '"sri-lanka",\n   "nane"', "nane"),
        ('"kind": "country"', '"kind": "kingdom"', "place sri-lanka: kind: Value 'kingdom' is not a valid choice"),
    ],
)
def test_a_wrong_fixture_is_named_and_nothing_is_loaded(tmp_path: Path, old: str, new: str, what_is_said: str) -> None:
    for file in FIXTURES.glob("*.json"):
        (tmp_path / file.name).write_text(file.read_text())
    places = (tmp_path / "places.json").read_text()
    assert old in places
    (tmp_path / "places.json").write_text(places.replace(old, new))
    with pytest.raises(CommandError, match=re.escape(what_is_said)) as failure:
        load(folder=tmp_path)
    assert failure.value.returncode == 1
    assert "places.json" in str(failure.value)
    assert Place.objects.count() == 0


@pytest.mark.thorough
@pytest.mark.parametrize("words", [("load_fixtures",), ("export_dataset", "dataset")])
def test_without_tables_it_says_what_makes_them(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    line = done.stderr.splitlines()[-1]  # what it had begun may stand before
    assert line.startswith("CommandFailed: The database does not answer: no such table")
    assert line.endswith("Run: manage.py migrate.")


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[‘’“”\"'`]", "", text).split()).rstrip(".,").lower()


class ShippedCatalogue(TestCase):
    """What can be read off the rows once they are loaded, and what comes of loading over them; copied once for all."""

    holds = "played"
    folder: Path

    @pytest.fixture(autouse=True)
    def _a_folder(self, tmp_path: Path) -> None:
        self.folder = tmp_path

    @pytest.mark.thorough
    def test_the_records_are_a_fresh_import_of_the_pages(self) -> None:
        Evidence.objects.get(identifier=SLAB).delete()
        Source.objects.filter(evidence=None).delete()
        loaded = [rows_of(model) for model in (Evidence, Citation, Source)]
        places = set(Evidence.places.through.objects.values_list("evidence__identifier", "place__slug"))
        Anchor.objects.all().delete()
        Evidence.objects.all().delete()
        Source.objects.all().delete()
        import_pages()
        for key, corrected in json.loads((FIXTURES / "source_notes.json").read_text(encoding="utf-8")).items():
            Source.objects.filter(key=key).update(**corrected)
        assert len(loaded[0]) == len(RECORDS)
        assert [rows_of(model) for model in (Evidence, Citation, Source)] == loaded
        assert set(Evidence.places.through.objects.values_list("evidence__identifier", "place__slug")) == places

    @pytest.mark.by_turns
    def test_loading_twice_changes_nothing_and_reports_edits(self) -> None:
        assert RulesetVersion.objects.count() == len(RULESET_FILES) + len(EARLIER_FILES) + len(CORNER_FILES)
        Reading.objects.filter(slug="daramuti-parker").update(summary="Checked against the book.")
        report = load()
        loaded = LoadedRow.objects.count()
        assert loaded > 200
        assert (report["created"], report["updated"], report["unchanged"]) == (0, 0, loaded - 1)
        assert [(difference["key"], difference["field"]) for difference in report["differences"]] == [
            ("daramuti-parker", "summary")
        ]
        assert Reading.objects.get(slug="daramuti-parker").summary == "Checked against the book."
        assert report["rulesets"] == 0

    def test_an_import_after_loading_finds_all_records_unchanged(self) -> None:
        out = io.StringIO()
        call_command("import_portal", *map(str, PAGE_FILES), stdout=out)
        assert out.getvalue() == f"records: 0 new, {len(RECORDS)} unchanged, 0 with differences\n"

    @pytest.mark.by_turns
    def test_a_row_nobody_touched_is_brought_up_to_date(self) -> None:
        folder = self.folder
        for file in FIXTURES.glob("*.json"):
            text = file.read_text().replace("Cherrapunji, where the author", "Sohra, where the author")
            (folder / file.name).write_text(text)
        Place.objects.filter(slug="sri-lanka").update(name="Ceylon")
        before = timezone.now()
        report = load(folder=folder)
        assert (report["updated"], [difference["key"] for difference in report["differences"]]) == (1, ["sri-lanka"])
        assert [place.slug for place in Place.objects.filter(changed__gte=before)] == ["khasi"]
        assert Place.objects.get(slug="khasi").coordinates_note.startswith("Sohra")
        assert load(folder=folder)["updated"] == 0

    def test_years_in_the_fixtures_are_those_of_their_dates(self) -> None:
        for record in Evidence.objects.all():
            stored = (record.year_earliest, record.year_latest)
            record.save()
            assert (record.year_earliest, record.year_latest) == stored

    def test_the_paraphrase_of_daramuti_is_copied_from_puhulmutu(self) -> None:
        """The editors' note says: word for word but for one missing “in”."""
        daramuti, puhulmutu = (
            Evidence.objects.get(identifier=f"DLP.Evidence.{n}").paraphrase.split() for n in (692, 1386)
        )
        assert " ".join(puhulmutu).replace("holes in their row. In", "holes their row. In") == " ".join(daramuti)
        assert len(puhulmutu) == len(daramuti) + 1
        assert EditorsNote.objects.get(slug="rules-copied").text.startswith("Rules copied from 1386")

    def test_quotations_in_notes_and_reasons_stand_in_the_record(self) -> None:
        """A word quoted to say what the right one would be stands after “must read” or “must mean”."""
        checked = 0
        remarks = [(note.evidence, note.text) for note in EditorsNote.objects.select_related("evidence")]
        remarks += [
            (uncertainty.evidence, uncertainty.reason)
            for uncertainty in EvidenceUncertainty.objects.select_related("evidence")
        ]
        for record, text in remarks:
            for quoted in re.findall(r"(?<!must read )“([^”]+)”", text):
                printed = " ".join(
                    [record.paraphrase, record.quotation, *(source.as_printed for source in record.sources.all())]
                )
                assert _folded(quoted) in _folded(printed), (record.identifier, quoted)
                checked += 1
        assert checked > 40

    def test_names_and_glosses_stand_in_the_record_that_gives_them(self) -> None:
        for name in GameName.objects.select_related("evidence", "game"):
            assert name.evidence is not None
            titles = (
                " ".join(name.evidence.sources.values_list("title", flat=True)) if name.evidence.without_words else ""
            )
            printed = _folded(f"{name.evidence.game.name} {name.evidence.quotation} {titles}")
            assert _folded(name.name) in printed, name
            assert _folded(name.gloss) in printed, name
        named = set(GameName.objects.values_list("game__slug", flat=True))
        assert named == set(Game.objects.filter(is_reference=False).values_list("slug", flat=True))

    def test_shipped_rulesets_and_readings_belong_together(self) -> None:
        corner = {file.stem for file in CORNER_FILES}
        files = {file.stem for file in RULESET_FILES} | corner
        assert set(Reading.objects.values_list("slug", flat=True)) == files
        for reading in Reading.objects.select_related("game"):
            named = reading.game.slug if reading.slug in corner else f"{reading.game.slug}-{reading.authority}"
            assert reading.slug == named
            assert reading.ruleset_version is not None
            assert reading.summary
            assert reading.evidence.exists() is not reading.game.is_reference

    def test_every_record_has_a_ruleset_that_runs(self) -> None:
        records = Evidence.objects.prefetch_related("readings")
        assert len(records) == 22
        for record in records.exclude(without_words=True):
            assert [reading for reading in record.readings.all() if reading.ruleset_version is not None], record

    def test_the_slab_has_a_board_and_neither_words_nor_wear(self) -> None:
        """Nothing is said of single lines, since no source at hand does; its candidates are played on its board."""
        slab = Evidence.objects.get(identifier=SLAB)
        assert (slab.without_words, slab.quotation, slab.paraphrase, slab.date_edtf) == (True, "", "", "")
        assert slab.board == canonical_board(slab.board["board"]), "as the workshop would keep it"
        assert fitting_sets(slab) == ["coriovallum"]
        assert not slab.observations.exists()
        page = " ".join(self.client.get(slab.get_absolute_url()).content.decode().split())
        assert 'href="#record">Object</a>' in page
        assert 'href="#board">Board</a>' in page
        assert "Crist et al. 2026" in page
        assert "the quotation, today" not in page

    def test_a_paraphrase_is_read_only_where_there_is_one(self) -> None:
        for reading in Reading.objects.filter(authority="dlp"):
            assert all(record.paraphrase for record in reading.evidence.all())
        assert not Reading.objects.filter(slug="kotu-baendum-dlp").exists()

    @pytest.mark.by_turns
    def test_remarks_on_a_source_stand_with_it(self) -> None:
        parker = Source.objects.get(key="parker-1909")
        assert "reprint" in parker.note
        assert (parker.place, parker.publisher) == (
            "London",
            "Luzac",
        )  # the book of 1909 itself
        assert "New Delhi" in parker.as_printed
        folder = Path(shutil.copytree(FIXTURES, self.folder / "fixtures"))
        (folder / "source_notes.json").write_text('{"parker-1990": {"note": "Not this one."}}', encoding="utf-8")
        with pytest.raises(CommandError, match="'parker-1990', which is no source; nearest: 'parker-1909'"):
            load(folder=folder)
