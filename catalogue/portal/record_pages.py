"""The portal's evidence pages: from text to records, nothing else.

Pages are by place ("Evidence in Sri Lanka") or by game ("Evidence for Daramuti"), with the fields of a record run
together on one line or on lines of their own. A page's heading supplies the place or the game its records leave out.
"""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from catalogue.portal.bibliography import split_sources
from catalogue.portal.page_text import NoPortalPage, PageText
from catalogue.portal.record_fields import FieldProblem, Fields, read_fields
from catalogue.portal.reports import FileRemark
from catalogue.texts.dates import DateProblem, edtf_of_portal

HEADING = re.compile(
    r"(?:^|\s)Evidence\s+(?P<by>in|for)\s+(?P<subject>\S[^\n]{0,150}?)\s+(?P<count>\d+)\s+pieces?\s+of\s+evidence\s+found"
)
RECORD = re.compile(
    r"^[ \t\xa0|]*(?P<a>Id)[ \t\xa0]+(?=[^\n]{0,80}(?:DLP|Evidence\.|\bType\b))"
    r"|^[ \t\xa0|]*(?P<b>Id)[ \t\xa0]*\n\s*(?=\S*DLP)"
    r"|(?<=[\s|])(?P<c>Id)\s+DLP\.Evidence\.\d+\s+Type\s",
    re.MULTILINE,
)
RULER = re.compile(r"^[ \t\xa0]*\|[ \t\xa0|]*$", re.MULTILINE)
FOOT = re.compile(
    r"\n[ \t\xa0]*\n(?!\s*,)|\n[ \t\xa0]*(?:Contact Us|lkjh|Maastricht University|\S+@\S+)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Record:
    """One record as the portal prints it; "" where it prints nothing. `line` is where it begins in its file."""

    identifier: str
    type: str = ""
    game: str = ""
    places: tuple[str, ...] = ()
    ruleset_name: str = ""
    date_words: str = ""
    rules: str = ""
    reference: str = ""
    content: str = ""
    confidence: str = ""
    ages: str = ""
    spaces: str = ""
    other_fields: tuple[tuple[str, str], ...] = ()
    sources: tuple[str, ...] = ()
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class PortalPage:
    """problems: records that could not be read, and a count that does not fit; doubts: what was read but not surely."""

    heading: str
    records: tuple[Record, ...]
    problems: tuple[FileRemark, ...]
    doubts: tuple[FileRemark, ...]


def read_page(page: PageText, file: str = "") -> PortalPage:
    """Raises NoPortalPage if the page has not the portal's heading. file: what remarks and records name it by"""
    page = PageText(RULER.sub("", page.text), page.lines)
    heading = HEADING.search(page.text)
    if not heading:
        raise NoPortalPage("it has no heading “Evidence in …” or “Evidence for …” with a number of pieces found")
    records: list[Record] = []
    problems: list[FileRemark] = []
    doubts: list[FileRemark] = []
    blocks = _blocks(page.text, heading.end())
    for start, block in blocks:
        line = page.line_at(start)
        try:
            fields = read_fields(block)
            records.append(replace(_record(fields, heading), file=file, line=line))
        except FieldProblem as problem:
            problems.append(FileRemark(file, line, _identifier_of(block), str(problem)))
        else:
            messages = (*fields.doubts, *_date_doubts(fields))
            doubts.extend(FileRemark(file, line, fields.identifier, message) for message in messages)
    if len(blocks) != int(heading["count"]):
        message = f"the heading announces {heading['count']} records, the page has {len(blocks)}"
        problems.append(FileRemark(file, page.line_at(heading.start("by")), "", message))
    title = f"Evidence {heading['by']} {heading['subject']}"
    return PortalPage(title, tuple(records), tuple(problems), tuple(doubts))


def _blocks(text: str, after: int) -> list[tuple[int, str]]:
    """Every record's text and where it starts; the text of the last one runs on to the foot of the page."""
    matches = RECORD.finditer(text, after)
    starts = [match.start(match.lastgroup or 0) for match in matches]
    return [(start, text[start:end]) for start, end in pairwise([*starts, len(text)])]


def _identifier_of(block: str) -> str:
    return block.split(maxsplit=2)[1] if len(block.split(maxsplit=2)) > 1 else ""


def _record(fields: Fields, heading: re.Match[str]) -> Record:
    by_place = heading["by"] == "in"
    game = fields.head.get("Game", "" if by_place else heading["subject"])
    location = fields.head.get("Location", heading["subject"] if by_place else "")
    sources = split_sources(FOOT.split(f"\n{fields.sources}")[0])
    others = dict(fields.others)
    missing = [
        label for label, value in (("Type", fields.head.get("Type")), ("Game", game), ("Source", sources)) if not value
    ]
    if missing:
        raise FieldProblem(f"no field {missing[0]}")
    return Record(
        identifier=fields.identifier,
        type=fields.head["Type"],
        game=game,
        places=tuple(part.strip() for part in location.split(",") if part.strip()),
        ruleset_name=fields.head.get("Ruleset", ""),
        date_words=_checked_date(fields.head.get("Date", "")),
        rules=fields.rules,
        reference=fields.reference,
        content=fields.content,
        confidence=fields.confidence,
        ages=others.pop("Ages", "") or others.pop("Age", ""),
        spaces=others.pop("Spaces", "") or others.pop("Space", ""),
        other_fields=tuple(sorted(others.items())),
        sources=tuple(sources),
    )


def _date_doubts(fields: Fields) -> list[str]:
    words = fields.head.get("Date", "")
    understood = not words or edtf_of_portal(words)
    return [] if understood else [f"the date {words!r} is kept as printed; the record counts as undated"]


def _checked_date(words: str) -> str:
    try:
        edtf_of_portal(words)
    except DateProblem as problem:
        raise FieldProblem(f"field Date: {problem}") from problem
    return words
