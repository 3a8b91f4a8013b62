"""What the API promises, as digests of the parts of its OpenAPI document: whoever changes one says so.

    python -m tests.api.contract

writes them anew, when a change is meant and stands in the CHANGELOG.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

CONTRACT = Path(__file__).with_name("contract.json")


def promised() -> dict[str, str]:
    """Path or component -> the digest when it was last changed on purpose."""
    kept: dict[str, str] = json.loads(CONTRACT.read_text(encoding="utf-8"))
    return kept


def digests(document: dict[str, Any]) -> dict[str, str]:
    """Path or component -> the digest of all that the document says of it, descriptions too."""
    parts = {**document["paths"], **document["components"]["schemas"]}
    return {name: _digest(part) for name, part in sorted(parts.items())}


def _digest(part: Any) -> str:
    return hashlib.sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()[:12]


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")
    django.setup()
    from drf_spectacular.generators import SchemaGenerator

    found = digests(SchemaGenerator().get_schema(request=None, public=True))
    CONTRACT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
