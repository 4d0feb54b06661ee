"""Strength and speed of a policy: ``python tests/bench/policy_strength.py [--boards N] [--json]``.

Every board is played twice, once from either side. A side wins a deal by taking place 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from broker.engine.guandan.rules import Rules
from broker.engine.guandan.views import View
from broker.players import POLICIES, Move, Policy
from tests.players.boards import wins

WANTED = 0.95


class Timed:
    """A policy, with the milliseconds that each of its moves took."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.took: list[float] = []

    def __call__(self, view: View, rules: Rules, chance: Random) -> Move:
        start = perf_counter()
        move = self._policy(view, rules, chance)
        self.took.append((perf_counter() - start) * 1000)
        return move


def measure(policy: str, against: str, boards: int) -> dict[str, float]:
    """Deals won and played, and how long a move takes."""
    timed = Timed(POLICIES[policy])
    won = wins(timed, POLICIES[against], boards)
    took = sorted(timed.took)
    return {
        "won": won,
        "deals": 2 * boards,
        "moves": len(took),
        "mean_ms": round(sum(took) / len(took), 3),
        "p99_ms": round(took[len(took) * 99 // 100], 3),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; 1 if fewer deals than wanted were won."""
    parser = argparse.ArgumentParser(description="对打胜率 / how often one policy beats another")
    parser.add_argument("--policy", choices=sorted(POLICIES), default="careful")
    parser.add_argument("--against", choices=sorted(POLICIES), default="random")
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--json", action="store_true", help="只输出一个 JSON 对象 / print one JSON object")
    options = parser.parse_args(arguments)
    figures = measure(options.policy, options.against, options.boards)
    if options.json:
        print(json.dumps(figures))
    else:
        print(f"{options.policy} – {options.against}: {figures['won']} / {figures['deals']}; {figures}")
    return int(figures["won"] < WANTED * figures["deals"])


if __name__ == "__main__":
    sys.exit(main())
