"""Whose words a table holds, and what may be done with them; `templates/docs/rights.md` says it to readers.

A table of which nothing is said here is taken for somebody else's words: nobody is told that they may use what is not
ours to give.
"""

from typing import Any

from catalogue.loading.natural_keys import label

OWN_WORDS = {
    "name": "CC-BY-4.0",
    "path": "https://creativecommons.org/licenses/by/4.0/",
    "title": "Creative Commons Attribution 4.0, for the catalogue's own words, rulesets and figures",
}
THEIR_WORDS = {
    "path": "README.md",
    "title": "Quotations remain their sources', and the records those of the Digital Ludeme Project: see README.md",
}
PORTAL = {"title": "Digital Ludeme Project, Ludii Portal, evidence pages", "path": "https://ludii.games"}
OURS = {
    "catalogue.answer", "catalogue.claim", "catalogue.clause", "catalogue.editorsnote", "catalogue.evidenceuncertainty",
    "catalogue.question", "catalogue.reading", "catalogue.verdict", "simulator.batch", "simulator.measurement",
    "simulator.ruleset", "simulator.rulesetversion",
}  # fmt: skip


def rights_of(model: Any) -> dict[str, str]:
    return OWN_WORDS if label(model) in OURS else THEIR_WORDS
