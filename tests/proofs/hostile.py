"""The proof that a million hostile inputs are each taken or clearly refused: nothing fails, hangs or fills the memory.

    make proof-hostile
    python -m tests.proofs.hostile [PART…] [--inputs N] [--seed N] [--block N]

The parts of `tests.proofs.operation` whose names begin so. Documents, files and what is sent are given to the layer
that reads them, in process (`operation_inputs`); a small share goes over a socket to a real site (`operation_hostile`).
Any input is a function of its kind, the seed and its number. A block is a quarter of each kind: with it a part takes
less than half an hour on a busy machine, and goes on another day with the next one.
"""

import signal
import sys

from tests.proofs import operation


def main(words: list[str]) -> int:
    every = [part for part in operation.PARTS if part.startswith("hostile")]
    return operation.main(words if set(words) & set(every) else [*every, *words])


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))  # its servers end with it
    operation.prepare()
    sys.exit(main(sys.argv[1:]))
