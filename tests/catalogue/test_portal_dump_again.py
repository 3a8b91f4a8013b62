"""`import_portal_dump` where rows are there already: they are compared, and never changed."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from catalogue.models import Evidence, Game, UncertaintyFactor
from tests.catalogue.page_world import load_catalogue
from tests.catalogue.portal_dump_imports import FULL, everything, run
from tests.catalogue.portal_dumps import linked, named, record, small

pytestmark = pytest.mark.django_db

FACTOR = ("slug", "name", "definition")


THREE = [f"DLP.Evidence.{number}" for number in (1, 2, 3)]


def test_a_second_import_changes_nothing_and_says_so(tmp_path: Path) -> None:
    first, _ = run(tmp_path, FULL)
    before = everything()
    second, _ = run(tmp_path, FULL)
    assert everything() == before
    assert (second["created"], second["unchanged"]) == ([], first["created"])
    assert second["differences"] == []
    assert not any(second["written"].values())
    out = io.StringIO()
    call_command("import_portal_dump", str(tmp_path / "portal.sql"), stdout=out, stderr=io.StringIO())
    assert "Nothing was changed: all of it was there before." in out.getvalue()


def test_what_is_there_already_is_compared_and_never_changed(tmp_path: Path) -> None:
    load_catalogue()
    kept = Evidence.objects.get(identifier="DLP.Evidence.692")
    source = kept.sources.get()
    before = everything()
    shipped = record(
        692,
        GameId=9,
        Rules=kept.paraphrase.replace("\n", "\r\n"),
        Misc=kept.quotation,
        Location="Sri Lanka",
        DateEnd="1910-12-31",
    )
    tables: dict[str, Any] = {
        "Games": [{"Id": 9, "Name": kept.game.name}],
        "Regions": named("Sri Lanka"),
        "Sources": [{"Id": 1, "Name": source.as_printed}],
    }
    report, _ = run(tmp_path, small(shipped, **tables))
    assert report["differing"] == ["DLP.Evidence.692"]
    assert {(one["identifier"], one["field"]) for one in report["differences"]} == {
        ("DLP.Evidence.692", name) for name in ("date_words", "date_edtf", "year_latest")
    }
    after = everything()
    assert after[:4] == before[:4]
    assert after[-1] == before[-1]
    out = io.StringIO()
    call_command("import_portal_dump", str(tmp_path / "portal.sql"), stdout=out, stderr=io.StringIO())
    assert out.getvalue().count("DLP.Evidence.692: date_words differs and was left as it is\n") == 1
    assert "0 new, 0 unchanged, 1 with differences" in out.getvalue()
    report, _ = run(tmp_path, small({**shipped, "DateEnd": "1909-12-31"}, **tables))
    assert report["unchanged"] == ["DLP.Evidence.692"]
    report, _ = run(tmp_path, small({**shipped, "DateEnd": "1909-12-31"}, **tables, EvidenceSources=[]))
    assert [one["field"] for one in report["differences"]] == ["sources"]


def test_a_dry_run_says_the_same_and_writes_nothing(tmp_path: Path) -> None:
    before = everything()
    report, _ = run(tmp_path, FULL, "--dry-run")
    assert everything() == before
    assert report["dry_run"]
    assert {**report, "dry_run": False} == run(tmp_path, FULL)[0]


def test_the_portals_factors_and_games_are_none_of_the_catalogues_own(tmp_path: Path) -> None:
    load_catalogue()
    before = list(UncertaintyFactor.objects.values_list(*FACTOR))
    games = [{"Id": 1, "Name": "Oware"}, {"Id": 2, "Name": "Nine Men's Morris"}, {"Id": 3, "Name": "Puhulmutu"}]
    factors: dict[str, Any] = {
        "UncertaintyFactors": named("Incomplete"),
        "EvidenceUncertaintyFactors": linked("EvidenceId", "UncertaintyFactorId", (1, 1)),
    }
    for _ in range(2):
        run(tmp_path, small(record(1), record(2, GameId=2), record(3, GameId=3), Games=games, **factors))
    assert before == list(UncertaintyFactor.objects.exclude(slug__startswith="portal-").values_list(*FACTOR))
    assert Evidence.objects.get(identifier="DLP.Evidence.1").uncertainty_factors.get().slug == "portal-incomplete"
    found = {evidence.identifier: evidence.game.slug for evidence in Evidence.objects.filter(identifier__in=THREE)}
    assert list(found.values()) == ["oware-portal", "nine-mens-morris-portal", "puhulmutu"]
    assert not Evidence.objects.filter(game__is_reference=True).exists()
    assert Game.objects.get(slug="oware-portal").name == "Oware (portal)"


def test_a_record_of_the_catalogue_that_the_dump_says_more_of_does_not_differ(tmp_path: Path) -> None:
    load_catalogue()
    kept = Evidence.objects.get(identifier="DLP.Evidence.692")
    shipped = record(692, GameId=9, Rules=kept.paraphrase, Misc=kept.quotation, Location=None, KML="Sri Lanka")
    tables: dict[str, Any] = {
        "Games": [{"Id": 9, "Name": kept.game.name}],
        "Sources": [{"Id": 1, "Name": kept.sources.get().as_printed}],
    }
    report, _ = run(tmp_path, small({**shipped, "Verified": 1, "DateAdded": "2019-01-01"}, **tables))
    assert (report["unchanged"], report["differences"]) == (["DLP.Evidence.692"], [])
