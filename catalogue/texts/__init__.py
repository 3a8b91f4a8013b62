"""Texts, dates and words without a database: anchors, differences, numbers as people write them. Pure Python."""
