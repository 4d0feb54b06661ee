"""Failures of the service that a person has to put right: one clear line, and an exit code."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process ends with."""

    OK = 0
    FAILED = 1
    CONFIG = 2
    PORT = 3
    CERTIFICATES = 4
    LOG = 5


class ServiceError(Exception):
    """The service cannot go on; ``zh`` and ``en`` say why and what to do."""

    def __init__(self, code: ExitCode, zh: str, en: str) -> None:
        super().__init__(f"{zh} / {en}")
        self.code = code
        self.zh = zh
        self.en = en
