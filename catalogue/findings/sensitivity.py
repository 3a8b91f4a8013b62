"""Studies: the open question whose answers move a share of games farthest."""

from collections.abc import Iterator, Mapping
from typing import Any

from catalogue.findings.finding import MARGIN, STUDIED, Finding
from catalogue.models import Study
from catalogue.texts.share_differences import Limits, difference
from simulator.batches.scale import line_in_words

Answer = Mapping[str, Any]


def sensitivity_finding(study: Study) -> Finding | None:
    """The finding of a study; None where no answer surely moves a share beyond the margin."""
    moved = max(_moved(study.document), key=lambda one: one[0].value, default=None)
    if moved is None:
        return None
    gap, outcome, question, low, high = moved
    game = study.game
    asked = next(one for one in study.document["questions"] if one["slug"] == question["slug"])
    texts = {answer["slug"]: answer["text"] for answer in asked["answers"]}
    ends = [f"{one['text']} of games (“{texts[one['slug']]}”)" for one in (low, high)]
    return Finding(
        STUDIED,
        game,
        f"{game.name}: the answer that matters most. {question['title']}",
        f"{outcome['title']}: from {ends[0]} to {ends[1]}, over all other answers.",
        gap.value,
        gap.in_points,
        line_in_words(study.document["players"]),
        (
            ("Which doubt matters", study.get_absolute_url()),
            ("The question", f"/questions/{game.slug}/{question['slug']}/"),
        ),
    )


def _moved(document: Mapping[str, Any]) -> Iterator[tuple[Limits, Answer, Answer, Answer, Answer]]:
    """(difference, outcome, question, lowest answer, highest answer) of each question that surely matters."""
    for outcome in document["outcomes"]:
        if outcome["unit"] != "share" or not outcome["told"]:
            continue
        for question in outcome["questions"]:
            ordered = sorted(question["answers"], key=lambda one: float(one["mean"]))
            low, high = ordered[0], ordered[-1]
            gap = difference(_limits(low), _limits(high))
            if gap.low > MARGIN:
                yield gap, outcome, question, low, high


def _limits(answer: Answer) -> Limits:
    return Limits(answer["mean"], answer["low"], answer["high"])
