"""The fence between the layers: who may import what, and how large a file may grow.

``LAYERS`` is the table of the README's section "Architecture"; change both together.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = ("broker", "terminal", "provisioning")

MAX_LINES = 500
MAX_FUNCTION = 60

_SEAT = "broker.engine broker.protocol broker.players provisioning.identity"
_DRAWING = f"terminal {_SEAT} babel kivy"

LAYERS = MappingProxyType(
    {
        "broker.engine": "",
        "broker.protocol": "broker.engine msgspec cbor2 cryptography",
        "broker.players": "broker.engine",
        # cryptography: the vault, which keeps the secrets of a deal encrypted beside the log.
        "broker.tables": "broker.engine broker.protocol sqlalchemy msgspec cryptography",
        "broker.verify": "cbor2 cryptography",
        "broker": "broker.engine broker.protocol broker.players broker.tables broker.verify provisioning"
        " amqtt cryptography msgspec paho uvloop",
        "terminal": f"{_SEAT} babel cryptography msgspec paho",
        "terminal.__main__": f"terminal {_SEAT}",
        "terminal.app": _DRAWING,
        "terminal.fonts": _DRAWING,
        "terminal.window": _DRAWING,
        "terminal.screens": _DRAWING,
        "terminal.widgets": _DRAWING,
        "provisioning": "broker.protocol cryptography",
    }
)
"""What each part may import besides itself and the standard library. The longest name that fits counts."""

_PURE = {"__future__", "abc", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib"} | {
    *("itertools", "math", "operator", "types", "typing"),
}
STDLIB = MappingProxyType({"broker.engine": _PURE, "broker.players": _PURE | {"random"}})
"""Parts that get only this of the standard library: no clock, chance, file or log."""

IMPURE_CALLS = frozenset(("open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"))
"""Built-in functions that a part of ``STDLIB`` may not call."""


class Source(NamedTuple):
    """A module of the product."""

    path: Path
    module: str
    tree: ast.Module

    @property
    def package(self) -> list[str]:
        """Names of the package that relative imports start from."""
        names = self.module.split(".")
        return names if self.path.name == "__init__.py" else names[:-1]


@cache
def _product() -> tuple[Source, ...]:
    paths = sorted(path for top in PRODUCT for path in (ROOT / top).rglob("*.py"))
    return tuple(_source(path.relative_to(ROOT), path.read_text(encoding="utf-8")) for path in paths)


def _source(path: Path, text: str) -> Source:
    names = path.with_suffix("").parts
    return Source(path, ".".join(names[:-1] if names[-1] == "__init__" else names), ast.parse(text))


def _is_in(name: str, part: str) -> bool:
    return name == part or name.startswith(part + ".")


def _part(name: str) -> str:
    return max((part for part in LAYERS if _is_in(name, part)), key=len, default="")


def _names(source: Source, node: ast.stmt) -> Iterator[str]:
    """Absolute names that an import statement asks for."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        up = source.package[: len(source.package) - node.level + 1] if node.level else []
        base = ".".join([*up, node.module] if node.module else up)
        yield from (f"{base}.{alias.name}" for alias in node.names)


def _may_import(importer: str, name: str) -> bool:
    part, top = _part(importer), name.split(".")[0]
    if top in sys.stdlib_module_names:
        return top in STDLIB.get(part, {top})
    return bool(part) and (_part(name) == part or any(_is_in(name, other) for other in LAYERS[part].split()))


def _breaches(source: Source) -> Iterator[str]:
    """Where a module crosses the fence."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            bad = [f"imports {name}" for name in _names(source, node) if not _may_import(source.module, name)]
        elif isinstance(node, ast.Call) and _part(source.module) in STDLIB:
            bad = [f"calls {name}" for name in IMPURE_CALLS if ast.unparse(node.func) == name]
        else:
            continue
        yield from (f"{source.path}:{node.lineno} {what}" for what in bad)


def test_imports_go_down_only() -> None:
    found = [breach for source in _product() for breach in _breaches(source)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("broker/engine/cards.py", "import random"),
        ("broker/engine/cards.py", "from os import path"),
        ("broker/engine/cards.py", "def f():\n    import time"),
        ("broker/engine/cards.py", "open('deal')"),
        ("broker/engine/guandan/fold.py", "from ...protocol import codec"),
        ("broker/engine/__init__.py", "from ..tables.log import Log"),
        ("broker/protocol/codec.py", "import sqlalchemy"),
        ("broker/players/careful.py", "from broker import protocol"),
        ("broker/tables/hub.py", "import broker.service"),
        ("broker/verify/boards.py", "from broker.engine.shuffle import board_from"),
        ("broker/service.py", "from terminal.session import Session"),
        ("terminal/session.py", "from kivy.app import App"),
        ("terminal/session.py", "from terminal.widgets.hand import Hand"),
        ("terminal/app.py", "from broker.tables.table import Table"),
        ("terminal/app.py", "import broker"),
        ("provisioning/ca.py", "import unheard_of"),
        ("elsewhere/thing.py", "import broker.engine"),
    ],
)
def test_fence_holds(path: str, text: str) -> None:
    assert list(_breaches(_source(Path(path), text)))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("broker/engine/guandan/fold.py", "from ..cards import Cards\nfrom . import rules"),
        ("broker/tables/log.py", "import os, sqlite3\nfrom sqlalchemy import select\nopen('log')"),
        ("broker/verify/__main__.py", "from .transcript import read\nfrom . import boards"),
        ("terminal/widgets/hand.py", "from kivy.app import App\nfrom terminal.session import Session"),
    ],
)
def test_fence_lets_through(path: str, text: str) -> None:
    assert not list(_breaches(_source(Path(path), text)))


def _module_of(name: str, modules: dict[str, set[str]]) -> str:
    """The module that an imported name lies in; empty if it is none of ours."""
    return name if name in modules else name.rpartition(".")[0] if name.rpartition(".")[0] in modules else ""


def test_no_module_imports_itself_through_others() -> None:
    graph: dict[str, set[str]] = {source.module: set() for source in _product()}
    for source in _product():
        names = {name for node in source.tree.body for name in _names(source, node)}
        graph[source.module] = {_module_of(name, graph) for name in names} - {"", source.module}
    TopologicalSorter(graph).prepare()


def test_no_file_is_too_long() -> None:
    texts = {source.path: (ROOT / source.path).read_text(encoding="utf-8") for source in _product()}
    assert not [path for path, text in texts.items() if text.count("\n") > MAX_LINES]


def test_no_function_is_too_long() -> None:
    long = [
        f"{source.path}:{node.lineno} {node.name}"
        for source in _product()
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno >= MAX_FUNCTION
    ]
    assert not long, "\n".join(long)


def _is_export(node: ast.stmt) -> bool:
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or isinstance(node, ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign)


def test_packages_say_what_they_are_and_export_no_more() -> None:
    for source in _product():
        if source.path.name == "__init__.py":
            assert ast.get_docstring(source.tree), source.path
            assert all(_is_export(node) for node in source.tree.body), source.path
