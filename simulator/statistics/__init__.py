"""The statistics of a batch: intervals, lengths, distributions, from its tally alone. Workers compute them."""
