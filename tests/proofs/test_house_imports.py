"""Imports, circles and layers of the proof of the house, on programs of a few modules."""

import pytest

from tests.proofs.house_figures import Module
from tests.proofs.house_imports import backward_imports, circles, imports_of, outside_layers, packages

LAYERS = [{"type": "layers", "layers": ["a.pages | a.api", "a.search : a.map", "(a.models)"]}]


def modules(**sources: str) -> list[Module]:
    """By path, with `__` for a slash; `pkg` at its end stands for `__init__`."""
    return [
        Module(f"{name.replace('__', '/').replace('pkg', '__init__')}.py", source) for name, source in sources.items()
    ]


@pytest.mark.parametrize(
    ("statement", "imported"),
    [
        ("import a.b.deep", {"a.b.deep"}),
        ("import a.b.deep.name", {"a.b.deep"}),
        ("import os, json", set()),
        ("from a import b, c", {"a.b", "a.c"}),
        ("from a.b import deep, thing", {"a.b.deep", "a.b"}),
        ("from a.b.deep import thing", {"a.b.deep"}),
        ("from . import c", {"a.c"}),
        ("from .. import a", {"a"}),
        ("from .b import deep", {"a.b.deep"}),
        ("def late():\n    import a.c", {"a.c"}),
        ("if TYPE_CHECKING:\n    from a.c import Thing", {"a.c"}),
        ("from a.d import itself", set()),
    ],
)
def test_what_a_statement_imports(statement, imported):
    found = imports_of(modules(a__pkg="", a__b__pkg="", a__b__deep="", a__c="", a__d=statement))
    assert found["a.d"] == imported


def test_a_relative_import_of_a_package_starts_at_the_package():
    found = imports_of(modules(a__pkg="", a__b__pkg="from . import deep\nfrom .. import c", a__b__deep="", a__c=""))
    assert found["a.b"] == {"a.b.deep", "a.c"}


def test_a_line_of_imports_has_no_circle():
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_circles_are_found_and_not_what_leads_to_them():
    imports = {"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"b", "e"}, "e": set(), "f": {"g"}, "g": {"f"}}
    assert circles(imports) == [["b", "c", "d"], ["f", "g"]]


def test_packages_may_form_a_circle_where_their_modules_do_not():
    imports = {
        "catalogue.one.first": {"catalogue.two.first"},
        "catalogue.two.first": set(),
        "catalogue.two.second": {"catalogue.one.second"},
        "catalogue.one.second": set(),
    }
    assert circles(imports) == []
    assert circles(packages(imports)) == [["catalogue.one", "catalogue.two"]]


def test_within_the_engine_packages_are_one_step_deeper():
    imports = {"simulator.engine.players.uct": {"simulator.engine.ruleset"}, "simulator.engine.ruleset": set()}
    assert packages(imports) == {
        "simulator.engine.players": {"simulator.engine.ruleset"},
        "simulator.engine.ruleset": set(),
    }


@pytest.mark.parametrize(
    ("importer", "imported", "is_backward"),
    [
        ("a.pages.list", "a.models.rows", False),
        ("a.models.rows", "a.pages.list", True),
        ("a.models.rows", "a.search", True),
        ("a.search", "a.map", False),  # side by side, and may know each other
        ("a.pages.list", "a.api", True),  # side by side, and must not
        ("a.pages.list", "a.pages.detail", False),
        ("a.models.rows", "a.plain", False),  # in no layer
    ],
)
def test_imports_that_point_up(importer, imported, is_backward):
    names = ("a.pages.list", "a.pages.detail", "a.api", "a.search", "a.map", "a.models.rows", "a.plain")
    found = backward_imports({**{name: set() for name in names}, importer: {imported}}, LAYERS)
    assert found == ([f"{importer} → {imported}"] if is_backward else [])


def test_a_way_up_over_a_module_in_no_layer_is_found():
    imports = {"a.models": {"a.plain"}, "a.plain": {"a.pages"}, "a.pages": set()}
    assert backward_imports(imports, LAYERS) == ["a.models → a.pages"]


def test_an_import_that_a_contract_ignores_counts():
    ignoring = [{**LAYERS[0], "ignore_imports": ["a.models -> a.pages"]}]
    imports = {"a.models": {"a.pages"}, "a.pages": set()}
    assert backward_imports(imports, ignoring) == ["a.models → a.pages"]


def test_layers_of_containers_stand_within_each():
    contracts = [{"type": "layers", "containers": ["a.x", "a.y"], "layers": ["high", "low"]}]
    imports = {"a.x.low": {"a.x.high", "a.y.high"}, "a.x.high": set(), "a.y.high": {"a.y.low"}, "a.y.low": set()}
    assert backward_imports(imports, contracts) == ["a.x.low → a.x.high"]


def test_packages_outside_every_layer_are_named():
    imports = {"a": set(), "a.pages.list": set(), "a.pagesize": set(), "a.loose.one": set()}
    assert outside_layers(imports, LAYERS) == ["a.loose", "a.pagesize"]
