"""Analyses: conclusions from batches of games."""
