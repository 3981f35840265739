"""A bot: it logs in, opens tables, asks, and comes back when the connection breaks.

This is the runtime around the pure `Connection`: it owns the socket, the clock, the dice and the
files. One thread, no callbacks: everything happens inside the calls that you make.
"""

from __future__ import annotations

import json
import os
import random
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Callable, Dict, Generator, Iterator, List, Mapping, Optional, Sequence, Tuple
from typing import Union

from .connection import Connection
from .edits import Edits
from .errors import InDoubt, InvalidText, NotTrusted, ProtocolError, RequestFailed
from .errors import RoundtableError, Unreachable, action, rejected
from .invite import Invite, check_token, parse_address, parse_pin
from .journal import Journal
from .link import Link
from .outcome import Outcome, Record
from .session import Session
from .shared import SharedTable
from .table import Column
from .values import decode, moment, row_id, run_range

#: Seconds: the first and the longest wait between two attempts to connect.
BACKOFF_FIRST, BACKOFF_MAX = 0.25, 30.0
#: Seconds without a line from the server after which the connection counts as dead.
SILENCE_MAX = 45.0
#: Seconds without a line from here after which a `ping` says that this bot is alive.
PING_AFTER = 15.0
_CONNECT_SECONDS = 10.0
_FOREVER = float("inf")


@dataclass(frozen=True)
class TableInfo:
    """One table of the server."""

    id: str
    name: str
    rows: int
    columns: int
    seq: int


@dataclass(frozen=True)
class Page:
    """Rows as the server has them at the number `seq`."""

    seq: int
    total: int
    columns: List[str]
    rows: List[str]
    cells: List[List[Any]]
    versions: List[List[int]]


#: The number of a record, or a time with its zone.
Moment = Union[int, datetime]


@dataclass(frozen=True)
class Past:
    """What a table was after the record `seq`, made at `time` (milliseconds since 1970)."""

    seq: int
    time: Optional[int]
    rows: int
    columns: List[Column]


class Bot:
    """A bot at one server. Use it in one thread, best in a `with` block."""

    def __init__(
        self,
        address: str,
        token: str,
        pin: str,
        timeout: float = 60.0,
        client: str = "roundtable-python",
    ) -> None:
        """A bot with a token, for the server at `address` whose key has `pin`.

        `timeout` is how many seconds a call waits, also for a server that is away, where the call
        itself is not told otherwise. Nothing is sent before the first call that needs it.
        """
        self._host, self._port = parse_address(address)
        self._pin = parse_pin(pin)
        self.address = address
        self.token = check_token(token) if token else ""
        self.timeout = timeout
        self._client = client
        self._connection = Connection({"token": self.token}, client)
        self._link: Optional[Link] = None
        self._journals: Dict[int, Journal] = {}
        self._attempt = 0
        self._next_attempt = 0.0
        self._heard = self._spoke = 0.0
        self._trouble = "no connection yet"
        self._is_closed = False

    @classmethod
    def join(
        cls, invite: str, name: str, save: Optional[str] = None, timeout: float = 60.0
    ) -> "Bot":
        """Redeems an invite, which works once. Keep the bot's `credentials`, or name a file in
        `save` that is made for them, and come back with `Bot.load`."""
        read = Invite.parse(invite)
        host = f"[{read.host}]" if ":" in read.host else read.host
        bot = cls(f"{host}:{read.port}", "", read.pin.hex(), timeout)
        bot._connection = Connection({"invite": read.secret, "name": name}, bot._client)
        bot.connect()
        bot.token = check_token(bot._connection.user.get("token", ""))
        if save is not None:
            bot.save(save)
        return bot

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], timeout: float = 60.0) -> "Bot":
        """A bot from a file with {"address", "pin", "token"}, such as `save` makes."""
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        try:
            return cls(found["address"], found["token"], found["pin"], timeout)
        except (KeyError, TypeError):
            raise InvalidText("malformed", f"{path} lacks address, pin or token") from None

    def save(self, path: str) -> None:
        """Writes `credentials` into a file that only its owner can read."""
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(self.credentials, file)

    @property
    def credentials(self) -> Dict[str, str]:
        """{"address", "pin", "token"}. The token is a secret."""
        return {"address": self.address, "pin": self._pin.hex(), "token": self.token}

    @property
    def name(self) -> str:
        """The name that others see; empty before the first login."""
        return str(self._connection.user.get("name", ""))

    def connect(self, timeout: Optional[float] = None) -> None:
        """Logs in now rather than at the first call. Raises LoginFailed, NotTrusted, Unreachable."""
        if not self.run(lambda: self._connection.state == "ready", self.deadline(timeout)):
            raise Unreachable("going_away", f"{self.address}: {self._trouble}")

    # Tables

    def tables(self, deleted: bool = False) -> List[TableInfo]:
        """The tables that there are, or those that were dropped and can be restored."""
        message: Dict[str, Any] = {"type": "tables"}
        if deleted:
            message["deleted"] = True
        found = self.ask(message)["tables"]
        return [
            TableInfo(one["table"], one["name"], one["rows"], one["columns"], one["seq"])
            for one in found
        ]

    def names(self, *users: str) -> Dict[str, str]:
        """What users are called, by their ids, also those who are not here now.

        A record names its author by id. Ids that nobody has are left out.
        """
        found = self.ask({"type": "users", "users": list(users)})["users"]
        return {one["user"]: one["name"] for one in found}

    def create(self, name: str, columns: Mapping[str, str]) -> str:
        """Makes a table with columns {name: type}; returns its id. Raises NameRefused.

        Where the connection breaks before the answer, InDoubt is raised: see whether it is there.
        """
        listed = [{"name": column, "type": kind} for column, kind in columns.items()]
        message = {"type": "create", "table": name, "columns": listed}
        return str(self.ask(message, may_repeat=False)["table"])

    def rename(self, table: str, name: str, on_clash: Optional[str] = None) -> str:
        """Gives a table another name; returns the one it has then. Raises NameRefused.

        With `on_clash` "suffix" a name that is taken gets the lowest number that makes it free.
        """
        message = {"type": "table_rename", "table": table, "name": name}
        if on_clash is not None:
            message["on_clash"] = on_clash
        return str(self.ask(message)["name"])

    def drop(self, table: str) -> str:
        """Drops a table; returns its id, by which `restore` brings it back.

        Whoever has it open gets SessionLost with the code "table_deleted". Where the connection
        breaks before the answer, InDoubt is raised: see whether it is there.
        """
        message = {"type": "table_drop", "table": table}
        return str(self.ask(message, may_repeat=False)["table"])

    def restore(self, table: str, on_clash: Optional[str] = None) -> str:
        """Brings a dropped table back, by id, or the last dropped of a name; returns its name.

        Raises NameRefused where the name is taken meanwhile; see `rename` for `on_clash`.
        """
        message = {"type": "table_restore", "table": table}
        if on_clash is not None:
            message["on_clash"] = on_clash
        return str(self.ask(message, may_repeat=False)["name"])

    def open(
        self,
        table: str,
        write: bool = True,
        follow: bool = True,
        window: Optional[int] = None,
        save: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> SharedTable:
        """Opens a table by name or id and waits until it is here, and `live`.

        With `save`, a file, the session outlives the process: operations that had no answer when
        it died are sent again by the next one, and counted once; see `SharedTable.pending`.
        Without `follow` there is no replica, only edits.
        """
        session = Session(table, write, follow, window=window)
        if save is not None:
            journal = Journal(save)
            self._journals[id(session)] = journal
            if journal.saved is not None:
                session.restore(journal.saved)
        return SharedTable(self, self._opened(session, timeout))

    def _opened(self, session: Session, timeout: Optional[float]) -> Session:
        self._connection.sessions.append(session)
        wanted = (lambda: session.is_live) if session.follow else (lambda: session.state == "open")
        try:
            if not self.run(wanted, self.deadline(timeout), session):
                raise Unreachable("going_away", f"{self.address}: {self._trouble}")
        except BaseException:
            self.forget(session)
            raise
        return session

    def reopen(self, lost: Session, timeout: Optional[float]) -> Session:
        """A new session in place of one that is lost, with the same file."""
        session = Session(lost.id or lost.table, lost.write, lost.follow, window=lost.window)
        journal = self._journals.pop(id(lost), None)
        if journal is not None:
            journal.write(lost.notes)
            lost.notes = []
            self._journals[id(session)] = journal
        if lost in self._connection.sessions:
            self._connection.forget(lost)
        return self._opened(session, timeout)

    def forget(self, session: Session) -> None:
        """Closes a table's session on this connection."""
        self._write_notes()
        if session in self._connection.sessions:
            self._connection.forget(session)
        journal = self._journals.pop(id(session), None)
        if journal is not None:
            journal.close()

    # Without opening a table

    def do(
        self,
        table: str,
        edits: Edits,
        mode: str = "strict",
        timeout: Optional[float] = None,
    ) -> Outcome:
        """Sends one operation without a session. Raises Rejected.

        Simple, and not exactly once: where the connection breaks before the answer, InDoubt is
        raised, and only a look at the table tells whether it was applied.
        """
        message: Dict[str, Any] = {"type": "op", "table": table, "body": edits.body}
        if mode != "best":
            message["mode"] = mode
        if edits.pre:
            message["pre"] = edits.pre
        answer = self.ask(message, False, timeout)
        outcome = Outcome.read(answer["outcome"], answer.get("seq"))
        if outcome.rejected:
            raise rejected(outcome)
        return outcome

    def read(
        self,
        table: str,
        start: int = 0,
        count: int = 1000,
        rows: Optional[Sequence[str]] = None,
        columns: Optional[Sequence[str]] = None,
        at: Optional[int] = None,
    ) -> Page:
        """Reads rows from the server, by position or by id, with the versions of their cells.

        The server may send fewer than asked for: ask on from there. With `at`, the number of a
        record, it reads the table as it was then.
        """
        message: Dict[str, Any] = {"type": "read", "table": table, "versions": True}
        if rows is not None:
            message["rows"] = list(rows)
        else:
            message.update({"from": start, "count": count})
        if columns is not None:
            message["columns"] = list(columns)
        if at is None:
            kinds = self._kinds(table)
        else:
            message["at"] = at
            kinds = {column.id: column.type for column in self.past(table, at).columns}
        answer = self.ask(message)
        read = [kinds.get(column, "") for column in answer["columns"]]
        cells = [
            [decode(kind, value) if kind else value for kind, value in zip(read, row)]
            for row in answer["cells"]
        ]
        runs = [run_range(run) for run in answer["rows"]]
        if sum(map(len, runs)) != len(cells):
            raise ProtocolError("malformed", "the server sent other rows than it names")
        numbers = [number for run in runs for number in run]
        ids = [row_id(number) for number in numbers]
        versions = answer.get("versions", [])
        return Page(answer["seq"], answer["total"], answer["columns"], ids, cells, versions)

    def _kinds(self, table: str) -> Dict[str, str]:
        """The types of a table's columns, by id."""
        for session in self._connection.sessions:
            if table in (session.id, session.name) and session.replica is not None:
                return {column.id: column.type for column in session.replica.columns}
        session = Session(table, write=False, follow=False)
        self._opened(session, None)
        self._connection.forget(session)
        return dict(session.types)

    def past(self, table: str, at: Moment) -> Past:
        """What a table was: after the record of a number, or at a time (a datetime with a zone).

        `read` with its `seq` as `at` gives the rows. Raises RequestFailed `unknown_record`.
        """
        answer = self.ask({"type": "past", "table": table, **moment(at)})
        columns = [Column.read(column) for column in answer["columns"]]
        return Past(answer["seq"], answer.get("time"), answer["rows"], columns)

    def history(
        self,
        table: str,
        row: Optional[str] = None,
        column: Optional[str] = None,
        before: Optional[int] = None,
    ) -> Iterator[Dict[str, Any]]:
        """What happened to a table, a row or a column, the newest first, record by record.

        Each is what docs/protocol.md calls an entry: `seq`, `time`, `user`, `kind`, `counts`,
        `cells` as [row, column, from, to] and so on, with ids and values as the wire has them.
        """
        message: Dict[str, Any] = {"type": "history", "table": table}
        for name, value in (("row", row), ("column", column), ("before", before)):
            if value is not None:
                message[name] = value
        while True:
            answer = self.ask(message)
            yield from answer["entries"]
            if answer.get("next", 0) <= 1 or not answer["entries"]:
                return
            message["before"] = answer["next"]

    def hash(self, table: str) -> Tuple[int, str]:
        """A table's number and content hash."""
        answer = self.ask({"type": "hash", "table": table})
        return answer["seq"], answer["hash"]

    def watch(
        self,
        table: str,
        after: Optional[int] = None,
        lineage: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Generator[Record, None, None]:
        """The records of a table after a number, without end or until none came for `timeout` s.

        Without `after` it begins with the next one. Keep `record.seq` and `record.lineage` to go
        on later without a gap; SessionLost `lineage_changed` says that the server holds another
        history by now. It has a connection of its own, and needs no replica.
        """
        with Bot(self.address, self.token, self._pin.hex(), self.timeout, self._client) as other:
            have = None
            if after is not None:
                if lineage is None:
                    probe = other._opened(Session(table, False, False), None)
                    lineage = probe.lineage
                    other.forget(probe)
                have = {"lineage": lineage, "seq": after}
            session = Session(table, write=False, start="head", have=have)
            records = SharedTable(other, session).watch(timeout)
            other._connection.sessions.append(session)
            yield from records

    # The machine

    def ask(
        self, message: Dict[str, Any], may_repeat: bool = True, timeout: Optional[float] = None
    ) -> Dict[str, Any]:
        """Any request of the protocol, and its answer. Raises RequestFailed.

        With `may_repeat` it is asked again after a cut connection; else that raises InDoubt. What
        the server found too frequent is asked again when the server says.
        """
        deadline = self.deadline(timeout)
        while True:
            request = self._connection.request(message, may_repeat)
            if not self.run(lambda: request.done, deadline):
                self._connection.withdraw(request)
                raise Unreachable("going_away", f"{self.address}: {self._trouble}")
            if request.answer is not None:
                return request.answer
            failure = request.failure
            if not isinstance(failure, RequestFailed) or action(failure.code, False) != "wait":
                raise failure or InDoubt("internal_error", "no answer")
            again = self.clock() + (failure.retry_seconds or 1.0)
            if again > deadline:
                raise failure
            self.run(lambda: self.clock() >= again, again)

    def say(self, message: Dict[str, Any]) -> None:
        """Says something that has no answer."""
        self.connect()
        self._connection.say(message)
        self.push()

    @staticmethod
    def clock() -> float:
        """Seconds of a clock that is never set back."""
        return time.monotonic()

    def deadline(self, timeout: Optional[float]) -> float:
        """When a call that begins now has to give up."""
        return self.clock() + (self.timeout if timeout is None else timeout)

    def run(
        self,
        until: Callable[[], bool],
        deadline: Optional[float],
        session: Optional[Session] = None,
    ) -> bool:
        """Lets the connection work until something holds; False where the time passed first.

        Raises what ended the connection or, where one is given, the session.
        """
        end = _FOREVER if deadline is None else deadline
        is_first = True
        while not until():
            if session is not None and session.failure is not None:
                self._write_notes()
                raise session.failure
            left = end - self.clock()
            if left <= 0 and not is_first:
                return False
            is_first = False
            self._turn(max(0.0, left))
        self._write_notes()
        return True

    def push(self) -> None:
        """Sends what can be sent at once, without waiting."""
        if self._link is not None:
            self._turn(0.0)

    def _turn(self, seconds: float) -> None:
        """One round: connect if need be, send, and wait for lines at most so long."""
        if self._is_closed:
            raise Unreachable("going_away", "the bot is closed")
        if self._connection.failure is not None:
            raise self._connection.failure
        if self._link is None and not self._reach(seconds):
            return
        link, now = self._link, self.clock()
        if link is None:
            return
        self._write_notes()
        lines = self._connection.take_lines()
        if not lines and now - self._spoke > PING_AFTER and self._connection.state == "ready":
            lines = [b'{"type":"ping"}\n']
        if lines:
            self._spoke = now
        try:
            link.send(lines)
            received = link.exchange(min(seconds, PING_AFTER, 1.0 if lines else PING_AFTER))
            for line in received:
                self._connection.received(line)
        except OSError as error:
            self._cut(str(error) or "the connection was cut")
            return
        except (ProtocolError, InvalidText):
            self._cut("the server sent nonsense")
            raise
        self._after(bool(received))

    def _after(self, has_heard: bool) -> None:
        now = self.clock()
        if has_heard:
            self._heard = now
        elif now - self._heard > SILENCE_MAX:
            self._cut("nothing was heard from the server for too long")
            return
        if self._connection.wants_cut:
            self._cut("the server ended the connection")
        elif self._connection.state == "ready" and all(
            session.state != "opening" for session in self._connection.sessions
        ):
            self._attempt = 0

    def _reach(self, seconds: float) -> bool:
        """Tries to connect, when it is time to. Whether a connection stands."""
        wait = self._next_attempt - self.clock()
        if wait > 0:
            time.sleep(min(wait, seconds))
            if wait > seconds:
                return False
        try:
            timeout = max(0.05, min(_CONNECT_SECONDS, seconds or _CONNECT_SECONDS))
            self._link = Link(self._host, self._port, self._pin, timeout)
        except NotTrusted as error:
            self._connection.end(error)
            raise
        except OSError as error:
            self._cut(str(error) or type(error).__name__)
            return False
        self._heard = self._spoke = self.clock()
        self._connection.connected()
        return True

    def _cut(self, reason: str) -> None:
        """The connection is gone: come back after a wait that grows and is drawn by lot."""
        self._trouble = reason
        if self._link is not None:
            self._link.close()
            self._link = None
        self._connection.disconnected()
        longest = min(BACKOFF_MAX, BACKOFF_FIRST * 2.0 ** min(self._attempt, 10))
        wait = random.uniform(0, longest)
        if self._connection.retry_seconds is not None:
            wait += self._connection.retry_seconds
            self._connection.retry_seconds = None
        self._attempt += 1
        self._next_attempt = self.clock() + wait

    def _write_notes(self) -> None:
        """Puts on disk what has to be there before anything more is sent."""
        for session in self._connection.sessions:
            if session.notes:
                journal = self._journals.get(id(session))
                if journal is not None:
                    journal.write(session.notes)
                session.notes = []

    def close(self) -> None:
        """Says goodbye. Operations without an answer stay pending in the saved file, if any."""
        if self._is_closed:
            return
        if self._link is not None:
            self._connection.say({"type": "bye"})
            try:
                self._write_notes()
                self._link.send(self._connection.take_lines())
                self._link.exchange(0.0)
            except (OSError, RoundtableError):
                pass
            self._link.close()
            self._link = None
        self._connection.disconnected()
        for session in list(self._connection.sessions):
            self.forget(session)
        self._is_closed = True

    def __enter__(self) -> "Bot":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()

