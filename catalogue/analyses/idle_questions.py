"""Whether the answers to a question ever give different games: each is played, game by game, until they differ.

In each reading the parameters that the question decides are set as each of its answers has them, and nothing else. The
same games, number by number of one seed, are then played under all of them, and told apart by the digests of their
rows, only as long as two answers have had the same. Of first rounds the play alone counts. This module brings the
compiled engine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from catalogue.analyses.factorial import FactorLevel, factor_of, without_inactive
from catalogue.evidence.clauses import newest_rulesets
from catalogue.evidence.questions import Answers, playable, question_rows, request_digest
from catalogue.models import Game, Reading
from simulator.batches.requests import check_request, has_rounds
from simulator.batches.rows import Rows, digest_of
from simulator.engine.family import family
from simulator.engine.playout import play_block
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.models import Batch

STAGES = (20, 200)  # games after which it is seen which answers have been told apart
OF_THE_NEXT = ("rounds", "part_holes")  # columns of a first round that tell of the round after it: no play of the first


@dataclass(slots=True)
class Played:
    """The first games of rulesets, each played once. terms: games, seed and the rest, as `check_request` takes them"""

    terms: Mapping[str, Any]
    rows: dict[str, Rows] = field(default_factory=dict)

    def first(self, ruleset: Ruleset, games: int) -> Rows:
        """int32[games, measures]"""
        kept = self.rows.get(ruleset.hash)
        if kept is None or len(kept) < games:
            one, first = check_request(ruleset, **self.terms), 0 if kept is None else len(kept)
            more = play_block(ruleset, one.players, one.seed, first, games - first, one.cap, one.until)
            if one.until == Batch.Until.ROUND:
                names = [measure.name for measure in family(ruleset.family).measures]
                more = np.delete(more, [names.index(name) for name in OF_THE_NEXT if name in names], axis=1)
            kept = self.rows[ruleset.hash] = more if kept is None else np.concatenate([kept, more])
        return kept[:games]


def plays_rounds(game: Game) -> bool:
    """Return whether games of its readings go on after a first round."""
    rulesets = newest_rulesets(Reading.objects.filter(game=game).values_list("slug", flat=True))
    return any(has_rounds(family(ruleset.family)) for ruleset in rulesets.values())


def findings_of(game: Game, terms: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of a game in the file of idle questions. Raises WrongRequest.

    terms: games, seed, players, cap and until, as of a batch
    """
    rulesets = newest_rulesets(Reading.objects.filter(game=game).order_by("position").values_list("slug", flat=True))
    played = {name: Played(terms) for name in rulesets}
    questions = {
        question.slug: {
            name: finding(ruleset, answers, played[name], terms["games"]) for name, ruleset in rulesets.items()
        }
        for question in question_rows().filter(game=game)
        if len(answers := playable(question)) > 1
    }
    version = next((family(ruleset.family).rules_version for ruleset in rulesets.values()), 0)
    return {"version": version, **terms, "questions": questions}


def finding(base: Ruleset, answers: Answers, played: Played, games: int) -> dict[str, Any]:
    """Play a ruleset under these answers until their games differ."""
    given = _rulesets(base, answers)
    same, first = _told_apart(given, played, games) if given else ([], None)
    return {
        "asked": request_digest(base.document, answers),
        "rulesets": len({ruleset.hash for ruleset in given.values()}),
        "same": same,
        "first_different": first,
        "impossible": [slug for slug in answers if slug not in given],
    }


def _rulesets(base: Ruleset, answers: Answers) -> dict[str, Ruleset]:
    """The ruleset that each answer makes of the base; without those that make none."""
    varied = factor_of("", [FactorLevel(slug, values, 1.0) for slug, values in answers.items()])
    found: dict[str, Ruleset] = {}
    if varied is None:
        return found
    for level in varied.levels:
        try:
            found[level.slug] = without_inactive(base, {key: level.values[key] for key in varied.decides})
        except RulesetProblem:
            continue
    return found


def _told_apart(given: Mapping[str, Ruleset], played: Played, games: int) -> tuple[list[list[str]], int | None]:
    """The answers in groups that give the same games, and the first game that is not the same under all of them."""
    contents = {ruleset.hash: ruleset for ruleset in given.values()}
    groups: dict[str, list[str]] = {}
    for looked in (*(stage for stage in STAGES if stage < games), games):
        digests = {content: digest_of(played.first(ruleset, looked)) for content, ruleset in contents.items()}
        groups = {digest: [] for digest in digests.values()}
        for slug, ruleset in given.items():
            groups[digests[ruleset.hash]].append(slug)
        if len(groups) == len(contents):
            break
    rows = [played.first(ruleset, looked) for ruleset in contents.values()]
    differing = np.flatnonzero(np.any([(row != rows[0]).any(axis=1) for row in rows], axis=0))
    return list(groups.values()), int(differing[0]) if len(differing) else None
