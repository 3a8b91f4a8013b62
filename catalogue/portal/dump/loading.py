"""Rows of a dump into the database: together, and, where one of them cannot be stored, all but that one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from django.db import transaction

from catalogue.loading.instances import RowProblem
from catalogue.loading.load_rows import Loaded, load_missing, load_rows
from catalogue.loading.rows import Row
from catalogue.portal.dump.differences import difference
from catalogue.portal.reports import DumpReport

AT_ONCE = 500
REASON = "Imported from a dump of the portal's database"

Item = TypeVar("Item")
Write = Callable[[Sequence[Item]], None]
Fail = Callable[[Item, str], None]


def batched(items: Iterable[Item]) -> Iterator[list[Item]]:
    rest = iter(items)
    while some := list(islice(rest, AT_ONCE)):
        yield some


def each_alone(items: Sequence[Item], write: Write[Item], fail: Fail[Item]) -> None:
    """`write` all of them; `fail` for those it raises RowProblem for, however many stand beside them."""
    try:
        with transaction.atomic():
            write(items)
    except RowProblem as problem:
        if len(items) == 1:
            fail(items[0], str(problem))
            return
        middle = len(items) // 2
        each_alone(items[:middle], write, fail)
        each_alone(items[middle:], write, fail)


def load_subjects(table: str, rows: Sequence[tuple[int, Sequence[Row]]], report: DumpReport, *, compare: bool) -> None:
    """The rows that come of each row of a table; those that are there already are compared, or left unread."""

    def write(some: Sequence[tuple[int, Sequence[Row]]]) -> None:
        loaded = Loaded()
        every = [row for _, of_one in some for row in of_one]
        if compare:
            load_rows(every, loaded, bring_up_to_date=False, reason=REASON)
        else:
            load_missing(every, loaded)
        report.written[table] += loaded.created
        report.differences += [
            difference(f"{one.model} {one.key}", one.field, one.stored, one.offered) for one in loaded.differences
        ]

    def fail(one: tuple[int, Sequence[Row]], problem: str) -> None:
        report.remarks.add(table, one[0], f"was left out: {problem}")

    for some in batched(rows):
        each_alone(some, write, fail)
