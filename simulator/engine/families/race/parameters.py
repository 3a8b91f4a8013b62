"""The parameters of the race family: the published schema."""

from simulator.engine.schemas import schema

SCHEMA = schema("race")
PROPERTIES = SCHEMA["properties"]
