"""Judge the claims of the sources: play the games that their tests need, and write the verdicts down."""

from argparse import ArgumentParser
from typing import Any

from catalogue.analyses import claim_trials, claims
from catalogue.analyses.claim_results import ClaimResult, claim_results, claim_rows
from catalogue.management.named_rows import named_games
from catalogue.models import Claim, Game
from simulator.management import command_line

WHICH = {"decided": claim_trials.decided, "random": claim_trials.played_by_random, "all": claim_trials.every}


class Command(command_line.SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="*", help="slugs of games; without any, the claims of all games")
        fewer = "how many games, fewer where players think (default %(default)s)"
        command_line.add_common_arguments(parser, "--games", default=claim_trials.DEFAULT_GAMES, help=fewer)
        command_line.add_common_arguments(parser, "--seed", default=claim_trials.DEFAULT_SEED)
        parser.add_argument(
            "--which",
            default="decided",
            choices=WHICH,
            help="the tests to be run: those that games can decide; of them those of random players, which take "
            "seconds; or all, though random players decide nothing of good play (default %(default)s)",
        )
        command_line.add_common_arguments(parser, "--inline", "--json")

    def handle(self, **options: Any) -> None:
        inline = options["inline"]
        with command_line.exit_statuses():
            command_line.prepare_database(self.stderr)
            rows = _claims(options["game"])
            which = WHICH[options["which"]]
            wanted = claim_trials.trials(rows, games=options["games"], seed=options["seed"], which=which)
            ids = {request.id for trial in wanted for request in trial.requests}
            if not inline:
                command_line.require_broker_for(ids)
            claims.run_tests(
                wanted, lambda batches: command_line.play_to_end(batches, inline, self.stderr), announce=not inline
            )
        found = claim_results(claim_rows().filter(pk__in=[row.pk for row in rows]))
        document = {"claims": [_document(claim) for claim in found]}
        self.print_answer(document, lambda _: _as_text(found), options["json"])


def _claims(slugs: list[str]) -> list[Claim]:
    games = named_games(dict(Game.objects.values_list("slug", "pk")), slugs)
    return list(Claim.objects.select_related("game").filter(game__in=games))


def _document(claim: ClaimResult) -> dict[str, Any]:
    return {
        "claim": str(claim.claim),
        "title": claim.claim.title,
        "judged_by": claim.claim.judged_by,
        "verdict": str(claim.verdict.kind),
        "reason": claim.why,
        "undecided_because": claim.verdict.because and str(claim.verdict.because),
        "readings": {name: str(outcome) for name, outcome in claim.verdict.readings.items()},
        "tests": [test.document() for test in claim.tests],
    }


def _as_text(found: list[ClaimResult]) -> str:
    lines = []
    for claim in found:
        verdict = claim.verdict
        lines.append(f"{verdict.kind.sign} {claim.claim}: {verdict.kind.label}. {verdict.reason}".rstrip())
        for test in claim.tests:
            if test.verdict:
                under = "; compared with ".join(condition.rstrip(".") for condition in test.under)
                lines.append(
                    f"    {test.kind.label}: {under}. {test.sentence} {test.verdict.text} Players: {test.players}."
                )
    return "\n".join(lines) or "There are no claims."
