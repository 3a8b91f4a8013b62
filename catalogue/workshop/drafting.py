"""What is done to a draft: a rule from words, words for or against, a rule that is not played, a question, undoing.

Operations change a draft in memory and say in a sentence what they did; `save` writes it, unless somebody else has
saved it since it was read: then nothing is written, and `ChangedMeanwhile` says so.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from catalogue.evidence.clauses import clauses_of, newest_rulesets
from catalogue.models import Anchor, Basis, Draft, Evidence, Reading
from catalogue.models.apparatus import Clause
from catalogue.texts.anchors import AnchorProblem, locate
from catalogue.texts.words import nearest_word
from catalogue.what_if.changes import Change
from catalogue.workshop.checking import at_off, in_order, kind_of, said
from catalogue.workshop.ranking import parameters_of
from simulator.engine.documents import write_value
from simulator.engine.family import FAMILY_NAMES, Family
from simulator.engine.tables import ROWS, Place, is_within, read_place, write_place
from simulator.engine.tables import kind_of as table_kind

SUPPORTS, CONTRADICTS = Anchor.Stance.SUPPORTS, Anchor.Stance.CONTRADICTS
KEPT = ("document", "clauses", "questions", "rests_basis", "rests_text")  # what undoing brings back
MOST_CLAUSES, MOST_QUESTIONS, MOST_WORDS, MOST_RECORDS = 200, 60, 40, 12
LONGEST_WORDS, LONGEST_TEXT = 5_000, 4_000
MOST_UNDONE, LARGEST_TRAIL = 300, 400_000  # changes that can be undone, and their characters
NOT_ASKED = "The words do not say it, and it is not asked."

Words = dict[str, str]  # as the apparatus writes them: record, in, exact, prefix, suffix


class WrongEdit(ValueError):
    """What was asked for cannot be done to the draft; the message says why, and what could be."""


class TwoAnswers(WrongEdit):
    """Other words give the rule another value. before, after: what each says"""

    def __init__(self, key: str, before: str, after: str) -> None:
        super().__init__(f"Other words already say: {before}")
        self.key, self.before, self.after = key, before, after


class ChangedMeanwhile(Exception):
    """Somebody has saved the draft since it was read."""


# Words


def words_of(draft: Draft, given: Mapping[str, str]) -> Words | None:
    """The words that a form names, as the apparatus writes them; None if it names none. Raises WrongEdit."""
    exact = given.get("exact", "").replace("\r\n", "\n")
    if not exact.strip():
        return None
    if len(exact) > LONGEST_WORDS:
        raise WrongEdit(f"At most {LONGEST_WORDS:,} characters are chosen at once, not {len(exact):,}.")
    record = draft.records.filter(identifier=given.get("record", "")).first()
    if record is None:
        raise WrongEdit("Choose the words in a record that this draft rests on.")
    name = given.get("in", "")
    if name not in Anchor.Field.values:
        raise WrongEdit(f"A record has two texts, {' and '.join(Anchor.Field.values)}.")
    round_it = {side: given.get(side, "").replace("\r\n", "\n") for side in ("prefix", "suffix")}
    try:
        locate(record.text(name), exact, **round_it)
    except AnchorProblem as problem:
        raise WrongEdit(f"{str(problem)[:1].upper()}{str(problem)[1:]}.") from problem
    return {
        "record": record.identifier,
        "in": name,
        "exact": exact,
        **{side: text for side, text in round_it.items() if text},
    }


def clause_on(draft: Draft, key: str) -> dict[str, Any] | None:
    """The clause that covers a parameter, or a place of a table; one of a row before one of the whole."""
    exact = next((one for one in draft.clauses if key in one["parameters"]), None)
    return exact or next(
        (one for one in draft.clauses if any(is_within(key, place) for place in one["parameters"])), None
    )


def new_slug(taken: Iterable[str], wanted: str) -> str:
    taken, wanted = set(taken), slugify(wanted.replace("_", "-").replace("[", "-"))[:50] or "rule"
    return next(slug for slug in (wanted, *(f"{wanted}-{number}" for number in range(2, 999))) if slug not in taken)


# Operations: each returns what it did, in a sentence


def set_rule(
    draft: Draft,
    key: str,
    value: Any,
    basis: str,
    words: Sequence[Words] = (),
    text: str = "",
    source: str = "",
    instead: bool = False,
) -> str:
    """Give a parameter a value, with the clause that says what it rests on.

    instead: even if other words gave it another one, which then speak against it
    """
    kind = kind_of(draft)
    if key not in parameters_of(kind.name):
        raise WrongEdit(f"No rule of this family is called {key[:40]!r}.")
    before = draft.document.get(key, kind.schema["properties"][key].get("default"))
    clause = next((one for one in draft.clauses if one["parameters"] == [key]), None)
    document = {name: part for name, part in draft.document.items() if name != key}
    if not at_off(kind, key, value):
        document[key] = value
    place = _row_of(kind, key, before, value)
    if place != key:
        clause = next((one for one in draft.clauses if one["parameters"] == [place]), None)
    elif is_in_rows(kind, key) and isinstance(before, list) and isinstance(value, list):
        _follow_rows(draft, key, before, value)
        clause = next((one for one in draft.clauses if one["parameters"] == [key]), None)
    differs = clause is not None and before != value
    if differs and clause and clause["words"] and words and not instead:
        raise TwoAnswers(key, said(kind, draft.document, key), said(kind, document, key))
    draft.document = in_order(kind, document)
    sentence_now = said(kind, draft.document, place)
    if clause is None and place == key and is_in_rows(kind, key) and is_covered(draft, key):
        return f"{kind.title_of(key)}: its rows are as you say."
    if clause is None:
        if len(draft.clauses) >= MOST_CLAUSES:
            raise WrongEdit(f"A draft has at most {MOST_CLAUSES} clauses.")
        taken = (one["slug"] for one in draft.clauses)
        clause = {
            "slug": new_slug(taken, place),
            "parameters": [place],
            "basis": basis,
            "text": "",
            "words": [],
            "against": [],
        }
        draft.clauses = [*draft.clauses, clause]
    elif differs:
        clause["against"] = [*clause["against"], *clause["words"]] if instead else clause["against"]
        clause["words"] = []
    if differs or not clause["text"] or text:
        clause["text"] = text.strip()[:LONGEST_TEXT] or sentence_now
    clause["basis"] = basis
    if source:
        clause["source"] = source[:200]
    _add(clause, "words", words)
    return f"{kind.title_of(place)}: {sentence_now}"


def is_in_rows(kind: Family, key: str) -> bool:
    """Whether a parameter is a table of rows, each of which a clause may cover."""
    return table_kind(kind.schema["properties"][key]) == ROWS


def _row_of(kind: Family, key: str, before: Any, value: Any) -> str:
    """The place of the one row that was added to a table, or that is another now; else the parameter."""
    if not is_in_rows(kind, key) or not isinstance(before, list) or not isinstance(value, list):
        return key
    changed = [number for number, row in enumerate(value) if number >= len(before) or row != before[number]]
    is_one = len(changed) == 1 and len(value) in (len(before), len(before) + 1)
    return f"{key}[{changed[0]}]" if is_one else key


def _follow_rows(draft: Draft, key: str, before: list[Any], value: list[Any]) -> None:
    """Let clauses of rows follow their rows to where these stand now; a clause whose row is gone goes."""
    kept = []
    for clause in draft.clauses:
        moved = []
        for place in clause["parameters"]:
            steps = read_place(place)
            if steps[0] != key or len(steps) == 1:
                moved.append(place)
            elif isinstance(steps[1], int) and steps[1] < len(before) and before[steps[1]] in value:
                moved.append(write_place((key, value.index(before[steps[1]]), *steps[2:])))
        if moved or not clause["parameters"]:
            kept.append({**clause, "parameters": moved})
    draft.clauses = kept


def is_covered(draft: Draft, key: str) -> bool:
    """Whether a clause covers a parameter; of a table each row has to be covered."""
    places = [place for clause in draft.clauses for place in clause["parameters"]]
    if any(is_within(key, place) for place in places):
        return True
    value = draft.document.get(key)
    rows = list(value) if isinstance(value, Mapping) else range(len(value)) if isinstance(value, list) else ()
    inner = [place for place in places if is_within(place, key)]
    steps = {read_place(place)[1] for place in inner}
    return bool(inner) and all(row in steps for row in rows)


def add_row(draft: Draft, key: str, row: Any, basis: str, words: Sequence[Words] = (), text: str = "") -> str:
    """Add a row to a table, with the clause that says what it rests on."""
    kind = kind_of(draft)
    if key not in parameters_of(kind.name) or not is_in_rows(kind, key):
        raise WrongEdit(f"No rule of this family has rows and is called {key[:40]!r}.")
    rows = draft.document.get(key, [])
    rows = rows if isinstance(rows, list) else []
    return set_rule(draft, key, [*rows, row], basis, words, text)


def _add(clause: dict[str, Any], name: str, words: Sequence[Words]) -> None:
    there = clause.get(name, [])
    fresh = [one for one in words if one not in there]
    if len(there) + len(fresh) > MOST_WORDS:
        raise WrongEdit(f"A clause rests on at most {MOST_WORDS} places of words.")
    clause[name] = [*there, *fresh]


def change_kind(draft: Draft, name: str) -> str:
    """Another kind of game: only clauses of no rule stay, since kinds share none; undoing brings the others back."""
    if name not in FAMILY_NAMES:
        raise WrongEdit(f"A game is of one of {', '.join(FAMILY_NAMES)}, not {name[:40]!r}.")
    if name == draft.document["family"]:
        raise WrongEdit("It is of that kind already.")
    left = [one for one in draft.clauses if not one["parameters"]]
    gone = len(draft.clauses) - len(left)
    draft.document, draft.clauses, draft.questions = {"family": name}, left, []
    draft.rests_on, draft.rests_basis, draft.rests_text = None, "", ""
    rules = (
        f" {gone} {'rule' if gone == 1 else 'rules'} of the other kind went; undoing brings them back." if gone else ""
    )
    return f"{kind_of(draft).title}.{rules}"


def speak_against(draft: Draft, key: str, words: Sequence[Words]) -> str:
    clause = clause_on(draft, key)
    if clause is None:
        raise WrongEdit("Words can speak against a rule once it is there: set it first.")
    if not words:
        raise WrongEdit("Choose the words that speak against it.")
    _add(clause, "against", words)
    return f"These words speak against: {clause['text'].partition(chr(10) * 2)[0]}"


def not_played(draft: Draft, tag: str, text: str, words: Sequence[Words]) -> str:
    """A rule that the words tell and no parameter has."""
    slug = slugify(tag)[:60]
    if not slug:
        raise WrongEdit("Name what is missing here in a few words, as “captures sideways”.")
    if not words:
        raise WrongEdit("Choose the words that tell the rule.")
    rule = text.strip()[:LONGEST_TEXT] or f"{words[0]['exact'][:300]}"
    clause = {
        "slug": new_slug((one["slug"] for one in draft.clauses), f"unplayed-{slug}"),
        "parameters": [],
        "basis": str(Basis.STATED),
        "text": rule,
        "not_played": slug,
        "words": list(words),
        "against": [],
    }
    draft.clauses = [*draft.clauses, clause]
    return f"Not played here: {rule}"


def change_clause(draft: Draft, slug: str, given: Mapping[str, str]) -> str:
    """Another basis, text or tag of a clause."""
    clause = _clause(draft, slug)
    if basis := given.get("basis"):
        if basis not in Basis.values:
            raise WrongEdit(f"A rule rests on one of {', '.join(Basis.values)}, not {basis[:40]!r}.")
        clause["basis"] = basis
    if "text" in given:
        if not given["text"].strip():
            raise WrongEdit("A clause says its rule: its text cannot be empty.")
        clause["text"] = given["text"].strip().replace("\r\n", "\n")[:LONGEST_TEXT]
    if given.get("source", "").strip():
        clause["source"] = given["source"].strip()[:200]
    draft.clauses = list(draft.clauses)
    return f"Changed: {clause['text'].partition(chr(10) * 2)[0]}"


def take_out(draft: Draft, slug: str, *, rule_too: bool = True) -> str:
    """Remove a clause, with the values of its parameters."""
    clause = _clause(draft, slug)
    kind = kind_of(draft)
    draft.clauses = [one for one in draft.clauses if one["slug"] != slug]
    rows = [read_place(place) for place in clause["parameters"]] if rule_too else []
    keys = {str(place[0]) for place in rows if len(place) == 1}
    for place in sorted((place for place in rows if len(place) > 1), key=str, reverse=True):
        _take_row_out(draft, place)
    if keys:
        draft.document = {key: value for key, value in draft.document.items() if key not in keys}
        draft.questions = [one for one in draft.questions if not keys & set(one["parameters"])]
    title = kind.title_of(clause["parameters"][0]) if clause["parameters"] else clause["text"]
    return f"Taken out: {title}"


def _take_row_out(draft: Draft, place: Place) -> None:
    table = draft.document.get(str(place[0]))
    if not isinstance(table, list) or not isinstance(place[1], int) or place[1] >= len(table):
        return
    left = table[: place[1]] + table[place[1] + 1 :]
    _follow_rows(draft, str(place[0]), table, left)
    document = {key: value for key, value in draft.document.items() if key != place[0]}
    draft.document = in_order(kind_of(draft), {**document, str(place[0]): left} if left else document)


def _clause(draft: Draft, slug: str) -> dict[str, Any]:
    found: dict[str, Any] | None = next((one for one in draft.clauses if one["slug"] == slug), None)
    if found is None:
        raise WrongEdit("This clause is not in the draft any more.")
    return found


def ask(draft: Draft, key: str, values: Sequence[Any], words: Mapping[str, Sequence[Words]] | None = None) -> str:
    """Make an open question of a rule: its answers are the values, that of the draft among them.

    words: value as written -> the words that give that answer
    """
    kind = kind_of(draft)
    specs = kind.schema["properties"]
    if key not in parameters_of(kind.name):
        raise WrongEdit(f"No rule of this family is called {key[:40]!r}.")
    now = draft.document.get(key, specs[key].get("default"))
    if now is None:
        raise WrongEdit("Set the rule first; then it can be asked whether it is so.")
    every: list[Any] = []
    for value in (now, *values):
        if value not in every:
            every.append(value)
    if len(every) < 2:
        raise WrongEdit("A question needs two answers: choose another value as well.")
    title = specs[key]["title"]
    there = next((one for one in draft.questions if one["parameters"] == [key]), None)
    if there is None and len(draft.questions) >= MOST_QUESTIONS:
        raise WrongEdit(f"A draft has at most {MOST_QUESTIONS} questions.")
    answers: list[dict[str, Any]] = list(there["answers"]) if there else []
    clause = clause_on(draft, key)
    for value in every:
        held = next((one for one in answers if one["values"] == {key: value}), None)
        if held is None:
            wanted = str(value) if isinstance(value, str | int) else f"answer-{len(answers) + 1}"
            held = {
                "slug": new_slug((one["slug"] for one in answers), wanted),
                "text": said(kind, {**draft.document, key: value}, key),
                "values": {key: value},
            }
            answers.append(held)
        own = (words or {}).get(write_value(value), ())
        if found := [*held.get("words", []), *(one for one in own if one not in held.get("words", []))]:
            held["words"] = found
    taken = (one["slug"] for one in draft.questions if one is not there)
    question = {
        "slug": there["slug"] if there else new_slug(taken, key),
        "title": asked_of(title),
        "text": there["text"] if there else f"The words can be read in more than one way. {specs[key]['description']}",
        "parameters": [key],
        "answers": answers,
    }
    draft.questions = [*(one for one in draft.questions if one is not there), question]
    if clause is None:
        set_rule(draft, key, now, Basis.CONJECTURE, text=said(kind, draft.document, key))
    return f"Asked: {asked_of(title)} {len(answers)} answers."


def asked_of(title: str) -> str:
    """A question of what a rule is called, which may be anything: "Relay: how is it played?"."""
    return f"{title}: how is it played?"


def drop_question(draft: Draft, slug: str) -> str:
    draft.questions = [one for one in draft.questions if one["slug"] != slug]
    return "The question is taken out; the rule stays as it is."


def conjecture(draft: Draft, keys: Iterable[str]) -> str:
    """Say of rules as they stand that the words do not give them."""
    kind, number = kind_of(draft), 0
    for key in keys:
        value = draft.document.get(key, kind.schema["properties"].get(key, {}).get("default"))
        if key not in parameters_of(kind.name) or value is None:
            raise WrongEdit(f"Set “{kind.title_of(key) if key in parameters_of(kind.name) else key[:40]}” first.")
        set_rule(draft, key, value, Basis.CONJECTURE, text=f"{said(kind, draft.document, key)}\n\n{NOT_ASKED}")
        number += 1
    return f"{number} {'rule is' if number == 1 else 'rules are'} conjecture."


def as_in(draft: Draft, reading: Reading, keys: Iterable[str]) -> str:
    """Take rules as another reading has them: by analogy where words of a record carry them there, else conjecture."""
    kind = kind_of(draft)
    ruleset = newest_rulesets([reading.slug]).get(reading.slug)
    if ruleset is None or ruleset.family != kind.name:
        raise WrongEdit(f"{reading.title} is no reading of this family that can be played.")
    clauses = clauses_of([reading.slug])[reading.slug]
    number = 0
    for key in keys:
        if key not in parameters_of(kind.name):
            raise WrongEdit(f"No rule of this family is called {key[:40]!r}.")
        held = next((one.clause for one in clauses if key in one.parameters), None)
        words = [_as_words(anchor) for anchor in held.anchors.all() if anchor.stance == SUPPORTS] if held else []
        records = sorted({one["record"] for one in words})
        draft.document = in_order(kind, {**draft.document, key: ruleset.parameters[key]})
        rule = said(kind, draft.document, key)
        if words:
            text = f"{rule}\n\nBy analogy with {reading.title} ({', '.join(records)})."
            set_rule(draft, key, ruleset.parameters[key], Basis.BY_ANALOGY, words, text)
        else:
            text = f"{rule}\n\nSo in {reading.title}, where the words do not say it either; it is not asked."
            set_rule(draft, key, ruleset.parameters[key], Basis.CONJECTURE, (), text, reading.title)
        number += 1
    return f"{number} {'rule is' if number == 1 else 'rules are'} taken as in {reading.title}."


def _as_words(anchor: Anchor) -> Words:
    sides = {side: text for side, text in (("prefix", anchor.prefix), ("suffix", anchor.suffix)) if text}
    return {"record": anchor.evidence.identifier, "in": anchor.field, "exact": anchor.exact, **sides}


def rest_on(draft: Draft, reading: Reading, keys: Iterable[str]) -> str:
    """Let another reading's clauses hold for all that the words do not say; these rules get its values."""
    kind = kind_of(draft)
    ruleset = newest_rulesets([reading.slug]).get(reading.slug)
    if ruleset is None or ruleset.family != kind.name:
        raise WrongEdit(f"{reading.title} is no reading of this family that can be played.")
    if reading.slug == slug_of(draft):
        raise WrongEdit("A reading cannot rest on itself.")
    taken = {key: ruleset.parameters[key] for key in keys}
    document = {**draft.document, **taken}
    draft.document = in_order(
        kind, {key: value for key, value in document.items() if key == "family" or not at_off(kind, key, value)}
    )
    draft.rests_on, draft.rests_basis = reading, Basis.BY_ANALOGY
    draft.rests_text = f"What the words do not say is as in {reading.title}."
    return f"It rests on {reading.title}: {len(taken)} rules are as there."


def take_nearest(draft: Draft, near: Mapping[str, Any], repair: Sequence[Change]) -> str:
    """Take rules that can be played in the place of those that cannot; words that said these then speak against it."""
    kind, before = kind_of(draft), draft.document
    draft.document = in_order(kind, near)
    told = []
    for one in repair:
        was = said(kind, before, one.key) if one.key in before else ""
        told.append(f"{one.title}: {one.after}" + (f" It was: {was}" if was else ""))
        for clause in (clause for clause in draft.clauses if clause["parameters"] == [one.key]):
            clause["text"] = said(kind, draft.document, one.key)
            if clause["words"]:
                clause["against"], clause["words"] = [*clause["against"], *clause["words"]], []
                clause["basis"] = str(Basis.CONJECTURE)
                why = "That cannot be played with the other rules; this is the nearest that can, and it is not asked."
                clause["text"] += f"\n\nThe words say: {was} {why}"
    draft.clauses = list(draft.clauses)
    return " ".join(["Taken: the nearest that can be played.", *told])


def slug_of(draft: Draft) -> str:
    """The name of the reading that a draft becomes."""
    return draft.parent.partition("@")[0] or f"{draft.game.slug}-{draft.authority}"


def states_as_in(draft: Draft) -> dict[str, Any]:
    """What undoing brings back, as it is now, and what can be undone by now."""
    return _states(draft) | {"trail": draft.before}


def _states(draft: Draft) -> dict[str, Any]:
    return deepcopy({name: getattr(draft, name) for name in KEPT} | {"rests_on": draft.rests_on_id})


def undo(draft: Draft) -> str:
    """Bring back what was there before the last saving that is not undone yet."""
    _walk(draft, "done", "undone", "There is nothing to undo.")
    return "The last change is undone."


def redo(draft: Draft) -> str:
    """Bring back what was undone last."""
    _walk(draft, "undone", "done", "There is nothing to bring back.")
    return "What was undone is back."


def _walk(draft: Draft, back: str, forth: str, none: str) -> None:
    trail = draft.trail
    if not trail[back]:
        raise WrongEdit(none)
    *others, state = trail[back]
    now = _states(draft)
    draft.before = {back: others, forth: [*trail[forth], {name: now[name] for name in state}]}
    for name, value in state.items():
        setattr(draft, "rests_on_id" if name == "rests_on" else name, value)


def _trail(draft: Draft, before: Mapping[str, Any]) -> dict[str, Any]:
    """What can be undone after a change: it, and the changes before it, as many as there is room for."""
    now = _states(draft)
    changed = {name: before[name] for name in now if before[name] != now[name]}
    done = [*draft.trail["done"], changed] if changed else draft.trail["done"]
    room = LARGEST_TRAIL
    for place in range(len(done) - 1, -1, -1):
        room -= len(str(done[place]))
        if room < 0 and place < len(done) - 1:  # the last change can always be undone
            done = done[place + 1 :]
            break
    return {"done": done[-MOST_UNDONE:], "undone": []}


def save(draft: Draft, number: int, before: Mapping[str, Any]) -> None:
    """Write a draft that was changed in memory. Raises ChangedMeanwhile, WrongEdit.

    number: the one it was read under; before: its states when it was read
    """
    try:
        draft.clean()
    except ValidationError as error:
        raise WrongEdit(" ".join(error.messages)) from error
    with transaction.atomic():
        stands = Draft.objects.filter(pk=draft.pk, number=number, state=Draft.State.OPEN)
        if not stands.update(number=number + 1, changed=timezone.now()):
            raise ChangedMeanwhile
        remember(draft, before)
        draft.save()


def remember(draft: Draft, before: Mapping[str, Any]) -> None:
    """Let a draft that was changed in memory be undone. before: its states when it was read"""
    draft.number += 1
    if draft.before == before["trail"]:  # undoing walks along the trail by itself
        draft.before = _trail(draft, before)


def add_record(draft: Draft, identifier: str) -> str:
    """Let words of another record carry rules too."""
    record = Evidence.objects.shown().select_related("game").filter(identifier=identifier).first()
    if record is None:
        known = Evidence.objects.shown().values_list("identifier", flat=True)
        raise WrongEdit(f"No record is called {identifier[:60]!r}; nearest: {nearest_word(identifier, known)}.")
    if draft.records.count() >= MOST_RECORDS:
        raise WrongEdit(f"A draft rests on at most {MOST_RECORDS} records.")
    draft.records.add(record)
    return f"Words of {record.identifier}, a record of {record.game}, can carry rules now."


def leave_record(draft: Draft, identifier: str) -> str:
    used = {words["record"] for clause in draft.clauses for words in (*clause["words"], *clause["against"])}
    if identifier in used:
        raise WrongEdit(f"Words of {identifier} carry rules: take these out first.")
    if draft.records.count() < 2:
        raise WrongEdit("A draft rests on one record at least.")
    draft.records.remove(*draft.records.filter(identifier=identifier))
    return f"{identifier} is left."


def records_of(draft: Draft) -> list[Evidence]:
    """The records that a draft rests on, those of its own game first."""
    return sorted(draft.records.select_related("game"), key=lambda one: (one.game_id != draft.game_id, one.identifier))


def rule_of(clause: Mapping[str, Any] | Clause) -> str:
    text = clause.text if isinstance(clause, Clause) else clause["text"]
    return str(text).partition("\n\n")[0]
