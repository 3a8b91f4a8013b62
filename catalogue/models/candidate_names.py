"""What candidates for a worn board are called: in words, made of what tells them apart.

"2 dogs, 1 hare; the dogs begin; dogs on a1, b1, hare on c4". Where one side is shut in and the other shuts it in, those
are dogs and hares, as in the games of that kind that are known. A slug says nothing to a reader, and stands beside it.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from catalogue.texts.formatting import lowered
from simulator.engine.boards.figures import canonical, read_board
from simulator.engine.documents import parse_kept
from simulator.engine.family import family

SETS = Path(settings.BASE_DIR) / "fixtures" / "candidates"
Document = Mapping[str, Any]
LOSES = "loses"
SAID = (
    "family", "board", "first_pieces", "second_pieces", "begins", "first_array", "second_array", "first_stuck",
    "second_stuck", "row_length", "line_laying", "line_moving",
)  # fmt: skip


@cache
def boards_of_sets() -> Mapping[str, tuple[str, str]]:
    """Return of every board of a set that ships, as JSON, of which game it is, and how it differs from the others."""
    found = {}
    for path in sorted(SETS.glob("*.json")):
        written = json.loads(path.read_text(encoding="utf-8"))
        for name, figure in written["boards"].items():
            board = canonical(read_board(figure)[0])
            found[board_key(board)] = (written["of"], written["board_names"].get(name, name))
    return found


def board_key(board: Any) -> str:
    return json.dumps(board, sort_keys=True)


def is_hunt(document: Document) -> bool:
    """Return whether one side loses when it is shut in and the other does not: hares, and dogs that hunt them."""
    return document.get("second_stuck") == LOSES and document.get("first_stuck") != LOSES


def candidate_name(document: Document) -> str:
    """Return what one candidate is called alone, with all that is told of candidates."""
    return "; ".join(filter(None, _aspects(document).values()))


def candidate_names(documents: Sequence[Document], slugs: Sequence[str]) -> list[str]:
    """Return what candidates beside each other are called, without what all have alike; slugs tell apart what words
    do not."""
    told = [_aspects(document) for document in documents]
    alike = [key for key in ("aim", "begins", "start", "board") if len({one[key] for one in told}) == 1]
    names = ["; ".join(words for key, words in one.items() if words and key not in alike) for one in told]
    if _twice(names):
        differing = _differing(documents)
        names = [
            "; ".join(filter(None, [name, *_sentences(document, differing)])) if name in _twice(names) else name
            for name, document in zip(names, documents, strict=True)
        ]
    again = _twice(names)
    return [f"{name} ({slug})" if name in again else name for name, slug in zip(names, slugs, strict=True)]


def _twice(names: Sequence[str]) -> set[str]:
    return {name for name, number in Counter(names).items() if number > 1}


def _differing(documents: Sequence[Document]) -> list[str]:
    """Return the keys, but for those that have words of their own, that are not the same in all documents."""
    keys = dict.fromkeys(key for one in documents for key in one if key not in SAID)
    return [key for key in keys if len({json.dumps(one.get(key)) for one in documents}) > 1]


def _sentences(document: Document, keys: Sequence[str]) -> list[str]:
    said = family(str(document["family"])).sentences(parse_kept(document))
    return [lowered(said[key].rstrip(".")) for key in keys if key in said]


def _aspects(document: Document) -> dict[str, str]:
    first, second = (int(document.get(f"{seat}_pieces", 0)) for seat in ("first", "second"))
    hunt = is_hunt(document)
    sides = ("dog" if first == 1 else "dogs", "hare" if second == 1 else "hares") if hunt else ("first", "second")
    pieces = f"{first} {sides[0]}, {second} {sides[1]}" if hunt else f"{first} against {second}"
    begins = 1 if document.get("begins") == "second" else 0
    verb = "begin" if sides[begins].endswith("s") else "begins"
    arrays = [document.get(f"{seat}_array") or [] for seat in ("first", "second")]
    placed = [f"{side} on {', '.join(array)}" for side, array in zip(sides, arrays, strict=True) if array]
    own = boards_of_sets().get(board_key(document.get("board")))
    return {
        "pieces": pieces,
        "aim": _aim(document),
        "begins": f"the {sides[begins]} {verb}",
        "start": ", ".join(placed) or "laid one a turn",
        "board": own[1] if own else "",
    }


def _aim(document: Document) -> str:
    """Return how a game is won, of the ways that candidates have."""
    stuck = [seat for seat in ("first", "second") if document.get(f"{seat}_stuck") == LOSES]
    found = []
    if "win" in (document.get("line_laying"), document.get("line_moving")):
        found.append(f"a row of {document.get('row_length', 3)} wins")
    if len(stuck) == 2:
        found.append("who is shut in loses")
    elif stuck == ["first"]:
        found.append("the first loses if shut in")
    for seat, side in (("first", "dogs"), ("second", "hare")):
        if goal := document.get(f"{seat}_goal"):
            found.append(f"the {side if is_hunt(document) else seat} wins on {' or '.join(goal)}")
    return ", ".join(found)
