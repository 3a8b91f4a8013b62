"""The release that a site offers from the start: of what ships, made when that was loaded and there is none yet."""

from pathlib import Path

from django.conf import settings

from catalogue.dataset.exporting import Notify, export
from catalogue.dataset.folder import DatasetProblem
from catalogue.dataset.verifying import releases


def offer_a_release(notify: Notify = lambda text: None) -> str | None:
    """The version of the release that was made; None if there is one already, or none can be made."""
    if releases():
        return None
    beside = Path(settings.DATASETS_DIR) / ".first"
    try:
        version = export(beside, replace=True, notify=notify).version
        beside.rename(Path(settings.DATASETS_DIR) / version)
    except (DatasetProblem, OSError):
        return None
    return version
