"""One finding: what it says, how large it is, and where each of its figures stands."""

from dataclasses import dataclass

from catalogue.evidence.outcome_figure import Bar
from catalogue.models import Game
from catalogue.texts.formatting import capitalised

MARGIN = 0.02  # two percentage points, as comparisons have it: what is surely beyond them is a finding
PROVED, COMPARED, STUDIED = "proved", "compared", "studied"
WORDS = {
    PROVED: "Proved: what faultless play comes to, by every position or by a search that leaves no reply out.",
    COMPARED: "Compared: the same game after several readings, played by the same players.",
    STUDIED: "Studied: all open questions of a game varied together, to see which answer matters.",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """headline: in a line; sentence: with figures and intervals; level: who played

    size:  from 0 to 1, by which findings are ranked: how far two shares of games lie apart
    links: (text, address) of what it was made from
    bars:  how its readings end, and `bars_of`, on what level
    """

    kind: str
    game: Game
    headline: str
    sentence: str
    size: float
    size_text: str
    level: str
    links: tuple[tuple[str, str], ...]
    bars: tuple[Bar, ...] = ()
    bars_of: str = ""

    @property
    def said(self) -> str:
        """The headline where the game is named above it."""
        return capitalised(self.headline.removeprefix(f"{self.game.name}: "))

    @property
    def points(self) -> str:
        return f"{100 * self.size:.0f}"
