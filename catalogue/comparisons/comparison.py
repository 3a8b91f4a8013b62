"""What is to be said of readings side by side: the rules that differ, what each reading is called in a sentence, and
the verdicts in words. Pure Python: no Django, and nothing that only workers have.
"""

from collections.abc import Sequence
from typing import Any

from catalogue.texts.formatting import capitalised
from simulator.engine.family import Family
from simulator.engine.ruleset import Ruleset

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
    said = [kind.sentences(ruleset) for ruleset in rulesets]
    found = []
    for key, spec in kind.schema["properties"].items():
        values = [ruleset.parameters[key] for ruleset in rulesets]
        if all(value == values[0] for value in values):
            continue
        sides = [
            {"value": value, "words": words[key], "off": key not in ruleset.document}
            for value, words, ruleset in zip(values, said, rulesets, strict=True)
        ]
        found.append({"key": key, "title": spec["title"], "sides": sides})
    return found


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
    return f"“{capitalised(manner)}”"
