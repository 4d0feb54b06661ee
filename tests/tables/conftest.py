"""Fixtures of the table tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tables.house import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A venue with one table planned and nothing opened."""
    house = House(tmp_path)
    yield house
    house.stop()


@pytest.fixture
def playing(house: House) -> House:
    """The same with the first deal dealt: one seat owes the first lead."""
    house.begin()
    return house
