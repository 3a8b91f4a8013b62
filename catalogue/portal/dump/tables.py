"""Which tables and columns of the portal are read, and under which names. Columns are found by name, never by place.

The first spelling of a column is ours; case and underscores make no difference. No original dump was at hand when this
was written, so that further spellings a reasonable designer may have chosen are accepted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

Spellings = tuple[str, ...]
NAME = ("Name", "Title", "Value", "Text")


@dataclass(frozen=True, slots=True)
class Table:
    """columns: ours → how the dump may spell it; needed: those of ours without which the table says nothing

    kept: columns that are not read one by one but kept as they are, under their name
    """

    columns: Mapping[str, Spellings]
    needed: tuple[str, ...]
    kept: tuple[str, ...] = ()


def _names() -> Table:
    return Table({"Id": ("Id",), "Name": NAME}, ("Id", "Name"))


def _links(one: str, other: str, *spellings: str) -> Table:
    """Of two other tables, as `EvidenceId`; "EvidenceID" and "Evidence" are the same to us."""
    columns = {f"{one}Id": (f"{one}Id", one), f"{other}Id": (f"{other}Id", other, *spellings)}
    return Table({**columns, "Id": ("Id",)}, tuple(columns))


TABLES: dict[str, Table] = {
    "Games": Table(
        {
            "Id": ("Id", "GameId"),
            "Name": ("Name",),
            "NativeName": ("NativeName",),
            "Description": ("Description",),
            "MainRuleset": ("MainRuleset", "MainRulesetId"),
            "Reference": ("Reference",),
            "Origin": ("Origin",),
            "knownAliases": ("knownAliases", "Aliases"),
        },
        ("Id", "Name"),
        ("DLPGame", "PublicGame", "Author", "Publisher", "Date"),
    ),
    "GameRulesets": Table(
        {
            "Id": ("Id", "RulesetId"),
            "GameId": ("GameId", "Game"),
            "Name": ("Name",),
            "NativeName": ("NativeName",),
            "Summary": ("Summary",),
            "Type": ("Type", "TypeId", "RulesetTypeId"),
            "Description": ("Description",),
            "Rules": ("Rules",),
            "Reference": ("Reference",),
            "Origin": ("Origin",),
        },
        ("Id", "GameId", "Name"),
    ),
    "RulesetTypes": _names(),
    "Evidence": Table(
        {
            "Id": ("Id", "EvidenceId"),
            "TypeId": ("TypeId", "EvidenceTypeId", "Type"),
            "GameId": ("GameId", "Game"),
            "RulesetId": ("RulesetId", "GameRulesetId", "Ruleset"),
            "DateStart": ("DateStart",),
            "DateStartBC": ("DateStartBC",),
            "DateEnd": ("DateEnd",),
            "DateEndBC": ("DateEndBC",),
            "Location": ("Location",),
            "Rules": ("Rules",),
            "Reference": ("Reference",),
            "Misc": ("Misc", "Content"),
            "ConfidenceMultiplier": ("ConfidenceMultiplier", "Confidence"),
        },
        ("Id", "GameId"),
        ("ExternalDB", "ExternalDBId"),
    ),
    "EvidenceTypes": _names(),
    "EvidenceSources": _links("Evidence", "Source"),
    "EvidenceAges": _links("Evidence", "Age"),
    "EvidenceGenders": _links("Evidence", "Gender"),
    "EvidenceSocialStatuses": _links("Evidence", "SocialStatus", "SocialStatusesId", "StatusId"),
    "EvidenceSpaces": _links("Evidence", "Space"),
    "EvidenceUncertaintyFactors": _links("Evidence", "UncertaintyFactor", "FactorId"),
    "UncertaintyFactors": Table(
        {"Id": ("Id",), "Name": NAME, "Definition": ("Definition", "Description")}, ("Id", "Name")
    ),
    "Sources": Table(
        {
            "Id": ("Id",),
            "Name": ("Name", "Source", "Reference", "Text", "Citation", "Title", "Value"),
            "Address": ("Address", "URL", "Link", "Website"),
        },
        ("Id", "Name"),
    ),
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
