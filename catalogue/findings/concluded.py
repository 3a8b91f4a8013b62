"""Findings of studies, claims and questions.

The finding of a study is the open question whose answers surely move a share of games farthest: by an interval that
holds for all pairs of answers in all shares at once, since the largest of them is picked (`study_figures`). Who wins is
a share of the games that somebody won; where unfinished games differ, these are what is named. An outcome that answers
exclude by their rules is none.
Claims that their tests decide, or that each reading decides otherwise, and questions that change nothing have no size.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from catalogue.analyses.claim_results import ClaimResult
from catalogue.analyses.claim_verdicts import DEPENDS
from catalogue.analyses.claim_words import STAMPS, how_sure, stamp, tested, to_see
from catalogue.analyses.study_words import said_of
from catalogue.evidence.questions import IDLE as SAME
from catalogue.evidence.questions import (
    NOT_ARISING,
    OpenQuestion,
    idle_by_file,
    level_of,
    open_questions,
    question_rows,
)
from catalogue.findings.finding import IDLE, JUDGED, MARGIN, STUDIED, Finding, Share
from catalogue.models import Anchor, Study, Verdict
from catalogue.outcomes.figure import PERFECT
from catalogue.outcomes.wording import between_players
from catalogue.texts.formatting import capitalised, in_points, listed, of_hundred, shortened
from catalogue.texts.sureness import Sureness
from catalogue.texts.voices import authority_in_words
from simulator.batches.finalize import FEW
from simulator.batches.levels import line_in_words, second_line
from simulator.models import Batch
from simulator.statistics.intervals import Interval

ROUND = Batch.Until.ROUND
Answer = Mapping[str, Any]
Words = Mapping[tuple[str, str, str], Anchor]
NO_WORDS: Words = MappingProxyType({})


def sensitivity_finding(study: Study, words: Words = NO_WORDS) -> Finding | None:
    """The finding of a study; None where no answer surely moves a share beyond the margin.

    Nor is there one of players who think, since a study has one player: another of the price may show another thing.
    words: by (game, question, answer), where a record says so
    """
    if second_line(study.document["players"]):
        return None
    moved = max(_moved(study.document), key=lambda one: (one[0].limits[0], one[0].value), default=None)
    if moved is None:
        return None
    gap, outcome, question, low, high = moved
    game, document = study.game, study.document
    asked = next(one for one in document["questions"] if one["slug"] == question["slug"])
    texts = {answer["slug"]: answer["text"] for answer in asked["answers"]}
    said = (words.get((game.slug, question["slug"], one["slug"])) for one in (low, high))
    counted = "first rounds" if document.get("until") == ROUND else "games"
    end = said_of(outcome["key"], outcome["title"], counted)
    # The first sentence of an answer stands within the sentence of the finding.
    short = (texts[one["slug"]].partition(". ")[0].removesuffix(".") for one in (low, high))
    least, most = (f"if the answer is “{answer}”" for answer in short)
    among = end.removeprefix("of ")
    of_hundred_games = f"{of_hundred(low['mean'])} {among} {least}, and {of_hundred(high['mean'])} {most}"
    kinds = kinds_behind(document, question["slug"], [low["slug"], high["slug"]])
    level = level_of(study.summary["players"])
    who = f"{level} players" if level else ""
    both = f"{low['text']} {end} {least}, and {high['text']} {most}"
    return Finding(
        kind=STUDIED,
        game=game,
        headline=f"{game.name}: {_rank(outcome, question)}{f' between {who}' if who else ''}. {question['title']}",
        sentence=f"{capitalised(between_players(who, both))}, {_over(document, counted)}.",
        plain=f"{question['title']} {capitalised(between_players(who, of_hundred_games))}.",
        size=gap,
        size_text=in_points(gap),
        level=level,
        level_text=line_in_words(document["players"]),
        games=study.summary["games"] * len(document["cells"]),  # several combinations may be one game
        links=(
            ("Which question matters", study.get_absolute_url()),
            ("The question", f"/questions/{game.slug}/{question['slug']}/"),
            *{f"“{shortened(one.exact)}”": one.get_absolute_url() for one in said if one}.items(),
        ),
        counted=counted,
        few_kinds=(f"{kinds:,} different {counted}",) if kinds is not None else (),
        shares=tuple(_share(document, outcome["key"], one) for one in (low, high)),
        looked_at=document["pairs"],
        study=study.pk,
        question=f"{game.slug}/{question['slug']}",
    )


def _rank(outcome: Answer, question: Answer) -> str:
    """Whether the question is the one that matters most to the outcome: only where the study shows that it is."""
    best = max(outcome["questions"], key=lambda row: row["first"]["value"])
    is_first = outcome["leads"] and best["slug"] == question["slug"]
    return "the question that matters most" if is_first else "a question that surely matters"


def _over(document: Mapping[str, Any], counted: str) -> str:
    """Over what the means of the answers are taken: they need not hold for each combination."""
    number, games = len(document["cells"]), document["games"]
    of_what = "all" if document["complete"] else "a sample of"
    return f"on average over {of_what} {number:,} combinations with the other answers, {games:,} {counted} of each"


def _share(document: Mapping[str, Any], measure: str, answer: Answer) -> Share:
    mean = Interval(answer["mean"], answer["low"], answer["high"])
    players = document["players_by_name"]
    return Share(document["base"], answer["slug"], "", players, measure, document["games"], mean)


def kinds_behind(document: Mapping[str, Any], question: str, answers: Sequence[str]) -> int | None:
    """How many different games are behind the means of these answers; None where it is not known."""
    place = [one["slug"] for one in document["questions"]].index(question)
    kinds = [cell.get("kinds") for cell in document["cells"] if cell["answers"][place] in answers]
    known = [number for number in kinds if number is not None]
    return sum(known) if len(known) == len(kinds) else None


def _moved(document: Mapping[str, Any]) -> Iterator[tuple[Interval, Answer, Answer, Answer, Answer]]:
    """(difference, outcome, question, lowest answer, highest answer) of each question that surely matters."""
    for outcome in document["outcomes"]:
        for question in outcome["questions"]:
            apart = question.get("apart")
            if not apart or apart["low"] <= MARGIN:
                continue
            given = {one["slug"]: one for one in question["answers"]}
            low, high = (given[apart[name]] for name in ("lowest", "highest"))
            kinds = kinds_behind(document, question["slug"], [low["slug"], high["slug"]])
            if kinds is None or kinds >= FEW:
                yield Interval(apart["value"], apart["low"], apart["high"]), outcome, question, low, high


JUDGED_SO = (Verdict.Kind.SUPPORTED, Verdict.Kind.NOT_SUPPORTED)


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim that is decided, as the page of findings lists it.

    sign, words: the verdict; title: with its marks of italics; sentence: what is tested, and what it came to
    anchor:      address of the first words that it stands in, empty where there are none
    quoted:      these words; tested: how it was tested, in a line; see: (words, address) of games that show it
    sure:        how sure the verdict is
    """

    sign: str
    words: str
    game: str
    title: str
    address: str
    sentence: str
    anchor: str
    quoted: str = ""
    tested: str = ""
    see: tuple[str, str] | None = None
    sure: Sureness | None = None


def judged_claims(claims: Iterable[ClaimResult]) -> Iterator[JudgedClaim]:
    """The decided claims, by verdict, then those that depend on the reading."""
    rows = list(claims)
    for found in STAMPS:
        for one in (claim for claim in rows if stamp(claim) == found):
            claim, address, said = one.claim, one.claim.get_absolute_url(), sentence_of(one)
            anchor, quoted = (one.words[0].get_absolute_url(), one.words[0].exact) if one.words else ("", "")
            said_of_it = (claim.game.name, claim.title, address, said, anchor, quoted)
            yield JudgedClaim(*found, *said_of_it, tested(one), to_see(one, ""), how_sure(one))


def judged_findings(claims: Iterable[ClaimResult]) -> Iterator[Finding]:
    """The same claims as findings, in the order of their games."""
    for claim in claims:
        if claim.verdict.kind in JUDGED_SO or depends_on_the_reading(claim):
            yield _judged_finding(claim)


def _judged_finding(one: ClaimResult) -> Finding:
    claim, tests = one.claim, [(test, test.verdict) for test in one.heard if test.verdict]
    if one.verdict.kind in JUDGED_SO:
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
        claim=f"{claim.game.slug}/{claim.slug}",
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
    """Of a question whose answers the games do not tell apart, or of which it is proved that none could."""
    question, first = one.question, one.idle[0]
    number = first.games or 0
    names = listed([authority_in_words(found.reading.authority, found.reading.title)[0] for found in one.idle])
    is_proved = all(found.because for found in one.idle)
    said = "it can change nothing" if is_proved else f"{first.players} games do not tell its answers apart"
    sentence = (
        f"Under {names} {number:,} games of {first.players} players are the same, whichever of its answers is given."
    )
    if is_proved:
        sentence = " ".join(dict.fromkeys(found.because for found in one.idle))
    return Finding(
        kind=IDLE,
        game=question.game,
        headline=f"{question.game.name}: {said}. {question.title}",
        sentence=sentence,
        size=None,
        size_text="proved" if is_proved else "no game was different",
        level=PERFECT if is_proved else first.players,
        level_text="by its rules" if is_proved else f"{first.players} players",
        games=None if is_proved else number,
        links=(("The question", question.get_absolute_url()),),
        question=f"{question.game.slug}/{question.slug}",
    )
