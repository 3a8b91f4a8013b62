"""Which entries hold what was asked for: the one place where the two databases are spoken to differently.

The tokens that go into an expression are letters and digits only (`words.token_of`), so that nothing in them is syntax.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.db.models import BooleanField, F, Func, QuerySet

from catalogue.models import SearchEntry
from catalogue.search.query import Query, Term

LOOKUP = "catalogue_searchlookup"


class Holds(Func):
    """Whether an entry's column holds what an expression asks for, found by the database's own index of words."""

    def __init__(self, column: str, groups: tuple[tuple[Term, ...], ...], without: tuple[Term, ...] = ()) -> None:
        super().__init__(F("id"), output_field=BooleanField())
        self.column, self.groups, self.without = column, groups, without

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, tuple[str, ...]]:  # type: ignore[override]
        key, _given = compiler.compile(self.source_expressions[0])
        if connection.vendor == "sqlite":
            return f"{key} IN (SELECT rowid FROM {LOOKUP} WHERE {LOOKUP} MATCH %s)", (self._in_sqlite(),)
        table = key.rpartition(".")[0]  # of the query it stands in, which may be within another
        return f"{table}.{self.column}_lookup @@ %s::tsquery", (self._in_postgresql(),)

    def _in_sqlite(self) -> str:
        groups = (
            " OR ".join(f'"{" ".join(term.tokens)}"{" *" * term.is_prefix}' for term in group) for group in self.groups
        )
        wanted = " AND ".join(f"({group})" for group in groups)
        unwanted = "".join(f' NOT "{" ".join(term.tokens)}"' for term in self.without)
        return f"{self.column} : (({wanted}){unwanted})"

    def _in_postgresql(self) -> str:
        groups = (
            " | ".join(f"({' <-> '.join(term.tokens)}{':*' * term.is_prefix})" for term in group)
            for group in self.groups
        )
        unwanted = (f"!({' <-> '.join(term.tokens)})" for term in self.without)
        return " & ".join([*(f"({group})" for group in groups), *unwanted])


@contextmanager
def word_by_word(query: Query) -> Iterator[None]:
    """Makes PostgreSQL look words up in its index: it does not reckon with the cost of reading the tokens of an entry.

    SQLite has no other way anyway.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = '32MB'")
        if query:
            cursor.execute("SET LOCAL enable_seqscan = off")
        yield


def entries_with(query: Query) -> "QuerySet[SearchEntry]":
    """The entries that hold what was asked for; all of them, if nothing was."""
    rows = SearchEntry.objects.order_by()
    return rows.filter(Holds("words", query.groups, query.without)) if query.groups else _without(rows, query)


def _without(rows: "QuerySet[SearchEntry]", query: Query) -> "QuerySet[SearchEntry]":
    """An index finds what is there, not what is absent."""
    return rows.exclude(pk__in=_all_with("words", (query.without,))) if query.without else rows


def _all_with(column: str, groups: tuple[tuple[Term, ...], ...]) -> Any:
    return SearchEntry.objects.order_by().filter(Holds(column, groups)).values("pk")


Entries = QuerySet[SearchEntry]


def by_places(query: Query, narrow: Callable[[Entries], Entries]) -> list[Entries]:
    """What holds it in three parts: in the names, in the headings, only in the text; each looked up by itself.

    narrow: keeps of some entries those that are wanted
    """
    every = narrow(SearchEntry.objects.order_by())
    in_names = _without(every.filter(Holds("names", query.groups)), query)
    in_heads = _without(every.filter(Holds("heads", query.groups)), query)
    return [
        in_names,
        in_heads.exclude(pk__in=_all_with("names", query.groups)),
        narrow(entries_with(query)).exclude(pk__in=_all_with("heads", query.groups)),
    ]
