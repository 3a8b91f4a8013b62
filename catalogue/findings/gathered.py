"""All findings, the largest first. The number of queries grows with the levels of play, never with the games."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from django.core.cache import cache
from django.db.models import Count, Max, OuterRef, Subquery

from catalogue.evidence.outcome_figure import PERFECT, USUAL, Bar, Level
from catalogue.findings.compared import compared
from catalogue.findings.finding import COMPARED, Finding
from catalogue.findings.over_levels import DifferenceOverLevels, over_levels
from catalogue.findings.played import ByGame, levels_played
from catalogue.findings.proved import proved
from catalogue.findings.sensitivity import sensitivity_finding
from catalogue.models import Game, SearchEdition, Study
from simulator.models import Batch, Solution

KEPT_SECONDS = 3_600


@dataclass(frozen=True, slots=True)
class Findings:
    """ranked: the largest first; alike: games whose readings came to the same on every level that was played.

    at_random: game → how its readings end when everybody plays at random
    by_strength: game → its readings over the levels of play, where at least two were played
    """

    ranked: tuple[Finding, ...]
    alike: tuple[Game, ...]
    at_random: ByGame
    by_strength: dict[int, tuple[DifferenceOverLevels, ...]]

    def of(self, kind: str) -> list[Finding]:
        return [one for one in self.ranked if one.kind == kind]

    def largest_of_each_kind(self, number: int, without: Finding | None) -> list[Finding]:
        """So many: the largest of each kind first, then the next ones; each of another game, and not this one."""
        kept = [one for one in self.ranked if without is None or one.game != without.game]
        kinds = dict.fromkeys(one.kind for one in kept)
        firsts = [next(one for one in kept if one.kind == kind) for kind in kinds]
        by_game = {one.game: one for one in reversed([*firsts, *kept])}
        return [one for one in dict.fromkeys([*firsts, *kept]) if by_game[one.game] is one][:number]


def findings() -> Findings:
    """Worked out once for each state of what they are made from: four queries say which it is."""
    batches = Batch.objects.filter(state=Batch.State.DONE).aggregate(number=Count("pk"), last=Max("closed"))
    solved = Solution.objects.filter(state=Solution.State.DONE).aggregate(number=Count("pk"), last=Max("created"))
    states = [*batches.values(), *solved.values()]
    study = Study.objects.aggregate(last=Max("created"))["last"]
    edition = SearchEdition.objects.values_list("number", flat=True).first()
    key = f"findings-3-{hashlib.sha256(repr((states, study, edition)).encode()).hexdigest()}"
    known: Findings | None = cache.get(key)
    if known is None:
        known = _worked_out()
        cache.set(key, known, KEPT_SECONDS)
    return known


def _worked_out() -> Findings:
    levels = levels_played()
    games = {game.pk: game for game in Game.objects.filter(is_reference=False)}
    found = [*_of_levels(levels, games), *_studies()]
    at_random = next((by_game for level, by_game in levels if level.key == USUAL), {})
    different = {one.game.pk for one in found if one.kind == COMPARED}
    alike = [games[pk] for pk, bars in at_random.items() if len(bars) > 1 and pk not in different and pk in games]
    return Findings(
        tuple(replace(one, bars=_lean(one.bars)) for one in sorted(found, key=lambda one: (-one.size, one.headline))),
        tuple(sorted(alike, key=lambda game: game.name)),
        {pk: _lean(bars) for pk, bars in at_random.items()},
        over_levels([(level, {pk: _lean(bars) for pk, bars in by_game.items()}) for level, by_game in levels]),
    )


def _lean(bars: Iterable[Bar]) -> tuple[Bar, ...]:
    """As they are shown, without the rows they were made from."""
    return tuple(replace(bar, batch=None, contender=replace(bar.contender, ruleset=None)) for bar in bars)


def _of_levels(levels: list[tuple[Level, ByGame]], games: dict[int, Game]) -> Iterator[Finding]:
    random = [bar for level, by_game in levels if level.key == USUAL for bars in by_game.values() for bar in bars]
    at_random = {bar.contender.slug: bar for bar in random}
    for level, by_game in levels:
        for pk, bars in by_game.items():
            if pk not in games:
                continue
            game = games[pk]
            found = proved(game, bars, level, at_random) if level.key == PERFECT else compared(game, bars, level)
            if found:
                yield found


def _studies() -> Iterator[Finding]:
    """Of the newest study of each game."""
    newest = Study.objects.filter(game=OuterRef("game")).order_by("-created", "id").values("pk")[:1]
    for study in Study.objects.filter(pk=Subquery(newest)).select_related("game").defer("plots"):
        if found := sensitivity_finding(study):
            yield found
