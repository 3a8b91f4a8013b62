"""The kinds of parts that an edition has, in the order in which they name each other."""

BATCHES, COMPARISONS, STUDIES = "batches", "comparisons", "studies"
CLAIMS, LADDERS, SOLUTIONS = "claims", "ladders", "solutions"
KINDS = (BATCHES, COMPARISONS, STUDIES, CLAIMS, LADDERS, SOLUTIONS)
OF_A_LEVEL = (BATCHES, COMPARISONS, STUDIES)  # whose parts have its name after that of the reading or the game
