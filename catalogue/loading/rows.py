"""Rows as Django's fixtures write them: the one form in which everything is loaded."""

from typing import Any

from django.utils.text import slugify

Row = dict[str, Any]


def row(model: str, **fields: Any) -> Row:
    return {"model": f"catalogue.{model}", "fields": fields}


def slug_of(name: str) -> str:
    return slugify(name)[:100] or "-".join(f"{ord(letter):x}" for letter in name if letter.isalnum())[:100]
