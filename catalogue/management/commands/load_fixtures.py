"""`manage.py load_fixtures`: the shipped records, readings and rulesets into the database, as often as one likes."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from catalogue.history.histories import texts_of_anchors
from catalogue.loading.apparatus import check, plan, records_named, sync, with_resting
from catalogue.loading.corner import corner_games
from catalogue.loading.rows import Loaded, Row, load_rows
from catalogue.models import Anchor, Evidence, SearchEntry
from catalogue.models.evidence import TEXTS
from catalogue.search.indexing import index_changed, is_of_today
from simulator.engine.ruleset import nearest
from simulator.management.command_line import (
    CommandFailed,
    LongCommand,
    ProgressLine,
    add_common_arguments,
    as_json,
    exit_statuses,
)

# In the order in which they name each other.
FILES = (
    "places",
    "games",
    "sources",
    "evidence",
    "game_names",
    "terms",
    "uncertainty",
    "notes",
    "artefacts",
    "readings",
)


class Command(LongCommand):
    help = "Load the shipped fixtures. Rows that an editor has changed are reported and left alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "--json")
        parser.add_argument(
            "--folder", type=Path, default=settings.BASE_DIR / "fixtures", help="where the fixtures are"
        )
        parser.add_argument(
            "--no-edition", action="store_true", help="leave out the edition: records and rules, but no games"
        )
        parser.add_argument(
            "--no-release", action="store_true", help="make no release of the dataset, where the site has none yet"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        # Imported here: only this command needs the simulator's side.
        from catalogue.dataset.shipped import offer_a_release
        from catalogue.edition.files import EditionFolder
        from catalogue.edition.making import load
        from catalogue.findings.kept import findings
        from simulator.rulesets import load_ruleset_files
        from simulator.strength.solutions import load_solution_files

        folder: Path = options["folder"]
        loaded = Loaded()
        reading = folder
        line = ProgressLine(self.stderr)
        with exit_statuses(refused=(OSError,), outcome="Nothing was loaded."), transaction.atomic():
            try:
                documents = []
                for reading in sorted((folder / "apparatus").glob("*.json")):
                    documents.append(_read(reading))
                    check(documents[-1])
                reading = folder / "rulesets"
                corner = list(corner_games(reading))
                documents += [one.apparatus for one in corner]
                for name in FILES:
                    reading = folder / f"{name}.json"
                    rows = _read(reading)
                    line.show(f"{name.replace('_', ' ')} …")
                    if name == "games":
                        rows += [one.game for one in corner]
                    if name == "readings":
                        rows = with_resting([*rows, *(one.reading for one in corner)], documents)
                    if name == "sources":  # all else of a source is as the portal prints it
                        rows = _with_notes(rows, _read(folder / "source_notes.json"))
                    load_rows(rows, loaded, bring_up_to_date=True)
                reading = folder / "apparatus"
                line.show("clauses, questions and claims …")
                texts = _texts(_read(folder / "evidence.json"), records_named(documents))
                if documents:
                    sync([row for document in documents for row in plan(document, texts)], loaded)
                reading = folder / "rulesets"
                line.show("rulesets …")
                rulesets = load_ruleset_files(reading)
                reading = folder / "solutions"
                solutions = load_solution_files(reading)
                reading = folder / "edition"
                line.show("the edition …")
                new = {} if options["no_edition"] else load(EditionFolder(reading)).new
                is_indexed = SearchEntry.objects.exists() and is_of_today()
                if loaded.created or loaded.updated or rulesets or not is_indexed:
                    index_changed()
            except KeyError as problem:
                raise CommandFailed(f"{reading}: a row has no {problem}. Nothing was loaded.") from problem
            except ValueError as problem:
                raise CommandFailed(f"{reading}: {problem}. Nothing was loaded.") from problem
        if any(new.values()):
            line.show("findings …")
            findings()  # of the games of the edition: now, and not while the first reader waits
        if not options["no_edition"] and not options["no_release"]:
            offer_a_release(lambda text: line.show(f"the release: {text}"))
        line.end()
        if options["json"]:
            self.stdout.write(as_json({**asdict(loaded), "rulesets": rulesets, "solutions": solutions, "edition": new}))
            return
        for difference in loaded.differences:
            self.stdout.write(
                f"{difference.model} {difference.key}: {difference.field} was changed here and is left as it is"
            )
        self.stdout.write(
            f"rows: {loaded.created} new, {loaded.updated} brought up to date, {loaded.unchanged} unchanged; "
            f"rulesets: {rulesets}; solutions: {solutions}; parts of the edition: {sum(new.values())}"
        )


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _with_notes(rows: list[Row], notes: dict[str, dict[str, str]]) -> list[Row]:
    """Sources with what the editors remark on them, and the imprint that they correct; raises ValueError if they remark
    on one that is not there."""
    keys = {row["fields"]["key"] for row in rows}
    if unknown := sorted(set(notes) - keys):
        raise ValueError(f"a note is about {unknown[0]!r}, which is no source; nearest: {nearest(unknown[0], keys)!r}")
    noted = [{**row["fields"], "note": "", **notes.get(row["fields"]["key"], {})} for row in rows]
    return [{**row, "fields": fields} for row, fields in zip(rows, noted, strict=True)]


def _texts(rows: list[Row], named: set[str]) -> dict[tuple[str, str], list[str]]:
    """The records' texts as they are shipped: what the shipped anchors point into. Of the records named that are not
    shipped, such as those of the portal's dump, what the database has; before it comes what their anchors were set in,
    for in a text that was changed since, equal words need not be theirs."""
    shipped = [row["fields"] for row in rows if row["model"] == "catalogue.evidence"]
    stored = Evidence.objects.filter(identifier__in=named - {record["identifier"] for record in shipped})
    texts = {(record["identifier"], name): [record[field]] for record in shipped for name, field in TEXTS.items()}
    names = {record.pk: record.identifier for record in stored}
    texts |= {(record.identifier, name): [record.text(name)] for record in stored for name in TEXTS}
    for (pk, name, _), text in texts_of_anchors(Anchor.objects.filter(evidence__in=names)).items():
        texts[names[pk], name].insert(0, text)
    return texts
