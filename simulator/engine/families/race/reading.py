"""How the text of a race game is to be read: what squares and moves are called, and the ways over the board.

Only what the texts of a ruleset can hold is explained.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from simulator.engine.boards.race import ARMS, BOARDS
from simulator.engine.families.race.notation import SECOND_TIME, has_names, step_name, throw_name
from simulator.engine.families.race.position import Rules
from simulator.engine.families.race.referee.movement import course
from simulator.engine.families.race.referee.throws import named_score
from simulator.engine.naming import SEAT_NAMES

SIDES = ("below", "to the right", "above", "to the left")  # of a board, in the order of its arms
BRACKETS = "In brackets behind a sentence: the parameters of the ruleset that made it happen."


def how_to_read(rules: Rules) -> str:
    """A line on squares and moves, the ways of the players, the marked squares, a line on what stands in brackets."""
    sentences = ["How to read it.", *_squares(rules), f"Moves: {'; '.join(_moves(rules))}.", *_under_turns(rules)]
    return "\n".join([" ".join(sentences), *_ways(rules), _marks(rules), BRACKETS])


def _is_alike(rules: Rules) -> bool:
    """Return whether every side of the board is like the others: crosses and the spiral, which three can play as
    well."""
    return 3 in BOARDS[rules["board"]].tracks


def _squares(rules: Rules) -> Iterator[str]:
    names = _way(rules, 0)
    if _is_alike(rules):
        sides = [SIDES[arm] for arm in ARMS[rules["seats"]]]
        others = (f"the {name.split()[0]} {side}" for name, side in zip(SEAT_NAMES[1:], sides[1:], strict=False))
        yield f"The first player sits {', '.join([sides[0], *others])}."
        yield "A square is called by its file, a letter from the left, and its rank, a number from below."
    else:
        yield "A square is called by its part of the track, a letter, and its place in that part."
        if "b1" not in names:
            yield f"{names[names.index('b2') - 1]} is the first square of part b too."
    if again := next((name for name in names if name.endswith(SECOND_TIME)), ""):
        yield f"{again} is {again[:-1]} trodden for the second time, on the way home."
    if rules["teams"] == "opposite":
        yield "The first and the third player are partners, and so are the second and the fourth."


def _moves(rules: Rules) -> Iterator[str]:
    """Yield how moves are written, with a piece on the first square of the first player's way."""
    here = step_name(rules, 0, 1)
    yield f"{here} +2 takes the piece on {here} two squares on"
    yield from _entries(rules)
    if rules["named_ones"]:
        yield f"{here} +one plays one of the ones of {_named(rules)}"
    elif rules["named_mouths"] or rules["named_faces"]:
        yield f"{here} +{named_score(rules)} by name plays {_named(rules)}"
    if rules["extra_scores"]:
        yield f"{here} +extra 1 plays an extra point"
    if rules["extra_spent"] == "added":
        score = rules["extra_scores"][0]
        yield (
            f"{score + 1} with its extra point is a {score} to which its point was added: +1 of {score + 1} plays that "
            f"point alone, +{score} of {score + 1} the rest"
        )
    if rules["series_played"] != "each_throw":
        yield f"{here} +9 in all plays the sum of the throws that are left, here 9"
    if rules["partner_bar"]:
        yield "leave together: two pieces leave the partner's corner by a double"


def _entries(rules: Rules) -> Iterator[str]:
    if rules["entry"] == "by_extra":
        yield "enter extra 1 brings a waiting piece in by an extra point"
    elif rules["entry"] == "by_double":
        yield "enter by the double brings in all pieces that wait"
    elif rules["entry"] == "by_score":
        score = rules["enter_scores"][-1] if rules["enter_scores"] else f"{named_score(rules)} by name"
        yield f"enter {score} brings a waiting piece in by a throw of {score}"
        if rules["pairs_apart"]:
            yield f"enter {score} alone leaves behind the piece with which it was sent back"
    else:
        yield "enter 2 brings a waiting piece to the second square of its way"


def _named(rules: Rules) -> str:
    """Return what the record calls the throw that has a name of its own."""
    shells = [0] + [1] * rules["named_mouths"] + [0] * (rules["cowries"] - 1 - rules["named_mouths"])
    lots = shells if rules["cowries"] else rules["named_faces"]
    return throw_name(rules, tuple(lots), named_score(rules)) or "the throw with a name of its own"


def _under_turns(rules: Rules) -> Iterator[str]:
    if has_names(rules):
        yield "A throw that the record names is told by its name."
    yield "Under each turn stand the squares of every player's pieces, (2) where two stand together, and what the next"
    yield "player has thrown. A piece that waits is off the board."
    if rules["pairs_reenter"]:
        yield "(in pairs: 2) tells how many of those that wait were sent back two together."


def _ways(rules: Rules) -> Iterator[str]:
    alike = _is_alike(rules)
    for seat in range(1 if alike else rules["seats"]):
        yield f"Way of the {SEAT_NAMES[seat]}: {', '.join(_lines_of(_way(rules, seat)))}, {_end(rules)}."
    if alike:
        others = "The other goes the same way" if rules["seats"] == 2 else "The others go the same way, each"
        yield f"{others} from his own side."


def _end(rules: Rules) -> str:
    if rules["goal"] == "beyond_last":
        return "home"
    board = BOARDS[rules["board"]]
    return f"home on {board.squares[board.tracks[rules['seats']][0][-1]].name}"


def _marks(rules: Rules) -> str:
    marked = [square.name for square in BOARDS[rules["board"]].squares if square.is_marked]
    return f"Marked squares: {', '.join(marked)}." if marked else "No square is marked."


def _way(rules: Rules, seat: int) -> list[str]:
    return [step_name(rules, seat, step) for step in range(1, course(rules).home)]


def _lines_of(names: Sequence[str]) -> Iterator[str]:
    """A way as broken lines, by their ends and bends: f4–f1–g1–g4."""
    bends = [names[0]]
    ways = [_from_to(here, there) for here, there in pairwise(names)]
    for name, before, after in zip(names[1:], ways, [*ways[1:], (9, 9)], strict=True):
        is_apart = max(map(abs, before)) > 1
        if is_apart:
            yield "–".join(bends)
            bends = [name]
        elif before != after:
            bends.append(name)
    yield "–".join(bends)


def _from_to(here: str, there: str) -> tuple[int, int]:
    """Return how many files and ranks lie between two squares."""
    (x, y), (to_x, to_y) = ((ord(name[0]), int(name[1:].removesuffix(SECOND_TIME))) for name in (here, there))
    return to_x - x, to_y - y
