"""Judge the claims of the sources: play the games that their tests need, and write the verdicts down."""

from argparse import ArgumentParser
from typing import Any

from catalogue.analyses import claim_trials, claims
from catalogue.analyses.claim_results import ClaimResult, claim_results, claim_rows
from catalogue.models import Claim, Game
from catalogue.texts.words import nearest_word
from simulator.engine.ruleset import Problem
from simulator.management.command_line import (
    SimulatorCommand,
    add_common_arguments,
    as_json,
    exit_statuses,
    play_to_end,
    prepare_database,
    require_broker_for,
)
from simulator.problems import WrongRequest

WHICH = {"decided": claim_trials.decided, "random": claim_trials.played_by_random, "all": claim_trials.every}


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="*", help="slugs of games; without any, the claims of all games")
        fewer = "how many games, fewer where players think (default %(default)s)"
        add_common_arguments(parser, "--games", default=claim_trials.DEFAULT_GAMES, help=fewer)
        add_common_arguments(parser, "--seed", default=claim_trials.DEFAULT_SEED)
        parser.add_argument(
            "--which",
            default="decided",
            choices=WHICH,
            help="the tests to be run: those that games can decide; of them those of random players, which take "
            "seconds; or all, though random players decide nothing of good play (default %(default)s)",
        )
        add_common_arguments(parser, "--inline", "--json")

    def handle(self, **options: Any) -> None:
        inline = options["inline"]
        with exit_statuses():
            prepare_database(self.stderr)
            rows = _claims(options["game"])
            which = WHICH[options["which"]]
            wanted = claim_trials.trials(rows, games=options["games"], seed=options["seed"], which=which)
            ids = {request.id for trial in wanted for request in trial.requests}
            if not inline:
                require_broker_for(ids)
            claims.run_tests(wanted, lambda batches: play_to_end(batches, inline, self.stderr), announce=not inline)
        found = claim_results(claim_rows().filter(pk__in=[row.pk for row in rows]))
        self.stdout.write(
            as_json({"claims": [_document(one) for one in found]}) if options["json"] else _as_text(found)
        )


def _claims(games: list[str]) -> list[Claim]:
    known = dict(Game.objects.values_list("slug", "pk"))
    wrong = [
        Problem("game", f"no game is called {name!r}", nearest_word(name, known)) for name in games if name not in known
    ]
    if wrong:
        raise WrongRequest(wrong)
    rows = Claim.objects.select_related("game")
    return list(rows.filter(game__in=[known[name] for name in games]) if games else rows)


def _document(one: ClaimResult) -> dict[str, Any]:
    return {
        "claim": str(one.claim),
        "title": one.claim.title,
        "judged_by": one.claim.judged_by,
        "verdict": str(one.verdict.kind),
        "reason": one.why,
        "undecided_because": one.verdict.because and str(one.verdict.because),
        "readings": {name: str(outcome) for name, outcome in one.verdict.readings.items()},
        "tests": [test.document() for test in one.tests],
    }


def _as_text(found: list[ClaimResult]) -> str:
    lines = []
    for one in found:
        verdict = one.verdict
        lines.append(f"{verdict.kind.sign} {one.claim}: {verdict.kind.label}. {verdict.reason}".rstrip())
        for test in one.tests:
            if test.verdict:
                under = "; compared with ".join(one.rstrip(".") for one in test.under)
                lines.append(
                    f"    {test.kind.label}: {under}. {test.sentence} {test.verdict.text} Players: {test.players}."
                )
    return "\n".join(lines) or "There are no claims."
