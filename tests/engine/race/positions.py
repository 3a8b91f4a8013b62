"""Race positions for tests: where the pieces stand, by steps, and what has been thrown, by lots."""

from collections.abc import Iterable

from simulator.engine.families.race import notation
from simulator.engine.families.race.position import Position
from simulator.engine.families.race.referee import contract
from simulator.engine.families.race.referee.throws import Throw, cowrie_throw, dice_throw, lay_ready
from simulator.engine.randomness import Draws, stream_key
from simulator.engine.ruleset import Ruleset
from tests.choice import rulesets_of_the_day
from tests.engine import cases

CASES = {name: ruleset for name, ruleset in cases.CASES.items() if ruleset.family == "race"}
SOME_CASES = rulesets_of_the_day(CASES, 6)


def draws(seed: int = 1) -> list[Draws]:
    """Chance streams for throws that a test does not look at."""
    return [Draws(stream_key(seed, 0, stream)) for stream in range(8)]


class Scripted(Draws):
    """Draws that were written down beforehand."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(0)
        self.numbers = list(numbers)

    def below(self, bound: int) -> int:
        number = self.numbers.pop(0)
        assert number < bound
        return number


def shells(*mouths: int, of: int = 6) -> Scripted:
    """Draws by which so many shells fall mouth up in each throw; the marked shell, the first, is up if any is."""
    return Scripted(*(int(shell >= up) for up in mouths for shell in range(of)))


def mouths(ruleset: Ruleset, up: int, marked_up: bool = True) -> Throw:
    """A throw of cowries with so many mouths up."""
    others = ruleset.parameters["cowries"] - 1
    rest = up - marked_up
    return cowrie_throw(ruleset.parameters, (int(marked_up), *(int(shell < rest) for shell in range(others))))


def dice(ruleset: Ruleset, *faces: int) -> Throw:
    return dice_throw(ruleset.parameters, faces)


def standing(ruleset: Ruleset, pieces: str, throws: Iterable[Throw], mover: int = 0, **words: object) -> Position:
    """A position: `pieces` are every seat's steps, seats divided by a stroke."""
    position = Position(ruleset.parameters, [sorted(map(int, row.split())) for row in pieces.split("/")], mover)
    assert len(position.pieces) == ruleset.parameters["seats"]
    assert all(len(row) == ruleset.parameters["pieces"] for row in position.pieces)
    for name, value in words.items():
        setattr(position, name, value)
    lay_ready(ruleset.parameters, position, list(throws))
    return position


def options(ruleset: Ruleset, position: Position) -> list[str]:
    """The names of the legal moves, in their order."""
    return [
        notation.move_name(ruleset.parameters, position, move) for move in contract.moves(ruleset.parameters, position)
    ]


def play(ruleset: Ruleset, position: Position, *names: str) -> contract.Played:
    """Play moves by their names; what the last one came to."""
    for name in names:
        move = contract.moves(ruleset.parameters, position)[options(ruleset, position).index(name)]
        played = contract.play(ruleset.parameters, position, move, draws())
        position = played.position
    return played


def steps(position: Position) -> str:
    return " / ".join(" ".join(map(str, row)) for row in position.pieces)
