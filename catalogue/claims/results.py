"""Claims with what is known of them, for pages, API and commands: six queries, however many claims.

A verdict is shown beside the test that it was computed for; where the claim's test has changed since, it is not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet

from catalogue.claims import definitions, verdicts
from catalogue.claims import wording as claim_words
from catalogue.claims.verdicts import Judgement
from catalogue.models import Anchor, Claim, Evidence, Reading, Verdict
from catalogue.models.querysets import newest_versions
from catalogue.texts.outcomes import Outcome
from simulator.engine.players.wording import in_words
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch
from simulator.rulesets import as_engine

FAULTLESS = "both sides without fault, proved by looking at every position"


@dataclass(frozen=True, slots=True)
class JudgedTest:
    """A test in words, the readings it is about, and its verdict if it has been run.

    under:   the rulesets in words, with what is changed in them
    players: who plays, in words
    batches: ids of the verdict's batches that are kept here
    """

    number: int
    sentence: str
    under: tuple[str, ...]
    players: str
    readings: tuple[Reading, ...]
    verdict: Verdict | None
    batches: tuple[str, ...]
    test: Mapping[str, Any]

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.verdict.verdict) if self.verdict else Outcome.UNDECIDED

    def document(self) -> dict[str, Any]:
        """As the command prints it."""
        said = {
            "number": self.number,
            "test": dict(self.test),
            "sentence": self.sentence,
            "under": list(self.under),
            "players_in_words": self.players,
        }
        if self.verdict is None:
            return {**said, "verdict": None}
        shown = ("verdict", "text", "figure", "least", "most", "low", "high", "n", "counts", "batches")
        played = ("players", "games", "seed", "cap", "until", "version")
        return {**said, **{name: getattr(self.verdict, name) for name in (*shown, *played)}}


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim, the words it stands in, its tests, and what they say together. Readings by the slug of their ruleset."""

    claim: Claim
    words: tuple[Anchor, ...]
    tests: tuple[JudgedTest, ...]
    judgement: Judgement
    by_reading: tuple[tuple[str, Reading | None, Outcome], ...]

    @property
    def why(self) -> str:
        """Why it is undecided or cannot be tested; empty if it is decided."""
        return self.judgement.reason or self.claim.why_not

    @property
    def is_played_by_thinkers(self) -> bool:
        """Whether every test names players who think."""
        return _is_played_by_thinkers(self.claim)

    @property
    def has_figures(self) -> bool:
        return any(test.verdict for test in self.tests)


def claim_rows() -> "QuerySet[Claim]":
    """Claims in the order of their games, with their words."""
    anchors = Anchor.objects.shown().select_related("evidence").order_by("position")
    return (
        Claim.objects.select_related("game")
        .prefetch_related(Prefetch("anchors", anchors))
        .order_by("game__name", "position", "slug")
    )


def claims_of(record: Evidence) -> list[JudgedClaim]:
    """The claims that stand in a record's words."""
    return judged(claim_rows().filter(pk__in=Anchor.objects.filter(evidence=record).values("claim")))


def judged(rows: "QuerySet[Claim]") -> list[JudgedClaim]:
    """The claims of such a query as `claim_rows` gives, each with its verdict."""
    return judged_list(list(rows))


def judged_list(found: Sequence[Claim]) -> list[JudgedClaim]:
    names = definitions.names_in(test for claim in found for test in claim.tests)
    rulesets = {slug: as_engine(version.ruleset) for slug, version in newest_versions(names).items()}
    readings = {reading.slug: reading for reading in Reading.objects.filter(slug__in=names)}
    said: dict[int, dict[int, Verdict]] = {claim.pk: {} for claim in found}
    for verdict in Verdict.objects.filter(claim__in=said):
        said[verdict.claim_id][verdict.number] = verdict
    ids = {batch for of_one in said.values() for verdict in of_one.values() for batch in verdict.batches}
    kept = set(Batch.objects.filter(id__in=ids).order_by().values_list("id", flat=True))
    return [_judged(claim, said[claim.pk], rulesets, readings, kept) for claim in found]


def _judged(
    claim: Claim,
    said: Mapping[int, Verdict],
    rulesets: Mapping[str, Ruleset],
    readings: Mapping[str, Reading],
    kept: Iterable[str],
) -> JudgedClaim:
    current = {number: one for number, one in said.items() if claim.tests[number - 1 : number] == [one.test]}
    tests = tuple(
        _judged_test(number, test, current.get(number), rulesets, readings, kept)
        for number, test in enumerate(claim.tests, start=1)
    )
    outcomes = [(str(one.test.get("ruleset", "")), one.outcome if one.verdict else None) for one in tests]
    thinkers = _is_played_by_thinkers(claim)
    judgement = verdicts.of_claim(claim.judged_by, outcomes, are_played_by_thinkers=thinkers)
    by_reading = tuple((name, readings.get(name), outcome) for name, outcome in judgement.readings.items())
    return JudgedClaim(claim, tuple(claim.anchors.all()), tests, judgement, by_reading)


def _is_played_by_thinkers(claim: Claim) -> bool:
    return all(definitions.is_played_by_thinkers(test) for test in claim.tests)


def _judged_test(
    number: int,
    test: Mapping[str, Any],
    verdict: Verdict | None,
    rulesets: Mapping[str, Ruleset],
    readings: Mapping[str, Reading],
    kept: Iterable[str],
) -> JudgedTest:
    wrong = definitions.problems(test, rulesets)
    if wrong:
        return JudgedTest(number, f"This test cannot be run: {'; '.join(wrong)}.", (), "", (), None, (), test)
    read = definitions.read(test)
    names = dict.fromkeys(side.name for side in read.sides)
    return JudgedTest(
        number=number,
        sentence=claim_words.sentence(read, rulesets),
        under=tuple(claim_words.under(side, rulesets) for side in read.sides),
        players=FAULTLESS
        if read.kind == definitions.SOLUTION
        else in_words(verdict.players if verdict else read.players),
        readings=tuple(readings[name] for name in names if name in readings),
        verdict=verdict,
        batches=tuple(one for one in verdict.batches if one in kept) if verdict else (),
        test=test,
    )
