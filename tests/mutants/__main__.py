"""A sample of faults, one after the other; what was begun is gone on with.

    python -m tests.mutants [--sample 100] [--seed 1] [--all] [--workers 2] [--near-only] [--again] [--tests tests]

The tests are those of `make test`; with --all, what these do not notice is put before those of `make test-all` at once,
which run all of them too, and the share of each command is printed. The seed also chooses the rulesets that the short
ones look at, and the tests whose turn it is. All is kept in var/mutants/SEED-SAMPLE: a copy of the project as it stood,
the faults, which tests come by them, and what became of each; so two seeds can be tried at the same time, with
--workers 1 on two cores, and a run that was broken off goes on. --near-only leaves out the run of the short tests for
what those near a fault do not notice; a later call without it makes that good. --tests looks at some tests only. Exit
status 1 if a fault that changes anything was not caught.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from tests.mutants.faults import Fault
from tests.mutants.reach import PATIENCE, Reach, reached
from tests.mutants.sample import drawn
from tests.mutants.table import WITHOUT_EFFECT, table
from tests.mutants.tree import ROOT, Tree
from tests.mutants.trials import SURVIVED, Trial, trials

SHORT, WHOLE = "test", "test-all"
ENVIRONMENT = {SHORT: {}, WHOLE: {"TESTS": "all"}}


def begun(folder: Path, size: int, seed: int, workers: int) -> tuple[Tree, list[Fault]]:
    """The copy and the faults: as they are kept in the folder, else made."""
    tree, sample = Tree(folder / "tree", {"ROTATION": str(seed)}, workers), folder / "faults.json"
    if not sample.exists():
        shutil.rmtree(folder, ignore_errors=True)
        tree.make()
        found = drawn(tree.root, size, seed)
        tree.keep({fault.path for fault in found}, folder / "plain")
        sample.write_text(json.dumps([asdict(fault) for fault in found]), encoding="utf-8")
    tree.restore(folder / "plain")
    return tree, [Fault(**{**load, "lines": tuple(load["lines"])}) for load in json.loads(sample.read_text("utf-8"))]


def tried(command: str, tree: Tree, faults: Sequence[Fault], tests: list[str], near_only: bool) -> list[Trial]:
    """What became of these faults before the tests of a command of make."""
    folder, is_short = tree.root.parent, command == SHORT
    tree = replace(tree, environment={**tree.environment, **ENVIRONMENT[command]})
    reach_file = folder / "reach.json"
    if not reach_file.exists():
        say(f"Which tests of `make {command}` come by {len(faults)} faults: they are run once without any.")
        reached(tree, faults, tests).save(reach_file)
    reach, done = Reach.load(reach_file), []
    if reach.failed:
        say(f"Left out, since they fail in the copy without any fault: {', '.join(reach.failed)}")
    if not is_short:
        named = tree.pytest("--collect-only", tests=tests, patience=PATIENCE, fills_databases=False).seconds
        reach = replace(reach, tests=named | reach.tests)
    kept = folder / f"trials-{command}.jsonl"
    for trial in trials(tree, faults, reach, kept, near_only and is_short, known_tests=is_short):
        done.append(trial)
        say(f"{len(done)} of {len(faults)}: {trial.caught} {trial.by} [{trial.operator}] {trial.name}")
    return done


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sample", type=int, default=100, help="how many faults (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which (default %(default)s)")
    parser.add_argument("--all", action="store_true", help="what survives, with the tests of `make test-all`")
    parser.add_argument("--workers", type=int, default=2, help="processes of a run of all tests (default %(default)s)")
    parser.add_argument("--near-only", action="store_true", help="do not run all tests where those near saw nothing")
    parser.add_argument("--again", action="store_true", help="forget what was begun, and begin with the code as it is")
    parser.add_argument("--tests", nargs="+", default=["tests"], metavar="PATH", help="of which tests (default: all)")
    wanted = parser.parse_args(words)
    folder = ROOT / "var" / "mutants" / f"{wanted.seed}-{wanted.sample}"
    if wanted.again:
        shutil.rmtree(folder, ignore_errors=True)
    tree, faults = begun(folder, wanted.sample, wanted.seed, wanted.workers)
    done = tried(SHORT, tree, faults, wanted.tests, wanted.near_only)
    found = f"`make {SHORT}`, seed {wanted.seed}\n\n{table(done)}\n"
    if wanted.all:
        names = {trial.name for trial in done if trial.caught == SURVIVED} - WITHOUT_EFFECT.keys()
        left = [fault for fault in faults if fault.name in names]
        later = tried(WHOLE, tree, left, wanted.tests, wanted.near_only) if left else []
        done = [*(trial for trial in done if trial.name not in names), *later]
        found += f"\n`make {WHOLE}`, seed {wanted.seed}\n\n{table(done)}\n"
    (folder / "table.md").write_text(found, encoding="utf-8")
    print(found)  # noqa: T201
    return int(any(trial.caught == SURVIVED and trial.name not in WITHOUT_EFFECT for trial in done))


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
