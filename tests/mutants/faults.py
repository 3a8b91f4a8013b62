"""The faults that a file can have: one small change each, as an inattentive person might make it."""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}  # fmt: skip
# Fields of a node that are no behaviour: what types say, what stands before a definition, texts put together.
PASSED_OVER = {"annotation", "returns", "decorator_list", "type_params", "bases"}
TYPING_ONLY = {"TYPE_CHECKING", "__name__"}
ONLY_CHECKS = {"strict"}  # arguments that change nothing where nothing is wrong


@dataclass(frozen=True, slots=True)
class Fault:
    """start, end: the bytes of the file in whose place `after` stands; lines: those of the statement it is in

    number: among the faults of the file that would have the same name
    """

    path: str
    function: str
    operator: str
    lines: tuple[int, ...]
    start: int
    end: int
    before: str
    after: str
    number: int = 1

    @property
    def name(self) -> str:
        """The same as long as the code around it stays, and no other fault's: for what is known of a fault."""
        number = f" ({self.number})" if self.number > 1 else ""
        return f"{self.path}:{self.function}: {self.before} → {self.after}{number}"

    def within(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]


@dataclass(frozen=True, slots=True)
class Place:
    """A node, with the function around it, the lines of the statement that it is in, and whether that asks for it."""

    node: ast.expr | ast.stmt
    function: str
    lines: tuple[int, ...]
    is_condition: bool = False


def faults(path: str, source: str) -> list[Fault]:
    """All that a file can have, in the order in which they stand there, `is_a_change` or not."""
    written = source.encode()
    starts = _line_starts(written)
    return _numbered(
        _fault(path, written, starts, operator, place, changed)
        for place in _places(ast.parse(source), "", ())
        for operator, changes in OPERATORS.items()
        for changed in changes(place)
    )


def _numbered(found: Iterable[Fault]) -> list[Fault]:
    """The same change may be made in several places of a function: each is told from those before it."""
    numbers: Counter[str] = Counter()
    numbered = []
    for fault in found:
        numbers[fault.name] += 1
        numbered.append(replace(fault, number=numbers[fault.name]))
    return numbered


def _fault(path: str, source: bytes, starts: list[int], operator: str, place: Place, changed: ast.AST) -> Fault:
    node = place.node
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
    after = ast.unparse(changed)
    before = source[start:end].decode()
    if isinstance(changed, ast.expr) and not isinstance(changed, ast.Constant | ast.Call):
        after = f"({after})"
    return Fault(path, place.function, operator, place.lines, start, end, before, after)


def is_a_change(source: bytes, fault: Fault) -> bool:
    """Whether the file can still be compiled, and says something else."""
    try:
        changed = ast.parse(fault.within(source))
        compile(changed, fault.path, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return ast.dump(changed) != ast.dump(ast.parse(source))


def _line_starts(source: bytes) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _places(node: ast.AST, function: str, lines: tuple[int, ...]) -> Iterator[Place]:
    """Every node below this one that can be changed."""
    for field, value in ast.iter_fields(node):
        if field in PASSED_OVER:
            continue
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, ast.AST) or _is_passed_over(one):
                continue
            named = name_within(function, one)
            here = _lines(one) if isinstance(one, ast.stmt) else lines
            if isinstance(one, ast.expr | ast.stmt):
                yield Place(one, named, here, field in ("test", "ifs"))
            yield from _places(one, named, here)


def name_within(function: str, node: ast.AST) -> str:
    """The name of what a node is part of: with its own, if it is a function or a class."""
    is_named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    return f"{function}.{node.name}".lstrip(".") if is_named else function


def _lines(statement: ast.stmt) -> tuple[int, ...]:
    """Of a statement without those it holds."""
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    last = statement.end_lineno or statement.lineno
    if body:
        last = max(statement.lineno, getattr(body[0], "lineno", getattr(body[0], "pattern", statement).lineno) - 1)
    return tuple(range(statement.lineno, last + 1))


def _is_passed_over(node: ast.AST) -> bool:
    """Texts, whose parts have no places of their own in a file; docstrings; imports; what only runs for type checks."""
    if isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Assert):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.keyword):
        return node.arg in ONLY_CHECKS
    return isinstance(node, ast.If) and any(
        isinstance(one, ast.Name) and one.id in TYPING_ONLY for one in ast.walk(node.test)
    )


def _comparison(place: Place) -> Iterator[ast.AST]:
    match place.node:
        case ast.Compare(ops=ops) as node:
            for number, operator in enumerate(ops):
                yield _with(node, ops=[*ops[:number], COMPARISONS[type(operator)](), *ops[number + 1 :]])


def _boolean(place: Place) -> Iterator[ast.AST]:
    match place.node:
        case ast.BoolOp(op=operator) as node:
            yield _with(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())


def _negation(place: Place) -> Iterator[ast.AST]:
    """`not` added to a condition, or taken away; a comparison is turned round by its own operator."""
    match place.node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.expr() as node if place.is_condition and not isinstance(node, ast.Compare):
            yield ast.UnaryOp(ast.Not(), node)


def _arithmetic(place: Place) -> Iterator[ast.AST]:
    match place.node:
        case ast.BinOp(left=left, right=right) if _is_text(left) or _is_text(right):
            return
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) as node if type(operator) in ARITHMETIC:
            yield _with(node, op=ARITHMETIC[type(operator)]())


def _constant(place: Place) -> Iterator[ast.AST]:
    """Yes and no exchanged, numbers one larger."""
    match place.node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)


def _returned(place: Place) -> Iterator[ast.AST]:
    match place.node:
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield ast.Return(ast.Constant(None))


def _argument(place: Place) -> Iterator[ast.AST]:
    """One that is named, or the last of several, left out."""
    match place.node:
        case ast.Call(args=args, keywords=keywords) as node:
            for number, keyword in enumerate(keywords):
                if keyword.arg not in ONLY_CHECKS:
                    yield _with(node, keywords=[*keywords[:number], *keywords[number + 1 :]])
            if len(args) > 1:
                yield _with(node, args=args[:-1])


def _statement(place: Place) -> Iterator[ast.AST]:
    """One that is done for its effect, left out."""
    match place.node:
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break() | ast.Delete():
            yield ast.Pass()
        case ast.Assign(targets=targets) if all(
            isinstance(target, ast.Attribute | ast.Subscript) for target in targets
        ):
            yield ast.Pass()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


OPERATORS: dict[str, Callable[[Place], Iterator[ast.AST]]] = {
    "comparison": _comparison,
    "boolean": _boolean,
    "negation": _negation,
    "arithmetic": _arithmetic,
    "constant": _constant,
    "return": _returned,
    "argument": _argument,
    "statement": _statement,
}
