"""The tables that hold no rows of the catalogue's editors: rulesets, their versions, batches, and verdicts on claims.

Each loader takes the rows of one table and says how many there were; it raises DatasetProblem.
"""

from collections.abc import Callable, Iterator, Mapping

from django.core.exceptions import ValidationError
from django.db import DatabaseError

from catalogue.dataset.batches import load_batch
from catalogue.dataset.problems import DatasetProblem
from catalogue.dataset.reading import ReadRow
from catalogue.dataset.tables import Table
from catalogue.dataset.verifying import Release
from catalogue.loading.natural_keys import found, model_of
from catalogue.models import Verdict
from simulator import rulesets
from simulator.engine.documents import parse
from simulator.engine.ruleset import RulesetProblem
from simulator.models import RulesetVersion
from simulator.problems import WrongRequest


def _load_rulesets(release: Release, table: Table, rows: Iterator[ReadRow]) -> int:
    number = 0
    for row in rows:
        number += 1
        try:
            ruleset = parse(row.values["document"])
        except RulesetProblem as problem:
            raise DatasetProblem(str(problem), table.file, row.line, "document") from problem
        if (ruleset.hash, ruleset.family) != (row.values["hash"], row.values["family"]):
            message = f"the document has the hash {ruleset.hash} and is of the family {ruleset.family}"
            raise DatasetProblem(message, table.file, row.line)
        rulesets.save(ruleset)
    return number


def _load_versions(release: Release, table: Table, rows: Iterator[ReadRow]) -> int:
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
        told = (one.ruleset_id, one.parent and str(one.parent), one.date)
        if told != (row.values["ruleset"][0], parent, row.values["date"]):
            raise DatasetProblem(f"the file of {name} below rulesets/ says something else", table.file, row.line)
    if number != loaded:
        raise DatasetProblem(f"has {number} versions, and there are {loaded} below rulesets/", table.file)
    return number


def _load_batches(release: Release, table: Table, rows: Iterator[ReadRow]) -> int:
    number = 0
    for row in rows:
        number += 1
        load_batch(release, row.values, row.line)
    return number


def _load_verdicts(release: Release, table: Table, rows: Iterator[ReadRow]) -> int:
    number, claims = 0, model_of("catalogue.claim")
    for row in rows:
        number += 1
        key = tuple(row.values["claim"])
        claim = found(claims, [key]).get(key)
        if claim is None:
            raise DatasetProblem(f"there is no claim {' '.join(key)}", table.file, row.line, "claim_game, claim_slug")
        verdict = Verdict(**{**row.values, "claim": claim})
        try:
            verdict.full_clean(exclude=["claim"], validate_unique=False, validate_constraints=False)
        except ValidationError as problem:
            name, messages = next(iter(problem.message_dict.items()))
            raise DatasetProblem(" ".join(messages), table.file, row.line, name) from problem
        verdict.save()
    return number


LOADERS: Mapping[str, Callable[[Release, Table, Iterator[ReadRow]], int]] = {
    "simulator.ruleset": _load_rulesets,
    "simulator.rulesetversion": _load_versions,
    "simulator.batch": _load_batches,
    "catalogue.verdict": _load_verdicts,
}
