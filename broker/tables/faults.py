"""What can go wrong: with the log, in words that say what to do; and with an act, as a verdict."""

from __future__ import annotations

from broker.protocol.verdict import Verdict


class LogError(Exception):
    """The log cannot be used, or something could not be stored; Chinese, then English."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(f"{zh} / {en}")
        self.zh = zh
        self.en = en


class LogLost(LogError):
    """Whether the last batch is stored cannot be known: end the process and recover from the log."""

    def __init__(self, cause: object) -> None:
        super().__init__(
            f"磁盘同步失败：{cause}。无法确定最后一批是否写入，进程退出；请检查磁盘后重新启动，将从日志恢复",
            f"the disk failed while syncing: {cause}. Whether the last batch is stored is unknown; ending."
            " See to the disk and start again: the log is recovered",
        )


class Rejected(Exception):
    """An act that never reaches the rules. ``act`` is its id as far as it can be read."""

    def __init__(self, verdict: Verdict, act: str = "") -> None:
        super().__init__(verdict.value)
        self.verdict = verdict
        self.act = act
