"""What decides a test of a claim exactly, without games that might have gone otherwise.

The solution of a ruleset, by which a first move is better than every other, faultless play lasts so long, or a player
without fault beats one who draws lots. One game that is a witness, which is named and never believed: the referee plays
that game of random players up to the first turn after which the conditions surely hold, whatever follows; if they never
do, nothing is decided, since another game may be a witness. All first moves with all replies, or all throws, as the
referee plays them. And a rule that decides the sentence by itself, as long as the ruleset has it.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from catalogue.analyses import claim_definitions
from catalogue.analyses.claim_definitions import ClaimTest
from catalogue.analyses.claim_games import NO_FIGURE, Games, Judgement, kind_of
from catalogue.models import Verdict
from simulator.engine.family import family
from simulator.engine.naming import seat_name
from simulator.engine.referee_playout import Ply, plies
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import SEPARATOR, Session, encode

WINS = ("first_wins", "second_wins")
Document = Mapping[str, Any]
MOST_SQUARES = 24  # how far from the end of the way it is looked at where a statement about throws ends


def fits(test: ClaimTest, document: Document) -> bool:
    """Return whether a solution decides the test: a first move needs every position looked at, a length a proof."""
    if test.chooses:
        return bool(document.get("chances"))
    start, is_complete = document["start"], document["method"] == "retrograde"
    return is_complete or (not test.first_move and start["value"] in WINS and start["plies"] is not None)


def wrong_moves(test: ClaimTest, document: Mapping[str, Any]) -> list[str]:
    """The problems of a test that is held against this solution."""
    names = [move["name"] for move in document["first_moves"]]
    if not test.first_move or test.first_move in names:
        return []
    return [f"{test.first_move} is no first move of {test.rulesets[0]}: there are {', '.join(names)}"]


def judged_by_solution(test: ClaimTest, document: Mapping[str, Any]) -> Judgement:
    """The verdict of a test on the document of a solution."""
    if test.chooses:
        return _judged_by_choice(test, document["chances"])
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
    return Judgement(kind_of(start["plies"] >= test.demand.value), text)


def _judged_by_choice(test: ClaimTest, chances: Sequence[Mapping[str, Any]]) -> Judgement:
    """Judge by the chances of a player without fault against one who moves at random, in either seat."""
    by_players = {(one["first"], one["second"]): one for one in chances}
    first, second = by_players["best", "random"], by_players["random", "best"]
    met = [
        test.demand.met(first["lower"], first["upper"]),
        test.demand.met(1 - second["upper"], 1 - second["lower"]),
    ]
    wins = 100 * first["lower"], 100 * (1 - second["upper"])
    text = f"He wins {wins[0]:.2f} % of games if he begins, and {wins[1]:.2f} % if the other does."
    return Judgement(kind_of(met[0] if met[0] == met[1] else None), text)


Move = Mapping[str, Any]


def _judged_by_chance(own: Move, others: Sequence[Move]) -> Judgement:
    """Judge by the chance of winning of a mover who plays for it against random moves."""
    if any(move["against_random"] is None for move in (own, *others)):
        return Judgement(Verdict.Kind.UNTESTABLE, "The table is too large for chances.")
    best = max(others, key=lambda move: float(move["against_random"]))
    chance, other = (move["against_random"] for move in (own, best))
    wins = f"{own['name']} wins {100 * chance:.2f} % of games"
    return Judgement(kind_of(chance > other), f"{wins}; the best of the others, {best['name']}, {100 * other:.2f} %.")


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
    return Judgement(kind_of(worth > most), f"{own['name']} {_comes_to(own, mover)}{rest}")


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
    """Play the game of a test until its conditions hold, whatever follows.

    What surely holds goes on to hold, so that it is looked at after 1, 2, 4, 8 … turns, and the turn is then found
    between two of these.
    """
    played: list[Ply] = []
    ends: list[int] = []  # how many plies there had been when each turn was over
    checked = 0
    for ply in plies(ruleset, test.seed, test.game):
        played.append(ply)
        if ply.played.turn_over or ply.played.position.end >= 0:
            ends.append(len(played))
            is_last = (
                ply.played.position.end >= 0
                or len(ends) >= test.cap
                or (test.until == "round" and getattr(ply.played, "rounds_ended", 0))
            )
            if is_last or len(ends) >= 2 * checked:
                if _holds_after(test, ruleset, played, ends, len(ends)):
                    turns = bisect_left(
                        range(len(ends)), 1, checked, key=lambda n: _holds_after(test, ruleset, played, ends, n + 1)
                    )
                    return Witness(turns + 1, _written(ruleset, test.seed, played[: ends[turns]]))
                checked = len(ends)
            if is_last:
                break
    return Witness(None, "")


def _holds_after(test: ClaimTest, ruleset: Ruleset, played: Sequence[Ply], ends: Sequence[int], turns: int) -> bool:
    upto = played[: ends[turns - 1]]
    return _fulfils(test, ruleset, upto, sum(ply.played.turn_over for ply in upto))


def _written(ruleset: Ruleset, seed: int, played: Sequence[Ply]) -> str:
    session = Session(ruleset, seed)
    words = []
    for ply in played:
        words.append(encode(session, ply.move))
        session.play(ply.move)
    return SEPARATOR.join(words)


def judged_by_first_moves(test: ClaimTest, ruleset: Ruleset) -> tuple[Judgement, str]:
    """The verdict of a test on every first turn that the rules allow, with every reply, as the referee plays them."""
    fulfilled: dict[str, str] = {}
    for turn, moves in _turns(ruleset, []):
        replies = (name for name, reply in _turns(ruleset, moves) if _is_so(test, ruleset, reply))
        fulfilled[turn] = next(replies, "")
    lacking = [turn for turn, reply in fulfilled.items() if not reply]
    shown = ", ".join(f"{turn} ({reply})" for turn, reply in fulfilled.items() if reply)
    number = f"After {len(fulfilled) - len(lacking)} of {len(fulfilled)} first moves"
    text = f"{number}: {shown}." if shown else f"{number}."
    if lacking:
        text = f"{text} Not after {', '.join(lacking)}."
    return Judgement(kind_of(not lacking), text), ""


def _turns(ruleset: Ruleset, moves: list[int]) -> Iterator[tuple[str, list[int]]]:
    """Yield each turn that can follow these moves: its name, and all moves up to its end."""
    waiting = [("", moves)]
    while waiting:
        name, played = waiting.pop(0)
        session = Session(ruleset, 0)
        for move in played:
            session.play(move)
        for move in session.options:
            longer, so_far = [*played, move], " ".join(filter(None, (name, session.name_of(move))))
            *_, last = plies(ruleset, 0, 0, moves=longer)
            if last.played.turn_over or last.played.position.end >= 0:
                yield so_far, longer
            else:
                waiting.append((so_far, longer))


def _is_so(test: ClaimTest, ruleset: Ruleset, moves: Sequence[int]) -> bool:
    played = list(plies(ruleset, 0, 0, moves=moves))
    return _fulfils(test, ruleset, played, sum(ply.played.turn_over for ply in played))


def _fulfils(test: ClaimTest, ruleset: Ruleset, played: Sequence[Ply], turns: int) -> bool:
    """Return whether the conditions surely hold after so many turns, whatever follows."""
    measures = family(ruleset.family).named_measures(ruleset.parameters)
    cap = max(turns, 1)
    row = ruleset.module("referee.contract").row(iter(played), cap, test.until)
    return bool(Games(np.array([row], dtype=np.int32), measures, cap).fulfil(test.of).surely[0])


def judged_by_throws(test: ClaimTest, ruleset: Ruleset) -> tuple[Judgement, str]:
    """The verdict of a test on all throws, from each distance at which both pieces stand and one stands alone."""
    leaving = ruleset.module("chances").leaving
    found: list[tuple[Fraction, Fraction]] = []
    for squares in range(1, MOST_SQUARES + 1):
        found.append((leaving(ruleset.parameters, [squares]), leaving(ruleset.parameters, [squares] * 2)))
        if squares >= test.up_to and found[-1][1] < found[-1][0]:
            break
    holds = [both >= alone for alone, both in found]
    of = max(chance.denominator for pair in found for chance in pair)
    listed = "; ".join(
        f"{squares}: {float(alone * of):g} and {float(both * of):g}"
        for squares, (alone, both) in enumerate(found, start=1)
    )
    until = next((squares for squares, is_so in enumerate(holds) if not is_so), MOST_SQUARES)
    text = f"Squares from the end, and of {of} throws those that take a single one home and both: {listed}. "
    text += f"It is so up to {until}." if until else "It is not so even from the last square."
    return Judgement(kind_of(all(holds[: test.up_to])), text), ""


def judged_by_rule(test: ClaimTest, ruleset: Ruleset) -> tuple[Judgement, str]:
    """The verdict of a test on what one rule says; none if the ruleset has another one."""
    if ruleset.parameters[test.parameter] != test.value:
        return Judgement(Verdict.Kind.UNDECIDED, "The ruleset has another rule, so that this decides nothing."), ""
    return Judgement(kind_of(bool(test.demand.value)), "By rule: no game is needed."), ""


EXACTLY: Mapping[str, Callable[[ClaimTest, Ruleset], tuple[Judgement, str]]] = {
    claim_definitions.WITNESS: judged_by_witness,
    claim_definitions.FIRST_MOVES: judged_by_first_moves,
    claim_definitions.THROWS: judged_by_throws,
    claim_definitions.RULE: judged_by_rule,
}
