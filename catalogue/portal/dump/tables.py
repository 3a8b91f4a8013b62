"""Which tables and columns of the portal are read, and under which names. Columns are found by name, never by place.

The portal's dump of 2020 has 38 tables, all of which are named here. The first spelling of a column is ours; case and
underscores make no difference, and further spellings that another version may have are accepted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

NAME = "Title Value Text"
OF_LUDII = "it describes the words of Ludii's own language, not what sources say"


@dataclass(frozen=True, slots=True)
class TableLayout:
    """columns: ours → how the dump may spell it; needed: those of ours without which the table says nothing

    kept: columns that are not read one by one but kept as they are, under their name
    passed_over: those that are known and no part of what is published
    """

    columns: Mapping[str, tuple[str, ...]]
    needed: tuple[str, ...]
    kept: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()


def _layout(needed: str, columns: str = "", kept: str = "", passed_over: str = "", **spellings: str) -> TableLayout:
    """columns: those that have one spelling, ours; spellings: column → its other ones"""
    every = {**spellings, **dict.fromkeys(columns.split(), "")}
    found = {name: (name, *others.split()) for name, others in every.items()}
    return TableLayout(found, tuple(needed.split()), tuple(kept.split()), tuple(passed_over.split()))


def _names(one: str, passed_over: str = "") -> TableLayout:
    """Of a table whose column is called after itself: the Age of Ages."""
    return _layout("Id Name", passed_over=passed_over, Id="", Name=f"{one} {NAME}")


def _links(one: str, other: str, others: str = "") -> TableLayout:
    """Of two other tables, as `EvidenceId`; "EvidenceID" and "Evidence" are the same to us."""
    columns = {f"{one}Id": one, f"{other}Id": f"{other} {others}"}
    return _layout(" ".join(columns), "Id", **columns)


TABLES: dict[str, TableLayout] = {
    "Games": _layout(
        "Id Name",
        "Name NativeName Description Reference Origin OriginPoint BGGId",
        kept="DLPGame PublicGame LudiiRuleset ProprietaryGame Author Publisher Date Credit SeeAlso EvidenceRange",
        Id="GameId",
        MainRuleset="MainRulesetId",
        knownAliases="Aliases",
    ),
    "GameRulesets": _layout(
        "Id GameId Name",
        "Name NativeName Summary Description Rules Reference Origin OriginPoint",
        kept="Author Publisher Date EvidenceRange",
        Id="RulesetId",
        GameId="Game",
        Type="TypeId RulesetTypeId",
    ),
    "RulesetTypes": _names("RulesetType"),
    "RulesetLudemeplexes": _links("Ruleset", "Ludemeplex"),
    "RulesetPeriods": _links("Ruleset", "Period"),
    "RulesetRegions": _links("Ruleset", "Region"),
    "Evidence": _layout(
        "Id GameId",
        "DateStart DateStartBC DateEnd DateEndBC Location KML Rules Reference Verified DateAdded",
        kept="ExternalDB ExternalDBId",
        passed_over="Username",  # who typed a row is no part of what the portal says of a game
        Id="EvidenceId",
        TypeId="EvidenceTypeId Type",
        GameId="Game",
        RulesetId="GameRulesetId Ruleset",
        Misc="Content",
        ConfidenceMultiplier="Confidence",
    ),
    "EvidenceTypes": _names("EvidenceType"),
    "EvidenceSources": _links("Evidence", "Source"),
    "EvidenceAges": _links("Evidence", "Age"),
    "EvidenceGenders": _links("Evidence", "Gender"),
    "EvidenceLudemeInfos": _links("Evidence", "LudemeInfo"),
    "EvidenceLudemeplexes": _links("Evidence", "Ludemeplex"),
    "EvidenceSocialStatuses": _links("Evidence", "SocialStatus", "SocialStatusesId StatusId"),
    "EvidenceSpaces": _links("Evidence", "Space"),
    "EvidenceUncertaintyFactors": _links("Evidence", "UncertaintyFactor", "FactorId"),
    "UncertaintyFactors": _layout("Id Name", Id="", Name=f"UncertaintyFactor {NAME}", Definition="Description"),
    "Sources": _layout("Id Name", Id="", Name="Source Reference Text Citation Title Value", Address="URL Link Website"),
    "GameSources": _links("Game", "Source"),
    "Regions": _names("Region", passed_over="Continent Direction"),  # the parts of its name: Northern, Africa
    "GameRegions": _links("Game", "Region"),
    "Periods": _names("Period"),
    "GamePeriods": _links("Game", "Period"),
    "Categories": _names("Category"),
    "GameCategories": _links("Game", "Category"),
    "Ages": _names("Age"),
    "Genders": _names("Gender"),
    "LudemeInfos": _names("LudemeInfo"),
    "Ludemeplexes": _names("Description"),
    "SocialStatuses": _names("SocialStatus"),
    "Spaces": _names("Space"),
}
LEFT_ALONE = {
    "MatchGamePairings": "it says which games Ludii plays one after another",
    **dict.fromkeys(
        ("Concepts", "Ludemes", "LudemeplexConcepts", "LudemeplexLudemes", "LudemeplexMathKeywords", "MathKeywords"),
        OF_LUDII,
    ),
}
NEEDED = ("Games", "Evidence")


def folded(name: str) -> str:
    return name.replace("_", "").lower()


KNOWN = {folded(name): name for name in TABLES}
WHY_LEFT_ALONE = {folded(name): why for name, why in LEFT_ALONE.items()}


def recognised(table: str, columns: tuple[str, ...]) -> dict[str, int]:
    """Our name of each column that is known → its place among those the dump names."""
    places = {folded(name): place for place, name in reversed(list(enumerate(columns)))}
    known = TABLES[table]
    spellings = {**known.columns, **{name: (name,) for name in known.kept}}
    found: dict[str, int] = {}
    for name, spelt in spellings.items():
        place = next((places[folded(one)] for one in spelt if folded(one) in places), None)
        if place is not None and place not in found.values():
            found[name] = place
    if set(known.columns) == {"Id", "Name"} and set(found) == {"Id"} and len(columns) == 2:
        found["Name"] = 1 - found["Id"]  # whatever it is called, there is no other
    return found


def passed_over(table: str, column: str) -> bool:
    return folded(column) in map(folded, TABLES[table].passed_over)
