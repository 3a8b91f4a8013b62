"""The features of a position once more, in plain Python over the referees: what compiled evaluations are held against.

Written from the words in `simulator/engine/families/*/measures.py`, not from the code.
"""

from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product
from math import comb

from simulator.engine.boards import tracks as ways
from simulator.engine.boards.figures import board_of
from simulator.engine.families.points.referee.rows import every_row

Numbers = dict[str, int]


def sowing(rules, position, seat) -> Numbers:
    row = position.own_row(seat)
    unmarked = [position.holes[hole] for hole in row if position.marks[hole] == 0]
    store = position.stores[seat]
    found = {"owned": store + sum(position.holes[hole] for hole in row), "store": store}
    found |= {f"holes_of_{n}": sum(n == held or held > n == 7 for held in unmarked) for n in range(1, 8)}
    ways = {1: (1,), -1: (-1,), 0: (1, -1)}[position.direction]
    held = [position.holes[hole] for hole in row]
    ends = [held if way > 0 else held[::-1] for way in ways]
    found["to_store"] = sum(number == len(row) - place for line in ends for place, number in enumerate(line))
    return found | {"tempo": int(position.mover == seat)}


def points(rules, position, seat) -> Numbers:
    board = board_of(rules)
    side, opposite = (("first", "second"), ("second", "first"))[seat]
    men, kings, theirs = position.men[seat], position.kings[seat], position.pieces(1 - seat)
    vacant = set(range(len(board.points))) - {*chain(*position.men, *position.kings), *position.lifted}
    allowed = _allowed(rules[f"{side}_steps"], seat)

    rows = [row for row in rules["nearing"] if row.get("by", "both") in ("both", side)]
    distances = [board.distances(map(board.number, rules["regions"][row["of"]])) for row in rows]

    def beside(point, ways=allowed) -> list[int]:
        steps = (to for way, to in enumerate(board.towards[point]) if way in ways and to in vacant)
        return [to for to in steps if all(far[to] <= far[point] for far in distances)]

    with_ways = kings if rules["kings"] != "off" else ()  # the room of a leader is not counted
    room = [len(beside(man)) for man in men] + [len(beside(king, range(8))) for king in with_ways]
    reached, edge = set(), list(men)
    while edge:
        fresh = set(beside(edge.pop())) - reached
        reached |= fresh
        edge += fresh
    is_table = isinstance(rules["captures"], list)  # then captures beside are no feature in force
    word = "any" if is_table else rules["captures"]
    takes = set() if is_table else _allowed(word, seat)
    kings_take = set(range(16)) if word.startswith("forward") else _allowed(word.removesuffix("_not_back"), seat)
    jumps = 0
    for piece, way in product(men | kings, range(len(board.towards[0]))):
        over = board.towards[piece][way]
        if over in theirs and way in (kings_take if piece in kings else takes):
            jumps += board.landings[piece][way] in vacant
    own, rows = men | kings, every_row(rules, board)
    ranks = [point.y for point in board.points]
    from_own_side = [rank - min(ranks) if seat == 0 else max(ranks) - rank for rank in ranks]
    leaders = sum(row["side"] == side for row in rules["leader"])  # no men: they stand among the kings
    return {
        "men": len(men) + position.hands[seat] - (rules[f"{side}_pieces"] - leaders),
        "kings": len(kings),
        "room": sum(room),
        "shut_in": room.count(0),
        "reach": len(reached),
        "jumps_to_move": jumps if position.mover == seat else 0,
        "jumps_to_wait": jumps if position.mover != seat else 0,
        "rows": sum(own >= set(row) for row in rows),
        "open_twos": sum(len(own & set(row)) == len(row) - 1 and len(vacant & set(row)) == 1 for row in rows),
        "advance": sum(from_own_side[man] for man in men),
        "back_rank": len(men & {board.number(name) for name in rules[f"{opposite}_crowned_at"]}),
        "tempo": int(position.mover == seat),
        "places": 0,
    }


def _allowed(rule, seat) -> set[int]:
    """Directions of steps: 1 to 3 lead up the board, 5 to 7 down."""
    forward = ({1, 2, 3}, {5, 6, 7})[seat]
    words = {"any": set(range(16)), "forward": forward, "forward_and_sideways": forward | {0, 4}}
    words |= {"orthogonal": {0, 2, 4, 6}, "diagonal": {1, 3, 5, 7}}
    return (words | {"orthogonal_not_back": (forward | {0, 4}) & {0, 2, 4, 6}})[rule]


def race_of(ruleset, position, seat) -> Numbers:
    """risk: the chance of each distance is rounded to 256ths, and the sum down to whole steps."""
    rules = ruleset.parameters
    board = ways.board_of(rules)
    if rules["taking"]:  # pieces that are left, and nothing else
        last = board.steps + (max(rules["start_steps"]) if rules["wake_scores"] else 0)
        left = sum(step <= last for step in position.pieces[seat])
        return {**dict.fromkeys(("waiting", "home", "rear", "spread", "risk", "tempo"), 0), "steps": 5 * left}
    home = board.steps + (rules["goal"] == "beyond_last")
    steps, tracks, sides = position.pieces[seat], board.tracks[rules["seats"]], 2 if rules["teams"] != "off" else 4
    chances, risk = _chances(ruleset), 0
    marks = {row["mark"] for row in rules["marked"] if "safe" in row.get("does", [])}
    safe = {name for mark in marks for name in rules["board"]["marks"][mark]}
    for other in range(rules["seats"]):
        if other % sides == seat % sides:
            continue
        for step, theirs in product(steps, position.pieces[other]):
            if not 0 < step < home or theirs == 0:
                continue
            square = tracks[seat][step - 1]
            if (rules["safe_squares"] and board.squares[square].is_marked) or board.squares[square].name in safe:
                continue
            meets = [at for at in range(1, home) if tracks[other][at - 1] == square and at > theirs]
            risk += sum(step * chances.get(at - theirs, 0) for at in meets)
    return {
        "steps": sum(steps),
        "waiting": steps.count(0),
        "home": steps.count(home),
        "rear": min(steps),
        "spread": max(steps) - min(steps),
        "risk": risk >> 8,
        "tempo": int(position.mover == seat),
    }


@cache  # the throws of a ruleset are the same in every position
def _chances(ruleset) -> dict[int, int]:
    """Distance -> chance in 256ths that one throw brings a piece so far on."""
    found: dict[int, Fraction] = {}
    for distances, chance in _throws(ruleset.parameters):
        for distance in distances - {0}:
            found[distance] = found.get(distance, Fraction(0)) + chance
    return {distance: round(256 * chance) for distance, chance in found.items() if distance < 31}


def _throws(rules):
    """(how far one piece can go, chance) of every throw."""
    passes = rules["sends_back"] == "landing_or_passing"

    def all_up_to(distances) -> set[int]:
        return set(range(max(distances) + 1)) if passes else set(distances)

    if rules["lots"]:
        times = sum(row["times"] for row in rules["lots"])
        for row in rules["lots"]:
            moves = row.get("moves", [])
            most = 1 if row.get("choose") else len(moves)
            some = (chosen for count in range(most + 1) for chosen in combinations(moves, count))
            yield all_up_to({sum(chosen) for chosen in some}), Fraction(row["times"], times)
        return
    if rules["cowries"]:
        shells, (up, of) = rules["cowries"], rules["mouth_chance"]
        for mouths in range(shells + 1):
            lies = Fraction(up**mouths * (of - up) ** (shells - mouths), of**shells)
            named = 0 < rules["named_mouths"] == mouths
            marked = comb(shells - 1, mouths - 1) if mouths else 0  # ways in which the marked shell's mouth is up
            score = rules["scores"][mouths]
            extra = {1, score + 1} if score in rules["extra_scores"] else set()
            together = {score, score + 1} | {1} if extra else {score}
            if named:
                named_score = rules["named_score"] or score
                ones = set(range(1, named_score + 1)) if rules["named_ones"] else {named_score}
                yield all_up_to(ones), (comb(shells, mouths) - marked) * lies
                yield all_up_to(together), marked * lies
            else:
                yield all_up_to(together), comb(shells, mouths) * lies
        return
    weights = rules["face_weights"] or [1] * len(rules["die_faces"])
    faces = list(zip(rules["die_faces"], weights, strict=True))
    for thrown in product(faces, repeat=rules["dice"]):
        chance = Fraction(1)
        for _, weight in thrown:
            chance *= Fraction(weight, sum(weights))
        values = [face for face, _ in thrown]
        score = sum(values)
        if len(values) == 2 and sorted(values) == rules["named_faces"]:
            score = rules["named_score"] or score
        if rules["division"] == "free":
            yield set(range(1, score + 1)), chance
        elif rules["division"] == "each_die":
            yield all_up_to({*values, score}), chance
        else:
            yield all_up_to({score}), chance


def features(ruleset, position, seat) -> Numbers:
    """Every feature for one player."""
    if ruleset.family == "race":
        return race_of(ruleset, position, seat)
    counted = {"sowing": sowing, "points": points}[ruleset.family]
    return counted(ruleset.parameters, position, seat)
