"""The tables that hold no rows of the catalogue's editors: rulesets, versions, batches, their figures, verdicts."""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import DatabaseError

from catalogue.dataset.batches import load_batch
from catalogue.dataset.problems import DatasetProblem, refused_by_model
from catalogue.dataset.reading import ReadRow
from catalogue.dataset.tables import DatasetTable
from catalogue.dataset.verifying import Release
from catalogue.loading.natural_keys import found, label, model_of
from catalogue.models import Verdict
from simulator import rulesets
from simulator.batches import finalize
from simulator.batches.summary_parts import BEHIND, OF_REPETITION
from simulator.batches.versions import is_of_this_engine
from simulator.engine.documents import parse
from simulator.engine.ruleset import RulesetProblem
from simulator.models import Batch, Measurement, RulesetVersion
from simulator.problems import WrongRequest


def _load_ruleset(release: Release, table: DatasetTable, row: ReadRow) -> None:
    try:
        ruleset = parse(row.values["document"])
    except RulesetProblem as problem:
        raise DatasetProblem(str(problem), table.file, row.line, "document") from problem
    if (ruleset.hash, ruleset.family) != (row.values["hash"], row.values["family"]):
        message = f"the document has the hash {ruleset.hash} and is of the family {ruleset.family}"
        raise DatasetProblem(message, table.file, row.line)
    rulesets.save(ruleset)


def _load_versions(release: Release, table: DatasetTable, rows: Iterator[ReadRow]) -> int:
    """From the files below rulesets/, which must be those that the table speaks of."""
    try:
        loaded = rulesets.load_ruleset_files(release.place / "rulesets")
    except (WrongRequest, RulesetVersion.DoesNotExist, DatabaseError, ValueError, TypeError, RecursionError) as problem:
        raise DatasetProblem(str(problem), "rulesets") from problem
    contents = {str(one): one for one in RulesetVersion.objects.select_related("parent")}
    number = 0
    for row in rows:
        number += 1
        name = f"{row.values['slug']}@{row.values['number']}"
        parent = row.values["parent"] and "@".join(row.values["parent"])
        one = contents.get(name)
        if one is None:
            raise DatasetProblem(f"there is no file of {name} below rulesets/", table.file, row.line)
        written = (one.ruleset_id, one.parent and str(one.parent), one.date)
        if written != (row.values["ruleset"][0], parent, row.values["date"]):
            raise DatasetProblem(f"the file of {name} below rulesets/ says something else", table.file, row.line)
    if number != loaded:
        raise DatasetProblem(f"has {number} versions, and there are {loaded} below rulesets/", table.file)
    return number


def _load_verdict(release: Release, table: DatasetTable, row: ReadRow) -> None:
    claims, key = model_of("catalogue.claim"), tuple(row.values["claim"])
    claim = found(claims, [key]).get(key)
    if claim is None:
        raise DatasetProblem(f"there is no claim {' '.join(key)}", table.file, row.line, "claim_game, claim_slug")
    verdict = Verdict(**{**row.values, "claim": claim})
    try:
        verdict.full_clean(exclude=["claim"], validate_unique=False, validate_constraints=False)
    except ValidationError as problem:
        raise refused_by_model(problem, table.file, row.line) from problem
    verdict.save()


def _load_measurement(release: Release, table: DatasetTable, row: ReadRow) -> None:
    """It was computed with its batch, from the tally; the file must say the same.

    Of repetition as far as the games that were looked at, whose number goes by what games are expected to cost. Of
    games of an earlier engine, which cannot be looked at here, it is taken as the file says it.
    """
    said = {name: value for name, value in row.values.items() if name not in ("batch", "place")}
    (batch,), place = row.values["batch"], row.values["place"]
    kept = Measurement.objects.filter(batch=batch)
    here = kept.filter(measure=said["measure"]) if said["measure"] in BEHIND else kept.filter(place=place)
    if said["measure"] in OF_REPETITION and not here.filter(n=said["n"]).exists():
        played = Batch.objects.filter(id=batch).select_related("ruleset").first()
        if played and not is_of_this_engine(played) and not here.exists():
            Measurement.objects.create(batch=played, place=kept.count(), **said)
            return
        if played:
            finalize.rescan_repetition(played, said["n"])
    computed = here.values(*said).first()
    if computed is None:
        raise DatasetProblem(f"batch {batch} has no figure in place {place}", table.file, row.line, "place")
    for name, value in said.items():
        number = float(value) if isinstance(value, Decimal) else value
        if computed[name] != number:
            message = f"says {number!r}, and the tally of batch {batch} gives {computed[name]!r}"
            raise DatasetProblem(message, table.file, row.line, name)


LOADERS: Mapping[str, Callable[[Release, DatasetTable, ReadRow], object]] = {
    "simulator.ruleset": _load_ruleset,
    "simulator.batch": load_batch,
    "simulator.measurement": _load_measurement,
    "catalogue.verdict": _load_verdict,
}


def load_table(release: Release, table: DatasetTable, rows: Iterator[ReadRow]) -> int:
    """Says how many rows there were; raises DatasetProblem."""
    if table.model is RulesetVersion:
        return _load_versions(release, table, rows)
    number = 0
    for row in rows:
        number += 1
        LOADERS[label(table.model)](release, table, row)
    return number
