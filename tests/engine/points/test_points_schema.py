"""Every key of the points schema stands where the kernel reads it."""

from simulator.engine.families.points.kernel import compiling, rules

# Names of the kernel whose key is called otherwise. Written here a second time, so that a key moved is noticed.
KEYS = {
    "R_COMPULSORY": "capture_compulsory",
    "R_IDLE": "idle_turns",
    **{f"R_{name.upper()}": f"first_{name}" for name in ("reach", "steps", "loses_below", "stuck")},
}


def test_the_kernel_reads_every_key_where_the_schema_has_it():
    places = {name: place for name, place in vars(rules).items() if name.startswith("R_") and place < rules.R_POINTS}
    for name, place in places.items():
        assert compiling.KEYS[place] == KEYS.get(name, name.removeprefix("R_").lower())
    assert len(compiling.KEYS) == rules.R_POINTS, "a key of the schema has no place in kernel/rules.py"
    unread = {key for place, key in enumerate(compiling.KEYS) if place not in places.values()}
    assert all(key.startswith("second_") or key.endswith("_crowned_at") for key in unread)
