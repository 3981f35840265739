"""A bot: it logs in, opens tables, asks, and comes back when the connection breaks.

This is the runtime around the pure `Connection`: it owns the socket, the clock, the dice and the
files. One thread, no callbacks: everything happens inside the calls that you make.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Callable, Dict, Generator, Iterator, List, Mapping, Optional, Sequence, Tuple
from typing import TypeVar, Union

from . import asks
from .asks import Ask, Page, TableInfo
from .comments import Comment
from .cursor import Cursor, Position
from .edits import Edits
from .errors import InDoubt, InvalidText, NotTrusted, ProtocolError, RequestFailed
from .errors import RoundtableError, Unreachable, action
from .identity import Identity
from .journal import Journal
from .link import Link
from .outcome import Outcome, Record
from .pace import CONNECT_SECONDS, PING, PING_AFTER, Pace
from .session import Session
from .shared import SharedTable
from .table import Column
from .values import moment

_FOREVER = float("inf")
_Answer = TypeVar("_Answer")


#: The number of a record, or a time with its zone.
Moment = Union[int, datetime]


@dataclass(frozen=True)
class Past:
    """What a table was after the record `seq`, made at `time` (milliseconds since 1970)."""

    seq: int
    time: Optional[int]
    rows: int
    columns: List[Column]


class Bot(Identity):
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
        super().__init__(address, token, pin, timeout, client)
        self._link: Optional[Link] = None
        self._journals: Dict[int, Journal] = {}
        self._pace = Pace()
        self._is_closed = False

    @classmethod
    def join(
        cls, invite: str, name: str, save: Optional[str] = None, timeout: float = 60.0
    ) -> "Bot":
        """Redeems an invite, which works once. Keep the bot's `credentials`, or name a file in
        `save` that is made for them, and come back with `Bot.load`."""
        bot = cls._invited(invite, name, timeout)
        bot.connect()
        bot._take_token()
        if save is not None:
            bot.save(save)
        return bot

    def connect(self, timeout: Optional[float] = None) -> None:
        """Logs in now rather than at the first call. Raises LoginFailed, NotTrusted, Unreachable."""
        if not self.run(lambda: self._connection.state == "ready", self.deadline(timeout)):
            raise Unreachable("going_away", f"{self.address}: {self._pace.trouble}")

    # Tables

    def tables(self, deleted: bool = False) -> List[TableInfo]:
        """The tables that there are, or those that were dropped and can be restored."""
        return self.put(asks.tables(deleted))

    def names(self, *users: str) -> Dict[str, str]:
        """What users are called, by their ids, also those who are not here now.

        A record names its author by id. Ids that nobody has are left out.
        """
        return self.put(asks.names(users))

    def create(self, name: str, columns: Mapping[str, str]) -> str:
        """Makes a table with columns {name: type}; returns its id. Raises NameRefused.

        Where the connection breaks before the answer, InDoubt is raised: see whether it is there.
        """
        return self.put(asks.create(name, columns))

    def rename(self, table: str, name: str, on_clash: Optional[str] = None) -> str:
        """Gives a table another name; returns the one it has then. Raises NameRefused.

        With `on_clash` "suffix" a name that is taken gets the lowest number that makes it free.
        """
        return self.put(asks.rename(table, name, on_clash))

    def drop(self, table: str) -> str:
        """Drops a table; returns its id, by which `restore` brings it back.

        Whoever has it open gets SessionLost with the code "table_deleted". Where the connection
        breaks before the answer, InDoubt is raised: see whether it is there.
        """
        return self.put(asks.drop(table))

    def restore(self, table: str, on_clash: Optional[str] = None) -> str:
        """Brings a dropped table back, by id, or the last dropped of a name; returns its name.

        Raises NameRefused where the name is taken meanwhile; see `rename` for `on_clash`.
        """
        return self.put(asks.restore(table, on_clash))

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
                raise Unreachable("going_away", f"{self.address}: {self._pace.trouble}")
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
        return self.put(asks.op(table, edits, mode), timeout)

    def preview(
        self, table: str, edits: Edits, mode: str = "strict", timeout: Optional[float] = None
    ) -> Outcome:
        """What an operation would come to, and what it would be refused for; nothing is changed."""
        return self.put(asks.op(table, edits, mode, dry_run=True), timeout)

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

        The server may send fewer than asked for: ask on from there. Each page says of which number
        it is; `pages` are all of one. With `at`, the number of a record, it reads the table as it
        was then.
        """
        if at is None:
            kinds = self._kinds(table)
        else:
            kinds = {column.id: column.type for column in self.past(table, at).columns}
        return self.put(asks.read(table, start, count, rows, columns, kinds, at))

    def _kinds(self, table: str) -> Dict[str, str]:
        """The types of a table's columns, by id."""
        known = asks.known_kinds(self._connection.sessions, table)
        if known is not None:
            return known
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

    def comments(
        self,
        table: str,
        row: Any = None,
        column: Optional[str] = None,
        open_only: bool = False,
    ) -> Iterator[Comment]:
        """The comments on a table, a row or a cell, from the server, oldest first.

        A table that is open has them at hand: `SharedTable.comments`.
        """
        message = asks.comments(table, row, column, open_only)
        while True:
            answer = self.ask(message)
            yield from asks.told_comments(answer)
            if "next" not in answer:
                return
            message["after"] = answer["next"]

    def hash(self, table: str) -> Tuple[int, str]:
        """A table's number and content hash."""
        return self.put(asks.content_hash(table))

    def pages(
        self, table: str, size: int = 1000, timeout: Optional[float] = None
    ) -> Generator[Page, None, None]:
        """All rows of a table in pages, all of one number, whatever is written meanwhile.

        They come from a snapshot on a connection of its own, which is closed before the first
        page is given. `Position(lineage, page.seq)` is where `watch` goes on behind it.
        """
        with self._other() as other:
            session = other._opened(Session(table, write=False), timeout)
        yield from asks.pages(session, size)

    def snapshot(
        self, table: str, size: int = 1000, timeout: Optional[float] = None
    ) -> Tuple[Position, Dict[str, str], Iterator[Page]]:
        """The same with the place in the history, and the columns as {id: name}."""
        with self._other() as other:
            session = other._opened(Session(table, write=False), timeout)
        return Position(session.lineage, session.seq), asks.names_of(session), asks.pages(
            session, size
        )

    def _other(self) -> "Bot":
        return Bot(self.address, self.token, self._pin.hex(), self.timeout, self._client)

    def watch(
        self,
        table: str,
        after: Optional[int] = None,
        lineage: Optional[str] = None,
        timeout: Optional[float] = None,
        cursor: Optional[Cursor] = None,
    ) -> Generator[Record, None, None]:
        """The records of a table after a number, without end or until none came for `timeout` s.

        Without `after` it begins with the next one. Keep `record.seq` and `record.lineage` to go
        on later without a gap, or give a `cursor`, which keeps them in a file: a record counts as
        dealt with once the next one is asked for. SessionLost `lineage_changed` says that the
        server holds another history by now. It has a connection of its own, and needs no replica.
        """
        with self._other() as other:
            have = None
            if cursor is not None and cursor.position is not None:
                after, lineage = cursor.position.seq, cursor.position.lineage
            if after is not None:
                if lineage is None:
                    probe = other._opened(Session(table, False, False), None)
                    lineage = probe.lineage
                    other.forget(probe)
                have = {"lineage": lineage, "seq": after}
            session = Session(table, write=False, start="head", have=have)
            records = SharedTable(other, session).watch(timeout)
            if cursor is not None and have is None:
                # From here on nothing is left out, even where this ends before the first record.
                other._connection.sessions.append(session)
                other.run(lambda: session.state == "open", other.deadline(None), session)
                cursor.save(Position(session.lineage, session.seq))
            else:
                other._connection.sessions.append(session)
            for record in records:
                yield record
                if cursor is not None:
                    is_waiting = any(len(waiting) > 0 for waiting in session.watchers)
                    cursor.advance(Position(record.lineage, record.seq), is_waiting)

    # The machine

    def put(self, request: Ask[_Answer], timeout: Optional[float] = None) -> _Answer:
        """Puts a request, and reads its answer."""
        return request.read(self.ask(request.message, request.may_repeat, timeout))

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
                raise Unreachable("going_away", f"{self.address}: {self._pace.trouble}")
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
        if not lines and self._pace.owes_ping(now) and self._connection.state == "ready":
            lines = [PING]
        if lines:
            self._pace.spoke(now)
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
            self._pace.heard(now)
        elif self._pace.is_silent(now):
            self._cut("nothing was heard from the server for too long")
            return
        if self._connection.wants_cut:
            self._cut("the server ended the connection")
        elif self._connection.is_settled:
            self._pace.settled()

    def _reach(self, seconds: float) -> bool:
        """Tries to connect, when it is time to. Whether a connection stands."""
        wait = self._pace.wait(self.clock())
        if wait > 0:
            time.sleep(min(wait, seconds))
            if wait > seconds:
                return False
        try:
            timeout = max(0.05, min(CONNECT_SECONDS, seconds or CONNECT_SECONDS))
            self._link = Link(self._host, self._port, self._pin, timeout)
        except NotTrusted as error:
            self._connection.end(error)
            raise
        except OSError as error:
            self._cut(str(error) or type(error).__name__)
            return False
        self._pace.connected(self.clock())
        self._connection.connected()
        return True

    def _cut(self, reason: str) -> None:
        """The connection is gone: come back after a wait that grows and is drawn by lot."""
        if self._link is not None:
            self._link.close()
            self._link = None
        self._connection.disconnected()
        self._pace.cut(self.clock(), reason, self._connection.take_retry_seconds())

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

