"""One open table of a connection, as a pure state machine: no sockets, clocks or files.

It opens and resumes, numbers operations and keeps their bytes until they are answered, follows the
table in a replica, and says what to send and what to save. `Connection` feeds it messages that
were checked; `Bot` carries out what it wants.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Deque, Dict, List, Optional, Tuple

from . import errors
from .errors import InDoubt, ProtocolError, RoundtableError, SessionLost
from .outcome import Operation, Outcome, Record
from .table import Table
from .values import column_id, row_id, session_number
from .wire import write_json

#: The most bytes of operations that are sent before they are answered.
IN_FLIGHT_BYTES_MAX = 256 * 1024
#: How often in a row a stream may make no sense before the table is given up.
FAULTS_MAX = 3


class Session:
    """A table that is, or shall be, open.

    `state` is "away" without a connection, "opening" until `opened` has come, "open", or "lost"
    when the session cannot go on (`failure` says why).
    """

    def __init__(
        self,
        table: str,
        write: bool = True,
        follow: bool = True,
        start: str = "snapshot",
        have: Optional[Dict[str, Any]] = None,
        window: Optional[int] = None,
    ) -> None:
        self.table = table
        self.write, self.follow, self.start = write, follow, start
        self.state = "away"
        self.failure: Optional[RoundtableError] = None
        self.id: Optional[str] = None
        self.name = table
        self.role = ""
        self.lineage: str = have["lineage"] if have else ""
        self.seq: int = have["seq"] if have else 0
        self.replica: Optional[Table] = None
        self.is_live = False
        #: The types of the columns by id, as `opened` gave them.
        self.types: Dict[str, str] = {}
        self._names: Dict[str, str] = {}
        self.who: List[Dict[str, Any]] = []
        #: How the table is shown to this user alone.
        self.mine: Dict[str, Any] = {}
        self.number: Optional[str] = None
        self.pending: Dict[int, Operation] = {}
        self.next_cseq = 1
        self.row_counter = 0
        self.column_counter = 0
        #: What is to be written to the journal before anything more is sent.
        self.notes: List[Dict[str, Any]] = []
        #: Where records are put as they come, for whoever watches.
        self.watchers: List[Deque[Record]] = []
        #: Set where only a new connection can bring order.
        self.wants_reconnect = False
        self._token = ""
        self._joining: Optional[Table] = None
        self._joining_rows = 0
        self._asked_window = window
        self.window = 64
        self._has_place = have is not None
        #: Operations up to here are sent on this connection, or were decided before it.
        self._sent = 0
        self._decided = 0
        self._gap_seen = self._gap_last = 0
        self._rewinds = self._faults = 0

    # Opening

    def restore(self, saved: Dict[str, Any]) -> None:
        """Goes on with a session that an earlier process saved; see `notes`."""
        self.number, self._token = saved["session"], saved["token"]
        self.id, self.lineage, self.seq = saved["id"], saved["lineage"], saved["seq"]
        self.row_counter, self.column_counter = saved["row_counter"], saved["column_counter"]
        for entry in saved["pending"]:
            operation = Operation(entry["cseq"], entry["line"].encode(), entry.get("tag"))
            self.pending[operation.cseq] = operation
        self.next_cseq = saved["next_cseq"]

    def open_message(self) -> Dict[str, Any]:
        """The `open` to send now. The session is "opening" from here on."""
        self.state, self.is_live = "opening", False
        message: Dict[str, Any] = {"type": "open", "table": self.id or self.table}
        if not self.write:
            message["write"] = False
        if not self.follow:
            message["follow"] = False
        if self.start != "snapshot":
            message["start"] = self.start
        # A replica asks for what it missed; who holds none asks for a snapshot.
        if self._has_place or self.replica is not None:
            message["have"] = {"lineage": self.lineage, "seq": self.seq}
        if self.number is not None:
            first = min(self.pending, default=self.next_cseq)
            message["resume"] = {"session": self.number, "token": self._token, "next": first}
        if self._asked_window is not None and self.write:
            message["window"] = self._asked_window
        return message

    def column(self, identifier: str) -> Tuple[str, str]:
        """A column's name and type; one that came since the table was opened goes by its id, and
        its type is empty, where the table is not followed."""
        if self.replica is not None:
            for known in self.replica.columns:
                if known.id == identifier:
                    return known.name, known.type
        return self._names.get(identifier, identifier), self.types.get(identifier, "")

    def opened(self, message: Dict[str, Any]) -> None:
        """The table is open."""
        if self.number is not None and message["lineage"] != self.lineage:
            self.lose("lineage_changed", "the server holds another history of this table")
            return
        self.id, self.name, self.role = message["table"], message["name"], message["role"]
        self.mine = message.get("mine", {})
        self.types = {column["id"]: column["type"] for column in message["columns"]}
        self._names = {column["id"]: column["name"] for column in message["columns"]}
        is_ahead = self.follow and message["seq"] < self.seq
        if self.lineage != message["lineage"] or is_ahead:
            if self._has_place and self.start == "head":
                self.lose("lineage_changed", "the server holds another history of this table")
                return
            self.lineage, self.replica = message["lineage"], None
        if not self.follow or (self.start == "head" and not self._has_place):
            self.seq = message["seq"]
        self._has_place = self.start == "head" or not self.follow
        self._sent = self._decided = self._gap_seen = self._gap_last = 0
        self.state = "open"
        if self.write and "session" in message:
            self._opened_session(message)

    def _opened_session(self, message: Dict[str, Any]) -> None:
        last, is_new = message.get("last_cseq", 0), self.number is None
        if not is_new and message["session"] != self.number:
            raise ProtocolError("malformed", "the server resumed another session")
        if not is_new and last >= self.next_cseq and self.pending:
            self.lose("session_forked", "somebody else went on with this session")
            return
        if not is_new and last + 1 < min(self.pending, default=self.next_cseq):
            self.lose("lineage_changed", "the server forgot operations that it had answered")
            return
        session_number(message["session"])
        self.number, self._token = message["session"], message.get("token", "")
        self.window = max(1, message.get("window", self.window))
        self.row_counter = max(self.row_counter, message.get("row_counter", 0))
        self.column_counter = max(self.column_counter, message.get("column_counter", 0))
        self.next_cseq = max(self.next_cseq, last + 1)
        # What was decided before is answered without being asked: it is not sent again for now.
        self._sent = self._decided = last
        self.notes.append({"session": self.saved()})

    def saved(self) -> Dict[str, Any]:
        """All that a later process needs to go on: see `restore`. It holds a secret."""
        return {
            "id": self.id,
            "lineage": self.lineage,
            "seq": self.seq,
            "session": self.number,
            "token": self._token,
            "row_counter": self.row_counter,
            "column_counter": self.column_counter,
            "next_cseq": self.next_cseq,
            "pending": [self._entry(operation) for operation in self.pending.values()],
        }

    @staticmethod
    def _entry(operation: Operation) -> Dict[str, Any]:
        line = operation.line.decode()
        return {"cseq": operation.cseq, "line": line, "tag": operation.tag}

    def cut(self) -> None:
        """The connection is gone; what was sent and not answered is sent again later."""
        if self.state != "lost":
            self.state, self._joining, self.wants_reconnect = "away", None, False
        self.is_live = False

    def lose(self, code: str, message: str) -> None:
        """The session cannot go on. What is pending is in doubt and stays the caller's."""
        pending = list(self.pending.values())
        self.failure = SessionLost(code, message, pending)
        self.state, self.is_live = "lost", False
        self.pending = {}
        self.notes.append({"lost": code})
        for operation in pending:
            operation.failure = self.failure

    def fail(self, failure: RoundtableError) -> None:
        """The table cannot be open (any more), for a reason that is not the session's."""
        self.failure, self.state, self.is_live = failure, "lost", False
        for operation in self.pending.values():
            operation.failure = failure

    # Operations

    def new_rows(self, count: int) -> List[str]:
        """Ids for rows that are about to be inserted; never given again."""
        base = self._writer() << 32
        first = self.row_counter + 1
        self.row_counter += count
        return [row_id(base | counter) for counter in range(first, first + count)]

    def new_column(self) -> str:
        """An id for a column that is about to be added; never given again."""
        base = self._writer() << 32
        self.column_counter += 1
        return column_id(base | self.column_counter)

    def _writer(self) -> int:
        if self.failure is not None:
            raise self.failure
        if self.number is None:
            code, why = ("forbidden", "the role may not write here") if self.write else (
                "no_session", "the table was opened without `write`")
            raise errors.request_failed(code, why, None)
        return session_number(self.number)

    def submit(
        self,
        body: List[Dict[str, Any]],
        mode: str = "best",
        pre: Optional[List[Dict[str, Any]]] = None,
        tag: Any = None,
    ) -> Operation:
        """Gives an operation its number and keeps it until it is answered."""
        self._writer()
        message: Dict[str, Any] = {"type": "op", "table": self.id, "cseq": self.next_cseq}
        if self.replica is not None:
            message["base"] = self.replica.seq
        if mode != "best":
            message["mode"] = mode
        if pre:
            message["pre"] = pre
        message["body"] = body
        operation = Operation(self.next_cseq, write_json(message), tag)
        self.pending[operation.cseq] = operation
        self.next_cseq += 1
        counters = {"row_counter": self.row_counter, "column_counter": self.column_counter}
        self.notes.append({"op": {**self._entry(operation), **counters}})
        return operation

    def take_lines(self) -> List[bytes]:
        """The operations to send now: in order, each once a connection, within the window."""
        if self.state != "open":
            return []
        lines: List[bytes] = []
        count = size = 0
        for operation in self.pending.values():
            is_sent = operation.cseq <= self._sent
            is_full = count >= self.window or size + len(operation.line) > IN_FLIGHT_BYTES_MAX
            if not is_sent and count and is_full:
                break
            count, size = count + 1, size + len(operation.line)
            if not is_sent:
                lines.append(operation.line)
                self._sent = operation.cseq
        return lines

    def _answered(self, cseq: int, outcome: Outcome) -> None:
        operation = self.pending.pop(cseq, None)
        self._rewinds = self._faults = 0
        if operation is not None:
            operation.outcome = outcome
            self.notes.append({"answered": cseq})

    # Messages

    def received(self, message: Dict[str, Any]) -> None:
        """A message about this table.

        Where it makes no sense the replica is given up, and a new connection asks for a snapshot;
        where that does not help the table fails.
        """
        try:
            self._received(message["type"], message)
        except ProtocolError as error:
            self.replica = self._joining = None
            self.wants_reconnect = True
            self._faults += 1
            if self._faults > FAULTS_MAX:
                self.fail(error)

    def _received(self, kind: str, message: Dict[str, Any]) -> None:
        if kind == "record":
            self._record(message)
        elif kind == "reply":
            seq = message.get("seq")
            if "cseq" in message:
                self._answered(message["cseq"], Outcome.read(message["outcome"], seq))
        elif kind == "live":
            self._live(message["seq"])
        elif kind == "snapshot" and self.start == "snapshot":
            self._joining = Table(message["columns"], message["seq"], message.get("display"))
            self._joining_rows = message["rows"]
        elif kind == "chunk":
            if self._joining is None:
                raise ProtocolError("malformed", "a chunk without a snapshot")
            self._joining.load(message["rows"], message["columns"], message["cells"])
        elif kind == "comments":
            if self._joining is None:
                raise ProtocolError("malformed", "comments without a snapshot")
            for comment in message["comments"]:
                self._joining.comments.put(comment)
        elif kind == "snapshot_end":
            self._snapshot_end(message["seq"])
        elif kind == "presence":
            self.who = message["who"]
        elif kind == "renamed":
            self.name = message["name"]
        elif kind == "display":
            self.mine = message["mine"]

    def _snapshot_end(self, seq: int) -> None:
        joined, self._joining = self._joining, None
        if joined is None or joined.seq != seq or len(joined) != self._joining_rows:
            raise ProtocolError("malformed", "a snapshot ended that is not whole")
        self.replica, self.seq = joined, seq

    def _record(self, message: Dict[str, Any]) -> None:
        seq = message["seq"]
        if seq <= self.seq:
            return  # It came before, on an earlier connection.
        if seq != self.seq + 1 or (self.start == "snapshot" and self.replica is None):
            self.wants_reconnect = True  # Something is missing: ask for it.
            return
        record = Record.read(message, self.lineage)
        if self.replica is not None:
            self.replica.apply(seq, record.changes)
        self.seq = seq
        for watcher in self.watchers:
            watcher.append(record)
        if record.session == self.number and record.cseq is not None:
            self._answered(record.cseq, record.outcome)

    def _live(self, seq: int) -> None:
        if self.follow and seq > self.seq:
            self.wants_reconnect = True  # Records were sent that did not come.
            return
        self.is_live = True
        # All that was decided before has been told: what still lacks its answer is asked again.
        if any(cseq <= self._decided for cseq in self.pending):
            self._sent = min(self._sent, min(self.pending) - 1)
        self._decided = 0

    def error(self, message: Dict[str, Any]) -> None:
        """An `error` about this table that answers no request."""
        code, text = message["code"], message["message"]
        what = errors.action(code, closing=False)
        operation = self.pending.get(message.get("cseq", 0))
        if what == "resume" and operation is not None:
            self._gap(operation.cseq)
        elif what in ("resume", "reconnect", "wait"):
            self.wants_reconnect = True
        elif code == "session_expired" and operation is not None:
            # Decided long ago; how is no longer known. The session itself goes on.
            del self.pending[operation.cseq]
            self.notes.append({"answered": operation.cseq})
            operation.failure = InDoubt(code, text)
        elif what == "review" or code == "table_deleted" or operation is not None:
            self.lose(code, text)

    def _gap(self, cseq: int) -> None:
        """The server lacks an operation before this one: send again from the first unanswered.

        All that was on its way behind the gap comes back so, and is no further news.
        """
        if self._gap_seen < cseq <= self._gap_last:
            self._gap_seen = cseq
            return
        self._rewinds += 1
        self.wants_reconnect = self._rewinds > FAULTS_MAX
        self._gap_seen, self._gap_last = cseq, self._sent
        self._sent = min(self.pending) - 1
