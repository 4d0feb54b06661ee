"""Transcripts that the tests of the checker tamper with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017
from tests.verify.forger import Forger, played


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> Forger:
    """A deal, then one with a tribute and six plays, lost by ruling."""
    return played(tmp_path_factory.mktemp("game"), replace(NATIONAL_2017, deals_per_game=2), acts=8)


@pytest.fixture(scope="session")
def short(tmp_path_factory: pytest.TempPathFactory) -> Forger:
    """Six acts, then the deal is lost by ruling."""
    return played(tmp_path_factory.mktemp("short"), replace(HUAIAN, deals_per_game=1), acts=6)
