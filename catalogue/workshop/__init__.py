"""The workshop: from words, or from a drawing, to a game that can be played."""
