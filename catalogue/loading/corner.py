"""The reference corner: games whose rules are published, each written down in one file.

`fixtures/rulesets/reference/<game>-reference.json` holds the ruleset, and under `reference` what the game is, where its
rules are from, and against what they were held (`checked`). The rows of the game and of its reading follow from that,
and a clause for every rule: the source, or conjecture where the file says so. The game has a name of its own, so that a
game of which there are records may be called alike.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catalogue.loading.rows import Row, row

AUTHORITY = "reference"
ENCODED_BY = "The editors of this catalogue"


@dataclass(frozen=True, slots=True)
class CornerGame:
    """A file of the corner. It has been read by `simulator.rulesets.read_file`, which says what is wrong with it."""

    slug: str
    document: Mapping[str, Any]
    reference: Mapping[str, Any]

    @property
    def game(self) -> Row:
        """The row of the game, which is called like its ruleset."""
        name, about = f"{self.reference['game']} (reference)", self.reference["about"]
        return row("game", slug=self.slug, name=name, is_reference=True, description=about)

    @property
    def reading(self) -> Row:
        return row(
            "reading",
            slug=self.slug,
            title=f"{self.reference['game']}, reference rules",
            game=[self.slug],
            evidence=[],
            authority=AUTHORITY,
            kind=AUTHORITY,
            summary=self.reference["rules"],
            encoded_by=ENCODED_BY,
            checked_by="",
            position=1,
        )

    @property
    def apparatus(self) -> dict[str, Any]:
        """What rests on the source, what on conjecture, and what is not played, as a file of the apparatus has it."""
        conjectured = self.reference.get("conjecture", {})
        told = [key for key in self.document if key != "family" and key not in conjectured]
        published = {"slug": "published", "basis": "other_source", "source": self.reference["source"]}
        text = " ".join(filter(None, (self.reference["rules"], self.reference.get("checked"))))
        clauses = [{**published, "parameters": told, "text": text}]
        for number, (key, text) in enumerate(conjectured.items(), start=1):
            clause = {"slug": f"conjecture-{number}", "basis": "conjecture", "parameters": [key], "text": text}
            clauses.append(clause)
        for tag, text in self.reference.get("not_played", {}).items():
            told_too = {"slug": f"not-played-{tag}", "parameters": [], "text": text, "not_played": tag}
            clauses.append({**published, **told_too})
        return {"game": self.slug, "readings": {self.slug: {"clauses": clauses}}}


def corner_games(folder: Path) -> Iterator[CornerGame]:
    """Yield the games of the files in a folder of rulesets. Raises KeyError for a file that says no source."""
    for path in sorted(folder.glob("reference/*.json")):
        written = json.loads(path.read_text(encoding="utf-8"))
        yield CornerGame(written["slug"], written["document"], written["reference"])
