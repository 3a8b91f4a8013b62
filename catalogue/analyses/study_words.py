"""A study in few words: which questions matter, and what each comes to, read so and read otherwise. Pure Python.

What is said of a question on the page of its game and on the page of the study is this, of the same study, the same
players and the same outcome.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import apnumber

from catalogue.texts.formatting import capitalised, lowered, of_hundred, shortened
from simulator.batches.levels import line_in_words
from simulator.statistics.variance_shares import DRAWN, FIRST, OPEN

MATTERING = 0.05  # of the variance: less is hardly any difference
BY_DEFINITION = "By definition: under some of its answers no game can be drawn."
TURNS = "turns"
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question that matters. said: what its answers come to; share: of the differences, in words; of: the outcome"""

    slug: str
    title: str
    said: str
    share: str
    of: str
    players: str


def matters(row: Row) -> bool:
    """Whether a question matters: its share of the differences is surely more than none, and a twentieth at least.

    That no game is drawn where no answer lets one be drawn follows from the rules, and is nothing that games show.
    """
    first = row["first"]
    return bool(first and first["low"] > 0 and first["value"] >= MATTERING and BY_DEFINITION not in row["note"])


def doubts_of(document: Mapping[str, Any]) -> list[Doubt]:
    """The questions that matter, each by the outcome of which it explains most, the one that explains most first."""
    if document["withheld"]:
        return []
    best: dict[str, tuple[Mapping[str, Any], Row]] = {}
    for outcome in (one for one in document["outcomes"] if one["told"]):
        for row in filter(matters, outcome["questions"]):
            known = best.get(row["slug"])
            if known is None or row["first"]["value"] > known[1]["first"]["value"]:
                best[row["slug"]] = outcome, row
    ordered = sorted(best.values(), key=lambda pair: -pair[1]["first"]["value"])
    return [_doubt(document, outcome, row) for outcome, row in ordered]


def _doubt(document: Mapping[str, Any], outcome: Mapping[str, Any], row: Row) -> Doubt:
    counted = "first rounds" if document["until"] == FIRST else "games"
    asked = next(one for one in document["questions"] if one["slug"] == row["slug"])
    texts = {one["slug"]: one["text"].partition(". ")[0].removesuffix(".") for one in asked["answers"]}
    given = sorted((one for one in row["answers"] if one["slug"]), key=lambda one: one["mean"])
    low, high = (f"“{shortened(texts[one['slug']])}”" for one in (given[0], given[-1]))
    least, most = _figures(outcome, counted, given[0]["mean"], given[-1]["mean"])
    said = f"Read as {low}, {least}; read as {high}, {most}."
    return Doubt(
        row["slug"],
        row["title"],
        said,
        row["first"]["text"],
        lowered(outcome["title"]),
        line_in_words(document["players"]),
    )


def _figures(outcome: Mapping[str, Any], counted: str, low: float, high: float) -> tuple[str, str]:
    """What the lowest and the highest answer come to: ("first rounds last 25 turns", "412")."""
    key, title, unit = outcome["key"], outcome["title"], outcome["unit"]
    if unit == "share":
        end = said_of(key, title, counted).removeprefix("of ")
        return f"{of_hundred(low)} {end}", of_hundred(high)
    least, most = (f"{mean:,.{0 if mean >= 10 else 1}f}" for mean in (low, high))
    if key == TURNS:
        return f"{counted} last {least} turns", most
    return f"{lowered(title)}: {least} on average", most


def said_of(key: str, title: str, counted: str) -> str:
    """What is said of a share: "of games that somebody won are won by the first player"."""
    what, _, among = title.partition(", of ")
    if counted == "games" or key == OPEN:
        return f"of {among or counted} are {lowered(what)}"
    if key == DRAWN:
        return f"of {counted} ended equal"
    return f"of {among} left {lowered(what.removesuffix(' owned more'))} with more"


def answer_of(outcomes: Sequence[Mapping[str, Any]], questions: int) -> str:
    """The answer of a study in a sentence: how many questions matter to anything that is told; empty if nothing is."""
    told = [outcome for outcome in outcomes if outcome["told"]]
    if not told or questions < 2:
        return ""
    found = {row["slug"] for outcome in told for row in outcome["questions"] if matters(row)}
    said = f"Of {questions} open questions that were varied"
    if not found:
        return f"{said} none stands out: no share is surely more than chance and as large as {MATTERING:.0%}."
    rest = questions - len(found)
    if not rest:
        return f"All {apnumber(questions)} open questions that were varied matter."
    many = f"{said} {apnumber(len(found))} matter{'s' if len(found) == 1 else ''}"
    others = "the other makes" if rest == 1 else f"the other {apnumber(rest)} make"
    return f"{many}; {others} hardly any difference, or none that is sure."


def combinations_in_words(document: Mapping[str, Any]) -> str:
    """How many combinations were played of how many, and of which questions: numbers that add up.

    Of questions that are left out since then, the answers may still be among those that the combinations are made of.
    """
    return " ".join(_combinations(document))


def _combinations(document: Mapping[str, Any]) -> Iterator[str]:
    now, then = len(document["questions"]), len(document.get("varied_then") or ())
    counted = "first rounds" if document["until"] == FIRST else "games"
    size = 1
    for question in document["questions"]:
        size *= len(question["answers"])
    of_these = size == document["size"]
    whose = "their answers" if of_these else f"the answers to {then or now} questions"
    if document["complete"]:
        chosen = f"all {document['combinations']:,} combinations of {whose} that can be played"
    else:
        chosen = (
            f"a balanced sample of {document['combinations']:,} of the {document['size']:,} combinations of {whose}"
        )
    each = f"{document['games']:,} {counted} of each"
    if of_these or not then:
        yield f"{now:,} open question{'' if now == 1 else 's'} were varied together: {chosen}, {each}."
    else:
        yield f"{capitalised(chosen)} was played, {each}."
        yield f"Of these {then} questions {then - now} are left out here, and {now} remain."
