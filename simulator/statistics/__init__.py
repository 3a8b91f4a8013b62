"""The statistics of a batch: intervals, lengths, distributions, from its tally alone. Workers compute them."""

from simulator.statistics.summary import STATISTICS_VERSION, summarise

__all__ = ("STATISTICS_VERSION", "summarise")
