"""The moves of a position, and why there may be none.

The order of moves is part of the contract: parts in ascending order of their kinds, for each the mover's pieces in
ascending order of their steps (pieces that stand together are one option) and one piece of a pair entering alone; then
the sum of a series, by each piece and by one of a pair, two pieces leaving the bar together, and declining. If no piece
can play anything of the throw, the one move is to pass; `hindrances` says what keeps each piece, and the parameters
that say so.
"""

from collections.abc import Iterator

from simulator.engine.families.race import position as code
from simulator.engine.families.race.position import Hindrance, Obstacle, Part, Position, Rules
from simulator.engine.families.race.referee.throws import EXTRA, JOINED, NAMED, ONE, THROW, PartKind, kinds, number_of
from simulator.engine.families.race.referee.way import course, goes_over, may_go, may_leave_together, steps, what_keeps


def moves(rules: Rules, position: Position) -> list[int]:
    """Return every legal move of a running game."""
    found = list(plays(rules, position))
    if not found:
        return [code.PASS]
    if rules["plays_most"] and 1 < sum(position.hand) <= code.MOST_AHEAD:
        most = _playable(rules, position)
        found = [move for move in found if 1 + _playable(rules, _moved(rules, position, move)) == most]
    return [*found, code.DECLINE] if rules["may_decline"] else found


def plays(rules: Rules, position: Position) -> Iterator[int]:
    """Yield the ways to play some of what was thrown."""
    if rules["division"] == "free":
        yield from _divisions(rules, position)
        return
    table = kinds(rules)
    for number, kind in enumerate(table):
        if position.hand[number]:
            yield from _plays_of_part(rules, position, number, kind)
    yield from _totals(rules, position, table)
    if may_leave_together(rules, position):
        yield code.TOGETHER


def _playable(rules: Rules, position: Position) -> int:
    """Return how many parts of the throw can be played one after the other, if they are played as well as can be."""
    best, parts = 0, sum(position.hand)
    for move in plays(rules, position) if parts else ():
        best = max(best, 1 + _playable(rules, _moved(rules, position, move)))
        if best == parts:
            break
    return best


def _moved(rules: Rules, position: Position, move: int) -> Position:
    """Return the position with a piece moved by a part, and nothing else: what it sends back stands in nobody's way."""
    number, step = divmod(move, code.STRIDE)
    value, after = kinds(rules)[number].value, position.copy()
    distance = value if step else entry_distance(rules, value)
    after.shift(position.mover, step, course(rules).after(step, distance))
    after.hand[number] -= 1
    return after


def _plays_of_part(rules: Rules, position: Position, number: int, kind: PartKind) -> Iterator[int]:
    for step in steps(position):
        if _may_play(rules, position, kind, step):
            yield number * code.STRIDE + step
    if _has_pair(rules, position) and _may_play(rules, position, kind, 0):
        yield code.ALONE_OF + number * code.STRIDE
    if kind.label != JOINED:
        return
    rest = kinds(rules)[number_of(rules, kind.value - 1, THROW)]
    for start, share in ((code.EXTRA_OF, PartKind(1, EXTRA)), (code.REST_OF, rest)):
        for step in steps(position):
            if _may_play(rules, position, share, step):
                yield start + number * code.STRIDE + step


def _has_pair(rules: Rules, position: Position) -> bool:
    """Return whether the mover may enter one of two pieces that were sent back together."""
    return rules["pairs_apart"] and position.pairs[position.mover] > 0


def _may_play(rules: Rules, position: Position, kind: PartKind, step: int) -> bool:
    if step == 0:
        return _may_enter(rules, position, kind) and may_go(rules, position, 0, entry_distance(rules, kind.value))
    if kind.label == EXTRA and position.waiting(position.mover) and _may_enter(rules, position, kind):
        return False
    if rules["series_played"] == "total" and kind.label in (THROW, NAMED, JOINED):
        return False
    by_one = kind.label == ONE
    return may_go(rules, position, step, kind.value, by_one) or (by_one and goes_over(rules, position, step))


def _may_enter(rules: Rules, position: Position, kind: PartKind) -> bool:
    """Return whether a waiting piece enters by such a part."""
    if rules["series_played"] == "total" and not _enters_alone(rules, kind):
        return False
    return admits(rules, position, kind)


def _enters_alone(rules: Rules, kind: PartKind) -> bool:
    """Return whether a piece enters by this throw apart from the sum as which a series is played."""
    return kind.label in (ONE, EXTRA) or (rules["entry"] == "by_score" and rules["entry_spends"] == "whole_throw")


def awaits_first(rules: Rules, position: Position) -> bool:
    """Return whether the mover's first piece of the game is still to enter, which takes scores of its own."""
    return bool(rules["first_enter_scores"]) and not position.entered >> position.mover & 1


def admits(rules: Rules, position: Position, kind: PartKind) -> bool:
    """Return whether a waiting piece of the mover enters by such a part."""
    if rules["entry"] == "by_score":
        if awaits_first(rules, position):
            return kind.label == THROW and kind.value in rules["first_enter_scores"]
        return kind.enters
    return rules["entry"] == "walks_on" or kind.label == EXTRA


def entry_distance(rules: Rules, value: int) -> int:
    """Return how far a piece comes that enters by a part of that value."""
    goes_on = rules["entry"] == "walks_on" or (rules["entry"] == "by_score" and rules["entry_spends"] == "its_score")
    return value if goes_on else 1


def series_sum(rules: Rules, position: Position) -> tuple[int, int]:
    """Return (how many, their sum) of the throws in hand that can be added up: no ones, no extra points."""
    number = total = 0
    for count, kind in zip(position.hand, kinds(rules), strict=False):
        if kind.label in (THROW, NAMED, JOINED):
            number, total = number + count, total + count * kind.value
    return number, total


def _totals(rules: Rules, position: Position, table: tuple[PartKind, ...]) -> Iterator[int]:
    if rules["series_played"] == "each_throw":
        return
    number, total = series_sum(rules, position)
    if number < (1 if rules["series_played"] == "total" else 2):
        return
    for step in steps(position):
        if (step or _total_enters(rules, position, table)) and may_go(rules, position, step, total):
            yield code.TOTAL + step
    enters = _total_enters(rules, position, table) and may_go(rules, position, 0, total)
    if enters and _has_pair(rules, position):
        yield code.ALONE_OF + code.TOTAL


def _total_enters(rules: Rules, position: Position, table: tuple[PartKind, ...]) -> bool:
    """Return whether a sum enters a piece: it does if one of its throws does and an entry does not use the throw up."""
    if rules["entry"] == "by_score" and rules["entry_spends"] == "whole_throw":
        return False
    return any(admits(rules, position, kind) for kind in summed(position, table))


def summed(position: Position, table: tuple[PartKind, ...]) -> list[PartKind]:
    """Return the kinds of the throws in hand that can be added up: no ones, no extra points."""
    found = [kind for kind, count in zip(table, position.hand, strict=False) if count]
    return [kind for kind in found if kind.label in (THROW, NAMED, JOINED)]


def _divisions(rules: Rules, position: Position) -> Iterator[int]:
    """Yield the shares of a freely divided throw: all of it by one piece, or two pieces' shares that make it up.

    A piece that goes home by a double (`exit_doubles`), or by any die (`exit_alone`), plays one die, and may do so if
    the other die cannot be played.
    """
    pool, own = position.pool, position.pieces[position.mover]
    if position.divided:
        others = _other_steps(rules, position, position.divided, pool)
        yield from (code.FREE + pool * code.STRIDE + step for step in others)
        return
    enters = pool and position.double == rules["enter_double"] and rules["entry"] == "by_double" and 0 in own
    if enters and may_go(rules, position, 0, 1):
        yield code.FREE
    for share in range(1, pool + 1):
        for step in steps(position):
            if _may_take(rules, position, step, share) and (
                share == pool
                or _leaves_by_one_die(rules, position, step, share)
                or _other_steps(rules, position, step, pool - share)
            ):
                yield code.FREE + share * code.STRIDE + step


def _may_take(rules: Rules, position: Position, step: int, share: int) -> bool:
    return (step > 0 or rules["entry"] == "walks_on") and may_go(rules, position, step, share)


def _other_steps(rules: Rules, position: Position, step: int, share: int) -> list[int]:
    """Return the steps of the mover's pieces, but for one that stands on `step`, that can play a share."""
    others = position.pieces[position.mover][:]
    # One piece takes the share; where several stand together, the rest of them may still play.
    others.remove(step)
    return [other for other in sorted(set(others)) if _may_take(rules, position, other, share)]


def _leaves_by_one_die(rules: Rules, position: Position, step: int, share: int) -> bool:
    if course(rules).home - step != share:
        return False
    if rules["exit_alone"] == "any_die":
        return bool(position.faces >> share & 1)
    return share == position.double and share in rules["exit_doubles"]


def left(rules: Rules, position: Position) -> tuple[Part, ...]:
    """Return the parts of the throw that are still to be played."""
    if position.pool:
        return ((position.pool, THROW),)
    in_hand = zip(kinds(rules), position.hand, strict=False)
    return tuple((kind.value, kind.label) for kind, count in in_hand for _ in range(count))


def hindrances(rules: Rules, position: Position) -> tuple[Hindrance, ...]:
    """Return why nothing of what is left can be played, piece by piece; empty if nothing is left."""
    found: dict[tuple[int, Obstacle], list[Part]] = {}
    for step, obstacle, part in _of_pool(rules, position) if position.pool else _of_hand(rules, position):
        if part not in found.setdefault((step, obstacle), []):
            found[step, obstacle].append(part)
    return tuple(Hindrance(step, obstacle, tuple(parts)) for (step, obstacle), parts in found.items())


def keys_of(found: tuple[Hindrance, ...]) -> tuple[str, ...]:
    """Return the parameters that say so, each once."""
    return tuple(dict.fromkeys(key for hindrance in found for key in hindrance.obstacle.keys))


def _of_hand(rules: Rules, position: Position) -> Iterator[tuple[int, Obstacle, Part]]:
    in_hand = [kind for kind, count in zip(kinds(rules), position.hand, strict=False) if count]
    for step in _on_the_way(rules, position):
        for kind in in_hand:
            obstacle = _of_part(rules, position, kind, step)
            if obstacle:
                yield step, obstacle, (kind.value, kind.label)


def _of_part(rules: Rules, position: Position, kind: PartKind, step: int) -> Obstacle | None:
    if step == 0:
        if not admits(rules, position, kind):
            return _unadmitted(rules, position)
        return what_keeps(rules, position, 0, entry_distance(rules, kind.value))
    is_summed = rules["series_played"] == "total" and kind.label in (THROW, NAMED, JOINED)
    distance = series_sum(rules, position)[1] if is_summed else kind.value
    return what_keeps(rules, position, step, distance, kind.label == ONE)


def _unadmitted(rules: Rules, position: Position) -> Obstacle:
    """Return the obstacle that says by what alone a waiting piece enters."""
    if rules["entry"] == "by_extra":
        return Obstacle("extra", ("entry", "extra_scores"))
    if awaits_first(rules, position):
        return Obstacle("first", ("entry", "first_enter_scores"))
    return Obstacle("score", ("entry", "enter_scores", "named_enters"))


def _of_pool(rules: Rules, position: Position) -> Iterator[tuple[int, Obstacle, Part]]:
    part, on_the_way = (position.pool, THROW), _on_the_way(rules, position)
    if any(on_the_way) and not position.divided:
        yield 0, Obstacle("whole", ("division", "exit_alone")), part
    for step in on_the_way:
        obstacle = _of_doubles(rules, position) if step == 0 else what_keeps(rules, position, step, position.pool)
        if obstacle:
            yield step, obstacle, part


def _of_doubles(rules: Rules, position: Position) -> Obstacle | None:
    """Return what keeps waiting pieces out where throws are divided freely: they walk on, or enter by a double
    alone."""
    if rules["entry"] == "walks_on":
        return what_keeps(rules, position, 0, position.pool)
    if position.double != rules["enter_double"]:
        return Obstacle("double", ("entry", "enter_double"), rules["enter_double"])
    return what_keeps(rules, position, 0, 1)


def _on_the_way(rules: Rules, position: Position) -> list[int]:
    """Return where the mover's pieces stand that are not home, 0 if any waits."""
    return [step for step in steps(position) if step < course(rules).home]
