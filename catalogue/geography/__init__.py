"""Records on the map and in time."""
