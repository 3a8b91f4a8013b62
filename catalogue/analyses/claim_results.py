"""Claims with what is known of them, for pages, API and commands: six queries, however many claims; and their tally.

A verdict is shown beside the test that it was computed for; where the claim's test has changed since, it is not.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.db.models import Prefetch, QuerySet
from django.urls import get_script_prefix

from catalogue.analyses import claim_checks, claim_definitions, claim_trials, claim_verdicts
from catalogue.analyses.claim_verdicts import ClaimVerdict, Repetition, Voice
from catalogue.evidence.clauses import newest_rulesets
from catalogue.models import Anchor, Claim, Evidence, Reading, Verdict
from simulator.batches import levels
from simulator.engine.family import family
from simulator.engine.players.wording import consent_in_words, in_words
from simulator.models import Batch, Measurement
from simulator.statistics.verdicts import Explanation

FAULTLESS = "both sides without fault, proved by looking at every position"
PRINTED = (
    "verdict", "text", "figure", "least", "most", "low", "high", "n", "counts", "batches", "moves", "players", "games",
    "seed", "cap", "until", "version",
)  # fmt: skip
AGAINST_RANDOM = "the mover for the best chance, the other at random: exactly, by looking at every position"
# The columns of readings: those of any source, then those of the two authorities.
COLUMNS = ("After the book", "After today’s summary", "As the Ludii program plays")
AUTHORITIES = ("", "dlp", "ludii")
PROGRAMME = AUTHORITIES[2]
OF_A_PROGRAMME = "the sentence is not the program’s"
EXACTLY = {
    claim_definitions.FIRST_MOVES: "no players: the referee plays every first move and every reply",
    claim_definitions.THROWS: "no players: the referee plays every throw",
    claim_definitions.RULE: "no players: the rule says so",
}
THREEFOLD = "threefold"  # the measurement of games in which a position stood three times
Cell = tuple[tuple[str, Reading | None, Verdict.Kind], ...]


@dataclass(frozen=True, slots=True)
class ClaimTestResult:
    """A test in words, the readings it is about, and its verdict if it has been run.

    under:   the rulesets in words, with what is changed in them
    players: who plays, in words
    batches: ids of the verdict's batches that are kept here
    game:    the page on which a witness is played through, up to where it is so; empty if there is none
    beside:  why it has no voice in the verdict on the claim, in words; empty where it has one
    about_rules: whether the claim is about the rules
    repetition: of games of its ruleset and players, as far as it was looked at
    """

    number: int
    sentence: str
    under: tuple[str, ...]
    players: str
    readings: tuple[Reading, ...]
    verdict: Verdict | None
    batches: tuple[str, ...]
    test: Mapping[str, Any]
    game: str = ""
    beside: str = ""
    about_rules: bool = False
    repetition: Repetition | None = None

    @property
    def is_exact(self) -> bool:
        return claim_definitions.is_exact(self.test)

    @property
    def kinds(self) -> int | None:
        """How many kinds its games are of; None where it was not counted, as where a player draws lots."""
        return self.verdict.counts.get(claim_verdicts.KINDS) if self.verdict else None

    @property
    def waits(self) -> bool:
        """Whether the verdict on the claim waits for it: for players of a level it does not."""
        return self.is_exact or not claim_definitions.names_a_level(self.test, levels.SEARCHES)

    @property
    def voice(self) -> Voice:
        """What it says for the verdict on its claim."""
        return Voice(
            ruleset=str(self.test.get("ruleset", "")),
            kind=self.kind if self.verdict else None,
            counts=not self.beside,
            waits=self.waits,
            changed=bool(self.test.get("set")),
            players="" if self.is_exact else str(self.test.get("players", claim_definitions.DEFAULT_PLAYERS)),
        )

    @property
    def is_of_a_witness(self) -> bool:
        return self.test.get("kind") == claim_definitions.WITNESS

    @property
    def needs(self) -> str:
        """The player that would be needed, in words; empty where one of the players there are will do."""
        return claim_definitions.needs(self.test)

    @property
    def kind(self) -> Verdict.Kind:
        return Verdict.Kind(self.verdict.verdict) if self.verdict else Verdict.Kind.UNDECIDED

    @property
    def why(self) -> Explanation | None:
        """Why its games do not decide it; None where they do, and before it was run."""
        if self.verdict is None or self.kind != Verdict.Kind.UNDECIDED:
            return None
        test = claim_definitions.read(self.test)
        return claim_verdicts.why(test, self.verdict, about_rules=self.about_rules, repetition=self.repetition)

    def document(self) -> dict[str, Any]:
        """The test as the command prints it."""
        said = {
            "number": self.number,
            "test": dict(self.test),
            "sentence": self.sentence,
            "under": list(self.under),
            "players_in_words": self.players,
            "beside": self.beside,
            "kinds": self.kinds,
        }
        if self.verdict is None:
            return {**said, "verdict": None}
        because = {"undecided_because": self.why and str(self.why.because), "games_wanted": self.why and self.why.games}
        return {**said, **{name: getattr(self.verdict, name) for name in PRINTED}, **because}


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A claim, the words it stands in, its tests, and what they say together. Readings by the slug of their ruleset."""

    claim: Claim
    words: tuple[Anchor, ...]
    tests: tuple[ClaimTestResult, ...]
    verdict: ClaimVerdict
    by_reading: tuple[tuple[str, Reading | None, Verdict.Kind], ...]

    @property
    def why(self) -> str:
        """Why it is undecided or cannot be tested; empty if it is decided."""
        return self.verdict.reason or self.claim.why_not

    @property
    def about_what(self) -> str:
        """ "rules", "play" or "nothing"."""
        if self.claim.judged_by == Claim.JudgedBy.NOTHING:
            return "nothing"
        return "rules" if self.claim.about_rules else "play"

    @property
    def is_of_quick_play(self) -> bool:
        """Whether it is about play, and judged by players who choose nothing, or look no further than one turn."""
        return self.about_what == "play" and self.claim.judged_by == Claim.JudgedBy.RANDOM and self.has_figures

    @property
    def is_of_random_play_alone(self) -> bool:
        """Whether it is about play, and judged by players who choose nothing."""
        return self.is_of_quick_play and not any(map(claim_definitions.is_played_by_thinkers, self.claim.tests))

    @property
    def is_played_by_thinkers(self) -> bool:
        """Whether every test names players who think."""
        return all(map(claim_definitions.is_played_by_thinkers, self.claim.tests))

    @property
    def is_proved(self) -> bool:
        """Whether every test is exact, and none decided by games that might have been played better."""
        return all(test.is_exact for test in self.heard)

    @property
    def is_solved(self) -> bool:
        """Whether every test is decided by a solution, so that it is of faultless play."""
        return all(test.test.get("kind") == claim_definitions.SOLUTION for test in self.heard)

    @property
    def heard(self) -> list[ClaimTestResult]:
        """The tests that have a voice in the verdict; all, if none has."""
        return [test for test in self.tests if not test.beside] or list(self.tests)

    @property
    def changed(self) -> dict[str, tuple[str, ...]]:
        """Of the rulesets of which every test changes rules: the changed rulesets in words, each once."""
        found: dict[str, list[ClaimTestResult]] = {}
        for test in self.tests:
            found.setdefault(str(test.test.get("ruleset", "")), []).append(test)
        return {
            name: tuple(dict.fromkeys(test.under[0] for test in tests if test.under))
            for name, tests in found.items()
            if all(test.test.get("set") for test in tests)
        }

    @property
    def rows(self) -> list["ReadingRow"]:
        """What the tests say under each reading, and how each kind of players of them fares."""
        changed = self.changed
        return [
            ReadingRow(
                name,
                reading,
                kind,
                changed.get(name, ()),
                tuple(test for test in self.tests if test.test.get("ruleset") == name),
            )
            for name, reading, kind in self.by_reading
        ]

    @property
    def has_figures(self) -> bool:
        return any(test.verdict for test in self.tests)


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """A reading with its verdict. changed: what is changed in the rulesets, if every test of it changes rules"""

    name: str
    reading: Reading | None
    kind: Verdict.Kind
    changed: tuple[str, ...]
    tests: tuple[ClaimTestResult, ...]

    @property
    def beside(self) -> str:
        """Why it has no voice in the verdict on the claim; empty where it has one."""
        return "" if any(not test.beside for test in self.tests) else self.tests[0].beside


def claim_rows() -> "QuerySet[Claim]":
    """Claims in the order of their games, with their words."""
    anchors = Anchor.objects.shown().select_related("evidence").order_by("-stance", "position", "key")
    return (
        Claim.objects.select_related("game")
        .prefetch_related(Prefetch("anchors", anchors))
        .order_by("game__name", "position", "slug")
    )


def claims_of(record: Evidence) -> list[ClaimResult]:
    """The claims that stand in a record's words."""
    return claim_results(claim_rows().filter(pk__in=Anchor.objects.filter(evidence=record).values("claim")))


def claim_results(rows: Iterable[Claim]) -> list[ClaimResult]:
    """Claims as `claim_rows` gives them, each with its verdict."""
    found = list(rows)
    known = _Known(found) if found else None
    return [known.result_of(claim) for claim in found] if known else []


class _Known:
    """The rulesets, readings, verdicts and batches that some claims name, each fetched in one query."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        names = claim_definitions.names_in(test for claim in claims for test in claim.tests)
        self.rulesets = newest_rulesets(names)
        self.readings = {reading.slug: reading for reading in Reading.objects.filter(slug__in=names)}
        rows = Verdict.objects.filter(claim__in=[claim.pk for claim in claims])
        self.verdicts = {(verdict.claim_id, verdict.number): verdict for verdict in rows}
        ids = {batch for verdict in self.verdicts.values() for batch in verdict.batches}
        self.batches = dict(Batch.objects.filter(id__in=ids).order_by().values_list("id", "family_version"))
        self.repetitions = self._repetitions()

    def _repetitions(self) -> dict[tuple[str, str], Repetition]:
        """How often positions came back, by ruleset and players, if the cap leaves some verdict open. At most one
        query."""
        if not any(verdict.counts.get("open") for verdict in self.verdicts.values()):
            return {}
        hashes = [ruleset.hash for ruleset in self.rulesets.values()]
        rows = Measurement.objects.filter(measure=THREEFOLD, batch__ruleset__in=hashes, value__isnull=False)
        found = rows.order_by("n").values_list("batch__ruleset", "batch__players", "value", "n")
        return {(ruleset, players): Repetition(round((value or 0) * n), n) for ruleset, players, value, n in found}

    def result_of(self, claim: Claim) -> ClaimResult:
        tests = tuple(self._test(claim, number, test) for number, test in enumerate(claim.tests, start=1))
        verdict = claim_verdicts.of_claim(
            claim.judged_by,
            [one.voice for one in tests],
            are_played_by_thinkers=all(map(claim_definitions.is_played_by_thinkers, claim.tests)),
            needs=next(filter(None, map(claim_definitions.needs, claim.tests)), ""),
            whys=[one.why for one in tests if one.why and not one.beside],
        )
        by_reading = tuple((name, self.readings.get(name), kind) for name, kind in verdict.readings.items())
        return ClaimResult(claim, tuple(claim.anchors.all()), tests, verdict, by_reading)

    def _test(self, claim: Claim, number: int, test: Mapping[str, Any]) -> ClaimTestResult:
        if wrong := claim_checks.problems_of_test(test, self.rulesets):
            return ClaimTestResult(number, f"This test cannot be run: {'; '.join(wrong)}.", (), "", (), None, (), test)
        read = claim_definitions.read(test)
        verdict = self._current(test, read, self.verdicts.get((claim.pk, number)))
        return ClaimTestResult(
            number=number,
            sentence=claim_definitions.sentence(read, self.rulesets),
            under=tuple(claim_definitions.under(side, self.rulesets) for side in read.sides),
            players="" if claim_definitions.needs(test) else self._players(read, verdict),
            readings=tuple(self.readings[name] for name in dict.fromkeys(read.rulesets) if name in self.readings),
            verdict=verdict,
            batches=tuple(batch for batch in verdict.batches if batch in self.batches) if verdict else (),
            test=test,
            game=self._address(read, verdict) if verdict and verdict.moves and not read.sides[0].changes else "",
            beside=claim_definitions.beside(test) or self._of_a_programme(claim, read),
            about_rules=claim.about_rules,
            repetition=self._repetition(read, verdict),
        )

    def _current(
        self, test: Mapping[str, Any], read: claim_definitions.ClaimTest, verdict: Verdict | None
    ) -> Verdict | None:
        """The verdict, unless it is of another test, found in an earlier way, or of players who are not the level's any
        more."""
        if verdict is None or verdict.test != test or verdict.version < claim_trials.version_of(test):
            return None
        if read.kind not in claim_definitions.PLAYED:
            return verdict
        names = levels.players_for(read.sides[0].ruleset(self.rulesets), read.players)
        return verdict if verdict.players == ",".join(names) else None

    def _of_a_programme(self, claim: Claim, read: claim_definitions.ClaimTest) -> str:
        """Why the test has no voice, if its reading is a program's and the claim is tested under others too."""
        programs = {name for name, reading in self.readings.items() if reading.authority == PROGRAMME}
        named = {str(test.get("ruleset", "")) for test in claim.tests}
        return OF_A_PROGRAMME if read.rulesets[0] in programs and named - programs else ""

    def _repetition(self, read: claim_definitions.ClaimTest, verdict: Verdict | None) -> Repetition | None:
        # Who draws lots comes back to positions and leaves them again: that is no standstill.
        if verdict is None or not verdict.batches or claim_definitions.DEFAULT_PLAYERS in verdict.players.split(","):
            return None
        return self.repetitions.get((read.sides[0].ruleset(self.rulesets).hash, verdict.players))

    def _address(self, test: claim_definitions.ClaimTest, verdict: Verdict) -> str:
        """The page that shows the moves of a witness, with no turn taken by a machine.

        Workers gather claims too, and do not load the pages for their addresses.
        """
        ruleset = self.rulesets[test.rulesets[0]]
        players = ",".join(["you"] * family(ruleset.family).seats(ruleset.parameters))
        query = {"players": players, "seed": test.seed, "moves": verdict.moves}
        page = f"{get_script_prefix()}rulesets/{test.rulesets[0]}/play-a-game/"
        return f"{page}?{urlencode(query, safe=',:/*')}"

    def _players(self, read: claim_definitions.ClaimTest, verdict: Verdict | None) -> str:
        """The players in words: by level where the test names one, unless another player had it then."""
        if read.kind in EXACTLY:
            return EXACTLY[read.kind]
        if read.kind == claim_definitions.SOLUTION:
            return AGAINST_RANDOM if read.by == "chance" or read.chooses else FAULTLESS
        rulesets = [side.ruleset(self.rulesets) for side in read.sides]
        names = levels.players_for(rulesets[0], read.players)
        version, line = None, levels.per_seat(read.players, len(names))
        if verdict is not None:
            version = min((self.batches[batch] for batch in verdict.batches if batch in self.batches), default=None)
            line = line if verdict.players == ",".join(names) else verdict.players
        first, *others = set(line.split(","))
        who = levels.in_words(first) if first in levels.SEARCHES and not others else in_words(_kinds_named(line))
        consent = consent_in_words(line, [ruleset.document for ruleset in rulesets], read.until, version)
        return ", ".join(filter(None, (who, consent)))


def _kinds_named(line: str) -> list[str]:
    """The players of a line, the second one of a level in words."""
    return [f"{levels.FIRSTS[name]} of the second kind" if name in levels.FIRSTS else name for name in line.split(",")]


@dataclass(frozen=True, slots=True)
class VerdictCount:
    """How many claims have a verdict. reasons: why, with how many, where it is undecided

    kind, sign, label: the verdict; `DEPENDING` where each reading says another thing, which is no open question
    """

    kind: str
    sign: str
    label: str
    number: int
    reasons: tuple[tuple[str, int], ...] = ()


DEPENDING, DEPENDING_SIGN, DEPENDING_WORDS = "depends", "±", "it depends on the reading"


def verdict_of(claim: ClaimResult) -> str:
    """The verdict as lists count it: that it depends on the reading is one of its own."""
    return DEPENDING if claim.verdict.reason == claim_verdicts.DEPENDS else str(claim.verdict.kind)


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """cells: what the tests say under the readings of each column; none if nothing was tested"""

    one: ClaimResult
    cells: tuple[Cell, ...]


def tally(claims: Sequence[ClaimResult]) -> list[VerdictCount]:
    """The count of each verdict that some claim has."""
    counts = Counter(map(verdict_of, claims))
    undecided = [claim for claim in claims if verdict_of(claim) == Verdict.Kind.UNDECIDED]
    why = Counter(claim.verdict.because.words for claim in undecided if claim.verdict.because)
    found = [VerdictCount(str(kind), kind.sign, str(kind.label), counts[kind]) for kind in Verdict.Kind]
    depending = VerdictCount(DEPENDING, DEPENDING_SIGN, DEPENDING_WORDS, counts[DEPENDING])
    place = next(place for place, one in enumerate(found) if one.kind == Verdict.Kind.UNDECIDED)
    reasons = replace(found[place], reasons=tuple(why.most_common()))
    return [one for one in (*found[:place], depending, reasons, *found[place + 1 :]) if one.number]


def row_of(one: ClaimResult) -> ClaimRow:
    cells: list[list[tuple[str, Reading | None, Verdict.Kind]]] = [[] for _ in COLUMNS]
    for name, reading, kind in one.by_reading if one.has_figures else ():
        authority = reading.authority if reading else ""
        cells[AUTHORITIES.index(authority) if authority in AUTHORITIES else 0].append((name, reading, kind))
    return ClaimRow(one, tuple(map(tuple, cells)))
