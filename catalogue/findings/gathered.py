"""All findings, gathered from the rows, the largest first; and the example of the first page.

The number of queries grows only with the games that were studied.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, compress, groupby
from operator import not_

from django.urls import get_script_prefix

from catalogue.analyses.claim_results import claim_results, claim_rows, verdict_of
from catalogue.evidence.questions import level_of
from catalogue.findings import concluded
from catalogue.findings.compared import PORTAL, Played, compared, looked_at, paraphrased, proved
from catalogue.findings.finding import COMPARED, PARAPHRASED, PROVED, STUDIED, Finding, Link
from catalogue.findings.over_levels import ByGame, DifferenceOverLevels, levels_played, over_levels, same_games
from catalogue.models import Anchor, Basis, ComparedBatch, Comparison, Evidence, Game, Reading, Study
from catalogue.models.querysets import newest_versions
from catalogue.outcomes.at_a_glance import LevelBars
from catalogue.outcomes.figure import PERFECT, USUAL, Bar, FigureLevel, FigureRow, OutcomeFigure, bars_by_role
from catalogue.outcomes.played import FEWEST_GAMES, first_shown, is_headline, kinds_of
from catalogue.texts.formatting import shortened
from catalogue.texts.voices import PROGRAM, SUMMARY
from simulator.analyses.ladders import shown_better
from simulator.batches.finalize import VARIETY
from simulator.batches.levels import FIRSTS, SECONDS, rank
from simulator.models import Batch
from simulator.rulesets import as_engine

Shown = tuple[FigureLevel, tuple[Bar, ...]]
EARLIER_RULES = "The reading that it starts from has been corrected since."
SAID = (Basis.STATED, Basis.ENTAILED)
LONGEST = 230  # characters of a quotation on either side of the words
SENTENCE = re.compile(r"[.!?][”’'\"]?\s+")


@dataclass(frozen=True, slots=True)
class Findings:
    """ranked: those with a size, of the players that are shown first of their game, what is surely largest first
    others: the same of weaker players, of stronger ones who played few games, and of those of no level
    alike:  games of which no end is shown to be oftener under one reading than under another, on any level
    same:   game → readings of it that were the same game, as far as they were played

    first_shown: game → how its readings end on the level that is shown of them first
    by_strength: game → its readings over the levels of play, where at least two were played
    levels: game → how its readings end on each level, from the weakest; not those of second players

    judged: of claims that games decide; claims: the same as the page of findings lists them; verdicts: how many claims
    have which verdict; idle: of questions whose answers change nothing
    """

    ranked: tuple[Finding, ...]
    others: tuple[Finding, ...]
    alike: tuple[Game, ...]
    first_shown: dict[int, Shown]
    by_strength: dict[int, tuple[DifferenceOverLevels, ...]]
    judged: tuple[Finding, ...]
    claims: tuple[concluded.JudgedClaim, ...]
    verdicts: dict[str, int]
    idle: tuple[Finding, ...]
    same: dict[int, tuple[tuple[FigureRow, FigureRow], ...]]
    levels: dict[int, tuple[LevelBars, ...]]

    @property
    def every(self) -> list[Finding]:
        """All findings: with a size, by the players that are shown first, then judged claims and idle questions."""
        return [*self.ranked, *self.others, *self.judged, *self.idle]

    def of(self, kind: str) -> list[Finding]:
        return [one for one in (*self.ranked, *self.others) if one.kind == kind]

    def bars_of(self, game: Game) -> tuple[Bar, ...]:
        """Return how its readings end, on the level that is shown first."""
        return self.first_shown[game.pk][1] if game.pk in self.first_shown else ()

    def who_wins(self, game: Game) -> str:
        """What is proved of a game, else what its games show on the level that is shown first; empty of none."""
        proved = next((one.said for one in self.of(PROVED) if one.game == game), "")
        if proved or game.pk not in self.first_shown:
            return proved
        level, bars = self.first_shown[game.pk]
        return OutcomeFigure(bars, level=level).finding

    def largest_of_each_kind(self, number: int, without: Finding | None) -> list[Finding]:
        """Return so many findings: the largest of each kind, then the next; each of another game, without this one."""
        kept = [one for one in self.ranked if without is None or one.game != without.game]
        kinds = dict.fromkeys(one.kind for one in kept)
        firsts = [next(one for one in kept if one.kind == kind) for kind in kinds]
        by_game = {one.game: one for one in reversed([*firsts, *kept])}
        return [fromkey for fromkey in dict.fromkeys([*firsts, *kept]) if by_game[fromkey.game] is fromkey][:number]


def gather() -> Findings:
    """Gather all findings from the rows, in some hundred queries; `kept` reads the row made from them instead."""
    levels = levels_played()
    games = Game.objects.in_bulk()
    newest = _newest_studies()
    claims = claim_results(claim_rows())
    found = _linked([*with_games_shared(_of_levels(levels, games), levels, games), *_studies(newest)])
    found.sort(key=lambda one: (-one.surely, one.headline, one.kind))
    shown = _first_shown(levels)
    of_games = {pk: level.key for pk, (level, _) in shown.items()}
    of_studies = {pk: max((level_of(line) for game, line in newest if game == pk), key=rank) for pk, _ in newest}
    others = [_is_of_others(one, of_studies if one.kind == STUDIED else of_games) for one in found]
    different = {one.game.pk for one in found if one.kind in (COMPARED, PARAPHRASED)}
    alike = [games[pk] for pk, (_, bars) in shown.items() if len(bars) > 1 and pk not in different]
    return Findings(
        tuple(compress(found, map(not_, others))),
        tuple(compress(found, others)),
        tuple(sorted(alike, key=lambda game: game.name)),
        shown,
        {
            pk: tuple(
                replace(difference, first=_plain(difference.first), second=_plain(difference.second))
                for difference in differences
            )
            for pk, differences in over_levels(levels).items()
        },
        tuple(concluded.judged_findings(claims)),
        tuple(concluded.judged_claims(claims)),
        dict(Counter(map(verdict_of, claims))),
        tuple(_linked([*concluded.idle_questions()])),
        {pk: tuple((_plain(one), _plain(other)) for one, other in pairs) for pk, pairs in same_games(levels).items()},
        _by_game_and_level(levels),
    )


def _by_game_and_level(levels: Sequence[tuple[FigureLevel, ByGame]]) -> dict[int, tuple[LevelBars, ...]]:
    """How the readings of each game end on each level, a side in one shade on all of them."""
    found: dict[int, list[LevelBars]] = {}
    for pk in dict.fromkeys(pk for _, by_game in levels for pk in by_game):
        own = [(level, by_game[pk]) for level, by_game in levels if by_game.get(pk) and level.key not in FIRSTS]
        shades = iter(_lean(chain.from_iterable(bars for _, bars in own)))
        for level, bars in own:
            few = tuple("" if level.key == PERFECT else _tells_little(bar) for bar in bars)
            found.setdefault(pk, []).append(LevelBars(level, tuple(next(shades) for _ in bars), few))
    return {pk: tuple(rows) for pk, rows in found.items()}


def _tells_little(bar: Bar) -> str:
    """Why games tell little of others: they are few, or of few kinds; empty where they do."""
    games = bar.outcomes.games if bar.outcomes else 0
    if bar.few_kinds:
        return f"only {bar.kinds:,} different {'game' if bar.kinds == 1 else 'games'}"
    return f"only {games:,} games" if games < FEWEST_GAMES else ""


def _first_shown(levels: Sequence[tuple[FigureLevel, ByGame]]) -> dict[int, Shown]:
    """The bars of each game on the level that its pages begin with."""
    found = {}
    every = [bar for _, by_game in levels for bars in by_game.values() for bar in bars]
    better = shown_better({bar.row.ruleset.hash for bar in every if bar.row.ruleset})
    for pk in dict.fromkeys(pk for _, by_game in levels for pk in by_game):
        bars = [(level.key, bar) for level, by_game in levels for bar in by_game.get(pk, ())]
        key = first_shown(
            (level, _kinds(bar.batch))
            for level, bar in bars
            if bar.batch and is_headline(better.get(bar.batch.ruleset_id, {}), level)
        )
        for level, by_game in levels:
            if level.key == key:
                found[pk] = (level, _lean(by_game[pk]))
    return found


def _kinds(batch: Batch) -> int:
    return kinds_of((batch.summary or {}).get(VARIETY), batch.players, batch.games)


def _is_of_others(one: Finding, shown: Mapping[int, str]) -> bool:
    """Return whether it is of other players than those that are shown first of its game; shown: game → level"""
    return one.kind != PROVED and one.level != shown.get(one.game.pk, "")


def _linked(found: list[Finding]) -> list[Finding]:
    """The findings with links to a record of their game, and to the newest comparison that holds their games."""
    records: dict[int, list[Link]] = {}
    for game, identifier in Evidence.objects.shown().order_by("pk").values_list("game", "identifier"):
        records.setdefault(game, [("The words", f"{get_script_prefix()}evidence/{identifier}/")])
    comparisons: dict[str, set[str]] = {}
    kept = ComparedBatch.objects.filter(batch__in={batch for one in found for batch in one.batches})
    rows = kept.filter(comparison__state=Comparison.State.DONE).order_by("comparison__created", "comparison")
    for comparison, batch in rows.values_list("comparison", "batch"):
        comparisons.setdefault(comparison, set()).add(batch)
    return [
        replace(
            one,
            bars=_lean(one.bars),
            links=(*one.links, *_comparison(one, comparisons), *records.get(one.game.pk, ())),
        )
        for one in found
    ]


def _comparison(one: Finding, comparisons: Mapping[str, Set[str]]) -> list[Link]:
    if one.kind not in (COMPARED, PARAPHRASED):
        return []
    found = [key for key, batches in comparisons.items() if batches >= set(one.batches)]
    return [("The comparison", f"{get_script_prefix()}comparisons/{key}/") for key in found[-1:]]


def _lean(bars: Iterable[Bar]) -> tuple[Bar, ...]:
    """The bars as they are shown, without the rows they were made from."""
    shown = bars_by_role(tuple(bars))
    return tuple(replace(bar, batch=None, row=_plain(bar.row)) for bar in shown)


def _plain(row: FigureRow) -> FigureRow:
    return replace(row, ruleset=None)


def _of_levels(levels: list[tuple[FigureLevel, ByGame]], games: dict[int, Game]) -> Iterator[Finding]:
    random = [bar for level, by_game in levels if level.key == USUAL for bars in by_game.values() for bar in bars]
    at_random = {bar.row.slug: bar for bar in random}
    texts = dict(Reading.objects.filter(kind=Reading.Kind.INTERPRETATION).values_list("slug", "authority"))
    played = _played(levels)
    for level, by_game in levels:
        for pk, bars in by_game.items():
            if level.key == PERFECT:
                yield from filter(None, [proved(games[pk], bars, level, at_random)])
                continue
            if (own := played.get((pk, level.key))) is None:
                continue
            of_all, of_texts = compared(games[pk], own, level), paraphrased(games[pk], own, level, texts)
            if not (of_all and of_texts and of_all.sentence == of_texts.sentence):
                yield from filter(None, [of_all])
            yield from filter(None, [of_texts])


def _played(levels: list[tuple[FigureLevel, ByGame]]) -> dict[tuple[int, str], Played]:
    """(game, level) → what may be compared of it, by intervals that hold for all levels of the game together."""
    bars = {level.key: by_game for level, by_game in levels}
    found = {
        (pk, key): Played(own, bars.get(SECONDS[key], {}).get(pk, ()) if key in SECONDS else None)
        for key, by_game in bars.items()
        for pk, own in by_game.items()
        if key != PERFECT and key not in FIRSTS
    }
    number: dict[int, list[Played]] = {}
    for (pk, _), own in found.items():
        number.setdefault(pk, []).append(own)
    together = {pk: looked_at(some) for pk, some in number.items()}
    return {(pk, key): own._replace(looked_at=together[pk]) for (pk, key), own in found.items()}


def with_games_shared(
    found: Iterable[Finding], levels: Sequence[tuple[FigureLevel, ByGame]], games: Mapping[int, Game]
) -> Iterator[Finding]:
    """The findings; of one that rests on games that are another game's too, its sentence says whose.

    Two games may be one under some reading. Their findings are then not as many as they look.
    """
    owners: dict[str, dict[int, str]] = {}
    for _, by_game in levels:
        for pk, bars in by_game.items():
            for bar in bars:
                if bar.batch:
                    owners.setdefault(bar.batch.id, {})[pk] = bar.row.name
    for one in found:
        shared = {pk: owners[batch][one.game.pk] for batch in one.batches for pk in owners[batch] if pk != one.game.pk}
        notes = [f"Under {name} its games are those of {games[pk].name} too." for pk, name in shared.items()]
        yield replace(one, sentence=" ".join([one.sentence, *notes]))


def _newest_studies() -> dict[tuple[int, str], str]:
    """(game, players) → its study."""
    rows = Study.objects.order_by("created", "-id").values_list("pk", "game", "summary")
    return {(game, summary["players"]): pk for pk, game, summary in rows}


def _studies(newest: Mapping[tuple[int, str], str]) -> Iterator[Finding]:
    """newest: of each game by each players"""
    words = {
        (with_record.answer.question.game.slug, with_record.answer.question.slug, with_record.answer.slug): with_record
        for with_record in Anchor.objects.with_records()
        .filter(answer__question__game__in={game for game, _ in newest}, stance=Anchor.Stance.SUPPORTS)
        .select_related("answer__question__game")
        .order_by("-position", "-key")
        if with_record.answer
    }
    rows = Study.objects.filter(pk__in=newest.values()).select_related("game").defer("plots").order_by("id")
    bases = newest_versions(rows.values_list("summary__base", flat=True))
    for study in rows.iterator(1):  # a document is large
        if found := concluded.sensitivity_finding(study, words):
            base = bases.get(study.document["base"])
            is_of_today = base is None or base.ruleset_id == study.document["base_hash"]
            yield found if is_of_today else replace(found, sentence=f"{found.sentence} {EARLIER_RULES}")


@dataclass(frozen=True, slots=True)
class Example:
    """before, words, after: of one sentence or so of the quotation; portal: the words in which its paraphrase states
    another rule; rule, other_rule: the rules that were read from both; differing: in how many rules the two texts
    differ, of which this is one"""

    record: Evidence
    before: str
    words: str
    after: str
    rule: str
    portal: str
    other_rule: str
    bars: tuple[Bar, ...]
    finding: Finding
    differing: int


def example(findings: Sequence[Finding]) -> Example | None:
    """The example of the first page: two texts that state other rules, of a game whose readings surely differ.

    The largest difference that both players of a level that thinks have shown, of a game of which some words of a
    quotation speak against what the paraphrase of the same record states, and state the same rule otherwise: those of
    which the two rules are told most shortly. None where there is no such game.
    """
    of_texts = [one for one in findings if one.kind == PARAPHRASED and one.by_two_players and one.bars]
    by_game = {one.game.pk: one for one in sorted(of_texts, key=lambda one: one.surely)}
    against = (
        Anchor.objects.shown()
        .filter(stance=Anchor.Stance.CONTRADICTS, field=Anchor.Field.QUOTATION, clause__reading__authority=PORTAL)
        .filter(clause__basis=Basis.STATED, evidence__game__in=by_game)
        .select_related("evidence__game", "clause")
        .order_by("start", "key")
    )
    ranked = sorted(against, key=lambda one: -by_game[one.evidence.game_id].surely)
    for game, anchors in groupby(ranked, key=lambda one: one.evidence.game_id):
        if pairs := _pairs(list(anchors)):
            anchor, rule, other, portal = min(pairs, key=lambda one: len(one[1]) + len(one[2]))
            finding = by_game[game]
            before, after = around(anchor.evidence.quotation, anchor.start, anchor.end)
            after = after if before else after.rstrip('"”')  # which closes the whole quotation
            sides = {address for _, address in finding.links}
            bars = tuple(bar for bar in finding.bars if bar.row.address in sides)
            differing = _differing(bars)
            return Example(anchor.evidence, before, anchor.exact, after, rule, portal, other, bars, finding, differing)
    return None


def _pairs(against: Sequence[Anchor]) -> list[tuple[Anchor, str, str, str]]:
    """(words of the book, the rule that was read from them, the other rule, the words of the paraphrase that state it)
    of words that speak against the paraphrase, where both state the same point of the rules. One query."""
    stating = Anchor.objects.shown().filter(stance=Anchor.Stance.SUPPORTS, clause__basis__in=SAID)
    stating = stating.filter(evidence__in={one.evidence_id for one in against}).order_by("position", "key")
    of_record: dict[tuple[int, str], list[Anchor]] = {}
    for one in stating.select_related("clause__reading"):
        of_record.setdefault((one.evidence_id, one.field), []).append(one)
    found = []
    for one in against:
        other = one.clause
        portal = [
            words for words in of_record.get((one.evidence_id, Anchor.Field.PARAPHRASE), ()) if words.clause == other
        ]
        book = [
            words.clause
            for words in of_record.get((one.evidence_id, one.field), ())
            if words.clause
            and other
            and words.clause.reading.authority not in (SUMMARY, PROGRAM)
            and words.clause.parameters == other.parameters
            and (words.start < one.end and words.end > one.start)
        ]
        if portal and book and other:
            found.append((one, book[0].rule, other.rule, shortened(portal[0].exact, LONGEST)))
    return found


def _differing(bars: Sequence[Bar]) -> int:
    """In how many rules the readings of some bars are not the same."""
    versions = newest_versions([bar.row.slug for bar in bars]).values()
    rules = [as_engine(version.ruleset).parameters for version in versions]
    return sum(any(other.get(key) != value for other in rules) for key, value in rules[0].items()) if rules else 0


def around(text: str, start: int, end: int) -> tuple[str, str]:
    """The text before and after some words in their sentence; where it is too long it is cut, with an ellipsis."""
    begun = max((match.end() for match in SENTENCE.finditer(text, 0, start)), default=0)
    ends = (len(match.group().rstrip()) + match.start() for match in SENTENCE.finditer(text, max(start, end - 3)))
    stop = next((place for place in ends if place >= end), len(text))
    before, after = text[begun:start], text[end:stop]
    if len(before) > LONGEST:
        before = f"… {before[-LONGEST:].partition(' ')[2]}"
    if len(after) > LONGEST:
        after = f"{after[:LONGEST].rpartition(' ')[0]} …"
    return before, after
