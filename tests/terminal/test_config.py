"""Settings of a seat: read whole, and all mistakes at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from broker.players import POLICIES
from terminal import config
from terminal.config import Config, ConfigError, Language, Seats, read_config, read_seats


def write(folder: Path, text: str) -> Path:
    path = folder / "seat.toml"
    path.write_text(text, "utf-8")
    return path


def mistakes_of(path: Path) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as error:
        read_config(path)
    assert str(path) in str(error.value)
    return error.value.mistakes


def test_defaults_and_folders_beside_the_file(tmp_path: Path) -> None:
    read = read_config(write(tmp_path, 'identity = "keys"\nhost = "hall.example"\n'))
    assert read == Config(identity=str(tmp_path / "keys"), host="hall.example")
    assert (read.port, read.language) == (8883, Language.CHINESE)


def test_every_key_can_be_set(tmp_path: Path) -> None:
    text = """
    identity = "/keys/seat-1"
    host = "192.0.2.10"
    port = 8884
    language = "en"
    text_scale = 150
    four_colour = true
    high_contrast = true
    left_handed = true
    movement = false
    fullscreen = true
    width = 800
    height = 480
    dpi = 133
    """
    expected = Config(
        identity="/keys/seat-1",
        host="192.0.2.10",
        port=8884,
        language=Language.ENGLISH,
        text_scale=150,
        four_colour=True,
        high_contrast=True,
        left_handed=True,
        movement=False,
        fullscreen=True,
        width=800,
        height=480,
        dpi=133,
    )
    assert read_config(write(tmp_path, text)) == expected


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    text = 'hots = "x"\nport = 70000\nlanguage = "fr"\ntext_scale = 110\nleft_handed = "yes"\ndpi = 5\n'
    mistakes = mistakes_of(write(tmp_path, text))
    for word in ("identity", "did you mean host", "port", "language", "text_scale", "left_handed", "dpi"):
        assert any(word in mistake for mistake in mistakes), word
    assert len(mistakes) == 8


@pytest.mark.parametrize("text", ["identity = ", "identity = 'a'\nidentity = 'b'", "[[["])
def test_what_is_not_toml(tmp_path: Path, text: str) -> None:
    assert "not TOML" in mistakes_of(write(tmp_path, text))[0]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "cannot be read" in mistakes_of(tmp_path / "none.toml")[0]
    path = tmp_path / "seat.toml"
    path.write_bytes(b"\xff\xfe")
    assert "not UTF-8" in mistakes_of(path)[0]


def test_without_a_name_the_usual_places_are_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "terminal.toml"
    monkeypatch.setattr(config, "SEARCHED", (path,))
    with pytest.raises(ConfigError, match="--config"):
        read_config(None)
    path.write_text('identity = "a"\nhost = "h"\n', "utf-8")
    assert read_config(None).host == "h"


def test_seats(tmp_path: Path) -> None:
    path = write(tmp_path, 'host = "h"\nseats = ["a", "/b"]\npolicy = "random"\nseed = 7\nthink_ms = 20\n')
    expected = Seats(host="h", seats=(str(tmp_path / "a"), "/b"), policy="random", seed=7, think_ms=20)
    assert read_seats(path, POLICIES) == expected


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("seats = []", "one or more"),
        ('seats = ["a", "a"]', "none twice"),
        ('seats = "a"', "a list"),
        ('seats = ["a"]\npolicy = "bold"', "one of random, careful"),
        ('seats = ["a"]\nthink_ms = 99999', "at most 60000"),
    ],
)
def test_mistakes_in_seats(tmp_path: Path, line: str, word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        read_seats(write(tmp_path, f'host = "h"\n{line}\n'), POLICIES)


@pytest.mark.parametrize(
    "raw",
    [b"a = " + b"[" * 5_000, b"port = " + b"9" * 6_000, b"\xff\x00", b"# " + b"x" * config.LARGEST],
)
def test_what_is_no_toml_is_a_mistake_too(tmp_path: Path, raw: bytes) -> None:
    path = write(tmp_path, "")
    path.write_bytes(raw)
    assert len(mistakes_of(path)) == 1


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = write(tmp_path, "\ufeffidentity = 'keys'\nhost = 'hall.example'\n")
    assert read_config(path).host == "hall.example"
