"""The tool that puts faults into the code, on code small enough to see what it does."""

from pathlib import Path

import pytest

from tests.mutants.faults import Fault, faults, is_a_change
from tests.mutants.reach import COMPILED, Reach, probed
from tests.mutants.sample import drawn, layer_of
from tests.mutants.table import WITHOUT_EFFECT, table
from tests.mutants.trials import ALL, NEAR, SURVIVED, Trial

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


def test_a_fault_says_where_it_is_even_behind_letters_of_several_bytes():
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
    added = [line for line in probed("one.py", source).splitlines() if line not in source.splitlines()]
    assert added == ["        " + call.format("One.two")]
    compile(probed("one.py", SHARE), "one.py", "exec")
    assert call.format("share") in probed("one.py", SHARE)


def test_tests_near_a_fault_are_the_quickest_of_its_function_else_of_its_file():
    met = {"one.py:share": ["slow", "quick", "failing"], "one.py:other": ["third"]}
    reach = Reach(["tests"], {"slow": 2.0, "quick": 1.0, "third": 0.5}, ["failing"], met)
    within, outside = (Fault("one.py", name, "constant", (1,), 0, 1, "", "") for name in ("share", ""))
    assert reach.near(within) == ["quick", "slow"]
    assert reach.near(outside) == ["third", "quick", "slow"]


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


def test_what_a_fault_of_the_shipped_code_replaces_stands_where_it_says():
    path = "simulator/statistics/paired.py"
    source = (Path(__file__).parents[2] / path).read_text(encoding="utf-8")
    found = faults(path, source)
    assert all(source.encode()[one.start : one.end].decode() == one.before for one in found)
    assert {one.function for one in found} >= {"PairedShares.of", "difference", "_student_p"}
