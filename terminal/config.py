"""Settings of a seat: one frozen record from one TOML file, all mistakes reported at once.

Every key with its default stands in ``Config`` (a window) or ``Seats`` (seats without one).
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeVar

from broker.protocol.fields import Fault, Faults, form_of

C = TypeVar("C", bound="Config | Seats")

SEARCHED: Final = (Path("terminal.toml"), Path("/etc/paizhuo/terminal.toml"))
"""Where settings are looked for if no file is named."""


LARGEST: Final = 1_000_000
"""Bytes of the largest file that is read."""


class Language(StrEnum):
    """Language of the screen."""

    CHINESE = "zh"
    ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Config:
    """One seat with a window. ``identity`` is the folder that enrolment made."""

    identity: str
    host: str
    port: int = 8883
    language: Language = Language.CHINESE
    text_scale: int = 100
    """Size of text in per cent: 100, 125 or 150."""
    four_colour: bool = False
    """A colour of its own for each suit."""
    high_contrast: bool = False
    left_handed: bool = False
    """Mirrors the bar of actions."""
    movement: bool = True
    """Cards glide; the game is the same without."""
    fullscreen: bool = False
    width: int = 1280
    height: int = 800
    dpi: int = 0
    """Dots per inch of the screen; 0: taken from the size of the window."""


@dataclass(frozen=True, slots=True)
class Seats:
    """Seats without a window, played by a policy. ``seats`` are folders that enrolment made."""

    host: str
    seats: tuple[str, ...]
    port: int = 8883
    policy: str = "careful"
    seed: int | None = None
    """With a seed the same positions bring the same choices, and boards are drawn from known nonces:
    for demonstrations."""
    think_ms: int = 0
    """Milliseconds between a decision and the answer to it, on average."""


class ConfigError(Exception):
    """A file of settings that cannot be used; ``mistakes`` lists all that is wrong with it."""

    def __init__(self, path: Path, mistakes: list[str]) -> None:
        head = f"配置文件有误 / Mistakes in {path}:"
        super().__init__("\n".join((head, *(f"  - {line}" for line in mistakes))))
        self.mistakes = tuple(mistakes)


def read_config(path: Path | None) -> Config:
    """Settings of a window; without a path, from the first file of ``SEARCHED`` that is there."""
    if path is not None:
        return _read(path, Config, _LIMITS)
    found = next((candidate for candidate in SEARCHED if candidate.is_file()), None)
    if found is None:
        places = ", ".join(map(str, SEARCHED))
        raise ConfigError(
            SEARCHED[0], [f"没有配置文件，请用 --config 指定 / none found, use --config ({places})"]
        )
    return _read(found, Config, _LIMITS)


def read_seats(path: Path, policies: Mapping[str, Any]) -> Seats:
    """Settings of seats without a window; ``policies`` are those that there are."""
    limits = {**_LIMITS, "policy": (policies.__contains__, f"one of {', '.join(policies)}")}
    return _read(path, Seats, limits)


_Limit = tuple[Callable[[Any], bool], str]

_LIMITS: Final[Mapping[str, _Limit]] = {
    "identity": (bool, "a folder"),
    "host": (bool, "a name or address"),
    "port": (lambda port: 1 <= port <= 65535, "from 1 to 65535"),
    "text_scale": (lambda scale: scale in (100, 125, 150), "100, 125 or 150"),
    "width": (lambda width: 480 <= width <= 7680, "from 480 to 7680"),
    "height": (lambda height: 320 <= height <= 4320, "from 320 to 4320"),
    "dpi": (lambda dpi: dpi == 0 or 60 <= dpi <= 600, "0, or from 60 to 600"),
    "seats": (lambda seats: bool(seats) and len(set(seats)) == len(seats), "one or more folders, none twice"),
    "think_ms": (lambda think: think <= 60_000, "at most 60000"),
}
"""What a value must be besides its type."""


def _read(path: Path, kind: type[C], limits: Mapping[str, _Limit]) -> C:
    """The record of the file; folders in it are relative to the file's own."""
    values = {**_defaults(kind), **_parse(path)}
    faults: tuple[Fault, ...] = ()
    try:
        config: C = form_of(kind).decode(values)
    except Faults as wrong:
        faults = wrong.faults
    right = {name: value for name, value in values.items() if name not in {fault.place for fault in faults}}
    faults += tuple(_out_of_limits(right, limits))
    if faults:
        raise ConfigError(path, [str(fault) for fault in faults])
    return _resolved(config, path.parent)


def _defaults(kind: type[Any]) -> dict[str, Any]:
    """Defaults as a file would give them."""
    given = ((field.name, field.default) for field in dataclasses.fields(kind))
    return {
        name: default.value if isinstance(default, StrEnum) else default
        for name, default in given
        if default is not dataclasses.MISSING
    }


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_read_text(path))
    except OSError as wrong:
        mistake = f"文件读不出来 / cannot be read: {wrong.strerror or wrong}"
    except UnicodeDecodeError:
        mistake = "不是 UTF-8 文本 / not UTF-8 text"
    except (ValueError, RecursionError) as wrong:  # also numbers and nesting that tomllib gives up on
        mistake = f"不是合法的 TOML / not TOML: {wrong}"
    raise ConfigError(path, [mistake])


def _read_text(path: Path) -> str:
    """The text; some editors put a byte order mark before it."""
    with path.open("rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise OSError(f"more than {LARGEST:,} bytes")
    return raw.decode("utf-8-sig")


def _out_of_limits(values: Mapping[str, Any], limits: Mapping[str, _Limit]) -> Iterator[Fault]:
    for name, value in values.items():
        if name in limits and not limits[name][0](value):
            yield Fault(name, f"must be {limits[name][1]}, not {value!r:.40}")


def _resolved(config: C, folder: Path) -> C:
    if isinstance(config, Config):
        return dataclasses.replace(config, identity=str(folder / config.identity))
    return dataclasses.replace(config, seats=tuple(str(folder / seat) for seat in config.seats))
