"""Citations in words, after The Chicago Manual of Style, 17th edition: note, bibliography, author-date.

Titles are printed as the
source prints them: which words of a title take capitals depends on its language, which is not known. Texts are HTML,
with <i> for titles of books and journals. All words of an item are escaped in the four public functions and nowhere
else, so that no field can be forgotten.
"""

import datetime
import re
from calendar import month_name
from collections.abc import Iterable, Mapping, Sequence
from html import escape, unescape
from typing import Any

from catalogue.texts.names import AND_OTHERS, LABELS, Name
from catalogue.texts.names import people as people

EDITION = "The Chicago Manual of Style, 17th edition"
MOST_NAMES, NAMES_OF_MANY = 10, 7  # a bibliography names seven of more than ten (CMOS 14.76)
MOST_IN_A_NOTE = 3  # a note names the first of more than three
ENDS_A_SENTENCE = re.compile(r"[.?!](?:['\"’”]|</i>)*$")
RANGE = re.compile(r"(?<!\d)(\d+)\s*[-–—]\s*(\d+)(?!\d)")
Item = Mapping[str, Any]


def in_order(name: Name) -> str:
    """H. J. R. Murray"""
    suffix = f" {name['suffix']}" if "suffix" in name else ""
    return name.get("literal") or f"{_spaced(name['given'])} {name['family']}{suffix}"


def inverted(name: Name) -> str:
    """Murray, H. J. R.; Smith, J., Jr."""
    suffix = f", {name['suffix']}" if "suffix" in name else ""
    return name.get("literal") or f"{name['family']}, {_spaced(name['given'])}{suffix}"


def _spaced(given: str) -> str:
    """Initials stand apart, however closely the source prints them."""
    return re.sub(r"(?<=\b[^\W\d_]\.)(?=[^\W\d_]\.)", " ", given)


def chicago(item: Item) -> str:
    """The entry of a bibliography."""
    item = _escaped(item)
    parts = [_authors(item, for_list=True), _title(item, "."), *_where(item, in_note=False, with_year=True)]
    return _sentences([*parts, *_online(item)])


def chicago_author_date(item: Item) -> str:
    """The entry of a list of references."""
    item = _escaped(item)
    authors, title = _authors(item, for_list=True), _title(item, ".")
    dated = [authors, _year(item), title] if authors else [title, _year(item)]
    return _sentences([*dated, *_where(item, in_note=False, with_year=False), *_online(item)])


def chicago_note(item: Item, locator: str = "") -> str:
    """The full note of a first citation; `locator` is a page, "597-598", and takes the place of an article's pages."""
    return _note(_escaped(item), _escaped(locator))


def _note(item: Item, locator: str) -> str:
    if locator and item["type"] in ("article-journal", "chapter"):
        item, locator = {**item, "page": locator}, ""
    head = _list([_authors(item, for_list=False), _title(item, ",")], ", ")
    tail = _list([*_where(item, in_note=True, with_year=True), _pages(locator)], ", ")
    between = " " if tail.startswith("(") or head.endswith((",”", ",’”")) else ", "
    online = [part.replace("Accessed", "accessed", 1) for part in _online(item)]
    return _closed(_list([_list([head, tail], between), *online], ", "))


def plain_note(printed: Sequence[Mapping[str, Any]]) -> str:
    """Return which sources a record quotes or names, in plain text: `printed` is `custom.sources` of its item."""
    return without_tags(" ".join(map(_closed, _printed(_escaped(printed)))))


def without_tags(text: str) -> str:
    """A citation as plain text."""
    return unescape(re.sub(r"</?i>", "", text))


def _escaped(value: Any) -> Any:
    """All words in it, however deep, as HTML that means nothing but these words."""
    if isinstance(value, str):
        return escape(value, quote=False)
    if isinstance(value, Mapping):
        return {key: _escaped(inner) for key, inner in value.items()}
    return [_escaped(inner) for inner in value] if isinstance(value, Sequence) else value


def _printed(printed: Iterable[Mapping[str, Any]]) -> list[str]:
    notes: dict[str, list[str]] = {}
    for one in printed:
        notes.setdefault(one["role"], []).append(_note(one["item"], one["locator"]).removesuffix("."))
    return [f"{role} {'; '.join(some)}" for role, some in notes.items()]


def _authors(item: Item, *, for_list: bool) -> str:
    role = next((role for role in ("author", *LABELS) if item.get(role)), None)
    if role is None:
        return ""
    names: Sequence[Name] = item[role]
    joined = _joined(names, for_list)
    return joined if role == "author" else f"{joined}, {LABELS[role][len(names) > 1]}"


def _joined(names: Sequence[Name], for_list: bool) -> str:
    others = names[-1] == AND_OTHERS
    named = [name for name in names if name != AND_OTHERS]
    most, kept = (MOST_NAMES, NAMES_OF_MANY) if for_list else (MOST_IN_A_NOTE, 1)
    if len(named) > most:
        named, others = named[:kept], True
    texts = [in_order(name) for name in named]
    if for_list:
        texts[0] = inverted(named[0])
    is_inverted = for_list and "family" in named[0]
    if others:
        return ", ".join([*texts, "et al."]) if len(texts) > 1 or is_inverted else f"{texts[0]} et al."
    if len(texts) == 1:
        return texts[0]
    comma = "," if len(texts) > 2 or is_inverted else ""
    return f"{', '.join(texts[:-1])}{comma} and {texts[-1]}"


def _title(item: Item, mark: str) -> str:
    """The title, in italics if it stands for itself, else in quotation marks that enclose the mark that follows."""
    title = item.get("title", "")
    if item["type"] == "document":
        return _typographic(title).removesuffix(".")
    if item["type"] == "book" or "container-title" not in item:
        return f"<i>{_typographic(title)}</i>" if title else ""
    return f"“{_marked(_typographic(title, inside=True), mark)}”"


def _marked(title: str, mark: str) -> str:
    """The title with the mark at its end, inside inner quotation marks; a comma replaces a full stop."""
    end = len(title.rstrip("’")) if "‘" in title else len(title)
    body, quotes = title[:end], title[end:]
    if mark == "." and body.endswith((".", "?", "!")):
        return title
    return f"{body.removesuffix('.')}{mark}{quotes}"


def _where(item: Item, *, in_note: bool, with_year: bool) -> list[str]:
    """The parts between the title and the address: sentences of a bibliography, or parts of a note."""
    kind, year = item["type"], _year(item) if with_year else ""
    if kind == "article-journal":
        return [_journal(item, year)]
    place = _list([item.get("publisher-place", "")], "")
    house = item.get("publisher", "")
    published = _list([_list([place, house], ": "), year if item.get("issued") else ""], ", ")
    if kind == "chapter":
        inside = f"{'in' if in_note else 'In'} <i>{_typographic(item['container-title'])}</i>"
        if "editor" in item and "author" in item:
            inside += f", {'ed.' if in_note else 'edited by'} {_joined_in_order(item['editor'])}"
        pages = _pages(item.get("page", ""))
        if in_note:
            return [_list([f"{inside} ({published})" if published else inside, pages], ", ")]
        return [_list([inside, pages], ", "), published]
    if kind == "dataset":
        return _entry(item, in_note, year)
    return [f"({published})"] if in_note and published else [published]


def _entry(item: Item, in_note: bool, year: str) -> list[str]:
    """An entry of this catalogue: what it is called there, and the version that was seen."""
    number = numbered(item)
    version = f"version {item['version']}" if item.get("version") else ""
    name = item.get("container-title", "")
    inside = f"{'in' if in_note else 'In'} <i>{name}</i>" if name else ""
    entry = [_list([inside, number, version, year], ", ")]
    printed = _printed(item.get("custom", {}).get("sources", ()))
    if in_note:
        return [*entry, "; ".join(one[0].lower() + one[1:] for one in printed)]
    return [*entry, *(printed or [item.get("note", "")])]


def numbered(item: Item) -> str:
    """Record DLP.Evidence.692"""
    return _list([item.get("genre", ""), item.get("archive_location", "")], " ")


def entry_in_words(item: Item) -> str:
    """Evidence of Traditional Games, Record DLP.Evidence.692"""
    return _list([item.get("container-title", ""), numbered(item)], ", ")


def _journal(item: Item, year: str) -> str:
    name = f"<i>{_typographic(item.get('container-title', ''))}</i>"
    volume, pages = item.get("volume", ""), _pages(item.get("page", ""))
    if not volume:
        return _list([name, year, pages], ", ")
    return _list([f"{name} {volume}{f' ({year})' if year else ''}", pages], ": ")


def _joined_in_order(names: Sequence[Name]) -> str:
    return _joined(names, for_list=False) if len(names) <= MOST_IN_A_NOTE else f"{in_order(names[0])} et al."


def _online(item: Item) -> list[str]:
    seen = item.get("accessed", {}).get("date-parts", [[]])[0]
    day = f"Accessed {_day(datetime.date(*seen))}" if seen else ""
    return [part for part in (day, item.get("URL", "")) if part]


def _day(date: datetime.date) -> str:
    """November 21, 2026"""
    return f"{month_name[date.month]} {date.day}, {date.year}"


def _year(item: Item) -> str:
    """1909; 44 BCE; n.d."""
    year = item.get("issued", {}).get("date-parts", [[None]])[0][0]
    if year is None:
        return "n.d."
    return str(year) if year > 0 else f"{-year} BCE"  # in CSL-JSON -44 is 44 BCE, and there is no year 0


def _pages(text: str) -> str:
    """Second numbers of ranges as the manual shortens them (CMOS 9.61): 3–10, 100–104, 107–8, 321–28, 1496–500."""
    return RANGE.sub(lambda found: f"{found[1]}–{_shortened(found[1], found[2])}", text)


def _shortened(first: str, last: str) -> str:
    if len(first) != len(last) or len(first) < 3 or int(first) % 100 == 0:
        return last
    same = next((place for place, (one, other) in enumerate(zip(first, last, strict=True)) if one != other), len(first))
    return last[-max(len(last) - same, 1 if int(first) % 100 < 10 else 2) :]


def _typographic(text: str, *, inside: bool = False) -> str:
    """The text with the quotation marks of print; inside double marks a double one becomes a single one."""
    text = re.sub(r'(^|[\s(\[—–])"', r"\1“", text).replace('"', "”")
    text = re.sub(r"(^|[\s(\[—–“])'", r"\1‘", text).replace("'", "’")
    if inside:
        text = text.replace("“", "‘").replace("”", "’")
    return text


def _list(parts: Iterable[str], between: str) -> str:
    return between.join(part for part in parts if part)


def _sentences(parts: Iterable[str]) -> str:
    return " ".join(_closed(part) for part in parts if part)


def _closed(text: str) -> str:
    return text if ENDS_A_SENTENCE.search(text) else f"{text}."
