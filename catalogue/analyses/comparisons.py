"""Comparisons: rulesets side by side on the same game numbers, two to six at a time, played by the same players.

A level that thinks is one search, that of the ruleset that is named first, and what it shows may be its own. Such a
comparison is played again by a second player of the same price: of n rulesets the batches of the first players have the
places 0 to n − 1, those of the second n to 2n − 1.

A comparison is known by what determines it: its batches in their order, the margins, the seed of the bootstrap and the
version of the way of comparing. `comparison_document`, which brings the statistics, computes its figures.
"""

import datetime
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from catalogue.analyses.comparison_words import COMPARISON_VERSION
from catalogue.evidence.clauses import ReadingClause, clauses_of
from catalogue.models import ComparedBatch, Comparison
from catalogue.models.querysets import newest_versions
from simulator import rulesets
from simulator.analyses.protocol import AnalysisKind, Document, Replays, register
from simulator.batches import levels
from simulator.batches.requests import DEFAULT_PLAYERS, MOST_SEED, BatchRequest, check_request, content_hash
from simulator.batches.service import MOST_GAMES_WITH_ROWS, request_all
from simulator.engine.family import family
from simulator.engine.ruleset import Problem, Ruleset
from simulator.engine.tables import looked_up
from simulator.models import Batch
from simulator.problems import WrongRequest, collecting, whole_number

FEWEST, MOST = 2, 6
DEFAULT_GAMES, DEFAULT_BOOTSTRAP_SEED = 2_000, 1
# A difference below these does not matter unless the reader says otherwise; amounts as a part of the smaller one.
DEFAULT_MARGINS: Mapping[str, float] = {"shares": 0.02, "amounts": 0.05}
LARGEST_MARGIN = 1.0
MARGIN_DIGITS = 6
SHIPPED = ("names", "players", "margins", "bootstrap_seed", "version", "document", "plot")


@dataclass(frozen=True, slots=True)
class ComparedRuleset:
    """A ruleset and its name in the request."""

    name: str
    ruleset: Ruleset


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """A checked request.

    names:    of the rulesets; requests: of their batches, in the same order, then of those of the second players
    players:  of every seat, by name or by the level that stands for a player of the first ruleset: "club,random"
    """

    names: tuple[str, ...]
    players: str
    requests: tuple[BatchRequest, ...]
    margins: Mapping[str, float]
    bootstrap_seed: int

    @property
    def id(self) -> str:
        return comparison_id([request.id for request in self.requests], self.margins, self.bootstrap_seed)


def comparison_id(batches: Sequence[str], margins: Mapping[str, float], bootstrap_seed: int) -> str:
    """First 16 hex digits of the SHA-256 of what determines a comparison, in canonical JSON (RFC 8785)."""
    return content_hash(
        batches=list(batches),
        margins={name: float(margin) for name, margin in margins.items()},
        bootstrap_seed=bootstrap_seed,
        version=COMPARISON_VERSION,
    )[:16]


def check_comparison(
    names: Sequence[str | ComparedRuleset],
    *,
    margins: Mapping[str, float | str] | None = None,
    bootstrap_seed: int | str = DEFAULT_BOOTSTRAP_SEED,
    may_be_alike: bool = False,
    **wanted: Any,
) -> ComparisonRequest:
    """The request, checked; raises WrongRequest with everything that is wrong.

    names:   slug, slug@number, hash or its beginning; or a ruleset that has been found already
    may_be_alike: whether the same rules may be compared, as all readings of a game are in an edition
    margins: "shares" and "amounts" as parts of one, numbers or as typed; those not given are the usual ones
    wanted:  games, seed, players, cap, until, as `check_request` takes them
    """
    problems: list[Problem] = []
    found = _found(names, problems)
    settled = _margins(margins or {}, problems)
    boot = DEFAULT_BOOTSTRAP_SEED
    with collecting(problems):
        boot = whole_number("bootstrap_seed", bootstrap_seed, 0, MOST_SEED)
    if found:
        problems += _not_comparable(found)
        problems += [] if may_be_alike else _alike(found)
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


def _found(names: Sequence[str | ComparedRuleset], problems: list[Problem]) -> list[ComparedRuleset]:
    """The rulesets; none if one of them is unknown, or there are too few or too many.

    A name stays as it was typed, but the beginning of a hash becomes the whole of it.
    """
    found = []
    before = len(problems)
    for name in names[: MOST + 1]:
        if isinstance(name, ComparedRuleset):
            found.append(name)
            continue
        with collecting(problems, key="rulesets"):
            content = rulesets.find(name)
            found.append(ComparedRuleset(content.hash if content.hash.startswith(name) else name, content))
    if not FEWEST <= len(names) <= MOST:
        message = f"from {FEWEST} to {MOST} rulesets can be compared at once, not {len(names)}"
        problems.append(Problem("rulesets", message))
    return found if len(problems) == before else []


def _not_comparable(found: Sequence[ComparedRuleset]) -> Iterator[Problem]:
    first = found[0]
    kind = family(first.ruleset.family)
    seats = kind.seats(first.ruleset.parameters)
    for other in found[1:]:
        if other.ruleset.family != kind.name:
            message = (
                f"{other.name} is of the {other.ruleset.family} family and {first.name} of the {kind.name} family, "
                "so their games are not measured alike"
            )
            yield Problem("rulesets", message)
        elif (others := kind.seats(other.ruleset.parameters)) != seats:
            message = f"{other.name} has {others} players and {first.name} {seats}: their wins are not comparable"
            yield Problem("rulesets", message)


def _alike(found: Sequence[ComparedRuleset]) -> Iterator[Problem]:
    """One ruleset twice, whatever it is called: every game of the one would be that of the other."""
    before: dict[str, str] = {}
    for one in found:
        if other := before.get(one.ruleset.hash):
            names = f"{one.name} is named twice" if other == one.name else f"{other} and {one.name} have the same rules"
            yield Problem("rulesets", f"{names}, so that every game would be the same; name another ruleset")
        before.setdefault(one.ruleset.hash, one.name)


def _checked(
    found: Sequence[ComparedRuleset], wanted: Mapping[str, Any], problems: list[Problem]
) -> tuple[BatchRequest, ...]:
    wanted = {"games": DEFAULT_GAMES, **wanted}
    checked = []
    for line in _lines(found, str(wanted.get("players", DEFAULT_PLAYERS))):
        for one in found:
            with collecting(problems):
                checked.append(check_request(one.ruleset, **{**wanted, "players": line}))
    if not found:  # the numbers are looked at all the same, so that every mistake is named at once
        alone: list[Problem] = []
        with collecting(alone):
            check_request("", **{name: value for name, value in wanted.items() if name != "players"})
        problems += [problem for problem in alone if problem.key != "ruleset"]
    if any(request.games > MOST_GAMES_WITH_ROWS for request in checked):
        message = f"at most {MOST_GAMES_WITH_ROWS} games can be compared, since larger batches keep no rows"
        problems.append(Problem("games", message, MOST_GAMES_WITH_ROWS))
    return tuple(checked)


def _lines(found: Sequence[ComparedRuleset], asked: str) -> list[str]:
    """The players of all rulesets, and those who play again: as the ruleset that is named first has them."""
    second = levels.second_line(asked)
    lines = [asked, *([second] if second else [])] if found else []
    return [same_players(found[0].ruleset, line) for line in lines]


def same_players(first: Ruleset, asked: str) -> str:
    """The players of a line in the first ruleset, by names that mean the same in every other."""
    return levels.with_weights(first, levels.resolve_players(first, asked))


def _margins(given: Mapping[str, float | str], problems: list[Problem]) -> dict[str, float]:
    margins = dict(DEFAULT_MARGINS)
    for name, typed in given.items():
        if name not in margins:
            message = f"there is no margin for {name[:40]!r}, only for {' and '.join(margins)}"
            problems.append(Problem("margin", message, next(iter(margins))))
            continue
        usual = DEFAULT_MARGINS[name]
        try:
            number = float(typed)
        except (TypeError, ValueError):
            number = math.nan
        if math.isfinite(number) and 0 <= number <= LARGEST_MARGIN:
            margins[name] = round(number, MARGIN_DIGITS)
            continue
        message = f"must be a number from 0 to {LARGEST_MARGIN:g}, such as {usual}, not {str(typed)[:40]!r}"
        near = usual if math.isnan(number) else min(max(number, 0.0), LARGEST_MARGIN)
        problems.append(Problem(f"margin_{name}", message, near))
    return margins


class ComparisonKind(AnalysisKind[ComparisonRequest, Comparison]):
    """Comparisons as analyses; a batch has a place in each, since a ruleset can be compared with itself."""

    name, plural, title = "comparison", "comparisons", "Readings of a game compared"
    task, model = "catalogue.compute_comparison", Comparison

    def columns(self, request: ComparisonRequest) -> dict[str, Any]:
        return {
            "names": list(request.names),
            "players": request.players,
            "margins": dict(request.margins),
            "bootstrap_seed": request.bootstrap_seed,
            "version": COMPARISON_VERSION,
        }

    def batch_ids(self, row: Comparison) -> list[str]:
        here = {compared.place: compared.batch_id for compared in row.compared.all()}
        return [here.get(place, "") for place, _ in enumerate(row.places)]

    def ask_for_games(self, request: ComparisonRequest, origin: str, visitor: str) -> None:
        """Each batch is admitted by itself, as if a visitor asked for one after another."""
        request_all(request.requests, origin=origin, visitor=visitor, announce=False)

    def written(self, request: ComparisonRequest) -> Comparison:
        """A finished comparison stays as it is, but for batches that were thrown away since."""
        row = self.kept(request.id) or super().written(request)
        _place(row.pk, [one.id for one in request.requests])
        return row

    def is_settled(self, row: Comparison) -> bool:
        return row.state == Comparison.State.DONE and "" not in self.batch_ids(row)

    def needing(self, batches: Collection[Batch]) -> dict[str, str]:
        compared = ComparedBatch.objects.filter(batch__in=batches, comparison__state=Comparison.State.WAITING)
        return dict(compared.values_list("batch_id", "comparison_id"))

    def computed(
        self, row: Comparison, batches: Mapping[str, Batch], request: ComparisonRequest | None
    ) -> dict[str, Any]:
        from catalogue.analyses.comparison_document import document_of, plot_of  # brings the statistics

        in_order = [batches[key] for key in self.batch_ids(row)]
        document = document_of(row, in_order)
        return {"document": document, "plot": plot_of(document, in_order), "closed": timezone.now()}

    def shipped(self, request: ComparisonRequest) -> Document:
        row = self.request(request, announce=False, origin=Batch.Origin.DEMO)
        self.conclude(row)
        return {**{name: getattr(row, name) for name in SHIPPED}, "places": [one.id for one in request.requests]}

    def keep(self, key: str, document: Document, moment: datetime.datetime) -> bool:
        places = document["places"]
        done = set(Batch.objects.filter(id__in=places, state=Batch.State.DONE).values_list("id", flat=True))
        if done < set(places):
            return False
        kept = {"state": Comparison.State.DONE, "error": "", "closed": moment}
        Comparison.objects.update_or_create(id=key, defaults=kept | {name: document[name] for name in SHIPPED})
        Comparison.objects.filter(id=key).update(created=moment)
        _place(key, places)
        return True

    def recomputed(self, request: ComparisonRequest, replays: Replays, document: Document) -> Document | None:
        """The document made from the rows kept here, whose digests were just compared; None if some are not kept."""
        from catalogue.analyses.comparison_document import document_of

        row = self.find(request.id)
        here = Batch.objects.filter(id__in=replays, state=Batch.State.DONE).select_related("ruleset").in_bulk()
        if row is None or len(here) < len(replays):
            return None
        return {"document": document_of(row, [here[one.id] for one in request.requests])}


def _place(comparison: str, batches: Sequence[str]) -> None:
    """Give the batches their places in a comparison."""
    ComparedBatch.objects.filter(comparison=comparison).delete()
    ComparedBatch.objects.bulk_create(
        ComparedBatch(comparison_id=comparison, batch_id=batch, place=place) for place, batch in enumerate(batches)
    )


COMPARISONS = register(ComparisonKind())


def command_line(comparison: Comparison, first: Batch) -> str:
    """The command that requests exactly this comparison, on any machine that knows its levels.

    What has no name is written as the version that it differs least from, with the changes.
    """
    rows = {one.place: one.batch.ruleset for one in comparison.compared.all()}
    names = [
        rulesets.lasting_name(rulesets.as_engine(rows[place]), name).word if place in rows else name
        for place, name in enumerate(comparison.names)
    ]
    margins = " ".join(f"--margin {name}={margin:g}" for name, margin in comparison.margins.items())
    return (
        f"manage.py compare {' '.join(names)} --games {first.games} --seed {first.seed}"
        f" --players {comparison.asked or first.players} --cap {first.cap} --until {first.until} {margins}"
        f" --bootstrap-seed {comparison.bootstrap_seed} --inline --json"
    )


def with_clauses(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the clause that each reading holds for each rule that differs, as they are worded now.

    A side gains `clause`: `{text, basis, source, reading, address, inherited}`, or null if no clause covers it.
    Five queries, however many rulesets.
    """
    slugs = [side["name"].partition("@")[0] for side in document["rulesets"]]
    newest = newest_versions(slugs)
    # A name that means no reading, or another content by now, has no clauses.
    now = [
        slug if slug in newest and newest[slug].ruleset_id == side["hash"] else ""
        for slug, side in zip(slugs, document["rulesets"], strict=True)
    ]
    documents = {slug: version.ruleset.document for slug, version in newest.items()}
    clauses = clauses_of({slug for slug in now if slug}, documents)
    held = [{key: one for one in reversed(clauses.get(slug, ())) for key in one.parameters} for slug in now]
    rules = []
    for rule in document["rules"]:
        sides = [
            {**side, "clause": _clause_document(looked_up(own, rule["key"]))}
            for side, own in zip(rule["sides"], held, strict=True)
        ]
        rules.append({**rule, "sides": sides})
    return {**document, "rules": rules}


def _clause_document(held: ReadingClause | None) -> dict[str, Any] | None:
    if held is None:
        return None
    return {
        "text": held.clause.text,
        "basis": held.clause.basis,
        "source": held.clause.source,
        "reading": held.clause.reading.slug,
        "address": held.clause.get_absolute_url(),
        "inherited": held.inherited,
    }
