"""Names as references print them, taken apart: surname first, semicolons between, "(ed.)" at the end for editors.

Where a comma tells no surname from the rest, it is the name of a body and stays whole.
"""

import re
from typing import TypedDict

EDITORS = re.compile(r"(?:[\s,]*\((?:eds?\.?|editors?)\)|,\s*(?:eds?\.?|editors?)|\s+eds?\.)\s*$", re.IGNORECASE)
OTHERS = re.compile(r"[\s,;]*\b(?:et al|and others)\b\.?\s*$", re.IGNORECASE)
JOINED = re.compile(r"\s*(?:;\s*(?:and\s+)?|(?:&|\band\b)\s+(?=[^,;]+,))\s*")


class Name(TypedDict, total=False):
    """A name as CSL-JSON has it: `family` and `given`, or `literal` for a body; "et al." is a literal."""

    family: str
    given: str
    literal: str


AND_OTHERS = Name(literal="et al.")


def people(printed: str) -> tuple[str, list[Name]]:
    """("author" or "editor", the names): "Parker, H.; Doe, J. (eds.)" is two editors."""
    text = " ".join(printed.split())
    without, edited = EDITORS.subn("", text)
    role = "editor" if edited and without else "author"
    text = without if role == "editor" else text
    text, has_others = OTHERS.subn("", text)
    names = [_name(part) for part in JOINED.split(text) if part.strip(" ,")]
    return role, [*names, *([AND_OTHERS] if has_others and names else [])]


def _name(text: str) -> Name:
    family, comma, given = (part.strip() for part in text.strip().partition(","))
    if comma and family and given:
        return Name(family=family, given=given)
    return Name(literal=text.strip(" ,"))


def in_order(name: Name) -> str:
    """H. J. R. Murray"""
    return name.get("literal") or f"{_spaced(name['given'])} {name['family']}"


def inverted(name: Name) -> str:
    """Murray, H. J. R."""
    return name.get("literal") or f"{name['family']}, {_spaced(name['given'])}"


def _spaced(given: str) -> str:
    """Initials stand apart, however closely the source prints them."""
    return re.sub(r"(?<=\b[^\W\d_]\.)(?=[^\W\d_]\.)", " ", given)
