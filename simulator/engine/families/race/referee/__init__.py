"""The referee: plain Python, for a reader to hold against the words."""
