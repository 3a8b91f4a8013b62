"""Ladders of players: each rung has twice the budget of the rung below, and plays against it with the seats exchanged.

A ladder says how much a larger budget is worth in a ruleset, and thereby how much there is to be understood in it. Its
games are batches like any others: kept, citable, and not played again when the ladder is asked for again.
Pages show what is kept of it, and import no statistics; `ladder_figures` computes it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, When

from simulator.batches.levels import LEVELS, resolve_players
from simulator.batches.requests import as_options
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch, Ladder
from simulator.strength import beating


@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder as a page or the API has it. ladder: None if none was climbed; kept: ids of its batches kept here.

    notes: of each rung, where it does not beat the one below, that it does not, and why
    weak:  against whom the strong player does badly, in sentences
    """

    ladder: Ladder | None
    kept: frozenset[str]
    command: str
    notes: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()

    @property
    def rungs(self) -> Iterator[tuple[Any, str]]:
        """The strengths of the document with their notes, the weakest first."""
        if self.ladder is not None and self.ladder.document is not None:
            yield from zip(self.ladder.document["strengths"], self.notes, strict=True)


def told_ladder(ruleset: Ruleset, name: str) -> LadderView:
    """The ladder of a ruleset whose rungs are the levels of the scale, else any: of several the one that was asked for
    last. Two queries, or one if there is none. name: for the command
    """
    levels = [resolve_players(ruleset, level) for level in LEVELS]
    of_the_scale = Case(When(request__rungs=levels, then=0), default=1)
    done = Ladder.objects.filter(ruleset=ruleset.hash, state=Ladder.State.DONE)
    ladder = done.order_by(of_the_scale, "-created", "id").first()
    if ladder is None or ladder.document is None:
        return LadderView(None, frozenset(), f"manage.py ladder {name} --inline")
    ids = {batch for match in ladder.document["matches"] for batch in match["batches"]}
    kept = frozenset(Batch.objects.filter(id__in=ids).order_by().values_list("id", flat=True))
    return LadderView(
        ladder,
        kept,
        ladder_command(name, ladder.request),
        _notes(ruleset, ladder.document),
        tuple(beating.weaknesses(ruleset)),
    )


def _notes(ruleset: Ruleset, document: dict[str, Any]) -> tuple[str, ...]:
    """Of the lowest rung, which has none below, nothing."""
    below = document["matches"][: len(document["strengths"]) - 1]
    return ("", *(beating.note(ruleset, match, document) for match in below))


def ladder_command(name: str, content: dict[str, Any]) -> str:
    """The command that asks for exactly this ladder, on any machine."""
    terms = {key: content[key] for key in ("games", "seed", "cap", "until")}
    return f"manage.py ladder {name} {as_options(rungs=','.join(content['rungs']), **terms)} --inline --json"
