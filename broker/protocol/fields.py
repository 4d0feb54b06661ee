"""How a field of each type becomes plain JSON and comes back.

The *annotation* of a field decides: ``Card`` and ``Cards`` become card text, ``Rank`` the text of
a level, an enumeration its value, a record an object of its fields, a tuple a list. Annotations
are read once a class; ``form_of`` gives a tree of ready functions.

Reading is strict: a field that is missing, unknown, of the wrong type or out of range, and cards
that are not in canonical text or cannot come from two packs, raise ``Faults``, which name
everything that is wrong and its place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, NewType, Union, get_args, get_origin, get_type_hints

from broker.engine.cards import FACES, RANKS, format_card, format_cards
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading, format_type
from broker.engine.seats import SEATS

MAX_CARDS: Final = 28
"""The most cards that one seat can hold: a receiver between a tribute and its return."""
LARGEST: Final = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exact."""
LEVELS: Final = (*RANKS, "A+")
"""Text of each level; past A comes after A."""


class Fault(NamedTuple):
    """One thing that is wrong: its place, as field names joined by dots, and what it should be."""

    place: str
    text: str

    def under(self, place: str) -> Fault:
        """The same, as seen from the record that holds this one as ``place``."""
        return Fault(f"{place}.{self.place}".rstrip("."), self.text)

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


class Faults(ValueError):
    """Everything that is wrong with a value."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))


class Form(NamedTuple):
    """Both ways of one type: to plain JSON, and back from it (``Faults`` if it is not right)."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


def show(value: object) -> str:
    """A value that came from outside, short and without control characters, for a message."""
    text = ascii(value)
    return text if len(text) <= 40 else text[:37] + "..."


def clean(text: str) -> str:
    """Somebody else's message, which may quote what came from outside: one short printable line."""
    return "".join(sign if sign.isprintable() else "?" for sign in text[:200])


def form_of(kind: Any) -> Form:
    """The form of a type; ``TypeError`` if it has none."""
    form = _FORMS.get(kind)
    if form is None:
        form = _FORMS[kind] = _make_form(kind)
    return form


def _make_form(kind: Any) -> Form:
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType) and len(args) == 2 and NoneType in args:
        return _optional(form_of(next(arg for arg in args if arg is not NoneType)))
    if origin is tuple:
        return _list(form_of(args[0])) if args[-1] is Ellipsis else _fixed([form_of(arg) for arg in args])
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _text_of({member: member.value for member in kind}, "one of")
    return _record(kind)


def names_of(record: type[Any]) -> tuple[str, ...]:
    """Names of the fields of a dataclass or named tuple, in order."""
    if dataclasses.is_dataclass(record):
        return tuple(field.name for field in dataclasses.fields(record))
    names: tuple[str, ...] | None = getattr(record, "_fields", None)
    if names is None:
        raise TypeError(f"no form for {record!r}")
    return names


# --- single values -----------------------------------------------------------------------------------


def _fail(expected: str, value: object) -> Faults:
    return Faults([Fault("", f"must be {expected}, not {show(value)}")])


def _same(value: Any) -> Any:
    return value


def _whole(largest: int, smallest: int = 0) -> Form:
    def decode(value: Any) -> int:
        if type(value) is not int or not smallest <= value <= largest:
            raise _fail(f"a whole number from {smallest} to {largest}", value)
        return value

    return Form(_same, decode)


def _plain(kind: type[Any], expected: str) -> Form:
    def decode(value: Any) -> Any:
        if type(value) is not kind:
            raise _fail(expected, value)
        return value

    return Form(_same, decode)


def _text_of(table: Mapping[Any, str], expected: str) -> Form:
    """The form of values that each have one text."""
    back = {text: value for value, text in table.items()}

    def decode(text: Any) -> Any:
        if type(text) is not str or text not in back:
            raise _fail(f"{expected} {', '.join(back)}" if expected == "one of" else expected, text)
        return back[text]

    return Form(table.__getitem__, decode)


_CARD_TEXT: Final = tuple(format_card(card) for card in range(FACES))
CARD_OF: Final = {text: card for card, text in enumerate(_CARD_TEXT)}


def _decode_cards(text: Any) -> tuple[int, ...]:
    if type(text) is not str or len(text) > 3 * MAX_CARDS - 1:
        raise _fail(f"text of at most {MAX_CARDS} cards", text)
    words = text.split(" ") if text else []
    if unknown := [word for word in words if word not in CARD_OF]:
        raise _fail("cards with one blank between", unknown[0])
    cards = tuple([CARD_OF[word] for word in words])
    if any(one > two for one, two in pairwise(cards)):
        raise _fail("cards in ascending order", text)
    if any(one == three for one, three in zip(cards, cards[2:], strict=False)):
        raise _fail("cards of two packs", text)
    return cards


# --- compounds -------------------------------------------------------------------------------------------


def _optional(form: Form) -> Form:
    encode, decode = form
    return Form(
        encode if encode is _same else lambda value: None if value is None else encode(value),
        lambda value: None if value is None else decode(value),
    )


def _list(form: Form) -> Form:
    encode, read = form

    def decode(value: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise _fail("a list", value)
        return tuple(_each([read] * len(value), value))

    return Form(list if encode is _same else lambda value: [encode(item) for item in value], decode)


def _fixed(forms: list[Form]) -> Form:
    encoders = [form.encode for form in forms]
    decoders = [form.decode for form in forms]

    def decode(value: Any) -> tuple[Any, ...]:
        if type(value) is not list or len(value) != len(decoders):
            raise _fail(f"a list of {len(decoders)}", value)
        return tuple(_each(decoders, value))

    return Form(lambda value: [turn(item) for turn, item in zip(encoders, value, strict=True)], decode)


def _each(decoders: list[Callable[[Any], Any]], items: list[Any]) -> list[Any]:
    return list(_collect((str(i), decoders[i], item) for i, item in enumerate(items)).values())


def _record(kind: Any) -> Form:
    names = names_of(kind)
    hints = get_type_hints(kind, localns=_MARKS)
    forms = {name: form_of(hints[name]) for name in names}
    steps = [(name, None if form.encode is _same else form.encode) for name, form in forms.items()]

    def encode(record: Any) -> dict[str, Any]:
        return {
            name: getattr(record, name) if turn is None else turn(getattr(record, name))
            for name, turn in steps
        }

    def decode(value: Any) -> Any:
        if type(value) is not dict:
            raise _fail("an object of fields", value)
        if value.keys() != forms.keys():
            raise Faults([*_strangers(value, names), *faults_of_known(value)])
        return kind(**_collect((name, form.decode, value[name]) for name, form in forms.items()))

    def faults_of_known(value: dict[Any, Any]) -> tuple[Fault, ...]:
        try:
            _collect((name, form.decode, value[name]) for name, form in forms.items() if name in value)
        except Faults as wrong:
            return wrong.faults
        return ()

    return Form(encode, decode)


def _collect(fields: Iterable[tuple[str, Callable[[Any], Any], Any]]) -> dict[str, Any]:
    """Decoded values by name; ``Faults`` of all of them together."""
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, decode, value in fields:
        try:
            values[name] = decode(value)
        except Faults as wrong:
            faults += [fault.under(name) for fault in wrong.faults]
    if faults:
        raise Faults(faults)
    return values


def _strangers(value: Mapping[Any, Any], names: tuple[str, ...]) -> list[Fault]:
    """Faults for the fields that are missing and for those that nobody knows."""
    missing = [Fault(name, "is missing") for name in names if name not in value]
    strange = [key for key in value if key not in names]
    return missing + [Fault("", f"unknown field {show(key)}{_hint(key, names)}") for key in strange]


def _hint(key: Any, names: tuple[str, ...]) -> str:
    close = get_close_matches(key[:40], names, n=1) if isinstance(key, str) else []
    return f", did you mean {close[0]}?" if close else ""


# --- readings --------------------------------------------------------------------------------------------

_TYPE: Final = _text_of({member: format_type(member) for member in PlayType}, "one of")
_RANK: Final = _text_of(dict(enumerate((*RANKS, "LJ", "BJ"))), "a rank of 2 to A, LJ or BJ")
_SIZE: Final = _whole(MAX_CARDS, smallest=1)


def _encode_reading(reading: Reading) -> dict[str, Any]:
    rank = None if reading.rank == NO_RANK else _RANK.encode(reading.rank)
    return {"type": _TYPE.encode(reading.type), "rank": rank, "size": reading.size}


def _decode_rank(text: Any) -> int:
    rank: int = NO_RANK if text is None else _RANK.decode(text)
    return rank


_READING_FIELDS: Final = {"type": _TYPE.decode, "rank": _decode_rank, "size": _SIZE.decode}


def _decode_reading(value: Any) -> Reading:
    if type(value) is not dict:
        raise _fail("an object of fields", value)
    if value.keys() != _READING_FIELDS.keys():
        raise Faults(_strangers(value, tuple(_READING_FIELDS)))
    reading = Reading(**_collect((name, turn, value[name]) for name, turn in _READING_FIELDS.items()))
    if (reading.type is PlayType.JOKER_BOMB) != (reading.rank == NO_RANK):
        raise Faults([Fault("rank", "is null for the joker bomb, and only for it")])
    return reading


# --- the types that are known by name ----------------------------------------------------------------------

_Card = NewType("_Card", int)
_Cards = NewType("_Cards", tuple[int, ...])
_Rank = NewType("_Rank", int)
_Seat = NewType("_Seat", int)
_Side = NewType("_Side", int)

_MARKS: Final = {"Card": _Card, "Cards": _Cards, "Rank": _Rank, "Seat": _Seat, "Side": _Side}
"""The engine's aliases are all ``int``; by these, their names in annotations can be told apart."""

_FORMS: Final[dict[Any, Form]] = {
    _Card: _text_of(dict(enumerate(_CARD_TEXT)), "a card"),
    _Cards: Form(format_cards, _decode_cards),
    _Rank: _text_of(dict(enumerate(LEVELS)), "a level of 2 to A, or A+"),
    _Seat: _whole(len(SEATS) - 1),
    _Side: _whole(1),
    Reading: Form(_encode_reading, _decode_reading),
    int: _whole(LARGEST),
    bool: _plain(bool, "true or false"),
    str: _plain(str, "text"),
    Mapping[str, Any]: Form(dict, _plain(dict, "an object").decode),
}
