"""Ladders of players: each rung has twice the budget of the rung below, and plays against it with the seats exchanged.

A ladder says how much a larger budget is worth in a ruleset, and thereby how much there is to be understood in it. Its
games are batches like any others: kept, citable, and not played again when the ladder is asked for again.
Pages show what is kept of it, and import no statistics; `ladder_figures` computes it.
"""

from dataclasses import dataclass
from typing import Any

from simulator.batches.requests import as_options
from simulator.models import Batch, Ladder


@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder as a page or the API has it. ladder: None if none was climbed; kept: ids of its batches kept here."""

    ladder: Ladder | None
    kept: frozenset[str]
    command: str


def latest_ladder(ruleset_hash: str, name: str) -> LadderView:
    """The ladder of a ruleset that was asked for last: two queries, or one if there is none. name: for the command."""
    ladder = Ladder.objects.filter(ruleset=ruleset_hash, state=Ladder.State.DONE).first()
    if ladder is None or ladder.document is None:
        return LadderView(None, frozenset(), f"manage.py ladder {name} --inline")
    ids = {batch for match in ladder.document["matches"] for batch in match["batches"]}
    kept = frozenset(Batch.objects.filter(id__in=ids).order_by().values_list("id", flat=True))
    return LadderView(ladder, kept, ladder_command(name, ladder.request))


def ladder_command(name: str, content: dict[str, Any]) -> str:
    """The command that asks for exactly this ladder, on any machine."""
    terms = {key: content[key] for key in ("games", "seed", "cap", "until")}
    return f"manage.py ladder {name} {as_options(rungs=','.join(content['rungs']), **terms)} --inline --json"
