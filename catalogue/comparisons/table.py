"""A comparison's measures as rows of a table: verdict in a word and a sign, and how large the difference is. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from catalogue.comparisons.comparison import VERDICTS

Compared = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One measure. sizes: "1.80 (1.74 to 1.86) times as much", one a line; needed: games, or None."""

    title: str
    note: str
    first: str
    second: str
    difference: str
    sizes: tuple[str, ...]
    sign: str
    verdict: str
    needed: int | None


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    rows: tuple[TableRow, ...]


def sections(measures: Sequence[Compared]) -> list[Section]:
    """The measures by section; a note that several rows of a section share stands at the first of them."""
    found = []
    for title, rows in groupby(measures, key=lambda measure: str(measure["section"])):
        noted: set[str] = set()
        found.append(Section(title, tuple(_row(measure, noted) for measure in rows)))
    return found


def _row(measure: Compared, noted: set[str]) -> TableRow:
    note = "" if measure["note"] in noted else measure["note"]
    noted.add(measure["note"])
    sign, words = VERDICTS[measure["verdict"]]
    return TableRow(
        title=measure["title"],
        note=note,
        first=measure["first"]["text"],
        second=measure["second"]["text"],
        difference=measure["difference"]["text"],
        sizes=tuple(_sizes(measure)),
        sign=sign,
        verdict=words,
        needed=measure["games_needed"],
    )


def _sizes(measure: Compared) -> Iterator[str]:
    if ratio := measure.get("ratio"):
        yield f"{ratio['text']} times as much"
    if medians := measure.get("ratio_of_medians"):
        first, second = measure["medians"]
        yield f"medians {first:,} and {second:,}: {medians['text']} times"
    if delta := measure.get("cliffs_delta"):
        yield f"Cliff’s delta {delta['text']}"
    if any(measure.get("discordant", {}).values()):
        size = f"{measure['cohens_h']:+.2f}".replace("-", "−")
        only = measure["discordant"]
        yield f"Cohen’s h {size}"
        yield f"in {only['first_only']:,} games only under the first, in {only['second_only']:,} only under the second"
    if gain := measure["pairing_gain"]:
        yield f"pairing worth {gain:.2f} times the games"


def margins_in_words(margins: Mapping[str, float]) -> dict[str, str]:
    """ "2 percentage points" and "5 %"."""
    shares, amounts = 100 * margins["shares"], 100 * margins["amounts"]
    return {"shares": f"{shares:g} percentage point{'' if shares == 1 else 's'}", "amounts": f"{amounts:g} %"}
