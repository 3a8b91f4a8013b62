"""The Ludii portal's records: its pages, and its whole dump."""
