"""The editors' room: Django's, with a desk."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django_otp.admin import OTPAdminSite

from catalogue.admin.desk import piles_of


class EditorsSite(AdminSite):
    site_header = "Evidence of Traditional Games: the editors’ room"
    site_title = "The editors’ room"
    index_title = "Everything that can be edited"

    def get_urls(self) -> list[Any]:
        return [path("desk/", self.admin_view(self.desk), name="desk"), *super().get_urls()]

    def desk(self, request: HttpRequest) -> HttpResponse:
        context = {**self.each_context(request), "title": "The desk: what waits", "piles": list(piles_of(request))}
        return TemplateResponse(request, "admin/desk.html", context)


class GuardedEditorsSite(EditorsSite, OTPAdminSite):
    """Asks for a code besides the password."""
