"""Records of the engine as plain JSON: events, views, rules, acts; and what is told to a device.

Cards, ranks and types of play are text on the wire (``fields``). Whatever cannot be read is
``Malformed``, with everything that is wrong in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from broker.engine.cards import FACES
from broker.engine.game import Event
from broker.engine.games import GAMES, Package, by_wire_name
from broker.protocol.chain import NONCE_BYTES
from broker.protocol.fields import CARD_OF, Faults, Form, clean, form_of, names_of, show
from broker.protocol.happenings import HAPPENINGS
from broker.protocol.messages import DeviceStatus, Hello, Ready, Told
from broker.protocol.topics import is_id
from broker.protocol.verdict import Malformed

_HAPPENINGS: Final = by_wire_name(*HAPPENINGS)
_KIND: Final[Mapping[type[Any], str]] = {
    kind: name
    for table in (_HAPPENINGS, *(table for game in GAMES.values() for table in (game.events, game.actions)))
    for name, kind in table.items()
}
"""Wire name of every event and action."""

_NONCE: Final = re.compile(rf"[0-9a-f]{{{2 * NONCE_BYTES}}}")

_json: Final = msgspec.json.Encoder()
_told: Final = msgspec.json.Decoder(Told)
_status: Final = msgspec.json.Decoder(DeviceStatus)


# --- events ------------------------------------------------------------------------------------------------


def encode_event(event: Event) -> tuple[str, dict[str, Any], dict[str, Any] | None]:
    """(wire name, public part, secret part); the last is None if nothing of it is secret."""
    kind = type(event)
    public = form_of(kind).encode(event)
    if not kind.SECRET:
        return _KIND[kind], public, None
    return _KIND[kind], public, {name: public.pop(name) for name in kind.SECRET}


def decode_event(game: str, kind: str, public: Mapping[str, Any], secret: Mapping[str, Any] | None) -> Event:
    """The event of a game or of its table. An event with a secret part needs both parts."""
    event = _HAPPENINGS.get(kind) or _package(game).events.get(kind)
    if event is None:
        raise Malformed(f"no event of {game} has the name {show(kind)}")
    hidden = dict(secret or {})
    if hidden.keys() != set(event.SECRET) or public.keys() & hidden.keys():
        raise Malformed(f"{kind}: its secret part must hold exactly: {', '.join(event.SECRET) or 'nothing'}")
    decoded: Event = _read(form_of(event), {**public, **hidden}, kind)
    return decoded


# --- views -------------------------------------------------------------------------------------------------


def encode_public_view(view: Any) -> bytes:
    """JSON of a game's public view."""
    return _json.encode(form_of(type(view)).encode(view))


def decode_public_view(game: str, raw: bytes | msgspec.Raw) -> Any:
    """The public view that ``encode_public_view`` wrote."""
    return _read(form_of(_package(game).public_view), _parse(raw, "public view"), "public view")


def encode_own_view(view: Any) -> bytes:
    """JSON of what one seat alone may know; to be sealed."""
    return _json.encode(form_of(type(view)).encode(view))


def decode_own_view(game: str, raw: bytes | msgspec.Raw) -> Any:
    """The own view that ``encode_own_view`` wrote."""
    return _read(form_of(_package(game).own_view), _parse(raw, "own view"), "own view")


# --- rules -------------------------------------------------------------------------------------------------


def encode_rules(rules: Any) -> dict[str, Any]:
    """Rules as plain JSON, complete: every setting is in it."""
    encoded: dict[str, Any] = form_of(type(rules)).encode(rules)
    return encoded


def decode_rules(game: str, rules: Mapping[str, Any]) -> Any:
    """The rules of a game; ``Malformed`` names all settings that are wrong, missing or unknown."""
    return _read(form_of(_package(game).rules), dict(rules), "rules")


# --- acts --------------------------------------------------------------------------------------------------


def encode_act(action: Any) -> tuple[str, dict[str, Any]]:
    """(kind, arguments) of an action of play; the seat is known by who signs it.

    A reading is told by ``type`` and ``rank`` beside the cards; its size is their number.
    """
    args = form_of(type(action)).encode(action)
    del args["seat"]
    if reading := args.pop("reading", None):
        args |= {"type": reading["type"], "rank": reading["rank"]}
    return _KIND[type(action)], args


def decode_act(game: str, kind: str, args: Mapping[str, Any], seat: int) -> Any:
    """The action that a seat asks for. Cards may come in any order; they are put into order."""
    action = _package(game).actions.get(kind)
    if action is None:
        raise Malformed(f"no act of {game} has the name {show(kind)}")
    if unknown := args.keys() & {"seat", "reading"}:
        raise Malformed(f"{kind}: unknown field {show(min(unknown))}")
    fields = {"seat": seat, **args}
    if "cards" in args:
        fields["cards"] = _in_order(args["cards"])
    if "reading" in names_of(action):
        fields["reading"] = _reading(fields)
    return _read(form_of(action), fields, kind)


def _in_order(cards: Any) -> Any:
    """Card text put into order; what is no card stays in it, to be found by the strict reader."""
    if not isinstance(cards, str):
        return cards
    return " ".join(sorted(cards.split(" "), key=lambda word: CARD_OF.get(word, FACES)))


def _reading(fields: dict[str, Any]) -> dict[str, Any]:
    """The reading that ``fields`` declare, whose own names for it are taken out of them."""
    cards = fields.get("cards")
    declared: dict[str, Any] = {name: fields.pop(name) for name in ("type", "rank") if name in fields}
    size = len(cards.split()) if isinstance(cards, str) else 0
    return {**declared, "size": size}


def decode_hello(args: Mapping[str, Any]) -> Hello:
    """The arguments of an act ``hello``."""
    hello: Hello = _guarded(lambda fields: msgspec.convert(fields, Hello), args, "hello")
    return hello


def decode_ready(args: Mapping[str, Any]) -> Ready:
    """The arguments of an act ``ready``; its nonce is 16 bytes of lower-case hex."""
    ready: Ready = _guarded(lambda fields: msgspec.convert(fields, Ready), args, "ready")
    if not _NONCE.fullmatch(ready.nonce):
        raise Malformed(f"ready: nonce: must be {NONCE_BYTES} bytes of hex, not {show(ready.nonce)}")
    return ready


def decode_status(raw: bytes) -> DeviceStatus:
    """What a device says of its life, on its status topic."""
    status: DeviceStatus = _guarded(_status.decode, raw, "status")
    if not is_id(status.session):
        raise Malformed(f"status: session: must be an id, not {show(status.session)}")
    return status


# --- what is told to a device ------------------------------------------------------------------------------


def encode_told(told: Told) -> bytes:
    """JSON of one message on a device's ``in`` topic."""
    return _json.encode(told)


def decode_told(raw: bytes) -> Told:
    """The message; fields of a newer minor version are ignored."""
    told: Told = _guarded(_told.decode, raw, "message")
    return told


# --- the one place where what cannot be read becomes Malformed ---------------------------------------------


def _read(form: Form, value: Any, what: str) -> Any:
    try:
        return form.decode(value)
    except Faults as wrong:
        raise Malformed(f"{what}: {wrong}") from None


def _parse(raw: bytes | msgspec.Raw, what: str) -> Any:
    return _guarded(msgspec.json.decode, raw, what)


def _guarded(decode: Callable[[Any], Any], raw: Any, what: str) -> Any:
    try:
        return decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
        raise Malformed(f"{what}: {clean(str(wrong))}") from None


def _package(game: str) -> Package:
    try:
        return GAMES[game]
    except KeyError:
        raise Malformed(f"no game has the name {show(game)}") from None
