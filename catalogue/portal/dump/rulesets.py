"""The portal's rulesets, which are prose, as rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catalogue.loading.rows import Row, row
from catalogue.portal.dump.fields import LinkedNames, numbered_rows
from catalogue.portal.dump.games import NamedGame, links_of, main_rulesets, origin_points
from catalogue.portal.dump.places import Places
from catalogue.portal.dump.reading import Dump

LONGEST_NAME = 200
LONGEST_TYPE = 60


@dataclass(frozen=True, slots=True)
class NamedRuleset:
    """game: the portal's Id"""

    name: str
    game: int


def named_rulesets(dump: Dump, games: Mapping[int, NamedGame]) -> dict[int, NamedRuleset]:
    """Those whose game is there."""
    found = {}
    for read in numbered_rows(dump, "GameRulesets"):
        game = read.number_in("GameId") or 0
        if game in games:
            found[read.number] = NamedRuleset(read.line("Name", LONGEST_NAME) or f"Ruleset {read.number}", game)
        else:
            read.remark(f"its game {read.values['GameId']!r} is not there; it was left out")
    return found


def ruleset_rows(
    dump: Dump,
    rulesets: Mapping[int, NamedRuleset],
    games: Mapping[int, NamedGame],
    types: Mapping[int, str],
    evidence: Mapping[int, list[str]],
    linked: Mapping[str, LinkedNames],
    places: Places,
) -> Iterator[tuple[int, list[Row]]]:
    """evidence: ruleset → identifiers of its records; linked: column → what rulesets are linked to"""
    ludemeplexes = linked["ludemeplexes"]
    columns = {name: found for name, found in linked.items() if found is not ludemeplexes}
    main = main_rulesets(dump)
    for read in numbered_rows(dump, "GameRulesets", again=True):
        if not (ruleset := rulesets.get(read.number)):
            continue
        words = read.line("Type", LONGEST_TYPE)
        others = read.kept_columns()
        if said := ludemeplexes.of(read.number):
            others["Ludemeplexes"] = "; ".join(said)
        texts = ("Summary", "Description", "Rules", "Reference", "Origin")
        portal_ruleset = row(
            "portalruleset",
            number=read.number,
            game=[games[ruleset.game].slug],
            name=ruleset.name,
            **{name.lower(): read.text(name) for name in texts},
            native_name=read.line("NativeName", LONGEST_NAME),
            type=types.get(read.number_in("Type") or 0, "" if words.isdecimal() else words),
            is_main=read.number in main,
            origin_points=origin_points(read, places, others),
            other_fields=others,
            **links_of(read.number, columns),
            evidence=[[identifier] for identifier in evidence.get(read.number, ())],
        )
        yield read.number, [portal_ruleset]
