"""What may be compared with what, checked in one place for page, API and command.

A comparison is known by what determines it: its batches in their order, the margins, the seed of the bootstrap and the
version of the way of comparing. A checked request can therefore say its own name.
"""

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import rfc8785

from simulator import rulesets
from simulator.batches import levels
from simulator.batches.requests import DEFAULT_PLAYERS, MOST_SEED, BatchRequest, check_request
from simulator.batches.service import MOST_GAMES_WITH_ROWS
from simulator.engine.family import family
from simulator.engine.ruleset import Problem, Ruleset
from simulator.problems import WrongRequest, whole_number

# Changes when a figure or a sentence of a comparison would come out differently.
COMPARISON_VERSION = 3

FEWEST, MOST = 2, 6
DEFAULT_GAMES, DEFAULT_BOOTSTRAP_SEED = 2_000, 1
# A difference below these does not matter unless the reader says otherwise; amounts as a part of the smaller one.
DEFAULT_MARGINS: Mapping[str, float] = {"shares": 0.02, "amounts": 0.05}
LARGEST_MARGIN = 1.0
MARGIN_DIGITS = 6


@dataclass(frozen=True, slots=True)
class NamedRuleset:
    """A ruleset and what it was called by whoever asked."""

    name: str
    ruleset: Ruleset


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """A request that can be met. batches: one for each ruleset, in order; names: of the rulesets.

    players: of every seat, by name or by the level that stands for a player of each ruleset: "club,random"
    """

    names: tuple[str, ...]
    players: str
    batches: tuple[BatchRequest, ...]
    margins: Mapping[str, float]
    bootstrap_seed: int

    @property
    def id(self) -> str:
        return comparison_id([request.id for request in self.batches], self.margins, self.bootstrap_seed)


def comparison_id(batch_ids: Sequence[str], margins: Mapping[str, float], bootstrap_seed: int) -> str:
    """First 16 hex digits of the SHA-256 of what determines a comparison, in canonical JSON (RFC 8785)."""
    content: dict[str, Any] = {
        "batches": list(batch_ids),
        "margins": {name: float(margin) for name, margin in margins.items()},
        "bootstrap_seed": bootstrap_seed,
        "version": COMPARISON_VERSION,
    }
    return hashlib.sha256(rfc8785.dumps(content)).hexdigest()[:16]


def check_comparison(
    names: Sequence[str | NamedRuleset],
    *,
    margins: Mapping[str, float | str] | None = None,
    bootstrap_seed: int | str = DEFAULT_BOOTSTRAP_SEED,
    **wanted: Any,
) -> ComparisonRequest:
    """The request, checked; raises WrongRequest with everything that is wrong.

    names:   slug, slug@number, hash or its beginning; or a ruleset that has been found already
    margins: "shares" and "amounts" as parts of one, numbers or as typed; those not given are the usual ones
    wanted:  games, seed, players, cap, until, as `check_request` takes them
    """
    problems: list[Problem] = []
    found = _found(names, problems)
    settled = _margins(margins or {}, problems)
    boot = DEFAULT_BOOTSTRAP_SEED
    with _noted(problems):
        boot = whole_number("bootstrap_seed", bootstrap_seed, 0, MOST_SEED)
    if found:
        problems += _not_comparable(found)
    checked = _checked(found, wanted, problems)
    if problems:
        raise WrongRequest(one for place, one in enumerate(problems) if one not in problems[:place])
    players = levels.per_seat(str(wanted.get("players", DEFAULT_PLAYERS)), len(checked[0].players))
    return ComparisonRequest(tuple(one.name for one in found), players, checked, settled, boot)


def parse_margins(words: Iterable[str]) -> dict[str, str]:
    """`["shares=0.02"]` as `{"shares": "0.02"}`; raises WrongRequest."""
    wrong = [word for word in words if "=" not in word]
    if wrong:
        raise WrongRequest(Problem("margin", f"a margin is written NAME=VALUE, not {word!r}") for word in wrong)
    return dict(word.partition("=")[::2] for word in words)


@contextmanager
def _noted(problems: list[Problem], key: str = "") -> Iterator[None]:
    """What is wrong here is added to the problems, under this key if one is given, and does not stop the rest."""
    try:
        yield
    except WrongRequest as error:
        problems += [replace(problem, key=key or problem.key) for problem in error.problems]


def _found(names: Sequence[str | NamedRuleset], problems: list[Problem]) -> list[NamedRuleset]:
    """The rulesets; none if one of them is unknown, or there are too few or too many."""
    found = []
    before = len(problems)
    for name in names[: MOST + 1]:
        with _noted(problems, key="rulesets"):
            found.append(name if isinstance(name, NamedRuleset) else _named(name))
    if not FEWEST <= len(names) <= MOST:
        message = f"from {FEWEST} to {MOST} rulesets can be compared at once, not {len(names)}"
        problems.append(Problem("rulesets", message))
    return found if len(problems) == before else []


def _named(name: str) -> NamedRuleset:
    """By the name as typed, but by the whole hash if only its beginning was."""
    content = rulesets.find(name)
    return NamedRuleset(content.hash if content.hash.startswith(name) else name, content)


def _not_comparable(found: Sequence[NamedRuleset]) -> list[Problem]:
    first = found[0]
    problems = []
    for other in found[1:]:
        if other.ruleset.family != first.ruleset.family:
            message = (
                f"{other.name} is of the {other.ruleset.family} family and {first.name} of the {first.ruleset.family} "
                "family, so their games are not measured alike"
            )
            problems.append(Problem("rulesets", message))
            continue
        kind = family(first.ruleset.family)
        seats = [kind.seats(one.ruleset.parameters) for one in (first, other)]
        if seats[0] != seats[1]:
            message = f"{other.name} has {seats[1]} players and {first.name} {seats[0]}: their wins are not comparable"
            problems.append(Problem("rulesets", message))
    return problems


def _checked(
    found: Sequence[NamedRuleset], wanted: Mapping[str, Any], problems: list[Problem]
) -> tuple[BatchRequest, ...]:
    wanted = {"games": DEFAULT_GAMES, **wanted}
    checked = []
    for one in found:
        with _noted(problems):
            checked.append(check_request(one.ruleset, **wanted))
    if not found:  # the numbers are looked at all the same, so that every mistake is named at once
        alone: list[Problem] = []
        with _noted(alone):
            check_request("", **{name: value for name, value in wanted.items() if name != "players"})
        problems += [problem for problem in alone if problem.key != "ruleset"]
    if any(request.games > MOST_GAMES_WITH_ROWS for request in checked):
        message = f"at most {MOST_GAMES_WITH_ROWS} games can be compared, since larger batches keep no rows"
        problems.append(Problem("games", message, MOST_GAMES_WITH_ROWS))
    return tuple(checked)


def _margins(given: Mapping[str, float | str], problems: list[Problem]) -> dict[str, float]:
    margins = dict(DEFAULT_MARGINS)
    for name, typed in given.items():
        if name not in margins:
            message = f"there is no margin for {name[:40]!r}, only for {' and '.join(margins)}"
            problems.append(Problem("margin", message, next(iter(margins))))
            continue
        key = f"margin_{name}"
        try:
            number = float(typed)
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number) or not 0 <= number <= LARGEST_MARGIN:
            usual = DEFAULT_MARGINS[name]
            message = f"must be a number from 0 to {LARGEST_MARGIN:g}, such as {usual}, not {str(typed)[:40]!r}"
            near = usual if math.isnan(number) else min(max(number, 0.0), LARGEST_MARGIN)
            problems.append(Problem(key, message, near))
        else:
            margins[name] = round(number, MARGIN_DIGITS)
    return margins
