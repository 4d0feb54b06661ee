"""Hypothesis strategies for everything that travels, drawn from the types of its fields.

They know nothing of the rules: a value is of the right shape, and need not be reachable in play.
What the annotations mean is written down here once more, apart from the codec.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from types import NoneType
from typing import Any, NewType, get_args, get_type_hints

from hypothesis import strategies as st

from broker.engine.cards import TWO_PACKS
from broker.engine.games import GUANDAN
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading
from broker.protocol.codec import encode_rules
from broker.protocol.happenings import HAPPENINGS
from broker.protocol.messages import Action, Seen

whole = st.integers(0, 2**53 - 1)
seats = st.integers(0, 3)
ids = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=32)
words = st.text(st.characters(codec="utf-8"), max_size=20)


def hands(least: int = 0, most: int = 27) -> st.SearchStrategy[tuple[int, ...]]:
    """Sorted cards out of two packs."""
    places = st.sets(st.integers(0, 107), min_size=least, max_size=most)
    return places.map(lambda chosen: tuple(TWO_PACKS[place] for place in sorted(chosen)))


def hex_of(size: int) -> st.SearchStrategy[str]:
    """That many bytes in hex."""
    return st.binary(min_size=size, max_size=size).map(bytes.hex)


def readings() -> st.SearchStrategy[Reading]:
    """Any type with any rank; the joker bomb has none."""
    ranked = st.builds(
        Reading,
        st.sampled_from([kind for kind in PlayType if kind is not PlayType.JOKER_BOMB]),
        st.integers(0, 14),
        st.integers(1, 27),
    )
    return ranked | st.just(Reading(PlayType.JOKER_BOMB, NO_RANK, 4))


def records(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Records of that dataclass or named tuple, each field by its annotation."""
    hints = get_type_hints(kind, localns=_NAMES)
    names = (
        [field.name for field in dataclasses.fields(kind)]
        if dataclasses.is_dataclass(kind)
        else list(kind.__annotations__)
    )
    return st.builds(kind, **{name: _values(hints[name]) for name in names})


def events() -> st.SearchStrategy[Any]:
    """Every event of a table and of Guandan."""
    return st.one_of([records(kind) for kind in (*HAPPENINGS, *GUANDAN.events.values())])


def plays() -> st.SearchStrategy[Any]:
    """Every action that a seat may ask for; the size of a reading is the number of cards."""
    play = records(GUANDAN.actions["play"]).filter(lambda action: action.cards)
    sized = play.map(
        lambda action: dataclasses.replace(action, reading=action.reading._replace(size=len(action.cards)))
    )
    others = [records(kind) for name, kind in GUANDAN.actions.items() if name != "play"]
    return st.one_of(sized, *others)


def acts() -> st.SearchStrategy[Action]:
    """What a device may sign."""
    plain = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | words
    return st.builds(
        Action,
        v=st.just(1),
        id=hex_of(16),
        device=ids,
        session=ids,
        seq=st.integers(1, 2**53 - 1),
        event=ids | st.just(""),
        table=ids | st.just(""),
        deal=whole,
        answers=whole,
        seen=st.builds(Seen, epoch=whole, n=whole, hash=hex_of(32)),
        kind=st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=32),
        args=st.dictionaries(words, plain, max_size=8),
        shown=whole,
        acted=whole,
    )


def _values(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type; of those that are known, what ``_KNOWN`` says."""
    if kind in _KNOWN:
        return _KNOWN[kind]
    args = get_args(kind)
    if NoneType in args:
        return st.none() | st.one_of([_values(arg) for arg in args if arg is not NoneType])
    if args and args[-1] is Ellipsis:
        return st.lists(_values(args[0]), max_size=4).map(tuple)
    if args:
        return st.tuples(*map(_values, args))
    if issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    return records(kind)


_Card = NewType("_Card", int)
_Cards = NewType("_Cards", tuple[int, ...])
_Rank = NewType("_Rank", int)
_Seat = NewType("_Seat", int)
_Side = NewType("_Side", int)
_NAMES = {"Card": _Card, "Cards": _Cards, "Rank": _Rank, "Seat": _Seat, "Side": _Side}

_KNOWN: dict[Any, st.SearchStrategy[Any]] = {
    _Card: st.integers(0, 53),
    _Cards: hands(),
    _Rank: st.integers(0, 13),
    _Seat: seats,
    _Side: st.integers(0, 1),
    Reading: readings(),
    int: whole,
    bool: st.booleans(),
    str: words,
}
_KNOWN[Mapping[str, Any]] = records(GUANDAN.rules).map(encode_rules)
