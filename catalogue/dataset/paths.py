"""Names of files within a dataset: relative, plain, and the same on every system."""

import re

from catalogue.dataset.problems import DatasetProblem

PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,119}")
MOST_PARTS = 3


def checked_path(path: str, file: str, line: int = 0) -> str:
    """The path as it is; raises DatasetProblem if it could lead out of the dataset or means something else elsewhere.

    file, line: where it is written
    """
    parts = path.split("/")
    if len(parts) > MOST_PARTS or not all(PLAIN.fullmatch(part) for part in parts):
        rule = "a path is made of letters, digits, '.', '_' and '-', with '/' between folders"
        raise DatasetProblem(f"{path[:120]!r} leads nowhere within a dataset: {rule}", file, line)
    return path
