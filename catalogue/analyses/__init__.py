"""The conclusions that the catalogue draws from games: comparisons, studies of open questions, tests of claims."""
