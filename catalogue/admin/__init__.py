"""The editors' room. A record's texts are quotations: they can be looked at and searched here, and corrected only
knowingly. What keeps a history is changed with a reason, which every reader can see.
"""

from django.conf import settings
from django.contrib import admin

from catalogue.admin import apparatus, records, site
from catalogue.admin.desk import EditorsSite, GuardedEditorsSite

__all__ = ["apparatus", "records", "site"]

admin.site.__class__ = GuardedEditorsSite if settings.SECOND_FACTOR else EditorsSite
