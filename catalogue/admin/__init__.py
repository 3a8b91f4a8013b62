"""The editors' room. A record's texts are quotations: they can be looked at and searched here, and corrected only
knowingly. What keeps a history is changed with a reason, which every reader can see.
"""

from catalogue.admin import apparatus, portal, readings, records, suggestions, tokens, workers

__all__ = ["apparatus", "portal", "readings", "records", "suggestions", "tokens", "workers"]
