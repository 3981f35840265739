"""Outcomes and records as users see them: plain values read from checked messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from .errors import OutOfTime, ProtocolError, rejected
from .values import row_id, run_range

_ROWS_MAX = 200_000


def _expanded(rows: List[str]) -> List[str]:
    runs = [run_range(run) for run in rows]
    if sum(map(len, runs)) > _ROWS_MAX:
        raise ProtocolError("malformed", "an outcome names too many rows")
    return [row_id(number) for run in runs for number in run]


@dataclass(frozen=True)
class OutcomeError:
    """Why an operation, or its first refused part, was refused."""

    code: str
    message: str
    #: Which intent of the operation, from 0.
    part: Optional[int] = None
    row: Optional[str] = None
    column: Optional[str] = None
    #: {"value", "seq", "session"}: the cell as it is, where a precondition did not hold.
    current: Optional[Dict[str, Any]] = None
    #: The rule of the column that is broken, and some of the rows that break one to be set.
    rule: Optional[str] = None
    rows: List[str] = field(default_factory=list)
    #: What the table, or its columns, have come to, where a precondition on that did not hold.
    seq: Optional[int] = None


@dataclass(frozen=True)
class Outcome:
    """How an operation came out; docs/protocol.md, "Outcomes", says what each field means."""

    status: str
    #: The record's number; None where the operation made none.
    seq: Optional[int] = None
    applied: int = 0
    hidden: int = 0
    gone: int = 0
    refused: int = 0
    notes: List[Any] = field(default_factory=list)
    #: The ids of rows and columns that the server gave.
    rows: List[str] = field(default_factory=list)
    columns: List[str] = field(default_factory=list)
    #: The new values of the cells that were added to or joined with something.
    values: List[Any] = field(default_factory=list)
    #: The ids of comments that were made.
    comments: List[str] = field(default_factory=list)
    #: For each upsert whether it appended its row; `rows` has the row either way.
    inserted: List[bool] = field(default_factory=list)
    #: The record that was taken back, where the operation was an undo or a redo.
    undid: Optional[int] = None
    error: Optional[OutcomeError] = None
    #: False where the operation came without a session, and must not be sent twice.
    once: bool = True

    @property
    def rejected(self) -> bool:
        """Whether the server refused the operation as a whole."""
        return self.status == "rejected"

    @property
    def kept_newer(self) -> int:
        """How many cells, rows, places or properties of columns an undo left as they are, because
        somebody else had gone on from them."""
        told = [note for note in self.notes if isinstance(note, dict)]
        return sum(int(note.get("kept_newer", 0)) for note in told)

    @staticmethod
    def read(outcome: Optional[Dict[str, Any]], seq: Optional[int]) -> "Outcome":
        """An outcome from a checked message; one that is left out is just ok."""
        fields = dict(outcome or {"status": "ok"})
        if "rows" in fields:
            fields["rows"] = _expanded(fields["rows"])
        if "error" in fields:
            error = dict(fields["error"])
            if "rows" in error:
                error["rows"] = _expanded(error["rows"])
            fields["error"] = OutcomeError(**error)
        return Outcome(seq=seq, **fields)


@dataclass(frozen=True)
class Record:
    """One record of a table's log: what really happened, under its number."""

    seq: int
    #: The session that did it, and its number of the operation; no `cseq` without a session.
    session: str
    cseq: Optional[int]
    user: str
    #: Milliseconds since 1970, by the server's clock.
    time: int
    #: The changes as they stand on the wire.
    changes: List[Dict[str, Any]]
    outcome: Outcome
    #: The history that the number belongs to; together they say where to go on.
    lineage: str

    @staticmethod
    def read(message: Dict[str, Any], lineage: str) -> "Record":
        """A record from a checked message."""
        return Record(
            message["seq"],
            message["session"],
            message.get("cseq"),
            message["user"],
            message["time"],
            message["changes"],
            Outcome.read(message.get("outcome"), message["seq"]),
            lineage,
        )


@dataclass(eq=False)
class Operation:
    """An operation of a session: its bytes never change once it has a number."""

    cseq: int
    line: bytes
    #: What the caller gave, to know it again after a restart: anything that JSON holds.
    tag: Any = None
    outcome: Optional[Outcome] = None
    failure: Optional[Exception] = None

    @property
    def done(self) -> bool:
        """Whether there is an answer, or never will be one."""
        return self.outcome is not None or self.failure is not None

    def result(self) -> Outcome:
        """The outcome. Raises Rejected, what ended the session, or OutOfTime: it is pending then."""
        if self.failure is not None:
            raise self.failure
        if self.outcome is None:
            raise OutOfTime("going_away", "no answer yet; the operation is still pending")
        if self.outcome.rejected:
            raise rejected(self.outcome)
        return self.outcome
