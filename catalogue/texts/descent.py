"""Where a passage of a text stands after the text was changed, as far as both texts show it. Pure Python.

That the same words stand somewhere shows nothing: rules of games repeat their words, and those of the passage may be
gone. A passage is known again by its sentence with some words on either side. Nothing is taken as shown that another
history of the text would explain as well: that words were repeated, and the first of them deleted; that of several in
a row others were deleted; or that they stand still while others were moved past them.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from catalogue.texts.folding import RUN, Folded, folded

BESIDE = 6  # tokens on either side of the sentence that must be as they were
LONGEST_SENTENCE = 24  # tokens of it on either side of the passage; of a longer one no more is looked at
EDGE = RUN - 1  # tokens: what is shorter than a run may be repeated where the text ends, and make no run more
SHORTEST_KNOWN = 8  # tokens: fewer are like any others
ENDS_OF_SENTENCES = frozenset(".!?।॥॰෴؟۔。")

TOO_SHORT = "too little stands round the words to know them again"
CHANGED = "what stood round the words has changed"
SEVERAL = "what stands round the words stands there more than once"
REPEATED = "what stands round the words was repeated"
LONGEST_ROW = 60  # tokens that may repeat in a row
FEWER = "the words stood several times in a row, and some of them are gone"
PASSED = "something was moved past the words, or the words past it"


@dataclass(frozen=True, slots=True)
class Descent:
    """What both texts show of a passage. doubt: why its place is not certain; shift: of the text round the words, in
    code points, as far as it is known; first: the first token that was compared, in the old text and in the new; less
    than 0 if it is not there"""

    old: Folded
    new: Folded
    doubt: str = ""
    shift: int = 0
    first: tuple[int, int] = (0, 0)

    def moved(self, start: int, end: int) -> tuple[int, int]:
        """Return where code points of the old text stand in the new; they are among those that were compared."""
        characters = self.old.characters(start, end)
        if not characters:
            return 0, 0
        by = self.new.begins[self.first[1]] - self.old.begins[self.first[0]]
        return self.new.places[characters[0] + by][0], self.new.places[characters[-1] + by][1]


def descent(before: str, after: str, start: int, end: int, round_it: tuple[int, int]) -> Descent:
    """Return what the two texts show of code points `start` to `end` of the first.

    round_it: where what must be as it was begins and ends at least
    """
    old, new = folded(before), folded(after)
    if old.forms == new.forms:
        return Descent(old, new)
    inner, outer = old.characters(start, end), old.characters(*round_it)
    if not inner:
        return Descent(old, new, TOO_SHORT, first=(0, -1))
    own = range(old.token_at(inner[0]), old.token_at(inner[-1]) + 1)
    first, stop = _with_sentence(old, own.start, own.stop)
    first, stop = min(first, old.token_at(outer[0])), max(stop, old.token_at(outer[-1]) + 1)
    window = old.forms[first:stop]
    common = _common(old, new)
    shift = _shift(old, new, common, first)
    doubt, at = _doubt(old, new, window, first)
    if not doubt and _is_one_of_fewer(old.forms, new.forms, own, at - first):
        doubt = FEWER
    return Descent(old, new, doubt, shift, (first, at))


def _with_sentence(old: Folded, first: int, stop: int) -> tuple[int, int]:
    """Return the tokens of the sentences that the words stand in, with some on either side."""
    least, most = max(0, first - LONGEST_SENTENCE), min(len(old.forms), stop + LONGEST_SENTENCE)
    while first > least and old.forms[first - 1] not in ENDS_OF_SENTENCES:
        first -= 1
    while stop < most and old.forms[stop - 1] not in ENDS_OF_SENTENCES:
        stop += 1
    return max(0, first - BESIDE), min(len(old.forms), stop + BESIDE)


def _doubt(old: Folded, new: Folded, window: tuple[str, ...], first: int) -> tuple[str, int]:
    """Return why these tokens are not certain, and the first of them in the new text."""
    if len(window) < SHORTEST_KNOWN:
        return TOO_SHORT, -1
    found = new.all_of(window)
    if not found:
        return CHANGED, -1
    if len(found) > 1 or len(old.all_of(window)) > 1:
        return SEVERAL, -1
    at = found[0]
    runs = {window[start : start + RUN] for start in range(len(window) - RUN + 1)}
    if any(old.runs[run] < new.runs[run] for run in runs):
        return REPEATED, at
    added_before = new.forms[:at] if first == 0 else ()
    added_behind = new.forms[at + len(window) :] if first + len(window) == len(old.forms) else ()
    if _again(window[:EDGE], added_before, -1) or _again(window[-EDGE:], added_behind, 0):
        return REPEATED, at
    sides = ((old.forms[:first], new.forms[:at]), (old.forms[first + len(window) :], new.forms[at + len(window) :]))
    (lost, gained), (lost_behind, gained_behind) = (_exchanged(*side) for side in sides)
    return (PASSED if lost & gained_behind or gained & lost_behind else ""), at


def _is_one_of_fewer(old: tuple[str, ...], new: tuple[str, ...], own: range, shift: int) -> bool:
    """Whether the words stand in a row of repetitions that has become shorter: no text shows which of them are gone."""
    for token in own:
        for length in range(1, LONGEST_ROW + 1):
            repeated = _row(old, token, length)
            if repeated >= length and repeated > _row(new, token + shift, length):
                return True
    return False


def _row(forms: tuple[str, ...], token: int, length: int) -> int:
    """How many tokens in a row, of those that stand where this one does, are as the token so far before each."""

    def repeats(at: int) -> bool:
        return length <= at < len(forms) and forms[at] == forms[at - length]

    at = token if repeats(token) else token + length
    first, last = at, at
    while repeats(first):
        first -= 1
    while repeats(last):
        last += 1
    return max(0, last - first - 1)


def _again(edge: tuple[str, ...], added: tuple[str, ...], beside: int) -> bool:
    """Whether the edge of a passage with which the text began or ended stands in what was added there.

    beside: which of the added tokens stands beside the passage
    """
    if not added:
        return False
    runs = (added[start : start + EDGE] for start in range(len(added)))
    return added[beside] == edge[-1 if beside == 0 else 0] or edge in runs


def _exchanged(old: tuple[str, ...], new: tuple[str, ...]) -> "tuple[Counter[str], Counter[str]]":
    """Return which tokens one side of the passage lost, and which it gained."""
    before, after = Counter(old), Counter(new)
    return before - after, after - before


@lru_cache(16)
def _common(old: Folded, new: Folded) -> list[tuple[int, int]]:
    """Return where the runs of tokens begin that stand once in either text."""
    places = {run: at for run, at in new.places_of_runs.items() if new.runs[run] == 1}
    return [(at, places[run]) for run, at in old.places_of_runs.items() if old.runs[run] == 1 and run in places]


def _shift(old: Folded, new: Folded, common: list[tuple[int, int]], first: int) -> int:
    """Return how far what stands nearest to a token was shifted, in code points."""
    if not common:
        return 0
    was, now = min(common, key=lambda pair: abs(pair[0] - first))
    return new.places[new.begins[now]][0] - old.places[old.begins[was]][0]
