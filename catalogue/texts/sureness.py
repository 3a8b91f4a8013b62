"""How sure a figure is, in one mark everywhere: proved, many different games, few or similar ones. Pure Python."""

from dataclasses import dataclass

MANY = 100  # games; of how many kinds they must be, `few_kinds` says


@dataclass(frozen=True, slots=True)
class Sureness:
    """mark: three dots; words: beside them; line: what stands behind it"""

    mark: str
    words: str
    line: str


PROVED = Sureness("●●●", "proved", "Worked out from every position, or by a search that no reply escapes.")
MANY_UNLIKE = Sureness(
    "●●○",
    "many different games",
    "Counted in many games that differ; the interval says how well it is known.",
)
FEW_OR_ALIKE = Sureness(
    "●○○",
    "few or similar games",
    "Counted in few games, or in games nearly all alike: others might show another figure.",
)


def sureness(games: int, *, are_alike: bool) -> Sureness:
    """How sure a figure is that was counted in so many games."""
    return FEW_OR_ALIKE if are_alike or games < MANY else MANY_UNLIKE
