"""The board of a ruleset before the first move, as every page shows it: the family's drawing, the sides, the words.

A drawing follows from its content, so it is kept under its hash for as long as the process lives.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape

from django.utils.safestring import SafeString, mark_safe

from catalogue.models import Game, Reading
from catalogue.models.querysets import newest_versions
from simulator.engine.board_sheet import words
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset as EngineRuleset
from simulator.models import Ruleset
from simulator.rulesets import as_engine

MOST_KEPT = 512  # drawings: a few kilobytes each, and more than the shipped rulesets
DARK = "svg { color: #ebe5d9; background: #211e1a; color-scheme: dark }"
STYLE = f"<style>@media (prefers-color-scheme: dark) {{ {DARK} }}</style>"


@dataclass(frozen=True, slots=True)
class StartBoard:
    """svg: for a page; name: of the board, in words; standing: who stands where; sides: what the seats are called."""

    svg: SafeString
    name: str
    standing: str
    sides: tuple[str, ...]

    @property
    def against(self) -> str:
        """ "hunter (first player) against herd (second player)"; more than two are only listed."""
        return (" against " if len(self.sides) == 2 else ", ").join(self.sides)

    @property
    def document(self) -> str:
        """The drawing as a file of its own, which follows the reader's choice of light or dark by itself."""
        return str(self.svg).replace("</desc>", f"</desc>{STYLE}", 1)


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game with the board of its first reading, if it has one."""

    game: Game
    board: StartBoard | None


_kept: dict[str, StartBoard] = {}


def start_board(ruleset: EngineRuleset | Ruleset) -> StartBoard:
    """The board of a ruleset, whether it is a row or its content."""
    found = _kept.get(ruleset.hash)
    if found is None:
        found = _drawn(as_engine(ruleset) if isinstance(ruleset, Ruleset) else ruleset)
        if len(_kept) < MOST_KEPT:
            _kept[ruleset.hash] = found
    return found


def _drawn(ruleset: EngineRuleset) -> StartBoard:
    kind = family(ruleset.family)
    svg = kind.draw_start(ruleset)
    name, _, standing = unescape(words(svg)[1]).partition(". ")
    naming = kind.naming(ruleset.parameters)
    sides = tuple(naming.seat(seat) for seat in range(kind.seats(ruleset.parameters)))
    return StartBoard(mark_safe(svg), name, standing, sides)


def game_cards(games: Iterable[Game]) -> list[GameCard]:
    """Each game with the board of its first reading. Two queries, however many games."""
    rows = list(games)
    first: dict[int, str] = {}
    readings = Reading.objects.filter(game__in=rows).order_by("position", "slug").values_list("game", "slug")
    for game, slug in readings:
        first.setdefault(game, slug)
    versions = newest_versions(first.values()) if first else {}
    boards = {game: start_board(versions[slug].ruleset) for game, slug in first.items() if slug in versions}
    return [GameCard(game, boards.get(game.pk)) for game in rows]
