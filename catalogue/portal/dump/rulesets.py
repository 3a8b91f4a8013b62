"""The portal's rulesets, which are prose, as rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catalogue.loading.rows import Row, row
from catalogue.portal.dump.fields import Table, number_of
from catalogue.portal.dump.games import NamedGame, kept_columns, main_rulesets
from catalogue.portal.dump.reading import Dump
from catalogue.portal.dump.remarks import Remarks

LONGEST_NAME = 200
LONGEST_TYPE = 60


@dataclass(frozen=True, slots=True)
class NamedRuleset:
    """game: the portal's Id"""

    name: str
    game: int


def named_rulesets(dump: Dump, games: Mapping[int, NamedGame], remarks: Remarks) -> dict[int, NamedRuleset]:
    """Those whose game is there."""
    table = Table(dump, "GameRulesets", remarks)
    found = {}
    for number, read in table:
        game = number_of(read["GameId"]) or 0
        if game in games:
            name = table.line(number, read, "Name", LONGEST_NAME) or f"Ruleset {number}"
            found[number] = NamedRuleset(name, game)
        else:
            remarks.add("GameRulesets", number, f"its game {read['GameId']!r} is not there; it was left out")
    return found


def ruleset_rows(
    dump: Dump,
    rulesets: Mapping[int, NamedRuleset],
    games: Mapping[int, NamedGame],
    types: Mapping[int, str],
    evidence: Mapping[int, list[str]],
    remarks: Remarks,
) -> Iterator[tuple[int, list[Row]]]:
    """evidence: ruleset → identifiers of its records"""
    table = Table(dump, "GameRulesets", remarks)
    main = main_rulesets(dump)
    for number, read in Table(dump, "GameRulesets", Remarks()):
        if number not in rulesets:
            continue
        words = table.line(number, read, "Type", LONGEST_TYPE)
        texts = {
            name.lower(): table.text(number, read, name)
            for name in ("Summary", "Description", "Rules", "Reference", "Origin")
        }
        yield (
            number,
            [
                row(
                    "portalruleset",
                    number=number,
                    game=[games[rulesets[number].game].slug],
                    name=rulesets[number].name,
                    native_name=table.line(number, read, "NativeName", LONGEST_NAME),
                    type=types.get(number_of(read.get("Type")) or 0, "" if words.isdecimal() else words),
                    is_main=number in main,
                    other_fields=kept_columns(table, number, read),
                    evidence=[[identifier] for identifier in evidence.get(number, ())],
                    **texts,
                )
            ],
        )
