"""`import_portal_dump`: what is odd in a dump is told with its table and row."""

from pathlib import Path
from typing import Any

import pytest

from catalogue.models import Citation, Evidence, Game
from tests.catalogue.portal_dump_imports import doubts, run
from tests.catalogue.portal_dumps import Verbatim, linked, record, small

pytestmark = pytest.mark.django_db

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
    monkeypatch.setattr("catalogue.portal.dump.games.slug_of", slugs.__getitem__)
    games = [{"Id": 1, "Name": "Good"}, {"Id": 2, "Name": "Bad"}]
    report, _ = run(tmp_path, small(record(1), record(2, GameId=2), Games=games))
    assert (report["created"], report["left_out"]) == (["DLP.Evidence.1"], ["DLP.Evidence.2"])
    assert any("Games 2: was left out: game no slug!" in doubt for doubt in doubts(report))
