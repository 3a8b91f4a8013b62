"""The parameters of the points family: the published schema."""

from simulator.engine.schemas import schema

SCHEMA = schema("points")
PROPERTIES = SCHEMA["properties"]
