"""``paizhuo-provision``: makes a venue authority and issues the identities of its machines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from provisioning.ca import EVENT_DAYS, VenueAuthority
from provisioning.files import IdentityError


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one sub-command; 0 if it did its work, 1 with advice on standard error if it could not."""
    options = _parser().parse_args(argv)
    try:
        options.run(options)
    except IdentityError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(
            f"文件读写失败，请检查权限：{error}\na file cannot be used, check permissions: {error}",
            file=sys.stderr,
        )
        return 1
    return 0


def _init(options: argparse.Namespace) -> None:
    authority = VenueAuthority.create(options.authority, options.venue)
    print(f"已建立场馆 {authority.venue} 的证书机构：{authority.folder}")
    print(f"Made the authority of venue {authority.venue}: {authority.folder}")


def _issue(options: argparse.Namespace) -> None:
    authority = VenueAuthority.load(options.authority)
    folder, name = options.into, options.name
    term = {"days": options.days, "replace": options.replace}
    if options.kind != "server" and (options.also or options.address):
        raise IdentityError(
            "--also 和 --address 只用于服务器：请去掉。",
            "--also and --address are for a server: leave them out.",
        )
    if options.kind == "server":
        authority.issue_server(folder, [name, *options.also], options.address, **term)
    elif options.kind == "client":
        authority.issue_client(folder, name, **term)
    else:
        authority.issue_device(folder, name, **term)
    until = authority.inventory()[-1].not_after
    print(f"已签发 {options.kind} {name}：{folder}，有效至 {until}")
    print(f"Issued {options.kind} {name}: {folder}, until {until}")


def _inventory(options: argparse.Namespace) -> None:
    issued = VenueAuthority.load(options.authority).inventory()
    if options.json:
        print(json.dumps([asdict(one) for one in issued], indent=2))
        return
    now = datetime.now(UTC)
    for one in issued:
        state = "过期 expired" if one.is_expired(now) else "有效 valid"
        print(f"{one.kind:<8}{one.name:<34}{one.not_after:<28}{state:<14}{one.serial}")
    print(f"共 {len(issued)} 份 / {len(issued)} issued")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="paizhuo-provision",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="牌桌：建立场馆的证书机构，为服务器、客户端和终端设备签发身份。\n"
        "Paizhuo: makes a venue's authority and issues the identities of its machines.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="命令 / commands")
    init = _command(commands, "init", _init, "建立证书机构 / make an authority")
    init.add_argument("--venue", required=True, metavar="ID", help="场馆编号 / id of the venue")
    _add_issue(_command(commands, "issue", _issue, "签发一个身份 / issue one identity"))
    listing = _command(commands, "inventory", _inventory, "列出已签发的身份 / list what was issued")
    listing.add_argument("--json", action="store_true", help="输出 JSON / print JSON")
    return parser


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    run: Callable[[argparse.Namespace], None],
    text: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(run=run)
    parser.add_argument(
        "--authority",
        required=True,
        type=Path,
        metavar="FOLDER",
        help="证书机构的文件夹 / folder of the authority",
    )
    return parser


def _add_issue(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("kind", choices=("server", "client", "device"), help="服务器、客户端或终端设备 / kind of machine")
    add("name", help="名称；服务器为主机名 / name; of a server its host name")
    add("--into", required=True, type=Path, metavar="FOLDER", help="身份的文件夹 / folder for the identity")
    add("--also", action="append", default=[], metavar="HOST", help="服务器的其他主机名 / more host names")
    add("--address", action="append", default=[], metavar="IP", help="服务器的 IP 地址 / its IP addresses")
    add(
        "--days",
        type=int,
        default=EVENT_DAYS,
        help="赛事天数，有效期再加一天（默认 %(default)s）"
        " / days of the event; valid one day longer (default %(default)s)",
    )
    add("--replace", action="store_true", help="替换文件夹里的身份 / replace the identity in the folder")


if __name__ == "__main__":
    sys.exit(main())
