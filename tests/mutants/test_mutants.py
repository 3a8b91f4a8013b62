"""The tool that puts faults into the code, on code small enough to see what it does."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.databases import FILLING
from tests.mutants import __main__ as command
from tests.mutants.faults import Fault, faults, is_a_change
from tests.mutants.probe import COLLECTING
from tests.mutants.reach import COMPILED, TESTS_OF_COMPILED, TESTS_OF_EVERY_FAMILY, Reach, probed
from tests.mutants.sample import drawn, layer_of
from tests.mutants.table import WITHOUT_EFFECT, table
from tests.mutants.tree import ROOT, Run, Tree, ended
from tests.mutants.trials import ALL, NEAR, SURVIVED, Trial, trials

SHARE = '''"""One."""
from os import path

MOST: int = 3


def share(part: int, whole: int = 1, *, strict: bool = True) -> float | None:
    """Two – and more."""
    if not whole and part is not None:
        raise ValueError(f"{part + 1} of nothing")
    total = sum([part, 2], start=whole)
    return part / total
'''


def made_of(source: str) -> dict[str, set[str]]:
    """Operator -> the lines that it makes others of, as they are then."""
    made: dict[str, set[str]] = {}
    for fault in faults("one.py", source):
        if is_a_change(source.encode(), fault):
            changed = fault.within(source.encode()).decode()
            new = [line.strip() for line in changed.splitlines() if line not in source.splitlines()]
            made.setdefault(fault.operator, set()).update(new)
    return made


def test_every_operator_makes_what_its_name_says():
    assert made_of(SHARE) == {
        "comparison": {"if not whole and (part is None):"},
        "boolean": {"if (not whole or part is not None):"},
        "negation": {"if (whole) and part is not None:", "if (not (not whole and part is not None)):"},
        "arithmetic": {"return (part * total)"},
        "constant": {
            "MOST: int = 4",
            "def share(part: int, whole: int = 2, *, strict: bool = True) -> float | None:",
            "def share(part: int, whole: int = 1, *, strict: bool = False) -> float | None:",
            "total = sum([part, 3], start=whole)",
        },
        "return": {"return None"},
        "argument": {"total = sum([part, 2])"},
        "statement": {"pass"},
    }


def test_fault_behind_letters_of_several_bytes_has_its_place():
    (fault,) = [one for one in faults("one.py", SHARE) if one.operator == "arithmetic"]
    assert (fault.function, fault.lines) == ("share", (12,))
    assert fault.name == "one.py:share: part / total → (part * total)"


def test_a_handler_of_exceptions_is_no_function():
    (fault,) = faults("one.py", "def a():\n    try:\n        b()\n    except KeyError as error:\n        raise\n")[1:]
    assert (fault.function, fault.operator) == ("a", "statement")


def test_what_checks_only_and_texts_put_together_have_no_faults():
    assert made_of("x = [*zip(a, strict=True)]\ny = f'{a + 1}'\n@made(1)\ndef z(): ...\n") == {}


def test_what_cannot_be_compiled_is_no_fault():
    assert not is_a_change(b"x = 1\n", Fault("one.py", "", "constant", (1,), 4, 5, "1", "return"))
    assert not is_a_change(b"x = 1\n", Fault("one.py", "", "constant", (1,), 4, 5, "1", "(1)"))


@pytest.mark.parametrize(
    ("path", "layer"),
    [
        ("catalogue/apps.py", "catalogue"),
        ("catalogue/portal/dump/values.py", "catalogue/portal"),
        ("simulator/engine/games.py", "simulator/engine"),
        ("simulator/engine/players/names.py", "simulator/engine/players"),
        ("simulator/engine/families/race/kernel/turns.py", "simulator/engine/families/race"),
    ],
)
def test_layers_are_folders(path, layer):
    assert layer_of(path) == layer


def test_a_sample_is_drawn_of_every_layer_and_the_same_again(tmp_path):
    for path in ("catalogue/pages/one.py", "catalogue/api/two.py", "simulator/plots/three.py"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(SHARE)
    (tmp_path / "catalogue" / "migrations").mkdir()
    (tmp_path / "catalogue" / "migrations" / "four.py").write_text(SHARE)
    sample = drawn(tmp_path, 6, seed=5)
    assert [layer_of(fault.path) for fault in sample] == [
        *("catalogue/api", "catalogue/api", "catalogue/pages", "catalogue/pages", "simulator/plots", "simulator/plots")
    ]
    assert drawn(tmp_path, 6, seed=5) == sample != drawn(tmp_path, 6, seed=6)
    assert len({(fault.path, fault.lines) for fault in sample}) == 6


def test_functions_say_who_comes_by_and_nothing_else_is_changed():
    source = 'class One:\n    def two(self):\n        """Three."""\n        def four(): return 5\n        return four\n'
    call = '__import__("tests.mutants.probe", fromlist=["met"]).met("one.py:{}")'
    added = [line for line in probed("one.py", source)[0].splitlines() if line not in source.splitlines()]
    assert added == ["        " + call.format("One.two")]
    compile(probed("one.py", SHARE)[0], "one.py", "exec")
    assert call.format("share") in probed("one.py", SHARE)[0]


def test_statements_say_who_executes_them():
    """Before each that a fault is in, or before the one around it where it has no line of its own."""
    source = "A = 1\n\n\ndef one(x):\n    if x:\n        two()\n    elif x > 1:\n        if x: return 3\n"
    written, lines = probed("one.py", source, range(1, 9))
    assert lines == [5, 6, 7, 8]
    before, below = {}, ""
    for line in reversed(written.splitlines()):
        if ".met(" in line:
            before.setdefault(below, set()).add(line.partition('met("one.py:')[2].rstrip('")'))
        else:
            below = line.strip()
    assert before == {"if x:": {"one", "5", "7"}, "two()": {"6"}, "if x: return 3": {"8"}}


def test_what_executes_the_statement_itself_comes_first():
    reach = Reach(["tests"], {"a.py::a": 1.0, "a.py::b": 0.5, "c.py::c": 0.1, "d.py::d": 0.1}, [], {
        "one.py:share": ["a.py::a", "c.py::c", "d.py::d"],
        "one.py:2": ["a.py::a"], "one.py:3": [], "one.py:4": ["a.py::a", COLLECTING],
    })  # fmt: skip
    at = {line: Fault("one.py", "share", "constant", (line,), 0, 1, "", "") for line in (2, 3, 4, 5)}
    assert reach.near(at[2]) == ["a.py::a", "a.py::b"]
    assert reach.near(at[4]) == reach.near(at[5]) == ["c.py::c", "d.py::d", "a.py::a", "a.py::b"]
    assert [reach.is_executed(fault) for fault in at.values()] == [True, False, True, True]


def test_nearest_tests_come_first_and_of_these_the_quickest():
    slow, quick, failing, third = "a.py::C::slow", "a.py::C::quick", "a.py::failing", "b.py::third"
    beside, below, far = "a.py::C::beside", "a.py::below", "c.py::far"
    met = {"one.py:share": [slow, quick, failing], "one.py:other": [third]}
    seconds = {slow: 2.0, quick: 1.0, third: 0.5, beside: 0.2, below: 0.1, far: 0.1}
    reach = Reach(["tests"], seconds, [failing], met)
    within, outside = (Fault("one.py", name, "constant", (1,), 0, 1, "", "") for name in ("share", ""))
    assert reach.near(within) == [quick, slow, beside, below]
    assert reach.near(outside) == [third, quick, slow, beside, below]


def test_what_fills_the_databases_is_known():
    met = {"one.py:share": ["a.py::a"], "one.py:other": [FILLING]}
    reach = Reach(["tests"], {"a.py::a": 1.0}, [], met)
    filling = [reach.fills_databases(Fault("one.py", name, "", (1,), 0, 1, "", "")) for name in ("share", "other", "")]
    assert filling == [False, True, True]
    assert reach.fills_databases(Fault(min(COMPILED), "", "", (1,), 0, 1, "", ""))


def test_all_that_is_named_by_hand_is_there():
    """Tests of compiled files, and faults without effect: the code around them may have moved."""
    begin = [*TESTS_OF_EVERY_FAMILY, *(name for names in TESTS_OF_COMPILED.values() for name in names)]
    assert not [name for name in begin if not any(ROOT.glob(f"{name.removesuffix('.py')}*"))]
    assert not [name for name in TESTS_OF_COMPILED if not any(path.startswith(name) for path in COMPILED)]
    paths = {name.partition(":")[0] for name in WITHOUT_EFFECT}
    known = {fault.name for path in paths for fault in faults(path, (ROOT / path).read_text(encoding="utf-8"))}
    assert not WITHOUT_EFFECT.keys() - known


def test_compiled_functions_have_the_tests_of_their_family():
    path = "simulator/engine/families/race/kernel/turns.py"
    assert path in COMPILED
    tests = ["tests/engine/race/test_games.py::a", "tests/engine/points/b.py::b", "tests/engine/test_conformance.py::c"]
    reach = Reach(["tests"], dict.fromkeys(tests, 1.0), [], {})
    assert reach.near(Fault(path, "f", "constant", (1,), 0, 1, "", "")) == [tests[0], tests[2]]


def test_the_table_counts_by_layer_and_names_what_nobody_noticed(monkeypatch):
    monkeypatch.setitem(WITHOUT_EFFECT, "c", "nothing is rounded there")
    trials = [Trial("a", "catalogue/api", "return", NEAR, "t", 3), Trial("b", "catalogue/api", "return", ALL, "t", 0)]
    trials += [Trial(name, "simulator/plots", "constant", SURVIVED, "", 1) for name in ("c", "d")]
    assert table(trials).splitlines() == [
        "| layer | near | all | survived | without effect |",
        "| --- | --- | --- | --- | --- |",
        "| catalogue/api | 1 | 1 | 0 | 0 |",
        "| simulator/plots | 0 | 0 | 1 | 1 |",
        "| all | 1 | 1 | 1 | 1 |",
        "",
        "2 caught of 3 that change anything (67%).",
        "",
        "Survived:",
        "- d",
        "",
        "Without effect:",
        "- c: nothing is rounded there",
    ]


def test_faults_of_shipped_code_stand_where_they_say():
    path = "simulator/statistics/paired.py"
    source = (Path(__file__).parents[2] / path).read_text(encoding="utf-8")
    found = faults(path, source)
    assert all(source.encode()[one.start : one.end].decode() == one.before for one in found)
    assert {one.function for one in found} >= {"PairedShares.of", "difference", "_student_p"}


def test_the_same_change_in_two_places_has_two_names():
    found = [
        fault for fault in faults("one.py", "def a(x):\n    b(x + 1)\n    c(x + 1)\n") if fault.operator == "constant"
    ]
    assert [one.name for one in found] == ["one.py:a: 1 → 2", "one.py:a: 1 → 2 (2)"]
    assert found[0].start < found[1].start


def test_no_fault_is_drawn_twice(tmp_path):
    (tmp_path / "catalogue" / "pages").mkdir(parents=True)
    (tmp_path / "catalogue" / "pages" / "one.py").write_text("def a():\n    return None\n\n\nA = 1\nB = 2\nC = 2\n")
    for seed in range(20):
        sample = drawn(tmp_path, 3, seed)
        assert len({fault.name for fault in sample}) == 3


ONE, TWO, OTHER, FAILING = (f"tests/{name}" for name in ("a.py::one", "a.py::two", "b.py::other", "a.py::failing"))
CLEAN, NOTHING, ENDLESS = Run(0, {}, []), Run(5, {}, []), Run(None, {}, [])


class Replayed(Tree):
    """What runs come to, in the order in which they are made; asked: files with a fault, tests, those left out."""

    def with_runs(self, *runs):
        object.__setattr__(self, "runs", list(runs))
        object.__setattr__(self, "asked", [])
        object.__setattr__(self, "patience", [])
        return self

    def pytest(self, *words, tests, left_out=(), patience, keeps_bytecode=False, fills_databases=True):
        self.patience.append(patience)
        faulty = [path.name for path in sorted(self.root.glob("*.py")) if b"2" in path.read_bytes()]
        self.asked.append((" ".join(faulty), tuple(tests), tuple(left_out)))
        return self.runs.pop(0)


def tried(tmp_path, *runs, paths=("one.py",), near_only=False, met=None, whole=False):
    """The trials of a fault in each file with the tests ONE and TWO near it and OTHER elsewhere, and what was run.

    whole: the runs alone, with their bounds
    """
    tmp_path.mkdir(exist_ok=True)
    for path in paths:
        (tmp_path / path).write_bytes(b"x = 1\n")
    tree = Replayed(tmp_path).with_runs(*runs)
    met = met or {f"{path}:a": [ONE, TWO] for path in paths}
    reach = Reach(["tests"], {ONE: 1.0, TWO: 2.0, OTHER: 3.0}, [FAILING], met)
    faults = [Fault(path, "a", "constant", (1,), 4, 5, "1", "2", number) for number, path in enumerate(paths, 1)]
    found = list(trials(tree, faults, reach, tmp_path / "kept", near_only))
    assert tree.runs == []
    assert all((tmp_path / path).read_bytes() == b"x = 1\n" for path in paths)
    return tree if whole else (found, tree.asked)


def test_a_test_that_fails_with_the_fault_alone_has_caught_it(tmp_path):
    (trial,), asked = tried(tmp_path, Run(1, {}, [TWO]), CLEAN)
    assert (trial.caught, trial.by) == (NEAR, TWO)
    assert asked == [("one.py", (ONE, TWO), (FAILING,)), ("", (TWO,), ())]


def test_tests_that_always_fail_catch_nothing(tmp_path):
    fails = Run(1, {}, [ONE, TWO])
    (trial,), asked = tried(tmp_path, fails, fails, NOTHING, CLEAN)
    assert (trial.caught, trial.by) == (SURVIVED, "")
    assert asked[2] == ("one.py", (ONE, TWO), (FAILING, ONE, TWO))


def test_what_the_tests_near_it_pass_over_all_tests_look_for(tmp_path):
    (trial,), asked = tried(tmp_path, CLEAN, Run(1, {}, [OTHER]), CLEAN, Run(1, {}, [OTHER]), CLEAN)
    assert (trial.caught, trial.by) == (ALL, OTHER)
    assert asked[1] == ("one.py", ("tests",), (FAILING,))


TWO_FILES = ("one.py", "two.py")


def test_faults_left_are_tried_together_then_alone(tmp_path):
    fails = Run(1, {}, [TWO, OTHER, "tests/a.py::only_with_the_fault"])
    both, asked = tried(tmp_path, CLEAN, CLEAN, fails, Run(1, {}, [TWO]), CLEAN, fails, CLEAN, paths=TWO_FILES)
    assert [(trial.caught, trial.by) for trial in both] == [(SURVIVED, ""), (ALL, TWO)]
    assert asked[2:6] == [
        ("one.py two.py", ("tests",), (FAILING,)),
        ("", (TWO, OTHER), ()),
        ("one.py", (OTHER,), (FAILING,)),
        ("two.py", (OTHER,), (FAILING,)),
    ]


def test_where_nothing_fails_with_all_of_them_none_is_caught(tmp_path):
    both, asked = tried(tmp_path, *[CLEAN] * 3, paths=TWO_FILES)
    assert [trial.caught for trial in both] == [SURVIVED] * 2
    assert len(asked) == 3


def test_of_those_that_end_no_run_it_is_found_which(tmp_path):
    both, asked = tried(tmp_path, CLEAN, CLEAN, ENDLESS, CLEAN, ENDLESS, paths=TWO_FILES)
    assert [(trial.caught, trial.by) for trial in both] == [(SURVIVED, ""), (ALL, "it does not come to an end")]
    assert [faulty for faulty, *_ in asked[2:]] == ["one.py two.py", "one.py", "two.py"]


def test_two_faults_of_a_file_are_never_put_in_together(tmp_path):
    _, asked = tried(tmp_path, *[CLEAN] * 4, paths=("one.py", "one.py"))
    assert [faulty for faulty, *_ in asked] == ["one.py"] * 4


def test_what_the_tests_near_a_fault_found_is_kept(tmp_path):
    assert [trial.caught for trial in tried(tmp_path, CLEAN, near_only=True)[0]] == [SURVIVED]
    assert tried(tmp_path, near_only=True)[1] == []
    assert [trial.caught for trial in tried(tmp_path, CLEAN)[0]] == [SURVIVED]
    assert tried(tmp_path)[1] == []


def test_tests_that_cannot_be_begun_have_caught_it(tmp_path):
    (trial,), _ = tried(tmp_path, Run(2, {}, []))
    assert (trial.caught, trial.by) == (NEAR, "the tests cannot be begun")


def test_compiled_code_has_time_to_be_compiled_again(tmp_path, monkeypatch):
    tree = tried(tmp_path / "plain", ENDLESS, whole=True)
    monkeypatch.setattr("tests.mutants.trials.COMPILED", {"one.py"})
    compiled = tried(tmp_path / "compiled", ENDLESS, whole=True)
    assert compiled.patience[0] > tree.patience[0] + 600


def test_a_run_that_is_killed_from_outside_is_begun_once_more(tmp_path):
    killed = Run(-signal.SIGKILL, {}, [])
    (trial,), asked = tried(tmp_path, killed, CLEAN, CLEAN)
    assert (trial.caught, len(asked)) == (SURVIVED, 3)


def test_a_fault_that_no_test_executes_needs_no_run(tmp_path):
    (trial,), asked = tried(tmp_path, met={"one.py:1": []})
    assert (trial.caught, trial.near, asked) == (SURVIVED, 0, [])


def test_bounds_are_of_processor_time(tmp_path):
    """What waits takes none; what goes on for ever is ended, and so is all that it has started."""
    child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    for code, patience, status in (("import time; time.sleep(1)", 0.5, 0), (child, 0.3, None)):
        process = subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=True)
        try:
            assert ended(process, patience) == status
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def test_tests_are_left_out_by_their_whole_names(tmp_path):
    for path in ("tests/__init__.py", "tests/mutants/__init__.py", "tests/mutants/recording.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    (tmp_path / "var").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("def test_one(): ...\ndef test_one_more(): raise KeyError\n")
    tree, one, more = (
        Tree(tmp_path, {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}),
        "tests/test_a.py::test_one",
        "tests/test_a.py::test_one_more",
    )
    run = tree.pytest(tests=["tests"], left_out=[one], patience=60)
    assert (run.status, [*run.seconds], run.failed) == (1, [more], [more])


def test_a_fault_that_was_left_behind_is_taken_out(tmp_path):
    tree, file = Tree(tmp_path / "tree"), tmp_path / "tree" / "one" / "two.py"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"x = 1\n")
    tree.keep(["one/two.py"], tmp_path / "plain")
    file.write_bytes(b"x = 2\n")
    tree.restore(tmp_path / "plain")
    assert file.read_bytes() == b"x = 1\n"


def test_all_tests_look_only_at_what_the_short_ones_pass_over(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "ROOT", tmp_path)
    faults = [Fault("one.py", "", "constant", (1,), 4, 5, "1", name) for name in ("2", "3")]
    monkeypatch.setattr(
        command, "begun", lambda folder, *_: folder.mkdir(parents=True) or (Tree(folder / "tree"), faults)
    )
    caught, asked = {"test": (NEAR, SURVIVED), "test-all": (ALL,)}, []

    def tried(of, tree, left, tests, near_only):
        asked.append((of, left))
        return [Trial(f.name, "one", "constant", kind, "", 1) for f, kind in zip(left, caught[of], strict=True)]

    monkeypatch.setattr(command, "tried", tried)
    assert command.main(["--all"]) == 0
    assert asked == [("test", faults), ("test-all", faults[1:])]
    printed = capsys.readouterr().out
    assert "1 caught of 2 that change anything (50%)" in printed.partition("`make test-all`")[0]
    assert "2 caught of 2 that change anything (100%)" in printed.partition("`make test-all`")[2]
