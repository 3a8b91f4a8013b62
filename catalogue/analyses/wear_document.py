"""Computing a wear study once its batches are done. Only workers and commands import this: it brings the statistics.

The document is `{version, record, board, of, orders, candidates, sides}`; `orders` are the observed ones, and `sides`
what each player shows: `{players, candidates, classes, without, stands}`.

- `candidates` of a side, in the order of those of the document: `{batch, digest, games, unfinished, wins, drawn,
  turns, shares, told, tau, by_lot, rejected, stands, stands_ended, lopsided}`. `shares` are of the moves along lines,
  or of the moves to points, by name of its own board, each `[value, low, high]`; `told` is one verdict for each order,
  with the difference; `by_lot` is corrected for the number of candidates; `stands_ended` leaves unfinished games out.
- `lopsided` of a candidate: `{is_lopsided, by_lot, place, share, even}`, what play prefers most among what the rules
  treat alike, with a chance that is corrected for the number of candidates so tested; null where the rules treat no two
  lines, or points, alike, or where nothing moved. Documents from before 28 November 2026 are without.
- `classes`: candidates of which the observations tell the same; `without`: for each order the candidates that would
  stand besides if it were left out.
- `candidates` of the document: `{name, also, hash, board, orbits}`; `orbits` are classes of lines, or points, that the
  rules and the start treat alike.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from catalogue.analyses.wear_plans import WEAR_VERSION, Place, WearRequest, candidate_set
from catalogue.models.observations import ObservedOrder, board_of, line_name
from simulator.batches.levels import second_line
from simulator.batches.requests import request_of_batch
from simulator.batches.traffic import has_figures_only, kept_of, layout_of, shares_of
from simulator.engine.boards.figures import board_of as board_of_rules
from simulator.engine.boards.points import Board
from simulator.engine.candidates import Candidate
from simulator.engine.channels import Layout
from simulator.engine.families.points.symmetry import symmetry
from simulator.engine.tally import Tally
from simulator.engine.traffic import Sums as TrafficSums
from simulator.models import Batch
from simulator.statistics.intervals import Interval
from simulator.statistics.summary import winner_counts
from simulator.statistics.wear import (
    CANNOT_TELL,
    ERRORS,
    LEVEL,
    Agreement,
    Lopsided,
    Order,
    Sums,
    Told,
    agreement,
    compared,
    holm,
    lopsided,
    share_intervals,
)

USED = {"lines": "lines", "points": "entered"}  # the kinds of use that wear lines, and points
NEAR = 1e-6  # of co-ordinates
DIGITS = 6


Traffic = Callable[[Batch], tuple[TrafficSums, Layout]]


def kept_or_replayed(batch: Batch) -> tuple[TrafficSums, Layout]:
    """Return the traffic of a batch, and what it is of; where an edition brought figures only, it is played again."""
    if not has_figures_only(batch):
        sums, layout, _ = kept_of(batch)
        return sums, layout
    from simulator.batches.playing import replay_digest  # brings the compiled engine

    layout = layout_of(batch)
    found = TrafficSums.none(layout.cells)
    replay_digest(request_of_batch(batch), lambda played: None, traffic=found)
    return found, layout


def document_of(request: WearRequest, batches: Sequence[Batch], traffic: Traffic = kept_or_replayed) -> dict[str, Any]:
    """Return the document. batches: in the order of the request's; traffic: where the sums of each are"""
    size = len(request.played)
    lines = [line for line in (request.players, second_line(request.players)) if line]
    parts = [batches[number * size : (number + 1) * size] for number in range(len(lines))]
    sides = [_side(request, line, part, traffic) for line, part in zip(lines, parts, strict=True)]
    return {
        "version": WEAR_VERSION,
        "record": request.record.identifier,
        "board": request.record.board,
        "of": request.of,
        "level": LEVEL,
        "orders": [
            {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(one).items()}
            for one in request.orders
        ],
        "candidates": [_candidate(one, request.of) for one in request.played],
        "sides": sides,
    }


def _candidate(one: Candidate, of: str) -> dict[str, Any]:
    found = symmetry(one.ruleset.parameters)
    if of == "lines":
        called = [line_name(found.board, *edge) for edge in found.board.edges]
        classes = found.lines
    else:
        called, classes = list(found.board.names), found.points
    orbits = [[called[thing] for thing in members] for members in classes]
    return {"name": one.name, "also": list(one.also), "hash": one.ruleset.hash, "board": one.board, "orbits": orbits}


def _side(request: WearRequest, players: str, batches: Sequence[Batch], traffic: Traffic) -> dict[str, Any]:
    maps = [_places(request, one) for one in request.played]
    rows, found, ended, uneven = [], [], [], []
    for candidate, batch, places in zip(request.played, batches, maps, strict=True):
        (sums, layout), used = traffic(batch), USED[request.of]
        every, finished = (shares_of(sums, layout, used, ended_only) for ended_only in (False, True))
        things = next(channel.things for channel in layout.channels if channel.key == used)
        found.append(_agreement(every, things, places, request.orders))
        ended.append(_agreement(finished, things, places, request.orders))
        uneven.append(_lopsided(candidate, every, request.of))
        rows.append({"batch": batch.id, "digest": batch.digest, **_ends(batch), "shares": _shares(every, things)})
    orders = [_order(one) for one in request.orders]
    of_all, of_ended = compared(found, orders), compared(ended, orders)
    for number, (row, one) in enumerate(zip(rows, found, strict=True)):
        row["told"] = [{"verdict": told.verdict, "difference": _interval(told.difference)} for told in one.told]
        row["tau"] = _interval(one.tau)
        row["by_lot"], row["rejected"] = _rounded(of_all.by_lot[number]), _rounded(one.rejected)
        row["stands"] = number in of_all.stands
        row["stands_ended"] = number in of_ended.stands
    _tell_lopsided(rows, uneven)
    return {
        "players": players,
        "played_by": batches[0].players,
        "candidates": rows,
        "stands": list(of_all.stands),
        "classes": [list(members) for members in of_all.alike],
        "without": [list(others) for others in of_all.without],
    }


def _lopsided(one: Candidate, sums: Sums, of: str) -> Lopsided | None:
    """Test whether play uses alike what the rules of a candidate treat alike; None where they tell everything apart."""
    found = symmetry(one.ruleset.parameters)
    orbits, group = (found.lines, found.line_group) if of == "lines" else (found.points, found.group)
    return lopsided(sums, orbits, group)


def _tell_lopsided(rows: Sequence[dict[str, Any]], found: Sequence[Lopsided | None]) -> None:
    """Write into the rows of candidates what was tested, corrected for the number of tests."""
    corrected = iter(holm([one.chance for one in found if one]))
    for row, one in zip(rows, found, strict=True):
        row["lopsided"] = None
        if one:
            place, by_lot = list(row["shares"])[one.thing], next(corrected)
            shares = {"share": _rounded(one.share), "even": _rounded(one.even)}
            row["lopsided"] = {"is_lopsided": by_lot <= LEVEL, "by_lot": _rounded(by_lot), "place": place, **shares}


def is_before_lopsided(document: Mapping[str, Any]) -> bool:
    """Return whether a document was computed before play was tested for lopsidedness."""
    return any("lopsided" not in row for side in document["sides"] for row in side["candidates"])


def without_lopsided(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document as it was computed before play was tested for lopsidedness."""
    for row in (row for side in document["sides"] for row in side["candidates"]):
        del row["lopsided"]
    return document


def _ends(batch: Batch) -> dict[str, Any]:
    tally = Tally.from_json(batch.tally or {})
    won, drawn, endless, unfinished = tally.ends()
    counts = {"games": tally.games, "won": won, "drawn": drawn, "unfinished": unfinished + endless}
    values = np.concatenate([np.repeat(*pair) for pair in tally.histograms["turns"].values()])
    return {**counts, "wins": winner_counts(tally, 2), "turns": float(np.median(values))}


def _shares(sums: Sums, things: Sequence[str]) -> dict[str, list[float]]:
    return {name: _interval(share) or [] for name, share in zip(things, share_intervals(sums), strict=True)}


def _agreement(
    sums: Sums, things: Sequence[str], places: Mapping[str, Sequence[str]], orders: Sequence[ObservedOrder]
) -> Agreement:
    """Hold play against those orders of which the candidate's board has both sides; of others it can tell nothing."""
    number = {name: place for place, name in enumerate(things)}
    found: list[Order | None] = []
    for one in orders:
        more, less = (
            tuple(dict.fromkeys(number[own] for name in names for own in places.get(name, ())))
            for names in (one.more, one.less)
        )
        found.append(replace(_order(one), more=more, less=less) if more and less else None)
    kept = [order for order in found if order is not None]
    nothing = Told(Interval(0.0, 0.0, 0.0), CANNOT_TELL)
    if not kept or not sums.games.sum():
        return Agreement(tuple(nothing for _ in orders), None, 1.0, 1.0)
    own = agreement(sums, kept)
    told = iter(own.told)
    return replace(own, told=tuple(nothing if order is None else next(told) for order in found))


def _order(one: ObservedOrder) -> Order:
    return Order((0,), (1,), ERRORS[one.certainty])


def _places(request: WearRequest, one: Candidate) -> dict[str, list[str]]:
    """Map each line and point of the record's board to what lies there on a candidate's board.

    A line is all pieces of line that lie on it, however many points divide it.
    """
    own = board_of_rules(one.ruleset.parameters)
    board = board_of(request.record)
    assert board is not None
    if request.candidates:
        known = candidate_set(request.candidates)
        here, there = known.frame_of(board), known.frame_of(own)
    else:
        here, there = _frame(board), _frame(own)
    found = {name: [other for other, at in there.items() if _near(at, place)] for name, place in here.items()}
    pieces = {line_name(own, a, b): (there[own.names[a]], there[own.names[b]]) for a, b in own.edges}
    for a, b in board.edges:
        ends = here[board.names[a]], here[board.names[b]]
        found[line_name(board, a, b)] = [
            piece for piece, both in pieces.items() if all(_lies_on(at, *ends) for at in both)
        ]
    return found


def _frame(board: Board) -> dict[str, Place]:
    return {point.name: (float(point.x), float(point.y)) for point in board.points}


def _near(one: Place, other: Place) -> bool:
    return abs(one[0] - other[0]) < NEAR and abs(one[1] - other[1]) < NEAR


def _lies_on(at: Place, first: Place, last: Place) -> bool:
    """Return whether a place lies on the straight way between two others, its ends included."""
    (x, y), (x1, y1), (x2, y2) = at, first, last
    aside = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
    along = (x2 - x1) * (x - x1) + (y2 - y1) * (y - y1)
    return abs(aside) < NEAR and -NEAR <= along <= (x2 - x1) ** 2 + (y2 - y1) ** 2 + NEAR


def _interval(found: Interval | None) -> list[float] | None:
    if found is None:
        return None
    low, high = found.limits
    return [_rounded(found.value), _rounded(low), _rounded(high)]


def _rounded(number: float) -> float:
    return round(float(number), DIGITS)
