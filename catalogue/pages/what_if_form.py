"""The form in which a reader changes a ruleset: one field a parameter, made from the family's schema."""

from collections.abc import Mapping
from typing import Any

from django import forms

from catalogue.pages.forms import RefusableForm
from catalogue.what_if.changes import PREFIX, choices, parameters_of
from simulator.engine.family import family
from simulator.engine.ruleset import Problem, Ruleset
from simulator.engine.values import value_written


class WhatIfForm(RefusableForm, forms.Form):
    """Every parameter of a ruleset as it stands, and as somebody would have it.

    The form only shows: what is typed is understood, and refused, by `catalogue.what_if.changes`.
    """

    def __init__(self, parent: Ruleset, typed: Mapping[str, str], problems: tuple[Problem, ...] = ()) -> None:
        specs = parameters_of(family(parent.family))
        before = {key: value_written(parent.parameters[key]) for key in specs}
        super().__init__({self.add_prefix(key): words for key, words in {**before, **typed}.items()})
        for key, spec in specs.items():
            self.fields[key] = field_of(spec)
        for problem in problems:
            self.add_error(problem.key if problem.key in specs else None, problem.message)

    def add_prefix(self, field_name: str) -> str:
        return PREFIX + field_name


def field_of(spec: Mapping[str, Any]) -> forms.CharField:
    """The field of one parameter: choices in words where it has them, else a number or a list to be typed."""
    offered = choices(spec)
    widget: forms.Widget
    if offered:
        widget = forms.RadioSelect(choices=offered)
    elif spec["type"] == "integer":
        widget = forms.NumberInput(attrs={"min": spec["minimum"], "max": spec["maximum"], "inputmode": "numeric"})
    else:
        widget = forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"})
    return forms.CharField(required=False, label=spec["title"], help_text=hint(spec), widget=widget)


def hint(spec: Mapping[str, Any]) -> str:
    """What the parameter is, and what may be typed."""
    description = str(spec["description"])
    if spec["type"] == "integer" and spec["minimum"] == spec["maximum"]:
        return f"{description} Always {spec['minimum']}."
    if spec["type"] == "integer":
        return f"{description} From {spec['minimum']} to {spec['maximum']}."
    if spec["type"] == "array":
        item = spec["items"]
        parts = f"numbers from {item['minimum']} to {item['maximum']}" if "minimum" in item else "names"
        bound = f"{spec['minItems']} " if spec.get("minItems") else ""
        return f"{description} To be typed: {bound}{parts} with commas between them."
    return description
