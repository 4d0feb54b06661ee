"""Deals between policies, played through the contract of the game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from hashlib import sha256

from broker.engine.game import Board
from broker.engine.guandan import phases
from broker.engine.guandan.actions import Action, OpenDeal
from broker.engine.guandan.events import DealEnded
from broker.engine.guandan.rules import NATIONAL_2017, Rules
from broker.engine.guandan.state import State
from broker.engine.shuffle import board_from
from broker.players import Policy


def board(number: int) -> Board:
    """A board that depends on its number alone."""
    name = f"board-{number}"
    return board_from(sha256(name.encode()).digest(), b"beacon", name)


def step(state: State, action: Action) -> State:
    """The state after the action; ``Refused`` if it is against the rules."""
    for event in phases.decide(state, action):
        state = phases.evolve(state, event)
    return state


def play_deal(
    state: State, dealt: Board, sides: Sequence[Policy], chance: random.Random, rules: Rules = NATIONAL_2017
) -> State:
    """The state at the end of the deal; ``sides`` play seats 0 and 2, and 1 and 3."""
    state = step(state, OpenDeal(dealt))
    while not (phases.wants_board(state) or phases.is_over(state)):
        seat = phases.open_decisions(state)[0].seat
        state = step(state, sides[seat % 2](phases.view(state, seat), rules, chance))
    return state


def result_of(dealt: Board, sides: Sequence[Policy], chance: random.Random) -> DealEnded:
    """How one first deal ends."""
    state = play_deal(phases.start(NATIONAL_2017), dealt, sides, chance)
    return state.standing.results[-1]


def wins(policy: Policy, against: Policy, boards: int) -> int:
    """Deals that ``policy`` wins of twice that number: each board is played from either side."""
    won = 0
    for number in range(boards):
        dealt = board(number)
        for side, sides in enumerate(((policy, against), (against, policy))):
            won += result_of(dealt, sides, random.Random(2 * number + side)).winner == side
    return won
