"""The catalogue as Python objects: lists as iterators, games asked for and waited for, figures as a data frame."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload
from urllib.parse import quote

from catalogue_client.asking import Asking, document, lines
from catalogue_client.errors import NotDone, RefusedRequest, TooLong, seconds_to_wait
from catalogue_client.rows import (
    Annotation,
    Batch,
    Claim,
    Clause,
    Comparison,
    Date,
    Evidence,
    Finding,
    Game,
    Ladder,
    Measurement,
    Question,
    Raw,
    RequestedLadder,
    RequestedStudy,
    Row,
    Ruleset,
    Study,
    made,
)  # fmt: skip

if TYPE_CHECKING:
    import pandas

PAGE = 100  # rows asked for at once
OPEN = ("running", "waiting")  # states in which there is something to wait for
Waited = TypeVar("Waited", Batch, Comparison)
Cancelled = TypeVar("Cancelled", Batch, Comparison, RequestedStudy, RequestedLadder)
FINISHED: dict[type[Row], type[Row]] = {RequestedStudy: Study, RequestedLadder: Ladder}
ACCEPTED = 202  # it is not there yet
AnyRow = TypeVar("AnyRow", bound=Row)


class Catalogue:
    """A catalogue at an address. Use it in a `with` statement, or close it.

    site:     "https://games.example.org"
    token:    of a program that reads more than others may; nothing needs one
    timeout:  seconds that one answer may take
    tries:    how often a request is made that fails for the moment
    patience: seconds to wait at most before it is made again; told to wait longer, `RefusedRequest` is raised

    Lists take the filters of the API by name: `records(place="sri-lanka", from_=1900)`. Several values are a list.
    Raises RefusedRequest, which names each mistake with the nearest valid value, and Unreachable.
    """

    def __init__(
        self, site: str, *, token: str = "", timeout: float = 30.0, tries: int = 3, patience: float = 60.0
    ) -> None:
        self._asking = Asking(site, token=token, timeout=timeout, tries=tries, patience=patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._asking.http.close()

    # Anything the API has, as plain dictionaries.

    def get(self, path: str, **parameters: Any) -> Raw:
        """Return one answer. path: below /api/v1/, `clauses/puhulmutu-parker/relay/`, or an address from an answer"""
        return document(self._asking.answer("GET", path, parameters))

    def every(self, path: str, **filters: Any) -> Iterator[Raw]:
        """Yield the rows of a list of any length; pages are fetched as they are needed.

        By cursor, so that nothing is repeated or passed over meanwhile; a few lists have numbered pages only.
        """
        wanted = {"cursor": "*", "page_size": PAGE, **filters}
        try:
            page = self.get(path, **wanted)
        except RefusedRequest as refusal:
            if "cursor" in filters or all(problem.field != "cursor" for problem in refusal.problems):
                raise
            page = self.get(path, **{**wanted, "cursor": None})
        yield from page["results"]
        while page["next"]:
            page = self.get(page["next"])
            yield from page["results"]

    def text(self, path: str, **parameters: Any) -> str:
        """An answer as text: `text("evidence/", format="csv")`, or a page of the site, `text("/cite/record/….bib")`."""
        return self._asking.answer("GET", path, parameters).text

    # Rows of the catalogue.

    def records(self, **filters: Any) -> Iterator[Evidence]:
        return self._rows(Evidence, "evidence/", filters)

    def record(self, identifier: str) -> Evidence:
        return made(Evidence, self.get(f"evidence/{_in_path(identifier)}/"))

    def games(self, **filters: Any) -> Iterator[Game]:
        return self._rows(Game, "games/", filters)

    def game(self, slug: str) -> Game:
        return made(Game, self.get(f"games/{_in_path(slug)}/"))

    def rulesets(self, **filters: Any) -> Iterator[Ruleset]:
        """The newest version of each; its `reading` says whose understanding of which records it is."""
        return self._rows(Ruleset, "rulesets/", filters)

    def ruleset(self, name: str) -> Ruleset:
        """name: slug, slug@number or hash"""
        return made(Ruleset, self.get(f"rulesets/{_in_path(name)}/"))

    def claims(self, **filters: Any) -> Iterator[Claim]:
        return self._rows(Claim, "claims/", filters)

    def claim(self, key: str) -> Claim:
        """key: "daramuti/experience-wins" """
        return made(Claim, self.get(f"claims/{_in_path(key)}/"))

    def clauses(self, **filters: Any) -> Iterator[Clause]:
        """Yield rules of readings, each with the words it rests on: `held_by="…"` for all those of one reading."""
        return self._rows(Clause, "clauses/", filters)

    def clause(self, key: str) -> Clause:
        """key: "puhulmutu-parker/relay" """
        return made(Clause, self.get(f"clauses/{_in_path(key)}/"))

    def questions(self, **filters: Any) -> Iterator[Question]:
        return self._rows(Question, "questions/", filters)

    def question(self, key: str) -> Question:
        """key: "puhulmutu/single-counters" """
        return made(Question, self.get(f"questions/{_in_path(key)}/"))

    def annotations(self, **filters: Any) -> Iterator[Annotation]:
        """Yield words of records and what was read from them: `evidence="…"`, `reading="…"`, `stance="opposes"`."""
        return self._rows(Annotation, "annotations/", filters)

    def annotation(self, key: str) -> Annotation:
        """key: "clause/puhulmutu-parker/relay/supports/1", or the address that `Words.annotation` is"""
        return made(Annotation, self.get(key if key.startswith("http") else f"annotations/{_in_path(key)}/"))

    def studies(self, **filters: Any) -> Iterator[Study]:
        return self._rows(Study, "studies/", filters)

    def study(self, id: str) -> Study:
        return made(Study, self.get(f"studies/{_in_path(id)}/"))

    def measurements(self, **filters: Any) -> list[Measurement]:
        """Yield the figures of readings on each level of play, narrowed by place, to, measure, level and the like."""
        return list(self._rows(Measurement, "measurements/", filters))

    def findings(self, **filters: Any) -> Iterator[Finding]:
        """Yield findings in sentences, those of the strongest players first; narrowed by kind, game and level."""
        return self._rows(Finding, "findings/", {"cursor": None, **filters})

    # Games that are asked for.

    def batches(self, **filters: Any) -> Iterator[Batch]:
        return self._rows(Batch, "batches/", filters)

    def batch(self, id: str) -> Batch:
        return made(Batch, self.get(f"batches/{_in_path(id)}/"))

    def request_batch(
        self,
        ruleset: str,
        *,
        games: int | None = None,
        seed: int | None = None,
        players: str | None = None,
        cap: int | None = None,
        until: str | None = None,
        set: Mapping[str, Any] | None = None,
    ) -> Batch:
        """Ask for games; the same request is always the same batch. What is None is as the catalogue has it."""
        wanted = {"games": games, "seed": seed, "players": players, "cap": cap, "until": until}
        body = {"ruleset": ruleset, **_given(wanted), **({"set": dict(set)} if set else {})}
        return made(Batch, document(self._asking.answer("POST", "batches/", body=body)))

    def games_of(self, batch: Batch | str) -> Iterator[dict[str, int]]:
        """The row of each game of a batch that is done, as they come: it is never held whole."""
        id = batch if isinstance(batch, str) else batch.id
        with self._asking.opened("GET", f"batches/{_in_path(id)}/rows/", {"format": "jsonl"}) as answer:
            yield from lines(answer)

    def comparisons(self, **filters: Any) -> Iterator[Comparison]:
        return self._rows(Comparison, "comparisons/", filters)

    def comparison(self, id: str) -> Comparison:
        return made(Comparison, self.get(f"comparisons/{_in_path(id)}/"))

    def request_comparison(
        self,
        rulesets: Iterable[str | Mapping[str, Any]],
        *,
        games: int | None = None,
        seed: int | None = None,
        players: str | None = None,
        cap: int | None = None,
        until: str | None = None,
        margins: Mapping[str, float] | None = None,
        bootstrap_seed: int | None = None,
    ) -> Comparison:
        """Ask for readings side by side; one with changes is {"ruleset": name, "set": changes}."""
        wanted = {"games": games, "seed": seed, "players": players, "cap": cap, "until": until, "margins": margins}
        body = {"rulesets": list(rulesets), **_given(wanted), **_given({"bootstrap_seed": bootstrap_seed})}
        return made(Comparison, document(self._asking.answer("POST", "comparisons/", body=body)))

    def request_study(
        self, game: str, *, games: int | None = None, seed: int | None = None, players: str | None = None
    ) -> Study | RequestedStudy:
        """Ask which doubt about a game matters; it may be known."""
        wanted = _given({"games": games, "seed": seed, "players": players})
        answer = self._asking.answer("POST", "studies/", body={"game": game, **wanted})
        if answer.status_code == ACCEPTED:
            return made(RequestedStudy, document(answer))
        return made(Study, document(answer))

    def ladders(self, **filters: Any) -> Iterator[Ladder]:
        return self._rows(Ladder, "ladders/", filters)

    def ladder(self, id: str) -> Ladder:
        return made(Ladder, self.get(f"ladders/{_in_path(id)}/"))

    def request_ladder(
        self, ruleset: str, *, most: int | None = None, games: int | None = None
    ) -> Ladder | RequestedLadder:
        """Ask how much foresight is worth in a ruleset; it may be known."""
        wanted = _given({"most": most, "games": games})
        answer = self._asking.answer("POST", "ladders/", body={"ruleset": ruleset, **wanted})
        if answer.status_code == ACCEPTED:
            return made(RequestedLadder, document(answer))
        return made(Ladder, document(answer))

    def cancel(self, row: Cancelled) -> Cancelled:
        """Stop what you asked for; refused where it is over, or somebody else waits for it too."""
        return made(type(row), document(self._asking.answer("POST", f"{row.url}cancel/", body={})))

    @overload
    def wait(self, row: Waited, seconds: float = 600.0) -> Waited: ...
    @overload
    def wait(self, row: Study | RequestedStudy, seconds: float = 600.0) -> Study: ...
    @overload
    def wait(self, row: Ladder | RequestedLadder, seconds: float = 600.0) -> Ladder: ...
    def wait(self, row: Any, seconds: float = 600.0) -> Any:
        """Return the row once it is done, polling as often as the catalogue says. Raises TooLong and NotDone."""
        if isinstance(row, Study | Ladder):
            return row
        until = time.monotonic() + seconds
        while True:
            answer = self._asking.answer("GET", row.url)
            if type(row) in FINISHED and answer.status_code != ACCEPTED:
                return made(FINISHED[type(row)], document(answer))
            row = made(type(row), document(answer))
            if row.state not in OPEN:
                break
            pause = seconds_to_wait(answer) or 1.0
            if time.monotonic() + pause > until:
                raise TooLong(f"{row.url} is {row.state} after {seconds:g} seconds")
            time.sleep(pause)
        if row.state != "done":
            raise NotDone(f"{row.url} is {row.state}. {getattr(row, 'error', '')}".strip())
        return row

    def _rows(self, kind: type[AnyRow], path: str, filters: Mapping[str, Any]) -> Iterator[AnyRow]:
        return (made(kind, row) for row in self.every(path, **filters))


def _given(wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in wanted.items() if value is not None}


def frame(rows: Iterable[Row | Mapping[str, Any]]) -> "pandas.DataFrame":
    """Rows as a table, a column for each field: `pip install catalogue-client[pandas]`.

    What a field links to stands by its name, several of them with semicolons between; a date is three columns, such as
    `date`, `date_earliest` and `date_latest`.
    """
    import pandas

    return pandas.DataFrame([_cells(row) for row in rows])


def _cells(row: Row | Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(row, Row):
        return dict(row)
    cells: dict[str, Any] = {}
    for field in fields(row):
        name, value = field.name, getattr(row, field.name)
        if isinstance(value, Date):
            cells |= {name: value.as_printed, f"{name}_earliest": value.earliest, f"{name}_latest": value.latest}
        elif isinstance(value, list) and value and isinstance(value[0], Row):
            cells[name] = "; ".join(_called(one) for one in value)
        elif name != "raw":
            cells[name] = _called(value) if isinstance(value, Row) else value
    return cells


def _called(row: Row) -> str:
    return str(next((getattr(row, name) for name in ("name", "title", "slug", "id") if hasattr(row, name)), row))


def _in_path(key: str) -> str:
    return quote(key, safe="/@")
