"""Findings are gathered once for each state of the rows they are made from, and read as one row.

The worker that closes the last batch that runs gathers them, and so does whoever loads an edition; else the first
reader after a change does, while the others wait for him. The row is never shown for another state than its own.
"""

import contextlib
import dataclasses
import fcntl
import hashlib
import logging
import threading
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, transaction
from django.urls import get_script_prefix

from catalogue.findings.concluded import JudgedClaim
from catalogue.findings.finding import Finding, Share
from catalogue.findings.gathered import Findings, gather
from catalogue.findings.over_levels import DifferenceOverLevels
from catalogue.models import DerivedDocument, Game
from catalogue.models.changes import DONE, content_version, watched_tables
from catalogue.outcomes.at_a_glance import LevelBars
from catalogue.outcomes.bars import Outcomes, Segment
from catalogue.outcomes.figure import Bar, FigureLevel, FigureRow
from catalogue.texts.sureness import Sureness
from catalogue.web.conditional import build_digest
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.players.names import PLAYERS_VERSION
from simulator.models import Batch
from simulator.statistics.intervals import Interval
from simulator.statistics.over_levels import Judged, LevelDifference, OverLevels
from simulator.statistics.verdicts import Explanation, UndecidedReason

NAME = "findings"
# Of what is asked for and not yet done findings say nothing: of these tables `DONE` has a number of its own.
WITHOUT = {
    "catalogue_comparedbatch", "catalogue_searchedition", "catalogue_deletedrow",
    "simulator_ladder", "simulator_measurement", "simulator_plot", "simulator_ruleset", "auth_user",
}  # fmt: skip
log = logging.getLogger(__name__)


class _Known(NamedTuple):
    state: str
    findings: Findings


_known: _Known | None = None
_one_thread = threading.Lock()


def findings() -> Findings:
    """All findings, as the rows are now: one query where this process knows them, two where it does not."""
    global _known
    state = _state()
    if (known := _known) and known.state == state:
        return known.findings
    found = _read(state)
    if found is None:
        with _one_at_a_time():
            state = _state()
            found = _read(state) or _gathered(state)
    _known = _Known(state, found)
    return found


def gather_when_nothing_runs() -> None:
    """Called by workers when they have ended something: findings are gathered once nothing is being played any more."""
    if not Batch.objects.filter(state=Batch.State.RUNNING).exists():
        findings()


def _state() -> str:
    """A digest of the rows that findings are made from, of the code, and of the versions of rules and players."""
    keys = [table for table in watched_tables() if table not in WITHOUT | DONE.keys() and "_historical" not in table]
    versions = [PLAYERS_VERSION, *(family(name).rules_version for name in FAMILY_NAMES)]
    parts = (content_version([*keys, *DONE.values()]), versions, build_digest(), get_script_prefix())
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _read(state: str) -> Findings | None:
    row = DerivedDocument.objects.filter(name=NAME, state=state).first()
    return _decoded(row.document) if row else None


def _gathered(state: str) -> Findings:
    """Gather them and keep the row; where it cannot be written they are gathered all the same."""
    found = gather()
    document = encode(found)
    try:
        with transaction.atomic():
            DerivedDocument.objects.update_or_create(name=NAME, defaults={"state": state, "document": document})
    except DatabaseError as error:
        log.warning("findings are not kept: %s", error)
    return _decoded(document)  # the same whether they were kept or not


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    """One thread of one process of this machine; where no file can be locked, of this process."""
    with _one_thread, contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            lock = stack.enter_context((Path(settings.VAR_DIR) / f"{NAME}.lock").open("wb"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# The document: what has fields is [name of its class, [its fields]], a game its key, a mapping a list of pairs.
CLASSES: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        Findings, Finding, Share, JudgedClaim, DifferenceOverLevels, Judged, LevelDifference, Explanation, Interval,
        Bar, FigureRow, FigureLevel, Outcomes, Segment, LevelBars, Sureness,
    )
}  # fmt: skip
WORDS: dict[str, type[StrEnum]] = {kind.__name__: kind for kind in (OverLevels, UndecidedReason)}


def encode(value: Any) -> Any:
    """The value as JSON has it; raises KeyError for a class that the document does not know."""
    name = type(value).__name__
    if isinstance(value, Game):
        return {"Game": value.pk}
    if isinstance(value, StrEnum):
        return {WORDS[name].__name__: value.value}
    if dataclasses.is_dataclass(value):
        return {CLASSES[name].__name__: [encode(getattr(value, field.name)) for field in dataclasses.fields(value)]}
    if hasattr(value, "_fields"):
        return {CLASSES[name].__name__: [encode(part) for part in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(key), encode(part)] for key, part in value.items()]}
    return [encode(part) for part in value] if isinstance(value, list | tuple) else value


def _decoded(document: Any) -> Findings:
    found: Findings = _Decoder().decode(document)
    return found


class _Decoder:
    """Reads the document; games are fetched in one query."""

    def __init__(self) -> None:
        self.games = Game.objects.in_bulk()

    def decode(self, value: Any) -> Any:
        if isinstance(value, list):
            return tuple(map(self.decode, value))
        if not isinstance(value, dict):
            return value
        [(name, content)] = value.items()
        if name == "Game":
            return self.games[content]
        if name == "dict":
            return {self.decode(key): self.decode(part) for key, part in content}
        return WORDS[name](content) if name in WORDS else CLASSES[name](*map(self.decode, content))
