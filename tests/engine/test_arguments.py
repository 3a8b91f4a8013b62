"""Wrong arguments of everything that `simulator.engine` offers: an error that names them, and never a game."""

import builtins
import copy
import inspect
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simulator import engine
from simulator.engine import kernels
from simulator.engine.solving.solved import Solved

KALAH = "kalah-reference"
SMALL = "hat-diviyan-keliya-ludovisi"
TEXTS, WHOLES = ("", "no such thing", "-1", "\0"), (-1, 2**31, 2**53, 2**70, -(2**70))
THINGS: tuple[Any, ...] = (None, True, 0.5, float("nan"), b"a", [], {}, (1, 2), object(), np.float64(2), np.arange(3))
ANY = (*THINGS, *TEXTS, *WHOLES)


@cache
def solved() -> Solved:
    return engine.solve(SMALL)


# The arguments by name, with what will not do for them. Each is asked of every callable that has it.
WRONG: dict[str, Sequence[Any]] = {
    "ruleset": ANY,
    "name": ANY,
    "family_name": [*THINGS, *TEXTS[1:], *WHOLES],  # "" is every family
    "game": ANY,
    "games": [*THINGS, *TEXTS, -1, 2**53, 2**70],
    "turns": [*THINGS, *TEXTS, -1, 2**53, 2**70],
    "cap": [*THINGS, *TEXTS, 0, -1, 2**53, 2**70],
    "seed": [*THINGS, *TEXTS, -1, 2**53, 2**70],
    "players": ANY,
    "player": ANY,
    "until": ANY,
    "document": ANY,
    "move": ANY,
    "moves": [None, True, 0.5, b"a", object(), (1, 2), np.arange(3), "no such thing", "-1", ["a>", 3], *WHOLES],
    "title": [*THINGS, *WHOLES],
    "marked": [None, True, 0.5, b"a", object(), (1, 2), np.arange(3), "no such place", ["a", 3], *WHOLES],
    "progress": ANY,
    "number": ANY,
    "identity": ANY,
    "goal": ANY,
    "allowed": ANY,
    "seat": [*THINGS, *TEXTS, *WHOLES],
}
# What is right for the arguments beside the wrong one; `ruleset` and so on are asked for by every function.
RIGHT: dict[str, Callable[[], Any]] = {
    "ruleset": lambda: KALAH,
    "games": lambda: 1,
    "game": lambda: engine.Game(KALAH),
    "turns": lambda: 1,
    "player": lambda: "random",
    "goal": lambda: np.ones(solved().graph.size, bool),
    "allowed": lambda: np.ones(solved().graph.size, bool),
    "seat": lambda: 0,
}
FREE = {("change", "parameters")}  # named by the caller: its own test is below


def callables() -> Iterator[tuple[str, list[str], Callable[[], Any]]]:
    """Everything public that takes arguments, and what they are called: functions, what makes a game, methods of games
    and of solutions, which nobody solves before a test needs one."""
    for name in engine.__all__:
        found = getattr(engine, name)
        if inspect.isfunction(found) or found is engine.Game:
            yield name, list(inspect.signature(found).parameters), lambda found=found: found
    for kind, made in ((engine.Game, lambda: engine.Game(KALAH)), (engine.Solved, solved)):
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            _, *parameters = inspect.signature(method).parameters
            if not name.startswith("_"):
                yield f"{kind.__name__}.{name}", parameters, lambda made=made, name=name: getattr(made(), name)


CASES = [
    pytest.param(found, parameter, id=f"{name}-{parameter}")
    for name, parameters, found in callables()
    for parameter in parameters
    if (name, parameter) not in FREE
]


@pytest.mark.by_turns
@pytest.mark.parametrize(("found", "parameter"), CASES)
def test_a_wrong_argument_is_an_error_that_names_it(found: Callable[[], Any], parameter: str) -> None:
    function = found()
    needed = [
        name
        for name, one in inspect.signature(function).parameters.items()
        if one.default is one.empty and one.kind is not one.VAR_KEYWORD and name != parameter
    ]
    right = {**RIGHT, "game": lambda: 0} if function is engine.replay_game else RIGHT
    for value in WRONG[parameter]:
        arguments = {name: right[name]() for name in needed}
        with pytest.raises((ValueError, TypeError, engine.NotReached)) as caught:
            function(**arguments, **{parameter: value})
        said = str(caught.value)
        assert caught.type.__module__.startswith("simulator.engine") or parameter in said, (value, said)
        assert "has no attribute" not in said
        assert len(said) < 600


def test_a_wrong_change_names_its_parameter() -> None:
    for value in (thing for thing in ANY if not isinstance(thing, np.float64)):  # 2.0 is the whole number 2
        with pytest.raises(engine.RulesetProblem, match="counters_per_hole"):
            engine.change(KALAH, counters_per_hole=value)
    assert engine.change(KALAH, counters_per_hole=5).parameters["counters_per_hole"] == 5


def test_numbers_of_numpy_are_whole_numbers_too() -> None:
    asked = {"seed": np.int64(1), "cap": np.int32(50)}
    assert len(engine.play_games(KALAH, np.int16(3), **asked)) == 3
    assert engine.replay_game(KALAH, np.uint8(2), **asked).row["turns"] > 0
    assert solved().value_of(np.int32(0)) == solved().value_of(0)


def test_a_name_does_for_its_ruleset() -> None:
    ruleset = engine.load(KALAH)
    assert np.array_equal(engine.play_games(KALAH, 3, seed=1), engine.play_games(ruleset, 3, seed=1))
    assert engine.Game(KALAH).ruleset == ruleset
    assert engine.describe(KALAH) == engine.describe(ruleset)
    assert [count.positions for count in engine.count_positions(f"{KALAH}@1", 1)] == [10]
    with pytest.raises(engine.RulesetProblem, match=f'"{KALAH}"'):
        engine.play_games("kalah-referenc", 1)


def test_moves_are_also_one_text_as_in_an_address() -> None:
    assert engine.Game(KALAH, moves="aa.ba").moves == engine.Game(KALAH, moves=["a>", "b>"]).moves
    assert engine.Game(KALAH, moves="").moves == []


def test_seats_with_players_of_their_own_choose_as_these() -> None:
    game = engine.Game(KALAH, moves=["a>"])
    assert game.mover == 1
    assert engine.choose_move(game, "random,greedy") == engine.choose_move(game, "greedy")


def test_every_error_that_is_promised_can_be_caught() -> None:
    texts = (inspect.getdoc(found()) or "" for _, _, found in callables())
    parts = (part for text in texts for part in re.findall(r"[Rr]aises? (.*?)(?:\n\n|\Z|[.:] )", text, re.DOTALL))
    names = {name for part in parts for name in re.findall(r"\b(?:[A-Z][a-z]+){1,}\b", part)}
    assert names >= {"TooManyPositions", "NotSolvable", "ThrowsDecide", "FamilyProblem", "NotReached", "RulesetProblem"}
    for name in names:
        kind = getattr(engine, name, None) or getattr(builtins, name, None)
        assert issubclass(kind, Exception), name


def test_both_counts_give_up_with_the_error_that_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.engine.playout.MOST_BYTES", 1)
    monkeypatch.setattr("simulator.engine.solving.graph.MOST_POSITIONS", 2**14)
    with pytest.raises(engine.TooManyPositions, match="after turn 1"):
        list(engine.count_positions(KALAH, 2))
    with pytest.raises(engine.TooManyPositions, match="positions were found"):
        engine.solve(SMALL)
    with pytest.raises(engine.ThrowsDecide):
        engine.count_positions("pancha-keliya-dlp", 1)
    with pytest.raises(engine.NotSolvable):
        engine.solve("pancha-keliya-dlp")


def test_errors_are_the_same_in_another_process() -> None:
    problems: list[Exception] = []
    for wrong_one in (
        lambda: engine.load("kala"),
        lambda: engine.Game("kotu-baendum-parker", moves=["c"]),
        lambda: engine.Game("nerenchi-keliya-dlp", moves=["?"]),
        lambda: engine.schema("sewing"),
        lambda: engine.choose_move(engine.Game(KALAH), "utc"),
    ):
        with pytest.raises(ValueError, match=r".") as caught:
            wrong_one()
        problems.append(caught.value)
    problems += [engine.AmbiguousMove("'a' may be a> or a<", ["a>", "a<"]), engine.NotReached("no play")]
    for problem in problems:
        other = pickle.loads(pickle.dumps(problem))
        assert (type(other), str(other), vars(other)) == (type(problem), str(problem), vars(problem))


@pytest.mark.parametrize("name", ["puhulmutu-parker", "dam-parker", "pancha-keliya-dlp"])
def test_a_copy_of_a_game_is_a_game_of_its_own(name: str) -> None:
    def go_on(game: engine.Game) -> list[str]:
        for _ in range(9):
            game.play(game.legal_moves[0])
        return [*game.moves, str(game)]

    game = engine.Game(name, seed=3)
    go_on(game)
    before = [*game.moves, str(game)]
    copies = [game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    after = [go_on(one) for one in copies]
    assert [*game.moves, str(game)] == before
    assert go_on(game) == after[0] == after[1] == after[2] == after[3]


@pytest.mark.by_turns
def test_rulesets_are_kept_in_sets_and_know_their_names() -> None:
    ruleset = engine.load(KALAH)
    assert ruleset.name == f"{KALAH}@1"
    unnamed = engine.read(ruleset.document)
    assert unnamed.name == ""
    assert {ruleset, unnamed} == {ruleset}
    assert pickle.loads(pickle.dumps(ruleset)).name == ruleset.name
    assert engine.load("dam-parker@1").name == "dam-parker@1"
    assert {name for kind in ("sowing", "points", "race") for name in engine.rulesets(kind)} == set(engine.rulesets())


def test_what_is_shown_of_large_things_is_one_line() -> None:
    for thing in (
        engine.load("dam-parker"),
        engine.replay_game(KALAH, 1),
        solved(),
        solved().graph,
        engine.Game(KALAH),
    ):
        assert len(repr(thing)) < 120
        assert "\n" not in repr(thing)


def test_a_solution_is_copied_and_pickled() -> None:
    for other in (copy.deepcopy(solved()), pickle.loads(pickle.dumps(solved()))):
        assert other.best_line(0) == solved().best_line(0)


def test_numbers_of_positions_do_not_count_from_the_end() -> None:
    last = solved().graph.size - 1
    assert solved().is_over(last) is solved().is_over(np.int64(last))
    over = int(np.flatnonzero(solved().graph.kinds > 1)[0])
    assert solved().best_moves(over) == []
    assert solved().move_values(over) == {}
    with pytest.raises(ValueError, match="nobody moves"):
        solved().mover(over)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("/no/such.json", "there is no file"),
        ("no such.json", "there is no file"),
        (KALAH, "load"),
        ("nothing", "this is no JSON"),
        ('{"family": "sowing", "family": "race"}', "stands twice"),
        ("[" * 100_000, "this is no JSON"),
    ],
)
def test_what_is_no_document_says_what_it_is_instead(document: str, said: str) -> None:
    with pytest.raises(engine.RulesetProblem, match=said):
        engine.read(document)


def test_a_schema_belongs_to_whom_it_was_given() -> None:
    engine.schema("sowing")["properties"].clear()
    assert engine.schema("sowing")["properties"]


def test_help_begins_with_what_can_be_called() -> None:
    said = inspect.getdoc(engine)
    assert said
    for name in engine.__all__:
        if inspect.isfunction(getattr(engine, name)):
            assert f"{name}(" in said
    assert re.fullmatch(r"\d+\.\d+\.\d+", engine.__version__)


def test_compiling_for_the_first_time_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[Any] = []
    monkeypatch.setattr("numba.core.event.register", lambda kind, listener: heard.append(listener))
    now = iter((100.0, 101.0, 111.0, 112.0))
    monkeypatch.setattr(kernels.time, "monotonic", lambda: next(now))
    kernels.announce_compiling.__wrapped__()

    def compiled(module: str) -> None:
        function = SimpleNamespace(py_func=SimpleNamespace(__module__=module))
        heard[0].on_start(SimpleNamespace(data={"dispatcher": function}))

    compiled("somebody.else")
    assert caplog.messages == []
    for _ in range(4):
        compiled("simulator.engine.loops")
    assert [message.partition(":")[0] for message in caplog.messages] == [
        "The rules of the games are compiled now, which takes a minute or two and is done once",
        "Still compiling",
    ]
    assert "3 functions, 11 s" in caplog.messages[1]
