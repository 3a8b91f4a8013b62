"""The parameters of the sowing family: the published schema."""

from simulator.engine.schemas import schema

SCHEMA = schema("sowing")
PROPERTIES = SCHEMA["properties"]
