"""Reading TOML so that all mistakes of a file are found at once, each with what would be right.

``Section`` wraps one table of the file. Its methods return the value of a key, or note a mistake
and return something of the right type, so that reading goes on; ``done`` notes the keys that
nobody asked for. Quantities carry their unit: ``"25 s"``, ``"500 ms"``, ``"200 MB"``.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

DURATIONS: Final[Mapping[str, int]] = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000}
SIZES: Final[Mapping[str, int]] = {"kB": 1000, "MB": 1000**2, "GB": 1000**3}

LARGEST: Final = 1_000_000
"""Bytes of the largest file that is read."""

VISIBLE: Final = r"[^\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+"
"""A text without control characters, among them those that turn the direction of writing."""

_QUANTITY: Final = re.compile(r"(\d{1,12})\s*([A-Za-z]+)")
_E = TypeVar("_E", bound=StrEnum)
_T = TypeVar("_T")


class Need(Enum):
    """Stands for a default where there is none."""

    REQUIRED = "required"


REQUIRED: Final = Need.REQUIRED


class Mistake(NamedTuple):
    """One thing that is wrong: the key it is about, and what would be right."""

    key: str
    zh: str
    en: str


class ConfigError(Exception):
    """A file cannot be used. ``mistakes`` are all that were found; ``where`` is the file."""

    def __init__(self, where: str, mistakes: Sequence[Mistake]) -> None:
        self.where = where
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """One line a mistake: file, key, Chinese, English."""
        return [f"{self.where}: {m.key + ': ' if m.key else ''}{m.zh} / {m.en}" for m in self.mistakes]


def load_toml(path: Path) -> dict[str, Any]:
    """The contents of the file; ``ConfigError`` if it is not there or not TOML."""
    try:
        return tomllib.loads(_read_text(path))
    except OSError as error:
        zh, en = "读不了此文件", f"cannot be read: {error.strerror or error}"
    except UnicodeDecodeError:
        zh, en = "不是 UTF-8 文本", "is not UTF-8 text"
    except (ValueError, RecursionError) as error:  # also numbers and nesting that tomllib gives up on
        zh, en = "不是有效的 TOML", f"is not TOML: {error}"
    raise ConfigError(str(path), [Mistake("", zh, en)])


def _read_text(path: Path) -> str:
    """The text; some editors put a byte order mark before it."""
    with path.open("rb") as file:
        raw = file.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise OSError(f"more than {LARGEST:,} bytes")
    return raw.decode("utf-8-sig")


def write_toml(path: Path, contents: Mapping[str, Any]) -> None:
    """Writes texts, integers, lists and tables as TOML; the tables of the first level get a heading."""
    plain = {key: value for key, value in contents.items() if not isinstance(value, dict)}
    parts = [_lines(plain)]
    parts += [f"[{key}]\n{_lines(value)}" for key, value in contents.items() if isinstance(value, dict)]
    path.write_text("\n".join(parts), "utf-8")


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_inline(value)}\n" for key, value in table.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_inline(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(str(value) if isinstance(value, str) else value, ensure_ascii=False)


def suggestion(word: str, known: Iterable[str]) -> tuple[str, str]:
    """What may have been meant, or what there is, in Chinese and English."""
    names = sorted(known)
    close = get_close_matches(word.lower(), names, n=1, cutoff=0.6)
    if close:
        return f"是否想写“{close[0]}”？", f'did you mean "{close[0]}"?'
    return "可用：" + "、".join(names), "allowed: " + ", ".join(names)


class Section:
    """One table of a TOML file. A key without a default must be there."""

    def __init__(self, table: Mapping[str, Any], mistakes: list[Mistake], path: str = "") -> None:
        self._table = table
        self.mistakes = mistakes
        self._path = path
        self._asked: set[str] = set()

    def __contains__(self, key: str) -> bool:
        self._asked.add(key)
        return key in self._table

    def is_text(self, key: str, word: str) -> bool:
        """Whether the key is there and its value is that word."""
        self._asked.add(key)
        return bool(self._table.get(key) == word)

    def mistake(self, key: str, zh: str, en: str) -> None:
        """Notes a mistake about a key of this table."""
        self.mistakes.append(Mistake(f"{self._path}{key}".rstrip("."), zh, en))

    def text(
        self, key: str, default: str | Need = REQUIRED, *, form: str = VISIBLE, zh: str = "", en: str = ""
    ) -> str:
        """A text that matches the regular expression ``form``, described by ``zh`` and ``en``."""
        value = self._take(key, default)
        if isinstance(value, str) and (key not in self._table or re.fullmatch(form, value)):
            return value
        return self._wrong(key, zh or "文本", en or "a text", "")

    def integer(
        self, key: str, default: int | Need = REQUIRED, *, low: int, high: int, word: str = ""
    ) -> int:
        """An integer from ``low`` to ``high``; ``word`` is what the caller takes instead of one."""
        value = self._take(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        zh, en = (f'或 "{word}"', f' or "{word}"') if word else ("", "")
        return self._wrong(key, f"{low}–{high} 的整数{zh}", f"an integer from {low} to {high}{en}", low)

    def flag(self, key: str, default: bool | Need = REQUIRED) -> bool:
        """``true`` or ``false``."""
        value = self._take(key, default)
        if isinstance(value, bool):
            return value
        return self._wrong(key, "true 或 false", "true or false", False)

    def choice(self, key: str, kind: type[_E], default: _E | Need = REQUIRED) -> _E:
        """A member of an enumeration, written as its value."""
        value = self._take(key, default)
        if value in list(kind):
            return kind(value)
        zh, en = suggestion(str(value), kind)
        return self._wrong(key, f"所列取值之一（{zh}）", f"one of its values ({en})", next(iter(kind)))

    def duration(self, key: str, default: int | Need = REQUIRED, *, low: int, high: int) -> int:
        """Milliseconds, from ``low`` to ``high``, written with a unit."""
        return self._quantity(key, default, DURATIONS, low, high)

    def size(self, key: str, default: int | Need = REQUIRED, *, low: int, high: int) -> int:
        """Bytes, from ``low`` to ``high``, written with a unit."""
        return self._quantity(key, default, SIZES, low, high)

    def words(self, key: str, *, form: str, zh: str, en: str) -> tuple[str, ...]:
        """A list of texts that each match ``form``; empty if the key is not there."""
        value = self._take(key, [])
        if isinstance(value, list) and all(isinstance(v, str) and re.fullmatch(form, v) for v in value):
            return tuple(value)
        return self._wrong(key, zh, en, ())

    def section(self, key: str) -> Section:
        """The table of that name; an empty one if it is not there."""
        value = self._take(key, {})
        name = f"[{self._path}{key}]"
        table = value if isinstance(value, dict) else self._wrong(key, f"表 {name}", f"a table {name}", {})
        return Section(table, self.mistakes, f"{self._path}{key}.")

    def sections(self, key: str) -> list[Section]:
        """The tables of an array of tables; none if it is not there."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            name = f"[[{self._path}{key}]]"
            value = self._wrong(key, f"若干个表 {name}", f"tables {name}", [])
        path = f"{self._path}{key}"
        return [Section(item, self.mistakes, f"{path}[{i}].") for i, item in enumerate(value, start=1)]

    def done(self) -> None:
        """Notes every key that was never asked for."""
        for key in sorted(self._table.keys() - self._asked):
            zh, en = suggestion(key, self._asked)
            self.mistake(key, f"没有这个键，{zh}", f"unknown key, {en}")

    def _take(self, key: str, default: Any) -> Any:
        self._asked.add(key)
        return self._table.get(key, default)

    def _wrong(self, key: str, zh: str, en: str, instead: _T) -> _T:
        """Notes that the key is missing or not what it should be; returns ``instead``."""
        if key in self._table:
            value = self._table[key]
            self.mistake(key, f"应为 {zh}，而非 {value!r}", f"must be {en}, not {value!r}")
        else:
            self.mistake(key, f"缺少此键，应为 {zh}", f"is missing, must be {en}")
        return instead

    def _quantity(self, key: str, default: int | Need, units: Mapping[str, int], low: int, high: int) -> int:
        value = self._take(key, default)
        if key not in self._table and isinstance(value, int):
            return value
        amount = parse_quantity(value, units)
        if amount is not None and low <= amount <= high:
            return amount
        span = f'"{format_quantity(low, units)}" – "{format_quantity(high, units)}"'
        return self._wrong(key, f"带单位的数 {span}", f"a number with its unit, {span}", low)


def parse_quantity(value: Any, units: Mapping[str, int]) -> int | None:
    """The amount in the smallest unit; None if ``value`` is not a number with one of the units."""
    match = _QUANTITY.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None or match[2] not in units:
        return None
    return int(match[1]) * units[match[2]]


def format_quantity(amount: int, units: Mapping[str, int]) -> str:
    """The amount in the largest unit that divides it."""
    for unit, factor in sorted(units.items(), key=lambda item: -item[1]):
        if amount % factor == 0 and amount:
            return f"{amount // factor} {unit}"
    return f"{amount} {next(iter(units))}"
