"""The proofs of citations: lists of names in a dozen printed styles, years of both eras, and what libraries read.

    python -m tests.proofs.citations [NAME…]

names: lists made as names and printed by the rules of a dozen styles are taken apart again; none may come out wrong,
which a `literal` in the words of print is not. dates: every year from 3000 BCE to 2026 through page, facet, CSL-JSON,
BibTeX and RIS and back. libraries: rispy, bibtexparser and citation-js read each kind of thing and find the same
authors, title and date; citation-js comes from the npm registry into var/ when the proof is run, and needs Node.

Without names all of them. Exit status 1 if a proof failed; its document then says what was expected.
"""

import datetime
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from tests.proofs.running import Figures, demand, run
from tests.services.machine import ROOT

LISTS, SEED = 2_400, 47
LEAST_EXACT = 0.85  # of the lists without a body or a doubtful name
FAMILIES = """Beals Carrasco Crist Dunn-Vaturi Parker Das-Gupta Ludovisi Murray Culin Finkel Schädler Depaulis Gout
    Corteggiani Cherpion Müller Lévi-Strauss O'Brien D'Arcy d'Errico McConville Popova Averbakh Iwasaki Zaslavsky Bell
    Townshend Falkener Fiske Thierry Becker Kendall Piccione Tait Rollefson Eerkens Uberti Yule Hinebaugh Fittà Himly
    Ifland Lhôte Michaelsen Retschitzki Bikić Balambal Humphries Nikolić Aðalsteinsson Sigurðardóttir Nguyễn Trần Zhang
    Wang Li Kim Fernandes Vinha Pennick Swiderski Church House Young King Iñiguez Kovács Dvořák Çelik Şahin Ortiz Wu
    Ng""".split()  # noqa: SIM905
PARTICLED = (
    "de Voogt", "van der Berg", "von Humboldt", "de Souza", "da Silva", "dos Santos", "de la Fuente", "al-Masʿūdī",
    "Van Binsbergen", "De Jong", "du Toit", "ten Brink", "della Valle",
)  # fmt: skip
DOUBLED = ("García Márquez", "Vargas Llosa", "Ortega y Gasset", "Silva Neto", "Flinders Petrie")
GIVEN = """Walter Ralph Pedro Anne Alex Irving Stewart Ulrich Thierry Claudia Philip Maria José Edward Helen Robert
    Zeynep Assia Leopold Jean-Marie Ineke Vernon Wim Dorit""".split()  # noqa: SIM905
BODIES = (
    "Royal Asiatic Society", "Swiss Museum of Games", "Ministry of Culture and Tourism", "Brandon and Sons, Ltd.",
    "British Museum", "UNESCO", "Fine Arts Department of Thailand", "National Geographic Society",
)  # fmt: skip


def _initials(given: str, between: str = " ", point: str = ".") -> str:
    """J.-M. of Jean-Marie."""
    words = ["-".join(f"{part[0]}{point}" for part in name.split("-")) for name in given.split()]
    return between.join(words)


def _without_points(given: str) -> str:
    return re.sub(r"\W", "", _initials(given, "", ""))


Printed = Callable[[str, str], str]
FIRST: dict[str, Printed] = {
    "full": lambda family, given: f"{family}, {given}",
    "initials": lambda family, given: f"{family}, {_initials(given)}",
    "close": lambda family, given: f"{family}, {_initials(given, '')}",
    "bare": lambda family, given: f"{family} {_without_points(given)}",
    "capitals": lambda family, given: f"{family.upper()}, {_initials(given)}",
    "direct": lambda family, given: f"{given} {family}",
    "direct initials": lambda family, given: f"{_initials(given)} {family}",
    "direct close": lambda family, given: f"{_initials(given, '')} {family}",
}
# Style: (the first name, the others, what stands before the last of two, of more, what stands at the end)
STYLES: dict[str, tuple[str, str, str, str, str]] = {
    "APA": ("initials", "initials", ", & ", ", & ", ""),
    "MLA": ("full", "direct", ", and ", ", and ", "."),
    "Chicago, bibliography": ("full", "direct", ", and ", ", and ", "."),
    "Chicago, initials": ("initials", "direct initials", ", and ", ", and ", ""),
    "Chicago, note": ("direct", "direct", " and ", ", and ", ""),
    "Turabian, author-date": ("full", "direct", ", and ", ", and ", "."),
    "Harvard": ("close", "close", " and ", " and ", ""),
    "Vancouver": ("bare", "bare", ", ", ", ", "."),
    "AMA": ("bare", "bare", ", ", ", ", "."),
    "IEEE": ("direct initials", "direct initials", " and ", ", and ", ""),
    "ISO 690": ("capitals", "capitals", " and ", " and ", "."),
    "MHRA": ("full", "direct", ", and ", ", and ", ""),
    "ACM": ("direct", "direct", " and ", ", and ", "."),
    "The portal": ("initials", "direct initials", " and ", " and ", "."),
    "The portal, close": ("close", "direct close", " and ", ", and ", "."),
    "Semicolons": ("full", "full", "; ", "; ", ""),
    "Spanish": ("initials", "direct initials", " y ", " y ", ""),
}


def names(_: Any) -> Figures:
    from catalogue.texts.names import canonical, people

    lots = random.Random(SEED)
    found: dict[str, Counter[str]] = {style: Counter() for style in STYLES}
    doubtful: Counter[str] = Counter()
    wrong: list[dict[str, Any]] = []
    for number in range(LISTS):
        style = list(STYLES)[number % len(STYLES)]
        made, is_plain = _made(lots)
        printed, expected = _printed(style, made)
        got = people(printed)[1]
        outcome = _outcome(expected, got, printed)
        if outcome == "wrong" or people(canonical(printed))[1] != got:
            wrong.append({"style": style, "printed": printed, "expected": expected, "got": got})
        (found[style] if is_plain else doubtful)[outcome] += 1
    plain = sum(found.values(), Counter())
    figures = {
        "lists": LISTS,
        "one surname each": dict(plain),
        "with a body, a double surname or a suffix": dict(doubtful),
        "styles": {style: dict(counts) for style, counts in found.items()},
        "wrong": wrong[:20],
    }
    demand(not wrong, f"{len(wrong)} lists of {LISTS} came out wrong", figures)
    demand(plain["exact"] >= LEAST_EXACT * plain.total(), f"only {plain['exact']} of {plain.total()} exact", figures)
    return figures


def _made(lots: random.Random) -> tuple[list[tuple[str, ...]], bool]:
    """One to five names as (surname, given, suffix) or (body,), and whether each is a person of one surname."""
    made: list[tuple[str, ...]] = []
    for _ in range(lots.choice((1, 1, 2, 2, 2, 3, 3, 4, 5))):
        given = " ".join(lots.sample(GIVEN, lots.choice((1, 1, 1, 2))))
        kind = lots.random()
        if kind < 0.03:
            made.append((lots.choice(BODIES),))
        elif kind < 0.07:
            made.append((lots.choice(DOUBLED), given, ""))
        elif kind < 0.20:
            made.append((lots.choice(PARTICLED), given, ""))
        else:
            made.append((lots.choice(FAMILIES), given, "Jr." if kind > 0.98 else ""))
    plain = all(len(one) == 3 and one[0] not in DOUBLED and not one[2] for one in made)
    return made, plain


def _printed(style: str, made: Sequence[tuple[str, ...]]) -> tuple[str, list[dict[str, str]]]:
    """The list as the style prints it, and what of each name can be read there."""
    first, others, of_two, of_more, end = STYLES[style]
    texts, expected = [], []
    for number, one in enumerate(made):
        form = first if number == 0 else others
        if len(one) == 1:
            texts.append(one[0])
            expected.append({"literal": one[0]})
            continue
        family, given, suffix = one
        text = FIRST[form](family, given)
        texts.append(text + (f", {suffix}" if suffix else ""))
        name = {"family": family.upper() if form == "capitals" else family, "given": _given(form, given)}
        expected.append({**name, "suffix": suffix} if suffix else name)
    if len(texts) > 2:
        between = "; " if style == "Semicolons" else ", "
        printed = between.join(texts[:-1]) + of_more + texts[-1]
    else:
        printed = of_two.join(texts)
    return printed + (end if not printed.endswith(".") else ""), expected


def _given(form: str, given: str) -> str:
    if form == "bare":
        return _without_points(given)
    return given if form in ("full", "direct") else _initials(given, "" if "close" in form else " ")


def _outcome(expected: Sequence[dict[str, str]], got: Sequence[Any], printed: str) -> str:
    """exact; literal: some names are kept in the words of print, and all others are right; else wrong."""
    got = [{**name, "given": name["given"].rstrip(".")} if "given" in name else name for name in got]
    expected = [{**name, "given": name["given"].rstrip(".")} if "given" in name else name for name in expected]
    if got == expected:
        return "exact"
    others = [name for name in got if "family" in name]
    if any(name not in expected for name in others):
        return "wrong"
    words = [name["literal"] for name in got if "literal" in name]
    return "literal" if all(word.rstrip(".") in printed for word in words) else "wrong"


def dates(_: Any) -> Figures:
    import bibtexparser
    import rispy

    from catalogue.citations.chicago import chicago_author_date
    from catalogue.citations.formats import FORMATS
    from catalogue.citations.items import source_item
    from catalogue.models import Evidence, Game, Source
    from catalogue.search.indexing import index_missing
    from catalogue.search.results import _period, read_request, search_listing
    from catalogue.texts.dates import edtf_of_portal, years
    from catalogue.texts.formatting import span_words

    span = range(-2999, 2027)
    items = [source_item(Source(key=f"s{year}", authors="Doe, J.", year=year, title="T")) for year in span]
    read = {
        "page": [_year(span_words(year, year)) for year in span],
        "words of the portal": [years(edtf_of_portal(_said(year)))[0] for year in span],
        "bibliography": [
            _year(re.findall(r"Doe, J\. (\d+(?: BCE)?)\.", chicago_author_date(item))[0]) for item in items
        ],
        "CSL-JSON": [_of_csl(item["issued"]["date-parts"][0][0]) for item in json.loads(FORMATS["json"].write(items))],
        "RIS": [_year(entry["year"]) for entry in rispy.loads(FORMATS["ris"].write(items))],
    }
    entries = bibtexparser.parse_string(FORMATS["bib"].write(items)).entries
    read["BibTeX"] = [_year(entry.fields_dict["year"].value) for entry in entries]
    figures: Figures = {name: {"years": len(found), "back": found == list(span)} for name, found in read.items()}

    game, some = Game.objects.first(), range(-2999, 2027, 13)
    Evidence.objects.bulk_create(_dated(Evidence, game, year) for year in some)
    index_missing()
    from django.http import QueryDict

    in_one = 0
    for year in some:
        found = search_listing(read_request(QueryDict(f"q=Y{year + 5000}Y&kind=record")))
        (period,) = [facet for facet in found.facets if facet.name == "period"]
        (value,) = period.values
        first, last = re.fullmatch(r"(\d+)–(\d+)( BCE)?", _period(value.value)).groups()[:2]
        counted = 1 - year if year <= 0 else year
        narrowed = search_listing(read_request(QueryDict(f"q=Y{year + 5000}Y&kind=record&period={year}")))
        low, high = sorted((int(first), int(last)))
        in_one += low <= counted <= high and ("BCE" in value.text) == (year <= 0) and narrowed.total == 1
    figures["facet of the search"] = {"years": len(some), "back": in_one == len(some)}
    demand(all(one["back"] for one in figures.values()), "some years came back as others", figures)
    return figures


def _dated(model: Any, game: Any, year: int) -> Any:
    from catalogue.texts.dates import iso_year

    row = model(identifier=f"Y.{year}", type="A", game=game, quotation=f"Y{year + 5000}Y", date_edtf=iso_year(year))
    row.set_years()
    return row


def _said(year: int) -> str:
    return f"{1 - year} BC" if year <= 0 else f"{year} AD"


def _year(words: str) -> int:
    number, _, era = words.partition(" ")
    return 1 - int(number) if era == "BCE" else int(number)


def _of_csl(year: int) -> int:
    return year + 1 if year < 0 else year


PACKAGES = tuple(f"@citation-js/{name}@0.7" for name in ("core", "plugin-bibtex", "plugin-ris", "plugin-csl"))
READ = """
const { Cite } = require('@citation-js/core');
for (const name of ['bibtex', 'ris', 'csl']) require('@citation-js/plugin-' + name);
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const format = { bib: '@bibtex/text', ris: '@ris/file', json: '@csl/list+object' };
const read = texts.map(([form, text]) => {
  const cite = new Cite(form === 'json' ? JSON.parse(text) : text);
  return { data: cite.data, apa: cite.format('bibliography', { template: 'apa', format: 'text' }) };
});
process.stdout.write(JSON.stringify(read));
"""
SOURCES = (
    ("Beals, R. and P. Carrasco.", 1944), ("Crist, W., A.-E. Dunn-Vaturi and A. de Voogt.", 2016),
    ("Smith, Jr., J. and T. Doe (eds.)", 1900), ("Brandon and Sons, Ltd.", 1880), ("Plato", -379), ("Virgil", -18),
    ("山田太郎、鈴木一郎", 1950), ("García Márquez, G., y Vargas Llosa, M.", 1970), ("Ministry of Culture", 1),
)  # fmt: skip


def libraries(_: Any) -> Figures:
    from django.test import Client

    from catalogue.models import Claim, Clause, Evidence, Game, Place, Question, Source
    from catalogue.models.lookup import KIND_OF, key_of
    from simulator.batches.service import request_batch

    for number, (authors, year) in enumerate(SOURCES):
        Source.objects.create(
            key=f"made-{number}", authors=authors, year=year, title=f"Games & Boards {number}", place="London",
            publisher="Press", as_printed=f"{authors} {number}",
        )  # fmt: skip
    batch = request_batch("daramuti-parker", games=20, seed=1, cap=500, announce=False)
    batch.closed = datetime.datetime(2026, 11, 26, tzinfo=datetime.UTC)
    batch.save()
    paths = [f"source/{key}" for key in Source.objects.values_list("key", flat=True)]
    paths += [f"ruleset/{name}" for name in ("daramuti-parker@1", "dam-parker")] + [f"batch/{batch.id}"]
    for model in (Evidence, Claim, Clause, Question, Game, Place):
        kind = KIND_OF[model].name
        paths += [f"{kind}/{key_of(row)}" for row in model.objects.order_by("pk")[:4]]
    paths += ["catalogue", "edition"]
    client = Client(headers={"host": "localhost"})
    texts = {}
    for path in paths:
        for form in ("json", "bib", "ris"):
            answer = client.get(f"/cite/{path}.{form}")
            if answer.status_code == 200:
                texts[path, form] = answer.content.decode()
    read = {"citation-js": _by_citation_js(texts), "rispy": _by_rispy(texts), "bibtexparser": _by_bibtexparser(texts)}
    expected = {path: _known(json.loads(text)[0]) for (path, form), text in texts.items() if form == "json"}
    differing = [
        {"library": library, "thing": path, "form": form, "expected": expected[path], "read": found}
        for library, every in read.items()
        for (path, form), found in every.items()
        if found != expected[path]
    ]
    figures: Figures = {
        "things": len(expected),
        "read": {library: len(every) for library, every in read.items()},
        "in APA by citation-js": sorted(_APA)[::7],
        "differing": differing[:20],
    }
    demand(len(expected) == len(paths), f"{len(paths) - len(expected)} things have no citation", figures)
    demand(not differing, f"{len(differing)} texts were read otherwise", figures)
    odd = [text for text in _APA if re.search(r"\bIn:|\(\w+ Nos?\. |undefined", text)]
    demand(not odd, f"{len(odd)} are printed oddly: {odd[:3]}", figures)
    return figures


Known = dict[str, Any]
_APA: set[str] = set()


def _known(item: Any) -> Known:
    """Who, what and when of a CSL-JSON item: names as one text each, and the date as far as all three forms have it."""
    people = next((item[role] for role in ("author", "editor", "translator") if item.get(role)), [])
    issued = item.get("issued", {})
    words = issued.get("literal") or issued.get("raw")
    date = [_csl(_year(words))] if words else issued.get("date-parts", [[]])[0]
    return {"by": [_whole(name) for name in people], "title": item["title"], "date": [int(part) for part in date]}


def _whole(name: Any) -> str:
    particle = " ".join(name.get(part, "") for part in ("dropping-particle", "non-dropping-particle")).strip()
    family = f"{particle} {name.get('family', '')}".strip()
    whole = name.get("literal") or ", ".join(filter(None, (family, name.get("given"), name.get("suffix"))))
    return _close(whole)


def _close(name: str) -> str:
    """Initials stand apart in one form and close in another."""
    return re.sub(r"(?<=\.) (?=[A-Z]\.)", "", name)


def _by_citation_js(texts: dict[tuple[str, str], str]) -> dict[tuple[str, str], Known]:
    folder = ROOT / "var" / "citation-js"
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True, exist_ok=True)
        words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES]
        subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=300)
    asked = json.dumps([[form, text] for (_, form), text in texts.items()])
    ran = subprocess.run(["node", "-e", READ], cwd=folder, input=asked, capture_output=True, text=True, timeout=300)
    if ran.returncode:
        raise AssertionError(f"citation-js: {ran.stderr[-600:]}")
    found = {}
    for key, one in zip(texts, json.loads(ran.stdout), strict=True):
        (item,) = one["data"]
        found[key] = _known(item)
        _APA.add(one["apa"].strip())
    return found


def _by_rispy(texts: dict[tuple[str, str], str]) -> dict[tuple[str, str], Known]:
    import rispy

    found = {}
    for (path, form), text in texts.items():
        if form == "ris":
            (entry,) = rispy.loads(text)
            day = [int(part) for part in entry["date"].split("/")] if "date" in entry else []
            date = day or ([_csl(_year(entry["year"]))] if "year" in entry else [])
            found[path, form] = {
                "by": [_close(one) for one in entry.get("authors", [])],
                "title": entry["title"],
                "date": date,
            }
    return found


def _by_bibtexparser(texts: dict[tuple[str, str], str]) -> dict[tuple[str, str], Known]:
    import bibtexparser
    from bibtexparser import middlewares

    layers = [
        middlewares.SeparateCoAuthors(), middlewares.SplitNameParts(), middlewares.LatexDecodingMiddleware(),
    ]  # fmt: skip
    found = {}
    for (path, form), text in texts.items():
        if form == "bib":
            (entry,) = bibtexparser.parse_string(text, append_middleware=layers).entries
            fields = {name: field.value for name, field in entry.fields_dict.items()}
            people = next((fields[role] for role in ("author", "editor", "translator") if role in fields), [])
            date = [int(part) for part in re.findall(r"\d+", fields.get("date", ""))]
            if len(date) < 2:
                date = [_csl(_year(fields["year"]))] if "year" in fields else []
            by = [
                ", ".join(filter(None, (" ".join([*n.von, *n.last]), " ".join(n.first), " ".join(n.jr))))
                for n in people
            ]
            found[path, form] = {
                "by": [one.strip("{}") for one in by],
                "title": fields["title"].strip("{}"),
                "date": date,
            }
    return found


def _csl(year: int) -> int:
    return year if year > 0 else year - 1


PROOFS: dict[str, Callable[[Any], Figures]] = {"names": names, "dates": dates, "libraries": libraries}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
