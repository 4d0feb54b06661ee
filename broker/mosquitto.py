"""mosquitto as the MQTT server: found, given generated settings, and run without privileges.

Works with 2.0.11 (Debian 12) and later. It keeps nothing on disk: the log is the truth, and the
authority publishes everything again after a restart.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
from pathlib import Path
from typing import Final

from broker.child import Command
from broker.keeper import SCRATCH
from broker.listener import Files, Listener

ACCOUNTS: Final = ("mosquitto", "nobody")
"""Users to run as when we are root, in order of preference."""

_SETTINGS: Final = """\
# Generated at every start: changes here are lost.
per_listener_settings false
allow_anonymous false
acl_file {acl}
persistence false
sys_interval 0
log_dest stdout
log_type error
log_type warning
log_type notice
connection_messages false
set_tcp_nodelay true
max_packet_size 131072
max_inflight_messages 1000
max_queued_messages 50000
max_queued_bytes 64000000
max_keepalive 120
allow_zero_length_clientid false

# What belongs to a listener stands below it: above, it would open a second one, at port 1883.
listener {port} {host}
max_connections 2000
max_qos 1
cafile {ca}
certfile {certificate}
keyfile {key}
{crl}require_certificate true
use_identity_as_username true
use_username_as_clientid true
tls_version tlsv1.3
"""


def find() -> Path | None:
    """The program, if it is installed: on the path, or where Debian puts it."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    return Path(found) if found else None


def command(program: Path, listener: Listener) -> Command:
    """What to run. Writes the settings, and where we are root copies of the keys, first."""
    account = _account()
    folder = _folder(listener.runtime, account)
    files = listener.files if account is None else _copies(listener.files, folder)
    acl = _write(folder / "access.acl", listener.access.render().encode())
    settings = _write(folder / "mosquitto.conf", render(listener, files, acl).encode())
    if account is not None:
        _give(folder, account)
    return Command(
        words=(str(program), "-c", str(settings)),
        settings=b"\0".join([settings.read_bytes(), acl.read_bytes(), *files.contents()]),
        user=account.pw_uid if account else None,
        group=account.pw_gid if account else None,
        scratch=folder if account else None,
    )


def render(listener: Listener, files: Files, acl: Path) -> str:
    """Text of ``mosquitto.conf``; the files may be copies of those of the listener."""
    return _SETTINGS.format(
        acl=acl,
        host=listener.host,
        port=listener.port,
        ca=files.ca,
        certificate=files.certificate,
        key=files.key,
        crl=f"crlfile {files.crl}\n" if files.crl else "",
    )


def _account() -> pwd.struct_passwd | None:
    """The user to run as; None: as we are. mosquitto started by root would change to another user
    by itself and then not be able to read the keys."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return next((known[name] for name in ACCOUNTS if name in known), None)


def _folder(runtime: Path, account: pwd.struct_passwd | None) -> Path:
    """Where the settings go: beside the rest of what can be made again, or where the other user can
    get at them, for it has no way into our own folders."""
    other = Path(SCRATCH + hashlib.sha256(bytes(runtime)).hexdigest()[:12])
    folder = runtime if account is None else other
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _copies(files: Files, folder: Path) -> Files:
    return Files(
        ca=_write(folder / "ca.crt", files.ca.read_bytes()),
        certificate=_write(folder / "tls.crt", files.certificate.read_bytes()),
        key=_write(folder / "tls.key", files.key.read_bytes()),
        crl=files.crl and _write(folder / "revoked.crl", files.crl.read_bytes()),
    )


def _write(path: Path, data: bytes) -> Path:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    return path


def _give(folder: Path, account: pwd.struct_passwd) -> None:
    """The other user owns the files from now on, but nothing that it has put there as a link."""
    for path in (folder, *folder.iterdir()):
        os.chown(path, account.pw_uid, account.pw_gid, follow_symlinks=False)
