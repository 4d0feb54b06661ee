"""Speed of the Guandan combinations on one core: ``make bench``, or with ``--json`` one object.

Work is timed in pieces of about a millisecond, and of each piece the best of several runs counts:
a machine that others use too is never faster than it is. The *yardstick* is a plain loop that adds
up 27 numbers; the share of it is what compares from one machine to another.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from broker.engine.cards import RANKS, TWO_PACKS, Cards, Rank, remove, wild
from broker.engine.guandan.combinations import Reading
from broker.engine.guandan.hand import Hand
from broker.engine.guandan.plays import legal_plays
from broker.engine.guandan.readings import readings
from broker.engine.guandan.selections import selections
from broker.engine.guandan.trick import final_order, lead_after, turn_after
from broker.engine.seats import SEATS, Seat

SEED = 20170801
RUNS = 15
HANDS = 300
DEALS = 60
PASSES = 0.2
"""How often a seat that could play lets the play on the table stand."""

Dealt = tuple[Cards, Rank]
Piece = Callable[[], object]
_Thing = TypeVar("_Thing")


class Figure(NamedTuple):
    """What is timed, in pieces that do it ``times`` times together."""

    name: str
    target: int | None
    times: int
    pieces: Sequence[Piece]


class Result(NamedTuple):
    """Times a second, and how many of the yardstick's loops one takes."""

    name: str
    target: int | None
    per_second: int
    yardsticks: float


def figures() -> list[Figure]:
    """All that is timed, with what is asked for; the yardstick first."""
    chance = Random(SEED)
    dealt = [hands_with(chance, wilds) for wilds in range(3)]
    return [
        in_pieces("yardstick: adding up 27 numbers in a loop", None, add_up, [()] * HANDS, 50),
        *(_readings(dealt[wilds], wilds) for wilds in range(3)),
        *(_over(chance, dealt[wilds], wilds) for wilds in range(3)),
        *(_plays(dealt[wilds], wilds, target) for wilds, target in enumerate((4_000, None, 1_000))),
        *(_listed(dealt[wilds], wilds) for wilds in range(3)),
        in_pieces(
            "random deals, every play read again", 1_000, play_deal, [(seed,) for seed in range(DEALS)], 1
        ),
    ]


def hands_with(chance: Random, wilds: int) -> list[Dealt]:
    """Random hands of 27 at random levels, each with that many wilds."""
    dealt = []
    for _ in range(HANDS):
        level = chance.randrange(len(RANKS))
        others = [card for card in TWO_PACKS if card != wild(level)]
        cards = chance.sample(others, 27 - wilds) + [wild(level)] * wilds
        dealt.append((tuple(sorted(cards)), level))
    return dealt


def in_pieces(
    name: str, target: int | None, work: Callable[..., object], given: Sequence[tuple[object, ...]], size: int
) -> Figure:
    """A figure for ``work`` on all that is given, ``size`` of it in a piece."""

    def piece(part: Sequence[tuple[object, ...]]) -> None:
        for arguments in part:
            work(*arguments)

    parts = [given[start : start + size] for start in range(0, len(given), size)]
    return Figure(name, target, len(given), [partial(piece, part) for part in parts])


def _readings(dealt: Sequence[Dealt], wilds: int) -> Figure:
    name = f"readings of a hand from its cards, {wilds} wilds"
    return in_pieces(name, 50_000, lambda cards, level: Hand(cards, level).readings, dealt, 50)


def _over(chance: Random, dealt: Sequence[Dealt], wilds: int) -> Figure:
    hands = [Hand(*each) for each in dealt]
    given = [(hand, chance.choice(chance.choice(hands).readings)) for hand in hands]
    return in_pieces(
        f"readings over a table play, hand cached, {wilds} wilds", 300_000, Hand.readings_over, given, 50
    )


def _plays(dealt: Sequence[Dealt], wilds: int, target: int | None) -> Figure:
    given = [(cards, level, None) for cards, level in dealt[:DEALS]]
    return in_pieces(f"all distinct plays, {wilds} wilds", target, legal_plays, given, 1)


def _listed(dealt: Sequence[Dealt], wilds: int) -> Figure:
    name = f"the same, each made a Play with sorted cards, {wilds} wilds"
    return in_pieces(name, None, lambda cards, level: list(legal_plays(cards, level, None)), dealt[:DEALS], 1)


def add_up() -> int:
    """The yardstick."""
    total = 0
    for number in range(27):
        total += number
    return total


def play_deal(seed: int) -> int:
    """Plays one deal at random by the rules of the trick; the number of plays."""
    chance = Random(seed)
    level = chance.randrange(len(RANKS))
    deck = chance.sample(TWO_PACKS, len(TWO_PACKS))
    held = tuple(tuple(sorted(deck[seat::4])) for seat in SEATS)
    hands = [Hand(cards, level) for cards in held]
    turn = winner = plays = 0
    table: Reading | None = None
    out: tuple[Seat, ...] = ()
    while True:
        hand = hands[turn]
        possible = hand.readings if table is None else hand.readings_over(table)
        if possible and (table is None or chance.random() > PASSES):
            plays, winner, table = plays + 1, turn, pick(chance, possible)
            rest = after_play(hand, pick(chance, selections(hand, table)), table)
            held = (*held[:turn], rest, *held[turn + 1 :])
            if rest:
                hands[turn] = Hand(rest, level)
            else:
                out = (*out, turn)
                if final_order(out):
                    return plays
        turn = turn_after(held, turn, winner)
        if turn == winner:
            turn = winner = lead_after(held, winner)
            table = None


def pick(chance: Random, things: Sequence[_Thing]) -> _Thing:
    return things[int(chance.random() * len(things))]


def after_play(hand: Hand, cards: Cards, reading: Reading) -> Cards:
    """What is left of the hand without the cards, which are read again."""
    rest = remove(hand.cards, cards)
    if rest is None or reading not in readings(cards, hand.level):
        raise AssertionError(f"{cards} cannot be played as {reading}")
    return rest


def measure(wanted: Sequence[Figure]) -> list[float]:
    """Seconds for one time of each: the best of every piece added up. All pieces take turns."""
    best = [[float("inf")] * len(figure.pieces) for figure in wanted]
    for _ in range(RUNS):
        for figure, seconds in zip(wanted, best, strict=True):
            for place, piece in enumerate(figure.pieces):
                began = perf_counter()
                piece()
                seconds[place] = min(seconds[place], perf_counter() - began)
    return [sum(seconds) / figure.times for figure, seconds in zip(wanted, best, strict=True)]


def main() -> None:
    """Prints the figures."""
    options = argparse.ArgumentParser(description="Speed of the Guandan combinations.")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    as_json = options.parse_args().json
    wanted = figures()
    seconds = measure(wanted)
    results = [
        Result(figure.name, figure.target, round(1 / each), round(each / seconds[0], 2))
        for figure, each in zip(wanted, seconds, strict=True)
    ]
    if as_json:
        print(json.dumps([result._asdict() for result in results]))
        return
    print(f"{'':64}{'a second':>12}{'asked for':>12}{'yardsticks':>12}")
    for name, target, per_second, yardsticks in results:
        print(f"{name:64}{per_second:12,}{f'{target:,}' if target else '':>12}{yardsticks:12,}")


if __name__ == "__main__":
    main()
