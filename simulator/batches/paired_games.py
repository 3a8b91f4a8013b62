"""Games played again with the same throws and other choices, for the luck share. It brings the compiled engine."""

from simulator.batches.rows import Rows
from simulator.engine.ends import END_NAMES
from simulator.engine.family import family
from simulator.engine.playout import play_block
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch
from simulator.statistics.sections import Pairs, paired_outcomes

MOST_PAIRS = 2_000


def paired_games_outcomes(batch: Batch, ruleset: Ruleset) -> Pairs | None:
    """How the first games of a batch ended, against the same throws with the choices of the next seed.

    None for games without throws, and for players who think: what they choose is no accident.
    """
    players = tuple(batch.players.split(","))
    if not family(ruleset.family).throws or set(players) != {"random"}:
        return None
    games = min(batch.games, MOST_PAIRS)
    first, second = (
        play_block(ruleset, players, batch.seed, 0, games, batch.cap, batch.until, choice_seed)
        for choice_seed in (batch.seed, batch.seed + 1)
    )
    return paired_outcomes(_outcomes(first, ruleset), _outcomes(second, ruleset))


def _outcomes(rows: Rows, ruleset: Ruleset) -> Rows:
    """A code per game for its kind of end and its winners."""
    names = [measure.name for measure in family(ruleset.family).measures]
    ends, winners = rows[:, names.index("end")], rows[:, names.index("winners")]
    codes: Rows = winners * len(END_NAMES) + ends
    return codes
