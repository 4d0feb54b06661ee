"""The checker believes nothing: whatever is changed in a transcript, and by whom, is reported."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import broker.verify
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017
from broker.engine.shuffle import board_from, commitment, deal
from broker.protocol import chain
from broker.protocol.codec import encode_event
from broker.protocol.fields import form_of
from broker.verify.__main__ import main
from tests.verify.forger import Forger, Told, found, others, played, text

Change = Callable[[Forger], None]

NATIONAL = replace(NATIONAL_2017, deals_per_game=2)
ONE_DEAL = replace(HUAIAN, deals_per_game=1)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Forger:
    """Two deals, with a tribute between them."""
    return played(tmp_path_factory.mktemp("game"), NATIONAL)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Forger:
    """Six plays, then the deal is lost by ruling."""
    return played(tmp_path_factory.mktemp("short"), ONE_DEAL, acts=6)


def test_a_transcript_put_together_again_is_the_same(game: Forger, tmp_path: Path) -> None:
    assert game.reseal() == game.lines
    assert found(tmp_path, text(game.lines)) == []
    assert found(tmp_path, text(game.reseal(resign=True))) == []
    kinds = {told.kind for told in game.told}
    assert {"tribute_paid", "given_back", "exchanged", "trick_ended", "count_announced"} <= kinds


# --- somebody without a key ---------------------------------------------------------------------------


def test_any_byte_that_is_changed_is_found(short: Forger, tmp_path: Path) -> None:
    raw = text(short.lines).encode()
    chance = Random(8)
    for place in chance.sample(range(len(raw)), 300):
        byte = raw[place] ^ 1 << chance.randrange(8)
        assert found(tmp_path, raw[:place] + bytes([byte]) + raw[place + 1 :]), (place, raw[place], byte)


def test_any_byte_that_is_missing_is_found(short: Forger, tmp_path: Path) -> None:
    raw = text(short.lines).encode()
    for place in (*Random(9).sample(range(len(raw)), 100), len(raw) - 1):
        assert found(tmp_path, raw[:place] + raw[place + 1 :]), place
    for place in range(0, len(raw), len(raw) // 40):
        assert found(tmp_path, raw[:place]), place


def test_every_field_of_every_line_counts(short: Forger, tmp_path: Path) -> None:
    for place, line in enumerate(short.lines):
        for name in line:
            without = {other: value for other, value in line.items() if other != name}
            for changed in (without, *({**line, name: other} for other in others(line[name]))):
                lines = [*short.lines[:place], changed, *short.lines[place + 1 :]]
                assert found(tmp_path, text(lines)), (place, name, changed)


def test_lines_left_out_repeated_or_exchanged_are_found(short: Forger, tmp_path: Path) -> None:
    lines = short.lines
    for place in range(len(lines)):
        assert found(tmp_path, text(lines[:place] + lines[place + 1 :])), place
        assert found(tmp_path, text(lines[: place + 1] + lines[place:])), place
    for place in range(len(lines) - 1):
        one, two = lines[place : place + 2]
        assert found(tmp_path, text([*lines[:place], two, one, *lines[place + 2 :]])), place


def test_hex_and_base64_have_one_form(short: Forger, tmp_path: Path) -> None:
    for name, change in [
        ("hash", str.upper),
        ("hash", lambda digits: " " + digits),
        ("salt", str.upper),
        ("envelope", lambda digits: digits + "\n"),
        ("envelope", lambda digits: b64encode(b64decode(digits) + b"\0").decode()),
    ]:
        lines = short.copy().lines
        line = next(line for line in lines if name in line)
        line[name] = change(line[name])
        assert found(tmp_path, text(lines)), name


def test_a_checkpoint_has_one_form(short: Forger, tmp_path: Path) -> None:
    tag = cbor2.loads(b64decode(short.checkpoint))
    protected, _, payload, signature = tag.value
    for parts in ([protected, {4: b"x"}, payload, signature], [protected, {}, payload, signature, 0]):
        other = cbor2.dumps(cbor2.CBORTag(18, parts))
        lines = [*short.lines[:-1], {"checkpoint": b64encode(other).decode()}]
        assert found(tmp_path, text(lines))
    for raw in (b64decode(short.checkpoint) + b"\0", b64decode(short.checkpoint)[1:]):
        assert found(tmp_path, text([*short.lines[:-1], {"checkpoint": b64encode(raw).decode()}]))


def test_unknown_fields_of_a_line_mean_nothing(short: Forger, tmp_path: Path) -> None:
    assert found(tmp_path, text([{**line, "newer": [1]} for line in short.lines])) == []


def test_the_wrong_authority_key_is_found(short: Forger, tmp_path: Path) -> None:
    other = Ed25519PrivateKey.generate()
    changed = short.copy()
    changed.venue = other
    assert found(tmp_path, text(changed.reseal()))
    changed.header["authority_key"] = other.public_key().public_bytes_raw().hex()
    assert found(tmp_path, text(changed.reseal())) == []  # only the published key can tell
    assert found(tmp_path, text([changed.header, *short.lines[1:]]))


def test_a_checkpoint_of_an_earlier_state_is_found(short: Forger, tmp_path: Path) -> None:
    earlier = short.copy()
    earlier.told.pop()
    (problem,) = found(tmp_path, text([*short.lines[:-1], earlier.reseal()[-1]]))
    assert "another state" in problem


# --- the venue itself ---------------------------------------------------------------------------------


def _strip_play(game: Forger) -> None:
    """A play that no seat signed."""
    told = game.of("played", 3)
    told.act = None
    told.public["cause"] = {"by": "authority"}


def _automatic(kind: str) -> Change:
    def change(game: Forger) -> None:
        told = game.of(kind, 2)
        told.act = None
        told.body["automatic"] = True
        told.public["cause"] = {"by": "clock", "used": 25_000}

    return change


def _other_cards(game: Forger) -> None:
    hand = game.of("dealt").secret["hands"][1].split()  # type: ignore[index]
    told = next(told for told in game.told if told.kind == "played" and told.body["seat"] == 1)
    told.body["cards"] = hand[0]


def _swapped_hands(game: Forger) -> None:
    hands = game.of("dealt").secret["hands"]  # type: ignore[index]
    hands[0], hands[2] = hands[2], hands[0]


def _other_seeds(game: Forger) -> None:
    """Boards that suit the venue, with commitments to match, made up after the beacon was drawn."""
    committed = game.of("boards_committed")
    beacon = bytes.fromhex(game.of("beacon_drawn").body["beacon"])
    for place, told in enumerate(committed.body["boards"]):
        seed = bytes([place]) * 32
        told["commitment"] = commitment(seed, told["board"]).hex()
        committed.secret["seeds"][place] = seed.hex()  # type: ignore[index]
        game.of("board_opened", place).body["seed"] = seed.hex()
    board = board_from(bytes(32), beacon, committed.body["boards"][0]["board"])
    dealt = game.of("dealt")
    dealt.body["first"] = board.first
    dealt.secret = {"hands": [form_of_hand(hand) for hand in deal(board)]}


def form_of_hand(hand: tuple[int, ...]) -> str:
    from broker.engine.cards import format_cards

    return format_cards(hand)


def _other_opened_seed(game: Forger) -> None:
    game.of("board_opened").body["seed"] = "00" * 32


def _other_key(game: Forger) -> None:
    game.of("seated", 2).body["signing_key"] = game.of("seated", 1).body["signing_key"]


def _other_nonce(game: Forger) -> None:
    game.of("seat_ready", 3).body["nonce"] = "00" * 16


def _other_rules(game: Forger) -> None:
    game.of("table_opened").body["rules"]["announce_below"] = 9


def _left_out(game: Forger) -> None:
    game.told.remove(game.of("passed", 4))


def _repeated(game: Forger) -> None:
    told = game.of("passed", 4)
    game.told.insert(game.told.index(told), told)


def _exchanged(game: Forger) -> None:
    place = game.told.index(game.of("played", 5))
    game.told[place - 1 : place + 1] = game.told[place - 1 : place + 1][::-1]


def _cut_off(game: Forger) -> None:
    del game.told[-1]


def _ended_early(game: Forger) -> None:
    """As if there had been no second deal."""
    last = game.of("deal_ended")
    opened = [told for told in game.told if told.kind == "board_opened"]
    game.told[game.told.index(last) + 1 :] = opened


BY_THE_VENUE: dict[str, Change] = {
    "play without a signature": _strip_play,
    "play marked automatic": _automatic("played"),
    "pass marked automatic": _automatic("passed"),
    "other cards": _other_cards,
    "hands exchanged": _swapped_hands,
    "other boards": _other_seeds,
    "other seed": _other_opened_seed,
    "other key of a seat": _other_key,
    "other nonce": _other_nonce,
    "other rules": _other_rules,
    "record left out": _left_out,
    "record repeated": _repeated,
    "records exchanged": _exchanged,
    "end cut off": _cut_off,
    "ended early": _ended_early,
}


@pytest.mark.parametrize("change", BY_THE_VENUE.values(), ids=BY_THE_VENUE)
def test_what_the_venue_changes_is_found(game: Forger, tmp_path: Path, change: Change) -> None:
    changed = game.copy()
    change(changed)
    assert found(tmp_path, text(changed.reseal()))


def test_a_log_written_anew_does_not_fit_what_the_seats_signed(game: Forger, tmp_path: Path) -> None:
    """Even what no rule says anything about: every later act names the hash of what it had seen."""
    for name, value in [("at", 1), ("stage", "other"), ("round", 7)]:
        changed = game.copy()
        changed.told[5].public[name] = value
        assert any("another past" in problem for problem in found(tmp_path, text(changed.reseal())))


def test_an_act_of_another_table_does_not_count(game: Forger, short: Forger, tmp_path: Path) -> None:
    changed = game.copy()
    act = changed.of("passed", 1).act
    assert act is not None
    act |= {"table": "t2"}
    assert any("another one" in problem for problem in found(tmp_path, text(changed.reseal(resign=True))))


# --- the venue and all four seats together ------------------------------------------------------------


def _judged(game: Forger, tmp_path: Path, change: Change) -> list[str]:
    changed = game.copy()
    change(changed)
    return found(tmp_path, text(changed.reseal(resign=True)))


TOGETHER: dict[str, tuple[Change, str]] = {
    "hands exchanged": (_swapped_hands, "not the hands of the board"),
    "other seed": (_other_opened_seed, "another seed"),
    "other nonce": (_other_nonce, "beacon"),
    "record left out": (_left_out, "owes no follow"),
    "record repeated": (_repeated, ""),
    "records exchanged": (_exchanged, ""),
    "end cut off": (_cut_off, "never opened"),
    "ended early": (_ended_early, "before the game was over"),
    "other rules": (_other_rules, ""),
}


@pytest.mark.parametrize(("change", "told"), TOGETHER.values(), ids=TOGETHER)
def test_nobody_can_agree_to_break_the_rules(
    game: Forger, tmp_path: Path, change: Change, told: str
) -> None:
    problems = _judged(game, tmp_path, change)
    assert any(told in problem for problem in problems), problems


def test_another_board_than_the_seed_gives_is_found(game: Forger, tmp_path: Path) -> None:
    problems = _judged(game, tmp_path, _other_seeds)
    assert problems and not any("board_opened" in problem for problem in problems)


_UNRULED = {
    ("seated", "device"),
    ("seated", "player"),
    ("seated", "sealing_key"),
    ("decision_opened", "used"),
}
"""Fields of which no rule says what they must hold, as long as everybody agrees."""


def _samples(game: Forger) -> Iterator[int]:
    """Places of two records of each kind."""
    seen: dict[str, int] = {}
    for place, told in enumerate(game.told):
        seen[told.kind] = seen.get(told.kind, 0) + 1
        if seen[told.kind] in (1, 3):
            yield place


def test_every_field_of_every_record_is_judged(game: Forger, tmp_path: Path) -> None:
    """Changed by all together, who sign and seal everything anew: still the rules say no."""
    for place in _samples(game):
        kind = game.told[place].kind
        for part in ("body", "secret"):
            for name, value in ((game.told[place].body if part == "body" else game.told[place].secret) or {}).items():
                if (kind, name) in _UNRULED or (kind, name) == ("table_opened", "rules"):
                    continue
                for other in list(others(value))[:4]:
                    changed = game.copy()
                    told = changed.told[place]
                    (told.body if part == "body" else told.secret)[name] = other  # type: ignore[index]
                    assert found(tmp_path, text(changed.reseal(resign=True))), (kind, name, value, other)
