import rest_framework.views  # noqa: F401 (loads the API's parsers, which must come before its filters)
