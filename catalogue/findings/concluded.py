"""Findings of studies, claims and questions.

The finding of a study is the open question whose answers move a share of games farthest. How often a side wins is held
against other answers only where these leave as many sides: of four one wins less often than of two, whatever the rules.
Claims that their tests decide, or that each reading decides otherwise, and questions that change nothing have no size.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from catalogue.analyses.claim_results import ClaimResult
from catalogue.analyses.claim_verdicts import DEPENDS
from catalogue.analyses.factorial import active_parameters, without_inactive
from catalogue.analyses.study_plans import StudyOffer
from catalogue.evidence.questions import IDLE as SAME
from catalogue.evidence.questions import (
    NOT_ARISING,
    OpenQuestion,
    idle_by_file,
    level_of,
    open_questions,
    question_rows,
)
from catalogue.findings.finding import IDLE, JUDGED, MARGIN, STUDIED, Finding
from catalogue.models import Anchor, Study, Verdict
from catalogue.outcomes.figure import PERFECT
from catalogue.texts.anchors import authority_in_words
from catalogue.texts.formatting import in_points, listed, lowered, shortened
from simulator.batches.levels import line_in_words
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.models import Batch
from simulator.rulesets import as_engine
from simulator.statistics.intervals import Interval, newcombe
from simulator.statistics.variance_shares import WON

ROUND = Batch.Until.ROUND
Answer = Mapping[str, Any]
Words = Mapping[tuple[str, str, str], Anchor]
NO_WORDS: Words = MappingProxyType({})
QuestionKey = tuple[str, str]  # game and question
NONE: Set[QuestionKey] = frozenset()


def asking_for_sides(offers: Iterable[StudyOffer]) -> set[QuestionKey]:
    """The questions whose answers make games of more sides or of fewer, on top of a game's base ruleset."""
    bases = [(offer, as_engine(offer.base)) for offer in offers]
    return {
        (offer.game.slug, question.slug)
        for offer, base in bases
        for question in offer.questions
        if _are_of_several_numbers(base, [level.values for level in question.levels])
    }


def _are_of_several_numbers(base: Ruleset, answers: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the base has sides of several numbers with these answers."""
    kind = family(base.family)
    numbers = []
    for values in answers:
        parameters = active_parameters(base, values)
        numbers.append(len({kind.side(parameters, seat) for seat in range(kind.seats(parameters))}))
    if len(set(numbers)) < 2:
        return False
    # Answers that are possible only under another answer to another question do not count; to find them takes longer.
    return len({number for number, values in zip(numbers, answers, strict=True) if _is_a_game(base, values)}) > 1


def _is_a_game(base: Ruleset, values: Mapping[str, Any]) -> bool:
    try:
        without_inactive(base, values)
    except RulesetProblem:
        return False
    return True


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
    # The first sentence of an answer stands within the sentence of the finding.
    short = (texts[one["slug"]].partition(". ")[0].removesuffix(".") for one in (low, high))
    least, most = (f"if the answer is “{answer}”" for answer in short)
    return Finding(
        kind=STUDIED,
        game=game,
        headline=f"{game.name}: the answer that matters most. {question['title']}",
        sentence=f"{low['text']} {end} {least}, and {high['text']} {most}, whatever else is answered.",
        size=gap,
        size_text=in_points(gap),
        level=level_of(study.summary["players"]),
        level_text=line_in_words(study.document["players"]),
        games=study.summary["games"] * len(study.document["cells"]),  # several combinations may be one game
        links=(
            ("Which doubt matters", study.get_absolute_url()),
            ("The question", f"/questions/{game.slug}/{question['slug']}/"),
            *{f"“{shortened(one.exact)}”": one.get_absolute_url() for one in said if one}.items(),
        ),
        counted=counted,
    )


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
            # Combinations in which the question does not arise have other rules besides, and are no answer to it.
            given = [one for one in question["answers"] if one["slug"] is not None]
            ordered = sorted(given, key=lambda one: float(one["mean"]))
            low, high = ordered[0], ordered[-1]
            most, least = (Interval(one["mean"], one["low"], one["high"]) for one in (high, low))
            gap = newcombe(most, least)
            if gap.limits[0] > MARGIN:
                yield gap, outcome, question, low, high


DECIDED = (Verdict.Kind.SUPPORTED, Verdict.Kind.NOT_SUPPORTED)


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim that is decided, as the page of findings lists it.

    sign, words: the verdict; title: with its marks of italics; sentence: what is tested, and what it came to
    anchor:      address of the first words that it stands in, empty where there are none
    """

    sign: str
    words: str
    game: str
    title: str
    address: str
    sentence: str
    anchor: str


def judged_claims(claims: Iterable[ClaimResult]) -> Iterator[JudgedClaim]:
    """The decided claims, by verdict, then those that depend on the reading."""
    rows = list(claims)
    groups = [(one.sign, one.label, [claim for claim in rows if claim.verdict.kind == one]) for one in DECIDED]
    groups.append(("±", "it depends on the reading", [claim for claim in rows if depends_on_the_reading(claim)]))
    for sign, words, some in groups:
        for one in some:
            claim, address = one.claim, one.claim.get_absolute_url()
            anchor = one.words[0].get_absolute_url() if one.words else ""
            yield JudgedClaim(sign, words, claim.game.name, claim.title, address, sentence_of(one), anchor)


def judged_findings(claims: Iterable[ClaimResult]) -> Iterator[Finding]:
    """The same claims as findings, in the order of their games."""
    for claim in claims:
        if claim.verdict.kind in DECIDED or depends_on_the_reading(claim):
            yield _judged_finding(claim)


def _judged_finding(one: ClaimResult) -> Finding:
    claim, tests = one.claim, [(test, test.verdict) for test in one.heard if test.verdict]
    if one.verdict.kind in DECIDED:
        verdict = one.verdict.kind.label
    else:
        under = ((reading.title if reading else name, kind) for name, reading, kind in one.by_reading)
        verdict = f"it depends on the reading: {listed([f'{kind.label} under {whose}' for whose, kind in under])}"
    # The level that all seats of all tests are to be played on; empty if there is none.
    level = level_of(",".join(test.test.get("players", verdict_of.players) for test, verdict_of in tests))
    games = [verdict_of.n for _, verdict_of in tests if verdict_of.n]
    return Finding(
        kind=JUDGED,
        game=claim.game,
        headline=f"{claim.game.name}: {claim.title.replace('*', '')} – {verdict}",
        sentence=sentence_of(one),
        size=None,
        size_text="proved" if one.is_proved else "judged by games",
        level=PERFECT if one.is_solved else level,
        level_text=tests[0][0].players,
        games=None if one.is_proved else min(games, default=None),
        links=(
            ("The claim", claim.get_absolute_url()),
            *((f"“{shortened(words.exact)}”", words.get_absolute_url()) for words in one.words[:1]),
        ),
        batches=tuple(dict.fromkeys(batch for test, _ in tests for batch in test.batches)),
    )


def sentence_of(one: ClaimResult) -> str:
    """The claim as it is tested, with the figures of its tests; tests that agree are counted after the first."""
    tests = [(test, test.verdict.text) for test in one.heard if test.verdict]
    shown = list({test.kind: (test, text) for test, text in reversed(tests)}.values())[::-1]
    said = [f"Under {' and '.join(test.under)}, {test.players}: {text}" for test, text in shown]
    if len(shown) == 1 and (others := len(tests) - 1):
        said.append("The other test agrees." if others == 1 else f"The other {others} tests agree.")
    return " ".join([tests[0][0].sentence, *said])


def depends_on_the_reading(one: ClaimResult) -> bool:
    return one.verdict.reason == DEPENDS


def idle_questions() -> Iterator[Finding]:
    """The questions that are idle in every reading in which they arise."""
    slugs = idle_by_file()
    rows = question_rows().filter(game__slug__in={game for game, _ in slugs}, slug__in={slug for _, slug in slugs})
    for open_question in open_questions(rows):
        if open_question.idle and all(found.state in (SAME, NOT_ARISING) for found in open_question.found):
            yield _idle_finding(open_question)


def _idle_finding(one: OpenQuestion) -> Finding:
    question, first = one.question, one.idle[0]
    number = first.games or 0
    names = listed([authority_in_words(found.reading.authority)[0] for found in one.idle])
    return Finding(
        kind=IDLE,
        game=question.game,
        headline=f"{question.game.name}: it changes nothing. {question.title}",
        sentence=f"Under {names} {number:,} games are the same, move by move, whichever of its answers is given.",
        size=None,
        size_text="no game was different",
        level=first.players,
        level_text=f"{first.players} players",
        games=number,
        links=(("The question", question.get_absolute_url()),),
    )
