"""Records written out as the portal's pages: every layout the importer must read, as text and as HTML."""

import html
from collections.abc import Callable, Sequence
from pathlib import Path

from catalogue.portal.record_pages import PortalPage, Record, page_text, read_page

PAGES = Path(__file__).parent / "pages"
PAGE_FILES = sorted(PAGES.glob("*.txt"))
FOOT = "\n\n     Contact Us\n     ludii.games@gmail.com\n\nlkjh Maastricht University"
Field = tuple[str, str]


def read(text: str | bytes) -> PortalPage:
    return read_page(page_text(text.encode() if isinstance(text, str) else text))


def read_file(name: str) -> PortalPage:
    return read((PAGES / name).read_bytes())


def fields_of(record: Record) -> list[Field]:
    """Labels and values in the portal's order; what a record does not have is not printed."""
    named = [
        ("Id", record.identifier),
        ("Type", record.type),
        ("Location", ", ".join(record.places)),
        ("Game", record.game),
        ("Ruleset", record.ruleset_name),
        ("Date", record.date_words),
        ("Rules", record.rules),
        ("Content", record.content),
        ("Confidence", record.confidence),
        ("Ages", record.ages),
        *record.other_fields,
        ("Spaces", record.spaces),
        ("Source", "., ".join(source.rstrip(".") for source in record.sources) + "."),
    ]
    return [(label, value) for label, value in named if value]


def heading(subject: str, count: int) -> str:
    return f"Evidence {subject}\n{count} pieces of evidence found.\n"


def on_one_line(records: Sequence[Record], subject: str) -> str:
    """As the page of Sri Lanka: a ruler, one record a line, a ruler."""
    lines = [" ".join(f"{label} {value}" for label, value in fields_of(record)) for record in records]
    return "|\n" + heading(subject, len(records)) + "\n".join(lines) + "\n|\n"


def on_one_line_but_content(records: Sequence[Record], subject: str) -> str:
    """As the later records of that page: Content begins a line."""
    lines = []
    for record in records:
        fields = [f"{label} {value}" for label, value in fields_of(record)]
        content = next(number for number, field in enumerate(fields) if field.startswith("Content"))
        lines.append(" ".join(fields[:content]) + "\n" + " ".join(fields[content:]))
    return heading(subject, len(records)) + "\n".join(lines) + "\n|\n"


def on_lines(records: Sequence[Record], subject: str) -> str:
    """As the pages of games: a field a line, and the portal's head and foot around them."""
    blocks = ["\n".join(f"{label} {value}" for label, value in fields_of(record)) for record in records]
    top = "background Ludii Portal\nHome of the Ludii General Game System\n\n   \u00a0\n\n"
    return top + heading(subject, len(records)) + "\n" + "\n\n".join(blocks) + FOOT


def _shown(text: str) -> str:
    return html.escape(text).replace("\n", "<br>\n")


def _html(records: Sequence[Record], subject: str, field: str, around: str) -> str:
    blocks = [
        around % "\n".join(field % (label, _shown(value)) for label, value in fields_of(record)) for record in records
    ]
    return (
        "<!DOCTYPE html>\n<html><head><title>Ludii Portal</title><style>p { color: red }</style></head>\n<body>"
        f"<h1>Evidence {html.escape(subject)}</h1>\n<p>{len(records)} pieces of evidence found.</p>\n"
        + "\n".join(blocks)
        + "<footer>Contact Us<br>ludii.games@gmail.com</footer>"
        "<script>let Id = 'DLP.Evidence.1 Type';</script></body></html>"
    )


def as_html_lines(records: Sequence[Record], subject: str) -> str:
    return _html(records, subject, "<b>%s</b> %s<br>", "<p>%s</p>")


def as_html_table(records: Sequence[Record], subject: str) -> str:
    return _html(records, subject, "<tr><td>%s</td><td>%s</td></tr>", "<table>%s</table><hr>")


def as_html_blocks(records: Sequence[Record], subject: str) -> str:
    return _html(records, subject, "<dt>%s</dt><dd>%s</dd>", "<dl>%s</dl>")


def as_html_on_one_line(records: Sequence[Record], subject: str) -> str:
    return _html(records, subject, "<b>%s</b> <span>%s</span>", "<div>%s</div>")


LAYOUTS: tuple[Callable[[Sequence[Record], str], str], ...] = (
    on_one_line,
    on_one_line_but_content,
    on_lines,
    as_html_lines,
    as_html_table,
    as_html_blocks,
    as_html_on_one_line,
)
