"""Names that may stand in a certificate; everything else is refused with the reason."""

from __future__ import annotations

import ipaddress
import re
from typing import Final, TypeAlias

from broker.protocol.topics import is_id
from provisioning.files import IdentityError

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

SERVICES: Final = ("authority", "gateway", "monitor", "server")
"""MQTT servers give rights by name: no device is named like these, or like one with a hyphen after it."""

_HOST: Final = re.compile(r"(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")


def check_id(name: str) -> None:
    """``IdentityError`` unless the name is an id (``topics.is_id``)."""
    if not is_id(name):
        raise IdentityError(
            f"名称 {name[:40]!a} 不合要求：只用小写字母、数字和连字符，1 到 32 个。",
            f"the name {name[:40]!a} cannot be used: 1 to 32 lower-case letters, digits and hyphens only.",
        )


def check_device(name: str) -> None:
    """``IdentityError`` unless the name is an id that no service has a claim to."""
    check_id(name)
    if name.split("-")[0] in SERVICES:
        raise IdentityError(
            f"设备名 {name} 保留给服务使用：请换一个名称。",
            f"the name {name} is kept for a service: choose another name for the device.",
        )


def is_host(text: str) -> bool:
    """Whether the text is a host name, and no IP address."""
    return _HOST.fullmatch(text.lower()) is not None and not _is_address(text)


def parse_host(text: str) -> str:
    """The host name in lower case; ``IdentityError`` if it is none, or is an IP address."""
    if not is_host(text):
        raise IdentityError(
            f"不是主机名：{text[:64]!a}（IP 地址请用 --address）。",
            f"not a host name: {text[:64]!a} (give IP addresses by --address).",
        )
    return text.lower()


def parse_address(text: str) -> Address:
    """The IP address; ``IdentityError`` if it is none."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        raise IdentityError(f"不是 IP 地址：{text[:64]!a}。", f"not an IP address: {text[:64]!a}.") from None


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
