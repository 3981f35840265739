"""When to connect, to say something, and to give a connection up. It is told the time.

The waits between attempts grow and are drawn by lot, so that many bots do not come back at once.
"""

from __future__ import annotations

import random
from typing import Optional

#: Seconds: the first and the longest wait between two attempts to connect.
BACKOFF_FIRST, BACKOFF_MAX = 0.25, 30.0
#: Seconds without a line from the server after which the connection counts as dead.
SILENCE_MAX = 45.0
#: Seconds without a line from here after which a `ping` says that this bot is alive.
PING_AFTER = 15.0
#: Seconds that one attempt to connect may take.
CONNECT_SECONDS = 10.0
PING = b'{"type":"ping"}\n'


class Pace:
    """The pace of one bot's connections."""

    def __init__(self) -> None:
        #: Why there is no connection.
        self.trouble = "no connection yet"
        self._attempt = 0
        self._next_attempt = 0.0
        self._heard = self._spoke = 0.0

    def wait(self, now: float) -> float:
        """How long to wait before the next attempt."""
        return max(0.0, self._next_attempt - now)

    def connected(self, now: float) -> None:
        """A connection stands."""
        self._heard = self._spoke = now

    def spoke(self, now: float) -> None:
        """Something was said."""
        self._spoke = now

    def heard(self, now: float) -> None:
        """Something was heard."""
        self._heard = now

    def owes_ping(self, now: float) -> bool:
        """Whether nothing was said for so long that the server may wonder."""
        return now - self._spoke > PING_AFTER

    def is_silent(self, now: float) -> bool:
        """Whether nothing was heard for so long that the connection counts as dead."""
        return now - self._heard > SILENCE_MAX

    def settled(self) -> None:
        """All goes well: the next wait is the shortest again."""
        self._attempt = 0

    def cut(self, now: float, reason: str, retry_seconds: Optional[float]) -> None:
        """The connection is gone."""
        self.trouble = reason
        longest = min(BACKOFF_MAX, BACKOFF_FIRST * 2.0 ** min(self._attempt, 10))
        wait = random.uniform(0, longest)
        if retry_seconds is not None:
            wait += retry_seconds
        self._attempt += 1
        self._next_attempt = now + wait
