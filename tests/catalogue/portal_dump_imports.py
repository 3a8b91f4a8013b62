"""`import_portal_dump` run on small dumps: what it prints, and what stands in the tables."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalogue.models import (
    Citation,
    Evidence,
    EvidenceUncertainty,
    Game,
    GameName,
    LoadedRow,
    Place,
    PortalGame,
    PortalRuleset,
    Source,
)
from tests.catalogue.portal_dumps import Rows, dump, linked, named, record, small

MODELS = (Evidence, Citation, EvidenceUncertainty, Source, Game, GameName, Place, PortalGame, PortalRuleset, LoadedRow)


def run(folder: Path, content: Rows | str, *words: str, code: int = 0) -> tuple[dict[str, Any], str]:
    """The JSON document, and everything else that was printed."""
    path = folder / "portal.sql"
    path.write_text(content if isinstance(content, str) else dump(content), encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    if code:
        with pytest.raises(CommandError) as failure:
            call_command("import_portal_dump", str(path), "--json", *words, stdout=out, stderr=err)
        assert failure.value.returncode == code
        err.write(str(failure.value))
    else:
        call_command("import_portal_dump", str(path), "--json", *words, stdout=out, stderr=err)
    return json.loads(out.getvalue() or "{}"), err.getvalue()


def everything() -> list[list[tuple]]:
    return [
        *(list(model.objects.order_by("pk").values_list()) for model in MODELS),
        list(Evidence.history.order_by("pk").values_list()),
    ]


def doubts(report: dict[str, Any]) -> list[str]:
    return [f"{one['table']} {one['row']}: {one['message']}" for one in report["doubts"]]


FULL = small(
    record(
        1,
        RulesetId=3,
        Location="30°1'55.75\"N, 31°4'31.13\"E",
        DateStart="0500-01-01",
        DateStartBC=1,
        DateEnd="0400-12-31",
        DateEndBC=1,
        Rules="Line one;\n-- line 'two' &amp; more",
        Misc='"It\'s “so”." Nobody 1909: 12-13.',
        KML="Ancient Serendip; Sri Lanka",
        Username="someone",
        Verified=1,
        DateAdded="2019-05-06",
    ),
    record(2, Location="Serendip, Atlantis", Rules=None, TypeId=2),
    Games=[
        {
            "Id": 1,
            "Name": "Test Game",
            "NativeName": "Téśt",
            "Description": "A <i>game</i>.",
            "MainRuleset": 3,
            "DLPGame": 1,
            "PublicGame": 0,
            "knownAliases": "Trial, Essay; Trial",
            "Author": "Nobody",
            "BGGId": "8888",
            "OriginPoint": "7.9, 81.0; 30.03, 31.07",
        },
        {"Id": 2, "Name": "Other Game"},
    ],
    GameRulesets=[
        {
            **{"Id": 3, "GameId": 1, "Name": "As told", "Summary": "Short.", "Type": 1, "Rules": "Play."},
            **{"OriginPoint": "somewhere 12", "EvidenceRange": "1800-1900"},
        }
    ],
    GameSources=linked("GameId", "SourceId", (1, 2)),
    LudemeInfos=named("Sowing", "Two rows"),
    EvidenceLudemeInfos=linked("EvidenceId", "ludemeInfoId", (1, 1), (1, 2)),
    Ludemeplexes=named("Played on a board", "Played by two, in turns"),
    EvidenceLudemeplexes=linked("EvidenceId", "LudemeplexId", (1, 1), (1, 2)),
    RulesetLudemeplexes=linked("RulesetId", "LudemeplexId", (3, 1)),
    RulesetPeriods=linked("RulesetId", "PeriodId", (3, 1)),
    RulesetRegions=linked("RulesetId", "RegionId", (3, 2)),
    Ludemes=[{"Id": 1, "ShortName": "x", "FullName": "y"}],
    RulesetTypes=named("Described"),
    GameRegions=linked("GameId", "RegionId", (1, 1), (1, 2)),
    Periods=named("Ancient"),
    GamePeriods=linked("GameId", "PeriodId", (1, 1)),
    Categories=named("Sow"),
    GameCategories=linked("GameId", "CategoryId", (2, 1)),
    Ages=named("Child", "Adult"),
    EvidenceAges=linked("EvidenceId", "AgeId", (1, 1), (1, 2)),
    Genders=named("Female"),
    EvidenceGenders=linked("EvidenceId", "GenderId", (1, 1)),
    SocialStatuses=named("Royalty"),
    EvidenceSocialStatuses=linked("EvidenceId", "SocialStatusId", (1, 1)),
    Spaces=named("Outside"),
    EvidenceSpaces=linked("EvidenceId", "SpaceId", (1, 1)),
    UncertaintyFactors=[{"Id": 1, "Name": "Incomplete"}],
    EvidenceUncertaintyFactors=linked("EvidenceId", "UncertaintyFactorId", (1, 1)),
    Sources=[
        {"Id": 1, "Name": "Nobody, A. 1909. A Book of Nothing. Utopia: Press.", "Address": "https://example.org/1"},
        {"Id": 2, "Name": "a letter,  undated", "Address": None},
    ],
    EvidenceSources=linked("EvidenceId", "SourceId", (1, 1), (1, 2), (2, 2)),
)
