"""The checker believes nothing: whatever is changed in a transcript, and by whom, is reported."""

from __future__ import annotations

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
from broker.engine.cards import format_cards
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017
from broker.engine.shuffle import board_from, commitment, deal
from broker.verify.__main__ import main
from tests.tables.house import House
from tests.tables.test_sessions import forget
from tests.verify.forger import Forger, Told, found, lost, others, played, text

Change = Callable[[Forger], None]


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
    for place in chance.sample(range(len(raw)), 200):
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
    dealt.secret = {"hands": [format_cards(hand) for hand in deal(board)]}


def _other_opened_seed(game: Forger) -> None:
    game.of("board_opened").body["seed"] = "00" * 32


def _other_key(game: Forger) -> None:
    game.of("seated", 2).body["signing_key"] = game.of("seated", 1).body["signing_key"]


def _other_nonce(game: Forger) -> None:
    game.of("seat_ready", 3).body["nonce"] = "00" * 16


def _other_rules(game: Forger) -> None:
    game.of("table_opened").body["rules"]["announce_below"] = 25


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
def test_nobody_can_agree_to_break_the_rules(game: Forger, tmp_path: Path, change: Change, told: str) -> None:
    problems = _judged(game, tmp_path, change)
    assert any(told in problem for problem in problems), problems


def test_another_board_than_the_seed_gives_is_found(game: Forger, tmp_path: Path) -> None:
    problems = _judged(game, tmp_path, _other_seeds)
    assert problems and not any("board_opened" in problem for problem in problems)


UNRULED = {"player", "sealing_key", "rules", "automatic"}
"""Fields of which no rule says what they must hold, as long as everybody agrees."""


def _fields(told: Told) -> Iterator[tuple[dict[str, Any], str]]:
    for part in (told.body, told.secret or {}):
        yield from ((part, name) for name in part if name not in UNRULED)


def _all_changes(game: Forger, place: int, most: int, tmp_path: Path) -> None:
    """Every field of a record, by all who sign and seal everything anew: still the rules say no."""
    for field, (part, name) in enumerate(_fields(game.told[place])):
        for other in [other for other in others(part[name]) if other != part[name]][:most]:
            changed = game.copy()
            where, name = list(_fields(changed.told[place]))[field]
            where[name] = other
            if changed.told[place].act is not None:
                _sign_the_same(changed.told[place])
            assert found(tmp_path, text(changed.reseal(resign=True))), (game.told[place], name, other)


def _sign_the_same(told: Told) -> None:
    """The act says what the record says."""
    assert told.act is not None
    args, body = told.act["args"], {**told.body, **(told.secret or {})}
    args |= {name: body[name] for name in args if name in body}
    if "reading" in body:
        args |= {name: body["reading"].get(name) for name in ("type", "rank")}


def test_every_field_of_every_record_is_judged(short: Forger, tmp_path: Path) -> None:
    for place in range(len(short.told)):
        _all_changes(short, place, 9, tmp_path)


def test_every_field_of_a_tribute_is_judged(game: Forger, tmp_path: Path) -> None:
    known = {"tribute_paid", "given_back"}
    for kind in ("tribute_due", "tributes_assigned", "exchanged", "count_announced", "went_out", *known):
        _all_changes(game, game.told.index(game.of(kind)), 2, tmp_path)
    for kind in ("trick_ended", "deal_ended"):
        _all_changes(game, game.told.index(game.of(kind)), 1, tmp_path)


def test_every_cause_is_judged(short: Forger, tmp_path: Path) -> None:
    for place, told in enumerate(short.told):
        by = told.public["cause"]["by"]
        for other in {"seat", "clock", "authority", "referee"} - {by}:
            changed = short.copy()
            changed.told[place].public["cause"] = {"by": other}
            changed.told[place].act = None
            assert found(tmp_path, text(changed.reseal(resign=True))), (told.kind, by, other)
        changed = short.copy()
        changed.told[place].public["cause"] |= {"id": "0" * 32, "digest": "0" * 64}
        assert found(tmp_path, text(changed.reseal())), told.kind


def test_what_the_ladder_does_is_verified(tmp_path: Path) -> None:
    late = played(tmp_path, replace(HUAIAN, deals_per_game=1), acts=3, late=2)
    assert found(tmp_path, text(late.lines)) == []
    assert {"warned", "infringed", "turn_stopped", "lead_moved"} <= {told.kind for told in late.told}


def test_a_restored_log_goes_on_in_an_epoch_of_its_own(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.begin()
    house.hub.pause("t1", "call")
    house.settle()
    house.hub.resume("t1")
    house.settle()
    house.play(6)
    forget(house, 3)
    house.greet()
    house.hub.resume("t1")
    house.settle()
    house.play(3)
    restored = lost(house)
    assert found(tmp_path, text(restored.lines)) == []
    assert restored.told[-1].public["epoch"] == 2
    for place in (restored.told.index(restored.of(kind, 1)) for kind in ("paused", "resumed")):
        changed = restored.copy()
        for told in changed.told[place:]:
            told.public["epoch"] = 1
        assert any("epoch" in problem for problem in found(tmp_path, text(changed.reseal(resign=True))))
        changed = restored.copy()
        changed.told[place].public["cause"] = {"by": "authority"}
        changed.told[place].act = None
        changed.told[place].public["epoch"] = 9
        assert found(tmp_path, text(changed.reseal(resign=True)))


def test_a_time_out_counts_at_full_length(tmp_path: Path) -> None:
    late = played(tmp_path, replace(NATIONAL_2017, deals_per_game=1), acts=3, late=2)
    assert found(tmp_path, text(late.lines)) == []
    for kind, name, value in [
        ("played", "used", 24_999),
        ("passed", "used", 40_000),
        ("played", "by", "referee"),
    ]:
        changed = late.copy()
        told = next(told for told in changed.told if told.kind == kind and told.body["automatic"])
        told.public["cause"][name] = value
        assert found(tmp_path, text(changed.reseal(resign=True)))


# --- the command, and the folder by itself ----------------------------------------------------------------


def test_the_command_says_what_it_found(
    short: Forger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, none = (tmp_path / name for name in ("good", "bad", "none"))
    good.write_text(text(short.lines), "utf-8")
    bad.write_text(text([short.lines[0], *short.lines[1:-1] * 9, short.lines[-1]]), "utf-8")
    none.write_text("[]\n", "utf-8")
    assert [main([str(file)]) for file in (good, bad, none, tmp_path / "missing")] == [0, 1, 2, 2]
    assert main([str(good), str(none), str(bad)]) == 2
    told = capsys.readouterr()
    assert "核对无误 / verified" in told.out and "核对未通过 / NOT verified" in told.out
    assert short.header["authority_key"] in told.out
    assert "more" in told.out and len(told.out.splitlines()) < 200
    assert "line 1" in told.err and "Traceback" not in told.err


def test_the_folder_runs_by_itself_under_another_name(short: Forger, tmp_path: Path) -> None:
    home = Path(broker.verify.__file__).parent
    shutil.copytree(home, tmp_path / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "good").write_text(text(short.lines), "utf-8")
    command = [sys.executable, "-P", "-m", "checker", "good"]
    environment = {"PYTHONPATH": str(tmp_path), "PYTHONUTF8": "1"}
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "verified" in ran.stdout
