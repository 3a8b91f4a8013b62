"""The contract every family of games fulfils, and the register of the families.

A family is a set of parameters with a schema, two engines that play them (a referee anyone can read and a compiled
kernel), a notation and a drawing. This module names what the rest of the project may ask of it; it never imports numba.
A parameter that changes nothing is refused like an impossible one: two documents for one game would have two hashes.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from simulator.engine.board_sheet import Weight
from simulator.engine.channels import Layout
from simulator.engine.ends import DRAW, ENDLESS, UNFINISHED, WIN
from simulator.engine.naming import Naming, Part, seat_name, seat_title
from simulator.engine.ruleset import Ruleset, nearest
from simulator.engine.tables import (
    NAMES,
    ROWS,
    Place,
    Spec,
    branch,
    called,
    columns_of,
    is_table,
    kind_of,
    places,
    read_place,
    spec_at,
    value_at,
    write_place,
)

Rules = Mapping[str, Any]
MoveBlock = tuple[int, int, int, int]  # of codes of moves: the first, from row to row, rows, codes in a row
Inactive = tuple[str, str]  # a key that never fires, and why
Impossible = tuple[str, str, Any]  # a key, what is wrong with it, the nearest valid value
Need = tuple[
    str, tuple[Any, ...] | None
]  # the key needed, the values that let the rule fire (None: any but the off value)


# Off values that only say that something is left out, and what a rule says that cannot fire beside the others.
LEFT_OUT: tuple[Any, ...] = (False, 0, [], {}, "off")
NOT_ARISING = "This does not arise here."

# Scopes of measures that are no part of the game.
GAME, CODE, MOBILITY, COURSE = "game", "code", "mobility", "course"
FLAG = "flag"  # the unit of a column that is 1 if something came about in a game, else 0

# What the numbers of coded columns stand for.
ENDS_IN_WORDS = {
    WIN: "won",
    DRAW: "drawn by the rules, or of a batch of first rounds: the round ended equal",
    ENDLESS: "endless: a turn that never releases the mover, so that nobody wins",
    UNFINISHED: "unfinished: stopped by the cap, so that what was counted is a lower bound",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """One column of a game's row.

    unit:  what one of it is ("turns", "counters"; "code" for a label; FLAG)
    scope: "game" (grows until the game ends, so the cap makes it a lower bound), "code" (a label, never averaged),
           "mobility" (a seat's options or decisions, of interest only as their ratio), "course" (what stood after a
           number of turns, with a name that ends in "_at_" and that number) or a part of the game such as
           "first_round" (known once that part has ended)
    seat:  the seat it is counted for, or None
    ever:  what the share of games is called in which there was at least one; empty if it is of no interest
    note:  what it means in one ruleset, in a sentence
    since: the row version of the family from which on it is counted
    """

    name: str
    title: str
    unit: str
    scope: str
    seat: int | None = None
    ever: str = ""
    note: str = ""
    since: int = 1

    @property
    def is_amount(self) -> bool:
        """Whether there is a mean of it: not of a label, nor of what is told as a share of the games."""
        return self.unit not in (CODE, FLAG)

    @property
    def labels(self) -> dict[int, str]:
        """Return what each number stands for in a column of labels; empty for an amount, and for `winners`, which has
        1 for the first player, 2 for the second, 4 for the third and 8 for the fourth, added up."""
        if self.name == "end":
            return ENDS_IN_WORDS
        if self.name.endswith("_winner"):
            return {-1: "nobody", **{seat: f"the {seat_name(seat)}" for seat in (0, 1)}}
        return {0: "no", 1: "yes"} if self.unit == FLAG or self.name.endswith("_ended") else {}

    @property
    def share(self) -> str:
        """What the share of games is called in which it came about; empty for what is no share."""
        return self.title if self.unit == FLAG else self.ever

    @property
    def turn(self) -> int:
        """The turn after which a measure of scope "course" was taken down."""
        return int(self.name.rpartition("_at_")[2])


def by_seat(name: str, title: str, unit: str, scope: str = GAME, seats: int = 2) -> tuple[Measure, ...]:
    """Make a measure for each seat; `{}` stands for its number in the name, for what it is called in the title."""
    return tuple(Measure(name.format(seat), title.format(seat_name(seat)), unit, scope, seat) for seat in range(seats))


# The columns that every family's row begins with; `loops` counts them, and numbers those behind the winners itself.
COMMON_MEASURES = (
    Measure("end", "Kind of end", "code", "code"),
    Measure("winners", "Winning seats", "code", "code"),
    Measure("turns", "Turns", "turns", "game"),
    Measure("decisions", "Decisions", "decisions", "game"),
    Measure("options", "Options over all decisions", "options", "game"),
    Measure("lead_changes", "Changes of the lead", "changes", "game"),
)


def place_of_count(measures: tuple[Measure, ...], constant: str) -> int:
    """Return the place of a column among a game's counts, which are the row without its end and its winners.

    constant: the column's name in capitals; raises AttributeError for another, since modules ask in `__getattr__`
    """
    names = [measure.name for measure in measures[2:]]
    if not constant.isupper() or constant.lower() not in names:
        raise AttributeError(f"no column of a row is called {constant!r}")
    return names.index(constant.lower())


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """What the project may ask of a family.

    rules_version: rises when some game of some ruleset would be played differently, and only then; part of the identity
                of batches, and of all that is concluded from them
    row_version: rises when rows get a column; a batch without the column stays what it is, and says so
    seats:      parameters -> number of seats; two unless the family says otherwise
    draw_start: ruleset -> SVG of the board in its start position
    draw:       (ruleset, position of the referee, title, names of the places to point out) -> SVG of that position;
                every place that a move can name has an element with that name as its `data-place`
    throws:     whether lots are thrown, so that a position leads to others by chance
    kind_of_game: parameters -> the kind of game, which has evaluation weights of its own
    extent:     parameters -> how much there is to look at in a turn, beside other games of its kind: pieces, or holes
    listed_throws: parameters -> (chance, key of a stream of draws that begins with it) of every throw; none
                where lots are not thrown; raises ValueError where they cannot be listed
    consent:    parameters, or a document -> the move that ends a game only because a player chooses to, where the rules
                let him, or None; it stands last among a position's moves and is never the only one
    consent_since: the rules version from which players decide on that move (before, some drew lots for it)
    side:       (parameters, seat) -> the side it plays for: partners win and lose together
    ends:       parameters -> the ends that a game of these rules can have besides being won or being stopped by the
                cap: DRAW, ENDLESS, or none of them
    turns_may_not_end: parameters -> whether chance alone may keep a player moving for ever: random games of such rules
                are played by the loop of players who think, which stops a turn of MOST_PLIES_OF_A_TURN
    sides_are_alike: parameters -> whether who begins is only a name: nothing else tells one side from the other
    canonical:  parameters that fit the schema -> the same with tables and objects in canonical form: two ways to write
                one figure are one document; raises WrongTable
    problems:   parameters -> (key, message, nearest valid value) for every impossible combination
    inactive_rules: parameters -> (key, why) for every key that never fires, whatever its value, while the others stand;
                for a row of a table (captures/1) or a column of one (captures/1/numbers) likewise
    roles:      parameters -> what each seat is in this ruleset, "hunter"; empty where the seats have no roles
    owners:     parameters -> what each seat is called instead, "owner of the tiger", as the sources have it; empty
                where they have no name for it
    parts:      the words for parts of the game where the plain ones will not do, by scope
    totals:     titles of totals over the seats where their names will not do
    notes:      parameters -> what some of the measures mean in such a ruleset, by name, in a sentence
    reading:    parameters -> how the replays of such a ruleset are to be read
    tells:      what a table or an object says, by its key: (its value, parameters) -> sentences
    board:      the parameters that make a board: a ruleset that has them as no named one has them is on nobody's board
    gist:       the rules to begin to play by: groups of parameters; the first of each that is set or stated says it
    quick_plies: plies that its referee plays in about half a second
    traffic:    parameters -> what is counted of the use of a board where a batch counts it; nothing by default
    traffic_version: rises when something else is counted
    draw_weights: (ruleset, how strongly each place is drawn, title, description) -> the board so drawn, as SVG
    """

    name: str
    title: str
    rules_version: int
    row_version: int
    measures: tuple[Measure, ...]
    schema: dict[str, Any]
    kind_of_game: Callable[[Rules], str]
    draw_start: Callable[[Ruleset], str]
    problems: Callable[[Rules], Iterable[Impossible]]
    inactive_rules: Callable[[Rules], Iterable[Inactive]]
    canonical: Callable[[dict[str, Any]], dict[str, Any]] = lambda parameters: parameters
    seats: Callable[[Rules], int] = lambda parameters: 2
    roles: Callable[[Rules], tuple[str, ...]] = lambda parameters: ()
    owners: Callable[[Rules], tuple[str, ...]] = lambda parameters: ()
    draw: Callable[[Ruleset, Any, str, Collection[str]], str] = lambda ruleset, position, title, marked: ""
    throws: bool = False
    extent: Callable[[Rules], int] = lambda parameters: 1
    listed_throws: Callable[[Rules], tuple[tuple[Fraction, int], ...]] = lambda parameters: ()
    consent: Callable[[Rules], int | None] = lambda rules: None
    consent_since: int = 1
    side: Callable[[Rules, int], int] = lambda parameters, seat: seat
    ends: Callable[[Rules], Iterable[int]] = lambda parameters: (DRAW, ENDLESS)
    turns_may_not_end: Callable[[Rules], bool] = lambda parameters: False
    sides_are_alike: Callable[[Rules], bool] = lambda parameters: False
    parts: Mapping[str, Part] = field(default_factory=dict)
    totals: Mapping[str, str] = field(default_factory=dict)
    notes: Callable[[Rules], Mapping[str, str]] = lambda parameters: {}
    reading: Callable[[Rules], str] = lambda parameters: ""
    tells: Mapping[str, Callable[[Any, Rules], str]] = field(default_factory=dict)
    board: tuple[str, ...] = ()
    gist: tuple[tuple[str, ...], ...] = ()
    quick_plies: int = 400
    traffic: Callable[[Rules], Layout] = lambda parameters: Layout(())
    traffic_version: int = 1
    draw_weights: Callable[[Ruleset, Mapping[str, Weight], str, str], str] = lambda ruleset, *_: ""

    def words(self, ruleset: Ruleset) -> list[tuple[str, str, str]]:
        """Return (key, title, the rule in plain words) of every rule in force, in schema order.

        These are the parameters that a document sets, and those that it leaves at an off value that is itself a way to
        play ("A step leads along a line."), as `x-plays` of the schema says of one that is false, 0 or empty.
        """
        return self._sentences_of(ruleset, lambda key: key in ruleset.document or self._plays(key))

    def left_out(self, ruleset: Ruleset) -> list[tuple[str, str, str]]:
        """Return (key, title, what is so instead) of every rule that could be here and is left out, in schema order."""
        return self._sentences_of(ruleset, lambda key: key not in ruleset.document and not self._plays(key))

    def _plays(self, key: str) -> bool:
        """Return whether the off value of a parameter is itself a way to play."""
        spec = self.schema["properties"][key]
        return spec.get("default") not in LEFT_OUT or bool(spec.get("x-plays"))

    def _sentences_of(self, ruleset: Ruleset, of: Callable[[str], bool]) -> list[tuple[str, str, str]]:
        specs = self.schema["properties"]
        told = []
        for key, words in self.sentences(ruleset).items():
            if words == NOT_ARISING or not of(key):
                continue
            rows = self.rows(key, ruleset.parameters)
            told += [(place, self.title_of(place), said) for place, said in rows] or [(key, specs[key]["title"], words)]
        return told

    def rows(self, key: str, parameters: Rules) -> list[tuple[str, str]]:
        """Return each row of a table as its place and what it says, in the terms of the game; none of what is no table
        of rows or names."""
        value, spec = parameters[key], self.schema["properties"][key]
        if not value or isinstance(value, str) or kind_of(spec) not in (ROWS, NAMES):
            return []
        return [(write_place(place), self.sentence(write_place(place), parameters)) for place in places(key, value)]

    def sentences(self, ruleset: Ruleset) -> dict[str, str]:
        """Map every parameter to what it says in this ruleset, at its off value too, in schema order."""
        return dict(_sentences(self, ruleset))

    def sentence(self, key: str, parameters: Rules) -> str:
        """Return what a parameter says beside the others, in the terms of its game: squares of a board that has no
        points. Of a place in a table (`captures[1]`, `captures[1].manner`) it is what its row says."""
        properties = self.schema["properties"]
        if key in properties:
            value, spec = parameters[key], properties[key]
            is_told = key in self.tells and not isinstance(value, str) and value != spec.get("default")
            text = self.tells[key](value, parameters) if is_told else sentence(value, spec, parameters)
        else:
            place = read_place(key)
            table, name = parameters[str(place[0])], str(place[0])
            if name in self.tells and isinstance(table, list):
                text = self.tells[name]([table[int(place[1])]], parameters)
            else:
                text = dict(row_sentences(name, table, branch(properties[name], table)))[place[:2]]
        for other, by_value in self.schema.get("x-terms", {}).items():
            # An object has the terms of a word that it has as a key, as in {"squares": true}.
            called = [
                name for name in by_value if name == str(parameters.get(other)) or _has(parameters.get(other), name)
            ]
            for term, instead in by_value[called[0]].items() if called else ():
                text = text.replace(term, instead)
        return text

    def tables(self, document: Rules) -> list[str]:
        """Return the tables that a document has: it says there what no word or number of the schema does."""
        specs = self.schema["properties"]
        return [key for key, value in document.items() if not isinstance(value, str) and is_table(specs[key])]

    def title_of(self, key: str) -> str:
        """Return what a parameter, or a place in a table, is called: "Captures, second row"."""
        return called(read_place(key), self.schema["properties"])

    def inactive(self, parameters: Rules) -> dict[str, str]:
        """Return why a key never fires, whatever its value, while the others stand; for every such key."""
        return dict(self.inactive_rules(parameters))

    def active(self, parameters: Rules) -> dict[str, Any]:
        """Return the parameters that can fire while the others stand."""
        inactive = self.inactive(parameters)
        return {key: value for key, value in parameters.items() if key not in inactive}

    def measures_of(self, row_version: int) -> tuple[Measure, ...]:
        """Return the columns of a row of that version."""
        return tuple(measure for measure in self.measures if measure.since <= row_version)

    def measures_after(self, row_version: int) -> tuple[Measure, ...]:
        """Return the columns that rows of that version do not have."""
        return tuple(measure for measure in self.measures if measure.since > row_version)

    def columns_of(self, row_version: int) -> list[int]:
        """Return the places, among all columns, of those that rows of that version have."""
        return [place for place, measure in enumerate(self.measures) if measure.since <= row_version]

    def possible_ends(self, parameters: Rules, until_round: bool = False) -> frozenset[int]:
        """Return the ends that a game of these rules can have; what is not among them cannot happen, and has no
        interval.

        until_round: whether only first rounds are played: DRAW then stands for one that ended equal, which any can
        """
        return frozenset({WIN, UNFINISHED, *self.ends(parameters), *((DRAW,) if until_round else ())})

    def naming(self, parameters: Rules) -> Naming:
        """Return what the figures of a ruleset are called."""
        called = self.owners(parameters) or self.roles(parameters)
        titles = tuple(seat_title(seat, name) for seat, name in enumerate(called))
        return Naming(titles, self.parts, self.totals)

    def named_measures(self, parameters: Rules) -> tuple[Measure, ...]:
        """Return the measures, with the seats in their titles called by their roles, and what they mean there."""
        naming, notes = self.naming(parameters), self.notes(parameters)
        noted = (
            replace(measure, note=notes[measure.name]) if measure.name in notes else measure
            for measure in self.measures
        )
        return tuple(
            measure
            if measure.seat is None
            else replace(measure, title=measure.title.replace(seat_name(measure.seat), naming.seat(measure.seat)))
            for measure in noted
        )


@lru_cache(maxsize=512)  # every page of a record or a claim asks for those of the same rulesets, several times
def _sentences(kind: Family, ruleset: Ruleset) -> dict[str, str]:
    inactive = kind.inactive(ruleset.parameters)
    return {
        key: NOT_ARISING if key in inactive and key not in ruleset.document else kind.sentence(key, ruleset.parameters)
        for key in kind.schema["properties"]
        if key != "family"
    }


def sentence(value: Any, spec: Mapping[str, Any], others: Rules | None = None) -> str:
    """Return the sentence for a value, its own or that for any.

    The parts of a list are alternatives unless the schema joins them otherwise; the sentences of a table are those of
    its rows. Off values have a sentence like all others: what is so where the rule is left out.

    others: the other parameters, where they are known: `x-where` of the schema has what one of them makes of this one,
            by its value, or by `*` for whatever is not its off value of 0: one sentence, or some by the value itself
    """
    spec = branch(spec, value)
    if value and kind_of(spec) and isinstance(value, list | Mapping):
        return str(spec.get("x-joint", " ")).join(words for _, words in row_sentences("", value, spec) if words)
    sentences = spec.get("x-words", {"*": "{}"})
    for other, wordings in spec.get("x-where", {}).items():
        wording = wordings.get("*") if others and others[other] else None
        if others and isinstance(others[other], str | int):
            wording = wordings.get(others[other], wording)
        if isinstance(wording, str):
            return wording.format(value)
        sentences = {**sentences, **(wording or {})}
    name = value if isinstance(value, str) else json.dumps(value)
    if name in sentences or "*" not in sentences:
        return str(sentences.get(name, value))
    shown = value
    if isinstance(value, list):
        words = spec.get("items", {}).get("x-words", {})
        shown = spec.get("x-joint", " or ").join(str(words.get(part, part)) for part in _listed(value, spec))
    return str(sentences["*"].format(shown))


def _has(value: Any, key: str) -> bool:
    return isinstance(value, Mapping) and bool(value.get(key))


def row_sentences(key: str, value: Any, spec: Spec) -> list[tuple[Place, str]]:
    """Return what each row of a table says, or each name of one, with its place.

    `x-row` of the schema, at the table or at its rows, has the sentence of a row: `{column}` stands for what the
    `x-words` of the column say of its value, at its off value too; in a table of names `{name}` and `{value}` stand for
    the two. Without it a row says what its columns say one after the other, off values being passed over.
    """
    if kind_of(spec) == NAMES:
        return [((key, name), _name_in_words(name, part, spec)) for name, part in value.items()]
    rows = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
    return [((key,) if number is None else (key, number), _row_in_words(row, spec)) for number, row in rows]


def _row_in_words(row: Mapping[str, Any], spec: Spec) -> str:
    if not isinstance(row, Mapping):
        return json.dumps(row)
    columns = columns_of(spec)
    whole = {name: row.get(name, column.get("default")) for name, column in columns.items()}
    template = spec.get("x-row") or spec.get("items", {}).get("x-row")
    if template is None:
        template = " ".join(f"{{{name}}}" for name in row if name in columns)
    wanted = {name for name in columns if f"{{{name}}}" in template}
    return _tidy(template.format(**{name: sentence(whole[name], columns[name], whole) for name in wanted}))


def _name_in_words(name: str, value: Any, spec: Spec) -> str:
    part = {"x-joint": ", ", **spec["additionalProperties"]}
    template = spec.get("x-row") or "{name}: {value}."
    return _tidy(template.format(name=name.replace("_", " "), value=sentence(value, part)))


def _tidy(words: str) -> str:
    """Return a sentence without the gaps that words left out have made."""
    words = re.sub(r" +([.,;:])", r"\1", " ".join(words.split()))
    return words[:1].upper() + words[1:]


def _listed(values: list[Any], spec: Mapping[str, Any]) -> list[Any]:
    """Return the parts of a list as they are told: a set of names by their letters and numbers, a2 before a10."""
    if not spec.get("uniqueItems") or not all(isinstance(value, str) for value in values):
        return values
    return sorted(values, key=lambda name: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)])


def unmet_needs(
    needs: Iterable[tuple[str, Need]], rules: Rules, properties: Rules, written: Callable[[Any], str] = json.dumps
) -> Iterator[Inactive]:
    """Find the keys that never fire because another has no value that lets them.

    needs: (key, what it needs); properties: those of the schema; written: how a value stands in the reason
    """
    for key, (needed, values) in needs:
        if values is None:
            is_met, wanted = rules[needed] != properties[needed]["default"], "is set"
        else:
            is_met, wanted = rules[needed] in values, f"is {' or '.join(map(written, values))}"
        if not is_met:
            yield key, f"never fires unless {needed} {wanted}"


def ineffective_settings(inactive: Iterable[Inactive], rules: Rules, properties: Rules) -> Iterator[Impossible]:
    """Refuse keys that never fire and are not at their off values, and places of tables ("captures/1") that never do:
    rows, and columns that are set in one."""
    for key, why in inactive:
        if len(place := read_place(key)) > 1:
            *outer, last = place
            if isinstance(last, int):
                yield key, f"{why}; leave this row out", None
            elif last in value_at(rules, tuple(outer), properties):
                yield key, why, (spec_at(properties, place) or {}).get("default")
        elif rules[key] != properties[key]["default"]:
            yield key, why, properties[key]["default"]


class WrongTable(ValueError):
    """A table or an object of a document means nothing that can be played: what is wrong with it."""

    def __init__(self, problems: Iterable[Impossible]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{key}: {message}" for key, message, _ in self.problems))


class FamilyProblem(ValueError):
    """No family has this name."""


FAMILY_NAMES = ("sowing", "points", "race")


@cache
def family(name: str) -> Family:
    """Return the family of that name; raises FamilyProblem, naming the nearest one."""
    if name not in FAMILY_NAMES:
        near = nearest(name, FAMILY_NAMES)
        raise FamilyProblem(f"no family of games is called {name[:40]!r}; the nearest is {near!r}")
    found = import_module(f"simulator.engine.families.{name}.definition").FAMILY
    assert isinstance(found, Family)
    return found
