"""What is loaded or imported leaves one revision, with where it came from; what is loaded again leaves none."""

import io
import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from catalogue.loading.rows import Loaded, Row, load_rows, row
from catalogue.models import EditorsNote, Evidence, Reading
from tests import builders
from tests.catalogue.portal_layouts import PAGE_FILES

pytestmark = pytest.mark.django_db
LOADED = "Loaded from the shipped fixtures"


def revisions(instance: Evidence | Reading | EditorsNote) -> list[tuple[str, str | None]]:
    """Kind and reason, the oldest first."""
    return list(instance.history.order_by("history_id").values_list("history_type", "history_change_reason"))


def load(*rows: Row) -> Loaded:
    loaded = Loaded()
    load_rows(rows, loaded, bring_up_to_date=True)
    return loaded


def a_reading(records: list[str], summary: str = "As Parker tells it.") -> Row:
    return row(
        "reading", slug="daramuti-parker", title="Parker", game=["daramuti"], evidence=[[record] for record in records],
        authority="parker", kind="interpretation", summary=summary,
    )  # fmt: skip


def test_a_row_is_recorded_when_made_and_when_updated() -> None:
    builders.evidence(692)
    note = row("editorsnote", evidence=["DLP.Evidence.692"], slug="n", text="A note.")
    assert load(note).created == 1
    made = EditorsNote.objects.get()
    assert revisions(made) == [("+", LOADED)]
    assert load(note).unchanged == 1
    assert revisions(made) == [("+", LOADED)]
    assert load({**note, "fields": {**note["fields"], "text": "A better note."}}).updated == 1
    assert revisions(made) == [("+", LOADED), ("~", LOADED)]
    assert list(made.history.order_by("history_id").values_list("text", flat=True)) == ["A note.", "A better note."]


def test_a_reading_and_its_records_are_one_revision() -> None:
    builders.evidence(692)
    builders.evidence(1386)
    load(a_reading(["DLP.Evidence.692"]))
    load(a_reading(["DLP.Evidence.1386"], "As Parker tells it elsewhere."))
    reading = Reading.objects.get()
    assert revisions(reading) == [("+", LOADED), ("~", LOADED)]
    records = [
        list(one.evidence.values_list("evidence__identifier", flat=True))
        for one in reading.history.order_by("history_id")
    ]
    assert records == [["DLP.Evidence.692"], ["DLP.Evidence.1386"]]


def test_a_row_that_is_refused_leaves_no_revision() -> None:
    builders.evidence(692)
    with pytest.raises(ValueError, match="kind"):
        load({**a_reading([]), "fields": {**a_reading([])["fields"], "kind": "guess"}})
    assert Reading.history.count() == 0


def test_what_is_imported_from_a_page_says_so() -> None:
    call_command("import_portal", str(PAGE_FILES[0]), stdout=io.StringIO())
    assert Evidence.objects.count() > 0
    for record in Evidence.objects.all():
        assert revisions(record) == [("+", "Imported from a page of the portal")]


def test_every_shipped_row_has_the_revision_of_its_loading() -> None:
    """Here without the apparatus, which is loaded by other means."""
    folder = Path(settings.BASE_DIR) / "fixtures"
    for name in ("places", "games", "sources", "evidence", "notes"):
        load(*json.loads((folder / f"{name}.json").read_text()))
    for model in (Evidence, EditorsNote):
        assert model.objects.count() == model.history.filter(history_type="+", history_change_reason=LOADED).count() > 0
