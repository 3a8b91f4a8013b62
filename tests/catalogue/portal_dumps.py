"""Dumps written for the tests, with the syntax of phpMyAdmin and every oddity; nothing in them is the portal's."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\0": "\\0", "\x1a": "\\Z", '"': '\\"'}
HEAD = """-- phpMyAdmin SQL Dump
-- version 4.9.5; not a statement
-- https://www.phpmyadmin.net/
#
# a comment in another style; INSERT INTO `Games` VALUES (1);
SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";
SET time_zone = "+00:00";
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES utf8mb4 */;
/* a comment; with 'a quote
   over two lines */
CREATE DATABASE IF NOT EXISTS `ludii` DEFAULT CHARACTER SET utf8 COLLATE utf8_general_ci;
USE `ludii`;
"""
FOOT = """
ALTER TABLE `Games` ADD PRIMARY KEY (`Id`), ADD KEY `name` (`Name`(191));
DELIMITER $$
CREATE PROCEDURE `p`() BEGIN SELECT ';'; INSERT INTO Games VALUES (1); END$$
DELIMITER ;
COMMIT;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;"""

# The 38 tables of the portal's dump of 2020, with their columns; those of names call their column after themselves.
HEADS = """
Ages(Id, Age); Categories(Id, Category); Concepts(Id, ShortName, FullName); Evidence(Id, TypeId, GameId, RulesetId,
DateStart, DateStartBC, DateEnd, DateEndBC, Location, KML, Rules, Misc, ConfidenceMultiplier, Username, Verified,
DateAdded); EvidenceAges(Id, EvidenceId, AgeId); EvidenceGenders(Id, EvidenceId, GenderId); EvidenceLudemeInfos(Id,
EvidenceId, ludemeInfoId); EvidenceLudemeplexes(Id, EvidenceId, LudemeplexId); EvidenceSocialStatuses(Id, EvidenceId,
SocialStatusId); EvidenceSources(Id, SourceId, EvidenceId); EvidenceSpaces(Id, EvidenceId, SpaceId); EvidenceTypes(Id,
EvidenceType); EvidenceUncertaintyFactors(Id, EvidenceId, UncertaintyFactorId); GameCategories(Id, GameId, CategoryId);
GamePeriods(Id, GameId, PeriodId); GameRegions(Id, GameId, RegionId); GameRulesets(Id, GameId, Name, NativeName,
Summary, Type, Description, Rules, Reference, Origin, Author, Publisher, Date, OriginPoint, EvidenceRange); Games(Id,
Name, NativeName, Description, MainRuleset, LudiiRuleset, Reference, Origin, DLPGame, PublicGame, knownAliases, Author,
Publisher, Date, ProprietaryGame, Credit, SeeAlso, BGGId, OriginPoint, EvidenceRange); GameSources(Id, SourceId,
GameId); Genders(Id, Gender); LudemeInfos(Id, LudemeInfo); LudemeplexConcepts(Id, LudemeplexId, ConceptId);
Ludemeplexes(Id, Description); LudemeplexLudemes(Id, LudemeplexId, LudemeId); LudemeplexMathKeywords(Id, LudemeplexId,
MathId); Ludemes(Id, ShortName, FullName); MatchGamePairings(Id, ParentId, ChildId); MathKeywords(Id, ShortName,
FullName); Periods(Id, Period); Regions(Id, Region, Continent, Direction); RulesetLudemeplexes(Id, RulesetId,
LudemeplexId); RulesetPeriods(Id, RulesetId, PeriodId); RulesetRegions(Id, RulesetId, RegionId); RulesetTypes(Id,
Name); SocialStatuses(Id, SocialStatus); Sources(Id, Source, URL); Spaces(Id, Space); UncertaintyFactors(Id,
UncertaintyFactor)
"""
COLUMNS: dict[str, tuple[str, ...]] = {
    table: tuple(columns.replace("\n", " ").split(", ")) for table, columns in re.findall(r"(\w+)\(([^)]*)\)", HEADS)
}
TABLES_OF_NAMES = (
    *("RulesetTypes", "EvidenceTypes", "Ages", "Genders", "SocialStatuses", "Spaces", "LudemeInfos", "Ludemeplexes"),
    *("Regions", "Periods", "Categories"),
)
CALLED = {table: COLUMNS[table][1] for table in (*TABLES_OF_NAMES, "UncertaintyFactors", "Sources")}
# Another version, with the columns that were expected before the portal's own dump was seen.
EXPECTED_BEFORE: dict[str, tuple[str, ...]] = {
    **{table: COLUMNS[table] for table in COLUMNS if table.startswith(("Evidence", "Game")) and "Ludeme" not in table},
    "Evidence": (
        *("Id", "TypeId", "GameId", "RulesetId", "DateStart", "DateStartBC", "DateEnd", "DateEndBC", "Location"),
        *("Rules", "Misc", "ConfidenceMultiplier", "ExternalDB", "ExternalDBId"),
    ),
    "EvidenceTypes": ("Id", "Name"),
    **dict.fromkeys(TABLES_OF_NAMES, ("Id", "Name")),
    "Sources": ("Id", "Name", "Address"),
    "UncertaintyFactors": ("Id", "Name", "Definition"),
}
NUMBERS = re.compile(r"(?:MainRuleset|LudiiRuleset|Type|\w+Id)$")
TYPES = {
    "DateStart": "date", "DateEnd": "date", "DateAdded": "date", "Verified": "tinyint(1)", "DLPGame": "tinyint(1)",
    "DateStartBC": "tinyint(4)", "DateEndBC": "tinyint(4)", "PublicGame": "tinyint(1)", "BGGId": "varchar(45)",
    "ProprietaryGame": "tinyint(1)", "ConfidenceMultiplier": "int(11)",
}  # fmt: skip
Rows = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Verbatim:
    """SQL that stands in the dump as it is."""

    sql: str


def literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, Verbatim):
        return value.sql
    if isinstance(value, (int, float)):
        return str(value)
    return "'" + "".join(ESCAPES.get(letter, letter) for letter in value) + "'"


def name(words: str) -> str:
    return "`" + words.replace("`", "``") + "`"


def created(table: str, columns: Sequence[str]) -> str:
    lines = [f"  {name(column)} {_type(column)}" for column in columns]
    lines[0] = f"  {name(columns[0])} int(11) NOT NULL COMMENT 'the number; of the row, (unique)'"
    lines.append(f"  KEY `k` ({name(columns[0])})")
    return (
        f"\n-- Table structure for table `{table}`\nCREATE TABLE IF NOT EXISTS {name(table)} (\n"
        + ",\n".join(lines)
        + "\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n"
    )


def _type(column: str) -> str:
    if column in TYPES:
        return f"{TYPES[column]} DEFAULT NULL"
    return "int(11) DEFAULT NULL" if NUMBERS.match(column) else "text COLLATE utf8mb4_unicode_ci DEFAULT NULL"


def inserted(
    table: str, columns: Sequence[str], rows: Iterable[Mapping[str, Any]], at_once: int = 100
) -> Iterator[str]:
    some: list[str] = []
    head = f"INSERT INTO {name(table)} ({', '.join(map(name, columns))}) VALUES\n"
    for row in rows:
        some.append("(" + ", ".join(literal(row.get(column)) for column in columns) + ")")
        if len(some) == at_once:
            yield head + ",\n".join(some) + ";\n"
            some = []
    if some:
        yield head + ",\n".join(some) + ";\n"


def dump(rows: Rows, columns: Mapping[str, Sequence[str]] = COLUMNS) -> str:
    """All tables, in the order of their names, as phpMyAdmin writes them."""
    parts = [HEAD]
    for table in sorted(columns):
        in_form = (in_form_of(columns[table], table, row) for row in rows.get(table, ()))
        parts += [created(table, columns[table]), *inserted(table, columns[table], in_form)]
    return "".join([*parts, FOOT])


def in_form_of(columns: Sequence[str], table: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row in which the name is called Name, and a source's address Address, with the columns of its table."""
    ours = {"Name": CALLED.get(table, "Name"), "Address": "URL"}
    return {name if name in columns else ours.get(name, name): value for name, value in row.items()}


def named(*names: str) -> list[dict[str, Any]]:
    """Rows of a table of names, each of which calls its column otherwise."""
    return [{"Id": number, "Name": one} for number, one in enumerate(names, 1)]


def linked(one: str, other: str, *pairs: tuple[int, int]) -> list[dict[str, Any]]:
    return [{"Id": number, one: a, other: b} for number, (a, b) in enumerate(pairs, 1)]


def record(number: int, **fields: Any) -> dict[str, Any]:
    """A record of which all is well, but for what is named."""
    return {
        "Id": number,
        "TypeId": 1,
        "GameId": 1,
        "DateStart": "1909-01-01",
        "DateStartBC": 0,
        "DateEnd": "1909-12-31",
        "DateEndBC": 0,
        "Location": "Serendip",
        "Rules": "Two rows of seven holes.",
        "Misc": "'They play it at night.' Nobody 1909: 12.",
        "ConfidenceMultiplier": 100,
        **fields,
    }


def small(*records: dict[str, Any], **tables: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The least a dump holds, with these records; tables named replace those of it."""
    return {
        "Games": [{"Id": 1, "Name": "Test Game"}, {"Id": 2, "Name": "Other Game"}],
        "EvidenceTypes": named("Ethnography", "Artifact"),
        "Regions": named("Serendip", "Cockaigne"),
        "Sources": [{"Id": 1, "Name": "Nobody, A. 1909. A Book of Nothing. Utopia: Press.", "Address": ""}],
        "EvidenceSources": linked("EvidenceId", "SourceId", *((one["Id"], 1) for one in records)),
        "Evidence": list(records),
        **tables,
    }


FIRST_RECORD = 100_001  # of a large dump: the catalogue's own records are others
SYLLABLES = "ba chi da dor em fa gu hal ij ka kel la ma mor na nir os pa pe pu ra ri sa shi sok ta tri u va wal ya zi"


def write_large(path: Path, records: int, words: int = 150, seed: int = 3) -> int:
    """A dump of so many records, with games, sources and links in proportion; the file's size in bytes."""
    chance = Random(seed)
    made = ["".join(chance.choices(SYLLABLES.split(), k=chance.randint(2, 4))) for _ in range(4_000)]
    sentence = " ".join
    games, sources = records // 2 + 1, records // 2 + 1
    few = {
        table: named(*(f"{made[number].title()} {table}" for number in range(12)))
        for table in (*TABLES_OF_NAMES, "UncertaintyFactors")
    }
    links: dict[str, tuple[Any, ...]] = {
        "EvidenceAges": ("EvidenceId", "AgeId", records, 12),
        "EvidenceSpaces": ("EvidenceId", "SpaceId", records, 12),
        "EvidenceSources": ("EvidenceId", "SourceId", records, sources, 2),
        "GameRegions": ("GameId", "RegionId", games, 12),
        "GamePeriods": ("GameId", "PeriodId", games, 12),
        "GameCategories": ("GameId", "CategoryId", games, 12),
        "EvidenceUncertaintyFactors": ("EvidenceId", "UncertaintyFactorId", records // 2, 12),
    }

    def evidence() -> Iterator[dict[str, Any]]:
        for number in range(FIRST_RECORD, FIRST_RECORD + records):
            start, game = chance.randint(1, 1900), chance.randint(1, games)
            yield record(
                number,
                TypeId=chance.randint(1, 12),
                GameId=game,
                RulesetId=chance.choice((None, game)) if game <= games // 2 else None,
                DateStart=f"{start:04}-01-01",
                DateEnd=f"{start + chance.randint(0, 90):04}-12-31",
                Location=f"{chance.randint(0, 60)}°{chance.randint(0, 59)}'{chance.uniform(0, 59):.2f}\"N, "
                f"{chance.randint(0, 170)}°{chance.randint(0, 59)}'5.13\"E"
                if chance.random() < 0.5
                else few["Regions"][chance.randrange(12)]["Name"],
                Rules=f"They don't say.\n{sentence(chance.choices(made, k=words))}.",
                Misc=f'"{sentence(chance.choices(made, k=words))}; it\'s “so”." {made[1].title()} 1909: {number}.',
            )

    tables: dict[str, Iterable[Mapping[str, Any]]] = {
        **few,
        "Games": (
            {
                "Id": number,
                "Name": f"{sentence(chance.choices(made, k=2)).title()} {number}",
                "knownAliases": made[number % 4000],
            }
            for number in range(1, games + 1)
        ),
        "GameRulesets": (
            {"Id": n, "GameId": n, "Name": f"Rules {n}", "Type": 1, "Rules": sentence(made[:40])}
            for n in range(1, games // 2 + 1)
        ),
        "Sources": (
            {
                "Id": number,
                "Name": f"{chance.choice(made).title()}, A. {chance.randint(1800, 2000)}. "
                f"{sentence(chance.choices(made, k=6))} {number}. Utopia: Press.",
                "Address": f"https://example.org/{number}",
            }
            for number in range(1, sources + 1)
        ),
        "Evidence": evidence(),
        **{table: _random_links(chance, *of_table) for table, of_table in links.items()},
    }
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for table in sorted(COLUMNS):
            file.write(created(table, COLUMNS[table]))
            in_form = (in_form_of(COLUMNS[table], table, row) for row in tables.get(table, ()))
            file.writelines(inserted(table, COLUMNS[table], in_form))
        file.write(FOOT)
    return path.stat().st_size


def _random_links(
    chance: Random, one: str, other: str, most: int, others: int, each: int = 1
) -> Iterator[dict[str, int]]:
    first = FIRST_RECORD if one == "EvidenceId" else 1
    for number in range(most * each):
        yield {"Id": number + 1, one: first + number % most, other: chance.randint(1, others)}
