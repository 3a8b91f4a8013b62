"""Tables of rules in the catalogue: clauses of rows, what-ifs row by row, differences told by row."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

from catalogue.admin.forms import wrong_parameters
from catalogue.analyses.comparison_words import SHARED_ROWS, apart
from catalogue.checks import check_apparatus
from catalogue.evidence.clauses import HeldClause, held_clauses, rules_of, rules_with_clauses
from catalogue.models import Clause, Reading
from catalogue.what_if import changes
from catalogue.what_if.rows import folded, rows_of
from simulator.batches import levels
from simulator.engine import documents
from simulator.engine.family import _sentences, family
from simulator.engine.tables import looked_up
from simulator.models import Ruleset, RulesetVersion
from tests.catalogue.page_world import CatalogueTestCase, plain
from tests.engine.rulesets import POINTS
from tests.engine.test_tables import CAPTURES, PROPERTIES, ROWS

SLUG = "nerenchi-keliya-ludii"
TAKES = {**CAPTURES, "description": "A row a way of taking."}


def test_cells_of_a_form_become_one_short_table() -> None:
    before = {"takes": ROWS}
    cells = {"takes": "manner:leap", "takes[0].manner": "enclose", "takes[0].numbers": "2, 4", "takes[1].by": "first"}
    assert folded(cells, before, PROPERTIES) == {"takes": "manner:enclose,numbers:2/4;by:first"}
    empty = {"takes[2].manner": "", "takes[2].numbers": ""}
    assert folded(empty, before, PROPERTIES) == {}, "the empty row is none"
    assert folded({}, before, PROPERTIES) == {}


@pytest.mark.parametrize(
    ("move", "rows"),
    [("takes[0].down", ROWS[::-1]), ("takes[1].up", ROWS[::-1]), ("takes[0].out", ROWS[1:]), ("takes[9].up", ROWS)],
)
def test_rows_are_moved_and_taken_out(move: str, rows: Any) -> None:
    assert folded({}, {"takes": ROWS}, PROPERTIES, move) == {"takes": documents.write_value(rows)}


def test_a_row_has_a_control_for_each_column() -> None:
    first, second, another = rows_of("takes", ROWS, TAKES)
    assert (first.title, first.said) == ("First row", "The first player may enclose pieces.")
    assert [cell.name for cell in first.cells] == [
        f"set.takes[0].{one}" for one in ("manner", "by", "numbers", "chained")
    ]
    assert dict(first.cells[0].offered) == {"leap": "leap over", "enclose": "enclose"}
    assert [word for word, _ in second.moves] == ["takes[1].up", "takes[1].out"]
    assert (another.said, another.cells[0].value) == ("", "")


def test_a_difference_is_told_by_row() -> None:
    tables = [[("a", "One."), ("b", "Two.")], [("a", "One.")], [("a", "One."), ("b", "Three.")]]
    assert apart(tables, ["x", "y", "z"]) == ["Two.", SHARED_ROWS, "Three."]
    rows = [{"last": "empty"}, {"last": "odd", "then": "again"}]
    before, after = ({"after_lap": some} for some in (rows, rows[:1]))
    was, now = changes._by_row(family("sowing"), "after_lap", (before, after), ("", ""))
    assert "odd" in was
    assert "empty" not in was
    assert now == changes.SAME_ROWS


class OneClause:
    def __init__(self, *parameters: str, pk: int = 1) -> None:
        self.parameters, self.pk = parameters, pk


def test_a_clause_of_a_row_is_inherited_with_the_row() -> None:
    stated = {"base": [OneClause("takes[0].by", "takes[1]", "relay")]}
    parameters = {"base": {"takes": ROWS, "relay": 1}, "own": {"takes": [ROWS[0], {"manner": "leap"}], "relay": 1}}
    (held,) = held_clauses("own", stated, {"own": "base"}, parameters)
    assert held.parameters == ("takes[0].by", "relay")


def test_a_clause_stands_with_its_row() -> None:
    row, table = (
        HeldClause(OneClause("takes[1].by"), ("takes[1].by",), False),
        HeldClause(OneClause("takes", pk=2), ("takes",), False),
    )
    rules, rest = rules_with_clauses([("takes[0]", "First", "One."), ("takes[1]", "Second", "Two.")], [row, table])
    assert [[held.clause.pk for held in rule.clauses] for rule in rules] == [[2], [1]]
    assert not rest
    assert looked_up({"takes[1]": "a", "relay": "b"}, "takes[1].by") == "a"
    assert looked_up({"takes[1]": "a"}, "takes") == "a"
    assert looked_up({"takes[1]": "a"}, "takes[0]") is None


def forget() -> None:
    """Nothing that was read by another schema is kept."""
    of_levels = (levels._shipped_by_slug, levels._tuned, levels._most_alike)
    for kept in (documents._validators, documents._parsed, _sentences, *of_levels):
        kept.cache_clear()
    documents._stored.clear()


class Tables(CatalogueTestCase):
    """The shipped catalogue, with one table more in the points games, which one reading sets."""

    def setUp(self) -> None:
        kind = family("points")
        patch = pytest.MonkeyPatch()
        patch.setitem(kind.schema["properties"], "takes", TAKES)
        forget()
        self.addCleanup(forget)
        self.addCleanup(patch.undo)
        ruleset = POINTS[SLUG]
        document = {**ruleset.document, "takes": ROWS}
        self.row = Ruleset.objects.create(hash="f" * 64, family="points", document=document)
        RulesetVersion.objects.filter(slug=SLUG).update(ruleset=self.row)

    def clause(self, *parameters: str) -> Clause:
        reading = Reading.objects.get(slug=SLUG)
        return Clause.objects.create(
            reading=reading, slug="takes", basis="conjecture", text="So.", parameters=parameters
        )

    def test_parameters_are_held_against_the_document(self) -> None:
        document = self.row.document
        assert not wrong_parameters("points", ["takes", "takes[1]", "takes[1].manner"], document)
        assert "nearest is 'takes[1].manner'" in wrong_parameters("points", ["takes[4].manner"], document)
        assert "nearest" in wrong_parameters("points", ["takess"], document)

    @pytest.mark.by_turns
    def test_every_row_needs_a_clause(self) -> None:
        self.clause("takes[0]")
        told = [str(error) for error in check_apparatus(None) if SLUG in str(error)]
        assert any("no clause says what takes[1] rests on" in line for line in told)
        Clause.objects.filter(slug="takes", reading__slug=SLUG).update(parameters=["takes[0]", "takes[7].by"])
        assert any("covers takes[7].by" in str(error) for error in check_apparatus(None))

    def test_a_clause_of_a_row_says_the_row(self) -> None:
        (rule,) = rules_of(self.clause("takes[0].by"))
        assert (rule.title, rule.value) == ("Captures, first row, by whom", "first")
        assert rule.sentence == "The first player may enclose pieces."
        page = plain(self.client.get(f"/rulesets/{SLUG}/").content.decode())
        assert "Captures, first row The first player may enclose pieces." in page

    def test_a_what_if_is_changed_row_by_row(self) -> None:
        address = f"/rulesets/{SLUG}/change/"
        page = self.client.get(address).content.decode()
        assert 'name="set.takes[2].manner"' in page
        answer = self.client.get(address, {"set.takes": "", "set.takes[0].manner": "leap"})
        assert answer.status_code == 302
        assert unquote(urlsplit(answer["Location"]).query) == "set.takes=manner:leap"
        moved = self.client.get(address, {"row": "takes[0].down"})
        assert dict(parse_qsl(urlsplit(moved["Location"]).query))["set.takes"].startswith("manner:leap")
        wrong = self.client.get(address, {"set.takes": "manner:encloses"})
        assert wrong.status_code == 400
        assert "Captures, first row, manner" in plain(wrong.content.decode())
        assert "set.takes=manner:enclose" in unquote(wrong.content.decode())
