"""Rows into the database by natural key, as fixtures write them."""
