"""What a library asks of a release that is deposited: its metadata as DataCite (4.5) has them.

`datacite.json` is a file of every release, without a DOI: whoever registers one adds it.
"""

from typing import Any

from django.conf import settings
from django.urls import reverse

from catalogue.citations.items import LICENCE, NAME, release
from catalogue.texts.names import Name

DATACITE = "datacite.json"
KERNEL = "http://datacite.org/schema/kernel-4"
KEYWORDS = ("board games", "mancala", "digital humanities", "evidence", "simulation")
RIGHTS_IN_SHORT = (
    "Creative Commons Attribution 4.0, for the catalogue's own words, rulesets and figures; "
    "quotations remain their sources', and the records those of the Digital Ludeme Project"
)
PORTAL = "https://ludii.games"


def datacite(title: str, description: str, version: str, date: str) -> dict[str, Any]:
    """The metadata of a release of the dataset, which the JSON schema of DataCite 4.5 describes."""
    return {
        "schemaVersion": KERNEL,
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Frictionless Data Package"},
        "creators": [_creator(author) for author in release().authors],
        "titles": [{"title": title}],
        "publisher": {"name": NAME},
        "publicationYear": date[:4],
        "version": version,
        "language": "en",
        "dates": [{"date": date, "dateType": "Issued"}],
        "subjects": [{"subject": word} for word in KEYWORDS],
        "formats": ["text/csv", "application/json", "application/gzip"],
        "rightsList": [
            {
                "rights": RIGHTS_IN_SHORT,
                "rightsUri": LICENCE,
                "rightsIdentifier": "CC-BY-4.0",
                "rightsIdentifierScheme": "SPDX",
            }
        ],
        "descriptions": [{"description": description, "descriptionType": "Abstract"}],
        "relatedIdentifiers": [
            {"relatedIdentifier": PORTAL, "relatedIdentifierType": "URL", "relationType": "IsDerivedFrom"},
            *(
                {"relatedIdentifier": address, "relatedIdentifierType": "URL", "relationType": "IsIdenticalTo"}
                for address in _addresses(version)
            ),
        ],
    }


def _addresses(version: str) -> list[str]:
    site = settings.SITE_URL.rstrip("/")
    return [f"{site}{reverse('release', args=[version])}"] if site else []


def _creator(author: Name) -> dict[str, str]:
    if literal := author.get("literal"):
        return {"name": literal, "nameType": "Organizational"}
    given, family = author["given"], author["family"]
    return {"name": f"{family}, {given}", "nameType": "Personal", "givenName": given, "familyName": family}
