"""Batches of games: asked for, played in chunks, closed, healed."""
