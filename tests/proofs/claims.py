"""The proof of claims: judged twice by two seeds, and every figure counted again, game by game, by other code."""

import csv
import json
import operator
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.proofs.running import Figures, demand

CLAIM_GAMES, CLAIM_SEEDS = 2_000, (2, 1)
COMPARE = {
    "<": operator.lt, "<=": operator.le, "=": operator.eq, "!=": operator.ne, ">=": operator.ge, ">": operator.gt,
}  # fmt: skip


def claims(machine: Any) -> Figures:
    """Every claim that random play can judge, by two seeds: judged again nothing changes, no verdict turns into its
    opposite, and each figure is what counting the games one by one gives."""
    printed = {}
    for seed in CLAIM_SEEDS:
        words = (
            "judge_claims",
            "--games",
            str(CLAIM_GAMES),
            "--seed",
            str(seed),
            "--which",
            "random",
            "--inline",
            "--json",
        )
        printed[seed] = json.loads(machine.manage(*words).stdout)["claims"]
        again = json.loads(machine.manage(*words).stdout)["claims"]
        demand(again == printed[seed], f"seed {seed}: judged again, the claims are told otherwise", {})
    figures: Figures = {
        "claims": dict(Counter(claim["verdict"] for claim in printed[1])),
        "tests": dict(Counter(test["verdict"] for test in _tests(printed[1]))),
        "verdicts": {claim["claim"]: f"{claim['verdict']}. {claim['reason']}".strip() for claim in printed[1]},
    }
    for one, other in zip(_tests(printed[1]), _tests(printed[2]), strict=True):
        pair = {one["verdict"], other["verdict"]}
        demand(pair != {"supported", "not_supported"}, f"two seeds contradict each other: {one['under']}", figures)
    for claim in printed[1]:
        demand(claim["judged_by"] == "random" or claim["verdict"] in ("undecided", "untestable"), str(claim), figures)
    counted = [_recount(test, figures) for test in _tests(printed[1]) if test.get("batches")]
    return {**figures, "recounted": len(counted)}


def _tests(printed: list[Figures]) -> Iterator[Figures]:
    return (test for claim in printed for test in claim["tests"])


def _recount(test: Figures, figures: Figures) -> float | None:
    """The figure as plain counting gives it, with every stopped game taken as it stood; it must lie within bounds."""
    document, games = test["test"], [_games(batch) for batch in test["batches"]]
    if document["kind"] == "share":
        among = [game for game in games[0] if _fulfils(game, document.get("among", ()))]
        found = sum(_fulfils(game, document["of"]) for game in among) / len(among) if among else None
    elif document["kind"] == "mean":
        found = sum(game[document["measure"]] for game in games[0]) / len(games[0])
    else:
        pairs = zip(*games, strict=True)
        found = sum(one[document["measure"]] - other[document["measure"]] for one, other in pairs) / len(games[0])
    least, most = test["least"], test["most"]
    message = f"{test['sentence']} {found} is not within {least} and {most}"
    demand(found is None or least is None or least - 1e-9 <= found, message, figures)
    demand(found is None or most is None or found <= most + 1e-9, message, figures)
    return found


def _games(batch_id: str) -> list[dict[str, int]]:
    from simulator.batches.rows import csv_lines
    from simulator.models import Batch

    lines = "".join(csv_lines(Batch.objects.select_related("ruleset").get(id=batch_id))).splitlines()
    return [{name: int(value) for name, value in row.items()} for row in csv.DictReader(lines)]


def _fulfils(game: dict[str, int], conditions: Any) -> bool:
    return all(COMPARE[how](game[name], game.get(value, value)) for name, how, value in conditions)
