"""What each part of the tree search gained: small matches in a dozen rulesets of the three families, as a table.

    python -m tests.proofs.play_gains [--write]

Two players who differ in one thing meet 40 times in every ruleset, sides exchanged: once with equally many iterations,
once with as many as equal processor time allows, by `fixtures/player_prices.json`. `--write` puts the table into
docs/search.md, between its marks. Games that come in rounds are judged by their first; one that ends without a winner,
or is not over after 400 turns, counts for neither side. Where no lots are thrown, alpha-beta search that looks on at
captures meets the same depth without, and one ply more.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.proofs.running import print_or_write

DOCUMENT = Path(__file__).parents[2] / "docs" / "search.md"
BEGIN, END = "<!-- gains: written by the command -->\n", "<!-- end of gains -->\n"
GAMES, CAP, SEED, ITERATIONS, MICROSECONDS = 40, 400, 1, 100, 200.0
# What is compared: the better one's horizon and options, and what it is held against.
STEPS = {"horizon of 4 turns": ("/4", ""), "evaluation as 8 tries": ("/4:prior=8", "/4")}
DEEP = {"2/6 against 2": ("2/6", "2"), "2/6 against 3": ("2/6", "3")}  # alpha-beta, without lots
SLUGS = (
    *("kalah-reference", "oware-reference", "mawkar-katiya-das-gupta", "puhulmutu-ludii"),
    *("peralikatuma-parker", "dam-dlp", "nerenchi-keliya-parker", "nine-mens-morris-reference", "diviyan-keliya-dlp"),
    *("english-draughts-reference", "saturankam-dlp", "pancha-keliya-parker"),
)


class Score(NamedTuple):
    won: int
    lost: int
    neither: int

    def __str__(self) -> str:
        return f"{self.won}–{self.lost}" + (f" ({self.neither})" if self.neither else "")


def match(slug: str, one: str, other: str, games: int = GAMES) -> Score:
    """How the one did against the other, by whole names."""
    from simulator.engine.ends import WIN
    from simulator.engine.family import family
    from simulator.engine.players.names import seating, sides_of
    from simulator.engine.playout import play_block
    from tests.engine.rulesets import RULESETS

    ruleset, found = RULESETS[slug], []
    until = "round" if any(measure.scope == "first_round" for measure in family(ruleset.family).measures) else "game"
    sides = sides_of(ruleset)
    for own in sides:
        players = seating(sides, own, one, other)
        rows = play_block(ruleset, players, SEED, 0, games // len(sides), CAP, until)
        mine = sum(1 << seat for seat in own)
        found += [bool(winners & mine) if end == WIN and winners else None for end, winners in rows[:, :2].tolist()]
    return Score(found.count(True), found.count(False), found.count(None))


def row(slug: str) -> list[Score]:
    """Of one ruleset: every step at equal iterations, then at equal time."""
    from simulator.batches.prices import within_price
    from simulator.engine.players.names import MOST_ITERATIONS
    from tests.engine.rulesets import RULESETS

    found = []
    for one, other in STEPS.values():
        found.append(match(slug, f"uct:{ITERATIONS}{one}", f"uct:{ITERATIONS}{other}"))
        timed = [
            within_price(RULESETS[slug], f"uct:{MOST_ITERATIONS}{options}", MICROSECONDS) for options in (one, other)
        ]
        found.append(match(slug, *timed))
    return found


def deep_row(slug: str) -> list[Score]:
    return [match(slug, f"alpha_beta:{one}", f"alpha_beta:{other}") for one, other in DEEP.values()]


def tables() -> str:
    from simulator.engine.family import family
    from tests.engine.rulesets import RULESETS

    without_lots = [slug for slug in SLUGS if not family(RULESETS[slug].family).throws]
    titles = [f"{step}, {equal}" for step in STEPS for equal in ("equal iterations", "equal time")]
    return f"{table(SLUGS, row, titles)}\n{table(without_lots, deep_row, [*DEEP])}"


def table(slugs: Sequence[str], played: Callable[[str], list[Score]], titles: Sequence[str]) -> str:
    rows: dict[str, list[Score]] = {}
    for slug in slugs:
        rows[slug] = played(slug)
        print(slug, *rows[slug], file=sys.stderr, flush=True)  # noqa: T201
    totals = [Score(*map(sum, zip(*column, strict=True))) for column in zip(*rows.values(), strict=True)]
    lines = [f"| ruleset | {' | '.join(titles)} |", f"|{' --- |' * (len(titles) + 1)}"]
    lines += [f"| {name} | {' | '.join(map(str, found))} |" for name, found in {**rows, "all": totals}.items()]
    return "\n".join(lines) + "\n"


def main(write: bool) -> None:
    import django

    django.setup()
    found = tables()
    print_or_write(found, DOCUMENT, BEGIN, END, write=write)


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")
    main("--write" in sys.argv[1:])
