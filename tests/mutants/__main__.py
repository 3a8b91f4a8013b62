"""A sample of faults, one after the other; what was begun is gone on with.

    python -m tests.mutants [--sample 100] [--seed 1] [--all] [--near-only] [--again] [--tests tests]

The tests are those of `make test`, or with --all those of `make test-all`; the seed also chooses the rulesets that the
short ones look at. All is kept in var/mutants/SEED-SAMPLE, or SEED-SAMPLE-all: a copy of the project as it stood, the
faults, which tests come by them, and what became of each. --near-only leaves out the run of all tests for what the
tests near a fault do not notice; a later call without it makes that good. --tests looks at some tests only. Exit status
1 if a fault that changes anything was not caught.
"""

import argparse
import json
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

from tests.mutants.faults import Fault
from tests.mutants.reach import Reach, reached
from tests.mutants.sample import drawn
from tests.mutants.table import WITHOUT_EFFECT, table
from tests.mutants.tree import ROOT, Tree
from tests.mutants.trials import SURVIVED, trials


def begun(folder: Path, size: int, seed: int, tests: list[str], *, all_tests: bool) -> tuple[Tree, list[Fault], Reach]:
    """The copy, the faults and their tests: as they are kept in the folder, else made."""
    environment = {"ROTATION": str(seed), **({"TESTS": "all"} if all_tests else {})}
    tree, sample, reach = Tree(folder / "tree", environment), folder / "faults.json", folder / "reach.json"
    if not sample.exists():
        shutil.rmtree(folder, ignore_errors=True)
        tree = Tree.made(folder / "tree", environment)
        found = drawn(tree.root, size, seed)
        tree.keep({fault.path for fault in found}, folder / "plain")
        sample.write_text(json.dumps([asdict(fault) for fault in found]), encoding="utf-8")
    tree.restore(folder / "plain")
    faults = [Fault(**{**one, "lines": tuple(one["lines"])}) for one in json.loads(sample.read_text(encoding="utf-8"))]
    if not reach.exists():
        say("Which tests come by the faults: they are run once without any.")
        reached(tree, faults, tests).save(reach)
    return tree, faults, Reach.load(reach)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sample", type=int, default=100, help="how many faults (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which (default %(default)s)")
    parser.add_argument("--all", action="store_true", help="with the tests of `make test-all`")
    parser.add_argument("--near-only", action="store_true", help="do not run all tests where those near saw nothing")
    parser.add_argument("--again", action="store_true", help="forget what was begun, and begin with the code as it is")
    parser.add_argument("--tests", nargs="+", default=["tests"], metavar="PATH", help="of which tests (default: all)")
    wanted = parser.parse_args(words)
    folder = ROOT / "var" / "mutants" / f"{wanted.seed}-{wanted.sample}{'-all' if wanted.all else ''}"
    if wanted.again:
        shutil.rmtree(folder, ignore_errors=True)
    tree, faults, reach = begun(folder, wanted.sample, wanted.seed, wanted.tests, all_tests=wanted.all)
    if reach.failed:
        say(f"Left out, since they fail in the copy without any fault: {', '.join(reach.failed)}")
    done = []
    for trial in trials(tree, faults, reach, folder / "trials.jsonl", wanted.near_only):
        done.append(trial)
        say(f"{len(done)} of {len(faults)}: {trial.caught} {trial.by} [{trial.operator}] {trial.name}")
    found = f"`make test{'-all' if wanted.all else ''}`, seed {wanted.seed}\n\n{table(done)}"
    (folder / "table.md").write_text(found + "\n", encoding="utf-8")
    print(found)  # noqa: T201
    return int(any(trial.caught == SURVIVED and trial.name not in WITHOUT_EFFECT for trial in done))


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
