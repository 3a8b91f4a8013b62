"""A dump as tables of rows, kept in files of their own until they are needed, so that memory never holds all of it.

Columns are found by name, never by place. What is odd about the dump goes into its remarks: tables and columns that
are not known, rows that do not fit.
"""

import marshal
import tempfile
import weakref
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from catalogue.portal.dump import statements
from catalogue.portal.dump.values import Notify, ignore
from catalogue.portal.reports import RowRemarks
from simulator.engine.ruleset import alike

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
    """Return the layout of a table of names, whose column has its singular name: Age in Ages."""
    return _layout("Id Name", passed_over=passed_over, Id="", Name=f"{one} {NAME}")


def _links(one: str, other: str, others: str = "") -> TableLayout:
    """The layout of links between two tables, as `EvidenceId`; "EvidenceID" and "Evidence" mean the same."""
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
        place = next((places[folded(spelling)] for spelling in spelt if folded(spelling) in places), None)
        if place is not None and place not in found.values():
            found[name] = place
    if set(known.columns) == {"Id", "Name"} and set(found) == {"Id"} and len(columns) == 2:
        found["Name"] = 1 - found["Id"]  # whatever it is called, there is no other
    return found


def passed_over(table: str, column: str) -> bool:
    return folded(column) in map(folded, TABLES[table].passed_over)


Row = dict[str, statements.Value]
NOTIFY_EVERY = 20_000  # rows


class Rows:
    """The rows of one table, in their order."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self.number = 0

    def __len__(self) -> int:
        return self.number

    def __iter__(self) -> Iterator[Row]:
        self._file.flush()
        self._file.seek(0)
        for _ in range(self.number):
            row: Any = marshal.load(self._file)
            yield row

    def add(self, row: Row) -> None:
        marshal.dump(row, self._file)
        self.number += 1


@dataclass(slots=True)
class Dump:
    """left: statement or table → how many were left alone"""

    remarks: RowRemarks
    tables: dict[str, Rows] = field(default_factory=dict)
    defined: dict[str, tuple[str, ...]] = field(default_factory=dict)
    left: "Counter[str]" = field(default_factory=Counter)
    unknown_columns: dict[str, list[str]] = field(default_factory=dict)

    def rows(self, table: str) -> Iterator[Row]:
        yield from self.tables.get(table, ())


def read_dump(path: Path, remarks: RowRemarks, notify: Notify = ignore) -> Dump:
    """Raises NoDump if the file is none or lacks what is needed, OSError if it cannot be read."""
    dump = Dump(remarks)
    reader = _Reader(dump)
    for part in statements.statement_parts(statements.text_of(path)):
        reader.take(part)
        if reader.number and reader.number % NOTIFY_EVERY == 0 and part.kind is statements.PartKind.ROW:
            notify(f"{reader.number:,} rows read")
    if not dump.defined and not reader.number:
        raise statements.NoDump("it is no SQL dump: it has neither CREATE TABLE nor INSERT")
    for table in NEEDED:
        if table not in dump.tables:
            there = ", ".join(sorted(dump.defined)[:20]) or "none"
            raise statements.NoDump(f"it is no dump of the portal: there is no table {table}; its tables are {there}")
    return dump


class _Reader:
    def __init__(self, dump: Dump) -> None:
        self.dump, self.remarks = dump, dump.remarks
        self.number = 0
        self.table = ""  # of the rows that come; "" if they are left alone
        self.name = ""  # of that table, or of what stands in its place, as the dump has it
        self.places: dict[str, int] = {}
        self.width = 0

    def take(self, part: statements.StatementPart) -> None:
        if part.kind is statements.PartKind.ROW:
            self.number += 1
            if self.number > statements.MOST_ROWS:
                raise statements.NoDump(f"line {part.line}: it has more than {statements.MOST_ROWS:,} rows")
            if self.table:
                self._row(part)
            else:
                self.dump.left[f"rows of {self.name}"] += 1
            return
        found = (
            statements.columns_of(part)
            if part.kind in (statements.PartKind.WHOLE, statements.PartKind.INSERT)
            else None
        )
        if found is None:
            self.table, self.name = "", "a statement that was not understood"
            self.dump.left[f"statement {''.join(part.tokens[:1]).upper()[:20] or '?'}"] += 1
        elif found.defines:
            self._define(found)
        elif part.kind is statements.PartKind.INSERT:
            self._begin(found, part)
        else:
            self.dump.left["statement INSERT without VALUES"] += 1

    def _define(self, found: statements.Columns) -> None:
        self.dump.defined[KNOWN.get(folded(found.table), found.table)] = found.columns or ()
        if len(self.dump.defined) > statements.MOST_TABLES:
            raise statements.NoDump(f"it has more than {statements.MOST_TABLES:,} tables")
        if folded(found.table) in KNOWN:
            table = KNOWN[folded(found.table)]
            self._check(table, found.columns or ())
            self.dump.tables.setdefault(table, Rows())
        elif folded(found.table) not in WHY_LEFT_ALONE:
            self.remarks.add(found.table, "", "the table is not known and was left alone")

    def _begin(self, found: statements.Columns, part: statements.StatementPart) -> None:
        self.table, self.name = KNOWN.get(folded(found.table), ""), found.table
        if not self.table:
            if why := WHY_LEFT_ALONE.get(folded(found.table)):
                self.name += f" ({why})"
            if found.table not in self.dump.defined:
                self._define(statements.Columns(found.table, (), True))
            return
        columns = found.columns or self.dump.defined.get(self.table)
        if not columns:
            raise statements.NoDump(
                f"line {part.line}: INSERT INTO {found.table} names no columns, and no CREATE TABLE before it does"
            )
        self.places, self.width = self._check(self.table, columns), len(columns)
        self.dump.defined.setdefault(self.table, columns)
        self.dump.tables.setdefault(self.table, Rows())

    def _check(self, table: str, columns: tuple[str, ...]) -> dict[str, int]:
        places = recognised(table, columns)
        for name in TABLES[table].needed:
            if name not in places:
                near = alike(name, columns, least=0.5)
                hint = f"; the nearest is {near[0]}" if near else ""
                raise statements.NoDump(
                    f"the table {table} has no column {name}{hint} (it has {', '.join(columns)[:300]})"
                )
        unknown = self.dump.unknown_columns.setdefault(table, [])
        for place, name in enumerate(columns):
            if place not in places.values() and name not in unknown and not passed_over(table, name):
                unknown.append(name)
                self.remarks.add(table, "", f"the column {name} is not known and was left alone")
        return places

    def _row(self, part: statements.StatementPart) -> None:
        values = statements.values_of(part)
        if len(values) != self.width:
            where = f"line {part.line}"
            self.remarks.add(self.table, where, f"a row of {len(values)} values for {self.width} columns was left out")
            return
        row = {name: values[place] for name, place in self.places.items()}
        for name, value in row.items():
            if isinstance(value, statements.Unreadable):
                row[name] = None
                number = str(row.get("Id") or f"line {part.line}")
                self.remarks.add(self.table, number, f"{name} is no value but an expression: {value.words!r}")
        self.dump.tables[self.table].add(row)
