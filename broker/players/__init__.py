"""Policies: pure functions from a seat's view to what it does."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from broker.players.careful import careful
from broker.players.policy import Move, Policy
from broker.players.random_play import random_play

__all__ = ["POLICIES", "Move", "Policy"]

POLICIES: Final[Mapping[str, Policy]] = MappingProxyType({"random": random_play, "careful": careful})
"""Every policy by its name."""
