"""Parameters as an editor types them: a list of keys that the family's rulesets have."""

from typing import Any

from catalogue.texts.errors import nearest_word
from simulator.engine.family import family


def wrong_parameters(family_name: str, parameters: Any) -> str:
    """What is wrong with a list of parameters, with the nearest there is; empty if nothing is."""
    if not isinstance(parameters, list) or not all(isinstance(one, str) for one in parameters):
        return 'must be a list of parameters, for example ["relay"]'
    known = family(family_name).schema["properties"]
    for one in parameters:
        if one not in known:
            near = nearest_word(one, known)
            return f"no parameter is called {one!r}" + (f"; the nearest is {near!r}" if near else "")
    return ""
