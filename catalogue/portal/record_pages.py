"""The portal's evidence pages: from a page's text, saved as text or as HTML, to records with their fields."""

import re
import unicodedata
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from catalogue.portal.bibliography import split_sources
from catalogue.portal.reports import FileRemark
from catalogue.texts.dates import DateProblem, edtf_of_portal

if TYPE_CHECKING:
    from bs4 import Tag

LARGEST_PAGE = 4 << 20  # bytes; the longest list of the portal's records has 60,000
LOOKS_LIKE_HTML = re.compile(rb"<(?:!doctype|html|head|body|div|table|p|br|main|section)\b", re.IGNORECASE)
NOT_DISPLAYED = ("script", "style", "head", "template", "noscript")
# fmt: off
ON_LINES_OF_THEIR_OWN = frozenset((
    "address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "div", "dl", "dt", "fieldset",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav",
    "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
))
# fmt: on
CELLS = frozenset(("td", "th"))
SPACES = re.compile(r"[ \t\r\n\f]+")


class NoPortalPage(ValueError):
    """The file is not one of the portal's evidence pages."""


@dataclass(frozen=True, slots=True)
class PageText:
    """text: NFC, lines ended by one character; lines[i]: the line of the file that line i of the text is from."""

    text: str
    lines: tuple[int, ...]

    def line_at(self, offset: int) -> int:
        return self.lines[self.text.count("\n", 0, offset)]


CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def page_text(content: bytes) -> PageText:
    """The text without controls, which no page shows and no database of ours takes all of.

    Raises NoPortalPage for a file that is neither HTML nor UTF-8 text, or that no page is as long or as deep as.
    """
    if len(content) > LARGEST_PAGE:
        raise NoPortalPage(f"it has more than {LARGEST_PAGE:,} bytes; save one page at a time")
    if LOOKS_LIKE_HTML.search(content[:4000]):
        try:
            return _text_of_html(content)
        except RecursionError:
            raise NoPortalPage("its elements are nested too deeply") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise NoPortalPage(f"it is neither HTML nor UTF-8 text (byte {problem.start + 1})") from None
    text = unicodedata.normalize("NFC", CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    return PageText(text, tuple(range(1, text.count("\n") + 2)))


def _text_of_html(content: bytes) -> PageText:
    from bs4 import BeautifulSoup  # only those who send a page need it

    soup = BeautifulSoup(content, "html.parser")
    for hidden in soup(NOT_DISPLAYED):
        hidden.decompose()
    page = _PageLines()
    _add_lines(soup, page, preformatted=False)
    lines = [unicodedata.normalize("NFC", CONTROLS.sub("", line.strip(" "))) for line in page.lines]
    return PageText("\n".join(lines), tuple(page.origins))


@dataclass(slots=True)
class _PageLines:
    """The page as a browser would break it, without its margins."""

    lines: list[str] = field(default_factory=lambda: [""])
    origins: list[int] = field(default_factory=lambda: [1])

    def end_line(self, origin: int) -> None:
        if self.lines[-1].strip():
            self.lines.append("")
            self.origins.append(origin)
        self.origins[-1] = max(origin, self.origins[-1])

    def add(self, words: str, origin: int) -> None:
        if words.strip() and not self.lines[-1].strip():
            self.origins[-1] = max(origin, self.origins[-1])
        self.lines[-1] += words.lstrip(" ") if self.lines[-1].endswith(" ") else words


def _add_lines(node: "Tag", page: _PageLines, preformatted: bool) -> None:
    from bs4.element import NavigableString, PreformattedString, Tag

    for child in node.children:
        origin = (child if isinstance(child, Tag) else node).sourceline or 1
        if isinstance(child, Tag):
            if child.name in ON_LINES_OF_THEIR_OWN:
                page.end_line(origin)
            elif child.name in CELLS:
                page.add(" ", origin)
            _add_lines(child, page, preformatted or child.name == "pre")
            if child.name in ON_LINES_OF_THEIR_OWN:
                page.end_line(origin)
        elif isinstance(child, NavigableString) and not isinstance(child, PreformattedString):
            for number, words in enumerate(child.split("\n") if preformatted else [child]):
                if number:
                    page.end_line(origin + number)
                page.add(SPACES.sub(" ", words), origin + number)


HEAD_LABELS = ("Type", "Location", "Game", "Ruleset", "Date")
TEXT_LABELS = ("Rules", "Reference", "Content")
TAIL_LABELS = ("Ages", "Age", "Genders", "Gender", "Social Status", "Social status", "Spaces", "Space")
IDENTIFIER = re.compile(r"DLP\.Evidence\.[1-9][0-9]*")
QUOTATION_MARKS = "'\"‘’“”«„`"

_TEXT_LABEL = "|".join(TEXT_LABELS)
_TAIL_LABEL = "|".join(TAIL_LABELS)
_VALUE = r"[^\n]{1,120}?"
_DAY = r"-?\d{1,4}-\d\d-\d\d"
_BEFORE_TEXTS = rf"(?=(?:{_TEXT_LABEL}|Confidence)(?:\s|\Z))"
_HEAD_IN_A_LINE = (
    rf"Id\s+(?P<Id>\S+)\s+Type\s+(?P<Type>{_VALUE})(?:\s+Location\s+(?P<Location>{_VALUE}))?"
    rf"(?:\s+Game\s+(?P<Game>{_VALUE}))?(?:\s+Ruleset\s+(?P<Ruleset>{_VALUE}))?"
)
DATED_BY_DAYS = re.compile(rf"{_HEAD_IN_A_LINE}\s+Date\s+(?P<Date>{_DAY}\s*[-–/]\s*{_DAY})\s+{_BEFORE_TEXTS}")
DATED_BY_WORDS = re.compile(rf"{_HEAD_IN_A_LINE}\s+Date\s+(?P<Date>[^\n]{{1,60}}?)\s+{_BEFORE_TEXTS}")
UNDATED = re.compile(rf"{_HEAD_IN_A_LINE}(?:\s+Date)?\s+{_BEFORE_TEXTS}")
HEAD_ON_LINES = re.compile(r"Id\s+\S+[ \t\xa0]*\n\s*Type\b")
ON_A_LINE = re.compile(
    rf"(?P<label>{'|'.join((*HEAD_LABELS, *TEXT_LABELS, 'Confidence'))}|Id)(?:[ \t\xa0]+(?P<value>.*))?"
)
TAIL = re.compile(
    rf"(?P<texts>.*)(?:^|\s)Confidence\s+(?P<confidence>\d{{1,3}}\s?%?)"
    rf"(?P<others>(?:\s+(?:{_TAIL_LABEL})\s+[^\n]{{1,80}}?)*)\s+Source(?:\s+(?P<sources>.*))?",
    re.DOTALL,
)
OTHERS = re.compile(rf"(?P<label>{_TAIL_LABEL})\s+(?P<value>[^\n]+?)(?=\s+(?:{_TAIL_LABEL})\s|\s*\Z)")
ANOTHER_RECORD = re.compile(r"(DLP\.Evidence\.\d+)\s+Type\s")
CONTENT = re.compile(r"(?:(?<=\s)|\A)Content(?=\s)")
# A word in quotation marks or brackets ends no sentence: in ‘puta’ Reference Content ‘naga’ both labels are words.
_SENTENCE_ENDS = r"""[.!?:…][)\]"'’”]*"""
REFERENCE = re.compile(
    rf"(?:\A|(?P<before>{_SENTENCE_ENDS})\s+|\s*\n\s*)Reference(?:\s+(?P<words>(?:[^\n]*\d{{4}}[^\n]*)))?\s*\Z"
)
ENDS_FIELD_OR_SENTENCE = re.compile(rf"{_SENTENCE_ENDS}\Z|\ARules\Z|(?:\A|{_SENTENCE_ENDS}\s+|\n\s*)Reference\Z")


class FieldProblem(ValueError):
    """A record cannot be read; the message names the field."""


@dataclass(slots=True)
class Fields:
    """The fields of one record as printed, texts with their line breaks."""

    identifier: str
    head: dict[str, str]
    rules: str = ""
    reference: str = ""
    content: str = ""
    confidence: str = ""
    others: dict[str, str] = field(default_factory=dict)
    sources: str = ""
    doubts: list[str] = field(default_factory=list)


def read_fields(block: str) -> Fields:
    """The fields of one record's text, from its label "Id" to its last source. Raises FieldProblem."""
    head, rest = _head_on_lines(block) if HEAD_ON_LINES.match(block) else _head_in_a_line(block)
    identifier = head.pop("Id")
    if not IDENTIFIER.fullmatch(identifier):
        raise FieldProblem(f"Id {identifier!r} is not of the form DLP.Evidence.692")
    another = ANOTHER_RECORD.search(rest)
    if another:
        raise FieldProblem(f"{another[1]} runs into it: its label Id was not found")
    tail = TAIL.fullmatch(rest)
    if not tail:
        raise FieldProblem(_tail_problems(rest))
    fields = Fields(identifier, head, confidence=tail["confidence"], sources=(tail["sources"] or "").strip(" \n|"))
    if not fields.sources:
        raise FieldProblem("field Source is empty")
    for other in OTHERS.finditer(tail["others"]):
        fields.others[other["label"]] = other["value"].strip()
    _read_texts(tail["texts"].strip(), fields)
    return fields


def _head_in_a_line(block: str) -> tuple[dict[str, str], str]:
    match = DATED_BY_DAYS.match(block)
    if not match:
        # Without a range of days the date may be any words or none: the texts begin at the first label of one.
        found = [match for match in (DATED_BY_WORDS.match(block), UNDATED.match(block)) if match]
        match = min(found, key=lambda match: match.end(), default=None)
    if match:
        return {label: value.strip() for label, value in match.groupdict().items() if value}, block[match.end() :]
    if not re.search(r"\sType\s", block):
        raise FieldProblem("no field Type")
    if not re.search(r"\s(?:Rules|Content)\s", block):
        raise FieldProblem("neither Rules nor Content")
    raise FieldProblem("its first fields are not Id, Type, then Location, Game, Ruleset or Date, then Rules or Content")


def _head_on_lines(block: str) -> tuple[dict[str, str], str]:
    """Labels either stand before their values or, throughout the record, on a line above them."""
    head: dict[str, str] = {}
    label, start = "", 0
    above = re.match(r"Id[ \t\xa0]*\n", block) is not None
    for line in re.findall(r"[^\n]*\n|[^\n]+", block):
        words = line.strip()
        match = ON_A_LINE.fullmatch(words)
        if match and above and match["value"] and head.get(label) == "":
            match = None  # a value that begins with the word of a label
        if match and match["label"] not in ("Id", *HEAD_LABELS):
            return {label: value for label, value in head.items() if value}, block[start:]
        if match and match["label"] in head:
            raise FieldProblem(f"field {match['label']} stands twice before the texts")
        if match:
            label = match["label"]
            head[label] = match["value"] or ""
        elif words and head.get(label) == "":
            head[label] = words
        elif words:
            known = ", ".join((*HEAD_LABELS, *TEXT_LABELS))
            raise FieldProblem(f"unknown field {words.split()[0]!r} before the texts; known are {known}")
        start += len(line)
    raise FieldProblem("neither Rules nor Content")


def _tail_problems(rest: str) -> str:
    if not re.search(r"\bConfidence\s+\d", rest):
        return "no field Confidence with a number"
    after = re.split(r"\bConfidence\s+\d{1,3}\s?%?", rest)[-1].strip()
    if not re.search(r"(?:^|\s)Source(?:\s|$)", after):
        return "no field Source after Confidence"
    between = after.split("Source")[0].strip()
    return (
        f"unknown field between Confidence and Source: {between[:60]!r}; known are Ages, Genders, Social status, Spaces"
    )


def _read_texts(texts: str, fields: Fields) -> None:
    start = _start_of_content(texts, fields)
    before = texts[:start].strip() if start is not None else texts
    if start is not None:
        fields.content = texts[start + len("Content") :].strip()
    reference = REFERENCE.search(before)
    if reference:
        fields.reference = (reference["words"] or "").strip()
        before = before[: reference.end("before") if reference["before"] else reference.start()].strip()
    if before and not re.match(r"Rules(?:\s|\Z)", before):
        raise FieldProblem(f"unknown field {before.split()[0]!r} before Content; known are Rules, Reference, Content")
    fields.rules = before[len("Rules") :].strip()
    if not fields.rules and not fields.content:
        raise FieldProblem("no text: the labels Rules and Content are both missing or have nothing after them")


def _start_of_content(texts: str, fields: Fields) -> int | None:
    """Return the position of the label, since "Content" may also be a word of the rules or of the quotation.

    The label follows a line break or the end of a sentence, and most often a quotation mark follows it; it is taken
    where both hold, else where the first does, else where the second does; of equals at the beginning of a line.
    """
    candidates = []
    for match in CONTENT.finditer(texts):
        before = texts[: match.start()].rstrip(" \t\xa0")
        begins_line = before == "" or before.endswith("\n")
        clear = begins_line or ENDS_FIELD_OR_SENTENCE.search(before) is not None
        quoted = texts[match.end() :].lstrip()[:1] in QUOTATION_MARKS
        if clear or quoted:
            candidates.append((not (clear and quoted), not clear, not begins_line, match.start()))
    if not candidates:
        return None
    if len(candidates) > 1:
        places = f"the word Content could begin the quotation at {len(candidates)} places"
        fields.doubts.append(f"{places}; the surest was taken")
    return 0 if candidates[0][-1] == 0 else min(candidates)[-1]


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
