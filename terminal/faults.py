"""Faults of the connection: what is wrong, as a code for the screen and in words for a log."""

from __future__ import annotations

import socket
import ssl
from enum import StrEnum
from typing import Final


class Fault(StrEnum):
    """Why a seat has no connection."""

    UNREACHABLE = "unreachable"
    NAME_UNKNOWN = "name_unknown"
    NOT_TLS = "not_tls"
    SERVER_FOREIGN = "server_foreign"
    SERVER_NAME = "server_name"
    SERVER_EXPIRED = "server_expired"
    REFUSED = "refused"
    NOT_ALLOWED = "not_allowed"
    LOST = "lost"
    ABSENT = "absent"


LASTING: Final = frozenset(
    (
        Fault.NAME_UNKNOWN,
        Fault.NOT_TLS,
        Fault.SERVER_FOREIGN,
        Fault.SERVER_NAME,
        Fault.SERVER_EXPIRED,
        Fault.REFUSED,
        Fault.NOT_ALLOWED,
    )
)
"""Faults that no waiting mends, if they come with the first attempt."""

_WORDS: Final[dict[Fault, tuple[str, str]]] = {
    Fault.UNREACHABLE: (
        "连不上 {where}。请检查网线、地址和端口，并确认服务已启动。",
        "Cannot reach {where}. Check the cable, the address and the port, and that the service runs.",
    ),
    Fault.NAME_UNKNOWN: (
        "找不到主机 {where}。请检查地址是否写对。",
        "There is no host {where}. Check how the address is written.",
    ),
    Fault.NOT_TLS: (
        "{where} 不是加密端口。请检查端口号。",
        "{where} is not an encrypted port. Check the port number.",
    ),
    Fault.SERVER_FOREIGN: (
        "{where} 的证书不是本场馆签发的。请检查地址，或重新登记本机。",
        "{where} has a certificate of another venue. Check the address, or enrol this device again.",
    ),
    Fault.SERVER_NAME: (
        "{where} 的证书里没有这个地址。请改用证书中的名称，或为服务器重新签发证书。",
        "The certificate of {where} does not name this address. Use a name that it does, or issue it anew.",
    ),
    Fault.SERVER_EXPIRED: (
        "{where} 的证书不在有效期内。请检查本机时间，或为服务器重新签发证书。",
        "The certificate of {where} is not valid today. Check the date here, or issue it anew.",
    ),
    Fault.REFUSED: (
        "{where} 拒绝了本机的证书。请确认本机已在此场馆登记且未被停用。",
        "{where} refused this device's certificate. Check that it is enrolled here and not withdrawn.",
    ),
    Fault.NOT_ALLOWED: (
        "{where} 不允许本机收取自己的消息。请检查服务器的访问规则。",
        "{where} does not let this device read its own messages. Check the server's access rules.",
    ),
    Fault.LOST: ("与 {where} 的连接中断。", "The connection to {where} was lost."),
    Fault.ABSENT: (
        "已连上 {where}，裁判系统尚未启动。",
        "Connected to {where}; the table authority has not started yet.",
    ),
}

_NAME_MISMATCH: Final = (62, 64)
"""OpenSSL verification errors: host name mismatch, address mismatch."""
_OUT_OF_DATE: Final = (9, 10)
"""OpenSSL verification errors: not yet valid, expired."""


class LinkError(Exception):
    """No connection, and why; the text says it in both languages and what to do."""

    def __init__(self, fault: Fault, where: str) -> None:
        super().__init__("\n".join(_WORDS[fault]).format(where=where))
        self.fault = fault


def fault_of(error: BaseException | None) -> Fault:
    """What an error of a connection attempt means."""
    match error:
        case ssl.SSLCertVerificationError():
            return _verification_fault(error.verify_code)
        case ssl.SSLEOFError() | ssl.SSLZeroReturnError():
            return Fault.UNREACHABLE  # a server that is full, or about to end, hangs up like this
        case ssl.SSLError():
            refused = "ALERT" in (error.reason or "")
            return Fault.REFUSED if refused else Fault.NOT_TLS
        case socket.gaierror():
            return Fault.NAME_UNKNOWN
        case _:
            return Fault.UNREACHABLE


def _verification_fault(code: int) -> Fault:
    if code in _NAME_MISMATCH:
        return Fault.SERVER_NAME
    return Fault.SERVER_EXPIRED if code in _OUT_OF_DATE else Fault.SERVER_FOREIGN
