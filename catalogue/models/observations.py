"""What is seen on a board that was played on: how worn its lines and points are, who saw it, how, and how surely.

Most reports say no more than an order ("these lines are deeper than those"), so that is one of the two forms. Places
are named as on the record's board: points by their names, pieces of line by the two neighbours that they join.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from catalogue.models.evidence import Evidence, Source
from catalogue.models.fields import NaturalKeyModel, VerbatimTextField
from simulator.engine.boards.drawings import WrongFigure
from simulator.engine.boards.figures import canonical, read_board
from simulator.engine.boards.points import Board
from simulator.engine.ruleset import nearest

POINTS = "points"
BETWEEN = "-"  # the two points of a piece of line


def board_of(record: Evidence) -> Board | None:
    """The board that is read from the drawing of a record; None if none was."""
    return read_board(record.board["board"])[0] if record.board else None


def canonical_board(board: Any) -> dict[str, Any]:
    """A board in the one form in which a record keeps it, with the family of games that are played on such a board.

    board: the name of a board, or a figure, as a points game's document has it. Raises ValidationError.
    """
    try:
        return {"family": POINTS, "board": canonical(read_board(board)[0])}
    except WrongFigure as problem:
        near = f" The nearest that would do: {problem.near}." if problem.near is not None else ""
        raise ValidationError(f"The board, {problem.where or 'as a whole'}: {problem.message}.{near}") from problem
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise ValidationError("A board is the name of one, or a figure of points and lines.") from problem


def line_name(board: Board, one: int, other: int) -> str:
    """The name of the piece of line that joins two neighbours."""
    return BETWEEN.join(board.names[point] for point in sorted((one, other)))


def lines_of(board: Board) -> list[str]:
    """The names of all pieces of line, in the order of their points."""
    steps = {(min(step), max(step)) for line in board.lines for step in pairwise(line)}
    return [line_name(board, *step) for step in sorted(steps)]


class Grade(models.TextChoices):
    """How worn something is, from not at all to strongly."""

    NONE = "none", "not worn"
    SLIGHT = "slight", "slightly worn"
    CLEAR = "clear", "clearly worn"
    STRONG = "strong", "strongly worn"


class Observation(NaturalKeyModel):
    """One thing that somebody saw: how worn some places are, or that they are more worn than others."""

    key_fields = ("evidence", "number")

    class Of(models.TextChoices):
        LINES = "lines", "lines"
        POINTS = "points", "points"

    class Means(models.TextChoices):
        EYE = "eye", "by eye"
        PHOTOGRAPH = "photograph", "on a photograph"
        TOUCH = "touch", "by touch"
        MICROSCOPE = "microscope", "through a microscope"
        SCAN = "scan", "on a scan in three dimensions"
        UNKNOWN = "unknown", "it is not said how"

    class Certainty(models.TextChoices):
        CERTAIN = "certain", "certain"
        LIKELY = "likely", "likely"
        DOUBTFUL = "doubtful", "doubtful"

    evidence = models.ForeignKey(Evidence, on_delete=models.PROTECT, related_name="observations")
    number = models.PositiveSmallIntegerField(help_text="Counted within the record; it is given to no other.")
    of = models.CharField("what was looked at", max_length=10, choices=Of, default=Of.LINES)
    places = models.JSONField(
        default=list, help_text="Points by name, pieces of line by the points they join: [“a1-b1”, “b1-c1”]."
    )
    grade = models.CharField("how worn they are", max_length=10, choices=Grade, blank=True)
    than = models.JSONField(
        "more worn than", default=list, blank=True, help_text="The places that are less worn than those above."
    )
    words = VerbatimTextField("the words of the source", blank=True)
    source = models.ForeignKey(Source, on_delete=models.PROTECT, null=True, blank=True, related_name="observations")
    locator = models.CharField("where in it", max_length=100, blank=True, help_text="A page, or a figure.")
    observer = models.CharField("who saw it", max_length=200, help_text="A name, as the source or you would print it.")
    means = models.CharField("by what means", max_length=10, choices=Means)
    certainty = models.CharField("how certain it is", max_length=10, choices=Certainty)

    history = HistoricalRecords()

    class Meta:
        ordering = ["evidence", "number"]
        constraints = [
            models.UniqueConstraint(fields=["evidence", "number"], name="one_observation_of_a_number"),
            models.CheckConstraint(
                condition=(Q(grade="") & ~Q(than=[])) | (~Q(grade="") & Q(than=[])), name="a_grade_or_an_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evidence}, observation {self.number}"

    def get_absolute_url(self) -> str:
        return f"{self.evidence.get_absolute_url()}#observation-{self.number}"

    def clean(self) -> None:
        board = board_of(self.evidence)
        if board is None:
            raise ValidationError("The record has no board yet: draw it first.")
        known = list(board.names) if self.of == self.Of.POINTS else lines_of(board)
        for name, places in (("places", self.places), ("than", self.than)):
            for place in places:
                if place not in known:
                    raise ValidationError(
                        {name: f"The board has no {self.of[:-1]} {place}; the nearest is {nearest(str(place), known)}."}
                    )
        if not self.places:
            raise ValidationError({"places": f"Which {self.of}? Choose one or more."})
        if bool(self.grade) == bool(self.than):
            raise ValidationError(
                {"grade": "Say how worn they are, or than which others they are more worn: one of the two."}
            )
        if twice := set(self.places) & set(self.than):
            raise ValidationError({"than": f"{', '.join(sorted(twice))} cannot be more worn than itself."})
        if not self.source_id and self.words.strip():
            raise ValidationError({"source": "Whose words are these? Name the source."})

    @property
    def sentence(self) -> str:
        """What was seen, in a sentence."""
        many = len(self.places) > 1
        places = f"The {self.of if many else self.of[:-1]} {_listed(self.places)} {'are' if many else 'is'}"
        how = f"more worn than {_listed(self.than)}" if self.than else self.get_grade_display()
        return f"{places} {how}."


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


@dataclass(frozen=True, slots=True)
class ObservedOrder:
    """Places that are more worn than others, as surely as the less sure of the observations that say so.

    numbers: of these observations
    """

    more: tuple[str, ...]
    less: tuple[str, ...]
    certainty: str
    numbers: tuple[int, ...]


def orders(observations: Iterable[Observation], of: str) -> list[ObservedOrder]:
    """Return the orders that observations of lines, or of points, are: those that they say, and grades that differ."""
    kept = [one for one in observations if one.of == of]
    found = [
        ObservedOrder(tuple(one.places), tuple(one.than), one.certainty, (one.number,)) for one in kept if one.than
    ]
    sure, rank = list(Observation.Certainty.values), list(Grade.values)
    for one, other in combinations([one for one in kept if one.grade], 2):
        if one.grade != other.grade:
            less, more = sorted((one, other), key=lambda seen: rank.index(seen.grade))
            certainty = max(one.certainty, other.certainty, key=sure.index)
            found.append(ObservedOrder(tuple(more.places), tuple(less.places), certainty, (one.number, other.number)))
    return found


def unused(observations: Sequence[Observation], of: str) -> list[tuple[Observation, str]]:
    """Return the observations that are in no order of lines, or of points, each with why it is in none."""
    used = {number for order in orders(observations, of) for number in order.numbers}
    return [(one, _why_unused(one, of)) for one in observations if one.number not in used]


def _why_unused(one: Observation, of: str) -> str:
    if one.of != of:
        return f"it is of {one.of}, and {of} are looked at"
    return f"a grade alone is no order: no other {of} are graded otherwise"


def contradictions(observations: Iterable[Observation]) -> dict[int, list[int]]:
    """Return of each observation, by number, those that say the contrary of it: observers do disagree.

    Two say the contrary if what is more worn by one is less worn by the other, or if they grade one place differently.
    """
    kept = list(observations)
    said = [order for of in Observation.Of.values for order in orders(kept, of)]
    found: dict[int, set[int]] = {}
    pairs = [(one.numbers, other.numbers) for one, other in combinations(said, 2) if _is_contrary(one, other)]
    pairs += [
        ((one.number,), (other.number,))
        for one, other in combinations([one for one in kept if one.grade], 2)
        if one.grade != other.grade and set(one.places) & set(other.places)
    ]
    for some, others in pairs:
        for one, other in product(some, others):
            if one != other:
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
    return {number: sorted(others) for number, others in sorted(found.items())}


def _is_contrary(one: ObservedOrder, other: ObservedOrder) -> bool:
    return bool(set(one.more) & set(other.less) and set(one.less) & set(other.more))


MORE_WORN = re.compile(r"\s*(?:more\s+(?:worn\s+)?than|over|>)\s*", re.IGNORECASE)
HOW_SURE = re.compile(rf"[\s,;(]+({'|'.join(Observation.Certainty.values)})\s*[).]*\s*$", re.IGNORECASE)
AS_TYPED = "a line for each, as “{0} more than {1}, likely”"


def orders_typed(text: str, board: Board, of: str) -> list[ObservedOrder]:
    """Return the orders that somebody types, a line for each: "a1-b1 a2-b2 more than b1-c1, certain".

    They are of no observation that is kept, so that their numbers are empty; whoever says nothing else finds them
    likely. Raises ValueError with a sentence for who typed them.
    """
    known = list(board.names) if of == POINTS else lines_of(board)
    example = AS_TYPED.format(known[0], known[-1])
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        sure = HOW_SURE.search(line)
        sides = MORE_WORN.split(line[: sure.start()] if sure else line)
        if len(sides) != 2 or not all(side.strip() for side in sides):
            raise ValueError(f"“{line[:60]}” says no order: write {example}.")
        more, less = (tuple(dict.fromkeys(re.split(r"[\s,]+", side.strip()))) for side in sides)
        for place in (*more, *less):
            if place not in known:
                kind = of.removesuffix("s")
                raise ValueError(f"The board has no {kind} {place[:20]}; the nearest is {nearest(place, known)}.")
        if twice := sorted(set(more) & set(less)):
            raise ValueError(f"{', '.join(twice)} cannot be more worn than itself.")
        found.append(ObservedOrder(more, less, sure[1].lower() if sure else Observation.Certainty.LIKELY.value, ()))
    return found
