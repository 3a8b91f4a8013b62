"""Gives somebody a second factor: the secret for an app that shows codes, and codes for the day it is lost."""

import argparse
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, CommandError
from django.db import transaction
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

RECOVERY_CODES = 10


class Command(BaseCommand):
    help = "Make a new second factor for USER, in place of any other; it is asked for where SECOND_FACTOR is True."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("user", help="the name somebody logs in with")
        parser.add_argument("--remove", action="store_true", help="take the second factor away, and make no other")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user_model()._default_manager.filter(username=options["user"]).first()
        if user is None:
            raise CommandError(f"nobody logs in as {options['user']!r}", returncode=2)
        with transaction.atomic():
            TOTPDevice.objects.filter(user=user).delete()
            StaticDevice.objects.filter(user=user).delete()
            if options["remove"]:
                self.stdout.write(f"{user} has no second factor any more.")
                return
            app = TOTPDevice.objects.create(user=user, name="app")
            kept = StaticDevice.objects.create(user=user, name="recovery codes")
            codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
            StaticToken.objects.bulk_create(StaticToken(device=kept, token=code) for code in codes)
        self.stdout.write(f"For the app of {user}, shown only now:\n  {app.config_url}")
        self.stdout.write("Recovery codes, each good for one log-in:\n  " + "\n  ".join(codes))
