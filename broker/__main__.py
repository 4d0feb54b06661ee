"""Command ``paizhuo-broker``. Its sub-commands are in ``commands``; here it begins and ends without noise."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one sub-command; the exit code says what went wrong (``ExitCode``).

    Nothing is imported before, so that Ctrl-C is heard from the beginning. Where nobody reads the
    output any more (``… | head``) there is nobody to complain to.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # where the locale has no Chinese
    try:
        from broker.commands import run

        code = run(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("已中止 / stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
