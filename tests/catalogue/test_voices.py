"""Who speaks: the same names, marks and inks for a book, today's summary, the Ludii program and a reconstruction."""

import json
import lzma
import re
from pathlib import Path
from typing import Any

import pytest

from catalogue.outcomes.bars import NOT_OVER, Outcomes, Segment
from catalogue.templatetags.wording import voice_mark, voiced
from catalogue.texts.voices import KINDS, in_names_of_voices, title_in_documents, voice_of

FIXTURES = Path(__file__).parents[2] / "fixtures"


def fields(name: str) -> list[dict[str, Any]]:
    return [row["fields"] for row in json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))]


READINGS = fields("readings")


@pytest.mark.parametrize(
    ("authority", "title", "kind", "name", "label"),
    [
        ("parker", "Daramuti, after Parker 1909", "book", "Parker 1909", "Parker 1909"),
        ("das-gupta", "", "book", "Das Gupta", "Das Gupta"),
        ("dlp", "X, after today’s summary (DLP)", "summary", "today’s summary", "Today’s summary"),
        ("ludii", "X, as the Ludii program plays it", "program", "the Ludii program", "Ludii program"),
        ("reference", "Kalah, reference rules", "other", "the reference rules", "Reference rules"),
        ("crosses", "P, with crosses", "other", "“with crosses”", "With crosses"),
    ],
)
def test_a_voice_has_a_name_a_label_and_a_kind(authority: str, title: str, kind: str, name: str, label: str) -> None:
    voice = voice_of(authority, title)
    assert (voice.kind.slug, *voice.words) == (kind, name, label)
    assert voice.line.startswith(f"{label}: ")


def test_no_label_is_a_bare_name() -> None:
    labels = {voice_of(one["authority"], one["title"]).label for one in READINGS}
    assert not labels & {"Portal", "Dlp", "Ludii", "Parker", "Ludovisi", "Das-Gupta", "Culin"}


def test_a_book_is_cited_by_the_records_of_its_reading() -> None:
    sources = {one["key"]: f"{one['authors'].partition(',')[0]} {one['year']}" for one in fields("sources")}
    cited: dict[str, set[str]] = {}
    for one in fields("evidence"):
        if "source" in one:
            cited.setdefault(one["evidence"][0], set()).add(sources[one["source"][0]])
    books = [one for one in READINGS if voice_of(one["authority"], one["title"]).kind.slug == "book"]
    assert len(books) > 15
    for one in books:
        label = voice_of(one["authority"], one["title"]).label
        assert label in set().union(*(cited[record] for (record,) in one["evidence"])), one["slug"]


def test_voices_are_told_apart_without_colour() -> None:
    assert len({kind.mark for kind in KINDS}) == len({kind.style for kind in KINDS}) == len(KINDS)
    assert all(f'class="mark v-{kind.slug}"' in voice_mark(kind.slug) for kind in KINDS)
    assert voice_mark("") == ""
    reading = type("Reading", (), {"authority": "dlp", "title": ""})
    assert re.fullmatch(r'<span class="voice v-summary" title="[^"]{40,}"><svg.*</svg>Today’s summary</span>',
                        voiced(reading))  # fmt: skip


def test_documents_of_conclusions_keep_the_words_they_had() -> None:
    titles = {one["slug"]: title_in_documents(one["title"]) for one in READINGS}
    for path in sorted((FIXTURES / "edition" / "comparisons").glob("*.json.xz"))[:12]:
        for side in json.loads(lzma.decompress(path.read_bytes()))["document"]["rulesets"]:
            assert titles[side["name"]] == side["title"]


def test_pages_name_the_voices_of_kept_documents_as_today() -> None:
    kept = "Under the portal’s paraphrase games are as long as under the Ludii programme’s rules. The portal’s"
    assert in_names_of_voices(kept) == (
        "Under today’s summary games are as long as under the Ludii program. The portal’s"
    )


def test_pages_say_what_kept_documents_say_in_words_of_today() -> None:
    """Documents that are cited by their content keep private words; a page is read aloud."""
    kept = "games are of few kinds (5 under Parker): they tell what just these players do, and nothing of the rules."
    now = "too few games are different (5 under Parker): they show how these players play, not the rules."
    assert in_names_of_voices(kept) == now
    assert (
        in_names_of_voices("The The first player owned more owned more, of all")
        == "The first player owned more, of all"
    )


def test_a_lead_is_said_to_move_twice_as_far_as_a_share() -> None:
    """81.3 % won instead of 73.2 % is a lead of 62.6 points instead of 46.4; intervals look alike on a page."""
    kept = "games are 0.63 times as long [0.61, 0.65]; the advantage of the a changes by +16.2 [+14, −18.3]"
    assert in_names_of_voices(kept) == (
        "games are 0.63 times as long (0.61 to 0.65); the advantage of the a, its share of wins less that of the other "
        "side, changes by +16.2 (+14 to −18.3)"
    )
    for rest in ("does not change beyond the margin", "changes is not shown", "changes depends on who plays"):
        assert "advantage, its share" in in_names_of_voices(f"the first player’s advantage {rest}")


def test_what_did_not_end_is_written_on_the_bar() -> None:
    """In the words of the tables, and of the glossary."""

    def bar(share: float, stopped: float) -> Outcomes:
        parts = (Segment("won-0", "won", 0, 1 - share, ""), Segment("open", NOT_OVER, 0, share, ""))
        return Outcomes(parts, "", "", 100, stopped)

    said = [bar(*shares).says_open for shares in ((0.2, 0.2), (0.5, 0.5), (1.0, 0.0), (0.7, 0.6), (0.5, 0.4))]
    assert said == ["", "unfinished", "endless", "endless or unfinished", ""]
