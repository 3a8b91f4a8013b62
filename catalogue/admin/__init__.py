"""The editors' room. A record's texts are quotations: they can be looked at and searched here, and corrected only
knowingly. What keeps a history is changed with a reason, which every reader can see.
"""

from django.conf import settings
from django.contrib import admin
from django_otp.admin import OTPAdminSite

from catalogue.admin import apparatus, logins, portal, readings, records, suggestions, tokens, workers

__all__ = ["apparatus", "logins", "portal", "readings", "records", "suggestions", "tokens", "workers"]

if settings.SECOND_FACTOR:
    admin.site.__class__ = OTPAdminSite
