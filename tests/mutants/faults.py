"""Which faults can be put into a module: each is a place and a change of its syntax tree."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_COMPARED = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
# Members that decide something: each becomes its neighbour.
_MEMBERS = {
    "Code": ["APP_PRIVATE", "PROTECTED_PATH", "OUTSIDE_ROOT", "IS_ROOT", "LINK_LOOP", "SENSITIVE_FILE"],
    "Place": ["INSIDE", "TYPED_OUTSIDE", "ESCAPED", "PROTECTED", "PRIVATE"],
    "Mode": ["ALL", "WRITE_ONLY", "NONE"],
    "Decision": ["ALLOW", "DENY", "NO_ANSWER"],
    "OperationState": ["INTENT", "DONE", "UNDONE", "FAILED"],
}
# What never decides anything: notes on types, declarations, and code of another system.
_LEFT_OUT = (ast.AnnAssign, ast.arg, ast.Import, ast.ImportFrom)

Change = Callable[[ast.AST], str]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: the place of its node in the walk of the tree, its line, and what it does in words."""

    node: int
    line: int
    words: str
    kind: str


def _faults_of(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(kind, words) of every fault that fits a node."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            yield "compare", f"{type(op).__name__} becomes {_COMPARED[type(op)].__name__}"
        case ast.BoolOp():
            yield "bool", "and becomes or" if isinstance(node.op, ast.And) else "or becomes and"
        case ast.UnaryOp(op=ast.Not()):
            yield "not", "not is left out"
        case ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.Constant(value=int())):
            yield "sign", "+ and - swapped"
        case ast.Constant(value=bool()):
            yield "flip", f"{node.value} becomes {not node.value}"
        case ast.Constant(value=int()):
            yield "number", f"{node.value} becomes {node.value + 1}"
        case ast.If(body=[ast.Return() | ast.Raise() | ast.Continue()]):
            yield "guard", "the guard is left out"
            yield "always", "the guard always holds"
        case ast.Raise():
            yield "raise", "raise is left out"
        case ast.Call(func=ast.Name(id=name)) if name in _NAMES:
            yield "name", f"{name} becomes {_NAMES[name]}"
        case ast.Attribute(value=ast.Name(id=owner), attr=member) if member in _MEMBERS.get(owner, ()):
            yield "member", f"{owner}.{member} becomes {owner}.{_next_member(owner, member)}"
        case _:
            return


def _next_member(owner: str, member: str) -> str:
    members = _MEMBERS[owner]
    return members[(members.index(member) + 1) % len(members)]


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node that takes part in a decision, always in the same order."""
    if isinstance(tree, _LEFT_OUT) or _is_of_another_system(tree) or _is_beside_the_point(tree):
        return
    yield tree
    for name, value in ast.iter_fields(tree):
        if name in {"decorator_list", "annotation", "returns", "type_params", "bases", "keywords"} and isinstance(
            tree, ast.FunctionDef | ast.ClassDef
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child)
                if _leaves_the_rest_to_another_system(child):
                    break


def _is_of_another_system(node: ast.AST) -> bool:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            return "sys.platform" in ast.unparse(test)
        case ast.FunctionDef(name=name):
            return "windows" in name or "elsewhere" in name
        case ast.Assign(targets=[target]):
            return "_MAC_" in ast.unparse(target)
        case ast.Compare(left=ast.Attribute(attr="fd"), comparators=[ast.Constant(value=0)]):
            return True  # where folders have no descriptors
        case _:
            return False


def _leaves_the_rest_to_another_system(node: ast.AST) -> bool:
    """Whether this system returns here."""
    match node:
        case ast.If(test=ast.Compare() as test, body=[*_, ast.Return()]):
            return ast.unparse(test) in {"sys.platform == 'linux'", "sys.platform != 'win32'"}
        case _:
            return False


def _is_beside_the_point(node: ast.AST) -> bool:
    """Sizes of blocks and stores, words for the log, what is never reached, and round bounds."""
    match node:
        case ast.BinOp(op=ast.LShift()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))):
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError"))):
            return True
        case ast.Call(func=ast.Name(id="getattr"), args=[_, _, _]):
            return True  # with what another system has instead
        case ast.Call(func=ast.Attribute(attr="token_hex")):
            return True  # how long a name by chance is
        case ast.Compare(left=ast.Call(func=ast.Attribute(attr="monotonic"))):
            return True  # whether a moment still belongs to a time
        case ast.Assign(value=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))):
            return True  # a number that stands for none
        case ast.Constant(value=int(number)):
            return number >= 1000 and number % 100 == 0  # a bound of effort: with one more of it nothing is wrong
        case _:
            return False


def faults(source: str) -> list[Fault]:
    """All faults that can be put into a module."""
    return [
        Fault(place, getattr(node, "lineno", 0), words, kind)
        for place, node in enumerate(_walk(ast.parse(source)))
        for kind, words in _faults_of(node)
    ]


def with_fault(source: str, fault: Fault) -> str:
    """The module with one fault in it."""
    tree = ast.parse(source)
    target = list(_walk(tree))[fault.node]
    changed = _Put(target, fault.kind).visit(copy.copy(tree))
    return ast.unparse(ast.fix_missing_locations(changed))


class _Put(ast.NodeTransformer):
    """Puts a fault in the place of one node."""

    def __init__(self, target: ast.AST, kind: str) -> None:
        self.target, self.kind = target, kind

    def visit(self, node: ast.AST) -> ast.AST:
        return self._faulty(node) if node is self.target else self.generic_visit(node)

    def _faulty(self, node: ast.AST) -> ast.AST:  # noqa: C901
        match node:
            case ast.Compare():
                return ast.Compare(node.left, [_COMPARED[type(node.ops[0])]()], node.comparators)
            case ast.BoolOp():
                return ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            case ast.UnaryOp():
                return node.operand
            case ast.BinOp():
                return ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)
            case ast.Constant():
                return ast.Constant(not node.value if self.kind == "flip" else int(str(node.value)) + 1)
            case ast.If():
                return ast.If(ast.Constant(self.kind == "always"), node.body, node.orelse)
            case ast.Raise():
                return ast.Pass()
            case ast.Call(func=ast.Name(id=name)):
                return ast.Call(ast.Name(_NAMES[name], ast.Load()), node.args, node.keywords)
            case ast.Attribute(value=ast.Name(id=owner), attr=member):
                return ast.Attribute(node.value, _next_member(owner, member), node.ctx)
            case _:
                raise TypeError(type(node).__name__)
