"""Files of settings that cannot be read: one mistake that says so, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from broker.sections import LARGEST, ConfigError, load_toml

UNREADABLE = {
    "deep": b"a = " + b"[" * 5_000 + b"]" * 5_000,
    "a number without end": b"a = " + b"9" * 6_000,
    "no text": b"\xff\x00\xfe",
    "another encoding": "a = 1".encode("utf-16"),
    "no such date": b"a = 2026-13-45",
    "cut off": b'a = "b',
    "too large": b"# " + b"x" * LARGEST,
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_toml_is_one_mistake(tmp_path: Path, name: str) -> None:
    file = tmp_path / "venue.toml"
    file.write_bytes(UNREADABLE[name])
    with pytest.raises(ConfigError) as caught:
        load_toml(file)
    (mistake,) = caught.value.mistakes
    assert mistake.key == "" and mistake.zh and mistake.en


def test_a_folder_and_nothing_are_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.toml"):
        with pytest.raises(ConfigError, match="cannot be read"):
            load_toml(path)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "venue.toml"
    file.write_bytes(b"\xef\xbb\xbfa = 1\n")
    assert load_toml(file) == {"a": 1}
