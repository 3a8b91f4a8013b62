"""Studies: the open question whose answers move a share of games farthest.

How often a side wins is held against other answers only where these leave as many sides: of four one wins less often
than of two, whatever the rules.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from types import MappingProxyType
from typing import Any

from catalogue.evidence.questions import level_of
from catalogue.findings.finding import MARGIN, STUDIED, Finding
from catalogue.models import Anchor, Study
from catalogue.sensitivity.combinations import without_inactive
from catalogue.sensitivity.offers import StudyOffer
from catalogue.texts.formatting import in_points, lowered, shortened
from simulator.batches.levels import line_in_words
from simulator.engine.documents import parse_kept
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.models import Batch
from simulator.statistics.intervals import Interval, newcombe
from simulator.statistics.responses import WON
from simulator.strength.ladder_requests import sides_of

ROUND = Batch.Until.ROUND
Answer = Mapping[str, Any]
Words = Mapping[tuple[str, str, str], Anchor]
NO_WORDS: Words = MappingProxyType({})
QuestionKey = tuple[str, str]  # game and question
NONE: Set[QuestionKey] = frozenset()


def asking_for_sides(offers: Iterable[StudyOffer]) -> set[QuestionKey]:
    """The questions whose answers make games of more sides or of fewer, on top of a game's base ruleset."""
    bases = [(offer, parse_kept(offer.base.document)) for offer in offers]
    return {
        (offer.game.slug, question.slug)
        for offer, base in bases
        for question in offer.questions
        if len({*_sides(base, [level.values for level in question.levels])}) > 1
    }


def _sides(base: Ruleset, answers: Iterable[Mapping[str, Any]]) -> Iterator[int]:
    """How many sides the base has with each of these answers."""
    for values in answers:
        try:
            yield len(sides_of(without_inactive(base, values)))
        except RulesetProblem:  # only under another answer to another question
            continue


def sensitivity_finding(study: Study, words: Words = NO_WORDS, for_sides: Set[QuestionKey] = NONE) -> Finding | None:
    """The finding of a study; None where no answer surely moves a share beyond the margin.

    words:     by (game, question, answer), where a record says so
    for_sides: the questions after which a game has more sides or fewer
    """
    others = {question for game, question in for_sides if game == study.game.slug}
    moved = max(_moved(study.document, others), key=lambda one: one[0].value, default=None)
    if moved is None:
        return None
    gap, outcome, question, low, high = moved
    game = study.game
    asked = next(one for one in study.document["questions"] if one["slug"] == question["slug"])
    texts = {answer["slug"]: answer["text"] for answer in asked["answers"]}
    said = (words.get((game.slug, question["slug"], one["slug"])) for one in (low, high))
    counted = "first rounds" if study.document.get("until") == ROUND else "games"
    end = f"of {counted} are {lowered(outcome['title'])}"
    least, most = (f"if the answer is “{_in_short(texts[one['slug']])}”" for one in (low, high))
    return Finding(
        STUDIED,
        game,
        f"{game.name}: the answer that matters most. {question['title']}",
        f"{low['text']} {end} {least}, and {high['text']} {most}, whatever else is answered.",
        gap,
        in_points(gap),
        level_of(study.summary["players"]),
        line_in_words(study.document["players"]),
        study.summary["games"] * len(study.document["cells"]),  # several combinations may be one game
        (
            ("Which doubt matters", study.get_absolute_url()),
            ("The question", f"/questions/{game.slug}/{question['slug']}/"),
            *{f"“{shortened(one.exact)}”": one.get_absolute_url() for one in said if one}.items(),
        ),
        counted=counted,
    )


def _in_short(answer: str) -> str:
    """Its first sentence, which stands within another."""
    return answer.partition(". ")[0].removesuffix(".")


def _moved(
    document: Mapping[str, Any], for_sides: Set[str]
) -> Iterator[tuple[Interval, Answer, Answer, Answer, Answer]]:
    """(difference, outcome, question, lowest answer, highest answer) of each question that surely matters."""
    for outcome in document["outcomes"]:
        if outcome["unit"] != "share" or not outcome["told"]:
            continue
        for question in outcome["questions"]:
            if outcome["key"] == WON and question["slug"] in for_sides:
                continue
            # Where it does not arise nothing is answered: those combinations are of other rules besides.
            given = [one for one in question["answers"] if one["slug"] is not None]
            ordered = sorted(given, key=lambda one: float(one["mean"]))
            low, high = ordered[0], ordered[-1]
            gap = newcombe(_interval(high), _interval(low))
            if gap.limits[0] > MARGIN:
                yield gap, outcome, question, low, high


def _interval(answer: Answer) -> Interval:
    return Interval(answer["mean"], answer["low"], answer["high"])
