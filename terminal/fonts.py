"""The font of the seat screen: where a Chinese one is found. Kivy is touched by ``register`` only."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

_PACKAGE: Final = ("pylopdf_fonts_zh_cn", "NotoSansSC-Regular.otf")
_SYSTEM: Final = (
    Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"),
    Path("/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc"),
)


class FontMissing(Exception):
    """No Chinese font; the message says how to get one."""


def find_font() -> Path:
    """The font file: that of the Python package, else Debian's. ``FontMissing`` if there is none."""
    for path in (*_packaged(), *_SYSTEM):
        if path.is_file():
            return path
    raise FontMissing(
        "没有找到中文字体。请安装 Python 包 pylopdf-fonts-zh-cn，或 Debian 包 fonts-noto-cjk。\n"
        "No Chinese font was found. Install the Python package pylopdf-fonts-zh-cn, "
        "or the Debian package fonts-noto-cjk."
    )


def _packaged() -> tuple[Path, ...]:
    spec = find_spec(_PACKAGE[0])
    if spec is None or spec.origin is None:
        return ()
    return (Path(spec.origin).parent / _PACKAGE[1],)


def register() -> None:
    """Makes it the font of everything: Kivy's own default has no Chinese and no suits."""
    from kivy.core.text import LabelBase

    LabelBase.register("Roboto", str(find_font()))
