"""Releases of the whole catalogue as a dataset: written, compared, verified, and loaded into an empty database."""
