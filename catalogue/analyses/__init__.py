"""What is concluded of games by the catalogue: comparisons, studies of open questions, tests of claims."""
