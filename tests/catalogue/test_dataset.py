"""A dataset tells the whole catalogue: described for others, the same bytes for the same data, and loaded again."""

import csv
import gzip
import io
import json
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import Any
from unittest import mock

import frictionless
import pytest
import yaml
from django.core.management.base import CommandError
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext, override_settings

from catalogue.dataset import described
from catalogue.dataset.folder import DatasetProblem
from catalogue.dataset.loading import _load_measurements
from catalogue.dataset.parquet import write_parquet
from catalogue.dataset.tables import tables
from catalogue.dataset.verifying import ReadRow
from catalogue.models import (
    Anchor,
    EditorsNote,
    Evidence,
    Game,
    GameName,
    LoadedRow,
    Place,
    PortalGame,
    PortalRuleset,
    Reading,
    Suggestion,
)
from catalogue.search.indexing import missing
from simulator.batches import finalize
from simulator.batches.finalize import OF_REPETITION, redraw, rescan_repetition
from simulator.batches.rows import csv_lines
from simulator.batches.service import progress_of
from simulator.engine.family import CODE, FAMILY_NAMES, FLAG, family
from simulator.models import Batch, RulesetVersion
from simulator.rulesets import find
from tests.builders import evidence
from tests.catalogue.dataset_world import a_few_rows, a_folder, contents, empty_the_database, export, load
from tests.catalogue.page_world import CatalogueTestCase, played_batch


class WholeCatalogueTests(CatalogueTestCase):
    @pytest.mark.thorough
    def test_a_release_loaded_and_written_again_is_the_same(self) -> None:
        changed = played_batch(find("daramuti-parker", {"counters_per_hole": "5"}))  # a ruleset without a name
        counted = played_batch("daramuti-parker", seed=3)  # a batch so large that it keeps no rows
        Batch.objects.filter(id=counted.id).update(rows_kept=False, digest=counted.tally_digest)
        counted.chunks.update(rows=None)
        redraw(Batch.objects.get(id=counted.id))  # as if it had been closed so
        rescan_repetition(self.batch, 3)  # elsewhere fewer games were worth their time
        self.batch.refresh_from_db()
        assert {measurement.n for measurement in self.batch.measurements.filter(measure__in=OF_REPETITION)} == {3}
        figures, plots = self.batch.summary, set(self.batch.plots.values_list("kind", "svg"))
        with a_folder() as folder:
            summary = export(folder / "one")
            empty_the_database()
            filled = load(folder / "one")
            export(folder / "two")
            assert contents(folder / "one") == contents(folder / "two")
            listed = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder / "one", check=False)
            assert listed.returncode == 0
        assert summary["rows"]["anchors"] == filled["rows"]["anchors"] == Anchor.objects.count() > 1_000
        assert summary["version"] == filled["version"] >= "2026.11.21"
        batch = Batch.objects.get(id=self.batch.id)
        assert (batch.created, batch.closed) == (self.batch.created, self.batch.closed)
        assert Batch.objects.get(id=changed.id).ruleset.document["counters_per_hole"] == 5
        assert Batch.objects.get(id=counted.id).plots.count() == len(plots)
        assert progress_of(batch).games_done == progress_of(counted).games_done == 8
        assert batch.summary == figures
        assert set(batch.plots.values_list("kind", "svg")) == plots
        assert "".join(csv_lines(batch)) == "".join(csv_lines(self.batch))
        assert not missing()
        assert not LoadedRow.objects.exists()
        revision = Evidence.objects.get(identifier="DLP.Evidence.692").history.get()
        assert revision.history_change_reason == f"Loaded from the dataset of {filled['date']}"

    def test_figures_that_the_games_do_not_give_are_refused(self) -> None:
        kept = self.batch.measurements.get(measure="threefold")
        columns = ("measure", "title", "unit", "value", "low", "high", "n", "censored")
        said = {"batch": (self.batch.id,), "place": kept.place, **{name: getattr(kept, name) for name in columns}}

        def loads(**changes: Any) -> None:
            _load_measurements(mock.Mock(file="measurements.csv"), iter([ReadRow(2, (), {**said, **changes})]))

        finalize.redraw(self.batch, drawn=False)
        assert not self.batch.plots.exists()
        assert self.batch in finalize.undrawn_batches(), "a worker draws it"
        finalize.rescan_repetition(self.batch, kept.n)
        loads()
        for changes in (
            {"value": 0.99},
            {"n": 3, "value": 0.99},
            {"n": 4_000},
            {"n": 0},
            {"place": 999, "measure": "won_0"},
        ):
            with pytest.raises(DatasetProblem, match=r"measurements.csv"):
                loads(**changes)
        self.batch.measurements.filter(measure__in=OF_REPETITION).delete()
        Batch.objects.filter(id=self.batch.id).update(family_version=1)
        loads(value=0.75, n=2)
        assert self.batch.measurements.get(measure="threefold").value == 0.75

    @pytest.mark.thorough
    def test_frictionless_finds_the_tables_as_described(self) -> None:
        with a_folder() as folder:
            export(folder / "one")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                report = frictionless.validate(str(folder / "one" / "datapackage.json"))
            # The games of this batch nobody played: their codes are numbers of columns, which no game has.
            wrong = [
                (task.name, error.type, error.note)
                for task in report.tasks
                for error in task.errors
                if not (error.type == "constraint-error" and task.place.endswith(".rows.csv.gz"))
            ]
            assert (report.errors, wrong) == ([], [])
            package = json.loads((folder / "one" / "datapackage.json").read_text())
            files = contents(folder / "one")
            with gzip.open(folder / "one" / "batches" / f"{self.batch.id}.rows.csv.gz", "rt") as rows:
                assert rows.read() == "".join(csv_lines(self.batch))
        described = {resource["path"]: resource for resource in package["resources"]}
        assert {table.file for table in tables()} <= set(described)
        for path, resource in described.items():
            assert resource["bytes"] == len(files[path]), path
            assert resource["description"], path
            assert resource["licenses"], path
            schema = resource.get("schema", {"fields": []})
            if isinstance(schema, str):
                schema = json.loads(files[schema])
            for field in schema["fields"]:
                assert len(field["description"]) > 8, (path, field)
        for table in tables():
            named = described[table.file]["schema"].get("foreignKeys", [])
            assert [(one["fields"], one["reference"]["resource"] or table.name) for one in named] == [
                (list(pointer.columns), pointer.table) for pointer in table.pointers
            ], table.file
        assert described["clauses.csv"]["schema"]["foreignKeys"], "a clause is of a reading"
        assert described["evidence.csv"]["licenses"][0].get("name") is None, "the records are not ours to give"
        assert described["clauses.csv"]["licenses"][0]["name"] == "CC-BY-4.0"
        assert len([path for path in described if path.startswith("rulesets/")]) == RulesetVersion.objects.count()

    @pytest.mark.by_turns
    def test_only_batches_that_come_with_the_catalogue_are_in_it(self) -> None:
        greedy = played_batch("daramuti-parker", players="greedy", origin=Batch.Origin.DEMO)
        played_batch("daramuti-ludii", seed=2, origin=Batch.Origin.VISITOR, visitor="192.0.2.7")
        with a_folder() as folder:
            export(folder / "one")
            files = contents(folder / "one")
        tallies = {name for name in files if name.endswith(".tally.json")}
        assert tallies == {f"batches/{batch.id}.tally.json" for batch in (greedy, self.batch)}
        assert not [name for name, data in files.items() if b"192.0.2.7" in data]
        assert list(csv.reader(files["levels.csv"].decode().splitlines())) == [
            ["game", "reading", "level", "batch"],
            ["daramuti", "daramuti-parker", "greedy", greedy.id],
            ["daramuti", "daramuti-parker", "random", self.batch.id],
        ]


class FewRowsTests(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.record = a_few_rows()
        cls.one: Path = cls.enterClassContext(a_folder()) / "one"
        export(cls.one, "--date", "2026-12-01")
        cls.files = contents(cls.one)

    @pytest.mark.by_turns
    def test_every_awkward_value_comes_back(self) -> None:
        note, name = EditorsNote.objects.get().text, GameName.objects.get().name
        lines = self.files["evidence.csv"]
        rows = {row["identifier"]: row for row in csv.DictReader(io.StringIO(lines.decode(), newline=""))}
        rulesets = list(csv.DictReader(self.files["portal_rulesets.csv"].decode().splitlines()))
        with a_folder() as folder:
            empty_the_database()
            load(self.one)
            export(folder / "two")  # without --date: it is that of the dataset it came from
            assert contents(folder / "two") == self.files
        assert list(rows) == ["DLP.Evidence.1194", "DLP.Evidence.692"], "sorted by code points"
        assert rows["DLP.Evidence.692"]["other_fields"] == '{"Genders":"Male, Female","Ä":"–"}'
        assert b"\r" not in lines
        record = Evidence.objects.get(identifier="DLP.Evidence.692")
        assert record.paraphrase == self.record.paraphrase
        assert [place.slug for place in record.places.all()] == ["sri-lanka"]
        assert (EditorsNote.objects.get().text, GameName.objects.get().name) == (note, name)
        assert Place.objects.get(slug="aa-asia").part_of.part_of.slug == "sri-lanka"
        assert str(Place.objects.get(slug="jaffna").latitude) == "9.6615"
        assert [row["number"] for row in rulesets] == ["9", "10"], "numbers are sorted as numbers"
        assert (
            PortalGame.objects.get(number=57).regions.count() == PortalRuleset.objects.get(number=10).evidence.count()
        )
        reading = Reading.objects.get(slug="aa-dlp")
        assert (reading.rests_on.slug, reading.history.get().evidence.count()) == ("zz-parker", 1)

    @pytest.mark.by_turns
    def test_a_withdrawn_record_tells_its_reason_and_no_word_more(self) -> None:
        with a_folder() as folder:
            words = self.record.quotation
            Evidence.objects.filter(pk=self.record.pk).update(withdrawn_on="2026-12-02", withdrawn_reason="Asked to.")
            summary = export(folder / "two", "--previous", str(self.one), "--date", "2026-12-03")
            assert not [name for name, data in contents(folder / "two").items() if words.encode() in data]
            assert summary["rows"]["anchors"] == summary["rows"]["editors_notes"] == 0
            empty_the_database()
            load(folder / "two")
            assert Evidence.objects.get(identifier="DLP.Evidence.692").withdrawn_reason == "Asked to."
            assert "Asked to." in self.client.get("/evidence/DLP.Evidence.692/").content.decode()
            export(folder / "three", "--previous", str(self.one))
            assert contents(folder / "two") == contents(folder / "three")

    def test_changes_are_told_row_by_row_and_field_by_field(self) -> None:
        with a_folder() as folder:
            Game.objects.filter(slug="daramuti").update(description="On two rows.", is_reference=True)
            Place.objects.create(name="Ur", slug="ur")
            EditorsNote.objects.all().delete()
            summary = export(folder / "two", "--previous", str(self.one), "--date", "2026-12-03")
            with (folder / "two" / "changes.csv").open(encoding="utf-8", newline="") as stream:
                changes = [tuple(row.values()) for row in csv.DictReader(stream)]
            words = (folder / "two" / "CHANGES.md").read_text()
        assert sorted(changes) == [
            ("editors_notes", "DLP.Evidence.692 a-note", "taken away", "", "", ""),
            ("games", "daramuti", "changed", "description", "", "On two rows."),
            ("games", "daramuti", "changed", "is_reference", "false", "true"),
            ("places", "ur", "added", "", "", ""),
        ]
        assert summary["changes"] == {
            "editors_notes": {"taken away": 1},
            "games": {"changed": 1},
            "places": {"added": 1},
        }
        assert "description: nothing is now `On two rows.`" in words

    def test_nothing_private_is_in_it(self) -> None:
        Suggestion.objects.create(kind="problem", evidence=self.record, text="Sixty-two holes.", email="a@example.org")
        with a_folder() as folder:
            export(folder / "one", "--date", "2026-12-01")
            files = contents(folder / "one")
        assert not [name for name, data in files.items() if b"Sixty-two" in data or b"a@example.org" in data]
        columns = {column.name for table in tables() for column in table.columns}
        private = ("visitor", "user", "email", "digest_of_token", "token", "history", "session", "reviewed")
        assert not [name for name in columns if any(word in name for word in private)]
        assert not {"suggestions", "reading_tokens", "users", "loaded_rows", "search_entries"} & {
            table.name for table in tables()
        }

    def test_how_to_cite_it_is_in_the_citation_file_format(self) -> None:
        citation = yaml.safe_load(self.files["CITATION.cff"])
        # What citation-file-format 1.2.0 requires, and its words for a data set.
        assert {"cff-version", "message", "title", "authors"} <= set(citation)
        assert (citation["cff-version"], citation["type"]) == ("1.2.0", "dataset")
        assert (citation["version"], citation["date-released"]) == ("2026.12.01", "2026-12-01")
        assert all(set(author) <= {"name", "family-names", "given-names"} for author in citation["authors"])
        assert "license" not in citation, "quotations are not under the licence of our own words"
        assert "CC BY 4.0" in citation["abstract"]
        with override_settings(SITE_URL="https://games.example.org/"):
            cited = yaml.safe_load(described.citation("2026.12.01", "2026-12-01"))
        assert cited["url"] == "https://games.example.org/data/2026.12.01/"
        assert cited["license-url"] == "https://games.example.org/about/rights/"

    def test_what_a_deposit_asks_for_is_in_it(self) -> None:
        told = json.loads(self.files["datacite.json"])
        # What the JSON schema of DataCite 4.5 requires; `make proof-release` holds the whole against it.
        assert {"creators", "titles", "publisher", "publicationYear", "types", "schemaVersion"} <= set(told)
        assert (told["version"], told["publicationYear"]) == ("2026.12.01", "2026")

    @pytest.mark.by_turns
    def test_parquet_has_the_types_of_the_description(self) -> None:
        from pyarrow import parquet

        with a_folder() as folder:
            for name, data in self.files.items():
                (folder / name).parent.mkdir(exist_ok=True, parents=True)
                (folder / name).write_bytes(data)
            assert "evidence.parquet" in write_parquet(folder, folder / "parquet")
            table = parquet.read_table(folder / "parquet" / "places.parquet")
        assert table.num_rows == self.files["places.csv"].decode().count("\n") - 1
        types = {name: str(table.schema.field(name).type) for name in ("slug", "latitude", "part_of_is_derived")}
        assert types == {"slug": "string", "latitude": "double", "part_of_is_derived": "bool"}

    def test_codes_are_explained_by_the_description(self) -> None:
        for name in FAMILY_NAMES:
            measures = family(name).measures
            fields = {field["name"]: field for field in described.schema_of_rows(measures)["fields"]}
            for measure in (one for one in measures if one.unit in (CODE, FLAG) and one.name != "winners"):
                field = fields[measure.name]
                labels = {one["value"]: one["label"] for one in field["categories"]}
                assert field["constraints"]["enum"] == list(labels)
                assert all(f"{value}: {label}" in field["description"] for value, label in labels.items())
            ends = [one["label"].partition(":")[0].partition(" ")[0] for one in fields["end"]["categories"]]
            assert ends == ["won", "drawn", "endless", "unfinished"]
            assert "2 for the second" in fields["winners"]["description"]
            assert not [one for one in fields.values() if "(code)" in one["description"]]
        package = json.loads(self.files["datapackage.json"])
        columns = [
            (table["name"], field)
            for table in package["resources"]
            if isinstance(table.get("schema"), dict)
            for field in table["schema"]["fields"]
        ]
        for table, field in columns:
            enum = field.get("constraints", {}).get("enum")
            assert not enum or [one["value"] for one in field["categories"]] == enum, (table, field["name"])
        said = {(table, field["name"]): field["description"] for table, field in columns}
        assert "no place on a map" in said["measurements", "place"]
        assert "without the column game" in said["batches", "digest"]
        for word in ("sowing", "points", "race"):
            assert f"{word}:" in said["rulesets", "family"]
        readme = self.files["README.md"].decode()
        for word in ("endless", "unfinished", "winners", "without the column `game`"):
            assert word in readme

    def test_what_stands_there_is_not_written_over(self) -> None:
        with a_folder() as folder:
            (folder / "mine").mkdir()
            (folder / "mine" / "thesis.txt").write_text("Chapter one")
            shutil.copytree(self.one, folder / "one")
            for place in ("mine", "one"):
                with pytest.raises(CommandError, match="is there"):
                    export(folder / place)
            with pytest.raises(CommandError, match="not replaced"):
                export(folder / "mine", "--replace")
            (folder / "one" / "notes.txt").write_text("I keep them here")
            with pytest.raises(CommandError, match=r"notes\.txt: is not in SHA256SUMS"):
                export(folder / "one", "--replace")
            (folder / "one" / "notes.txt").unlink()
            assert export(folder / "one", "--replace", "--date", "2026-12-02")["version"] == "2026.12.02"
            assert sorted(path.name for path in folder.iterdir()) == ["mine", "one"], "nothing is left beside it"
            with pytest.raises(CommandError, match="give a later --date"):
                export(folder / "two", "--previous", str(folder / "one"), "--date", "2026-12-02")
            with pytest.raises(CommandError, match="is written like 2026-11-21"):
                export(folder / "two", "--date", "yesterday")
            assert sorted(path.name for path in folder.iterdir()) == ["mine", "one"]

    @pytest.mark.by_turns
    def test_the_number_of_queries_does_not_grow_with_the_rows(self) -> None:
        asked = []
        for number in (5_000, 6_000):
            with a_folder() as folder, CaptureQueriesContext(connection) as queries:
                export(folder / "one", "--date", "2026-12-01")
            asked.append(len(queries))
            for one in range(number, number + 30):
                evidence(one)
        assert asked[0] == asked[1] < 60
