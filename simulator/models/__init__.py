"""The rows that are the truth about simulations; messages to workers only say that something waits.

Content and name are separate: a `Ruleset` is a document known by its hash, a `RulesetVersion` gives it a name, and
what it means is the catalogue's affair.
"""

from simulator.models.batches import Batch, Chunk, Plot
from simulator.models.measurements import Measurement
from simulator.models.rulesets import Ruleset, RulesetVersion
from simulator.models.thought import GameRecord, Ladder, Reply, Solution, Thought
from simulator.models.workers import Worker

__all__ = [
    "Batch",
    "Chunk",
    "GameRecord",
    "Ladder",
    "Measurement",
    "Plot",
    "Reply",
    "Ruleset",
    "RulesetVersion",
    "Solution",
    "Thought",
    "Worker",
]
