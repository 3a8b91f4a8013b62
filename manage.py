#!/usr/bin/env python3
"""Django's command line for the catalogue and the simulator."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")
    try:
        from django.core.management import execute_from_command_line

        from catalogue.config.environment import EnvironmentProblem
    except ImportError as error:
        sys.exit(f"{error}. Run `make demo` once, or `.venv/bin/python manage.py …`: the packages live in .venv.")
    try:
        execute_from_command_line(sys.argv)
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
