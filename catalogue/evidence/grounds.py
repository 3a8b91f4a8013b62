"""The rules of a ruleset in words, each with what it rests on. A clause stands where its first rule does."""

from collections.abc import Iterable
from dataclasses import dataclass

from catalogue.evidence.clauses import ReadingClause


@dataclass(frozen=True, slots=True)
class GroundedRule:
    """grounds: clauses that cover it and stand here; above: the rules where others that cover it stand"""

    key: str
    title: str
    text: str
    grounds: tuple[ReadingClause, ...]
    above: tuple[tuple[str, str], ...]


def grounded(
    words: Iterable[tuple[str, str, str]], clauses: Iterable[ReadingClause]
) -> tuple[list[GroundedRule], list[ReadingClause]]:
    """(rules with their grounds, clauses that cover none of them). words: (key, title, sentence) of each rule"""
    waiting, clauses = list(clauses), list(clauses)
    places: dict[int, tuple[str, str]] = {}
    rules = []
    for key, title, text in words:
        covering = [one for one in clauses if key in one.parameters]
        here = tuple(one for one in covering if one in waiting)
        above = dict.fromkeys(places[one.clause.pk] for one in covering if one not in waiting)
        places |= {one.clause.pk: (key, title) for one in here}
        waiting = [one for one in waiting if one not in here]
        rules.append(GroundedRule(key, title, text, here, tuple(above)))
    return rules, waiting
