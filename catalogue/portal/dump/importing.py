"""A dump of the portal into the catalogue, in one transaction. What is there already is compared, and never changed.

Rows are written together; where one of them cannot be stored, all but that one are.
"""

import gc
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from django.db import transaction

from catalogue.loading.rows import Loaded, Row, RowProblem, load_missing, load_rows, row, slug_of
from catalogue.models import Citation, Evidence, EvidenceUncertainty, PortalGame
from catalogue.portal.dump import fields, records
from catalogue.portal.dump.dates_and_places import Places
from catalogue.portal.dump.reading import Dump, read_dump
from catalogue.portal.dump.values import Notify, ignore
from catalogue.portal.page_import import stored_differences
from catalogue.portal.reports import DumpReport, FieldDifference
from catalogue.search.indexing import index_missing, rebuild

LONGEST_REPORTED = 400  # characters of a text: a hundred megabytes of other texts must fit into a report
BEFORE = 80  # characters of what is the same that are reported before the first difference


def difference(identifier: str, name: str, stored: Any, offered: Any) -> FieldDifference:
    return shortened(FieldDifference(identifier, name, stored, "the catalogue", offered, "the dump"))


def shortened(change: FieldDifference) -> FieldDifference:
    """The part of long texts around the first place where they differ."""
    stored, offered = change.kept, change.offered
    texts = isinstance(stored, str) and isinstance(offered, str)
    if not texts or max(len(stored), len(offered)) <= LONGEST_REPORTED:
        return change
    first = max(0, _length_of_common_beginning(stored, offered) - BEFORE)
    return replace(change, kept=_part(stored, first), offered=_part(offered, first))


def _length_of_common_beginning(one: str, other: str) -> int:
    lengths = range(1, min(len(one), len(other)) + 1)
    return bisect_left(lengths, True, key=lambda length: one[:length] != other[:length])


def _part(text: str, first: int) -> str:
    part = text[first : first + LONGEST_REPORTED]
    return f"{'…' if first else ''}{part}{'…' if first + LONGEST_REPORTED < len(text) else ''}"


def differences(read: Sequence[records.DumpRecord]) -> list[FieldDifference]:
    """Field by field, with a few queries for all of them. Nothing is written."""
    wanted = [record.identifier for record in read]
    sources, factors = _stored(Citation, "source__key", wanted), _stored(EvidenceUncertainty, "factor__slug", wanted)
    others = dict(Evidence.objects.filter(identifier__in=wanted).values_list("identifier", "other_fields"))
    found: list[FieldDifference] = []
    rows: list[Row] = []
    for record in read:
        rows.append(_as_printed(record, others.get(record.identifier, {})))
        stored, cited = sources[record.identifier], {citation["fields"]["source"][0] for citation in record.citations}
        if cited == stored:
            rows += record.citations
        else:
            found.append(difference(record.identifier, "sources", sorted(stored), sorted(cited)))
        known, named = factors[record.identifier], {factor["fields"]["factor"][0] for factor in record.factors}
        if not named <= known:  # the catalogue's editors may know more of them
            found.append(difference(record.identifier, "uncertainty factors", sorted(known), sorted(named)))
    loaded = Loaded()
    load_rows(rows, loaded, bring_up_to_date=False)
    return [*found, *map(shortened, stored_differences(loaded, "the dump"))]


def _as_printed(record: records.DumpRecord, stored: Mapping[str, Any]) -> Row:
    """The record's row without what its page does not print, where the catalogue has not got it either."""
    fields = record.evidence["fields"]
    others = {
        label: words
        for label, words in fields["other_fields"].items()
        if label in stored or label not in records.ONLY_IN_THE_DUMP
    }
    return {**record.evidence, "fields": {**fields, "other_fields": others}}


def _stored(model: type[Citation] | type[EvidenceUncertainty], name: str, wanted: list[str]) -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    rows = model.objects.filter(evidence__identifier__in=wanted).order_by()
    for identifier, value in rows.values_list("evidence__identifier", name):
        found[identifier].add(value)
    return found


AT_ONCE = 500
REASON = "Imported from a dump of the portal's database"

Item = TypeVar("Item")
Write = Callable[[Sequence[Item]], None]
Fail = Callable[[Item, str], None]


def batched(items: Iterable[Item]) -> Iterator[list[Item]]:
    rest = iter(items)
    while some := list(islice(rest, AT_ONCE)):
        yield some


def each_alone(items: Sequence[Item], write: Write[Item], fail: Fail[Item]) -> None:
    """Call `write` for all rows, halving them while RowProblem is raised; `fail` gets those that raise it alone."""
    try:
        with transaction.atomic():
            write(items)
    except RowProblem as problem:
        if len(items) == 1:
            fail(items[0], str(problem))
            return
        middle = len(items) // 2
        each_alone(items[:middle], write, fail)
        each_alone(items[middle:], write, fail)


def load_subjects(table: str, rows: Sequence[tuple[int, Sequence[Row]]], report: DumpReport, *, compare: bool) -> None:
    """The rows that come of each row of a table; those that are there already are compared, or left unread."""

    def write(some: Sequence[tuple[int, Sequence[Row]]]) -> None:
        loaded = Loaded()
        every = [row for _, of_one in some for row in of_one]
        if compare:
            load_rows(every, loaded, bring_up_to_date=False, reason=REASON)
        else:
            load_missing(every, loaded)
        report.written[table] += loaded.created
        report.differences += [
            difference(f"{change.model} {change.key}", change.field, change.stored, change.offered)
            for change in loaded.differences
        ]

    def fail(one: tuple[int, Sequence[Row]], problem: str) -> None:
        report.remarks.add(table, one[0], f"was left out: {problem}")

    for some in batched(rows):
        each_alone(some, write, fail)


LINKED = {
    "Age": "Ages", "Gender": "Genders", "SocialStatus": "SocialStatuses", "Space": "Spaces",
    "LudemeInfo": "LudemeInfos", "Ludemeplex": "Ludemeplexes",
}  # fmt: skip
LONGEST_LINKED = 1_000  # characters of one name: a ludemeplex is told in a sentence
SORTED_BY = {"Period": "Periods", "Category": "Categories"}


def import_dump(path: Path, *, dry_run: bool = False, notify: Notify = ignore) -> DumpReport:
    """Import a dump. Raises NoDump for another file, OSError for an unreadable one; then nothing was written.

    dry_run: everything is done, and taken back
    notify:  is called with how far the import is
    """
    report = DumpReport(dry_run=dry_run)
    dump = read_dump(path, report.remarks, notify)
    report.read = {table: len(rows) for table, rows in dump.tables.items()}
    report.left_alone = dict(dump.left)
    with _without_garbage_collection(), transaction.atomic():
        _Import(dump, report, notify).run()
        if dry_run:
            transaction.set_rollback(True)
        elif not report.changed_nothing:
            notify("the search is made to find what is new")
            bring_index_up_to_date(report)
    return report


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Exempt the rows that were read from garbage collection, which would visit all of them again and again."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def bring_index_up_to_date(report: DumpReport) -> None:
    """Update the index; where most of the catalogue is new it is rebuilt, which takes half the time."""
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
        games = records.named_games(self.dump)
        rulesets = records.named_rulesets(self.dump, games)
        regions = fields.names(self.dump, "Regions")
        self.places = Places(regions.values())
        printed = fields.printed_sources(self.dump)
        load_subjects("Sources", list(fields.source_rows(printed, self.dump.remarks)), self.report, compare=True)
        groups = self._groups(regions)
        self._games(games, groups, printed)
        self.notify(f"{len(games):,} games and {len(printed):,} sources")
        types = fields.names(self.dump, "EvidenceTypes", 60)
        named = {several: fields.names(self.dump, several, LONGEST_LINKED) for several in LINKED.values()}
        lookups = records.Lookups(games, rulesets, types, self.places, printed, dict(self._linked(printed, named)))
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

    def _linked(
        self, printed: Iterable[int], named: Mapping[str, dict[int, str]]
    ) -> Iterator[tuple[str, fields.LinkedNames]]:
        """Return the rows that records are linked to, by the portal's name for one of them."""
        yield "Source", self._linked_by("Evidence", "Source", "Sources", {number: str(number) for number in printed})
        for one, several in LINKED.items():
            yield one, self._linked_by("Evidence", one, several, named[several])
        factors = self._factors()
        yield "UncertaintyFactor", self._linked_by("Evidence", "UncertaintyFactor", "UncertaintyFactors", factors)

    def _linked_by(self, one: str, other: str, others: str, named: Mapping[int, str]) -> fields.LinkedNames:
        return fields.LinkedNames(self.dump, f"{one}{others}", one, other, named)

    def _groups(self, regions: dict[int, str]) -> dict[str, dict[int, str]]:
        """Return the categories of games and rulesets as rows; Region, Period, Category → Id → slug."""
        load_subjects("Regions", [(0, [place]) for place in self.places.rows.values()], self.report, compare=False)
        slugs = {"Region": {number: self.places.of(name)[0] for number, name in regions.items()}}
        for one, several in SORTED_BY.items():
            found = fields.names(self.dump, several)
            slugs[one] = {number: slug_of(name) for number, name in found.items()}
            rows = [(number, [row(one.lower(), slug=slug_of(name), name=name)]) for number, name in found.items()]
            load_subjects(several, rows, self.report, compare=False)
        return slugs

    def _games(
        self,
        games: dict[int, records.NamedGame],
        groups: Mapping[str, dict[int, str]],
        printed: Mapping[int, fields.PrintedSource],
    ) -> None:
        keys = {number: source.key for number, source in printed.items()}
        named = {**groups, "Source": keys}
        linked = {
            several.lower(): self._linked_by("Game", one, several, named[one])
            for one, several in {"Region": "Regions", **SORTED_BY, "Source": "Sources"}.items()
        }
        for some in batched(records.game_rows(self.dump, games, linked, self.places)):
            self._origins(some)
            load_subjects("Games", [(number, rows[:2]) for number, rows in some], self.report, compare=True)
            load_subjects("Games", [(number, rows[2:]) for number, rows in some], self.report, compare=False)

    def _origins(self, some: Sequence[tuple[int, Sequence[Row]]]) -> None:
        """The places that rows of games or rulesets name as their origin."""
        named = (item["fields"].get("origin_points", ()) for _, rows in some for item in rows)
        wanted = sorted({slug for points in named for (slug,) in points})
        load_subjects("Places", [(0, self.places.rows_of(wanted))], self.report, compare=False)

    def _factors(self) -> dict[int, str]:
        """Id → slug of the uncertainty factors. The portal's are none of the catalogue's own, whatever they are called:
        its "Incomplete" is a broken board, ours a text that does not say enough."""
        named, rows = {}, []
        for read in fields.numbered_rows(self.dump, "UncertaintyFactors"):
            name = read.line("Name", 90)
            if not fields.says_something(name):
                read.remark(fields.NAMELESS)
                continue
            slug = f"portal-{slug_of(name)}"[:60]
            definition = read.text("Definition") or "The portal gives no definition."
            named[read.number] = slug
            factor = row("uncertaintyfactor", slug=slug, name=f"{name} (portal)", definition=definition)
            rows.append((read.number, [factor]))
        load_subjects("UncertaintyFactors", rows, self.report, compare=False)
        return named

    def _records(self, lookups: records.Lookups) -> Iterator[records.DumpRecord]:
        for read in fields.numbered_rows(self.dump, "Evidence"):
            try:
                yield records.record_of(read, lookups)
            except records.RecordProblem as problem:
                self._leave_out(read.number, str(problem))

    def _fail(self, record: records.DumpRecord, problem: str) -> None:
        self._leave_out(record.number, problem)

    def _leave_out(self, number: int, problem: str) -> None:
        self.report.left_out.append(f"DLP.Evidence.{number}")
        self.dump.remarks.add("Evidence", number, f"the record was left out: {problem}")

    def _write(self, some: Sequence[records.DumpRecord]) -> None:
        """Raises RowProblem; the report is changed only when all of them are written."""
        stored = records.stored_identifiers(some)
        new = [record for record in some if record.identifier not in stored]
        loaded = Loaded()
        load_missing(self.places.rows_of(slug for record in new for slug in record.places), loaded)
        rows = (item for record in new for item in (record.evidence, *record.citations, *record.factors))
        load_rows(rows, loaded, bring_up_to_date=False, reason=REASON)
        found = differences([record for record in some if record.identifier in stored])
        self.report.written["Evidence"] += loaded.created
        self.report.created += [record.identifier for record in new]
        differing = {difference.identifier for difference in found}
        self.report.differences += found
        for record in some:
            if record.identifier in stored:
                self.report.add_compared(record.identifier, record.identifier in differing)
            if record.ruleset:
                self.of_ruleset[record.ruleset].append(record.identifier)

    def _rulesets(
        self,
        rulesets: dict[int, records.DumpRuleset],
        games: dict[int, records.NamedGame],
        linked: Mapping[str, fields.LinkedNames],
    ) -> None:
        types = fields.names(self.dump, "RulesetTypes", 60)
        for some in batched(
            records.ruleset_rows(self.dump, rulesets, games, types, self.of_ruleset, linked, self.places)
        ):
            self._origins(some)
            load_subjects("GameRulesets", some, self.report, compare=True)
