"""Findings: what is proved, compared, studied and judged, in sentences made from the rows by rules, never typed."""
