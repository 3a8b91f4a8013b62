"""A dump of the portal into the catalogue, in one transaction. What is there already is compared, never changed."""

import gc
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.db import transaction

from catalogue.loading.load_rows import Loaded, load_missing, load_rows
from catalogue.loading.natural_keys import key_of
from catalogue.loading.rows import row, slug_of
from catalogue.models import Evidence, PortalGame, UncertaintyFactor
from catalogue.portal.dump.differences import differences
from catalogue.portal.dump.fields import Linked, Table, names, says_something
from catalogue.portal.dump.games import NamedGame, OfGames, game_rows, named_games
from catalogue.portal.dump.loading import REASON, each_alone, load_subjects, together
from catalogue.portal.dump.places import Places
from catalogue.portal.dump.reading import Dump, read_dump
from catalogue.portal.dump.records import DumpRecord, RecordProblem, Surroundings, record_of, stored_identifiers
from catalogue.portal.dump.report import DumpReport
from catalogue.portal.dump.rulesets import NamedRuleset, named_rulesets, ruleset_rows
from catalogue.portal.dump.sources import printed_sources, source_rows
from catalogue.search.indexing import index_missing, rebuild

Tell = Callable[[str], None]


def import_dump(path: Path, *, dry_run: bool = False, tell: Tell = lambda _: None) -> DumpReport:
    """Raises NoDump if the file is none, OSError if it cannot be read; then nothing was written.

    dry_run: everything is done, and taken back
    tell:    is told how far the import is
    """
    report = DumpReport(dry_run=dry_run)
    dump = read_dump(path, report.remarks, tell)
    report.read = {table: len(rows) for table, rows in dump.tables.items()}
    report.left_alone = dict(dump.left)
    with _left_alone_by_the_collector(), transaction.atomic():
        _Import(dump, report, tell).run()
        if dry_run:
            transaction.set_rollback(True)
        elif not report.changed_nothing:
            tell("the search is made to find what is new")
            bring_index_up_to_date(report)
    return report


@contextmanager
def _left_alone_by_the_collector() -> Iterator[None]:
    """What was read stays until the end; the garbage collector would go through all of it a hundred times."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def bring_index_up_to_date(report: DumpReport) -> None:
    """Where most of the catalogue is new, the index is made anew, which takes half the time of adding to it."""
    if len(report.created) > Evidence.objects.count() / 2:
        rebuild()
    else:
        index_missing(PortalGame.objects.values_list("game", flat=True))


@dataclass(slots=True)
class _Import:
    dump: Dump
    report: DumpReport
    tell: Tell
    of_ruleset: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))

    def run(self) -> None:
        remarks = self.report.remarks
        games = named_games(self.dump, remarks)
        rulesets = named_rulesets(self.dump, games, remarks)
        regions = names(self.dump, "Regions", remarks)
        places = Places(regions.values())
        self._games(games, regions, places)
        printed = printed_sources(self.dump, remarks)
        load_subjects("Sources", list(source_rows(printed, remarks)), self.report, compare=True)
        self.tell(f"{len(games):,} games and {len(printed):,} sources")
        near = Surroundings(
            games=games,
            rulesets=rulesets,
            types=names(self.dump, "EvidenceTypes", remarks, 60),
            places=places,
            printed=printed,
            sources=self._linked("Source", "EvidenceSources", {number: str(number) for number in printed}),
            ages=self._linked("Age", "EvidenceAges", names(self.dump, "Ages", remarks)),
            genders=self._linked("Gender", "EvidenceGenders", names(self.dump, "Genders", remarks)),
            statuses=self._linked(
                "SocialStatus", "EvidenceSocialStatuses", names(self.dump, "SocialStatuses", remarks)
            ),
            spaces=self._linked("Space", "EvidenceSpaces", names(self.dump, "Spaces", remarks)),
            factors=self._linked("UncertaintyFactor", "EvidenceUncertaintyFactors", self._factors()),
        )
        done = 0
        for some in together(self._records(near)):
            each_alone(some, self._write, self._fail)
            done += len(some)
            self.tell(f"{done:,} of {self.report.read['Evidence']:,} records")
        self._rulesets(rulesets, games)

    def _linked(self, other: str, table: str, named: dict[int, str]) -> Linked:
        return Linked(self.dump, table, "Evidence", other, named, self.report.remarks)

    def _games(self, games: dict[int, NamedGame], regions: dict[int, str], places: Places) -> None:
        dump, remarks = self.dump, self.report.remarks
        load_subjects("Regions", [(0, [one]) for one in places.rows.values()], self.report, compare=False)
        slugs = {"Regions": {number: places.of(name)[0][0] for number, name in regions.items()}}
        for table, model in (("Periods", "period"), ("Categories", "category")):
            found = names(dump, table, remarks)
            slugs[table] = {number: slug_of(name) for number, name in found.items()}
            rows = [(number, [row(model, slug=slugs[table][number], name=name)]) for number, name in found.items()]
            load_subjects(table, rows, self.report, compare=False)
        linked = OfGames(
            Linked(dump, "GameRegions", "Game", "Region", slugs["Regions"], remarks),
            Linked(dump, "GamePeriods", "Game", "Period", slugs["Periods"], remarks),
            Linked(dump, "GameCategories", "Game", "Category", slugs["Categories"], remarks),
        )
        for some in together(game_rows(dump, games, linked, remarks)):
            own = [(number, rows[:2]) for number, rows in some]
            load_subjects("Games", own, self.report, compare=True)
            load_subjects("Games", [(number, rows[2:]) for number, rows in some], self.report, compare=False)

    def _factors(self) -> dict[int, str]:
        """Id → slug of the uncertainty factors; those of the catalogue's own that have the same name are the same."""
        table = Table(self.dump, "UncertaintyFactors", self.report.remarks)
        known = {name.casefold(): slug for name, slug in UncertaintyFactor.objects.values_list("name", "slug")}
        named, rows = {}, []
        for number, read in table:
            name = table.line(number, read, "Name", 100)
            if not says_something(name):
                self.report.remarks.add(table.name, number, "has no name and was left out")
                continue
            slug = known.setdefault(name.casefold(), slug_of(name)[:60])
            definition = table.text(number, read, "Definition") or "The portal gives no definition."
            named[number] = slug
            rows.append((number, [row("uncertaintyfactor", slug=slug, name=name, definition=definition)]))
        load_subjects(table.name, rows, self.report, compare=False)
        return named

    def _records(self, near: Surroundings) -> Iterator[DumpRecord]:
        table = Table(self.dump, "Evidence", self.report.remarks)
        for number, read in table:
            try:
                yield record_of(number, read, near, table)
            except RecordProblem as problem:
                self._leave_out(number, f"DLP.Evidence.{number}", str(problem))

    def _fail(self, record: DumpRecord, problem: str) -> None:
        self._leave_out(record.number, record.identifier, problem)

    def _leave_out(self, number: int, identifier: str, problem: str) -> None:
        self.report.left_out.append(identifier)
        self.report.remarks.add("Evidence", number, f"the record was left out: {problem}")

    def _write(self, some: Sequence[DumpRecord]) -> None:
        """Raises RowProblem; the report is changed only when all of them are written."""
        stored = stored_identifiers(some)
        new = [record for record in some if record.identifier not in stored]
        loaded = Loaded()
        load_missing({key_of(place): place for record in new for place in record.places}.values(), loaded)
        rows = (one for record in new for one in (record.evidence, *record.citations, *record.factors))
        load_rows(rows, loaded, bring_up_to_date=False, reason=REASON)
        found = differences([record for record in some if record.identifier in stored])
        self.report.written["Evidence"] += loaded.created
        self.report.created += [record.identifier for record in new]
        differing = {one.identifier for one in found}
        for identifier in (record.identifier for record in some if record.identifier in stored):
            (self.report.differing if identifier in differing else self.report.unchanged).append(identifier)
        self.report.differences += found
        for record in some:
            if record.ruleset:
                self.of_ruleset[record.ruleset].append(record.identifier)

    def _rulesets(self, rulesets: dict[int, NamedRuleset], games: dict[int, NamedGame]) -> None:
        remarks = self.report.remarks
        types = names(self.dump, "RulesetTypes", remarks, 60)
        rows = ruleset_rows(self.dump, rulesets, games, types, self.of_ruleset, remarks)
        for some in together(rows):
            load_subjects("GameRulesets", some, self.report, compare=True)
