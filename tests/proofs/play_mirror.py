"""The proof that search favours no seat: a game and its mirror image give the beginner equal shares at several budgets.

    python -m tests.proofs.play_mirror [GAME…]

Without names all four games. A share counts a win as 1 and a game without a winner as a half; the two may lie three
standard errors asunder. Of points games the lead in pieces after 200 turns is held against the same bound, for a search
that cannot win makes shares equal, too. Exit status 1 if a proof failed.
"""

import sys
from dataclasses import replace
from functools import partial
from typing import Any

from tests.proofs.running import Figures, demand, outcome, report

GAMES_AT = {"uct:50/4": 1_000, "uct:200/4": 400}
AS_CLUB, CLUB_GAMES = 100, 400  # iterations with the horizon and the options of the club player of the ruleset
MOST = 3.0  # standard errors
SLUGS = ("peralikatuma-parker", "dam-dlp", "english-draughts-reference", "kalah-reference")
COURSE = 200  # turns after which leads in pieces are compared


def mirrored(slug: str, machine: Any = None) -> Figures:
    """Both shares at every budget, and how many standard errors asunder; raises Unproved beyond the bound."""
    from simulator.batches.scale import CLUB, named
    from simulator.engine.players.names import player as player_called
    from tests.engine.players import mirror
    from tests.engine.rulesets import RULESETS

    figures: Figures = {}
    club = replace(player_called(named(RULESETS[slug], CLUB)), budget=AS_CLUB)
    for player, games in {**GAMES_AT, str(club): CLUB_GAMES}.items():
        shares = [mirror.results(slug, player, games, beginner) for beginner in (0, 1)]
        figures[player] = _told(shares, games)
        if RULESETS[slug].family == "points":
            leads = [mirror.leads(slug, player, games, beginner, COURSE) for beginner in (0, 1)]
            figures[f"{player}, pieces ahead after {COURSE} turns"] = _told(leads, games)
    for what, found in figures.items():
        demand(found["standard_errors"] < MOST, f"{slug}, {what}: a seat is favoured", figures)
    return figures


def _told(means: list[Any], games: int) -> Figures:
    from tests.engine.players.mirror import standard_errors

    return {
        "games_each": games,
        "beginner": [round(float(one.mean()), 4) for one in means],
        "standard_errors": round(standard_errors(*means), 2),
    }


PROOFS = {slug: partial(mirrored, slug) for slug in SLUGS}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PROOFS]
    if unknown:
        print(f"no proof is called {unknown[0]!r}; there are {', '.join(PROOFS)}", file=sys.stderr)  # noqa: T201
        return 2
    return report({name: outcome(PROOFS[name], None) for name in names or PROOFS})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
