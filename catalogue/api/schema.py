"""The OpenAPI description, as far as it follows from the views: what every list and every row can be asked for."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from catalogue.api.chosen_fields import FIELDS
from catalogue.api.formats import FORMAT
from catalogue.api.problems import RefusalSerializer

WRONG = OpenApiResponse(RefusalSerializer, "The request is wrong; each mistake is named with the nearest valid value.")
MISSING = OpenApiResponse(RefusalSerializer, "Nothing has this name; the nearest name is given.")
GONE = OpenApiResponse(RefusalSerializer, "It was withdrawn or deleted: when, and why.")


class CatalogueSchema(AutoSchema):
    def get_response_serializers(self) -> Any:
        found = super().get_response_serializers()
        if isinstance(found, dict):
            return found
        of_one_row = "{" in self.path
        rows = getattr(self.view, "queryset", None)
        may_be_gone = of_one_row and rows is not None and hasattr(rows.model, "history")
        return {
            200: found,
            400: WRONG,
            **({404: MISSING} if of_one_row else {}),
            **({410: GONE} if may_be_gone else {}),
        }

    def get_override_parameters(self) -> list[Any]:
        view: Any = self.view
        formats = [one.format for one in view.get_renderers()]
        found = [OpenApiParameter(FORMAT, {"enum": formats}, description="The form of the answer; goes before Accept.")]
        if FIELDS in getattr(view, "parameters", tuple)():
            names = ", ".join(view.get_serializer_class()().fields)
            found.append(OpenApiParameter(FIELDS, str, description=f"Only these, parted by commas: {names}."))
        return found
