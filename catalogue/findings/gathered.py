"""All findings, the largest first. The number of queries does not grow with the games."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import compress
from operator import not_

from django.core.cache import cache
from django.db.models import Count, Max
from django.urls import get_script_prefix

from catalogue.findings.compared import compared, paraphrased
from catalogue.findings.finding import COMPARED, PARAPHRASED, PROVED, STUDIED, Finding, Link
from catalogue.findings.idle import idle_questions
from catalogue.findings.judged import judged_findings
from catalogue.findings.over_levels import DifferenceOverLevels, over_levels
from catalogue.findings.played import ByGame, levels_played
from catalogue.findings.proved import proved
from catalogue.findings.sensitivity import asking_for_sides, level_of, sensitivity_finding
from catalogue.models import Anchor, ComparedBatch, Comparison, Evidence, Game, Reading, SearchEdition, Study
from catalogue.outcomes.figure import PERFECT, USUAL, Bar, FigureLevel, FigureRow, bars_by_role
from catalogue.outcomes.played import first_shown
from catalogue.sensitivity.offers import offers_for
from simulator.batches.levels import rank
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.players.names import PLAYERS_VERSION
from simulator.models import Batch, Solution

KEPT_SECONDS = 3_600

Shown = tuple[FigureLevel, tuple[Bar, ...]]


@dataclass(frozen=True, slots=True)
class Findings:
    """ranked: those with a size, of the players that are shown first of their game, what is surely largest first
    others: the same of weaker players, of stronger ones who played few games, and of those of no level
    alike:  games of which no end is shown to be oftener under one reading than under another, on any level

    first_shown: game → how its readings end on the level that is shown of them first
    by_strength: game → its readings over the levels of play, where at least two were played
    """

    ranked: tuple[Finding, ...]
    others: tuple[Finding, ...]
    alike: tuple[Game, ...]
    first_shown: dict[int, Shown]
    by_strength: dict[int, tuple[DifferenceOverLevels, ...]]

    def of(self, kind: str) -> list[Finding]:
        return [one for one in (*self.ranked, *self.others) if one.kind == kind]

    def bars_of(self, game: Game) -> tuple[Bar, ...]:
        """How its readings end, on the level that is shown first."""
        return self.first_shown[game.pk][1] if game.pk in self.first_shown else ()

    def largest_of_each_kind(self, number: int, without: Finding | None) -> list[Finding]:
        """So many: the largest of each kind first, then the next ones; each of another game, and not this one."""
        kept = [one for one in self.ranked if without is None or one.game != without.game]
        kinds = dict.fromkeys(one.kind for one in kept)
        firsts = [next(one for one in kept if one.kind == kind) for kind in kinds]
        by_game = {one.game: one for one in reversed([*firsts, *kept])}
        return [one for one in dict.fromkeys([*firsts, *kept]) if by_game[one.game] is one][:number]


def findings() -> Findings:
    """Worked out once for each state of what they are made from: five queries say which it is."""
    batches = Batch.objects.filter(state=Batch.State.DONE).aggregate(number=Count("pk"), last=Max("closed"))
    solved = Solution.objects.filter(state=Solution.State.DONE).aggregate(number=Count("pk"), last=Max("created"))
    states = [*batches.values(), *solved.values()]
    study = Study.objects.aggregate(last=Max("created"))["last"]
    comparison = Comparison.objects.aggregate(last=Max("closed"))["last"]
    edition = SearchEdition.objects.values_list("number", flat=True).first()
    # What was found of earlier rules or players is told no more.
    versions = [PLAYERS_VERSION, *(family(name).rules_version for name in FAMILY_NAMES)]
    key = f"findings-11-{hashlib.sha256(repr((states, study, comparison, edition, versions)).encode()).hexdigest()}"
    known: Findings | None = cache.get(key)
    if known is None:
        known = _worked_out()
        cache.set(key, known, KEPT_SECONDS)
    return known


def every_finding() -> list[Finding]:
    """Those with a size, of the players that are shown first, then what was judged and what is idle."""
    found = findings()
    return [*found.ranked, *found.others, *judged_findings(), *_linked([*idle_questions()])]


def _worked_out() -> Findings:
    levels = levels_played()
    games = Game.objects.in_bulk()
    newest = _newest_studies()
    found = _linked([*_of_levels(levels, games), *_studies(newest)])
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
            pk: tuple(replace(one, first=_plain(one.first), second=_plain(one.second)) for one in differences)
            for pk, differences in over_levels(levels).items()
        },
    )


def _first_shown(levels: Sequence[tuple[FigureLevel, ByGame]]) -> dict[int, Shown]:
    """Of each game the bars of the level that its pages begin with."""
    found = {}
    for pk in dict.fromkeys(pk for _, by_game in levels for pk in by_game):
        bars = [(level.key, bar) for level, by_game in levels for bar in by_game.get(pk, ())]
        key = first_shown((level, bar.batch.games) for level, bar in bars if bar.batch)
        for level, by_game in levels:
            if level.key == key:
                found[pk] = (level, _lean(by_game[pk]))
    return found


def _is_of_others(one: Finding, shown: Mapping[int, str]) -> bool:
    """Whether it is of other players than those that are shown first of its game; shown: game → level"""
    return one.kind != PROVED and one.level != shown.get(one.game.pk, "")


def _linked(found: list[Finding]) -> list[Finding]:
    """With the records whose words they are of, and the comparison of their games, where it is kept."""
    records: dict[int, list[str]] = {}
    for game, identifier in Evidence.objects.shown().order_by("pk").values_list("game", "identifier"):
        records.setdefault(game, []).append(identifier)
    comparisons: dict[str, set[str]] = {}
    kept = ComparedBatch.objects.filter(batch__in={batch for one in found for batch in one.batches})
    rows = kept.filter(comparison__state=Comparison.State.DONE).order_by("comparison__created", "comparison")
    for comparison, batch in rows.values_list("comparison", "batch"):
        comparisons.setdefault(comparison, set()).add(batch)
    return [
        replace(
            one,
            bars=_lean(one.bars),
            links=(*one.links, *_comparison(one, comparisons), *_records(records.get(one.game.pk, []))),
        )
        for one in found
    ]


def _comparison(one: Finding, comparisons: Mapping[str, Set[str]]) -> list[Link]:
    """The newest that holds its games."""
    if one.kind not in (COMPARED, PARAPHRASED):
        return []
    found = [key for key, batches in comparisons.items() if batches >= set(one.batches)]
    return [("The comparison", f"{get_script_prefix()}comparisons/{key}/") for key in found[-1:]]


def _records(identifiers: list[str]) -> list[Link]:
    return [("The words", f"{get_script_prefix()}evidence/{one}/") for one in identifiers[:1]]


def _lean(bars: Iterable[Bar]) -> tuple[Bar, ...]:
    """As they are shown, without the rows they were made from."""
    shown = bars_by_role(tuple(bars))
    return tuple(replace(bar, batch=None, row=_plain(bar.row)) for bar in shown)


def _plain(row: FigureRow) -> FigureRow:
    return replace(row, ruleset=None)


def _of_levels(levels: list[tuple[FigureLevel, ByGame]], games: dict[int, Game]) -> Iterator[Finding]:
    random = [bar for level, by_game in levels if level.key == USUAL for bars in by_game.values() for bar in bars]
    at_random = {bar.row.slug: bar for bar in random}
    texts = dict(Reading.objects.filter(kind=Reading.Kind.INTERPRETATION).values_list("slug", "authority"))
    for level, by_game in levels:
        for pk, bars in by_game.items():
            if level.key == PERFECT:
                found = [proved(games[pk], bars, level, at_random)]
            else:
                found = _of_readings(games[pk], bars, level, texts)
            yield from filter(None, found)


def _of_readings(game: Game, bars: Sequence[Bar], level: FigureLevel, texts: dict[str, str]) -> list[Finding | None]:
    """What lies farthest apart, and how far the two texts of a record do where these are not the same."""
    of_all, of_texts = compared(game, bars, level), paraphrased(game, bars, level, texts)
    return [of_texts] if of_all and of_texts and of_all.sentence == of_texts.sentence else [of_all, of_texts]


def _newest_studies() -> dict[tuple[int, str], str]:
    """(game, players) → its study."""
    rows = Study.objects.order_by("created", "-id").values_list("pk", "game", "summary")
    return {(game, summary["players"]): pk for pk, game, summary in rows}


def _studies(newest: Mapping[tuple[int, str], str]) -> Iterator[Finding]:
    """newest: of each game by each players"""
    words = {
        (one.answer.question.game.slug, one.answer.question.slug, one.answer.slug): one
        for one in Anchor.objects.with_records()
        .filter(answer__question__game__in={game for game, _ in newest}, stance=Anchor.Stance.SUPPORTS)
        .select_related("answer__question__game")
        .order_by("-position", "-key")
        if one.answer
    }
    for_sides = asking_for_sides(offers_for(Game.objects.filter(pk__in={game for game, _ in newest})))
    for study in Study.objects.filter(pk__in=newest.values()).select_related("game").defer("plots").order_by("id"):
        if found := sensitivity_finding(study, words, for_sides):
            yield found
