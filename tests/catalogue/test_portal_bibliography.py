"""The six works the records are from, taken apart, and the page numbers printed with the quotations."""

import pytest

from catalogue.models.evidence import source_words
from catalogue.portal.bibliography import find_locators, parse_reference, split_sources
from tests.builders import PARKER
from tests.catalogue.portal_layouts import read_file

LUDOVISI = (
    "Ludovisi, L. 1873. 'The sports and games of the Singhalese.' The Journal of the Ceylon Branch of the Royal "
    "Asiatic Society of Great Britain and Ireland. 17–41."
)
MURRAY = "Murray, H.J.R. 1951. A History of Board-Games Other Than Chess. Oxford: Clarendon Press."
DAS_GUPTA = (
    'Das-Gupta. H. 1923. "Notes on a Type of Sedentary Game Prevalent in Many Parts of India." Journal and '
    "Proceedings of the Asiatic Society of Bengal 19: 71-74."
)
MARIN = "Marin, G. 1942. \"An Ancestor of the Game of 'Ludo.'\" Man 42: 114-117."


def test_a_book() -> None:
    book = parse_reference(PARKER)
    assert (book.key, book.authors, book.year, book.title) == ("parker-1909", "Parker, H.", 1909, "Ancient Ceylon")
    assert (book.place, book.publisher, book.container) == ("New Delhi", "Asian Educational Services", "")


def test_an_article_without_a_volume() -> None:
    article = parse_reference(LUDOVISI)
    assert article.title == "The sports and games of the Singhalese"
    assert article.container.startswith("The Journal of the Ceylon Branch")
    assert article.container.endswith("Great Britain and Ireland")
    assert (article.volume, article.pages) == ("", "17–41")


def test_an_article_with_a_full_stop_after_its_author() -> None:
    article = parse_reference(DAS_GUPTA)
    assert (article.key, article.authors, article.year) == ("das-gupta-1923", "Das-Gupta, H.", 1923)
    assert (article.volume, article.pages) == ("19", "71-74")
    assert article.container == "Journal and Proceedings of the Asiatic Society of Bengal"


def test_a_title_within_a_title() -> None:
    article = parse_reference(MARIN)
    assert article.title == "An Ancestor of the Game of 'Ludo.'"
    assert (article.container, article.volume, article.pages) == ("Man", "42", "114-117")


def test_what_follows_no_pattern_is_kept_as_printed() -> None:
    loose = parse_reference("Personal communication from a player in Kandy")
    assert (loose.as_printed, loose.year, loose.authors) == ("Personal communication from a player in Kandy", None, "")
    assert loose.key == "personal-communication-from-a-player"


@pytest.mark.parametrize(
    "printed",
    [
        f"{LUDOVISI}, {MURRAY}, {PARKER}",
        f"{LUDOVISI}, {MURRAY}, {PARKER}\n, {LUDOVISI}",
        f", {LUDOVISI},\n{MURRAY} ,{chr(10)}  {PARKER},",
        f"{LUDOVISI},\u00a0{MURRAY}, {PARKER.replace('New Delhi', 'New' + chr(10) + 'Delhi')}",
    ],
)
def test_stray_commas_broken_lines_and_repetitions(printed: str) -> None:
    assert split_sources(printed) == [LUDOVISI, MURRAY, PARKER]


def test_the_commas_of_several_authors_do_not_split_a_reference() -> None:
    printed = (
        "Voogt, A. de, Dunn-Vaturi, A., Eerkens, J. 2013. Cultural transmission. Journal of Science 40: 1715-1730."
    )
    assert split_sources(printed) == [printed]


@pytest.mark.parametrize(
    ("identifier", "reference", "pages"),
    [
        ("DLP.Evidence.690", PARKER, "597-598"),
        ("DLP.Evidence.1316", PARKER, "609-610"),
        ("DLP.Evidence.1478", PARKER, "577, 580"),
        ("DLP.Evidence.1479", LUDOVISI, "34, diagram C"),
        ("DLP.Evidence.823", LUDOVISI, "33–34"),
        ("DLP.Evidence.823", MURRAY, "68"),
        ("DLP.Evidence.1485", PARKER, "611-614"),
        ("DLP.Evidence.1760", MARIN, "114, 116"),
    ],
)
def test_pages_printed_with_a_quotation(identifier: str, reference: str, pages: str) -> None:
    records = {record.identifier: record for record in read_file("sri-lanka.txt").records}
    (locator,) = find_locators(records[identifier].content, parse_reference(reference))
    assert locator.pages == pages


@pytest.mark.parametrize(
    ("printed", "parts"),
    [
        (
            "Austin, R. 1940. Greek board games. Antiquity 14: 257–271.",
            {"title": "Greek board games", "container": "Antiquity", "volume": "14", "pages": "257–271"},
        ),
        (
            "Gupta, H. 1926. A Few Types of Games. J. Proc. Asiatic Soc. Bengal 22: 211-213.",
            {"title": "A Few Types of Games", "container": "J. Proc. Asiatic Soc. Bengal", "volume": "22"},
        ),
        (
            "Austin, R. 1934. 'Roman board games.' Greece and Rome 4(10): 24-34.",
            {"title": "Roman board games", "container": "Greece and Rome", "volume": "4(10)", "pages": "24-34"},
        ),
        (
            "Finkel, I. (ed.). 2007. Ancient Board Games. London: British Museum Press. 45-67.",
            {"title": "Ancient Board Games", "place": "London", "publisher": "British Museum Press", "pages": "45-67"},
        ),
        (
            "Depaulis, T. 1999b. Inca dice. In Voogt, A. de (ed.), Board Games. Leiden: CNWS, 12–30.",
            {
                "title": "Inca dice",
                "container": "Voogt, A. de (ed.), Board Games",
                "publisher": "CNWS",
                "pages": "12–30",
            },
        ),
        (
            "Smith, J. 2001. Some page. Available at: http://example.org/x.html (accessed 12 May 2015).",
            {"title": "Some page", "place": "", "publisher": "", "address": "http://example.org/x.html"},
        ),
    ],
)
def test_other_forms_of_references(printed: str, parts: dict[str, str]) -> None:
    found = parse_reference(printed)
    assert {name: getattr(found, name) for name in parts} == parts


def test_the_letter_of_a_year_is_part_of_key_and_words() -> None:
    printed = "Depaulis, T. 1999b. Inca Dice and Board Games. Leiden: CNWS."
    assert parse_reference(printed).key == "depaulis-1999b"
    assert source_words("Depaulis, T.", 1999, printed) == "Depaulis 1999b"
    assert source_words("", None, "Ovid. Ars Amatoria.") == "Ovid. Ars Amatoria"


CRIST = "Crist, W., Dunn-Vaturi, A., and de Voogt, A. 2016b. Ancient Egyptians at Play. London: Bloomsbury."


@pytest.mark.parametrize(
    ("content", "pages"),
    [
        ("Crist et al. 2016: 5.", "5"),
        ("Crist, Dunn-Vaturi, and de Voogt 2016b: 41-42, 50.", "41-42, 50"),
        ("Crist and de Voogt 2016: fig. 7.3.", "fig. 7.3"),
        ("Crist et al. (2016b): 13, fig. 7.3.", "13, fig. 7.3"),
        ("Crist 2016: pl. XII, 3.", "pl. XII, 3"),
        ("Crist 2016: Fig. 3; pl. 4a.", "Fig. 3; pl. 4a"),
        ("Crist 2016, p. 55", "p. 55"),
        ("Crist 2016: vii-ix, 23n. 4", "vii-ix, 23n. 4"),
        ("Crist's 2016: no. 12 and fig. 3", "no. 12 and fig. 3"),
        ("Crist 2016: passim.", "passim"),
        ("Crist 2016: inside back cover 3.", "inside back cover 3"),
        ("Crist 2016b: 12; Parker 1909: 13", "12"),
        ("Crist 2016a: 3", None),
        ("Crist 2016: He says it is so in many words.", None),
    ],
)
def test_places_in_a_source_as_variously_as_they_are_printed(content: str, pages: str | None) -> None:
    assert [locator.pages for locator in find_locators(content, parse_reference(CRIST))] == ([pages] if pages else [])


def test_a_surname_printed_without_its_hyphen_is_found() -> None:
    (record,) = read_file("khasi.txt").records
    (locator,) = find_locators(record.content, parse_reference(DAS_GUPTA))
    assert (locator.pages, locator.as_printed) == ("71-72", "Das Gupta 1923: 71-72")
