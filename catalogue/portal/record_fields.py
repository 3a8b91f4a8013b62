"""The fields of one record of the portal.

The portal prints a record as labels and values, on lines of their own or run together on one line, and its labels are
ordinary words (Rules, Type, Content, Source) that also stand in the texts. So a label counts only where the order of
the portal's fields allows it: the head is read from the front, the tail from the back, what is left is the texts.
"""

import re
from dataclasses import dataclass, field

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
        raise FieldProblem(_what_is_wrong_with_the_tail(rest))
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


def _what_is_wrong_with_the_tail(rest: str) -> str:
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
    """Where the label stands, since "Content" may also be a word of the rules or of the quotation.

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
