"""Which tables and columns of the portal are read, and under which names. Columns are found by name, never by place.

The first spelling of a column is ours; case and underscores make no difference. No original dump was at hand when this
was written, so that further spellings a reasonable designer may have chosen are accepted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

NAME = "Title Value Text"


@dataclass(frozen=True, slots=True)
class TableLayout:
    """columns: ours → how the dump may spell it; needed: those of ours without which the table says nothing

    kept: columns that are not read one by one but kept as they are, under their name
    """

    columns: Mapping[str, tuple[str, ...]]
    needed: tuple[str, ...]
    kept: tuple[str, ...] = ()


def _layout(needed: str, columns: str = "", kept: str = "", **spellings: str) -> TableLayout:
    """columns: those that have one spelling, ours; spellings: column → its other ones"""
    every = {**spellings, **dict.fromkeys(columns.split(), "")}
    found = {name: (name, *others.split()) for name, others in every.items()}
    return TableLayout(found, tuple(needed.split()), tuple(kept.split()))


def _names() -> TableLayout:
    return _layout("Id Name", Id="", Name=NAME)


def _links(one: str, other: str, others: str = "") -> TableLayout:
    """Of two other tables, as `EvidenceId`; "EvidenceID" and "Evidence" are the same to us."""
    columns = {f"{one}Id": one, f"{other}Id": f"{other} {others}"}
    return _layout(" ".join(columns), "Id", **columns)


TABLES: dict[str, TableLayout] = {
    "Games": _layout(
        "Id Name",
        "Name NativeName Description Reference Origin",
        kept="DLPGame PublicGame Author Publisher Date",
        Id="GameId",
        MainRuleset="MainRulesetId",
        knownAliases="Aliases",
    ),
    "GameRulesets": _layout(
        "Id GameId Name",
        "Name NativeName Summary Description Rules Reference Origin",
        Id="RulesetId",
        GameId="Game",
        Type="TypeId RulesetTypeId",
    ),
    "RulesetTypes": _names(),
    "Evidence": _layout(
        "Id GameId",
        "DateStart DateStartBC DateEnd DateEndBC Location Rules Reference",
        kept="ExternalDB ExternalDBId",
        Id="EvidenceId",
        TypeId="EvidenceTypeId Type",
        GameId="Game",
        RulesetId="GameRulesetId Ruleset",
        Misc="Content",
        ConfidenceMultiplier="Confidence",
    ),
    "EvidenceTypes": _names(),
    "EvidenceSources": _links("Evidence", "Source"),
    "EvidenceAges": _links("Evidence", "Age"),
    "EvidenceGenders": _links("Evidence", "Gender"),
    "EvidenceSocialStatuses": _links("Evidence", "SocialStatus", "SocialStatusesId StatusId"),
    "EvidenceSpaces": _links("Evidence", "Space"),
    "EvidenceUncertaintyFactors": _links("Evidence", "UncertaintyFactor", "FactorId"),
    "UncertaintyFactors": _layout("Id Name", Id="", Name=NAME, Definition="Description"),
    "Sources": _layout("Id Name", Id="", Name="Source Reference Text Citation Title Value", Address="URL Link Website"),
    "Regions": _names(),
    "GameRegions": _links("Game", "Region"),
    "Periods": _names(),
    "GamePeriods": _links("Game", "Period"),
    "Categories": _names(),
    "GameCategories": _links("Game", "Category"),
    "Ages": _names(),
    "Genders": _names(),
    "SocialStatuses": _names(),
    "Spaces": _names(),
}
NEEDED = ("Games", "Evidence")


def folded(name: str) -> str:
    return name.replace("_", "").lower()


KNOWN = {folded(name): name for name in TABLES}


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
    return found
