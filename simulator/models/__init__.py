"""The rows that are the truth about simulations; messages to workers only say that something waits.

Content and name are separate: a `Ruleset` is a document known by its hash, a `RulesetVersion` gives it a name, and
what it means is the catalogue's affair.
"""

from simulator.models.analyses import Analysis, Ladder
from simulator.models.batches import Batch, Chunk, Measurement, Plot
from simulator.models.computations import Computation, GameRecord, Reply, Solution
from simulator.models.rulesets import Ruleset, RulesetVersion
from simulator.models.workers import Worker

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
    "Worker",
]
