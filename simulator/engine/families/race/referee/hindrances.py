"""Why no piece can play what is left of a throw: what keeps each of them, and the parameters that say so."""

from collections.abc import Iterator

from simulator.engine.families.race.events import Hindrance, Obstacle, Part
from simulator.engine.families.race.position import Position, Rules
from simulator.engine.families.race.referee.course import course
from simulator.engine.families.race.referee.movement import what_keeps
from simulator.engine.families.race.referee.options import admits, awaits_first, entry_distance, series_sum, steps
from simulator.engine.families.race.referee.parts import JOINED, NAMED, THROW, PartKind, kinds


def left(rules: Rules, position: Position) -> tuple[Part, ...]:
    """The parts of the throw that are still to be played."""
    if position.pool:
        return ((position.pool, THROW),)
    in_hand = zip(kinds(rules), position.hand, strict=False)
    return tuple((kind.value, kind.label) for kind, count in in_hand for _ in range(count))


def hindrances(rules: Rules, position: Position) -> tuple[Hindrance, ...]:
    """Why nothing of what is left can be played, piece by piece; empty if nothing is left."""
    found: dict[tuple[int, Obstacle], list[Part]] = {}
    for step, obstacle, part in _of_pool(rules, position) if position.pool else _of_hand(rules, position):
        if part not in found.setdefault((step, obstacle), []):
            found[step, obstacle].append(part)
    return tuple(Hindrance(step, obstacle, tuple(parts)) for (step, obstacle), parts in found.items())


def keys_of(found: tuple[Hindrance, ...]) -> tuple[str, ...]:
    """The parameters that say so, each once."""
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
    return what_keeps(rules, position, step, series_sum(rules, position)[1] if is_summed else kind.value)


def _unadmitted(rules: Rules, position: Position) -> Obstacle:
    """By what alone a waiting piece enters."""
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
    """What keeps waiting pieces out where throws are divided freely: they walk on, or enter by a double alone."""
    if rules["entry"] == "walks_on":
        return what_keeps(rules, position, 0, position.pool)
    if position.double != rules["enter_double"]:
        return Obstacle("double", ("entry", "enter_double"), rules["enter_double"])
    return what_keeps(rules, position, 0, 1)


def _on_the_way(rules: Rules, position: Position) -> list[int]:
    """Where the mover's pieces stand that are not home, 0 if any waits."""
    return [step for step in steps(position) if step < course(rules).home]
