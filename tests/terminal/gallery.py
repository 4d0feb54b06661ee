"""Pictures of every state of the seat screen, at both sizes and in both languages.

``python -m tests.terminal.gallery FOLDER [PART …]``: only states whose name holds one of the parts.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from terminal import window
from tests.terminal.screens import scene, states

SIZES = ((1280, 800), (800, 480))
NAMES = {"zh_CN": scene.CHINESE_NAMES, "en": scene.ENGLISH_NAMES}


def main(arguments: list[str]) -> int:
    """Writes the pictures into a folder; 0."""
    folder, parts = Path(arguments[0]), arguments[1:]
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    window.prepare(*SIZES[0])
    window.open_window()
    for name in (*states.STATES, *states.CHOICES):
        if parts and not any(part in name for part in parts):
            continue
        for width, height in SIZES:
            for language in NAMES:
                _take(folder / f"{name}-{width}x{height}-{language}.png", name, (width, height), language)
    return 0


def _take(path: Path, name: str, size: tuple[int, int], language: str) -> None:
    from tests.terminal.screens.stand import Stand

    with Stand(size, language) as stand:
        if name in states.CHOICES:
            stand.play(states.choice_scene(name, NAMES[language]))
            stand.press(stand.page.controls.commit)
        else:
            stand.play(states.STATES[name](NAMES[language]))
        stand.picture(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
