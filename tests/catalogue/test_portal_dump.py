"""`import_portal_dump`: every table finds its place, and what is there already is compared and never changed.

What is odd is told with its table and row, and what breaks off leaves nothing.
"""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalogue.models import Citation, Evidence, Game, PortalGame, PortalRuleset, SearchEntry, Source, UncertaintyFactor
from catalogue.portal.dump import importing
from catalogue.portal.dump.importing import BEFORE, LONGEST_REPORTED, difference, import_dump
from tests.catalogue.page_world import load_catalogue
from tests.catalogue.portal_dump_imports import FULL, doubts, everything, run
from tests.catalogue.portal_dumps import EXPECTED_BEFORE, Verbatim, dump, linked, named, record, small, write_large

pytestmark = pytest.mark.django_db


@pytest.mark.by_turns
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


@pytest.mark.thorough
def test_queries_grow_with_hundreds_of_records(tmp_path: Path) -> None:
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


FACTOR = ("slug", "name", "definition")


THREE = [f"DLP.Evidence.{number}" for number in (1, 2, 3)]


@pytest.mark.by_turns
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


@pytest.mark.by_turns
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


@pytest.mark.by_turns
def test_factors_and_games_of_the_portal_are_kept_apart(tmp_path: Path) -> None:
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


@pytest.mark.by_turns
def test_a_record_with_more_in_the_dump_does_not_differ(tmp_path: Path) -> None:
    load_catalogue()
    kept = Evidence.objects.get(identifier="DLP.Evidence.692")
    shipped = record(692, GameId=9, Rules=kept.paraphrase, Misc=kept.quotation, Location=None, KML="Sri Lanka")
    tables: dict[str, Any] = {
        "Games": [{"Id": 9, "Name": kept.game.name}],
        "Sources": [{"Id": 1, "Name": kept.sources.get().as_printed}],
    }
    report, _ = run(tmp_path, small({**shipped, "Verified": 1, "DateAdded": "2019-01-01"}, **tables))
    assert (report["unchanged"], report["differences"]) == (["DLP.Evidence.692"], [])


ODD: list[tuple[dict[str, Any], str]] = [
    ({"GameId": 77}, "Evidence 1: the record was left out: its game 77 is not there"),
    ({"GameId": None}, "Evidence 1: the record was left out: its game None is not there"),
    ({"Rules": "", "Misc": None}, "Evidence 1: the record was left out: it has neither Rules nor Misc"),
    ({"TypeId": 9}, "Evidence 1: TypeId 9: the type is not there"),
    ({"RulesetId": 9}, "Evidence 1: RulesetId 9: the ruleset is not there"),
    ({"Rules": "ac <a> <b>sinistris</b>"}, "Evidence 1: Rules had markup, which was taken away: <b>, </b>"),
    ({"DateStartBC": 127}, "Evidence 1: date '1909-01-01' is before the common era (1) or not (0), but the dump"),
    ({"Location": "Tomb 12"}, "Evidence 1: Location 'Tomb 12' was kept as printed: it is no point"),
    ({"DateStart": "1920-01-01"}, "Evidence 1: date 1920-01-01 is after 1909-12-31; they may be swapped"),
    ({"Rules": "baendÃ¼m"}, "Evidence 1: Rules was misread as Windows-1252 and set right: 'baendÃ¼m'"),
    ({"Rules": Verbatim("0xff41")}, "Evidence 1: Rules is 2 bytes that are no UTF-8; each byte was taken for a"),
    ({"Rules": Verbatim("NOW()")}, "Evidence 1: Rules is no value but an expression: 'NOW ( )'"),
    ({"Id": 0}, "Evidence : a row with the Id 0 was left out"),
    ({"Id": "x"}, "Evidence : a row with the Id 'x' was left out"),
]


@pytest.mark.by_turns
@pytest.mark.parametrize(("fields", "doubt"), ODD)
def test_what_is_odd_is_told_with_its_table_and_row(tmp_path: Path, fields: dict[str, Any], doubt: str) -> None:
    report, _ = run(tmp_path, small({**record(1), **fields}, record(2)) | {"EvidenceSources": []})
    assert [one[: len(doubt)] for one in doubts(report)] == [doubt]
    assert "DLP.Evidence.2" in report["created"]
    assert sorted(report["created"] + report["left_out"]) in (["DLP.Evidence.1", "DLP.Evidence.2"], ["DLP.Evidence.2"])
    if "Location" in fields:
        assert Evidence.objects.get(identifier="DLP.Evidence.1").other_fields == {"Location": "Tomb 12"}


def test_odd_tables_are_told_too(tmp_path: Path) -> None:
    content = small(
        record(1),
        record(1),
        Games=[
            {"Id": 1, "Name": "Tab"},
            {"Id": 2, "Name": "Tab"},
            {"Id": 3, "Name": " "},
            {"Id": 4, "Name": "N" * 130, "knownAliases": "m" * 130},
        ],
        Sources=[
            {"Id": 1, "Name": "Nobody, A. 1909. Nothing. Utopia: Press.", "Address": "not an address"},
            {"Id": 2, "Name": "Nobody, A.  1909. Nothing. Utopia: Press."},
            {"Id": 3, "Name": "Nobody, A. 1909. More of It. Utopia: Press."},
            {"Id": 4, "Name": ""},
            {"Id": 5, "Name": "Nobody, B. 1900. One. Utopia: Press., Somebody, C. 1901. Two. Utopia: Press."},
        ],
        EvidenceSources=linked("EvidenceId", "SourceId", (1, 1), (1, 2), (1, 9), (1, 3)),
    )
    report, _ = run(tmp_path, content)
    assert [doubt.removesuffix(": " + doubt[-1] * 130) for doubt in doubts(report)] == [
        "Games 2: has the name of game 1 (Tab); it was kept apart",
        "Games 3: has no name and was left out",
        "Games 4: Name has 130 characters and was cut to 100",
        "Sources 1: Address is no address of the web, and was left out: not an address",
        "Sources 2: has the text of source 1; they were taken for one",
        "Sources 4: has no text; it was left out",
        "Sources 5: may be several references; it was kept as one, and not taken apart",
        "Games 4: knownAliases holds a name of 130 characters, which was left out",
        "EvidenceSources : Evidence 1 names the Source 9, which is not there",
        "Evidence 1: the Id occurs again; the first row was taken",
    ]
    assert sorted(Game.objects.values_list("name", flat=True))[1:] == ["Tab", "Tab (2)"]
    assert [citation.source.key for citation in Citation.objects.order_by("position")] == [
        "nobody-1909",
        "nobody-1909-b",
    ]
    assert run(tmp_path, content)[0]["unchanged"] == ["DLP.Evidence.1"]


def test_a_row_the_database_refuses_stands_in_nobodys_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slugs = {"Good": "good", "Bad": "no slug!"}
    monkeypatch.setattr("catalogue.portal.dump.records.slug_of", slugs.__getitem__)
    games = [{"Id": 1, "Name": "Good"}, {"Id": 2, "Name": "Bad"}]
    report, _ = run(tmp_path, small(record(1), record(2, GameId=2), Games=games))
    assert (report["created"], report["left_out"]) == (["DLP.Evidence.1"], ["DLP.Evidence.2"])
    assert any("Games 2: was left out: game no slug!" in doubt for doubt in doubts(report))


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_breaks_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type) -> None:
    before = everything()

    def interrupted() -> None:
        assert Evidence.objects.exists()
        raise error

    monkeypatch.setattr(importing, "bring_index_up_to_date", lambda report: interrupted())
    if error is KeyboardInterrupt:
        assert "Interrupted. Nothing was written." in run(tmp_path, FULL, code=1)[1]
    else:
        with pytest.raises(RuntimeError):
            run(tmp_path, FULL)
    assert everything() == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Dear Sir,\nthank you for the dump.\n", "is no SQL dump: it has neither CREATE TABLE nor INSERT. Nothing was"),
        (dump(FULL)[:-400].rpartition("(1, 1, 2)")[0] + "(1, 'x", "does not end. Nothing was written."),
    ],
)
def test_what_is_no_dump_is_refused_in_plain_words(tmp_path: Path, content: str, words: str) -> None:
    before = everything()
    assert words in run(tmp_path, content, code=2)[1]
    assert everything() == before


def test_a_file_that_is_not_there_is_a_wrong_request(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "none.sql", "cannot be read: No such file"), (tmp_path, "it is no file")):
        with pytest.raises(CommandError, match=words) as failure:
            call_command("import_portal_dump", str(path), stdout=io.StringIO(), stderr=io.StringIO())
        assert failure.value.returncode == 2


def test_the_report_is_written_whole(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    report, progress = run(tmp_path, FULL, "--report", str(file))
    assert json.loads(file.read_text()) == report
    assert "2 of 2 records …" in progress
    assert "cannot be written" in run(tmp_path, FULL, "--report", str(tmp_path / "none" / "x.json"), code=2)[1]


def test_short_values_are_told_whole() -> None:
    one = difference("DLP.Evidence.1", "rules", "seeds", "pieces")
    assert (one.kept, one.offered) == ("seeds", "pieces")


def test_long_texts_are_shown_round_their_first_difference() -> None:
    same, rest = "a" * 5_000, "z" * 5_000
    one = difference("DLP.Evidence.1", "rules", f"{same}stored{rest}", f"{same}offered{rest}")
    assert one.kept == f"…{'a' * BEFORE}stored{'z' * (LONGEST_REPORTED - BEFORE - 6)}…"
    assert one.offered == f"…{'a' * BEFORE}offered{'z' * (LONGEST_REPORTED - BEFORE - 7)}…"


def test_a_text_that_only_goes_on_is_told_where_it_goes_on() -> None:
    one = difference("DLP.Evidence.1", "rules", "b" * 500, "b" * 500 + "more")
    assert (one.kept, one.offered) == (f"…{'b' * BEFORE}", f"…{'b' * BEFORE}more")
    empty = difference("DLP.Evidence.1", "rules", "", "c" * 500)
    assert (empty.kept, empty.offered) == ("", "c" * LONGEST_REPORTED + "…")
