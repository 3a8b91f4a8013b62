"""One finding: what it says, how large it is, how sure, and where each of its figures stands."""

from dataclasses import dataclass

from catalogue.models import Game
from catalogue.outcomes.figure import Bar
from catalogue.texts import sureness
from catalogue.texts.formatting import capitalised
from simulator.statistics.intervals import Interval

MARGIN = 0.02  # two percentage points, as comparisons have it: what is surely beyond them is a finding
MARGIN_OF_WORDS = 0.05  # of what is sure and what is shown: less needs no sentence
PROVED, PARAPHRASED, COMPARED, STUDIED = "proved", "paraphrased", "compared", "studied"
JUDGED, IDLE = "judged", "idle"
WORDS = {
    PROVED: "Proved: what faultless play comes to, by every position or by a search that leaves no reply out.",
    PARAPHRASED: "Paraphrased: a quotation and today’s summary of it, each played as it is read.",
    COMPARED: "Compared: the same game after several readings, played by the same players; what thinks, by two kinds.",
    STUDIED: "Studied: the open questions of a game varied together, to see which answer matters.",
    JUDGED: "Judged: what a source says of how a game goes, tested.",
    IDLE: "Not told apart: an open question whose answers gave the same games, or are proved to.",
}
KINDS = tuple(WORDS)

Link = tuple[str, str]  # (text, address)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games that a finding rests on, by what a program counts it again from rows.

    ruleset:  the slug of the reading; of a study, the ruleset on which its answers are set
    answer:   to the question of a study, all cells of which that have it are counted; empty of a reading
    batch:    its id; empty of a study, whose cells have batches of their own
    players:  by name, seat by seat
    measure:  what is counted: `MEASURES`
    games:    among which it is counted, of each cell of a study
    interval: the share with its 95 % limits, by itself
    """

    ruleset: str
    answer: str
    batch: str
    players: str
    measure: str
    games: int
    interval: Interval


MEASURES = {
    "won_N": "won by the side of seat N, counted from 0, and no other",
    "won_N_decided": "the same, among the games that somebody won",
    "won": "won by a side",
    "shared": "won by several sides",
    "draw": "drawn; of first rounds, ended equal",
    "open": "endless, or stopped at the cap",
    "first_round_won_N": "of whole games: seat N owns more after the first round",
    "first_round_equal": "of whole games: the first round ended equal",
    "first_round_open": "of whole games: the first round did not end",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """headline: in a line; sentence: with figures and intervals

    size:      from 0 to 1, how far two shares of games lie apart, with its limits; None where nothing is measured so
    size_text: the same in words
    level:     who played, by name, empty where nobody in particular did; level_text: in words
    games:     of the side that has fewest, of a study all; None where it is proved; counted: what they are
    links:     of what it was made from; batches: their ids
    bars:      how its readings end, and `bars_of`, on what level
    few_kinds: of how many kinds its games are, in words
    plain:     the sentence in whole games of a hundred, as one says it; the figures stand beside it
    by_two_players: whether a second player of the level shows it too
    shares:    that it holds against each other, those of the second player behind; of a proof, of random players
    looked_at: of how many differences the largest was picked: the limits of its size hold for all of them at once
    study, question, claim: what it is of, by id and by key; empty else
    """

    kind: str
    game: Game
    headline: str
    sentence: str
    size: Interval | None
    size_text: str
    level: str
    level_text: str
    games: int | None
    links: tuple[Link, ...]
    batches: tuple[str, ...] = ()
    bars: tuple[Bar, ...] = ()
    bars_of: str = ""
    counted: str = "games"
    few_kinds: tuple[str, ...] = ()
    by_two_players: bool = False
    plain: str = ""
    shares: tuple[Share, ...] = ()
    looked_at: int = 1
    study: str = ""
    question: str = ""
    claim: str = ""

    @property
    def counted_games(self) -> str:
        """ "93 first rounds each · Parker: 2 different"."""
        counted = f"{self.games or 0:,} {self.counted}{' each' if self.kind in (COMPARED, PARAPHRASED) else ''}"
        return " · ".join([counted, *self.few_kinds])

    @property
    def sure(self) -> sureness.Sureness | None:
        """How sure it is, for its card; games nearly all alike are no finding. None where nothing is measured."""
        if self.kind == PROVED:
            return sureness.PROVED
        return sureness.sureness(self.games, are_alike=False) if self.games and self.size else None

    @property
    def said(self) -> str:
        """The headline where the game is named above it."""
        return capitalised(self.headline.removeprefix(f"{self.game.name}: "))

    @property
    def points(self) -> str:
        return f"{100 * self.size.value:.0f}" if self.size else ""

    @property
    def at_least(self) -> str:
        """The number by which findings are ranked, as a count of games."""
        return f"{100 * self.surely:.0f} of 100 games" if self.size else ""

    @property
    def how_sure(self) -> str:
        """Why what is sure is less than what the games show, in a sentence; empty where it is hardly less."""
        if not self.size or self.size.value - self.surely < MARGIN_OF_WORDS:
            return ""
        why = "chance, or the way of these players" if self.by_two_players else "chance"
        return f"Of this gap {self.at_least} are sure; the rest may be {why}."

    @property
    def surely(self) -> float:
        """The least that its size is, at 95 % confidence: by it findings are ranked."""
        return max(0.0, self.size.limits[0]) if self.size else 0.0
