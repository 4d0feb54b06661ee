"""What a policy is: from what a seat may know to what it does."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeAlias

from broker.engine.game import DecisionKind
from broker.engine.guandan.actions import SeatAction
from broker.engine.guandan.rules import Rules
from broker.engine.guandan.views import OwnView, View
from broker.engine.seats import Seat

Move: TypeAlias = SeatAction
"""What a policy decides on."""

Policy: TypeAlias = Callable[[View, Rules, random.Random], Move]
"""A choice for a seat that owes a decision: legal, and the same for the same three arguments.

It knows the view and nothing else; ``ValueError`` if the seat owes nothing.
"""


def owed(view: View) -> tuple[Seat, OwnView, DecisionKind]:
    """The seat of the view, what it alone knows, and what it owes; ``ValueError`` if nothing."""
    for seat, kind in view.public.open:
        if seat == view.seat and view.own is not None:
            return seat, view.own, kind
    raise ValueError("this seat owes no decision")
