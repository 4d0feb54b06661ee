"""Command ``paizhuo-terminal``: one seat with a window, or many without."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from broker.players import POLICIES
from provisioning.identity import IdentityError
from terminal.config import ConfigError, read_config, read_seats


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0 once all is over, 1 if a seat cannot connect, 2 for settings or keys of no use."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.headless and options.seats is None:
        parser.error("--headless 需要 --seats FILE / --headless needs --seats FILE")
    try:
        return _headless(options) if options.headless else _window(options)
    except (ConfigError, IdentityError) as wrong:
        print(wrong, file=sys.stderr)
    except OSError as wrong:
        print(f"文件读写失败 / cannot use a file: {wrong}", file=sys.stderr)
    return 2


def _headless(options: argparse.Namespace) -> int:
    from terminal import headless

    seats = read_seats(options.seats, POLICIES)
    if options.policy:
        seats = replace(seats, policy=options.policy)
    return headless.run(seats, options.stats, options.journal)


def _window(options: argparse.Namespace) -> int:
    """Kivy is imported here and nowhere above: without a window it need not be there."""
    from terminal import app

    return app.run(read_config(options.config))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="paizhuo-terminal",
        description="牌桌席位终端：一个席位的触摸窗口，或多个由程序打牌的席位。\n"
        "Seat terminal: the touch window of one seat, or many seats that programs play.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="窗口的配置文件 / settings of the window")
    group = parser.add_argument_group("无窗口 / without a window")
    group.add_argument("--headless", action="store_true", help="由程序打牌 / seats that programs play")
    _add_file(group, "--seats", "席位清单（TOML）/ list of seats (TOML)")
    policies = sorted(POLICIES)
    group.add_argument("--policy", choices=policies, help="打法，优先于清单 / policy, before the list's")
    _add_file(group, "--stats", "写入应答用时（JSON）/ write how long answers took (JSON)")
    _add_file(group, "--journal", "每个应答记一行 / take down every answer, a line each")
    return parser


def _add_file(group: argparse._ArgumentGroup, option: str, words: str) -> None:
    group.add_argument(option, type=Path, metavar="FILE", help=words)


if __name__ == "__main__":
    sys.exit(main())
