"""Documents of rulesets, changes of them as visitors type them, and tests of claims: made badly, and read."""

import json
import random
from collections.abc import Callable
from typing import Any

from catalogue.claims import checking, definitions
from catalogue.what_if.changes import what_if
from simulator.engine.documents import parse, with_changes
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.engine.session import Session
from simulator.rulesets import SHIPPED, read_file
from tests.proofs.operation_inputs import PLAYED, spoilt
from tests.proofs.operation_wishes import hostile_value

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
        if checking.problems(test, known):
            return False
        read = definitions.read(test)
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
    assert str(problem), "a refusal that says nothing"


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
        session.play(session.drawn())


KINDS = {"documents": documents, "changes": changes, "claims": claims}
