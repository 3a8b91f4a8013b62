"""What a reader sees of an answer, as lines of text: two answers that show the same give the same lines.

Markup and the blanks between are left out. What only the clock wrote is replaced by a word for it in ‹›.
"""

import datetime
import difflib
import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import yaml
from bs4 import BeautifulSoup, Tag

from tests.proofs.house_openapi import without_descriptions

NOT_SEEN = ("script", "style", "template")
BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "br", "button", "caption", "dd", "desc", "details",
    "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
    "h5", "h6", "head", "header", "hr", "html", "label", "legend", "li", "main", "nav", "ol", "option", "p",
    "pre", "section", "select", "summary", "svg", "table", "tbody", "td", "text", "textarea", "tfoot", "th",
    "thead", "title", "tr", "ul",
}  # fmt: skip
FAR, MOST_SHOWN, LONGEST_SHOWN = 50, 12, 240  # lines looked at beyond a difference; lines shown, characters of each
BREAK = "\x1e"  # between blocks: unlike a new line, no page holds it
SPOKEN = ("alt", "aria-label", "placeholder", "title")  # attributes with words for a reader


@dataclass(frozen=True)
class Answer:
    """What a site said to one path. at: the path that it led to; days: of the demo and of the answer, in UTC."""

    status: int
    kind: str
    text: str
    at: str
    days: list[str]

    def is_same(self, other: "Answer") -> bool:
        """To the letter."""
        return (self.status, self.kind, self.text) == (other.status, other.kind, other.text)


@dataclass
class Words:
    """Words that were changed on purpose. before: plain words, or a regular expression between slashes."""

    before: str
    after: str
    reason: str
    met: int = 0

    @property
    def pattern(self) -> str:
        if len(self.before) > 1 and self.before[0] == self.before[-1] == "/":
            return self.before[1:-1]
        plain = r"\s+".join(map(re.escape, self.before.split()))
        return rf"(?<!\w){plain}(?!\w)"

    def changed(self, text: str) -> str:
        """The text with the new words; where they stand already they stay, even if they hold the old ones."""
        new = re.escape(self.after) or "(?!)"  # no words at all stand nowhere
        return re.sub(f"(?P<new>{new})|{self.pattern}", self._replaced, text)

    def _replaced(self, found: re.Match[str]) -> str:
        self.met += found["new"] is None
        return self.after


def lines_of(answer: Answer) -> list[str]:
    """The lines of text of an answer, without what changes from one moment to the next."""
    return [f"status {answer.status}, {answer.kind}", *without_clock(_text(answer), answer.days).splitlines()]


def _text(answer: Answer) -> str:
    if "html" in answer.kind:
        return html_text(answer.text)
    if "openapi" in answer.kind:  # what may change of it is judged by a part of its own
        return yaml.safe_dump(without_descriptions(yaml.safe_load(answer.text)), sort_keys=False, allow_unicode=True)
    if "json" in answer.kind:
        return json.dumps(json.loads(answer.text), indent=1, ensure_ascii=False)
    return answer.text


def html_text(document: str) -> str:
    """A line for every block with words, in the order of the page."""
    soup = BeautifulSoup(document, "html.parser")
    for tag in soup.find_all(NOT_SEEN):
        tag.decompose()
    for tag in soup.find_all(True):
        for words in _spoken(tag):
            tag.insert(0, f"{BREAK}{words}{BREAK}")
        if tag.name in BLOCKS:
            tag.insert_before(BREAK)
            tag.insert_after(BREAK)
    lines = (" ".join(line.split()) for line in soup.get_text().split(BREAK))
    return "\n".join(line for line in lines if line)


def without_clock(text: str, days: Iterable[str]) -> str:
    """The text with ‹…› for dates of those days, for times beside them, and for what a solution cost the machine."""
    for day in map(datetime.date.fromisoformat, days):
        for form, written in _forms(day).items():
            text = re.sub(rf"(?<!\d){re.escape(written)}(?!\d)", form, text)
    text = re.sub(r"(?<=›)(T|, )\d\d:\d\d(:\d\d\.\d+)?", r"\1‹time›", text)
    return re.sub(r"[\d.]+ s and at most [\d.,]+ MB", "‹seconds› s and at most ‹megabytes› MB", text)


def _forms(day: datetime.date) -> dict[str, str]:
    """Every form that the site writes a date in, by its name."""
    return {
        "‹yyyy-mm-dd›": f"{day:%Y-%m-%d}",
        "‹yyyy/mm/dd›": f"{day:%Y/%m/%d}",
        "‹d Month yyyy›": f"{day.day} {day:%B %Y}",
        "‹d Mon yyyy›": f"{day.day} {day:%b %Y}",
        "‹Month d, yyyy›": f"{day:%B} {day.day}, {day:%Y}",
    }


def _spoken(tag: Tag) -> Iterator[str]:
    for name in SPOKEN:
        if words := tag.get(name):
            yield f"[{name}: {' '.join(str(words).split())}]"


def difference(before: list[str], now: list[str], words: Collection[Words] = ()) -> list[str]:
    """The first lines that differ, as a diff, once the listed words are changed in both; empty if none differs."""
    one, other = (_with_new_words(lines, words) for lines in (before, now))
    if one == other:
        return []
    shorter = min(len(one), len(other))  # if all of it is how the longer one begins
    start = next((number for number in range(shorter) if one[number] != other[number]), shorter)
    near = slice(max(start - 1, 0), start + FAR)
    shown = list(difflib.unified_diff(one[near], other[near], lineterm="", n=1))[3 : 3 + MOST_SHOWN]
    return [line[:LONGEST_SHOWN] for line in shown]


def _with_new_words(lines: list[str], words: Collection[Words]) -> list[str]:
    text = "\n".join(lines)
    for one in words:
        text = one.changed(text)
    return [line.strip() for line in text.splitlines() if line.strip()]
