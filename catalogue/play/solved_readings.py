"""What is proved of the readings beside a record, a sentence each: what faultless play comes to, or the chances."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from catalogue.models.querysets import ReadBeside
from catalogue.play.solution_summary import start_in_words
from simulator.batches.versions import is_installed
from simulator.engine.ruleset import Ruleset
from simulator.models import Solution
from simulator.rulesets import as_engine


@dataclass(frozen=True, slots=True)
class SolvedReading:
    title: str
    words: str
    address: str


def solved_readings(readings: Iterable[ReadBeside]) -> list[SolvedReading]:
    """Those of the readings that are solved on their own board, by the rules that the engine here plays.

    One query, however many readings.
    """
    played = [(one.reading, one.version.ruleset) for one in readings if one.version]
    done = Solution.objects.filter(ruleset__in=[row.hash for _, row in played], state=Solution.State.DONE)
    families = {row.hash: row.family for _, row in played}
    now = [one for one in done if is_installed(families[one.ruleset_id], one.family_version)]
    found = {one.ruleset_id: one.document for one in now if one.document and not one.document["reduced"]}
    return [
        SolvedReading(
            reading.title,
            _chances(found[row.hash]) or _faultless(as_engine(row), found[row.hash]),
            f"{reverse('ruleset', args=[reading.slug])}#solution",
        )
        for reading, row in played
        if row.hash in found
    ]


def _faultless(ruleset: Ruleset, document: dict[str, Any]) -> str:
    return f"if both sides play without fault: {start_in_words(ruleset, document)}"


def _chances(document: Mapping[str, Any]) -> str:
    """Of a game that throws decide; empty of any other."""
    known = {(row["first"], row["second"]): row for row in document.get("chances", ())}
    if not known:
        return ""
    best, random = (_percent(known[one, one]) for one in ("best", "random"))
    return f"whoever throws first wins {best} of games if both play as well as can be, {random} if both play at random"


def _percent(row: Mapping[str, float]) -> str:
    """To as many digits as both bounds agree in, two at most."""
    low, high = (f"{100 * row[name]:.2f} %" for name in ("lower", "upper"))
    return low if low == high else f"{low} to {high}"
