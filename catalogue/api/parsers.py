"""Reading what is sent: JSON only, small, and of text that can be written down again."""

import json
from http import HTTPStatus
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from catalogue.web.problem_document import RefusedRequest

LARGEST_BODY = 65_536  # bytes; a request for a batch takes a few hundred


class SmallJSONParser(JSONParser):
    """JSON of at most 64 KiB, without lone surrogates and not nested without end."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        length = int(parser_context["request"].META.get("CONTENT_LENGTH") or 0)
        if length > LARGEST_BODY:
            message = f"a request has at most {LARGEST_BODY} bytes, not {length}"
            raise RefusedRequest.of("", message, LARGEST_BODY, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        try:
            sent = super().parse(stream, media_type, parser_context)
            json.dumps(sent, ensure_ascii=False).encode()
        except RecursionError as error:
            raise ParseError("the JSON is nested too deeply") from error
        except UnicodeEncodeError as error:
            raise ParseError("the JSON contains half of a surrogate pair, which is no character") from error
        return sent
