"""Playing a ruleset in the browser."""
