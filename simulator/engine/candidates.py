"""Candidate rulesets for one board: a set of documents, listed one by one or made by varying some keys.

A set is data: boards and rules by name, and rows that combine them. Rules may be like other rules, with more beside
them. A row has a name and keys of a document as they are, or under `vary` several values for some keys: then every
combination is a candidate, but for those that `unless` names. Rows that come to the same document are one candidate
with several names.

`setup` is no key of a document: "laid" is a game that begins with all pieces in hand, "placed" one whose pieces stand
on the first of the points that `places` names for each side, as many as there are pieces.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from simulator.engine.documents import parse
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem, nearest

MOST = 500  # candidates of a set
OWN = ("name", "board", "rules", "vary", "unless", "setup", "places")
LAID, PLACED = SETUPS = ("laid", "placed")
SEATS = ("first", "second")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A ruleset of a set, and what it is called there; rows that say the same are further names of it."""

    name: str
    ruleset: Ruleset
    board: str
    also: tuple[str, ...] = ()


def candidates(written: Mapping[str, Any], most: int = MOST) -> list[Candidate]:
    """Return the candidates of a set, in its order, each once.

    Raises RulesetProblem for a row that is no ruleset, and for more rows than `most`, with their number; both before
    any ruleset is played.
    """
    rows = written["candidates"]
    total = sum(map(_combinations, rows))
    if total > most:
        raise RulesetProblem([Problem("candidates", f"are {total} rulesets; a set has at most {most}", most)])
    found: dict[str, Candidate] = {}
    for number, row in enumerate(rows):
        for name, document, board in _documents(written, row, f"candidates/{number}"):
            ruleset = _parsed(document, f"candidates/{number}")
            known = found.get(ruleset.hash)
            if known is not None:
                found[ruleset.hash] = replace(known, also=(*known.also, name))
            else:
                found[ruleset.hash] = Candidate(name, ruleset, board)
    return list(found.values())


def _combinations(row: Mapping[str, Any]) -> int:
    count = 1
    for values in row.get("vary", {}).values():
        count *= len(values)
    return count


def _documents(
    written: Mapping[str, Any], row: Mapping[str, Any], where: str
) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield what each combination of a row is called, its document and its board's name."""
    vary: Mapping[str, Sequence[Any]] = row.get("vary", {})
    for values in product(*vary.values()):
        chosen = {**row, **dict(zip(vary, values, strict=True))}
        if any(all(chosen.get(key) == value for key, value in one.items()) for one in row.get("unless", ())):
            continue
        board, rules = chosen["board"], chosen.get("rules")
        own = {key: value for key, value in chosen.items() if key not in OWN}
        document = {"family": "points", **(_rules(written, rules, where) if rules else {}), **own}
        document["board"] = _named(written["boards"], board, f"{where}/board")
        setup = str(chosen.get("setup", LAID))
        if setup not in SETUPS:
            raise RulesetProblem([Problem(f"{where}/setup", f"nothing is called {setup}", nearest(setup, SETUPS))])
        if setup == PLACED:
            document |= _placed(chosen.get("places", {}), document, where)
        varied_keys = (f"{key}={value}" for key, value in zip(vary, values, strict=True))
        yield " ".join(filter(None, [chosen["name"], *varied_keys])), document, board


def _placed(places: Mapping[str, Sequence[str]], document: Mapping[str, Any], where: str) -> dict[str, list[str]]:
    """Return where the pieces of each side stand. Raises RulesetProblem where too few points are named."""
    arrays = {}
    for seat in SEATS:
        points, pieces = list(places.get(seat, ())), int(document.get(f"{seat}_pieces", 0))
        if len(points) < pieces:
            many = "piece" if pieces == 1 else "pieces"
            message = f"names {len(points)} points for the {pieces} {many} of the {seat} player"
            raise RulesetProblem([Problem(f"{where}/places/{seat}", message)])
        arrays[f"{seat}_array"] = points[:pieces]
    return arrays


def varied(
    board: Any,
    rules: Mapping[str, Any],
    vary: Mapping[str, Sequence[Any]],
    unless: Sequence[Mapping[str, Any]] = (),
    places: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """Return a set of one row: rules on a board, of which some keys vary, but for the combinations of `unless`."""
    row = {"name": "", "board": "own", "rules": "base", "vary": vary, "unless": unless, "places": places or {}}
    return {"boards": {"own": board}, "rules": {"base": rules}, "candidates": [row]}


def _rules(written: Mapping[str, Any], name: str, where: str) -> dict[str, Any]:
    """Return the keys of rules by name, those they are like first. Raises RulesetProblem."""
    found: dict[str, Any] = {}
    seen: list[str] = []
    while name:
        if name in seen:
            raise RulesetProblem([Problem(f"rules/{name}", "are like themselves")])
        seen.append(name)
        rules = _named(written["rules"], name, f"{where}/rules")
        found = {**{key: value for key, value in rules.items() if key != "like"}, **found}
        name = rules.get("like", "")
    return found


def _named(known: Mapping[str, Any], name: str, where: str) -> Any:
    if name not in known:
        raise RulesetProblem([Problem(where, f"nothing is called {name}", nearest(name, known) if known else None)])
    return known[name]


def _parsed(document: Mapping[str, Any], where: str) -> Ruleset:
    try:
        return parse(document)
    except RulesetProblem as wrong:
        raise RulesetProblem(replace(one, key=f"{where}/{one.key}") for one in wrong.problems) from None
