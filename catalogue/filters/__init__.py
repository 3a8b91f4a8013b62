"""Narrowing of lists, once, for pages and API."""
