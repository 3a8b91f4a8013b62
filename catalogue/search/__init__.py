"""Finding things in the catalogue: words folded once in Python, looked up whole in the database."""
