"""Wear studies: which rules would wear the board of a record as it is worn, requested by a form and shown."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from catalogue.analyses.wear_plans import (
    DEFAULT_CAP,
    DEFAULT_GAMES,
    OF,
    WearPrice,
    candidate_set,
    check_wear,
    fitting_sets,
    price_of,
    solved,
    written,
)
from catalogue.analyses.wear_studies import WEAR
from catalogue.evidence.worn import draw_observed, draw_shares
from catalogue.filters.parameters import refuse_unknown
from catalogue.models import Evidence, WearStudy
from catalogue.models.lookup import NothingHere, record_called
from catalogue.models.observations import AS_TYPED, POINTS, board_of, lines_of, orders, unused
from catalogue.outcomes.traffic import sheet_of_boards
from catalogue.pages import answers, batches
from catalogue.pages.wear_words import (
    AGREES,
    DISAGREES,
    beside,
    called,
    classes,
    is_contrary,
    most_used,
    summary,
    whose,
)
from catalogue.texts.formatting import capitalised
from catalogue.web.addresses import site_address
from catalogue.web.routes import route, routes_below
from simulator.batches.levels import LEVELS, line_in_words
from simulator.batches.requests import BOUNDS, DEFAULT_SEED
from simulator.engine.candidates import MOST, PLACED, SEATS, SETUPS
from simulator.engine.ruleset import Problem, RulesetProblem
from simulator.models import Batch, Ruleset, RulesetVersion
from simulator.problems import QueueFull, WrongRequest
from simulator.rulesets import find

PIECES = ("first_pieces", "second_pieces")
VARIED = (*PIECES, "base", "begins", "setup", "first_at", "second_at", "further", "made")
NUMBERS = r"^\s*\d{1,3}(\s*-\s*\d{1,3})?(\s*,\s*\d{1,3}(\s*-\s*\d{1,3})?)*\s*$"
SLAB = "ETG.Artefact.04433"  # the record with a board that ships
PLAINLY = {  # what a wrong number of pieces is told
    "this parameter must be set": "Say how many there are: 1, or 1-2 to try both.",
    "must be at least 1": "At least 1.",
}
MOST_DRAWN = 12  # boards of candidates on a page; the table has all
MOST_LISTED = 40  # rows of the table that are not folded
COLUMNS = (
    "number", "candidate", "ruleset", "board", "players", "batch", "games", "finished", "won_first", "won_second",
    "turns_median", "stands", "stands_without_unfinished", "orders_for", "orders_against", "tau_b", "tau_b_low",
    "tau_b_high", "by_chance", "symmetrical", "lopsided", "lopsided_p", "lopsided_place", "lopsided_share",
    "even_share", "in_words",
)  # fmt: skip
SHARES = (
    "number", "candidate", "in_words", "board", "players", "of", "place", "share", "low", "high", "batch",
)  # fmt: skip


def _begun(message: str) -> str:
    """A message as a sentence begins, unless it begins with the name of a point."""
    return capitalised(message) if message.partition(" ")[0].isalpha() else message


def _rising(text: str) -> None:
    """Raises ValidationError for "4-2"."""
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if dash and int(last) < int(first):
            raise ValidationError(f"“{part.strip()}” counts down: from the smaller number to the larger, please.")


def asked_again(row: WearStudy) -> dict[str, Any]:
    """Return what the fields of the form say that asks for a study as it was asked for."""
    terms, made = row.terms, row.terms.get("made")
    found = {
        "candidates": row.candidates,
        "rulesets": "" if row.candidates or made else " ".join(row.names),
        "of": row.of,
        **{name: terms[name] for name in ("games", "seed", "cap")},
        "own": terms.get("own", ""),
    }
    line = terms["players"]
    found |= {"players": line} if set(line.split(",")) <= set(LEVELS) else {"other_players": line}
    if not made:
        return found
    vary, base = dict(made.get("vary", {})), made.get("base", "")
    if not isinstance(base, str) or made.get("unless"):
        return {**found, "made": made}
    found |= {name: ", ".join(map(str, vary.pop(name))) for name in PIECES if name in vary}
    found |= {name: ",".join(map(str, vary.pop(name))) for name in ("begins", "setup") if name in vary}
    found |= {f"{seat}_at": " ".join(points) for seat, points in made.get("places", {}).items()}
    further = "\n".join(f"{key}: {', '.join(map(_typed, values))}" for key, values in vary.items())
    return {**found, "base": base, "further": further}


def _typed(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _numbers(label: str, example: str) -> forms.CharField:
    return forms.CharField(
        required=False,
        max_length=60,
        validators=[RegexValidator(NUMBERS, f"Numbers, as {example} or {example.replace('-', ', ')}."), _rising],
        label=label,
        help_text=f"All numbers that are tried: {example}.",
    )


def _either(label: str, choices: Mapping[str, str]) -> forms.ChoiceField:
    """choices: values with commas between them, and what they are called"""
    return forms.ChoiceField(choices=list(choices.items()), required=False, label=label)


def numbers_of(text: str) -> list[int]:
    """Return the numbers that "2-4, 7" names: 2, 3, 4, 7; at most as many as a set has rulesets."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        found += range(low, min(high, low + MOST) + 1)
    return list(dict.fromkeys(found))


class WearForm(answers.PlayersForm):
    """Candidates, what was looked at, and the games of each."""

    candidates = forms.ChoiceField(
        required=False, help_text="A set of rulesets for this board that ships with the site."
    )
    rulesets = forms.CharField(
        required=False,
        max_length=4_000,
        label="Or rulesets by name",
        help_text="Names of rulesets on this very board, parted by blanks.",
    )
    base = forms.CharField(
        required=False,
        max_length=200,
        label="Rules that vary",
        widget=forms.TextInput(attrs={"list": "bases"}),
        help_text="The name of a ruleset on points and lines, whose board and start are left out: the list has all. "
        "Empty: who is shut in has lost.",
    )
    first_pieces = _numbers("Pieces of the first player (dogs)", "2-4")
    second_pieces = _numbers("Pieces of the second player (hares)", "1-2")
    begins = _either(
        "Who begins",
        {
            "": "as the rules say",
            "first": "the first",
            "second": "the second",
            "first,second": "either: both are tried",
        },
    )
    setup = _either(
        "The pieces are",
        {
            "": "laid one a turn",
            PLACED: "placed on the points below",
            ",".join(SETUPS): "laid or placed: both are tried",
        },
    )
    first_at = forms.CharField(
        required=False, max_length=400, label="Placed: points of the first player", help_text="In order, as a1 b1 c1."
    )
    second_at = forms.CharField(required=False, max_length=400, label="Placed: points of the second player")
    further = forms.CharField(
        required=False,
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Further keys that vary",
        help_text="A line for each, with all its values: second_stuck: loses, passes",
    )
    made = forms.JSONField(required=False, widget=forms.HiddenInput)
    own = forms.CharField(
        required=False,
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        label="What if you saw something else on it?",
    )
    of = forms.ChoiceField(label="What was looked at", choices=[(word, word) for word in OF], required=False)
    games = answers.number_field(DEFAULT_GAMES, "Of each candidate.", min="1", max=str(BOUNDS["games"][1]))
    seed = answers.number_field(
        DEFAULT_SEED, "The same seed gives the same study.", min="0", max=str(BOUNDS["seed"][1])
    )
    cap = answers.number_field(
        DEFAULT_CAP, "A game of so many turns is left unfinished.", min="1", max=str(BOUNDS["cap"][1])
    )

    price: WearPrice | None = None  # of what is asked for, where it can be met

    def __init__(
        self, record: Evidence, sent: QueryDict | None = None, like: WearStudy | None = None, own: str = ""
    ) -> None:
        """like: a study whose request the fields begin with; own: observations that they begin with"""
        super().__init__(sent, initial={**(asked_again(like) if like else {}), **({"own": own} if own else {})})
        self.offer_seats([2], ",".join(sent.getlist("players")) if sent else "")
        fitting = [(slug, candidate_set(slug).title) for slug in fitting_sets(record)]
        self.fields["candidates"].choices = [*fitting, ("", "none: those below")]  # type: ignore[attr-defined]

        self.fields["candidates"].initial = fitting[0][0] if fitting else ""
        board = board_of(record)
        known = lines_of(board) if board else [""]
        self.fields["own"].help_text = (
            f"{capitalised(AS_TYPED.format(known[0], known[-1]))}. It holds for this study only, beside what is on the "
            "record, and is kept with the study; nothing is written on the record. The drawing has the names."
        )

    def refuse(self, error: WrongRequest | QueueFull) -> None:
        """Put what is wrong with candidates that are made beside the field that says so, in plain words."""
        if isinstance(error, QueueFull):
            super().refuse(error)
            return
        super().refuse(WrongRequest(map(self._at_its_field, error.problems)))

    def _at_its_field(self, problem: Problem) -> Problem:
        key, _, message = problem.message.partition(": ")
        field = {f"{seat}_array": f"{seat}_at" for seat in SEATS} | {f"places/{seat}": f"{seat}_at" for seat in SEATS}
        place = field.get(key, key)
        if problem.key == "ruleset":
            return Problem(
                "base", f"There is no ruleset “{self.cleaned_data.get('base', '')[:60]}”: choose one of the list."
            )
        if problem.key == "candidates" and place in self.fields:
            plain = next((words for beginning, words in PLAINLY.items() if message.startswith(beginning)), "")
            return Problem(place, plain or _begun(message))
        if problem.key == "candidates":
            return replace(problem, message=_begun(problem.message))
        return problem

    @property
    def request_of(self) -> dict[str, Any]:
        """What is asked for besides the record, as `check_wear` takes it: candidates made, else named, else a set."""
        wanted = self.wanted
        named, slug = str(wanted.pop("rulesets", "")).split(), wanted.pop("candidates", "")
        made = self._made({name: wanted.pop(name) for name in VARIED if name in wanted})
        return {**wanted, "chosen": made or named or slug}

    def _made(self, sent: dict[str, Any]) -> dict[str, Any]:
        """How candidates are made, by the fields that say so; nothing if none of those that vary is filled."""
        if sent.get("made"):
            return dict(sent["made"]) if isinstance(sent["made"], dict) else {}
        vary: dict[str, Any] = {name: numbers_of(sent[name]) for name in PIECES if name in sent}
        vary |= {name: sent[name].split(",") for name in ("begins", "setup") if name in sent}
        for line in filter(str.strip, sent.get("further", "").splitlines()):
            key, _, values = line.partition(":")
            vary[key.strip()] = [_value(one) for one in values.split(",") if one.strip()]
        if not vary:
            return {}
        points = {seat: sent[f"{seat}_at"].split() for seat in SEATS if f"{seat}_at" in sent}
        made: dict[str, Any] = {"vary": vary, **({"places": points} if points else {})}
        return {**made, "base": sent["base"]} if "base" in sent else made


def _value(typed: str) -> Any:
    """A value of a key as it is typed: a number, true or false, or a word."""
    try:
        return json.loads(typed)
    except ValueError:
        return typed.strip()


wear_route = routes_below("wear/<batch_id:study_id>/", "/wear/{wear}/")


@route("evidence/<str:identifier>/wear/", name="ask-for-wear", example=f"/evidence/{SLAB}/wear/", methods="GET POST")
def ask(request: answers.HtmxRequest, identifier: str) -> HttpResponse:
    """The form for a wear study of a record, and the studies of it that there are. A POST requests one."""
    record = record_called(Evidence.objects.shown().select_related("game"), identifier)
    if not record.board:
        raise NothingHere(f"{record} has no board: it is known which one it shows before rules are held against it.")
    like = WEAR.find(request.GET.get("like", "")) if request.GET.get("like") else None
    form = WearForm(
        record, request.POST if request.method == "POST" else None, like, request.GET.get("own", "")[:2_000]
    )
    if request.method == "POST" and form.is_valid():
        wanted = form.request_of
        try:
            checked = check_wear(record, wanted.pop("chosen"), **wanted)
            if batches.ESTIMATE not in request.POST:
                return redirect("wear", study_id=answers.requested(request, WEAR, checked).id)
            form.price = price_of(checked)
        except (WrongRequest, QueueFull) as error:
            form.refuse(error)
    studies = record.wear_studies.defer("document").order_by("-created", "id")
    varied = [form[name] for name in VARIED if name != "made"]
    seen = list(record.observations.all())
    context = {"record": record, "studies": studies, "varied": varied, "most": MOST}
    bases = RulesetVersion.objects.filter(ruleset__family=POINTS).order_by("slug").distinct()
    context["bases"] = bases.values_list("slug", flat=True)
    context |= {"board": draw_observed(record, seen), "seen": seen, "is_made": bool(like and like.terms.get("made"))}
    if batches.ESTIMATE in request.POST and request.htmx:
        return render(request, "partials/wear_estimate.html", {"form": form})
    return answers.form_page(request, "catalogue/wear_form.html", form, context)


@route("wear/", name="wear-list", sitemap=True)
def wear_list(request: HttpRequest) -> HttpResponse:
    """All wear studies that are done, and the records that one can be asked of."""
    rows = WEAR.finished().defer("document").order_by("-created", "id")
    worn = Evidence.objects.shown().exclude(board={}).select_related("game").order_by("identifier")
    return render(request, "catalogue/wear_list.html", {"page": answers.page_of(request, rows), "records": worn})


@wear_route(name="wear")
def wear(request: HttpRequest, study_id: str) -> HttpResponse:
    """A wear study: which candidates the observations do not rule out, and what each would leave on the board."""
    row = WEAR.find(study_id)
    if row is None:
        raise NothingHere(f"There is no wear study “{study_id}” here.")
    context: dict[str, Any] = {"study": row, "record": row.record, "made": json.dumps(row.terms.get("made"))}
    if row.state != WearStudy.State.DONE:
        context |= {"cancel": answers.cancel_address(request, WEAR, row)}
        earlier = Batch.objects.filter(state=Batch.State.RUNNING, created__lt=row.created).exclude(id__in=row.batches)
        context |= {"progress": WEAR.progress(row), "ahead": earlier.aggregate(games=Sum("games"))["games"]}
        return render(request, "catalogue/wear_waiting.html", context)
    return render(request, "catalogue/wear.html", context | _told(row))


@wear_route("progress.json")
def wear_progress(request: answers.HtmxRequest, study_id: str) -> HttpResponse:
    return answers.job_progress(request, WEAR, study_id)


@route("wear/<batch_id:study_id>/<int:number>.svg", name="wear-board", example="/wear/{wear}/1.svg")
def wear_board(request: HttpRequest, study_id: str, number: int) -> HttpResponse:
    """The board of a candidate with the traffic of its games, by its number in the study."""
    row = WEAR.kept(study_id)
    if row is None or not 1 <= number <= len(row.names):
        raise NothingHere(f"There is no candidate {number} of a wear study “{study_id}”.")
    return answers.drawing(_drawn(row, row.document["sides"][0], number - 1))


@wear_route("candidates.csv", name="wear-candidates")
def wear_candidates(request: HttpRequest, study_id: str) -> HttpResponse:
    """The candidates as CSV, a line for each and each kind of players."""
    refuse_unknown(request, ())
    row = _done(study_id)
    names = called(row).names
    return _table(f"{study_id}-candidates", [COLUMNS, *_lines(row.document, names)])


@wear_route("shares.csv", name="wear-shares")
def wear_shares(request: HttpRequest, study_id: str) -> HttpResponse:
    """What play leaves on every line, or point, of every candidate, as CSV, with intervals."""
    refuse_unknown(request, ())
    row = _done(study_id)
    names, of = called(row).names, row.of.removesuffix("s")
    lines = (
        (
            number,
            candidate["name"],
            names[number - 1],
            candidate["board"],
            side["played_by"],
            of,
            place,
            *share,
            one["batch"],
        )
        for side in row.document["sides"]
        for number, (candidate, one) in enumerate(zip(row.document["candidates"], side["candidates"], strict=True), 1)
        for place, share in one["shares"].items()
    )
    return _table(f"{study_id}-shares", [SHARES, *lines])


@wear_route("figure.svg", name="wear-drawing")
def wear_drawing(request: HttpRequest, study_id: str) -> HttpResponse:
    """The boards that the page shows, on one sheet with what it rests on."""
    return answers.drawing(_sheet(request, study_id))


@wear_route("figure.png", name="wear-picture")
def wear_picture(request: HttpRequest, study_id: str) -> HttpResponse:
    return answers.picture(_sheet(request, study_id))


def _sheet(request: HttpRequest, study_id: str) -> str:
    refuse_unknown(request, ())
    row = _done(study_id)
    told = _told(row)
    rules = Ruleset.objects.in_bulk([one["hash"] for one in told["drawn"]])
    boards = [
        (
            one["called"] + (f": {one['verdict']}" if told["orders"] else ""),
            _drawn(row, told["first"], one["number"] - 1),
        )
        for one in told["drawn"]
        if one["hash"] in rules
    ]
    more = len(row.names) - len(boards)
    terms = row.terms
    words = (
        f"{row.title}?",
        "The wider a line, or the larger a dot, the more of all moves led there; the paler, the less sure. Each board "
        f"has its own scale.{f' {more:,} more candidates are not drawn.' if more else ''}",
        f"{capitalised(line_in_words(terms['players']))} · {terms['games']:,} games of each · seed {terms['seed']} · "
        f"cap {terms['cap']} turns",
        f"Wear study {row.id}, {site_address(request)}{row.get_absolute_url()}",
    )
    return sheet_of_boards(boards, *words)


def _done(study_id: str) -> WearStudy:
    row = WEAR.kept(study_id)
    if row is None:
        raise NothingHere(f"There is no wear study “{study_id}” here that is done.")
    return row


def _table(name: str, lines: Iterable[Sequence[Any]]) -> HttpResponse:
    text = io.StringIO()
    csv.writer(text).writerows(lines)
    response = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{name}.csv"'
    return response


def _lines(document: Mapping[str, Any], names: Sequence[str]) -> Iterator[Sequence[Any]]:
    """The lines of the table; of what was not told apart or not tested the fields are empty."""
    for side in document["sides"]:
        for number, (candidate, one) in enumerate(zip(document["candidates"], side["candidates"], strict=True), 1):
            verdicts = [told["verdict"] for told in one["told"]]
            uneven = one.get("lopsided") or {}
            yield (
                number, candidate["name"], candidate["hash"], candidate["board"], side["played_by"], one["batch"],
                one["games"], one["games"] - one["unfinished"], *one["wins"], one["turns"],
                one["stands"], one["stands_ended"], verdicts.count(AGREES), verdicts.count(DISAGREES),
                *(one["tau"] or [""] * 3), one["by_lot"], _is_symmetrical(candidate),
                *(uneven.get(key, "") for key in ("is_lopsided", "by_lot", "place", "share", "even")),
                names[number - 1],
            )  # fmt: skip


def _is_symmetrical(candidate: Mapping[str, Any]) -> bool:
    """Return whether the rules of a candidate treat any two lines, or points, alike."""
    return any(len(members) > 1 for members in candidate["orbits"])


def _uneven(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the page says of lopsided play: of how many candidates it was tested, and what is found in which of them."""
    tested = [one for one in rows if one["lopsided"]]
    kinds = [("", [(one, one) for one in tested])]
    if any(one["again"] for one in tested):
        kinds.append(
            ("players of the second kind: ", [(one, one["again"]) for one in tested if one["again"]["lopsided"]])
        )
    found = [
        (one, kind + _most(played["lopsided"]))
        for kind, every in kinds
        for one, played in every
        if played["lopsided"]["is_lopsided"]
    ]
    return {
        "tested": len(tested),
        "found": found,
        "lopsided": len({one["number"] for one, _ in found}),
        "symmetrical": sum(one["symmetrical"] for one in rows),
    }


def _most(found: Mapping[str, Any]) -> str:
    share, even = (f"{100 * found[name]:.1f} %" for name in ("share", "even"))
    return f"{found['place']} has {share} of the moves, where an even share is {even} (p = {found['by_lot']:.3f})"


def _seen(row: WearStudy) -> dict[str, Any]:
    """What the page says of observations: whether those of today are those of the study, and which it does not use."""
    today = list(row.record.observations.all())
    found = orders(today, row.of)
    of_record = [order for order in row.orders if order["numbers"]]
    used = {number for order in row.orders for number in order["numbers"]}
    in_order = {number for order in found for number in order.numbers}
    since = "it was entered or changed after this study was made"
    return {
        "is_observed": bool(today),
        "has_changed": [written(order) for order in found] != of_record,
        "unused": [(one, why) for one, why in unused(today, row.of) if one.number not in used]
        + [(one, since) for one in today if one.number in in_order - used],
    }


def _drawn(row: WearStudy, side: Mapping[str, Any], place: int) -> str:
    document = row.document
    candidate, played = document["candidates"][place], side["candidates"][place]
    try:
        board = find(candidate["hash"]).parameters["board"]
    except (WrongRequest, RulesetProblem) as error:
        raise NothingHere(f"The ruleset {candidate['hash'][:8]} is not here any more.") from error
    return draw_shares(board, played["shares"], called(row).names[place], document["of"])


def _told(row: WearStudy) -> dict[str, Any]:
    """What the page shows of the document: the candidates that stand first, the others by how far they are off."""
    document = row.document
    first, *second = document["sides"]
    of_set = row.candidates or next(iter(fitting_sets(row.record)), "")
    proved = solved(of_set, [one["hash"] for one in document["candidates"]])
    in_set = {one.ruleset.hash: one.name for one in candidate_set(of_set).candidates} if of_set else {}
    named = called(row)
    rows = []
    for place, (candidate, played) in enumerate(zip(document["candidates"], first["candidates"], strict=True)):
        again = second[0]["candidates"][place] if second else None
        stands = {played["stands"], *([again["stands"]] if again else [])}
        rows.append(
            {
                **candidate,
                **played,
                "number": place + 1,
                "called": named.names[place],
                "in_set": in_set.get(candidate["hash"], "") if not row.candidates else "",
                "again": again,
                "most": most_used(played["shares"]),
                "agreeing": sum(told["verdict"] == AGREES for told in played["told"]),
                "against": sum(told["verdict"] == DISAGREES for told in played["told"]),
                "askable": sum(told["difference"] != [0.0, 0.0, 0.0] for told in played["told"]),
                "verdict": "stands" if stands == {True} else "rejected" if stands == {False} else "players differ",
                "ended": played["games"] - played["unfinished"],
                "symmetrical": _is_symmetrical(candidate),
                "has_median": 2 * played["unfinished"] < played["games"],
                "solved": proved.get(candidate["hash"]),
            }
        )
    standing = [one for one in rows if one["verdict"] == "stands"]
    verdicts = ["stands", "players differ", "rejected"]
    ids = [one["batch"] for one in rows]
    seen = _seen(row)
    said = [
        {
            **order,
            "without": [named.names[place] for place in first["without"][number]],
            "label": whose(order),
            "contrary": [whose(other) for other in document["orders"] if is_contrary(order, other)],
        }
        for number, order in enumerate(document["orders"])
    ]
    alike = classes(first["classes"], rows, said) if said else []
    rows.sort(key=lambda one: (verdicts.index(one["verdict"]), one["against"], -one["agreeing"], one["number"]))
    return {
        "document": document,
        "rows": rows,
        "sides": named.sides,
        "parts": [part for part in (rows[:MOST_LISTED], rows[MOST_LISTED:]) if part],
        "standing": len(standing),
        "drawn": rows[:MOST_DRAWN],
        "orders": said,
        **seen,
        "summary": summary(rows, said) if said else [],
        "beside": list(beside(row)),
        "uneven": _uneven(rows) if all("lopsided" in one for one in rows) else None,
        "classes": alike,
        "second": second[0] if second else None,
        "first": first,
        "proved": len(proved),
        "bound": sum(one["start"]["plies"] is not None for one in proved.values()),
        "set": candidate_set(row.candidates) if row.candidates else None,
        "board": board_of(row.record),
        "kept": set(Batch.objects.filter(id__in=ids).order_by().values_list("id", flat=True)),
    }
