"""Hostile inputs, by kind: how one is made, and what reads it.

Documents of rulesets, changes of them as visitors type them, and tests of claims; files that are nearly pages, dumps or
datasets, read and imported into a database of this process.
"""

import contextlib
import io
import json
import random
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command
from django.db import transaction

from catalogue.analyses import claim_checks, claim_definitions
from catalogue.models import Evidence
from catalogue.portal.dump.reading import read_dump
from catalogue.portal.dump.statements import NoDump
from catalogue.portal.record_pages import NoPortalPage, page_text, read_page
from catalogue.portal.reports import RowRemarks
from catalogue.what_if.changes import what_if
from simulator.engine.documents import parse, with_changes
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.engine.session import Session
from simulator.rulesets import SHIPPED, read_file
from tests.catalogue import portal_layouts
from tests.catalogue.dataset_world import (
    a_few_rows,
    contents,
    export,
    load,
    rows_in_the_database,
    sum_again,
)
from tests.catalogue.portal_dumps import dump, record, small
from tests.proofs.operation_inputs import PLAYED
from tests.proofs.operation_wishes import hostile_fields, hostile_value, mutated, spoilt

HostileKind = tuple[Callable[[random.Random], Any], Callable[[Any], bool]]
SHOWN = "0"  # first digit of the hashes of those that are drawn and played: one of sixteen
APPARATUS = SHIPPED.parent / "apparatus"


def shipped() -> dict[str, Ruleset]:
    return {path.stem: read_file(path).ruleset for path in sorted(SHIPPED.glob("*.json"))}


def documents() -> HostileKind:
    """What is taken is what it says it is; a part of it is told in words, drawn and played."""
    known = list(shipped().values())

    def make(chance: random.Random) -> Any:
        ruleset = chance.choice(known)
        document: Any = dict(ruleset.document)
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            document = _another_rule(chance, document, ruleset) if chance.random() < 0.6 else spoilt(chance, document)
            if not isinstance(document, dict):
                break
        return document

    def take(document: Any) -> bool:
        try:
            ruleset = parse(document)
        except RulesetProblem as problem:
            _said(problem)
            return False
        assert parse(json.loads(json.dumps(ruleset.document))).hash == ruleset.hash
        if ruleset.hash[0] in SHOWN:
            _shown_and_played(ruleset)
        return True

    return make, take


def changes() -> HostileKind:
    """Words for parameters, as the form of a what-if and `--set` take them."""
    known = list(shipped().values())

    def make(chance: random.Random) -> tuple[Ruleset, dict[str, str]]:
        ruleset = chance.choice(known)
        changed = {}
        for _ in range(chance.choice((1, 1, 2, 3))):
            key = chance.choice(list(ruleset.parameters)) if chance.random() < 0.9 else str(hostile_value(chance))
            value = _of_schema(chance, family(ruleset.family).schema["properties"].get(key, {}))
            if chance.random() < 0.5:
                value = hostile_value(chance)
            changed[key] = value if isinstance(value, str) else json.dumps(value)
        return ruleset, changed

    def take(offered: tuple[Ruleset, dict[str, str]]) -> bool:
        ruleset, typed = offered
        try:
            found = with_changes(ruleset, typed)
        except RulesetProblem as problem:
            _said(problem)
            found = None
        try:
            change = what_if(ruleset, typed)
        except RulesetProblem as problem:
            _said(problem)
            return False
        assert (change.ruleset is None) == (found is None), "form and command do not agree"
        return found is not None

    return make, take


def claims() -> HostileKind:
    """The tests that claims are put to."""
    known = shipped()
    written = [
        test
        for path in sorted(APPARATUS.glob("*.json"))
        for claim in json.loads(path.read_text())["claims"]
        for test in claim.get("tests", ())
    ]

    def make(chance: random.Random) -> Any:
        test = chance.choice(written)
        if chance.random() < 0.3:
            test = {**chance.choice(written), **test}
        for _ in range(chance.choice((1, 1, 1, 2))):
            test = spoilt(chance, test)
        return test

    def take(test: Any) -> bool:
        if problems := claim_checks.problems_of_test(test, known):
            assert all(map(str, problems)), "a mistake without words"
            return False
        read = claim_definitions.read(test)
        for side in read.sides:
            side.ruleset(known)
        return True

    return make, take


def _another_rule(chance: random.Random, document: dict[str, Any], ruleset: Ruleset) -> dict[str, Any]:
    key = chance.choice(list(ruleset.parameters))
    return {**document, key: _of_schema(chance, family(ruleset.family).schema["properties"][key])}


def _of_schema(chance: random.Random, spec: dict[str, Any]) -> Any:
    """A value that the schema of one parameter allows, or nearly."""
    if "enum" in spec:
        return chance.choice(spec["enum"])
    if spec.get("type") == "integer":
        return chance.randint(spec.get("minimum", 0) - 1, min(spec.get("maximum", 100), 1_000) + 1)
    if spec.get("type") == "boolean":
        return chance.random() < 0.5
    if spec.get("type") == "array":
        return [_of_schema(chance, spec.get("items", {})) for _ in range(chance.randrange(spec.get("maxItems", 4) + 2))]
    return hostile_value(chance)


def _said(problem: RulesetProblem) -> None:
    """Each mistake says what is wrong, and where unless it is the whole."""
    assert problem.problems, "a refusal that names nothing"
    for one in problem.problems:
        assert one.message, f"{one.key!r} is wrong, and nobody says why"


def _shown_and_played(ruleset: Ruleset) -> None:
    """In words, drawn, and by the referee for a few plies, as a page of the changed ruleset does it."""
    kind = family(ruleset.family)
    kind.words(ruleset)
    assert kind.draw_start(ruleset).startswith("<svg")
    session = Session(ruleset, seed=1)
    for _ in range(PLAYED):
        if session.is_over:
            break
        assert session.options, "nobody can move, and the game goes on"
        session.play(session.draw_move())


@cache
def folder() -> Path:
    """Of this process, with all tables made in its database, which is in memory."""
    call_command("migrate", verbosity=0, skip_checks=True)
    return Path(tempfile.mkdtemp(prefix="hostile-"))


def page_maker() -> Callable[[random.Random], bytes]:
    texts = [path.read_bytes() for path in portal_layouts.PAGE_FILES]
    records = [one for path in portal_layouts.PAGE_FILES for one in portal_layouts.read_file(path.name).records]
    layouts = (portal_layouts.as_html_table, portal_layouts.on_lines, portal_layouts.on_one_line)

    def make(chance: random.Random) -> bytes:
        some = chance.sample(records, chance.randint(1, 2))
        page = chance.choice(layouts)(some, "in Sri Lanka").encode()
        return mutated(
            chance, chance.choice(texts) if chance.random() < 0.02 else page, chance.choice((0, 1, 2, 5, 20))
        )

    return make


def dump_maker() -> Callable[[random.Random], bytes]:
    def make(chance: random.Random) -> bytes:
        records = [record(chance.randint(1, 10**6), **hostile_fields(chance)) for _ in range(chance.randint(1, 3))]
        return mutated(chance, dump(small(*records)).encode("utf-8", "replace"), chance.choice((0, 0, 1, 1, 2, 5)))

    return make


def pages() -> HostileKind:
    def take(content: bytes) -> bool:
        try:
            return bool(read_page(page_text(content), "a page").records)
        except NoPortalPage:
            return False

    return page_maker(), take


def dumps() -> HostileKind:
    file = folder() / "dump.sql"

    def take(content: bytes) -> bool:
        file.write_bytes(content)
        try:
            read = read_dump(file, RowRemarks())
        except NoDump:
            return False
        for table in read.tables:
            assert len(list(read.rows(table))) == len(read.tables[table])
        return True

    return dump_maker(), take


def pages_imported() -> HostileKind:
    return page_maker(), _imports("import_portal")


def dumps_imported() -> HostileKind:
    return dump_maker(), _imports("import_portal_dump")


def _imports(command: str) -> Callable[[bytes], bool]:
    file = folder() / command

    def take(content: bytes) -> bool:
        """What the report names is there; of what was refused nothing is."""
        file.write_bytes(content)
        out, refusal = io.StringIO(), None
        with transaction.atomic():
            try:
                call_command(command, str(file), "--json", stdout=out, stderr=io.StringIO())
            except CommandError as error:
                refusal = error
            created = json.loads(out.getvalue() or "{}").get("created", [])
            kept = sorted(Evidence.objects.values_list("identifier", flat=True))
            assert kept == sorted(created), f"the report names {created}, and there are {kept}"
            refused = refusal is not None and refusal.returncode == 2
            assert not refused or ("othing was" in str(refusal) and not rows_in_the_database()), (
                f"half written: {refusal}"
            )
            transaction.set_rollback(True)
        return not refused

    return take


def datasets() -> HostileKind:
    place = folder() / "dataset"
    with transaction.atomic():
        a_few_rows()
        export(place, "--date", "2026-12-01")
        transaction.set_rollback(True)
    whole = contents(place)
    names = sorted(name for name in whole if name.endswith((".csv", ".json")))

    def make(chance: random.Random) -> dict[str, bytes]:
        """File → what it holds, where that is not what was exported."""
        some = chance.sample(names, chance.choice((0, 1, 1, 1, 2)))
        return {name: mutated(chance, whole[name], chance.choice((1, 1, 2))) for name in some}

    def take(spoilt: dict[str, bytes]) -> bool:
        for name, data in spoilt.items():
            (place / name).write_bytes(data)
        sum_again(place)
        taken = False
        with contextlib.suppress(CommandError), transaction.atomic():
            load(place)
            taken = bool(rows_in_the_database())
            transaction.set_rollback(True)
        assert rows_in_the_database() == 0, "half loaded"
        for name in spoilt:
            (place / name).write_bytes(whole[name])
        return taken

    return make, take


KINDS: dict[str, Callable[[], HostileKind]] = {
    "documents": documents,
    "changes": changes,
    "claims": claims,
    "pages": pages,
    "dumps": dumps,
    "pages_imported": pages_imported,
    "dumps_imported": dumps_imported,
    "datasets": datasets,
}
