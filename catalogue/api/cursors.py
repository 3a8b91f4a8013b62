"""Where a list goes on: after which row, in which order. A cursor is opaque and signed, and never a place in a count.

The database finds the rows after a given one by an index, however far down the list they stand, and rows that are
written meanwhile neither repeat nor hide others.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.core.exceptions import ValidationError
from django.db.models import BooleanField, F, Func, QuerySet, Value
from django.db.models.expressions import Combinable

from catalogue.texts.errors import nearest_word
from catalogue.web.problem_document import RefusedRequest

BEGIN = "*"
LONGEST = 2_000  # characters; no cursor of ours is longer
REPEATED = 40  # characters of a wrong value
Column = str | Combinable
Orderings = Mapping[str, Sequence[Column]]


class _Row(Func):
    """Several columns, or several values, compared as one."""

    template = "(%(expressions)s)"
    output_field = BooleanField()


class _Compared(Func):
    template = "%(expressions)s"
    output_field = BooleanField()


@dataclass(frozen=True, slots=True)
class Ordering:
    """An order of a list. columns: together they tell any two rows apart; all go up, or all go down."""

    name: str
    columns: tuple[Column, ...]
    down: bool

    @property
    def keys(self) -> list[str]:
        return [f"order_{place}" for place in range(len(self.columns))]

    def applied(self, rows: "QuerySet[Any]") -> "QuerySet[Any]":
        """The rows in this order, each with the values it is ordered by."""
        columns = [F(column) if isinstance(column, str) else column for column in self.columns]
        named = rows.annotate(**dict(zip(self.keys, columns, strict=True)))
        ordered: QuerySet[Any] = named.order_by(*(f"-{key}" if self.down else key for key in self.keys))
        return ordered

    def after(self, rows: "QuerySet[Any]", values: Sequence[Any]) -> "QuerySet[Any]":
        """Those of the ordered rows that come after a row of these values; raises ValueError if no row has such."""
        if len(values) != len(self.keys):
            raise ValueError("a cursor of another list")
        fields = [rows.query.annotations[key].output_field for key in self.keys]
        try:
            typed = [Value(field.to_python(value), field) for field, value in zip(fields, values, strict=True)]
        except ValidationError as error:
            raise ValueError("no such value") from error
        sign = " < " if self.down else " > "
        beyond: QuerySet[Any] = rows.filter(_Compared(_Row(*map(F, self.keys)), _Row(*typed), arg_joiner=sign))
        return beyond

    def cursor(self, of: str, row: Any) -> str:
        """The cursor of what comes after that row of the list called `of`."""
        return signed(of, self.name, [getattr(row, key) for key in self.keys])


class _Compact(signing.JSONSerializer):
    """Times are written to the last digit: rows of one millisecond are told apart by it."""

    def dumps(self, obj: Any) -> bytes:
        return json.dumps(obj, separators=(",", ":"), default=str).encode()


def signed(of: str, order: str, values: list[Any]) -> str:
    return _signer(of, order).sign_object(values, serializer=_Compact)


def read(of: str, order: str, cursor: str) -> list[Any]:
    """What the row had at which the cursor was given out; raises RefusedRequest."""
    try:
        if len(cursor) > LONGEST:
            raise ValueError("too long")
        values: list[Any] = _signer(of, order).unsign_object(cursor, serializer=_Compact)
    except (signing.BadSignature, ValueError) as error:
        raise refused(cursor) from error
    return values


def _signer(of: str, order: str) -> signing.Signer:
    """A cursor is of one list in one order: another's is not taken."""
    return signing.Signer(salt=f"catalogue.api.cursors {of} {order}")


def chosen(orderings: Orderings, wanted: str, usual: str) -> Ordering:
    """The order of that name, with a minus before it if it is to go down; raises RefusedRequest."""
    name = wanted.removeprefix("-")
    if name not in orderings:
        known = [way + one for one in orderings for way in ("", "-")]
        message = f"must be one of {', '.join(known)}, not {wanted[:REPEATED]!r}"
        raise RefusedRequest.of("ordering", message, nearest_word(wanted, known) or usual)
    return Ordering(wanted, tuple(orderings[name]), wanted.startswith("-"))


def refused(cursor: str) -> RefusedRequest:
    message = f"must be {BEGIN} or a cursor that this list gave out for this order, not {cursor[:REPEATED]!r}"
    return RefusedRequest.of("cursor", message, BEGIN)
