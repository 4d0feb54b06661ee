"""Transcripts: what the independent checker gets, and that it believes nothing that was changed."""

from __future__ import annotations

import json
import os
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017
from broker.tables.export import export_transcript
from broker.tables.log import Log, LogError
from broker.tables.rows import TableKey
from broker.verify.audit import Report, check
from tests.tables.house import EVENT, VENUE, House, kinds

KEY = TableKey(EVENT, "t1")


def exported(house: House) -> list[dict[str, Any]]:
    path = house.folder / "t1.jsonl"
    count = export_transcript(house.log, KEY, house.keys, path)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert count == sum("public" in line for line in lines)
    return lines


def checked(house: House, lines: list[dict[str, Any]]) -> Report:
    path = house.folder / "changed.jsonl"
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return check(path)


@pytest.mark.parametrize("rules", [NATIONAL_2017, replace(HUAIAN, deals_per_game=3)])
def test_a_whole_game_is_verified(tmp_path: Path, rules: Any) -> None:
    house = House(tmp_path, rules=rules)
    house.begin()
    acts = house.play()
    report = checked(house, exported(house))
    assert report.problems == []
    assert report.verified
    assert (report.deals, report.boards, report.signed) == (3, 4, acts + 4)
    house.stop()


def test_time_outs_and_stoppages_are_verified(playing: House) -> None:
    playing.play(acts=5)
    playing.moment.pass_by(60_000)
    playing.settle()
    playing.stop()
    playing.start()
    playing.greet()
    playing.hub.pause("t1", "call")
    playing.settle()
    playing.hub.resume("t1")
    playing.settle()
    playing.play()
    report = checked(playing, exported(playing))
    assert report.problems == [] and report.verified


def test_while_boards_are_closed_no_secret_is_exported(playing: House) -> None:
    playing.play(acts=5)
    lines = exported(playing)
    assert not any("secret" in line or "salt" in line or "checkpoint" in line for line in lines)
    assert not any(board.seed.hex() in json.dumps(lines) for board in playing.plan().boards)
    report = checked(playing, lines)
    assert report.sealed == 2 and not report.verified


def test_while_a_tribute_is_secret_so_is_the_act_that_names_it(tmp_path: Path) -> None:
    house = House(tmp_path, rules=NATIONAL_2017)
    house.begin()
    while "exchanged" not in kinds(house):
        house.play(1)
        house.moment.pass_by(house.settings.deal_pause)
        house.settle()
    lines = exported(house)
    acts = [b64decode(line["envelope"]) for line in lines if "envelope" in line]
    assert acts and not any(b"pay_tribute" in act or b"give_back" in act for act in acts)
    assert checked(house, lines).problems == [(len(lines) - 1, "the venue's signed checkpoint is missing")]
    house.play()
    assert any(b"pay_tribute" in b64decode(line.get("envelope", "")) for line in exported(house))
    house.stop()


def test_the_header_names_the_table_and_the_key(playing: House) -> None:
    header = exported(playing)[0]
    key = playing.keys.signing.public_key().public_bytes_raw().hex()
    assert header == {
        "format": "paizhuo-transcript/1",
        "venue": VENUE,
        "event": EVENT,
        "table": "t1",
        "epoch": 1,
        "authority_key": key,
    }


@pytest.mark.parametrize("field", ["public", "hash", "secret", "salt", "envelope"])
def test_any_change_is_found(playing: House, field: str) -> None:
    playing.play()
    lines = exported(playing)
    place = next(i for i, line in enumerate(lines) if field in line and i > 9)
    text = lines[place][field]
    lines[place][field] = (
        text[:40] + ("0" if text[40] != "0" else "1") + text[41:] if len(text) > 41 else "00" * 16
    )
    try:
        assert not checked(playing, lines).verified
    except Exception as error:  # a line that cannot be read any more is found too
        assert "line" in str(error)


def test_a_record_left_out_is_found(playing: House) -> None:
    playing.play()
    lines = exported(playing)
    assert not checked(playing, lines[:-2] + lines[-1:]).verified
    assert not checked(playing, lines[:30] + lines[31:]).verified


def test_a_reader_exports_while_the_authority_writes(playing: House) -> None:
    reader = Log.open(f"sqlite:///{playing.path}", VENUE, reading=True)
    assert export_transcript(reader, KEY, playing.keys, playing.folder / "now.jsonl") == playing.table.chain.n
    reader.close()


def test_a_table_that_is_not_there_is_told(playing: House) -> None:
    with pytest.raises(LogError, match="no table t9"):
        export_transcript(playing.log, TableKey(EVENT, "t9"), playing.keys, playing.folder / "x")
    assert not (playing.folder / "x").exists()


def test_a_file_that_cannot_be_written_is_told(playing: House) -> None:
    with pytest.raises(LogError, match="cannot write"):
        export_transcript(playing.log, KEY, playing.keys, playing.folder / "missing" / "x")


@pytest.mark.parametrize("name", ["", ".", "..", "folder"])
def test_a_folder_is_no_file_and_nothing_is_left_of_the_attempt(
    playing: House, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here" / "folder").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(LogError, match="Name another file"):
        export_transcript(playing.log, KEY, playing.keys, Path(name))
    assert not list(tmp_path.rglob("*part"))


def test_what_is_no_file_is_written_to_and_stays_what_it_is(playing: House, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    count = export_transcript(playing.log, KEY, playing.keys, pipe)
    assert os.read(reader, 1 << 20).count(b'"public"') == count
    assert pipe.is_fifo()
    os.close(reader)


def test_acts_of_another_venue_s_key_do_not_open(playing: House) -> None:
    other = playing.keys._replace(store=bytes(32))
    with pytest.raises(LogError, match="another key"):
        export_transcript(playing.log, KEY, other, playing.folder / "x.jsonl")
