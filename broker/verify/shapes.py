"""What every record and act is made of: names, types and ranges, before anything is made of it.

Follows FORMAT.md, sections 2, 4, 5, 7, 8 and 10. A *shape* tells whether a value of JSON or CBOR
is one of its kind. Fields of a record that no shape names may be there too, and mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .boards import FACES
from .combinations import JOKERS, RANKS
from .levels import TEXT
from .transcript import Entry

Shape = Callable[[Any], bool]
Shapes = Mapping[str, Shape]

LARGEST = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exact."""

_PLACE = {face: place for place, face in enumerate(FACES)}


def misfits(entry: Entry) -> Iterator[str]:
    """What is wrong with a record by itself, whatever happened before it."""
    if not RECORD(entry.record) or type(entry.opened) not in (dict, type(None)):
        yield "the record cannot be read"
        return
    kind, fields = entry.kind, KINDS.get(entry.kind)
    if fields is None:
        yield f"there are no records {kind!a}"
        return
    secret = SECRETS.get(kind, frozenset())
    if bool(secret) != ("commit" in entry.record) or secret & entry.record["body"].keys():
        yield f"{kind}: its secret part should be another one"
    body = entry.body
    for name, shape in fields.items():
        closed = entry.is_closed and name in secret
        if not closed and not (name in body and shape(body[name])):
            yield f"{kind}: {name} is missing or wrong"


# --- ways to make shapes -----------------------------------------------------------------------------


def whole(largest: int = LARGEST, smallest: int = 0) -> Shape:
    """Whole numbers."""
    return lambda value: type(value) is int and smallest <= value <= largest


def text(pattern: str) -> Shape:
    """Texts that the pattern describes from end to end."""
    expression = re.compile(pattern)
    return lambda value: type(value) is str and expression.fullmatch(value) is not None


def one_of(*words: str) -> Shape:
    """These texts."""
    return lambda value: type(value) is str and value in words


def or_none(shape: Shape) -> Shape:
    """The same, or nothing."""
    return lambda value: value is None or shape(value)


def list_of(shape: Shape, count: int | None = None) -> Shape:
    """Lists of that shape, of so many if a number is given."""
    return lambda value: (
        type(value) is list and (count is None or len(value) == count) and all(map(shape, value))
    )


def fields(shapes: Shapes, optional: Shapes | None = None) -> Shape:
    """Objects with at least these fields."""
    more = optional or {}
    return lambda value: (
        type(value) is dict
        and all(name in value and shape(value[name]) for name, shape in shapes.items())
        and all(name not in value or shape(value[name]) for name, shape in more.items())
    )


def exactly(shapes: Shapes) -> Shape:
    """Objects with these fields and no others."""
    known = fields(shapes)
    return lambda value: known(value) and value.keys() == shapes.keys()


def _flag(value: Any) -> bool:
    return type(value) is bool


def _cards(value: Any) -> bool:
    """Cards in order with one blank between."""
    if type(value) is not str or len(value) > 3 * len(FACES):
        return False
    places = [_PLACE.get(word, -1) for word in value.split(" ")] if value else []
    return -1 not in places and places == sorted(places)


# --- records -------------------------------------------------------------------------------------------

_ID = text(r"[a-z0-9-]{1,32}")
_HEX16 = text("[0-9a-f]{32}")
_HEX32 = text("[0-9a-f]{64}")
_WORDS = text("(?s:.*)")
_NUMBER = whole()
_SEAT = whole(3)
_SEATS = list_of(_SEAT)
_SIDE = whole(1)
_CARD = one_of(*FACES)
_LEVEL = one_of(*TEXT)
_TYPE = one_of(
    *("single", "pair", "triple", "full_house", "straight", "tube", "plate", "bomb"),
    *("straight_flush", "joker_bomb"),
)
_RANK = or_none(one_of(*RANKS, *JOKERS))
_SECRET_CARD = {"seat": _SEAT, "card": _CARD, "automatic": _flag}

_CAUSE = fields(
    {"by": one_of("seat", "clock", "authority", "referee")},
    {"id": _HEX16, "device": _ID, "digest": _HEX32, "used": _NUMBER},
)
RECORD = fields(
    {
        "v": whole(1, 1),
        "venue": _ID,
        "event": _ID,
        "stage": _ID,
        "round": _NUMBER,
        "table": _ID,
        "epoch": _NUMBER,
        "n": _NUMBER,
        "at": _NUMBER,
        "kind": _WORDS,
        "body": fields({}),
        "cause": _CAUSE,
    },
    {"commit": _HEX32},
)
"""A public part."""

_DURATION = _NUMBER
_LIMIT = one_of("any", "below_a", "ten_or_lower")
RULES = fields(
    {
        "name": _WORDS,
        "rise_double_down": whole(12),
        "rise_third": whole(12),
        "rise_fourth": whole(12),
        "must_play_a": _flag,
        "pass_a": one_of("partner_not_fourth", "double_down"),
        "failed_a_limit": or_none(whole(smallest=1)),
        "tribute": _flag,
        "return_to_partner": _LIMIT,
        "return_to_opponent": _LIMIT,
        "first_lead": one_of("heart_three", "turned_card"),
        "announce_below": _NUMBER,
        "announce": one_of("current", "once"),
        "level_fixed": or_none(one_of(*RANKS)),
        "deals_per_game": or_none(whole(smallest=1)),
        "game_minutes": or_none(whole(smallest=1)),
        "at_bell": one_of("finish", "drop"),
        "clock": fields(
            {
                "overtime": one_of("automatic", "ladder"),
                "play": _DURATION,
                "first_lead": _DURATION,
                "tribute": _DURATION,
                "give_back": _DURATION,
            }
        ),
    }
)
"""What the checker has to know of the rules."""

TABLE: Mapping[str, Shapes] = {
    "table_opened": {"game": one_of("guandan"), "rules": RULES},
    "seated": {
        "seat": _SEAT,
        "device": _ID,
        "player": _WORDS,
        "signing_key": _HEX32,
        "sealing_key": _HEX32,
    },
    "boards_committed": {
        "boards": list_of(fields({"board": _ID, "commitment": _HEX32})),
        "seeds": list_of(_HEX32),
    },
    "seat_ready": {"seat": _SEAT, "nonce": _HEX16},
    "beacon_drawn": {"beacon": _HEX32},
    "decision_opened": {
        "seat": _SEAT,
        "decision": one_of("lead", "follow", "tribute", "give_back"),
        "limit": _DURATION,
    },
    "paused": {"cause": _WORDS},
    "resumed": {"stopped": _DURATION},
    "recovered": {"stopped": _DURATION},
    "seat_lost": {"seat": _SEAT, "grace": _DURATION},
    "seat_found": {"seat": _SEAT, "stopped": _DURATION},
    "board_opened": {"board": _ID, "seed": _HEX32},
}
"""Fields of the records of the table itself."""

GUANDAN: Mapping[str, Shapes] = {
    "dealt": {
        "deal": _NUMBER,
        "board": _ID,
        "level": _LEVEL,
        "level_side": or_none(_SIDE),
        "first": _SEAT,
        "turned": or_none(_CARD),
        "hands": list_of(_cards, 4),
    },
    "tribute_due": {"payers": _SEATS, "receivers": _SEATS},
    "resisted": {"jokers": list_of(fields({"seat": _SEAT, "held": _NUMBER}))},
    "tribute_paid": _SECRET_CARD,
    "tributes_assigned": {"transfers": list_of(list_of(_SEAT, 2))},
    "given_back": _SECRET_CARD,
    "exchanged": {
        "exchanges": list_of(fields({"payer": _SEAT, "receiver": _SEAT, "paid": _CARD, "returned": _CARD}))
    },
    "lead_given": {
        "seat": _SEAT,
        "cause": one_of("heart_three", "turned_card", "first_place", "tribute", "named"),
    },
    "played": {
        "seat": _SEAT,
        "cards": _cards,
        "reading": fields({"type": _TYPE, "rank": _RANK, "size": _NUMBER}),
        "automatic": _flag,
    },
    "passed": {"seat": _SEAT, "automatic": _flag},
    "warned": {"seat": _SEAT},
    "infringed": {"seat": _SEAT},
    "turn_stopped": {"seat": _SEAT},
    "count_announced": {"seat": _SEAT, "count": _NUMBER},
    "went_out": {"seat": _SEAT, "place": _NUMBER},
    "trick_ended": {"winner": _SEAT, "leader": _SEAT, "partner_lead": _flag},
    "lead_moved": {"seat": _SEAT},
    "deal_lost": {"side": _SIDE},
    "deal_dropped": {"deal": _NUMBER},
    "deal_ended": {
        "deal": _NUMBER,
        "order": _SEATS,
        "winner": _SIDE,
        "rise": _NUMBER,
        "levels_before": list_of(_LEVEL, 2),
        "levels_after": list_of(_LEVEL, 2),
        "failed_a": list_of(_NUMBER, 2),
        "demoted": or_none(_SIDE),
        "next_level": or_none(_LEVEL),
        "next_side": or_none(_SIDE),
    },
    "leader_named": {"seat": _SEAT},
    "bell_rung": {},
    "game_ended": {
        "cause": one_of("past_a", "deals", "time"),
        "levels": list_of(_LEVEL, 2),
        "winner": or_none(_SIDE),
        "score": list_of(_NUMBER, 2),
    },
}
"""Fields of the records of Guandan."""

KINDS = {**TABLE, **GUANDAN}

SECRETS: Mapping[str, frozenset[str]] = {
    "boards_committed": frozenset({"seeds"}),
    "dealt": frozenset({"hands"}),
    "tribute_paid": frozenset({"card"}),
    "given_back": frozenset({"card"}),
}
"""The secret fields of the records that have any."""

# --- acts ------------------------------------------------------------------------------------------------

ACT = exactly(
    {
        "v": whole(1, 1),
        "id": _HEX16,
        "device": _ID,
        "session": _ID,
        "seq": whole(smallest=1),
        "event": _ID,
        "table": _ID,
        "deal": _NUMBER,
        "answers": _NUMBER,
        "seen": exactly({"epoch": _NUMBER, "n": _NUMBER, "hash": _HEX32}),
        "kind": _WORDS,
        "args": fields({}),
        "shown": _NUMBER,
        "acted": _NUMBER,
    }
)
"""What a device signs."""

ARGS: Mapping[str, Shape] = {
    "hello": exactly({"boot": _WORDS, "software": _WORDS}),
    "ready": exactly({"nonce": _HEX16}),
    "play": exactly({"cards": _WORDS, "type": _TYPE, "rank": _RANK}),
    "pass": exactly({}),
    "pay_tribute": exactly({"card": _CARD}),
    "give_back": exactly({"card": _CARD}),
}
"""Arguments of an act by its kind."""
