"""A draft as a reading: what is still missing, the files it is, and the rows that these become.

A draft is published by the code that loads fixtures: its files are written first, and loaded. A reading that is there
already gets its next version; clauses and words that the draft has no longer go, and their history stays.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from catalogue.evidence.clauses import BASES_IN_WORDS, newest_rulesets
from catalogue.history.histories import deleted_for
from catalogue.loading.apparatus import ApparatusProblem, check, ordered, plan, records_named
from catalogue.loading.rows import Loaded, Row, RowProblem, key_of, load_rows, row
from catalogue.loading.writing import as_file, reading_of, words_of
from catalogue.models import Anchor, Basis, Clause, Draft, Evidence, Game, Picture, Question, Reading
from catalogue.models.querysets import newest_versions
from catalogue.search.indexing import index_changed
from catalogue.search.signals import of_game
from catalogue.texts.anchors import AnchorProblem, locate
from catalogue.what_if.changes import Change, changes
from catalogue.workshop import checking, drafting
from catalogue.workshop.views_of_draft import silent_rules
from simulator import rulesets
from simulator.engine.ruleset import Ruleset
from simulator.models import RulesetVersion

PUBLISHED_BY = "Published from a draft by"  # of a history: by whom is not the one who signs
AUTHORITY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class NotReady(ValueError):
    """A draft cannot be published as it is; problems: why, everything at once."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


def problems_of(draft: Draft) -> list[str]:
    """Why a draft cannot be published yet, in sentences that say what to do."""
    return list(_problems(draft))


def _problems(draft: Draft) -> Iterator[str]:
    found = checking.checked(draft.document)
    kind = checking.kind_of(draft)
    if found.ruleset is None:
        yield "It cannot be played yet: its page says why, and what would be."
    if not draft.title.strip():
        yield "It needs a title."
    if not draft.summary.strip():
        yield "It needs a sentence that says what is characteristic of it."
    if not AUTHORITY.fullmatch(draft.authority):
        yield "Say whose reading it is, as “parker” or “das-gupta”: small letters, with a hyphen between words."
    elif not draft.parent and (other := _of_this_authority(draft)):
        yield (
            f"{other.title} is the reading of this game by “{draft.authority}” already: make its next version, or name "
            "another authority."
        )
    if found.ruleset:
        for rule in silent_rules(draft, found):
            if rule.must:
                yield f"{rule.title}: nothing says what it rests on."
    asked = {key for question in draft.questions for key in question["parameters"]}
    for clause in draft.clauses:
        called = kind.title_of(clause["parameters"][0]) if clause["parameters"] else drafting.rule_of(clause)[:60]
        if clause["basis"] in BASES_IN_WORDS and not clause["words"]:
            yield f"{called}: it is {dict(Basis.choices)[clause['basis']]}, and no words carry it."
        if clause["basis"] == Basis.OTHER_SOURCE and not clause["words"] and not clause.get("source"):
            yield f"{called}: it is from another source, and names none."
        if clause["basis"] == Basis.DRAWN and not _is_pictured(draft):
            yield f"{called}: it is drawn, and no record has a picture of it."
        if clause["basis"] == Basis.CONJECTURE and clause["parameters"]:
            is_asked = asked & set(clause["parameters"]) or _is_asked_of(draft, clause["parameters"])
            if not is_asked and "is not asked" not in clause["text"]:
                yield f"{called}: it is conjecture; ask it, or say why it “is not asked”."
        for words in (*clause["words"], *clause["against"]):
            if problem := _broken(words):
                yield f"{called}: {problem}"
    if draft.parent and draft.parent != (newest := newest_name(drafting.slug_of(draft))):
        yield (
            f"{draft.parent} is no longer the newest version: {newest} was published meanwhile. Begin its next "
            "version, and take over what you changed."
        )


def _is_pictured(draft: Draft) -> bool:
    """Whether a record of the draft has a picture. A copy that is only shown has the records of its original."""
    kept = draft if draft.pk else draft.taken_from
    return Picture.objects.filter(evidence__drafts=kept, taken_down_on=None).exists()


def _of_this_authority(draft: Draft) -> Reading | None:
    return Reading.objects.filter(game=draft.game, authority=draft.authority).first()


def _is_asked_of(draft: Draft, keys: list[str]) -> bool:
    asked = Question.objects.filter(game=draft.game).values_list("parameters", flat=True)
    return any(set(keys) & set(parameters) for parameters in asked)


def _broken(words: Mapping[str, str]) -> str:
    record = Evidence.objects.shown().filter(identifier=words["record"]).first()
    if record is None:
        return f"there is no record {words['record']} any more"
    try:
        locate(record.text(words["in"]), words["exact"], words.get("prefix", ""), words.get("suffix", ""))
    except AnchorProblem as problem:
        return str(problem)
    return ""


def newest_name(slug: str) -> str:
    version = newest_versions([slug]).get(slug)
    return str(version) if version else ""


def next_number(draft: Draft) -> int:
    newest = newest_name(drafting.slug_of(draft))
    return int(newest.partition("@")[2]) + 1 if newest else 1


def readings_of(draft: Draft, ruleset: Ruleset | None) -> list[Reading]:
    """Other readings that are played by the very rules of a draft."""
    if ruleset is None:
        return []
    slugs = RulesetVersion.objects.filter(ruleset_id=ruleset.hash).values("slug")
    return list(Reading.objects.filter(slug__in=slugs).exclude(slug=drafting.slug_of(draft)).order_by("title"))


def differences(draft: Draft) -> list[Change]:
    """What the next version of a reading changes in its rules, in sentences."""
    before = newest_rulesets([drafting.slug_of(draft)]).get(drafting.slug_of(draft)) if draft.parent else None
    after = checking.checked(draft.document).ruleset
    if before is None or after is None or before.family != after.family:
        return []
    return changes(checking.kind_of(draft), before.parameters, after.parameters)


def differences_of_clauses(draft: Draft) -> list[tuple[str, str]]:
    """(rule, what is otherwise said of it than in the version before), in sentences."""
    reading = Reading.objects.filter(slug=drafting.slug_of(draft)).first() if draft.parent else None
    if reading is None:
        return []
    before = {one["slug"]: one for one in reading_of(reading)["clauses"]}
    after = {one["slug"]: one for one in draft.clauses}
    found = [(one, _otherwise(before.get(slug), one)) for slug, one in after.items()]
    found += [(one, "nothing says any longer what it rests on") for slug, one in before.items() if slug not in after]
    return [(_called(draft, one), said) for one, said in found if said]


def _called(draft: Draft, clause: Mapping[str, Any]) -> str:
    keys = clause["parameters"]
    return checking.kind_of(draft).title_of(keys[0]) if keys else drafting.rule_of(clause)


def _otherwise(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> str:
    bases = {value: str(label) for value, label in Basis.choices}
    if before is None:
        return f"it is said for the first time, as {bases[after['basis']]}"
    said = []
    if before["basis"] != after["basis"]:
        said.append(f"it was {bases[before['basis']]}, and is {bases[after['basis']]}")
    if before["text"] != after["text"]:
        said.append("in other words")
    for name, of in (("words", "carry it"), ("against", "speak against it")):
        old, new = before.get(name, []), after.get(name, [])
        if more := [one for one in new if one not in old]:
            said.append(f"words more {of}: {len(more)}")
        if fewer := [one for one in old if one not in new]:
            said.append(f"words that no longer {of}: {len(fewer)}")
    return "; ".join(said)


def borrowed(draft: Draft) -> list[str]:
    """The titles of the rules that a draft has from the reading it rests on: no clause of its own covers them."""
    base = newest_rulesets([draft.rests_on.slug]).get(draft.rests_on.slug) if draft.rests_on else None
    kind = checking.kind_of(draft)
    if base is None or base.family != kind.name:
        return []
    return [
        kind.title_of(key)
        for key, value in draft.document.items()
        if key != "family" and base.parameters.get(key) == value and not drafting.is_covered(draft, key)
    ]


def files_of(draft: Draft, position: int = 0) -> dict[str, Any]:
    """The documents of a draft's files by path: its ruleset, the row of its reading, its part of the apparatus."""
    slug = drafting.slug_of(draft)
    kind = checking.kind_of(draft)
    resting = (
        {
            "rests_on": draft.rests_on.slug,
            "rests_basis": draft.rests_basis,
            "rests_text": draft.rests_text,
            "rests_words": _resting_words(draft),
        }
        if draft.rests_on
        else {}
    )
    ruleset = checking.checked(draft.document).ruleset
    same = {one.key: one.after for one in checking.written_otherwise(draft.document, ruleset)}
    reading = {
        "slug": slug,
        "title": draft.title,
        "game": [draft.game.slug],
        "evidence": [[record.identifier] for record in drafting.records_of(draft)],
        "authority": draft.authority,
        "kind": draft.kind,
        "summary": draft.summary,
        "encoded_by": draft.encoded_by,
        "checked_by": "",
        "position": position,
    }
    return {
        f"rulesets/{slug}.json": {
            "slug": slug,
            "number": next_number(draft),
            "parent": draft.parent or None,
            "date": timezone.now().date().isoformat(),
            "document": checking.in_order(kind, ruleset.document if ruleset else draft.document),
        },
        "readings.json": [{"model": "catalogue.reading", "fields": reading}],
        f"apparatus/{draft.game.slug}.json": {
            "game": draft.game.slug,
            "readings": {slug: {**resting, "clauses": [_clause(one, same) for one in draft.clauses]}},
            "questions": [_question(one) for one in draft.questions],
            "claims": [],
        },
    }


def _resting_words(draft: Draft) -> list[dict[str, str]]:
    slug = drafting.slug_of(draft)
    anchors = Anchor.objects.filter(reading__slug=slug).select_related("evidence").order_by("position", "key")
    return words_of(anchors)


CLAUSE = ("slug", "parameters", "basis", "text", "source", "not_played", "words", "against")


def _clause(clause: Mapping[str, Any], same: Mapping[str, str]) -> dict[str, Any]:
    """A clause as its file has it. same: rule -> what the ruleset has in its place, which is the same game"""
    found = {name: clause[name] for name in CLAUSE if name in clause}
    written = next((same[key] for key in clause["parameters"] if key in same), "")
    if written and written not in clause["text"]:
        found["text"] += f"\n\nWith this board that is the same as: {written}"
    return found


def _question(question: Mapping[str, Any]) -> dict[str, Any]:
    answers = [{**one, "words": one.get("words", [])} for one in question["answers"]]
    return {**question, "answers": answers}


def as_texts(files: Mapping[str, Any]) -> dict[str, str]:
    return {path: as_file(document) for path, document in files.items()}


@transaction.atomic
def publish(draft: Draft, by: str) -> RulesetVersion:
    """Make a draft a reading, or the next version of one. Raises NotReady.

    by: the editor, for the histories of the rows
    """
    if wrong := problems_of(draft):
        raise NotReady(wrong)
    slug = drafting.slug_of(draft)
    existing = Reading.objects.filter(slug=slug).first()
    position = existing.position if existing else Reading.objects.filter(game=draft.game).count() + 1
    files = files_of(draft, position)
    apparatus = _beside_others(draft, files[f"apparatus/{draft.game.slug}.json"])
    reason = f"{PUBLISHED_BY} {by}"[:100]
    loaded = Loaded()
    try:
        check(apparatus)
        rows = ordered(plan(apparatus, _texts(apparatus)))
        reading = _with_resting(files["readings.json"][0], apparatus["readings"][slug], existing)
        load_rows([reading], loaded, bring_up_to_date=False, overwrite=True, reason=reason)
        _drop(slug, rows, reason)
        load_rows(_placed(draft, rows), loaded, bring_up_to_date=False, overwrite=True, reason=reason)
    except (ApparatusProblem, RowProblem) as problem:
        raise NotReady([str(problem)]) from problem
    found = checking.checked(draft.document)
    assert found.ruleset
    before = newest_versions([slug]).get(slug)
    if before and before.ruleset_id == found.ruleset.hash:
        version = before  # the same rules, whose clauses were changed
    else:
        number = before.number + 1 if before else 1
        version = RulesetVersion.objects.create(
            slug=slug,
            number=number,
            ruleset=rulesets.save(found.ruleset),
            parent=before,
            date=timezone.now().date(),
        )
    draft.state, draft.published_as = Draft.State.PUBLISHED, str(version)
    draft.save(update_fields=["state", "published_as", "changed"])
    transaction.on_commit(partial(_index, draft.game))
    return version


def _index(game: Game) -> None:
    """Let the search find what was published."""
    index_changed({kind: [key for key in keys if key] for kind, keys in of_game(game).items()})


def _with_resting(reading: Row, apparatus: Mapping[str, Any], existing: Reading | None) -> Row:
    base = apparatus.get("rests_on")
    resting = {name: apparatus.get(name, "") for name in ("rests_basis", "rests_text")}
    fields = {**reading["fields"], "rests_on": [base] if base else None, **resting}
    if existing:  # whoever checked it checked another version
        fields["position"] = existing.position
    return row("reading", **fields)


def _texts(apparatus: Mapping[str, Any]) -> dict[tuple[str, str], list[str]]:
    rows = Evidence.objects.filter(identifier__in=records_named([apparatus]))
    return {(one.identifier, name): [one.text(name)] for one in rows for name in Anchor.Field.values}


def _beside_others(draft: Draft, apparatus: dict[str, Any]) -> dict[str, Any]:
    """The apparatus with questions that are of this draft alone: one that the game has already stays as it is, with the
    answers that it lacks; another of that name gets a name of its own."""
    stored = {one.slug: one for one in Question.objects.filter(game=draft.game).prefetch_related("answers")}
    questions: list[dict[str, Any]] = []
    for question in apparatus["questions"]:
        same = next((one for one in stored.values() if one.parameters == question["parameters"]), None)
        if same is not None:
            continue
        taken = [*stored, *(one["slug"] for one in questions)]
        questions.append({**question, "slug": drafting.new_slug(taken, question["slug"])})
    return {**apparatus, "questions": questions}


def _placed(draft: Draft, rows: list[Row]) -> Iterator[Row]:
    """Questions stand behind those that the game has."""
    first = Question.objects.filter(game=draft.game).count()
    for one in rows:
        if one["model"] == "catalogue.question":
            yield row("question", **{**one["fields"], "position": first + one["fields"]["position"]})
        else:
            yield one


def _drop(slug: str, rows: list[Row], reason: str) -> None:
    """Clauses of the reading and words of these that the draft no longer has."""
    keys = {
        model: {key_of(one) for one in rows if one["model"] == f"catalogue.{model}"} for model in ("clause", "anchor")
    }
    anchors = Anchor.objects.filter(clause__reading__slug=slug)
    with deleted_for(reason):
        for anchor in anchors:
            if (anchor.key,) not in keys["anchor"]:
                anchor.delete()
        for clause in Clause.objects.filter(reading__slug=slug).select_related("reading"):
            if (slug, clause.slug) not in keys["clause"]:
                clause.delete()
