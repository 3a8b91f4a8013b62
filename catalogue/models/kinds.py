"""Every kind of row that is called by a name: one table for identifiers, citations, histories and the search.

Each of these adds what is its own, by the names of the kinds it deals with.
"""

import re
from dataclasses import dataclass
from typing import Any

from catalogue import models
from catalogue.models.lookup import keys_like, nearest_key, shown_rows
from catalogue.texts.errors import nearest_word
from simulator.models import Batch, RulesetVersion

HEX = r"[0-9a-f]{16}"


@dataclass(frozen=True, slots=True)
class NamedKind:
    """A kind of row.

    name:    the first word of its identifiers, "record"
    columns: where the parts of a key stand; a key is written with strokes between them
    pattern: what its keys look like, if they are no names
    word:    what readers call it where that is not its name; plural: if that is not the word with an s
    """

    name: str
    model: Any
    columns: tuple[str, ...] = ("slug",)
    pattern: str = ""
    word: str = ""
    plural: str = ""

    @property
    def words(self) -> tuple[str, str]:
        """Singular and plural."""
        word = self.word or self.name
        return word, self.plural or f"{word}s"

    @property
    def link(self) -> str:
        """The field that leads to the row which the first part of a key names; empty if the key has one part."""
        return self.columns[0].partition("__")[0] if len(self.columns) > 1 else ""

    def may_be(self, key: str) -> bool:
        return re.fullmatch(self.pattern or "/".join(["[^/]+"] * len(self.columns)), key) is not None

    def where(self, key: str) -> dict[str, str]:
        """What the columns of the row of this key hold; raises ValueError for a key of too few parts."""
        return dict(zip(self.columns, key.split("/", len(self.columns) - 1), strict=True))

    def nearest(self, key: str) -> Any:
        """The row whose key looks most like this one, or None if none does."""
        *before, last = key.split("/", len(self.columns) - 1)
        rows = shown_rows(self.model)
        if before:  # the first part as it stands, or the one most like it
            column = self.columns[0]
            first = nearest_word(before[0], keys_like(rows, column, before[0]))
            rows = rows.filter(**{column: first})
        near = nearest_word(last, keys_like(rows, self.columns[-1], last))
        return rows.filter(**{self.columns[-1]: near}).first() if near else None

    def nearest_key(self, key: str) -> str | None:
        """Of the rows whose key begins most like it, the key that looks most like it; withdrawn rows too."""
        rows = self.model._default_manager.order_by()
        first = nearest_key(rows, self.columns[0], key.split("/")[0])
        if len(self.columns) == 1 or first is None:
            return first
        keys = rows.filter(**{self.columns[0]: first}).values_list(*self.columns)
        return nearest_word(key, ["/".join(parts) for parts in keys])


def key_of(row: Any) -> str:
    """What a row is called within its kind: "DLP.Evidence.692", "daramuti-parker@1", "dam/won-by-taking-all"."""
    if isinstance(row, RulesetVersion):
        return str(row)
    return "/".join(row.natural_key()) if hasattr(row, "natural_key") else str(row.pk)


KINDS = {
    kind.name: kind
    for kind in (
        NamedKind("record", models.Evidence, ("identifier",)),
        NamedKind("batch", Batch, ("id",), HEX),
        NamedKind("comparison", models.Comparison, ("id",), HEX),
        NamedKind("study", models.Study, ("id",), HEX),
        NamedKind("source", models.Source, ("key",)),
        NamedKind("ruleset", RulesetVersion),
        NamedKind("game", models.Game),
        NamedKind("place", models.Place),
        NamedKind("clause", models.Clause, ("reading__slug", "slug"), word="rule"),
        NamedKind("question", models.Question, ("game__slug", "slug"), word="point of doubt", plural="points of doubt"),
        NamedKind("claim", models.Claim, ("game__slug", "slug")),
        NamedKind("words", models.Anchor, ("key",), ".+/.+"),
        NamedKind("reading", models.Reading, word="ruleset"),
        NamedKind("note", models.EditorsNote, ("evidence__identifier", "slug")),
    )
}
KIND_OF = {kind.model: kind for kind in KINDS.values()}
# Found and listed as the others are, but without an identifier for good, a history or a citation of its own.
TERM = NamedKind(
    "term", models.Term, ("evidence__identifier", "slug"), word="word of the players", plural="words of the players"
)
