"""The matches of a ladder: requested, and what their games say: points, strengths, and a sentence.

A request names its rungs and the batches of each match, and is checked before any game is played.

The document is `{version, ladder, ruleset, hash, engine, rungs, games, seed, cap, until, sides, fair, throws, luck,
matches, misfit, strengths, sentence}`.
- `luck`: null without throws, else `{batch, games, value, low, high, text}`, the luck share of random players.
- `matches`: of each rung and the one below, and of the highest and the lowest, `{stronger, weaker, batches, games,
  kinds, few, points, share, won, lost, nobody, unfinished, expected, seats}`. `share` is what was made, `expected` what
  the fit expects, `seats` what was made by the side the stronger player had; `kinds` counts games that differ, and
  `few` says that so few do that nothing is concluded beyond these players on this machine.
- `consent`: what the players do where the rules let them end the game by consent; left out where they do not.
- `strengths`: of each rung `{player, level, words, elo, low, high, text, points, against_below}`; the lowest is 0,
  `points` are those expected against the lowest, and the last is those expected against the rung below, in words.
- `misfit`: how likely so poor a fit is by chance. Below POOR the players are on no scale: there are no strengths, and
  nothing is expected.
Strengths and expected points are of one fit (`statistics.bradley_terry`), and no strength is given where its points are
not known to WIDEST. Points are a game won by the side of the stronger player, and a game nobody won divided among the
sides. A game that our cap stopped is divided in the figure and counted both ways in its limits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from simulator import rulesets
from simulator.batches import levels, prices
from simulator.batches.finalize import VARIETY, few_kinds
from simulator.batches.levels import player_in_words
from simulator.batches.requests import DEFAULT_CAP, BatchRequest, check_request, content_hash
from simulator.engine.ends import UNFINISHED, WIN
from simulator.engine.family import family
from simulator.engine.players.names import PlayersProblem, parse_players, players_for, seating, sides_of
from simulator.engine.players.wording import consent_field
from simulator.engine.ruleset import Problem, Ruleset
from simulator.engine.tally import END, Tally
from simulator.models import Batch
from simulator.problems import WrongRequest, collecting, whole_number
from simulator.statistics.bradley_terry import Fit, PointsAgainst
from simulator.statistics.intervals import CONFIDENCE, Interval, share
from simulator.statistics.rows import share_text, with_text

# Changes when a figure or a sentence of a ladder would come out differently from the same batches.
LADDER_VERSION = 2
FEWEST_RUNGS, MOST_RUNGS = 2, 16
FIRST_BUDGET, DEFAULT_MOST = 16, 128
MOST_BUDGETS = {"uct": 1 << 16, "alpha_beta": 12}
DEFAULT_GAMES, MOST_GAMES = 200, 100_000
LUCK_GAMES = 2_000
TERMS = ("games", "seed", "cap", "until")
LENGTHS = 4  # medians of random play: the cap is as many at least, so that hardly a game is stopped that would end
WIDEST = 0.20  # of the points: what is known no better has no strength
POOR = 0.01  # so rarely do games of players on one scale fit as poorly
NOT_GIVEN = "not given"
NO_CHANCE = 0.95  # of the points: who makes so many leaves the other no chance to speak of
LUCK_KEYS = ("value", "low", "high", "text")
MANY = {2: "two", 3: "three"}


@dataclass(frozen=True, slots=True)
class Match:
    """Two rungs and their batches: one for each side, whose seats the stronger player has in it."""

    stronger: int
    weaker: int
    requests: tuple[BatchRequest, ...]


@dataclass(frozen=True, slots=True)
class LadderRequest:
    """A ladder that can be played.

    rungs: names of players, weakest first; games: of each match
    luck:  where lots are thrown, games of random players, which say what the throws alone decide
    """

    name: str
    ruleset: Ruleset
    rungs: tuple[str, ...]
    games: int
    matches: tuple[Match, ...]
    luck: BatchRequest | None

    @property
    def content(self) -> dict[str, Any]:
        """The terms that determine it, besides the ruleset."""
        first = self.matches[0].requests[0]
        return {
            "version": LADDER_VERSION,
            "family_version": first.family_version,
            "rungs": list(self.rungs),
            "games": self.games,
            **{name: first.terms[name] for name in ("seed", "cap", "until")},
        }

    @property
    def id(self) -> str:
        """The first 16 hex digits of the SHA-256 of the request, in canonical JSON (RFC 8785)."""
        return content_hash(ruleset=self.ruleset.hash, **self.content)[:16]

    @property
    def requests(self) -> tuple[BatchRequest, ...]:
        """The requests of every batch that it needs, each once."""
        needed = [request for match in self.matches for request in match.requests]
        return tuple({one.id: one for one in (*needed, *((self.luck,) if self.luck else ()))}.values())

    @property
    def work(self) -> int:
        """The work of its games, as `prices.UNITS` counts."""
        return sum(request.work for request in self.requests)


def doubling(search: str = "uct", most: int | str = DEFAULT_MOST) -> tuple[str, ...]:
    """Return random play, followed by budgets that double up to `most`; raises WrongRequest.

    search: "uct", from 16 iterations, or "alpha_beta", from a depth of 1 (where one ply more is far more than twice)
    """
    if search not in MOST_BUDGETS:
        raise WrongRequest.of("search", f"must be uct or alpha_beta, not {search!r}", "uct")
    first = FIRST_BUDGET if search == "uct" else 1
    number = whole_number("most", most, first, MOST_BUDGETS[search])
    doubled = (first << doublings for doublings in range((number // first).bit_length()))
    budgets = range(1, number + 1) if search == "alpha_beta" else doubled
    return ("random", *(f"{search}:{budget}" for budget in budgets))


def least_cap(ruleset: Ruleset) -> int:
    """Return four median lengths of random play, in turns, by the upper limit of the median; 0 where none is known.

    Known is the length of whole games of rulesets whose prices were measured, if hardly any of these was stopped.
    """
    return LENGTHS * (prices.longest_median(ruleset) or 0)


def check_ladder(
    name: str,
    rungs: Sequence[str],
    *,
    games: int | str = DEFAULT_GAMES,
    ruleset: Ruleset | None = None,
    **terms: Any,
) -> LadderRequest:
    """Check a request; raises WrongRequest with everything that is wrong.

    name:   of the ruleset, unless it is given itself
    rungs:  names of players, or levels of the scale, for which the ruleset's own players stand
    games:  of each match, all seatings together; terms: seed, cap, until, as `check_request` takes them; the cap is
            `least_cap` if that is more than the usual one, and none is given
    """
    ruleset = ruleset or rulesets.find(name)
    if terms.get("cap") is None:
        terms["cap"] = max(DEFAULT_CAP, least_cap(ruleset))
    sides, rungs = sides_of(ruleset), [levels.resolve_players(ruleset, rung) for rung in rungs]
    problems = _problems_of_rungs(ruleset, rungs)
    number = DEFAULT_GAMES
    with collecting(problems):
        number = whole_number("games", games, 1, MOST_GAMES)
    if number % len(sides):
        nearest = max(len(sides), round(number / len(sides)) * len(sides))
        message = f"must be a multiple of {len(sides)}, since each side is played as often as the others, not {number}"
        problems.append(Problem("games", message, nearest))
    with collecting(problems):
        check_request(ruleset, players="random", **terms)
    if problems:
        raise WrongRequest(problems)
    names = tuple(parse_players(rung, 1)[0] for rung in rungs)
    pairs = [(high, high - 1) for high in range(1, len(names))]
    if len(names) > 2:
        pairs.append((len(names) - 1, 0))
    matches = tuple(_match_of(ruleset, names, pair, number // len(sides), terms) for pair in pairs)
    luck = check_request(ruleset, games=LUCK_GAMES, **terms) if family(ruleset.family).throws else None
    return LadderRequest(name, ruleset, names, number, matches, luck)


def _problems_of_rungs(ruleset: Ruleset, rungs: Sequence[str]) -> list[Problem]:
    problems, names = [], []
    for rung in rungs:
        try:
            names.append(players_for(ruleset, rung)[0])
        except PlayersProblem as error:
            problems.append(Problem("rungs", str(error)))
    if not FEWEST_RUNGS <= len(rungs) <= MOST_RUNGS:
        message = f"a ladder has from {FEWEST_RUNGS} to {MOST_RUNGS} rungs, not {len(rungs)}"
        problems.append(Problem("rungs", message, min(max(len(rungs), FEWEST_RUNGS), MOST_RUNGS)))
    problems += [
        Problem("rungs", f"{name} stands twice on the ladder") for name in dict.fromkeys(names) if names.count(name) > 1
    ]
    return problems


def _match_of(
    ruleset: Ruleset, names: Sequence[str], pair: tuple[int, int], games: int, terms: dict[str, Any]
) -> Match:
    """Request the batches of a match, all from one seed: game for game the throws are the same, with seats exchanged.

    games: of each seating
    """
    stronger, weaker = pair
    sides = sides_of(ruleset)
    requests = []
    for own in sides:
        line = ",".join(seating(sides, own, names[stronger], names[weaker]))
        requests.append(check_request(ruleset, games=games, players=line, **terms))
    return Match(stronger, weaker, tuple(requests))


@dataclass(frozen=True, slots=True)
class Score:
    """The results of games for one side of several. nobody: drawn or endless; unfinished: stopped by the cap"""

    sides: int
    won: float
    lost: float
    nobody: int
    unfinished: int

    def __add__(self, other: "Score") -> "Score":
        counts = zip(astuple(self)[1:], astuple(other)[1:], strict=True)
        return Score(self.sides, *(one + another for one, another in counts))

    @property
    def games(self) -> int:
        return round(self.won + self.lost) + self.nobody + self.unfinished

    @property
    def points(self) -> float:
        return self.won + (self.nobody + self.unfinished) / self.sides

    def share(self) -> Interval:
        """Return the share of the points, with 95 % limits that hold however the unfinished games would have ended."""
        least = self.won + self.nobody / self.sides
        low, high = share(least, self.games).low, share(least + self.unfinished, self.games).high
        return Interval(self.points / self.games, low, high)


def score_of(tally: Tally, sides: Sequence[Sequence[int]], own: int) -> Score:
    """Return how the games of a tally ended for the side of that number."""
    won = lost = 0.0
    nobody = unfinished = 0
    for (end, mask), count in tally.marginal(END, "winners").items():
        winning = [side for side, seats in enumerate(sides) if any(mask >> seat & 1 for seat in seats)]
        if end == WIN and winning:
            part = count / len(winning) if own in winning else 0.0
            won, lost = won + part, lost + count - part
        elif end == UNFINISHED:
            unfinished += count
        else:
            nobody += count
    return Score(len(sides), won, lost, nobody, unfinished)


def document_of(request: LadderRequest, batches: Mapping[str, Batch]) -> dict[str, Any]:
    """Compute the document of a ladder. batches: by their ids, all done"""
    kind = family(request.ruleset.family)
    sides = sides_of(request.ruleset)
    naming = kind.naming(request.ruleset.parameters)
    titles = [" and ".join(naming.seat(seat) for seat in seats) for seats in sides]
    matches, met = [], []
    for match in request.matches:
        scores = [
            score_of(Tally.from_json(batches[one.id].tally or {}), sides, side)
            for side, one in enumerate(match.requests)
        ]
        whole = sum(scores[1:], scores[0])
        matches.append(_match(request, match, whole, dict(zip(titles, scores, strict=True)), batches))
        won = whole.won + whole.nobody / len(sides)
        lost = whole.games - whole.unfinished - won
        met.append(PointsAgainst(match.stronger, match.weaker, won, lost, len(sides) - 1, whole.unfinished))
    fit = Fit(met)
    misfit = fit.misfit()
    known = fit if misfit is None or misfit >= POOR else None
    for match, row in zip(request.matches, matches, strict=True):
        row["expected"] = _expected(known, match.stronger, match.weaker, len(sides)) if known else None
    content = request.content
    return {
        "version": LADDER_VERSION,
        "ladder": request.id,
        "ruleset": request.name,
        "hash": request.ruleset.hash,
        "engine": f"{kind.name} {content['family_version']}",
        **{name: content[name] for name in ("rungs", "games", "seed", "cap", "until")},
        "confidence": CONFIDENCE,
        "sides": len(sides),
        "fair": 1 / len(sides),
        "throws": kind.throws,
        **consent_field(request.rungs, [request.ruleset.document], content["until"]),
        "luck": _luck(batches[request.luck.id]) if request.luck else None,
        "matches": matches,
        "misfit": misfit,
        "strengths": [_strength(request, known, rung, matches, len(sides)) for rung in range(len(request.rungs))],
        "sentence": _sentence(matches[-1], len(sides), kind.throws),
    }


def _expected(fit: Fit, stronger: int, weaker: int, sides: int) -> dict[str, Any]:
    return with_text(fit.points(stronger, weaker, sides - 1), share_text)


def _match(
    request: LadderRequest,
    match: Match,
    whole: Score,
    by_side: Mapping[str, Score],
    batches: Mapping[str, Batch],
) -> dict[str, Any]:
    names = {"stronger": request.rungs[match.stronger], "weaker": request.rungs[match.weaker]}
    counted = [(batches[one.id].summary or {}).get(VARIETY) for one in match.requests]
    # Games from different seats are different games.
    kinds = None if None in counted else sum(one["different"] for one in counted if one)
    summary = None if kinds is None else {VARIETY: {"games": whole.games, "different": kinds}}
    return {
        **names,
        **{f"{key}_words": player_in_words(request.ruleset, name) for key, name in names.items()},
        "batches": [one.id for one in match.requests],
        "games": whole.games,
        "kinds": kinds,
        "few": bool(few_kinds(summary, ",".join(names.values()))),
        "points": whole.points,
        "share": _share(whole),
        **{name: getattr(whole, name) for name in ("won", "lost", "nobody", "unfinished")},
        "seats": [{"title": title, "games": score.games, **_share(score)} for title, score in by_side.items()],
    }


def _luck(batch: Batch) -> dict[str, Any] | None:
    rows = [row for section in (batch.summary or {})["sections"] for row in section["rows"]]
    luck = next((row for row in rows if row["key"] == "luck_share"), None)
    return {"batch": batch.id, "games": luck["n"], **{key: luck[key] for key in LUCK_KEYS}} if luck else None


def _share(score: Score) -> dict[str, Any]:
    return with_text(score.share(), share_text)


def _strength(
    request: LadderRequest, fit: Fit | None, rung: int, matches: Sequence[Mapping[str, Any]], sides: int
) -> dict[str, Any]:
    """Return the strength of a rung, if its points against the lowest rung and the one below are known to WIDEST."""
    name = request.rungs[rung]
    level = levels.level_of(request.ruleset, name)
    below = (matches[rung - 1]["expected"] or matches[rung - 1]["share"]) if rung else None
    points = _expected(fit, rung, 0, sides) if fit and rung else None
    elo = fit.strength(rung) if fit and all(_is_known(one) for one in (points, below) if one) else None
    value, low, high = elo or (None, None, None)
    text = NOT_GIVEN if elo is None else "0" if rung == 0 else f"{value:+.0f} ({low:+.0f} to {high:+.0f})"
    return {
        "player": name,
        "level": level if levels.rank(level) >= 0 else "",
        "words": player_in_words(request.ruleset, name),
        **{"elo": value, "low": low, "high": high, "text": text.replace("-", "−")},
        "points": points,
        "against_below": below["text"] if below else "",
    }


def _is_known(figure: Mapping[str, Any]) -> bool:
    return bool(figure["high"] - figure["low"] <= WIDEST)


def _sentence(direct: Mapping[str, Any], sides: int, throws: bool) -> str:
    """Return what the highest rung makes of the lowest, in plain words."""
    figure = direct["expected"] or direct["share"]
    low, high = figure["low"], figure["high"]
    fair = f"{100 / sides:.0f} %" if 100 % sides == 0 else f"{100 / sides:.1f} %"
    against = _against(direct["weaker"], direct["weaker_words"], sides - 1)
    made = "is expected to make" if direct["expected"] else "made"
    made = f"{direct['stronger_words']}, {made} {figure['text']} of the points against {against}"
    if direct["few"]:
        meaning = f"in games of so few kinds, {direct['kinds']}, that this says nothing of other players"
    elif low <= 1 / sides <= high:
        if low > 1 / sides - 0.05 and high < 1 / sides + 0.05:
            meaning = "as good as what a side makes that plays no better: there is next to nothing to be chosen well"
        else:
            meaning = "which these games do not tell from playing no better"
    elif high < 1 / sides:
        meaning = "less than its share: thinking ahead so far does harm here"
    elif low >= NO_CHANCE:
        meaning = "which leaves the other next to no chance"
    else:
        weighs = ": so much choosing well weighs beside the throws" if throws else ""
        meaning = f"where a side that plays no better makes {fair}{weighs}"
    return f"{made[:1].upper()}{made[1:]}, {meaning}."


def _against(weaker: str, words: str, many: int) -> str:
    """ "random play", "three random players", "two of Monte Carlo search, 16 iterations"."""
    if weaker == "random":
        return "random play" if many == 1 else f"{MANY[many]} random players"
    return words if many == 1 else f"{MANY[many]} of {words}"
