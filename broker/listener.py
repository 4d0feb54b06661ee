"""What an MQTT server is told, whichever it is: where to listen, whom to let in, by which files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from broker.access import AccessList
from provisioning.identity import TlsIdentity


class Files(NamedTuple):
    """PEM files of the server; ``crl`` lists revoked certificates, if there is a list."""

    ca: Path
    certificate: Path
    key: Path
    crl: Path | None

    @classmethod
    def of(cls, identity: TlsIdentity, crl: Path) -> Files:
        """The files of a server's identity, and ``crl`` if it exists."""
        return cls(
            identity.ca_certificate, identity.tls_certificate, identity.tls_key, crl if crl.exists() else None
        )

    def contents(self) -> Iterator[bytes]:
        """What is in them."""
        return (path.read_bytes() for path in self if path)


@dataclass(frozen=True, slots=True)
class Listener:
    """One MQTT server. ``runtime`` is the folder for its generated settings."""

    host: str
    port: int
    access: AccessList
    files: Files
    runtime: Path
