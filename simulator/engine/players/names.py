"""The players by name: which there are, and how a line of them is read."""

import difflib

PLAYERS = ("random",)


class PlayersProblem(ValueError):
    """A line of players is wrong; the message names the nearest valid one."""


def parse_players(text: str, seats: int) -> tuple[str, ...]:
    """The players of all seats from "random,random"; one name alone plays every seat. Raises PlayersProblem."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in PLAYERS:
            near = difflib.get_close_matches(name, PLAYERS, 1, 0)
            raise PlayersProblem(f"no player is called {name!r}; the nearest is {near[0] if near else PLAYERS[0]!r}")
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise PlayersProblem(f"{len(names)} players are named for {seats} seats; name one, or {seats}")
    return tuple(names)
