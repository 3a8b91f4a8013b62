"""Rulesets laid side by side on the same games."""
