"""An open table as a bot's author sees it: read, edit, watch.

The replica moves on only inside calls of this library, never between two lines of yours; `refresh`
takes in what has come. Edits wait for their outcome; `submit` does not.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime
from typing import TYPE_CHECKING, Any, Deque, Dict, Generator, Iterator, List, Mapping
from typing import Optional, Sequence, Tuple, Union

from . import asks, errors
from .claim import Claim
from .comments import Comment, CommentCalls
from .edits import Edits, Place, row_of
from .errors import OutOfTime, RequestFailed, RoundtableError
from .outcome import Operation, Outcome, Record
from .session import Session
from .table import Column, Table
from .values import Value, decode, column_number, row_id, row_number

if TYPE_CHECKING:
    from .bot import Bot

#: Where no value is given, which is not None.
ABSENT: Any = object()


class Row(Mapping[str, Value]):
    """A row as it was when it was read: its `id`, and its values by column name, in order."""

    def __init__(self, identifier: str, values: Dict[str, Value]) -> None:
        self.id = identifier
        self._values = values

    def __getitem__(self, column: str) -> Value:
        return self._values[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Row({self.id!r}, {self._values!r})"


class TableView:
    """The reading half of an open table: what is here, as it is now, without a server.

    `SharedTable` and `AsyncTable` add what needs one.
    """

    def __init__(self, session: Session) -> None:
        self.session = session

    # What it is

    @property
    def id(self) -> str:
        """The table's id, such as t3."""
        return self.session.id or ""

    @property
    def name(self) -> str:
        """The table's name."""
        return self.session.name

    @property
    def role(self) -> str:
        """What this bot is here: owner, editor, …"""
        return self.session.role

    @property
    def seq(self) -> int:
        """The number of the last record that was applied here."""
        return self.session.seq

    @property
    def lineage(self) -> str:
        """The history that numbers belong to: keep it beside a number that you keep."""
        return self.session.lineage

    @property
    def columns(self) -> List[Column]:
        """The columns in order."""
        return self._replica.columns

    @property
    def display(self) -> Dict[str, Any]:
        """How the table as a whole is shown to everybody: `frozen`, `styles`."""
        return dict(self._replica.display)

    @property
    def row_styles(self) -> List[Dict[str, Any]]:
        """The row styles, in the order in which they are asked."""
        return self._replica.row_styles

    @property
    def mine(self) -> Dict[str, Any]:
        """How the table is shown to this user alone, over what it says to everybody."""
        return self.session.mine

    @property
    def _replica(self) -> Table:
        if self.session.replica is None:
            raise self.session.failure or errors.request_failed(
                "not_open", "the table is not followed, so there is nothing to read here", None
            )
        return self.session.replica

    # Reading the replica

    def __len__(self) -> int:
        return len(self._replica)

    def __contains__(self, row: Any) -> bool:
        return row_number(row_of(row)) in self._replica

    def rows(self, start: int = 0, count: Optional[int] = None) -> Iterator[Row]:
        """The rows in order, as they are now: a change that comes later is not seen."""
        numbers = self._replica.rows_from(start, len(self._replica) if count is None else count)
        names = [column.name for column in self.columns]
        for number in numbers:
            if number in self._replica:
                yield Row(row_id(number), dict(zip(names, self._replica.values(number))))

    __iter__ = rows

    def row(self, row: Any) -> Row:
        """One row by its id. Raises KeyError where it is not there."""
        number = row_number(row_of(row))
        names = [column.name for column in self.columns]
        return Row(row_id(number), dict(zip(names, self._replica.values(number))))

    def at(self, position: int) -> Row:
        """The row at a position, from 0; negative ones count from the end. Raises IndexError."""
        if position < 0:
            position += len(self)
        found = self._replica.rows_from(position, 1) if position >= 0 else []
        if not found:
            raise IndexError("no row stands there")
        return self.row(row_id(found[0]))

    def position(self, row: Any) -> int:
        """Where a row stands, from 0. Raises KeyError."""
        return self._replica.position(row_number(row_of(row)))

    def cell(self, row: Any, column: str) -> Value:
        """One cell by row and by the column's name or id. Raises KeyError."""
        return self._replica.cell(row_number(row_of(row)), self._known_column(column))

    def find(self, column: str, value: Value) -> Optional[Row]:
        """The first row that holds the value in the column, or None."""
        number = self._known_column(column)
        for row in self._replica.rows():
            if self._replica.cell(row, number) == value:
                return self.row(row_id(row))
        return None

    def wire_column(self, column: str) -> Tuple[str, str]:
        """A column's id and type, from its name or id; what is not known here goes as it is."""
        if self.session.replica is not None:
            folded = None
            for known in self.columns:
                if column in (known.name, known.id):
                    return known.id, known.type
                if column.casefold() == known.name.casefold():
                    folded = known
            if folded is not None:
                return folded.id, folded.type
        return column, ""

    def _known_column(self, column: str) -> int:
        try:
            return column_number(self.wire_column(column)[0])
        except RoundtableError:
            raise KeyError(column) from None

    def comments(
        self, row: Any = None, column: Optional[str] = None, open_only: bool = False
    ) -> List[Comment]:
        """The comments on the table, a row or a cell, as they are now, oldest first; `hidden` tells
        of each whether its row or column is deleted."""
        number = None if row is None else row_number(row_of(row))
        wanted = None if column is None else self.wire_column(column)[0]
        live = {known.id for known in self.columns}
        found = []
        for body in self._replica.comments.bodies(number):
            about = body.get("column")
            if wanted is not None and about != wanted or open_only and "resolved" in body:
                continue
            is_gone = about is not None and about not in live
            is_gone = is_gone or row_number(body["row"]) not in self._replica
            found.append(Comment.read(body, is_gone))
        return found

    def content_hash(self) -> str:
        """The content hash of the replica at `seq`."""
        return self._replica.content_hash()

    def edits(self) -> Edits:
        """Empty edits for `submit` or `commit`."""
        session = self.session
        return Edits(self.wire_column, session.new_rows, session.new_column)

    def pages(self, size: int = 1000) -> Iterator[List[Row]]:
        """The rows in pages of `size`, all as they are now, at `seq`: later changes are not seen.

        They are copied first.
        """
        rows = list(self.rows())
        return (rows[start:start + size] for start in range(0, len(rows), max(1, size)))

    @property
    def pending(self) -> List[Operation]:
        """Operations without an answer, also those that an earlier process left behind."""
        return list(self.session.pending.values())

    def presence(self, row: Any, column: Optional[str], editing: bool) -> Dict[str, Any]:
        """The message of `show_cursor`."""
        message: Dict[str, Any] = {"type": "presence", "table": self.id}
        message["row"] = None if row is None else row_of(row)
        message["column"] = None if column is None else self.wire_column(column)[0]
        if editing:
            message["editing"] = True
        return message

    def claimed(self, outcome: Outcome) -> Optional[Tuple[str, int, Dict[str, Value]]]:
        """The row that a claim gave, the number of its record, and its values; None for none."""
        if not outcome.rows or outcome.seq is None:
            return None
        found: Dict[str, Value] = {}
        for identifier, value in zip(outcome.columns, outcome.values):
            name, kind = self.session.column(identifier)
            found[name] = decode(kind, value) if kind else value
        return outcome.rows[0], outcome.seq, found

    def setting(
        self, row: Any, column: str, value: Value, if_value: Value, if_version: Optional[int]
    ) -> Edits:
        """The edits of `set`."""
        edits = self.edits().set(row, column, value)
        if if_value is not ABSENT:
            edits.require_value(row, column, if_value)
        if if_version is not None:
            edits.require_version(row, column, if_version)
        return edits

class Transaction(Edits):
    """Edits that become one operation at the end of their `with` block.

    `outcome` is there afterwards. An exception in the block drops the edits; nothing is sent.
    """

    def __init__(self, table: "SharedTable", mode: str, tag: Any) -> None:
        session = table.session
        super().__init__(table.wire_column, session.new_rows, session.new_column)
        self._table, self._mode, self._tag = table, mode, tag
        self.outcome: Optional[Outcome] = None

    def __enter__(self) -> "Transaction":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None and self.body:
            self.outcome = self._table.commit(self, self._mode, self._tag)


class SharedTable(TableView, CommentCalls):
    """A table that a bot has open; made by `Bot.open`."""

    def __init__(self, bot: "Bot", session: Session) -> None:
        super().__init__(session)
        self._bot = bot

    # Comparing with the server

    def server_hash(self) -> Tuple[int, str]:
        """The number and the content hash that the server has."""
        return self._bot.put(asks.content_hash(self.id))

    def verify(self, timeout: Optional[float] = None) -> str:
        """Compares the replica with the server at the same number; returns the hash.

        Raises RoundtableError `internal_error` where they differ, OutOfTime where the table is
        edited so fast that the numbers never meet.
        """
        deadline = self._bot.deadline(timeout)
        while True:
            seq, expected = self.server_hash()
            self._bot.run(lambda: self.seq >= seq, deadline, self.session)
            if self.seq == seq:
                if self.content_hash() != expected:
                    raise RoundtableError("internal_error", f"the replica differs at {seq}")
                return expected
            if self._bot.clock() >= deadline:
                raise OutOfTime("slow_consumer", "the table changed faster than it was compared")

    def version(self, row: Any, column: str) -> Tuple[Value, int]:
        """A cell's value and version from the server, for `if_version`."""
        page = self._bot.read(self.id, rows=[row_of(row)], columns=[self.wire_column(column)[0]])
        if not page.rows:
            raise KeyError(row_of(row))
        return page.cells[0][0], page.versions[0][0]

    # Editing

    def transaction(self, mode: str = "strict", tag: Any = None) -> Transaction:
        """Edits for a `with` block, sent as one operation at its end.

        `mode` is "strict", all or nothing, or "best": what can be applied is.
        """
        return Transaction(self, mode, tag)

    def submit(self, edits: Edits, mode: str = "strict", tag: Any = None) -> Operation:
        """Gives an operation to be sent, and does not wait for its outcome.

        Many may be on their way. `tag` is anything that JSON holds; it stands in the saved file,
        so that a process that starts again knows what the operation was about.
        """
        operation = self.session.submit(edits.body, mode, edits.pre, tag)
        self._bot.push()
        return operation

    def wait(self, operation: Operation, timeout: Optional[float] = None) -> Outcome:
        """Waits for an outcome. Raises Rejected, SessionLost, or OutOfTime (still pending then)."""
        self._bot.run(lambda: operation.done, self._bot.deadline(timeout), self.session)
        return operation.result()

    def commit(self, edits: Edits, mode: str = "strict", tag: Any = None) -> Outcome:
        """Sends an operation and waits for its outcome. Raises Rejected."""
        return self.wait(self.submit(edits, mode, tag))

    def set(
        self,
        row: Any,
        column: str,
        value: Value,
        if_value: Value = ABSENT,
        if_version: Optional[int] = None,
    ) -> Outcome:
        """Sets a cell; with `if_value` or `if_version` only if it still is so."""
        return self.commit(self.setting(row, column, value, if_value, if_version))

    def add(self, row: Any, column: str, amount: Union[int, float]) -> Value:
        """Adds to a number, whatever it is by then; returns the sum."""
        outcome = self.commit(self.edits().add(row, column, amount))
        return outcome.values[0] if outcome.values else None

    def minimum(self, row: Any, column: str, value: Value) -> Value:
        """Sets a number or date to the smaller of this and what it is by then; returns that."""
        return self._made(self.edits().minimum(row, column, value))

    def maximum(self, row: Any, column: str, value: Value) -> Value:
        """Sets a number or date to the larger of this and what it is by then; returns that."""
        return self._made(self.edits().maximum(row, column, value))

    def append_text(self, row: Any, column: str, text: str) -> Value:
        """Puts text behind what the cell holds by then; returns all of it."""
        return self._made(self.edits().append_text(row, column, text))

    def list_add(
        self, row: Any, column: str, item: Union[str, int, float, bool], once: bool = False
    ) -> Value:
        """Puts an item at the end of a list, with `once` only a new one; returns the list."""
        return self._made(self.edits().list_add(row, column, item, once))

    def list_remove(self, row: Any, column: str, item: Union[str, int, float, bool]) -> Value:
        """Takes an item out of a list, wherever it stands; returns the list."""
        return self._made(self.edits().list_remove(row, column, item))

    def _made(self, edits: Edits) -> Value:
        outcome = self.commit(edits)
        return outcome.values[0] if outcome.values else None

    def upsert(
        self,
        column: str,
        key: Value,
        values: Optional[Mapping[str, Value]] = None,
        new: Optional[Mapping[str, Value]] = None,
    ) -> Tuple[str, bool]:
        """Sets `values` in the row that has the key in a unique column, or appends one with it,
        which gets the values of `new` as well; returns the row's id, and whether it is new."""
        outcome = self.commit(self.edits().upsert(column, key, values, new))
        return outcome.rows[0], outcome.inserted[0]

    def claim(
        self,
        values: Optional[Mapping[str, Value]] = None,
        where: Optional[str] = None,
        lease: Optional[int] = None,
    ) -> Optional[Claim]:
        """Takes the next row of which `where` is true and that nobody has a lease on, and sets
        `values` in it; None where there is none. Nobody else is given the same row.

        Without `where` a row is open whose cells that are to be set are all empty. A `lease` of so
        many seconds takes the claim back by itself, unless it is renewed or finished.
        """
        found = self.claimed(self.commit(self.edits().claim(values, where, lease)))
        return Claim(self, *found, lease is not None) if found else None

    def append(self, values: Optional[Mapping[str, Value]] = None, **more: Value) -> str:
        """Appends a row; returns its id."""
        return self.insert([{**(values or {}), **more}])[0]

    def insert(self, rows: Sequence[Mapping[str, Value]], at: Place = "last") -> List[str]:
        """Inserts rows at "first", "last", or behind a row; returns their ids."""
        edits = self.edits()
        ids = edits.insert(rows, at)
        self.commit(edits)
        return ids

    def delete(self, *rows: Any) -> Outcome:
        """Deletes rows; those that are deleted already are no error."""
        return self.commit(self.edits().delete(*rows), "best")

    def move(self, rows: Union[Any, Sequence[Any]], at: Place) -> Outcome:
        """Moves one row or several to "first", "last", or behind a row."""
        return self.commit(self.edits().move(rows, at))

    def add_column(
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
        outcome = self.commit(edits)
        return outcome.columns[0] if outcome.columns else identifier

    def rename_column(self, column: str, name: str, suffix: bool = False) -> Outcome:
        """Renames a column."""
        return self.commit(self.edits().rename_column(column, name, suffix))

    def change_rules(self, column: str, **rules: Any) -> Outcome:
        """Changes rules of a column, such as `choices`; None takes one away."""
        return self.commit(self.edits().change_rules(column, **rules))

    def show_column(self, column: str, **settings: Any) -> Outcome:
        """Says how a column is shown to everybody, such as `width=20`; None takes that back."""
        return self.commit(self.edits().show_column(column, **settings))

    def show_table(self, **settings: Any) -> Outcome:
        """Says how the table is shown to everybody: `frozen`, `styles`; None takes that back."""
        return self.commit(self.edits().show_table(**settings))

    def row_style(self, name: str, when: str, **look: Any) -> Outcome:
        """Shows rows of which `when` is true in another way, such as `color="red"`."""
        return self.commit(self.edits().row_style(name, when, **look))

    def delete_row_style(self, name: str) -> Outcome:
        """Takes a row style away."""
        return self.commit(self.edits().delete_row_style(name))

    def show_me(self, column: Optional[str] = None, **settings: Any) -> Dict[str, Any]:
        """Says how the table, or a column, is shown to this user alone; returns all that is said.

        None takes a setting back; without any, all of the column's go, or of everything.
        """
        wire = None if column is None else self.wire_column(column)[0]
        self.session.mine = self._bot.put(asks.display(self.id, wire, settings or None))
        return self.session.mine

    def move_column(self, column: str, at: Place) -> Outcome:
        """Moves a column to "first", "last", or behind a column."""
        return self.commit(self.edits().move_column(column, at))

    def delete_column(self, column: str) -> Outcome:
        """Deletes a column."""
        return self.commit(self.edits().delete_column(column), "best")

    def undo(
        self,
        seq: Optional[int] = None,
        cseq: Optional[int] = None,
        force: bool = False,
        of_user: bool = False,
    ) -> Outcome:
        """Takes back the last operation of this session that is not taken back yet, or another.

        `seq` names it by its record, `cseq` by its number in this session; `of_user` means the
        last of this user in whichever session. What somebody else has gone on from stays, which
        the outcome's `kept_newer` counts, unless `force`. Raises Rejected: `nothing_to_undo`,
        `undo_expired`, `forbidden`.
        """
        return self.commit(self.edits().undo(seq, cseq, force, of_user), "best")

    def redo(self, force: bool = False, of_user: bool = False) -> Outcome:
        """Does again what the last undo took back. Raises Rejected."""
        return self.commit(self.edits().redo(force, of_user), "best")

    def restore(
        self,
        to: Union[int, datetime],
        rows: Optional[Sequence[Any]] = None,
        columns: Optional[Sequence[str]] = None,
    ) -> Outcome:
        """Makes the table, or these rows or columns of it, what they were after the record `to`,
        or at that time (a datetime with a zone). `undo` takes it back. Raises Rejected."""
        return self.commit(self.edits().restore(to, rows, columns), "best")

    # Following

    def refresh(self) -> int:
        """Takes in what has come, without waiting; returns the new number."""
        self._bot.run(lambda: False, self._bot.clock(), self.session)
        return self.seq

    def wait_for(self, seq: int, timeout: Optional[float] = None) -> bool:
        """Waits until the record of a number is applied; False where the time passed."""
        return self._bot.run(
            lambda: self.seq >= seq, self._bot.deadline(timeout), self.session
        )

    def watch(self, timeout: Optional[float] = None) -> Generator[Record, None, None]:
        """The records from now on, each after it was applied here.

        Ends where nothing came for `timeout` seconds; without one it never ends.
        """
        waiting: Deque[Record] = deque()
        self.session.watchers.append(waiting)
        try:
            while True:
                deadline = None if timeout is None else self._bot.clock() + timeout
                if not self._bot.run(lambda: bool(waiting), deadline, self.session):
                    return
                yield waiting.popleft()
        finally:
            self.session.watchers.remove(waiting)

    def who(self) -> List[Dict[str, Any]]:
        """Who is here now, at which cell, and with `editing` where they edit it."""
        return self._bot.put(asks.who(self.id))

    def show_cursor(
        self, row: Any = None, column: Optional[str] = None, editing: bool = False
    ) -> None:
        """Shows others where this bot is at work, and whether it is about to write there."""
        self._bot.say(self.presence(row, column, editing))

    # Sessions

    def start_anew(self, timeout: Optional[float] = None) -> List[Operation]:
        """After SessionLost: opens the table with a new session.

        Returns the operations of the old one that are in doubt. Nothing of them is sent again.
        """
        failure = self.session.failure
        lost: List[Operation] = list(getattr(failure, "pending", []))
        if failure is None:
            raise RequestFailed("already_open", "the session goes on; there is nothing to do")
        self.session = self._bot.reopen(self.session, timeout)
        return lost

    def close(self) -> None:
        """Closes the table. The session is kept by the server, and by the saved file."""
        self._bot.forget(self.session)

    def __enter__(self) -> "SharedTable":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()
