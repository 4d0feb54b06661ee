"""The process of the embedded MQTT server: amqtt behind our ``Door``, under uvloop.

``python -m broker.amqtt_server FILE`` serves until SIGTERM; FILE is the JSON that
``embedded.command`` writes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
from pathlib import Path
from typing import Any, Final

import uvloop
from amqtt.broker import Broker

from broker.access import AccessList
from broker.door import LISTENER, Door, VenueAccess, server_context

_A_DAY: Final = 86_400


def main(argv: list[str]) -> int:
    """Serves with the settings in the file; exit code of the process."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    settings = json.loads(Path(argv[0]).read_text("utf-8"))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(serve(settings))


async def serve(settings: dict[str, Any]) -> int:
    """Serves until SIGTERM or SIGINT. Returns 0."""
    broker = Broker(_broker_settings(settings))
    await broker.start()
    door = Door(broker, AccessList(settings["venue"], frozenset(settings["consoles"])))
    context = server_context(settings["ca"], settings["certificate"], settings["key"], settings["crl"])
    server = await door.open(settings["host"], settings["port"], context)
    await _stop_signal()
    server.close()
    await broker.shutdown()
    return 0


def _broker_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """amqtt's own settings: no listener of its own, our plugin and no other.

    The door ends silent connections; amqtt's own timeout only loses bytes, so it is put out of reach.
    """
    plugin = f"{VenueAccess.__module__}.{VenueAccess.__name__}"
    return {
        "listeners": {LISTENER: {"type": "external"}},
        "timeout_disconnect_delay": _A_DAY,
        "plugins": {plugin: {"venue": settings["venue"], "consoles": tuple(settings["consoles"])}},
    }


async def _stop_signal() -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
