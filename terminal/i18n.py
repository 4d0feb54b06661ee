"""Words of the seat screen by key, from gettext catalogues. No sentence stands in the code.

A message id is a key; fields in braces are filled in by name. A key that ends in ``.short`` is
the catalogue's own short form, for places where the long one has no room.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from babel.messages.pofile import read_po

LANGUAGES: Final = ("zh_CN", "en")
"""Languages that there are; the first is the default."""

_FOLDER: Final = Path(__file__).parent / "locales"
_SHORT: Final = ".short"


class Catalogue:
    """The words of one language."""

    def __init__(self, language: str, messages: Mapping[str, str]) -> None:
        self.language = language
        self._messages = messages

    @property
    def keys(self) -> frozenset[str]:
        """All keys."""
        return frozenset(self._messages)

    def has(self, key: str) -> bool:
        """Whether there are words for the key."""
        return key in self._messages

    def text(self, key: str, **fields: object) -> str:
        """The words of a key, its fields filled in. ``KeyError`` if key or field is missing."""
        return self._messages[key].format_map(fields)

    def short(self, key: str, **fields: object) -> str:
        """The short form of a key, or its only form."""
        return self.text(key + _SHORT if key + _SHORT in self._messages else key, **fields)

    def fields(self, key: str) -> frozenset[str]:
        """Names of the fields in the words of a key."""
        parts = string.Formatter().parse(self._messages[key])
        return frozenset(name for _, name, _, _ in parts if name is not None)


@cache
def load(language: str) -> Catalogue:
    """The catalogue of a language of ``LANGUAGES``; ``ValueError`` names those that there are."""
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    with (_FOLDER / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    return Catalogue(language, {str(m.id): str(m.string) for m in catalogue if m.id and m.string})
