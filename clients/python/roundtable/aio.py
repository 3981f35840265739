"""The same bot for asyncio: the same names, each call awaited, many at once on one connection.

    async with AsyncBot.load("bot.json") as bot:
        stock = await bot.open("stock")
        await stock.append(item="bolt", qty=5)

A task reads and writes while others run; the replica moves on only where you await something.
What is said and meant is shared with `Bot`: connection, session, table, edits, asks, pace.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections import deque
from typing import Any, AsyncGenerator, Callable, Deque, Dict, Iterator, List, Mapping, Optional
from typing import Sequence, Tuple, TypeVar

from . import asks
from .aio_shared import WATCH_MAX, AsyncTable, AsyncTransaction
from .asks import Ask, Page, TableInfo
from .bot import Moment, Past
from .comments import Comment
from .cursor import Cursor, Position
from .edits import Edits
from .errors import InDoubt, InvalidText, NotTrusted, ProtocolError, RequestFailed
from .errors import Unreachable, action
from .identity import Identity
from .journal import Journal
from .link import check_server, tls_context
from .outcome import Outcome, Record
from .pace import CONNECT_SECONDS, PING, PING_AFTER, Pace
from .session import Session
from .table import Column
from .values import moment
from .wire import LineSplitter

__all__ = ["AsyncBot", "AsyncTable", "AsyncTransaction"]

_FOREVER = float("inf")
_READ_BYTES = 64 * 1024
_Answer = TypeVar("_Answer")


class AsyncBot(Identity):
    """A bot at one server, for the tasks of one event loop; best in an `async with` block."""

    def __init__(
        self,
        address: str,
        token: str,
        pin: str,
        timeout: float = 60.0,
        client: str = "roundtable-python",
    ) -> None:
        """As `Bot`. Nothing is sent before the first call that needs it."""
        super().__init__(address, token, pin, timeout, client)
        self._journals: Dict[int, Journal] = {}
        self._pace = Pace()
        self._task: Optional["asyncio.Task[None]"] = None
        self._wake = asyncio.Event()
        self._waiting: List["asyncio.Future[None]"] = []
        self._writer: Optional[asyncio.StreamWriter] = None
        self._is_closed = False

    @classmethod
    async def join(
        cls, invite: str, name: str, save: Optional[str] = None, timeout: float = 60.0
    ) -> "AsyncBot":
        """Redeems an invite, which works once; see `Bot.join`."""
        bot = cls._invited(invite, name, timeout)
        await bot.connect()
        bot._take_token()
        if save is not None:
            bot.save(save)
        return bot

    async def connect(self, timeout: Optional[float] = None) -> None:
        """Logs in now rather than at the first call."""
        if not await self.run(lambda: self._connection.state == "ready", self.deadline(timeout)):
            raise Unreachable("going_away", f"{self.address}: {self._pace.trouble}")

    # Tables

    async def tables(self, deleted: bool = False) -> List[TableInfo]:
        """The tables that there are, or those that were dropped and can be restored."""
        return await self.put(asks.tables(deleted))

    async def names(self, *users: str) -> Dict[str, str]:
        """What users are called, by their ids."""
        return await self.put(asks.names(users))

    async def create(self, name: str, columns: Mapping[str, str]) -> str:
        """Makes a table with columns {name: type}; returns its id."""
        return await self.put(asks.create(name, columns))

    async def rename(self, table: str, name: str, on_clash: Optional[str] = None) -> str:
        """Gives a table another name; returns the one it has then."""
        return await self.put(asks.rename(table, name, on_clash))

    async def drop(self, table: str) -> str:
        """Drops a table; returns its id, by which `restore` brings it back."""
        return await self.put(asks.drop(table))

    async def restore(self, table: str, on_clash: Optional[str] = None) -> str:
        """Brings a dropped table back; returns its name."""
        return await self.put(asks.restore(table, on_clash))

    async def open(
        self,
        table: str,
        write: bool = True,
        follow: bool = True,
        window: Optional[int] = None,
        save: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> AsyncTable:
        """Opens a table by name or id and waits until it is here; see `Bot.open`."""
        session = Session(table, write, follow, window=window)
        if save is not None:
            journal = Journal(save)
            self._journals[id(session)] = journal
            if journal.saved is not None:
                session.restore(journal.saved)
        return AsyncTable(self, await self._opened(session, timeout))

    async def _opened(self, session: Session, timeout: Optional[float]) -> Session:
        self._connection.sessions.append(session)
        wanted = (lambda: session.is_live) if session.follow else (lambda: session.state == "open")
        if session.start == "head":
            wanted = lambda: session.state == "open"  # noqa: E731
        try:
            if not await self.run(wanted, self.deadline(timeout), session):
                raise Unreachable("going_away", f"{self.address}: {self._pace.trouble}")
        except BaseException:
            self.forget(session)
            raise
        return session

    async def reopen(self, lost: Session, timeout: Optional[float]) -> Session:
        """A new session in place of one that is lost, with the same file."""
        session = Session(lost.id or lost.table, lost.write, lost.follow, window=lost.window)
        journal = self._journals.pop(id(lost), None)
        if journal is not None:
            journal.write(lost.notes)
            lost.notes = []
            self._journals[id(session)] = journal
        if lost in self._connection.sessions:
            self._connection.forget(lost)
        return await self._opened(session, timeout)

    def forget(self, session: Session) -> None:
        """Closes a table's session on this connection."""
        self._write_notes()
        if session in self._connection.sessions:
            self._connection.forget(session)
            self.push()
        journal = self._journals.pop(id(session), None)
        if journal is not None:
            journal.close()

    # Without opening a table

    async def do(
        self, table: str, edits: Edits, mode: str = "strict", timeout: Optional[float] = None
    ) -> Outcome:
        """Sends one operation without a session. Not exactly once; see `Bot.do`."""
        return await self.put(asks.op(table, edits, mode), timeout)

    async def preview(
        self, table: str, edits: Edits, mode: str = "strict", timeout: Optional[float] = None
    ) -> Outcome:
        """What an operation would come to, and what it would be refused for; nothing is changed."""
        return await self.put(asks.op(table, edits, mode, dry_run=True), timeout)

    async def read(
        self,
        table: str,
        start: int = 0,
        count: int = 1000,
        rows: Optional[Sequence[str]] = None,
        columns: Optional[Sequence[str]] = None,
        at: Optional[int] = None,
    ) -> Page:
        """Reads rows from the server, by position or by id, with the versions of their cells."""
        kinds = asks.known_kinds(self._connection.sessions, table)
        if at is not None:
            kinds = {column.id: column.type for column in (await self.past(table, at)).columns}
        elif kinds is None:
            session = await self._opened(Session(table, write=False, follow=False), None)
            self.forget(session)
            kinds = dict(session.types)
        return await self.put(asks.read(table, start, count, rows, columns, kinds, at))

    async def past(self, table: str, at: Moment) -> Past:
        """What a table was: after the record of a number, or at a time (a datetime with a zone)."""
        answer = await self.ask({"type": "past", "table": table, **moment(at)})
        columns = [Column.read(column) for column in answer["columns"]]
        return Past(answer["seq"], answer.get("time"), answer["rows"], columns)

    async def history(
        self,
        table: str,
        row: Optional[str] = None,
        column: Optional[str] = None,
        before: Optional[int] = None,
    ) -> AsyncGenerator[Dict[str, Any], None]:
        """What happened to a table, a row or a column, the newest first; see `Bot.history`."""
        message: Dict[str, Any] = {"type": "history", "table": table}
        for name, value in (("row", row), ("column", column), ("before", before)):
            if value is not None:
                message[name] = value
        while True:
            answer = await self.ask(message)
            for entry in answer["entries"]:
                yield entry
            if answer.get("next", 0) <= 1 or not answer["entries"]:
                return
            message["before"] = answer["next"]

    async def comments(
        self,
        table: str,
        row: Any = None,
        column: Optional[str] = None,
        open_only: bool = False,
    ) -> AsyncGenerator[Comment, None]:
        """The comments on a table, a row or a cell, oldest first; see `Bot.comments`."""
        message = asks.comments(table, row, column, open_only)
        while True:
            answer = await self.ask(message)
            for comment in asks.told_comments(answer):
                yield comment
            if "next" not in answer:
                return
            message["after"] = answer["next"]

    async def hash(self, table: str) -> Tuple[int, str]:
        """A table's number and content hash."""
        return await self.put(asks.content_hash(table))

    async def pages(
        self, table: str, size: int = 1000, timeout: Optional[float] = None
    ) -> AsyncGenerator[Page, None]:
        """All rows of a table in pages, all of one number, whatever is written meanwhile."""
        async with self._other() as other:
            session = await other._opened(Session(table, write=False), timeout)
        for page in asks.pages(session, size):
            yield page

    async def snapshot(
        self, table: str, size: int = 1000, timeout: Optional[float] = None
    ) -> Tuple[Position, Dict[str, str], Iterator[Page]]:
        """The same with the place in the history, and the columns as {id: name}.

        The pages are here by then: they are read without awaiting.
        """
        async with self._other() as other:
            session = await other._opened(Session(table, write=False), timeout)
        return Position(session.lineage, session.seq), asks.names_of(session), asks.pages(
            session, size
        )

    def _other(self) -> "AsyncBot":
        return AsyncBot(self.address, self.token, self._pin.hex(), self.timeout, self._client)

    async def watch(
        self,
        table: str,
        after: Optional[int] = None,
        lineage: Optional[str] = None,
        timeout: Optional[float] = None,
        cursor: Optional[Cursor] = None,
    ) -> AsyncGenerator[Record, None]:
        """The records of a table after a number or a cursor; see `Bot.watch`."""
        async with self._other() as other:
            have = None
            if cursor is not None and cursor.position is not None:
                after, lineage = cursor.position.seq, cursor.position.lineage
            if after is not None:
                if lineage is None:
                    probe = await other._opened(Session(table, False, False), None)
                    lineage = probe.lineage
                    other.forget(probe)
                have = {"lineage": lineage, "seq": after}
            session = Session(table, write=False, start="head", have=have)
            waiting: Deque[Record] = deque()
            session.watchers.append(waiting)
            await other._opened(session, None)
            if cursor is not None and have is None:
                # From here on nothing is left out, even where this ends before the first record.
                cursor.save(Position(session.lineage, session.seq))
            async for record in AsyncTable(other, session).taken(waiting, timeout):
                yield record
                if cursor is not None:
                    cursor.advance(Position(record.lineage, record.seq), bool(waiting))

    # The machine

    async def put(self, request: Ask[_Answer], timeout: Optional[float] = None) -> _Answer:
        """Puts a request, and reads its answer."""
        return request.read(await self.ask(request.message, request.may_repeat, timeout))

    async def ask(
        self, message: Dict[str, Any], may_repeat: bool = True, timeout: Optional[float] = None
    ) -> Dict[str, Any]:
        """Any request of the protocol, and its answer; see `Bot.ask`."""
        deadline = self.deadline(timeout)
        while True:
            request = self._connection.request(message, may_repeat)
            try:
                is_done = await self.run(lambda: request.done, deadline)
            except BaseException:
                self._connection.withdraw(request)
                raise
            if not is_done:
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
            await self.run(lambda: self.clock() >= again, again)

    async def say(self, message: Dict[str, Any]) -> None:
        """Says something that has no answer."""
        await self.connect()
        self._connection.say(message)
        self.push()

    @staticmethod
    def clock() -> float:
        """Seconds of a clock that is never set back."""
        return time.monotonic()

    def deadline(self, timeout: Optional[float]) -> float:
        """When a call that begins now has to give up."""
        return self.clock() + (self.timeout if timeout is None else timeout)

    async def run(
        self,
        until: Callable[[], bool],
        deadline: Optional[float],
        session: Optional[Session] = None,
    ) -> bool:
        """Waits until something holds; False where the time passed first.

        Raises what ended the connection or, where one is given, the session.
        """
        self.push()
        end = _FOREVER if deadline is None else deadline
        while not until():
            if session is not None and session.failure is not None:
                raise session.failure
            if self._connection.failure is not None:
                raise self._connection.failure
            if self._is_closed:
                raise Unreachable("going_away", "the bot is closed")
            left = end - self.clock()
            if left <= 0:
                return False
            change = asyncio.get_running_loop().create_future()
            self._waiting.append(change)
            # Also where nothing changes, what is waited for may be the time.
            await asyncio.wait([change], timeout=None if left == _FOREVER else left)
        return True

    def push(self) -> None:
        """Lets the connection's task send what can be sent."""
        if self._task is None and not self._is_closed:
            self._task = asyncio.get_running_loop().create_task(self._live())
        self._wake.set()

    def _changed(self) -> None:
        waiting, self._waiting = self._waiting, []
        for change in waiting:
            if not change.done():
                change.set_result(None)

    async def _live(self) -> None:
        """Connects, again and again, and keeps the conversation up."""
        while self._connection.failure is None:
            await asyncio.sleep(self._pace.wait(self.clock()))  # poll: the wait of the protocol
            reason = "the server ended the connection"
            try:
                reader = await self._reach()
                await self._talk(reader)
            except NotTrusted as error:
                self._connection.end(error)
            except (ProtocolError, InvalidText) as error:
                self._connection.end(error)
            except asyncio.TimeoutError:
                reason = "no connection within the time"
            except OSError as error:
                reason = str(error) or type(error).__name__
            self._hang_up()
            self._connection.disconnected()
            self._pace.cut(self.clock(), reason, self._connection.take_retry_seconds())
            self._write_notes()
            self._changed()

    async def _reach(self) -> asyncio.StreamReader:
        opening = asyncio.open_connection(
            self._host, self._port, ssl=tls_context(), server_hostname=""
        )
        reader, writer = await asyncio.wait_for(opening, CONNECT_SECONDS)
        self._writer = writer
        secured = writer.get_extra_info("ssl_object")
        if not isinstance(secured, ssl.SSLObject):
            raise NotTrusted("login_failed", "the connection is not secured")
        check_server(secured, self._pin)
        self._pace.connected(self.clock())
        self._connection.connected()
        return reader

    async def _talk(self, reader: asyncio.StreamReader) -> None:
        """Says and hears until the connection ends."""
        splitter = LineSplitter()
        reading: Optional["asyncio.Task[bytes]"] = None
        waking: Optional["asyncio.Task[Any]"] = None
        try:
            while not self._connection.wants_cut and self._writer is not None:
                self._wake.clear()
                self._send(self._writer)
                if reading is None and not self._is_full:
                    reading = asyncio.ensure_future(reader.read(_READ_BYTES))
                waking = asyncio.ensure_future(self._wake.wait())
                waited: List["asyncio.Task[Any]"] = [waking]
                if reading is not None:
                    waited.append(reading)
                await asyncio.wait(
                    waited, timeout=PING_AFTER, return_when=asyncio.FIRST_COMPLETED
                )
                waking.cancel()
                if reading is not None and reading.done():
                    data, reading = reading.result(), None
                    if not data:
                        raise ConnectionResetError("the server closed the connection")
                    self._pace.heard(self.clock())
                    for line in splitter.feed(data):
                        self._connection.received(line)
                    self._write_notes()
                    self._changed()
                elif self._pace.is_silent(self.clock()) and not self._is_full:
                    raise ConnectionResetError("nothing was heard from the server for too long")
                if self._connection.is_settled:
                    self._pace.settled()
        finally:
            for task in (reading, waking):
                if task is not None:
                    task.cancel()

    @property
    def _is_full(self) -> bool:
        """Whether a watch that has the connection to itself is far behind: the server waits."""
        return any(
            len(waiting) > WATCH_MAX
            for session in self._connection.sessions
            if session.start == "head"
            for waiting in session.watchers
        )

    def _send(self, writer: asyncio.StreamWriter) -> None:
        """Gives what may be said to the socket. How much waits there, the window bounds."""
        self._write_notes()
        lines = self._connection.take_lines()
        now = self.clock()
        if not lines and self._pace.owes_ping(now) and self._connection.state == "ready":
            lines = [PING]
        if lines:
            self._pace.spoke(now)
            writer.write(b"".join(lines))

    def _hang_up(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _write_notes(self) -> None:
        """Puts on disk what has to be there before anything more is sent."""
        for session in self._connection.sessions:
            if session.notes:
                journal = self._journals.get(id(session))
                if journal is not None:
                    journal.write(session.notes)
                session.notes = []

    async def close(self) -> None:
        """Says goodbye. Operations without an answer stay pending in the saved file, if any."""
        if self._is_closed:
            return
        self._is_closed = True
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        writer = self._writer
        if writer is not None:
            self._connection.say({"type": "bye"})
            self._send(writer)
            self._hang_up()
            try:
                await asyncio.wait_for(writer.wait_closed(), 1.0)
            except (OSError, asyncio.TimeoutError):
                pass
        self._connection.disconnected()
        for session in list(self._connection.sessions):
            self._write_notes()
            self._connection.sessions.remove(session)
            journal = self._journals.pop(id(session), None)
            if journal is not None:
                journal.close()
        self._changed()

    async def __aenter__(self) -> "AsyncBot":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self.close()
