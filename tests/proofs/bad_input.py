"""Wrong requests, as commands and as requests to the API: each must be refused by name, and nothing written."""

from typing import Any

from tests.services.machine import Machine

GIGANTIC = "1000000000000000000000000"
CHANGED = "puhulmutu-parker"

# what is wrong -> (words of the command, what the refusal must hold: the mistake's name and the nearest valid value)
COMMANDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "unknown ruleset": (("simulate", "puhulmutu-parkr"), ("ruleset", "puhulmutu-parker")),
    "no games": (("simulate", CHANGED, "--games", "0"), ("games", ": 1)")),
    "fewer games than none": (("simulate", CHANGED, "--games", "-5"), ("games", ": 1)")),
    "gigantic number of games": (("simulate", CHANGED, "--games", GIGANTIC), ("games", ": 100000000)")),
    "games that are no number": (("simulate", CHANGED, "--games", "many"), ("games", ": 1)")),
    "unknown player": (("simulate", CHANGED, "--players", "randon"), ("players", "'random'")),
    "negative seed": (("simulate", CHANGED, "--seed", "-1"), ("seed", ": 0)")),
    "no turns": (("simulate", CHANGED, "--cap", "0"), ("cap", ": 1)")),
    "wrong until": (("simulate", CHANGED, "--until", "rounds"), ("until", '"round"')),
    "wrong key": (("simulate", CHANGED, "--set", "holes_per_raw=6"), ("holes_per_raw", '"holes_per_row"')),
    "wrong type": (("simulate", CHANGED, "--set", "counters_per_hole=four"), ("counters_per_hole", "'four'")),
    "more counters than fit": (("simulate", CHANGED, "--set", "counters_per_hole=13"), ("counters_per_hole", ": 12)")),
    "no way to move": (
        ("simulate", "walak-pussa-ludii", "--set", "counters_per_hole=1", "--set", "singles_exempt=off"),
        ("singles", '"off"'),
    ),
    "combination that never fires": (
        ("simulate", "kalah-reference", "--set", "grand_slam=takes_nothing"),
        ("grand_slam", "capture_making_run"),
    ),
    "positions of no turn": (("positions", "puhulmutu-ludii", "--turns", "0"), ("turns", ": 1)")),
    "replay of a game before the first": (("replay", CHANGED, "--game", "-1"), ("game", ": 0)")),
    "bench of no seconds": (("bench", CHANGED, "--seconds", "0"), ("seconds", ": 1)")),
    "unknown batch": (("reproduce", "0123456789abcdef"), ("batch", "0123456789abcdef")),
}

# what is wrong -> (body of the request, key that must be named)
REQUESTS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown ruleset": ({"ruleset": "puhulmutu-parkr"}, "ruleset"),
    "no games": ({"ruleset": CHANGED, "games": 0}, "games"),
    "gigantic number of games": ({"ruleset": CHANGED, "games": int(GIGANTIC)}, "games"),
    "unknown player": ({"ruleset": CHANGED, "players": "randon"}, "players"),
    "wrong key": ({"ruleset": CHANGED, "set": {"holes_per_raw": 6}}, "holes_per_raw"),
    "wrong type": ({"ruleset": CHANGED, "set": {"counters_per_hole": "four"}}, "counters_per_hole"),
    "more counters than fit": ({"ruleset": CHANGED, "set": {"counters_per_hole": 13}}, "counters_per_hole"),
}


def written(machine: Machine) -> list[int]:
    return [machine.count(f"SELECT count(*) FROM simulator_{table}") for table in ("ruleset", "batch", "chunk")]


def refused_commands(machine: Machine) -> dict[str, str]:
    """What is wrong -> the refusal; raises AssertionError for one that is not refused as it should be."""
    messages = {}
    before = written(machine)
    for wrong, (words, expected) in COMMANDS.items():
        refusal = machine.manage(*words, status=2).stderr.strip()
        missing = [part for part in expected if part not in refusal]
        assert not missing, f"{wrong}: {missing} not in {refusal!r}"
        messages[wrong] = refusal
    assert written(machine) == before, "something was written"
    return messages


def refused_requests(machine: Machine) -> dict[str, int]:
    """What is wrong -> the status of the answer. Django must be set up for the machine's database."""
    from django.test import Client

    client, before, statuses = Client(), written(machine), {}
    for wrong, (body, key) in REQUESTS.items():
        answer = client.post("/api/v1/batches/", body, content_type="application/json")
        assert answer.status_code == 400, f"{wrong}: status {answer.status_code}, {answer.content[:300]!r}"
        assert key in answer.content.decode(), f"{wrong}: {key} not in {answer.content[:300]!r}"
        statuses[wrong] = answer.status_code
    assert written(machine) == before, "something was written"
    return statuses
