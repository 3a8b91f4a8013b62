"""Verdicts on tests of claims: from games to a figure, a verdict, and both in words.

Three things decide a test: the rows of its games; the solution of a ruleset, by which a first move is better than every
other, or faultless play lasts so long; or one game that is a witness, which is named and never believed: the referee
plays that game of random players up to the first turn after which the conditions surely hold, whatever follows. If they
never do, nothing is decided: another game may be a witness. Only commands and workers import this module, which brings
the statistics.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogue.analyses.claim_definitions import ClaimTest, Condition
from catalogue.analyses.claim_trials import VERDICTS_VERSION, RowsOf, SolutionOf, Trial, decided
from catalogue.models import Verdict
from simulator.batches.requests import BatchRequest
from simulator.engine.ends import UNFINISHED
from simulator.engine.family import Measure, family
from simulator.engine.naming import seat_name
from simulator.engine.referee_playout import Ply, plies
from simulator.engine.ruleset import Problem, Ruleset
from simulator.engine.session import SEPARATOR, Session, encode
from simulator.engine.tally import END, ended_label
from simulator.problems import WrongRequest
from simulator.statistics import bounded
from simulator.statistics.intervals import Interval
from simulator.statistics.rows import amount_text, change_text, decimals, percent_of, share_text

Rows = NDArray[np.int32]
NO_FIGURE = bounded.BoundedFigure(None, None, None, None, None, 0)
WINS = ("first_wins", "second_wins")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict on one test, the figure it rests on, and the figure in words. A proof has no figure."""

    kind: Verdict.Kind
    text: str
    figure: bounded.BoundedFigure = NO_FIGURE


class Games:
    """The games of a batch as far as a test looks at them: columns by name, and the bounds of each measure."""

    def __init__(self, rows: Rows, measures: Sequence[Measure], cap: int) -> None:
        """rows: int32[games, measures]"""
        self.cap = cap
        self.measures = {measure.name: measure for measure in measures}
        self.columns = {measure.name: rows[:, place] for place, measure in enumerate(measures)}
        self.count = len(rows)

    def bounds(self, name: str) -> bounded.Bounds:
        return bounded.bounds(self.measures[name], self.columns, self.cap)

    def fulfil(self, conditions: Iterable[Condition]) -> bounded.Holds:
        holds = bounded.always(self.count)
        for condition in conditions:
            holds &= self._holds(condition)
        return holds

    def _holds(self, one: Condition) -> bounded.Holds:
        left = self.bounds(one.measure)
        if one.measure == END and one.value == UNFINISHED:
            # That our cap stopped a game is known of every game.
            seen = self.columns[END].astype(np.int64)
            left = bounded.Bounds(seen, seen, left.defined, left.reached)
        right = self.bounds(one.value) if isinstance(one.value, str) else bounded.at(one.value)
        return bounded.compared(left, one.comparison, right)


def names_of_columns(test: ClaimTest, measures: Sequence[Measure]) -> list[str]:
    """The columns that a test looks at, in the order of the rows."""
    wanted = {END, test.measure}
    for one in (*test.of, *test.among):
        wanted |= {one.measure, str(one.value)}
    by_name = {measure.name: measure for measure in measures}
    parts = {bounded.part_of(by_name[name], by_name) for name in wanted & by_name.keys()}
    wanted |= {ended_label(part) for part in parts if part}
    return [measure.name for measure in measures if measure.name in wanted]


def judged(test: ClaimTest, games: Sequence[Games]) -> Judgement:
    """The verdict of a test on the games of its sides: one, or two of as many games for a difference."""
    first = games[0]
    if test.kind == "share":
        figure = bounded.bounded_share(first.fulfil(test.among), first.fulfil(test.of))
        text = _share_words(figure, first)
    elif test.kind == "mean":
        figure = bounded.bounded_mean(first.bounds(test.measure))
        text = _mean_words(figure, first.measures[test.measure], first)
    else:
        figure = bounded.bounded_difference(first.bounds(test.measure), games[1].bounds(test.measure))
        text = _difference_words(figure, first.measures[test.measure], first)
    met = test.demand.met(figure.low, figure.high)
    if figure.balance is not None and test.demand.met(*figure.balance) != met:
        met = None  # the games that were stopped could turn it
    return Judgement(_kind_of(met), text, figure)


def _kind_of(met: bool | None) -> Verdict.Kind:
    if met is None:
        return Verdict.Kind.UNDECIDED
    return Verdict.Kind.SUPPORTED if met else Verdict.Kind.NOT_SUPPORTED


def _share_words(figure: bounded.BoundedFigure, games: Games) -> str:
    open_ = figure.counts["open"] + figure.counts["outside"]
    if not figure.games and not open_:
        return f"None of the {games.count:,} games was of this kind, so there is nothing to judge by."
    if figure.value is not None and not open_:
        return f"{share_text(Interval(figure.value, figure.low, figure.high))} of {figure.games:,} games."
    stopped = (
        f"our cap of {games.cap:,} turns stopped {open_:,} of {games.count:,} games that could still go either way"
    )
    if figure.least is None or figure.most is None or figure.low is None or figure.high is None:
        return f"Not known: {stopped}."
    places = decimals(50 * (figure.high - figure.low), least=1)
    least, most, low, high = (f"{100 * one:.{places}f}" for one in (figure.least, figure.most, figure.low, figure.high))
    return f"{least} to {most} % ({low} to {high}): {stopped}."


def _mean_words(figure: bounded.BoundedFigure, measure: Measure, games: Games) -> str:
    if figure.least is None:
        return f"None of the {games.count:,} games tells."
    if figure.value is not None:
        mean = amount_text(Interval(figure.value, figure.low, figure.high), measure.unit)
        return f"{mean}, of {figure.games:,} games."
    share = percent_of(figure.counts["open"], games.count)
    high = None if figure.low is None else 2 * figure.least - figure.low
    least = amount_text(Interval(figure.least, figure.low, high), measure.unit)
    return f"At least {least}: our cap of {games.cap:,} turns stopped {share} of the games."


def _difference_words(figure: bounded.BoundedFigure, measure: Measure, games: Games) -> str:
    if figure.value is None:
        return f"None of the {games.count:,} pairs of games tells."
    kinds = ("more", "less", "same", "open", "stopped")
    pairs = sum(figure.counts[kind] for kind in kinds[:-1])
    more, less, same, open_, stopped = (percent_of(figure.counts[kind], pairs) for kind in kinds)
    mean = change_text(Interval(figure.value, figure.low, figure.high), measure.unit)
    words = f"{mean} on average. Of {pairs:,} pairs of games {more} have more under the first ruleset, {less} fewer"
    if not figure.counts["stopped"]:
        return f"{words}, {same} as many."
    cut = f"our cap of {games.cap:,} turns, up to which is counted, stopped a game in {stopped} of the pairs"
    return f"{words}, {same} as many, {open_} are open; {cut}."


def wrong_moves(test: ClaimTest, document: Mapping[str, Any]) -> list[str]:
    """The problems of a test that is held against this solution."""
    names = [move["name"] for move in document["first_moves"]]
    if not test.first_move or test.first_move in names:
        return []
    return [f"{test.first_move} is no first move of {test.rulesets[0]}: there are {', '.join(names)}"]


def judged_by_solution(test: ClaimTest, document: Mapping[str, Any]) -> Judgement:
    """The verdict of a test on the document of a solution."""
    if not test.first_move:
        return _judged_by_length(test, document["start"])
    others = [move for move in document["first_moves"] if move["name"] != test.first_move]
    if not others:
        return Judgement(Verdict.Kind.UNTESTABLE, "There is no other first move.")
    own = next(move for move in document["first_moves"] if move["name"] == test.first_move)
    if test.by == "chance":
        return _judged_by_chance(own, others)
    return _judged_by_value(own, others, document["start"]["mover"])


def _judged_by_length(test: ClaimTest, start: Mapping[str, Any]) -> Judgement:
    if start["value"] not in WINS:
        return Judgement(Verdict.Kind.SUPPORTED, "Neither side can force a win, so that the game need not end.")
    winner = seat_name(WINS.index(start["value"]))
    text = f"The {winner} wins, and the game then lasts {start['plies']} plies."
    return Judgement(_kind_of(start["plies"] >= test.demand.value), text)


Move = Mapping[str, Any]


def _judged_by_chance(own: Move, others: Sequence[Move]) -> Judgement:
    """Judge by the chance of winning of a mover who plays for it against random moves."""
    if any(move["against_random"] is None for move in (own, *others)):
        return Judgement(Verdict.Kind.UNTESTABLE, "The table is too large for chances.")
    best = max(others, key=lambda move: float(move["against_random"]))
    chance, other = (move["against_random"] for move in (own, best))
    wins = f"{own['name']} wins {100 * chance:.2f} % of games"
    return Judgement(_kind_of(chance > other), f"{wins}; the best of the others, {best['name']}, {100 * other:.2f} %.")


def _judged_by_value(own: Move, others: Sequence[Move], mover: int) -> Judgement:
    """Judge by value: better is a win before a draw before a loss, a quicker win, a later loss."""
    best = max(others, key=lambda move: _worth(move, mover))
    worth, most = _worth(own, mover), _worth(best, mover)
    if worth > most:
        rest = f"; the best of the others, {best['name']}, {_comes_to(best, mover)}."
    elif worth < most:
        rest = f", but {best['name']} {_comes_to(best, mover)}."
    elif (equal := sum(_worth(move, mover) == worth for move in others)) == len(others):
        rest = f", and so does every one of the other {equal}."
    else:
        rest = f", as the best of the others do: {equal} of {len(others)}."
    return Judgement(_kind_of(worth > most), f"{own['name']} {_comes_to(own, mover)}{rest}")


def _worth(move: Move, mover: int) -> tuple[int, int]:
    if move["value"] not in WINS:
        return 0, 0
    return (1, -move["plies"]) if move["value"] == WINS[mover] else (-1, move["plies"])


def _comes_to(move: Move, mover: int) -> str:
    if move["value"] not in WINS:
        return "comes to a draw"
    word = "wins" if move["value"] == WINS[mover] else "loses"
    return f"{word} within {move['plies']} plies"


class Witness(NamedTuple):
    """A game that was played again.

    turns: after which the conditions held, None if they never did; moves: up to there, as an address writes them
    """

    turns: int | None
    moves: str


def judged_by_witness(test: ClaimTest, ruleset: Ruleset) -> tuple[Judgement, str]:
    """The verdict of a test on its one game, and the moves of the game up to where the conditions hold."""
    found = replayed(test, ruleset)
    game = f"game {test.game:,} of seed {test.seed}"
    if found.turns is None:
        return Judgement(Verdict.Kind.UNDECIDED, f"It is not so in {game}: another may be a witness."), ""
    turns = "turn" if found.turns == 1 else "turns"
    text = f"It is so in {game}, after {found.turns:,} {turns}, as the referee has played it anew."
    return Judgement(Verdict.Kind.SUPPORTED, text, replace(NO_FIGURE, games=1)), found.moves


def replayed(test: ClaimTest, ruleset: Ruleset) -> Witness:
    """Play the game of a test until its conditions hold, whatever follows."""
    measures = family(ruleset.family).named_measures(ruleset.parameters)
    played: list[Ply] = []
    turns = 0
    for ply in plies(ruleset, test.seed, test.game):
        played.append(ply)
        turns += ply.played.turn_over
        if ply.played.turn_over or ply.played.position.end >= 0:
            cap = max(turns, 1)
            row = ruleset.module("referee.contract").row(iter(played), cap, test.until)
            if Games(np.array([row], dtype=np.int32), measures, cap).fulfil(test.of).surely[0]:
                return Witness(turns, _written(ruleset, test.seed, played))
        if turns >= test.cap or (test.until == "round" and getattr(ply.played, "rounds_ended", 0)):
            break
    return Witness(None, "")


def _written(ruleset: Ruleset, seed: int, played: Sequence[Ply]) -> str:
    session = Session(ruleset, seed)
    words = []
    for ply in played:
        words.append(encode(session, ply.move))
        session.play(ply.move)
    return SEPARATOR.join(words)


def verdict_of(trial: Trial, rows_of: RowsOf, solution_of: SolutionOf) -> dict[str, Any] | None:
    """The columns of a verdict on the trial; None if its ruleset was not solved."""
    if trial.requests:
        games = [_games(request, trial.test, rows_of) for request in trial.requests]
        return _fields(trial, judged(trial.test, games))
    if not trial.needs_a_solution:
        return _fields(trial, *judged_by_witness(trial.test, trial.ruleset))
    document = solution_of(trial.ruleset)
    if document is None:
        return None
    if wrong := wrong_moves(trial.test, document):
        raise WrongRequest(Problem(f"{trial.claim}, test {trial.number}", message) for message in wrong)
    return _fields(trial, judged_by_solution(trial.test, document))


def _fields(trial: Trial, found: Judgement, moves: str = "") -> dict[str, Any]:
    """Return the fields of a verdict; for a solution no game was played, for a witness one."""
    test, figure = trial.claim.tests[trial.number - 1], found.figure
    played: dict[str, Any] = {"players": "", "games": 0, "seed": 0, "cap": 0, "until": trial.test.until}
    if trial.requests:
        played = {name: getattr(trial.requests[0], name) for name in played}
        played["players"] = ",".join(trial.requests[0].players)
    elif not trial.needs_a_solution:
        played |= {"players": trial.test.players, "games": 1, "seed": trial.test.seed, "cap": trial.test.cap}
    return {
        "test": test,
        "verdict": str(found.kind if decided(trial.claim, test) else Verdict.Kind.UNDECIDED),
        "text": found.text,
        "figure": figure.value,
        **{name: getattr(figure, name) for name in ("least", "most", "low", "high")},
        "n": figure.games,
        "counts": dict(figure.counts),
        "batches": [request.id for request in trial.requests],
        **played,
        "moves": moves,
        "version": VERDICTS_VERSION,
    }


def _games(request: BatchRequest, test: ClaimTest, rows_of: RowsOf) -> Games:
    """The columns that the test looks at, of all games of the batch."""
    measures = family(request.ruleset.family).named_measures(request.ruleset.parameters)
    names = names_of_columns(test, measures)
    places = [place for place, measure in enumerate(measures) if measure.name in names]
    rows = np.concatenate([part[:, places] for part in rows_of(request)])
    return Games(rows, [measures[place] for place in places], request.cap)
