"""What is to be said of readings side by side: the rules that differ, what each reading is called in a sentence, and
the verdicts in words. Pure Python: no Django, and nothing that only workers have.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from simulator.engine.family import Family, sentence
from simulator.engine.ruleset import Ruleset

NO_RULE = "There is no such rule."
# The sign stands beside the word wherever a verdict is shown, so that nothing depends on colour.
VERDICTS = {
    "differs": ("≠", "differs"),
    "same": ("≈", "same within the margin"),
    "undecided": ("?", "undecided"),
}

Side = dict[str, Any]


def differing(kind: Family, rulesets: Sequence[Ruleset]) -> list[dict[str, Any]]:
    """The parameters that are not the same in all, in schema order: `{"key", "title", "sides"}`.

    A side is `{"value", "words", "off"}`; off: whether it is the off value, which needs no clause
    """
    found = []
    for key, spec in kind.schema["properties"].items():
        values = [ruleset.parameters[key] for ruleset in rulesets]
        if all(value == values[0] for value in values):
            continue
        sides = [_side(kind, key, ruleset) for ruleset in rulesets]
        found.append({"key": key, "title": spec["title"], "sides": sides})
    return found


def _side(kind: Family, key: str, ruleset: Ruleset) -> Side:
    value, spec = ruleset.parameters[key], kind.schema["properties"][key]
    if key in ruleset.document:
        return {"value": value, "words": sentence(value, spec), "off": False}
    fires = key not in kind.inactive(ruleset.parameters)
    return {"value": value, "words": off_words(value, spec) if fires else NO_RULE, "off": True}


def off_words(value: Any, spec: Mapping[str, Any]) -> str:
    """An off value in the schema's words for it, such as a bound that always holds; else that there is no such rule."""
    sentences = spec["x-words"]
    if "*" in sentences:
        return sentence(value, spec) if value else NO_RULE
    return str(sentences.get(json.dumps(value) if isinstance(value, bool) else value) or NO_RULE)


def reading_name(title: str, name: str, *, among_games: bool) -> str:
    """What a reading is called within a sentence that begins with "under": "Parker’s reading".

    title:       of the reading, "Daramuti, after Parker"; empty if the ruleset is nobody's reading
    name:        of the ruleset: slug, slug@number or hash
    among_games: whether readings of several games are compared, so that the whole title is needed
    """
    if not title:
        return f"the ruleset {name[:8] if len(name) == 64 else name}"
    _, _, manner = title.partition(", ")
    if among_games or not manner:
        return f"“{title}”"
    if manner.startswith("after the "):
        return manner.removeprefix("after ")
    if manner.startswith("after "):
        return f"{manner.removeprefix('after ')}’s reading"
    if manner == "as the Ludii programme plays it":
        return "the Ludii programme’s rules"
    return f"“{manner[:1].upper()}{manner[1:]}”"
