"""A dump of the portal into the catalogue, in one transaction. What is there already is compared, never changed."""

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.db import transaction

from catalogue.loading.load_rows import Loaded, load_missing, load_rows
from catalogue.loading.rows import Row, row, slug_of
from catalogue.models import Evidence, PortalGame
from catalogue.portal.dump.differences import differences
from catalogue.portal.dump.fields import NAMELESS, LinkedNames, names, numbered_rows, says_something
from catalogue.portal.dump.games import NamedGame, game_rows, named_games
from catalogue.portal.dump.loading import REASON, batched, each_alone, load_subjects
from catalogue.portal.dump.places import Places
from catalogue.portal.dump.reading import Dump, read_dump
from catalogue.portal.dump.records import DumpRecord, Lookups, RecordProblem, record_of, stored_identifiers
from catalogue.portal.dump.rulesets import NamedRuleset, named_rulesets, ruleset_rows
from catalogue.portal.dump.sources import PrintedSource, printed_sources, source_rows
from catalogue.portal.dump.texts import Notify, ignore
from catalogue.portal.reports import DumpReport
from catalogue.search.indexing import index_missing, rebuild

LINKED = {
    "Age": "Ages", "Gender": "Genders", "SocialStatus": "SocialStatuses", "Space": "Spaces",
    "LudemeInfo": "LudemeInfos", "Ludemeplex": "Ludemeplexes",
}  # fmt: skip
LONGEST_LINKED = 1_000  # characters of one name: a ludemeplex is told in a sentence
SORTED_BY = {"Period": "Periods", "Category": "Categories"}


def import_dump(path: Path, *, dry_run: bool = False, notify: Notify = ignore) -> DumpReport:
    """Raises NoDump if the file is none, OSError if it cannot be read; then nothing was written.

    dry_run: everything is done, and taken back
    notify:  is called with how far the import is
    """
    report = DumpReport(dry_run=dry_run)
    dump = read_dump(path, report.remarks, notify)
    report.read = {table: len(rows) for table, rows in dump.tables.items()}
    report.left_alone = dict(dump.left)
    with _left_alone_by_the_collector(), transaction.atomic():
        _Import(dump, report, notify).run()
        if dry_run:
            transaction.set_rollback(True)
        elif not report.changed_nothing:
            notify("the search is made to find what is new")
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
    notify: Notify
    places: Places = field(init=False)
    of_ruleset: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))

    def run(self) -> None:
        games = named_games(self.dump)
        rulesets = named_rulesets(self.dump, games)
        regions = names(self.dump, "Regions")
        self.places = Places(regions.values())
        printed = printed_sources(self.dump)
        load_subjects("Sources", list(source_rows(printed, self.dump.remarks)), self.report, compare=True)
        groups = self._groups(regions)
        self._games(games, groups, printed)
        self.notify(f"{len(games):,} games and {len(printed):,} sources")
        types = names(self.dump, "EvidenceTypes", 60)
        named = {several: names(self.dump, several, LONGEST_LINKED) for several in LINKED.values()}
        lookups = Lookups(games, rulesets, types, self.places, printed, dict(self._linked(printed, named)))
        done = 0
        for some in batched(self._records(lookups)):
            each_alone(some, self._write, self._fail)
            done += len(some)
            self.notify(f"{done:,} of {self.report.read['Evidence']:,} records")
        ludemeplexes = self._linked_by("Ruleset", "Ludemeplex", "Ludemeplexes", named["Ludemeplexes"])
        linked = {"ludemeplexes": ludemeplexes}
        for one, several in {"Region": "Regions", "Period": "Periods"}.items():
            linked[several.lower()] = self._linked_by("Ruleset", one, several, groups[one])
        self._rulesets(rulesets, games, linked)

    def _linked(self, printed: Iterable[int], named: Mapping[str, dict[int, str]]) -> Iterator[tuple[str, LinkedNames]]:
        """What records are linked to, by what the portal calls one of them."""
        yield "Source", self._linked_by("Evidence", "Source", "Sources", {number: str(number) for number in printed})
        for one, several in LINKED.items():
            yield one, self._linked_by("Evidence", one, several, named[several])
        factors = self._factors()
        yield "UncertaintyFactor", self._linked_by("Evidence", "UncertaintyFactor", "UncertaintyFactors", factors)

    def _linked_by(self, one: str, other: str, others: str, named: Mapping[int, str]) -> LinkedNames:
        return LinkedNames(self.dump, f"{one}{others}", one, other, named)

    def _groups(self, regions: dict[int, str]) -> dict[str, dict[int, str]]:
        """What games and rulesets are sorted by, as rows; Region, Period, Category → Id → slug."""
        load_subjects("Regions", [(0, [one]) for one in self.places.rows.values()], self.report, compare=False)
        slugs = {"Region": {number: self.places.of(name)[0] for number, name in regions.items()}}
        for one, several in SORTED_BY.items():
            found = names(self.dump, several)
            slugs[one] = {number: slug_of(name) for number, name in found.items()}
            rows = [(number, [row(one.lower(), slug=slug_of(name), name=name)]) for number, name in found.items()]
            load_subjects(several, rows, self.report, compare=False)
        return slugs

    def _games(
        self,
        games: dict[int, NamedGame],
        groups: Mapping[str, dict[int, str]],
        printed: Mapping[int, PrintedSource],
    ) -> None:
        keys = {number: source.key for number, source in printed.items()}
        named = {**groups, "Source": keys}
        linked = {
            several.lower(): self._linked_by("Game", one, several, named[one])
            for one, several in {"Region": "Regions", **SORTED_BY, "Source": "Sources"}.items()
        }
        for some in batched(game_rows(self.dump, games, linked, self.places)):
            self._origins(some)
            load_subjects("Games", [(number, rows[:2]) for number, rows in some], self.report, compare=True)
            load_subjects("Games", [(number, rows[2:]) for number, rows in some], self.report, compare=False)

    def _origins(self, some: Sequence[tuple[int, Sequence[Row]]]) -> None:
        """The places that rows of games or rulesets name as their origin."""
        named = (one["fields"].get("origin_points", ()) for _, rows in some for one in rows)
        wanted = sorted({slug for points in named for (slug,) in points})
        load_subjects("Places", [(0, self.places.rows_of(wanted))], self.report, compare=False)

    def _factors(self) -> dict[int, str]:
        """Id → slug of the uncertainty factors. The portal's are none of the catalogue's own, whatever they are called:
        its "Incomplete" is a broken board, ours a text that does not say enough."""
        named, rows = {}, []
        for read in numbered_rows(self.dump, "UncertaintyFactors"):
            name = read.line("Name", 90)
            if not says_something(name):
                read.remark(NAMELESS)
                continue
            slug = f"portal-{slug_of(name)}"[:60]
            definition = read.text("Definition") or "The portal gives no definition."
            named[read.number] = slug
            factor = row("uncertaintyfactor", slug=slug, name=f"{name} (portal)", definition=definition)
            rows.append((read.number, [factor]))
        load_subjects("UncertaintyFactors", rows, self.report, compare=False)
        return named

    def _records(self, lookups: Lookups) -> Iterator[DumpRecord]:
        for read in numbered_rows(self.dump, "Evidence"):
            try:
                yield record_of(read, lookups)
            except RecordProblem as problem:
                self._leave_out(read.number, str(problem))

    def _fail(self, record: DumpRecord, problem: str) -> None:
        self._leave_out(record.number, problem)

    def _leave_out(self, number: int, problem: str) -> None:
        self.report.left_out.append(f"DLP.Evidence.{number}")
        self.dump.remarks.add("Evidence", number, f"the record was left out: {problem}")

    def _write(self, some: Sequence[DumpRecord]) -> None:
        """Raises RowProblem; the report is changed only when all of them are written."""
        stored = stored_identifiers(some)
        new = [record for record in some if record.identifier not in stored]
        loaded = Loaded()
        load_missing(self.places.rows_of(slug for record in new for slug in record.places), loaded)
        rows = (one for record in new for one in (record.evidence, *record.citations, *record.factors))
        load_rows(rows, loaded, bring_up_to_date=False, reason=REASON)
        found = differences([record for record in some if record.identifier in stored])
        self.report.written["Evidence"] += loaded.created
        self.report.created += [record.identifier for record in new]
        differing = {one.identifier for one in found}
        self.report.differences += found
        for record in some:
            if record.identifier in stored:
                self.report.add_compared(record.identifier, record.identifier in differing)
            if record.ruleset:
                self.of_ruleset[record.ruleset].append(record.identifier)

    def _rulesets(
        self,
        rulesets: dict[int, NamedRuleset],
        games: dict[int, NamedGame],
        linked: Mapping[str, LinkedNames],
    ) -> None:
        types = names(self.dump, "RulesetTypes", 60)
        for some in batched(ruleset_rows(self.dump, rulesets, games, types, self.of_ruleset, linked, self.places)):
            self._origins(some)
            load_subjects("GameRulesets", some, self.report, compare=True)
