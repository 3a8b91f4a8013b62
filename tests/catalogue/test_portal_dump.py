"""`import_portal_dump`: every table finds its place."""

from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.models import Evidence, PortalGame, PortalRuleset, SearchEntry, Source, UncertaintyFactor
from catalogue.portal.dump.importing import import_dump
from tests.catalogue.portal_dump_imports import FULL, doubts, run
from tests.catalogue.portal_dumps import EXPECTED_BEFORE, dump, linked, record, small, write_large

pytestmark = pytest.mark.django_db


def test_every_table_finds_its_place(tmp_path: Path) -> None:
    report, _ = run(tmp_path, FULL)
    assert report["created"] == ["DLP.Evidence.1", "DLP.Evidence.2"]
    assert doubts(report) == [
        "Games 1: Description had markup, which was taken away: <i>, </i>",
        "Evidence 2: Location 'Atlantis' is no region of the portal; it was kept as a place of its own",
        "GameRulesets 3: OriginPoint 'somewhere 12' was kept as printed: it is no point: write for example "
        "30°1'55.75\"N, 31°4'31.13\"E or 30.0322, 31.0753",
    ]
    why = "it describes the words of Ludii's own language, not what sources say"
    assert report["left_alone"][f"rows of Ludemes ({why})"] == 1
    first, second = Evidence.objects.order_by("pk")
    assert (first.type, first.game.name, first.ruleset_name) == ("Ethnography", "Test Game", "As told")
    assert (first.paraphrase, first.quotation) == (
        "Line one;\n-- line 'two' & more",
        '"It\'s “so”." Nobody 1909: 12-13.',
    )
    assert (first.date_words, first.date_edtf) == ("0500-01-01 BC - 0400-12-31 BC", "-0499/-0399")
    assert (first.year_earliest, first.year_latest) == (-499, -399)
    assert (first.confidence, first.ages, first.spaces) == ("100", "Child, Adult", "Outside")
    assert first.other_fields == {
        "Genders": "Female",
        "Social Status": "Royalty",
        "Ludeme infos": "Sowing, Two rows",
        "Ludemeplexes": "Played on a board; Played by two, in turns",
        "Verified": "yes",
        "Added": "2019-05-06",
    }
    assert list(first.places.order_by("kind", "name").values_list("kind", "slug")) == [
        ("country", "sri-lanka"), ("point", "30-0322-n-31-0753-e"), ("region", "ancient-serendip"),
    ]  # fmt: skip
    point = first.places.get(kind="point")
    assert point.part_of is not None
    assert (point.part_of.name, point.part_of.kind, point.part_of_is_derived) == ("Egypt", "country", True)
    assert (point.kind, point.latitude, point.longitude) == (
        "point",
        *map(type(point.latitude), ("30.0322", "31.0753")),
    )
    assert [place.kind for place in second.places.order_by("name")] == ["unknown", "region"]
    assert second.paraphrase == ""
    cited = [
        (citation.source.key, citation.role, citation.locator) for citation in first.citations.order_by("position")
    ]
    assert cited == [("nobody-1909", "quoted", "12-13"), ("a-letter-undated", "listed", "")]
    source = Source.objects.get(key="nobody-1909")
    assert (source.authors, source.year, source.publisher) == ("Nobody, A.", 1909, "Press")
    assert source.address == "https://example.org/1"
    assert [str(uncertainty) for uncertainty in first.uncertainties.all()] == ["DLP.Evidence.1: Incomplete (portal)"]
    assert first.history.get().history_change_reason == "Imported from a dump of the portal's database"


def test_games_and_rulesets_keep_what_the_portal_says(tmp_path: Path) -> None:
    run(tmp_path, FULL)
    game = PortalGame.objects.get(number=1)
    assert (game.game.description, game.description) == ("", "A game.")
    assert game.other_fields == {"DLPGame": "1", "PublicGame": "0", "Author": "Nobody"}
    assert game.bgg_number == "8888"
    assert [source.key for source in game.sources.all()] == ["a-letter-undated"]
    assert {(str(point), str(point.part_of)) for point in game.origin_points.all()} == {
        ("30.0300° N, 31.0700° E", "Egypt"),
        ("7.9000° N, 81.0000° E", "Sri Lanka"),
    }
    assert [str(region) for region in game.regions.all()] == ["Cockaigne", "Serendip"]
    assert [str(period) for period in game.periods.all()] == ["Ancient"]
    assert [(name.kind, name.name) for name in game.game.names.all()] == [
        ("alias", "Essay"),
        ("alias", "Trial"),
        ("native", "Téśt"),
    ]
    ruleset = PortalRuleset.objects.get()
    assert (ruleset.name, ruleset.type, ruleset.is_main, ruleset.rules) == ("As told", "Described", True, "Play.")
    assert [one.identifier for one in ruleset.evidence.all()] == ["DLP.Evidence.1"]
    further = {"OriginPoint": "somewhere 12", "EvidenceRange": "1800-1900", "Ludemeplexes": "Played on a board"}
    assert ruleset.other_fields == further
    assert [str(one) for one in (*ruleset.regions.all(), *ruleset.periods.all())] == ["Cockaigne", "Ancient"]


def test_another_version_of_the_dump_is_read_as_well(tmp_path: Path) -> None:
    """Names in a column Name, and columns that the portal's own dump has not."""
    museum = {"ExternalDB": "A museum", "ExternalDBId": "57"}
    factors: dict[str, Any] = {
        "UncertaintyFactors": [{"Id": 1, "Name": "Illegible", "Definition": "Nobody can read it."}],
        "EvidenceUncertaintyFactors": linked("EvidenceId", "UncertaintyFactorId", (1, 1)),
    }
    report, _ = run(tmp_path, dump(small(record(1, **museum), **factors), EXPECTED_BEFORE))
    assert (report["created"], doubts(report)) == (["DLP.Evidence.1"], [])
    kept = Evidence.objects.get()
    assert (kept.type, kept.other_fields, kept.sources.get().key) == ("Ethnography", museum, "nobody-1909")
    assert kept.uncertainty_factors.get().definition == "Nobody can read it."


def test_what_was_imported_is_found(tmp_path: Path) -> None:
    run(tmp_path, FULL)
    assert SearchEntry.objects.filter(kind="record").count() == 2
    assert UncertaintyFactor.objects.get(slug="portal-incomplete").definition == "The portal gives no definition."


def test_the_number_of_queries_grows_with_hundreds_of_records_not_with_each(tmp_path: Path) -> None:
    counts = []
    for number, first in ((40, 1), (160, 2)):
        path = tmp_path / f"{number}.sql"
        write_large(path, number, words=5, seed=first)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert len(import_dump(path, dry_run=True).created) == number
        counts.append(len(queries))
    assert counts[1] <= counts[0] + 10
