"""The inventory: every certificate that a venue authority has issued, one JSON line each.

A line is on the disk before the certificate is handed out, so whatever is in use can be revoked.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from provisioning.files import IdentityError, append_line, read_file

Kind = Literal["server", "client", "device"]


@dataclass(frozen=True, slots=True)
class Issued:
    """One certificate. Times are ISO 8601, UTC; the serial and the raw public keys are hex.

    ``signing_key`` (Ed25519) and ``sealing_key`` (X25519) belong to devices and are empty for others.
    """

    serial: str
    kind: Kind
    name: str
    not_before: str
    not_after: str
    signing_key: str = ""
    sealing_key: str = ""

    def is_expired(self, now: datetime) -> bool:
        """Whether the certificate has run out at that moment."""
        return datetime.fromisoformat(self.not_after) <= now


def read_inventory(path: Path) -> tuple[Issued, ...]:
    """Everything that was issued, oldest first; ``IdentityError`` names the line that cannot be read."""
    if not path.exists():
        return ()
    lines = read_file(path).decode("utf-8", "replace").splitlines()
    return tuple(_parse(path, number, line) for number, line in enumerate(lines, start=1))


def append_inventory(path: Path, issued: Issued) -> None:
    """Adds one certificate to the file."""
    append_line(path, json.dumps(asdict(issued)))


def _parse(path: Path, number: int, line: str) -> Issued:
    try:
        issued = Issued(**json.loads(line))
        datetime.fromisoformat(issued.not_after)
    except (ValueError, TypeError, RecursionError):
        raise IdentityError(
            f"签发清单 {path} 第 {number} 行无法读取：请从备份恢复此文件。",
            f"line {number} of the inventory {path} cannot be read: restore the file from a backup.",
        ) from None
    return issued
