"""The sub-commands of ``paizhuo-broker``: serve a venue, look at it, replay and verify its log, demonstrate.

What only one sub-command needs is imported there, so that ``serve`` is up quickly after a crash.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from broker import config as configuration
from broker.config import Config, ServerKind
from broker.failure import ExitCode, ServiceError
from broker.logbook import find_table, reading, venue_keys
from broker.players import POLICIES
from broker.presets import DEFAULT, load_preset, preset_names
from broker.replay import Language, lines
from broker.sections import ConfigError
from broker.service import serve
from broker.tables.faults import LogError
from provisioning.files import IdentityError
from provisioning.identity import public_hex

SEARCHED: Final = (Path("venue.toml"), Path("/etc/paizhuo/venue.toml"))
"""Where the configuration is looked for if no file is named."""
PRIVATE: Final = 0o077
"""File mode creation mask of what a venue makes: keys, settings, log and output are its owner's alone."""


def run(argv: Sequence[str] | None = None) -> int:
    """Runs one sub-command; the exit code says what went wrong (``ExitCode``)."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    options = _parser().parse_args(argv)
    try:
        return int(options.run(options))
    except ConfigError as error:
        print("\n".join(error.lines()), file=sys.stderr)
        return ExitCode.CONFIG
    except ServiceError as error:
        print(error, file=sys.stderr)
        return error.code
    except IdentityError as error:
        print(error, file=sys.stderr)
        return ExitCode.CERTIFICATES
    except LogError as error:
        print(error, file=sys.stderr)
        return ExitCode.LOG
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"文件读写失败 / a file cannot be used: {error}", file=sys.stderr)
        return ExitCode.FAILED


def _serve(options: argparse.Namespace) -> int:
    os.umask(PRIVATE)
    config = _config(options)

    def ready(host: str, port: int) -> None:
        key = public_hex(venue_keys(config).signing.public_key())
        print(f"场馆公钥，请公布 / the venue's public key, to be published: {key}")
        print(f"已就绪，场馆 {config.venue}：{host} 端口 {port}")
        print(f"Ready, venue {config.venue}: {host} port {port}", flush=True)

    serve(config, ready)
    print("已停止 / stopped")
    return ExitCode.OK


def _status(options: argparse.Namespace) -> int:
    from broker import status

    config = _config(options)
    if not config.authority.exists():
        raise ServiceError(
            ExitCode.FAILED,
            f"场馆 {config.venue} 还没有启动过：请先运行 paizhuo-broker serve",
            f"the venue {config.venue} has not been started yet: run paizhuo-broker serve first",
        )
    picture = status.look(config)
    if picture is not None:
        print("\n".join(status.describe(config, picture)))
        return ExitCode.OK if picture.is_served else ExitCode.FAILED
    with reading(config) as log:
        print("\n".join(status.describe_log(config, log)))
    return ExitCode.FAILED


def _replay(options: argparse.Namespace) -> int:
    from broker.tables.recovery import intact

    with reading(_config(options)) as log:
        publics = (row.public for row in intact(log, find_table(log, options.table)))
        for line in lines(publics, Language(options.language)):
            print(line)
    return ExitCode.OK


def _check(options: argparse.Namespace) -> int:
    config = configuration.load(options.file)
    print(f"{options.file}: 无误，{len(config.tables)} 桌 / correct, tables: {len(config.tables)}")
    for table in config.tables:
        preset = load_preset(table.rules.name)
        print(f"  {table.id}: {preset.title_zh} / {preset.title_en}")
    return ExitCode.OK


def _verify(options: argparse.Namespace) -> int:
    from broker.verify.__main__ import main as verify

    return verify([str(options.file)])


def _export(options: argparse.Namespace) -> int:
    from broker.tables.export import export_transcript

    config = _config(options)
    path = options.into or Path(f"{options.table.replace('/', '-')}.jsonl")
    with reading(config) as log:
        key = find_table(log, options.table)
        count = export_transcript(log, key, venue_keys(config), path)
        over = bool(log.checkpoints(key))
    print(f"已导出 {count} 条记录到 {path} / exported {count} records to {path}")
    if not over:
        print("本局尚未结束，暂时不能核对 / the game is not over: it cannot be verified yet", file=sys.stderr)
    return ExitCode.OK


def _demo(options: argparse.Namespace) -> int:
    from broker import demo

    os.umask(PRIVATE)
    return demo.run(options)


def _config(options: argparse.Namespace) -> Config:
    path = options.config or next((file for file in SEARCHED if file.exists()), SEARCHED[0])
    return configuration.load(path)


class _Parser(argparse.ArgumentParser):
    """argparse says what is wrong in English only."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(ExitCode.CONFIG, f"命令用法有误 / wrong usage: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="paizhuo-broker",
        description="牌桌：场馆的裁判系统。\nPaizhuo: the table authority of a venue.",
        epilog="退出码 / exit codes: 2 配置 configuration · 3 端口 port · 4 证书 certificates · 5 日志 log",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add(commands, "serve", _serve, "启动裁判系统与 MQTT 服务器", "run the authority and its MQTT server")
    _add(commands, "status", _status, "查看各桌、席位与设备", "show tables, seats and devices")
    replay = _add(commands, "replay", _replay, "逐条显示一桌的记录", "print the log of a table")
    replay.add_argument("table", metavar="TABLE", help="桌号 / id of the table")
    replay.add_argument("--language", choices=[*Language], default=Language.CHINESE, help="语言 / language")
    export = _add(
        commands, "export", _export, "导出一桌的记录供核对", "write a table's transcript, to be verified"
    )
    export.add_argument("table", metavar="TABLE", help="桌号 / id of the table")
    export.add_argument("--into", type=Path, metavar="FILE", help="文件，默认 TABLE.jsonl / file to write")
    check = _add(commands, "check-config", _check, "检查配置文件", "check a configuration", config=False)
    check.add_argument("file", type=Path, metavar="FILE")
    audit = _add(commands, "verify", _verify, "独立核对导出的记录", "verify a transcript", config=False)
    audit.add_argument("file", type=Path, metavar="FILE")
    _add_demo(commands)
    return parser


def _add_demo(commands: Any) -> None:
    add = _add(commands, "demo", _demo, "演示完整一局", "a whole game, to look at", config=False).add_argument
    add("--headless", action="store_true", help="四席都由程序打 / programs play all four seats")
    add(
        "--deals",
        type=_whole(1, 99),
        metavar="N",
        help="副数，默认依规程 / deals, default: by the regulation",
    )
    add(
        "--seed",
        type=_whole(0, 2**63 - 1),
        metavar="S",
        help="同一种子，同一局 / the same seed, the same game",
    )
    add("--json", action="store_true", help="结果为一个 JSON 对象 / result as one JSON object")
    add("--preset", choices=preset_names(), default=DEFAULT, help="规程 / regulation")
    add("--policy", choices=sorted(POLICIES), default="careful", help="打法 / how programs play")
    add(
        "--think-ms",
        type=_whole(0, 60_000),
        metavar="MS",
        help="有窗口时程序的思考时间 / how long programs think beside a window",
    )
    add("--mqtt-server", choices=[*ServerKind], default=ServerKind.AUTO, help="MQTT 服务器 / MQTT server")
    add("--language", choices=[*Language], default=Language.CHINESE, help="语言 / language")
    add("--data", type=Path, metavar="DIR", help="场馆文件夹，事后保留 / folder of the venue, kept")


def _whole(low: int, high: int) -> Callable[[str], int]:
    """Reads an integer of that range from the command line."""

    def read(text: str) -> int:
        if not text.isdecimal() or len(text) > len(str(high)) or not low <= int(text) <= high:
            hint = f"应为 {low}–{high} 的整数 / must be an integer from {low} to {high}"
            raise argparse.ArgumentTypeError(hint)
        return int(text)

    return read


def _add(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], zh: str, en: str, config: bool = True
) -> argparse.ArgumentParser:
    """A sub-command with its help; with ``config`` it takes the option of that name."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=f"{zh} / {en}",
        description=f"{zh}。\n{en[0].upper()}{en[1:]}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    if config:
        places = ", ".join(map(str, SEARCHED))
        text = f"配置文件，默认 / configuration, default: {places}"
        parser.add_argument("--config", type=Path, metavar="FILE", help=text)
    return parser
