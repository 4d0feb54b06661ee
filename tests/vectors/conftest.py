"""Vectors as tests: ``pytest tests/vectors --vectors DIR``.

DIR holds any of the folders ``guandan/``, ``shengji/``, ``tournament/``; the project's own unless
given. A test marked ``@pytest.mark.vectors("guandan/readings.json")`` with an argument ``case`` runs
once for each case of that file, under the case's id; it is skipped if DIR has no such file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

OWN = Path(__file__).parent
FOLDERS = ("guandan", "shengji", "tournament")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors", type=Path, default=OWN, metavar="DIR", help=f"folder with any of {', '.join(FOLDERS)}"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "vectors(file): runs once for each case of a file of vectors")
    folder = _folder(config)
    if not any((folder / name).is_dir() for name in FOLDERS):
        raise pytest.UsageError(f"--vectors: {folder} has none of the folders {', '.join(FOLDERS)}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("vectors")
    if marker is not None:
        cases = read_cases(_folder(metafunc.config) / marker.args[0])
        metafunc.parametrize("case", cases, ids=[case["id"] for case in cases])


def read_cases(file: Path) -> list[dict[str, Any]]:
    """The cases of a file of vectors; none if there is no such file."""
    if not file.is_file():
        return []
    try:
        cases: list[dict[str, Any]] = json.loads(file.read_bytes())["cases"]
    except (ValueError, KeyError, TypeError) as error:
        raise pytest.UsageError(f"{file} is no file of vectors: {error!r}") from error
    return cases


def _folder(config: pytest.Config) -> Path:
    """The folder asked for; without the option (all tests are run) the project's own."""
    folder: Path = config.getoption("--vectors", default=OWN)
    return folder
