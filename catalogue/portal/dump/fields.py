"""The values of the dump's rows as numbers and texts, and what its tables of names and of links say."""

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import Model

from catalogue.portal.dump.reading import Dump, Row
from catalogue.portal.dump.remarks import Remarks
from catalogue.portal.dump.texts import Say, text_of_value
from catalogue.portal.dump.values import Value

LARGEST_NUMBER = 2**63 - 1
YES = ("1", "true", "yes", "y", "t")


def number_of(value: Value) -> int | None:
    """An Id; None for NULL, for 0, which the portal may write instead, and for what is no positive number."""
    if isinstance(value, bytes):
        value = int.from_bytes(value[:9])
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 20:
        value = int(value)
    return value if isinstance(value, int) and 0 < value <= LARGEST_NUMBER else None


def says_something(name: str) -> bool:
    return any(letter.isalnum() for letter in name)


def longest(model: type[Model], column: str) -> int:
    """Characters that a column of the catalogue can hold."""
    most: int | None = getattr(model._meta.get_field(column), "max_length", None)
    return most or LARGEST_NUMBER


def is_set(value: Value) -> bool:
    if isinstance(value, bytes):
        return any(value)
    return str(value).strip().lower() in YES or (isinstance(value, int) and value != 0)


class Table:
    """The rows of one table of the dump, each with its Id, once; what is odd is remarked with table and Id."""

    def __init__(self, dump: Dump, name: str, remarks: Remarks) -> None:
        self.dump, self.name, self.remarks = dump, name, remarks

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        seen: set[int] = set()
        for row in self.dump.rows(self.name):
            number = number_of(row["Id"])
            if number is None:
                self.remarks.add(self.name, "", f"a row with the Id {row['Id']!r} was left out")
            elif number in seen:
                self.remarks.add(self.name, number, "the Id occurs again; the first row was taken")
            else:
                seen.add(number)
                yield number, row

    def say(self, number: int, column: str) -> Say:
        return lambda message: self.remarks.add(self.name, number, f"{column} {message}")

    def text(self, number: int, row: Row, column: str) -> str:
        return text_of_value(row.get(column), self.say(number, column))

    def line(self, number: int, row: Row, column: str, longest: int) -> str:
        """A text on one line; what is too long is cut, and the remark has all of it."""
        words = " ".join(self.text(number, row, column).split())
        if len(words) <= longest:
            return words
        self.remarks.add(self.name, number, f"{column} has {len(words)} characters and was cut to {longest}: {words}")
        return words[: longest - 1] + "…"


def names(dump: Dump, table: str, remarks: Remarks, longest: int = 100) -> dict[int, str]:
    """Id → name, of a table of names."""
    rows = Table(dump, table, remarks)
    found = {number: rows.line(number, row, "Name", longest) for number, row in rows}
    for number in [number for number, name in found.items() if not says_something(name)]:
        remarks.add(table, number, "has no name and was left out")
        del found[number]
    return found


def links(dump: Dump, table: str, one: str, other: str, remarks: Remarks) -> dict[int, list[int]]:
    """`one`'s Id → the Ids of `other` it is linked to, each once, in the order of the rows."""
    found: defaultdict[int, dict[int, None]] = defaultdict(dict)
    for row in dump.rows(table):
        numbers = number_of(row[f"{one}Id"]), number_of(row[f"{other}Id"])
        if numbers[0] is None or numbers[1] is None:
            remarks.add(table, "", f"a link from {row[f'{one}Id']!r} to {row[f'{other}Id']!r} was left out")
        else:
            found[numbers[0]][numbers[1]] = None
    return {number: list(others) for number, others in found.items()}


class Linked:
    """What the rows of one table are linked to, by name."""

    def __init__(self, dump: Dump, table: str, one: str, other: str, named: dict[int, str], remarks: Remarks) -> None:
        self.table, self.one, self.other, self.named, self.remarks = table, one, other, named, remarks
        self.links = links(dump, table, one, other, remarks)

    def of(self, number: int) -> list[str]:
        found = []
        for other in self.links.get(number, ()):
            if other in self.named:
                found.append(self.named[other])
            else:
                self.remarks.add(
                    self.table, "", f"{self.one} {number} names the {self.other} {other}, which is not there"
                )
        return list(dict.fromkeys(found))
