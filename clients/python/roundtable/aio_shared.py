"""An open table for asyncio: read as `SharedTable`, without awaiting; edits and watches awaited.

The replica moves on only where you await something.
"""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import datetime
from typing import TYPE_CHECKING, Any, AsyncGenerator, Deque, Dict, List, Mapping, Optional
from typing import Sequence, Tuple, Union

from . import asks, errors
from .claim import AsyncClaim
from .comments import AsyncCommentCalls
from .edits import Edits, Place, row_of
from .errors import OutOfTime, RoundtableError
from .outcome import Operation, Outcome, Record
from .session import Session
from .shared import ABSENT, TableView
from .values import Value

if TYPE_CHECKING:
    from .aio import AsyncBot

#: Records that a watch on a connection of its own may be behind before no more are read for it.
WATCH_MAX = 1024


class AsyncTransaction(Edits):
    """Edits that become one operation at the end of their `async with` block."""

    def __init__(self, table: "AsyncTable", mode: str, tag: Any) -> None:
        session = table.session
        super().__init__(table.wire_column, session.new_rows, session.new_column)
        self._table, self._mode, self._tag = table, mode, tag
        self.outcome: Optional[Outcome] = None

    async def __aenter__(self) -> "AsyncTransaction":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None and self.body:
            self.outcome = await self._table.commit(self, self._mode, self._tag)


class AsyncTable(TableView, AsyncCommentCalls):
    """A table that a bot has open; made by `AsyncBot.open`.

    What is here is read as in `SharedTable`, without awaiting.
    """

    def __init__(self, bot: "AsyncBot", session: Session) -> None:
        super().__init__(session)
        self._bot = bot

    async def server_hash(self) -> Tuple[int, str]:
        """The number and the content hash that the server has."""
        return await self._bot.put(asks.content_hash(self.id))

    async def verify(self, timeout: Optional[float] = None) -> str:
        """Compares the replica with the server at the same number; returns the hash."""
        deadline = self._bot.deadline(timeout)
        while True:
            seq, expected = await self.server_hash()
            await self._bot.run(lambda: self.seq >= seq, deadline, self.session)
            if self.seq == seq:
                if self.content_hash() != expected:
                    raise RoundtableError("internal_error", f"the replica differs at {seq}")
                return expected
            if self._bot.clock() >= deadline:
                raise OutOfTime("slow_consumer", "the table changed faster than it was compared")

    async def version(self, row: Any, column: str) -> Tuple[Value, int]:
        """A cell's value and version from the server, for `if_version`."""
        columns = [self.wire_column(column)[0]]
        page = await self._bot.read(self.id, rows=[row_of(row)], columns=columns)
        if not page.rows:
            raise KeyError(row_of(row))
        return page.cells[0][0], page.versions[0][0]

    # Editing

    def transaction(self, mode: str = "strict", tag: Any = None) -> AsyncTransaction:
        """Edits for an `async with` block, sent as one operation at its end."""
        return AsyncTransaction(self, mode, tag)

    def submit(self, edits: Edits, mode: str = "strict", tag: Any = None) -> Operation:
        """Gives an operation to be sent, and does not wait for its outcome."""
        operation = self.session.submit(edits.body, mode, edits.pre, tag)
        self._bot.push()
        return operation

    async def wait(self, operation: Operation, timeout: Optional[float] = None) -> Outcome:
        """Waits for an outcome. Raises Rejected, SessionLost, or OutOfTime (still pending then)."""
        deadline = self._bot.deadline(timeout)
        await self._bot.run(lambda: operation.done, deadline, self.session)
        return operation.result()

    async def commit(self, edits: Edits, mode: str = "strict", tag: Any = None) -> Outcome:
        """Sends an operation and waits for its outcome. Raises Rejected."""
        return await self.wait(self.submit(edits, mode, tag))

    async def set(
        self,
        row: Any,
        column: str,
        value: Value,
        if_value: Value = ABSENT,
        if_version: Optional[int] = None,
    ) -> Outcome:
        """Sets a cell; with `if_value` or `if_version` only if it still is so."""
        return await self.commit(self.setting(row, column, value, if_value, if_version))

    async def add(self, row: Any, column: str, amount: Union[int, float]) -> Value:
        """Adds to a number, whatever it is by then; returns the sum."""
        return await self._made(self.edits().add(row, column, amount))

    async def minimum(self, row: Any, column: str, value: Value) -> Value:
        """Sets a number or date to the smaller of this and what it is by then; returns that."""
        return await self._made(self.edits().minimum(row, column, value))

    async def maximum(self, row: Any, column: str, value: Value) -> Value:
        """Sets a number or date to the larger of this and what it is by then; returns that."""
        return await self._made(self.edits().maximum(row, column, value))

    async def append_text(self, row: Any, column: str, text: str) -> Value:
        """Puts text behind what the cell holds by then; returns all of it."""
        return await self._made(self.edits().append_text(row, column, text))

    async def list_add(
        self, row: Any, column: str, item: Union[str, int, float, bool], once: bool = False
    ) -> Value:
        """Puts an item at the end of a list, with `once` only a new one; returns the list."""
        return await self._made(self.edits().list_add(row, column, item, once))

    async def list_remove(
        self, row: Any, column: str, item: Union[str, int, float, bool]
    ) -> Value:
        """Takes an item out of a list, wherever it stands; returns the list."""
        return await self._made(self.edits().list_remove(row, column, item))

    async def _made(self, edits: Edits) -> Value:
        outcome = await self.commit(edits)
        return outcome.values[0] if outcome.values else None

    async def upsert(
        self,
        column: str,
        key: Value,
        values: Optional[Mapping[str, Value]] = None,
        new: Optional[Mapping[str, Value]] = None,
    ) -> Tuple[str, bool]:
        """Sets `values` in the row of a key, or appends one; returns its id and whether it is new."""
        outcome = await self.commit(self.edits().upsert(column, key, values, new))
        return outcome.rows[0], outcome.inserted[0]

    async def claim(
        self,
        values: Optional[Mapping[str, Value]] = None,
        where: Optional[str] = None,
        lease: Optional[int] = None,
    ) -> Optional[AsyncClaim]:
        """Takes the next row of which `where` is true, or None; see `SharedTable.claim`."""
        found = self.claimed(await self.commit(self.edits().claim(values, where, lease)))
        return AsyncClaim(self, *found, lease is not None) if found else None

    async def append(self, values: Optional[Mapping[str, Value]] = None, **more: Value) -> str:
        """Appends a row; returns its id."""
        return (await self.insert([{**(values or {}), **more}]))[0]

    async def insert(self, rows: Sequence[Mapping[str, Value]], at: Place = "last") -> List[str]:
        """Inserts rows at "first", "last", or behind a row; returns their ids."""
        edits = self.edits()
        ids = edits.insert(rows, at)
        await self.commit(edits)
        return ids

    async def delete(self, *rows: Any) -> Outcome:
        """Deletes rows; those that are deleted already are no error."""
        return await self.commit(self.edits().delete(*rows), "best")

    async def move(self, rows: Union[Any, Sequence[Any]], at: Place) -> Outcome:
        """Moves one row or several to "first", "last", or behind a row."""
        return await self.commit(self.edits().move(rows, at))

    async def add_column(
        self,
        name: str,
        kind: str,
        at: Place = "last",
        suffix: bool = False,
        if_absent: bool = False,
        rules: Optional[Mapping[str, Any]] = None,
    ) -> str:
        """Adds a column, or with `if_absent` finds it; returns its id."""
        edits = self.edits()
        identifier = edits.add_column(name, kind, at, suffix, if_absent, rules)
        outcome = await self.commit(edits)
        return outcome.columns[0] if outcome.columns else identifier

    async def rename_column(self, column: str, name: str, suffix: bool = False) -> Outcome:
        """Renames a column."""
        return await self.commit(self.edits().rename_column(column, name, suffix))

    async def change_rules(self, column: str, **rules: Any) -> Outcome:
        """Changes rules of a column, such as `choices`; None takes one away."""
        return await self.commit(self.edits().change_rules(column, **rules))

    async def show_column(self, column: str, **settings: Any) -> Outcome:
        """Says how a column is shown to everybody, such as `width=20`; None takes that back."""
        return await self.commit(self.edits().show_column(column, **settings))

    async def show_table(self, **settings: Any) -> Outcome:
        """Says how the table is shown to everybody: `frozen`, `styles`; None takes that back."""
        return await self.commit(self.edits().show_table(**settings))

    async def row_style(self, name: str, when: str, **look: Any) -> Outcome:
        """Shows rows of which `when` is true in another way, such as `color="red"`."""
        return await self.commit(self.edits().row_style(name, when, **look))

    async def delete_row_style(self, name: str) -> Outcome:
        """Takes a row style away."""
        return await self.commit(self.edits().delete_row_style(name))

    async def show_me(self, column: Optional[str] = None, **settings: Any) -> Dict[str, Any]:
        """Says how the table, or a column, is shown to this user alone; returns all that is said.

        None takes a setting back; without any, all of the column's go, or of everything.
        """
        wire = None if column is None else self.wire_column(column)[0]
        self.session.mine = await self._bot.put(asks.display(self.id, wire, settings or None))
        return self.session.mine

    async def move_column(self, column: str, at: Place) -> Outcome:
        """Moves a column to "first", "last", or behind a column."""
        return await self.commit(self.edits().move_column(column, at))

    async def delete_column(self, column: str) -> Outcome:
        """Deletes a column."""
        return await self.commit(self.edits().delete_column(column), "best")

    async def undo(
        self,
        seq: Optional[int] = None,
        cseq: Optional[int] = None,
        force: bool = False,
        of_user: bool = False,
    ) -> Outcome:
        """Takes back the last operation of this session, or another; see `SharedTable.undo`."""
        return await self.commit(self.edits().undo(seq, cseq, force, of_user), "best")

    async def redo(self, force: bool = False, of_user: bool = False) -> Outcome:
        """Does again what the last undo took back. Raises Rejected."""
        return await self.commit(self.edits().redo(force, of_user), "best")

    async def restore(
        self,
        to: Union[int, datetime],
        rows: Optional[Sequence[Any]] = None,
        columns: Optional[Sequence[str]] = None,
    ) -> Outcome:
        """Makes the table, or rows or columns of it, what they were; see `SharedTable.restore`."""
        return await self.commit(self.edits().restore(to, rows, columns), "best")

    # Following

    async def refresh(self) -> int:
        """Lets other tasks run, so that what has come is taken in; returns the new number."""
        await asyncio.sleep(0)  # poll: gives way once, and waits for nothing
        return self.seq

    async def wait_for(self, seq: int, timeout: Optional[float] = None) -> bool:
        """Waits until the record of a number is applied; False where the time passed."""
        return await self._bot.run(
            lambda: self.seq >= seq, self._bot.deadline(timeout), self.session
        )

    async def watch(self, timeout: Optional[float] = None) -> AsyncGenerator[Record, None]:
        """The records from the first `anext` on, each after it was applied here.

        Ends where nothing came for `timeout` seconds; without one it never ends.
        """
        waiting: Deque[Record] = deque()
        self.session.watchers.append(waiting)
        async for record in self.taken(waiting, timeout):
            yield record

    async def taken(
        self, waiting: Deque[Record], timeout: Optional[float]
    ) -> AsyncGenerator[Record, None]:
        """The records that are put where they wait."""
        try:
            while True:
                if not waiting:
                    deadline = None if timeout is None else self._bot.clock() + timeout
                    if not await self._bot.run(lambda: bool(waiting), deadline, self.session):
                        return
                was_full = len(waiting) > WATCH_MAX
                yield waiting.popleft()
                if was_full:
                    self._bot.push()
        finally:
            self.session.watchers.remove(waiting)

    async def who(self) -> List[Dict[str, Any]]:
        """Who is here now, at which cell, and with `editing` where they edit it."""
        return await self._bot.put(asks.who(self.id))

    async def show_cursor(
        self, row: Any = None, column: Optional[str] = None, editing: bool = False
    ) -> None:
        """Shows others where this bot is at work, and whether it is about to write there."""
        await self._bot.say(self.presence(row, column, editing))

    # Sessions

    async def start_anew(self, timeout: Optional[float] = None) -> List[Operation]:
        """After SessionLost: opens the table with a new session; returns what is in doubt."""
        failure = self.session.failure
        lost: List[Operation] = list(getattr(failure, "pending", []))
        if failure is None:
            raise errors.request_failed("already_open", "the session goes on", None)
        self.session = await self._bot.reopen(self.session, timeout)
        return lost

    async def close(self) -> None:
        """Closes the table. The session is kept by the server, and by the saved file."""
        self._bot.forget(self.session)

    async def __aenter__(self) -> "AsyncTable":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self.close()
