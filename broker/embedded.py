"""The embedded MQTT server, for a venue without mosquitto: what its process is told.

The process itself is ``amqtt_server``. It carries up to 64 tables; above that mosquitto is advised.
"""

from __future__ import annotations

import json
import sys

from broker.child import Command
from broker.listener import Listener


def command(listener: Listener) -> Command:
    """What to run. Writes the settings first."""
    files = listener.files
    settings = {
        "venue": listener.access.venue,
        "consoles": sorted(listener.access.consoles),
        "host": listener.host,
        "port": listener.port,
        "ca": str(files.ca),
        "certificate": str(files.certificate),
        "key": str(files.key),
        "crl": str(files.crl or ""),
    }
    path = listener.runtime / "embedded.json"
    path.write_text(json.dumps(settings), "utf-8")
    return Command(
        words=(sys.executable, "-m", "broker.amqtt_server", str(path)),
        settings=b"\0".join([path.read_bytes(), *files.contents()]),
    )
