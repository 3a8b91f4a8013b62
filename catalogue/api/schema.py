"""The OpenAPI description: each operation also says how it refuses."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiResponse

from catalogue.api.problems import RefusalSerializer

WRONG = OpenApiResponse(RefusalSerializer, "The request is wrong; each mistake is named with the nearest valid value.")
MISSING = OpenApiResponse(RefusalSerializer, "Nothing has this name; the nearest name is given.")


class CatalogueSchema(AutoSchema):
    def get_response_serializers(self) -> Any:
        found = super().get_response_serializers()
        if isinstance(found, dict):
            return found
        of_one_row = "{" in self.path
        return {200: found, 400: WRONG, **({404: MISSING} if of_one_row else {})}
