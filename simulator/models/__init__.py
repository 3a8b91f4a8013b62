"""The rows that are the truth about simulations; messages to workers only say that something waits.

Content and name are separate: a `Ruleset` is a document known by its hash, a `RulesetVersion` gives it a name, and
what it means is the catalogue's affair.
"""

from simulator.models.batches import Batch, Chunk, Measurement, Plot, Ruleset, RulesetVersion, Traffic, Worker
from simulator.models.computations import Analysis, Computation, GameRecord, Ladder, Reply, Solution

__all__ = [
    "Analysis",
    "Batch",
    "Chunk",
    "Computation",
    "GameRecord",
    "Ladder",
    "Measurement",
    "Plot",
    "Reply",
    "Ruleset",
    "RulesetVersion",
    "Solution",
    "Traffic",
    "Worker",
]
