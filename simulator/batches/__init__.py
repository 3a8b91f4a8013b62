"""Batches of games: requested, played in chunks, finalized, recovered."""
