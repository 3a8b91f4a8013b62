"""BibTeX, RIS and CSL-JSON, each read back by a programme of other people."""

import json
import re
import unicodedata
from typing import Any

import bibtexparser
import citeproc
import pytest
import rispy
from bibtexparser.middlewares import LatexDecodingMiddleware, SeparateCoAuthors, SplitNameParts
from hypothesis import given
from hypothesis import strategies as st

from catalogue.citations.chicago import chicago, chicago_note
from catalogue.citations.formats import FORMATS, bibtex, csl_json, ris
from catalogue.citations.items import source_item
from catalogue.models import Source

# What a source of the catalogue may say: any letters, but no control characters (a form field takes none).
TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp", "Co", "Cf")), max_size=60)
LATIN = st.text(st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_categories=("Cc", "Cf")), max_size=60)


def read_bibtex(text: str, *, decoded: bool = False) -> list[dict[str, Any]]:
    names = [SeparateCoAuthors(), SplitNameParts()]
    library = bibtexparser.parse_string(text, append_middleware=[LatexDecodingMiddleware()] if decoded else names)
    assert not library.failed_blocks
    return [
        {"type": entry.entry_type, "key": entry.key, **{name: field.value for name, field in entry.fields_dict.items()}}
        for entry in library.entries
    ]


def test_bibtex_of_an_article():
    marin = Source(
        key="marin-1942", authors="Marin, G.; Lal, B. K.", year=1942, title="An Ancestor of 'Ludo' & Co.",
        container="Man", volume="42", pages="114–117",
    )  # fmt: skip
    (entry,) = read_bibtex(bibtex(source_item(marin)))
    assert (entry["type"], entry["key"]) == ("article", "marin-1942")
    assert entry["title"] == r"{An Ancestor of 'Ludo' \& Co.}"
    assert (entry["journal"], entry["volume"], entry["pages"], entry["year"]) == ("Man", "42", "114--117", "1942")
    assert [(name.first, name.last) for name in entry["author"]] == [(["G."], ["Marin"]), (["B.", "K."], ["Lal"])]


def test_bibtex_tells_bodies_editors_and_others():
    body = Source(key="a", authors="Lal and Sons", year=1900, title="Games")
    assert "author = {{Lal and Sons}}" in bibtex(source_item(body))
    edited = Source(key="b", authors="Culin, S.; Doe, J. (eds.)", year=1900, title="Games")
    (entry,) = read_bibtex(bibtex(source_item(edited)))
    assert [name.last for name in entry["editor"]] == [["Culin"], ["Doe"]]
    assert "author" not in entry
    many = Source(key="c", authors="Culin, S. et al.", year=1900, title="Games")
    assert "author = {Culin, S. and others}" in bibtex(source_item(many))


def test_the_key_is_one_that_tex_can_write():
    item = {"id": "daramuti-parker@1, {x}", "type": "dataset", "title": "T"}
    assert bibtex(item).startswith("@misc{daramuti-parker-1-x,\n")


@given(title=LATIN, publisher=LATIN)
def test_bibtex_is_read_by_another_programme_as_written(title, publisher):
    item = {"id": "x", "type": "book", "title": title, "publisher": publisher}
    (entry,) = read_bibtex(bibtex(item), decoded=True)
    assert _same(entry.get("title", "")) == _same(title)
    assert _same(entry.get("publisher", "")) == _same(publisher)


def _same(text: str) -> str:
    """The reader writes some marks in letters of its own, and TeX has ligatures for dashes and quotation marks."""
    text = unicodedata.normalize("NFC", text.strip("{}") if text.startswith("{") else text)
    text = text.translate({0x2C6: "^", 0x2DC: "~", 0x201C: "``", 0x201D: "''", 0x2013: "--", 0x2014: "---"})
    text = text.replace("’", "'").replace("‘", "`").replace("¡", "!`").replace("¿", "?`").replace("\xa0", " ")
    return re.sub(r"[\s{}]+", "", text.replace('"', "''"))


def test_ris_of_a_chapter_and_an_article():
    chapter = Source(
        key="c", authors="Culin, S.", year=1898, title="A chapter", container="The Book", pages="10-20",
        place="Washington", publisher="Press",
    )  # fmt: skip
    article = Source(key="d", authors="Marin, G.", year=1942, title="Ludo", container="Man", volume="42", pages="9")
    text = FORMATS["ris"].write([source_item(chapter), source_item(article)])
    assert text.count("\r\n") == text.count("\n")
    first, second = rispy.loads(text)
    assert (first["type_of_reference"], first["secondary_title"]) == ("CHAP", "The Book")
    assert (first["start_page"], first["end_page"], first["place_published"]) == ("10", "20", "Washington")
    assert (second["type_of_reference"], second["volume"], second["authors"]) == ("JOUR", "42", ["Marin, G."])
    assert second["year"] == "1942"
    assert "end_page" not in second


@given(title=TEXTS, name=TEXTS)
def test_what_another_programme_reads_in_ris_is_what_was_written(title, name):
    item = {"id": "x", "type": "book", "title": title, "author": [{"literal": f"x{name}"}]}
    (entry,) = rispy.loads(ris(item))
    assert entry.get("title", "") == " ".join(title.split())
    assert entry["authors"] == [" ".join(f"x{name}".replace("*", "").split())]


def test_no_text_can_break_out_of_its_line():
    item = {"id": "x", "type": "book", "title": "A\r\nER  - \r\nTY  - BOOK\nTI  - B\u2028C"}
    (entry,) = rispy.loads(ris(item))
    assert entry["title"] == "A ER - TY - BOOK TI - B C"


def test_csl_json_names_only_what_csl_knows():
    marin = Source(
        key="m", authors="Marin, G. (ed.)", year=1942, title="L", container="Man", volume="42", pages="9",
        place="P", publisher="Q",
    )  # fmt: skip
    (item,) = json.loads(csl_json([source_item(marin)]))
    known = {name.replace("_", "-") for name in citeproc.VARIABLES} | {"id", "type", "custom"}
    assert item.keys() <= known
    assert item["issued"] == {"date-parts": [[1942]]}


@pytest.mark.parametrize(
    ("year", "csl", "words"), [(-379, -380, "380 BCE"), (0, -1, "1 BCE"), (44, 44, "44"), (1909, 1909, "1909")]
)
def test_each_form_counts_years_in_its_own_way(year, csl, words):
    """CSL has no year 0 and -380 is 380 BCE; in BibTeX and RIS, where readers disagree, the era is said in words."""
    item = source_item(Source(key="a", authors="Plato", year=year, title="Republic"))
    assert item["issued"] == {"date-parts": [[csl]]}
    (entry,) = read_bibtex(bibtex(item))
    assert (entry["year"], "date" in entry) == (words, False)
    assert rispy.loads(ris(item))[0]["year"] == words
    assert chicago(item) == f"Plato. <i>Republic</i>. {words}."


def test_a_suffix_stands_where_each_form_has_it():
    source = Source(key="a", authors="Smith, Jr., J. and T. Doe, trans.", year=1900, title="Games", publisher="Press")
    item = source_item(source)
    assert item["translator"][0] == {"family": "Smith", "given": "J.", "suffix": "Jr."}
    assert "translator = {Smith, Jr., J. and Doe, T.}" in bibtex(item)
    assert rispy.loads(ris(item))[0]["authors"] == ["Smith, J., Jr.", "Doe, T."]
    assert chicago(item) == "Smith, J., Jr., and T. Doe, trans. <i>Games</i>. Press, 1900."
    assert chicago_note(item) == "J. Smith Jr. and T. Doe, trans., <i>Games</i> (Press, 1900)."


def test_an_entry_is_named_where_no_style_prints_it_wrongly():
    """Not as a number: "(Claim No. dam/won)"; nor with a preposition of its own: "In: Evidence"."""
    item = {
        "id": "claim-dam-won", "type": "dataset", "title": "T", "genre": "Claim", "archive_location": "dam/won",
        "container-title": "Evidence of Traditional Games",
    }  # fmt: skip
    (entry,) = read_bibtex(bibtex(item))
    assert entry["howpublished"] == "Evidence of Traditional Games, Claim dam/won"
    assert "number" not in entry
    assert rispy.loads(ris(item))[0]["accession_number"] == "dam/won"
