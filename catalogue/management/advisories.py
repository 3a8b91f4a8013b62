"""What is publicly known to be wrong with the installed packages: `pip-audit` asks the package index."""

import json
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec

PATIENCE = 300  # seconds
COMMAND = (sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off")


class NotToBeHad(Exception):
    """Nobody could be asked. That is no sign that nothing is wrong."""


@dataclass(frozen=True, slots=True)
class Advisory:
    """mended_in: versions in which it is"""

    name: str
    version: str
    number: str
    mended_in: tuple[str, ...]


def advisories(command: tuple[str, ...] = COMMAND) -> list[Advisory]:
    """Raises NotToBeHad with the reason."""
    if command == COMMAND and find_spec("pip_audit") is None:
        raise NotToBeHad("pip-audit is not installed: `make audit` installs it")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        document = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotToBeHad(str(error)) from error
    except ValueError:
        lines = done.stderr.strip().splitlines()
        raise NotToBeHad(lines[-1][:300] if lines else f"pip-audit ended with status {done.returncode}") from None
    skipped = [one["name"] for one in document["dependencies"] if "skip_reason" in one]
    if len(skipped) == len(document["dependencies"]):
        raise NotToBeHad("the package index knows none of the packages")
    return [
        Advisory(one["name"], one["version"], wrong["id"], tuple(wrong["fix_versions"]))
        for one in document["dependencies"]
        for wrong in one.get("vulns", ())
    ]
