"""A replica of one table: it applies changes without judging, and computes the content hash.

Rows and columns that were deleted are forgotten, but for the columns' names and cells, which come
back when a column is shown again. Nothing here knows of connections or of pending operations.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from .comments import CommentBook
from .errors import ProtocolError
from .rows import RowOrder
from .values import (
    NULL_BYTES,
    TYPES,
    Value,
    column_id,
    column_number,
    hasher,
    json_bytes,
    mixed,
    reader,
    row_number,
    run_range,
)

#: The most rows that one change may insert; more is nonsense from a server that is out of order.
_CHANGE_ROWS_MAX = 2_000_000


@dataclass(frozen=True)
class Column:
    """A live column."""

    id: str
    name: str
    type: str
    #: What its cells must be besides their type, as docs/protocol.md writes it.
    rules: Dict[str, Any] = field(default_factory=dict)
    #: How it is shown to everybody, as docs/protocol.md writes it.
    display: Dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, column: Dict[str, Any]) -> "Column":
        """A column as the wire has it."""
        rules, display = column.get("rules", {}), column.get("display", {})
        return cls(column["id"], column["name"], column["type"], rules, display)


class _Slot:
    """A column, live or hidden, and the place of its cells in each row's list."""

    def __init__(
        self, number: int, name: str, kind: str, rules: Dict[str, Any], place: int
    ) -> None:
        self.number, self.name, self.kind, self.place = number, name, kind, place
        self.rules = rules
        self.display: Dict[str, Any] = {}
        self.read = reader(kind)


def _changed(settings: Dict[str, Any], patch: Dict[str, Any]) -> Dict[str, Any]:
    """Settings with others in the place of some; None takes one away."""
    return {key: value for key, value in {**settings, **patch}.items() if value is not None}


class Table:
    """The confirmed state of a table after the record number `seq`."""

    def __init__(
        self,
        columns: Sequence[Dict[str, Any]] = (),
        seq: int = 0,
        display: Optional[Dict[str, Any]] = None,
    ) -> None:
        self.seq = seq
        look = display or {}
        #: What is said of the table as a whole: `frozen`, `styles`.
        self.display = {name: value for name, value in look.items() if name != "row_styles"}
        self._styles = {style["name"]: style for style in look.get("row_styles", [])}
        self._slots: Dict[int, _Slot] = {}
        self._live: List[int] = []
        self._order = RowOrder()
        self._cells: Dict[int, List[Value]] = {}
        #: What people and bots say about rows and cells; no part of the content.
        self.comments = CommentBook()
        for column in columns:
            self._add_slot(column)
            self._live.append(column_number(column["id"]))
        if len(set(self._live)) != len(self._live):
            raise ProtocolError("malformed", "two columns have one id")

    # Reading

    @property
    def columns(self) -> List[Column]:
        """The live columns in order."""
        slots = [self._slots[number] for number in self._live]
        return [
            Column(
                column_id(slot.number), slot.name, slot.kind, dict(slot.rules), dict(slot.display)
            )
            for slot in slots
        ]

    @property
    def row_styles(self) -> List[Dict[str, Any]]:
        """The row styles, in the order in which they are asked."""
        styles = self._styles.values()
        return sorted(map(dict, styles), key=lambda one: (one["rank"], one["name"].encode()))

    def __len__(self) -> int:
        return len(self._order)

    def __contains__(self, row: object) -> bool:
        return row in self._order

    def rows(self) -> Iterator[int]:
        """The numbers of the live rows in order."""
        return iter(self._order)

    def rows_from(self, position: int, count: int) -> List[int]:
        """At most `count` rows from a position on."""
        return self._order.slice(position, count)

    def position(self, row: int) -> int:
        """Where a live row stands, from 0. Raises KeyError."""
        return self._order.position(row)

    def cell(self, row: int, column: int) -> Value:
        """A cell by the numbers of its row and column. Raises KeyError."""
        if column not in self._live:
            raise KeyError(column_id(column))
        cells, place = self._cells[row], self._slots[column].place
        return cells[place] if place < len(cells) else None

    def values(self, row: int) -> List[Value]:
        """The cells of a live row in the order of the columns. Raises KeyError."""
        cells = self._cells[row]
        places = [self._slots[number].place for number in self._live]
        return [cells[place] if place < len(cells) else None for place in places]

    # Changing

    def load(self, rows: Sequence[Any], columns: Sequence[str], cells: Sequence[Any]) -> None:
        """Appends one chunk of a snapshot. Raises ProtocolError."""
        numbers = self._expand(rows, len(cells))
        if any(number in self._cells for number in numbers) or len(set(numbers)) != len(numbers):
            raise ProtocolError("malformed", "a snapshot names a row twice")
        self._fill_rows(numbers, columns, cells)
        self._order.append(numbers)

    def apply(self, seq: int, changes: Sequence[Dict[str, Any]]) -> None:
        """Applies the changes of the record `seq`.

        What names a row or column that is not known is passed over. Raises ProtocolError where a
        value does not fit its column, or a place is not there: this is not the table that the
        record was made of then, and only a snapshot helps.
        """
        for change in changes:
            ((kind, body),) = change.items()
            getattr(self, "_" + kind)(body)
        self.seq = seq

    def _insert(self, body: Dict[str, Any]) -> None:
        numbers = self._expand(body["rows"], len(body["cells"]) if "cells" in body else None)
        if any(number in self._cells for number in numbers) or len(set(numbers)) != len(numbers):
            raise ProtocolError("malformed", "a row is inserted that is there")
        after = self._after(body["after"])
        if "cells" in body:
            self._fill_rows(numbers, body.get("columns", []), body["cells"])
        else:
            self._cells.update((number, []) for number in numbers)
        self._order.insert(numbers, after)

    _show = _insert

    def _set(self, triples: Sequence[Any]) -> None:
        for row, column, value in triples:
            self._put_cell(row_number(row), self._slots.get(column_number(column)), value)

    def _fill(self, body: Dict[str, Any]) -> None:
        slot = self._slots.get(column_number(body["column"]))
        for number, value in zip(self._expand(body["rows"], len(body["values"])), body["values"]):
            self._put_cell(number, slot, value)

    def _put_cell(self, number: int, slot: Optional[_Slot], value: Any) -> None:
        """Writes a cell, if its row and column are known."""
        cells = self._cells.get(number)
        if slot is not None and cells is not None:
            if len(cells) <= slot.place:
                cells.extend([None] * (slot.place + 1 - len(cells)))
            cells[slot.place] = None if value is None else slot.read(value)

    def _delete(self, rows: Sequence[str]) -> None:
        for number in self._known(rows):
            self._order.remove(number)
            del self._cells[number]

    def _move(self, body: Dict[str, Any]) -> None:
        moved = self._known(body["rows"])
        for number in moved:
            self._order.remove(number)
        # The row behind which they go is not among them, so it is still there.
        self._order.insert(moved, self._after(body["after"]) if moved else None)

    def _arrange(self, rows: Sequence[str]) -> None:
        self._order.arrange(self._known(rows))

    def _lease(self, body: Dict[str, Any]) -> None:
        """Who has a lease is the server's to know; cells tell the rest."""

    def _lease_end(self, row: str) -> None:
        """As for `_lease`."""

    def _comment(self, body: Dict[str, Any]) -> None:
        self.comments.put(body)

    def _column_add(self, body: Dict[str, Any]) -> None:
        number = column_number(body["id"])
        if number in self._slots:
            raise ProtocolError("malformed", "a column is added that is there")
        self._add_slot(body)
        self._put_column(number, body["after"])

    def _column_rename(self, body: Dict[str, Any]) -> None:
        slot = self._slots.get(column_number(body["column"]))
        if slot is not None:
            slot.name = body["name"]

    def _column_rules(self, body: Dict[str, Any]) -> None:
        slot = self._slots.get(column_number(body["column"]))
        if slot is not None:
            slot.rules = body["rules"]

    def _column_display(self, body: Dict[str, Any]) -> None:
        slot = self._slots.get(column_number(body["column"]))
        if slot is not None:
            slot.display = _changed(slot.display, body["set"])

    def _table_display(self, body: Dict[str, Any]) -> None:
        self.display = _changed(self.display, body)

    def _row_style(self, body: Dict[str, Any]) -> None:
        self._styles.pop(body["name"], None)
        if body["set"] is not None:
            self._styles[body["name"]] = {"name": body["name"], **body["set"]}

    def _column_retype(self, body: Dict[str, Any]) -> None:
        slot = self._slots.get(column_number(body["column"]))
        if slot is None:
            return
        slot.kind, slot.read = body["type"], reader(body["type"])
        slot.rules = body.get("rules", {})
        # What the cells are in the new type follows.
        for cells in self._cells.values():
            if slot.place < len(cells):
                cells[slot.place] = None

    def _column_move(self, body: Dict[str, Any]) -> None:
        number = column_number(body["column"])
        if number in self._live:
            self._live.remove(number)
            self._put_column(number, body["after"])

    def _column_delete(self, column: str) -> None:
        if column_number(column) in self._live:
            self._live.remove(column_number(column))

    def _column_show(self, body: Dict[str, Any]) -> None:
        number = column_number(body["id"])
        slot = self._slots.get(number)
        if slot is None:
            self._add_slot(body)
        elif slot.kind != body["type"]:
            raise ProtocolError("malformed", "a column is shown with another type")
        if number in self._live:
            self._live.remove(number)
        self._put_column(number, body["after"])

    # Parts of changing

    def _add_slot(self, column: Dict[str, Any]) -> None:
        number = column_number(column["id"])
        self._slots[number] = _Slot(
            number, column["name"], column["type"], column.get("rules", {}), len(self._slots)
        )
        self._slots[number].display = dict(column.get("display", {}))

    def _put_column(self, number: int, after: Optional[str]) -> None:
        if after is None:
            self._live.insert(0, number)
            return
        if column_number(after) not in self._live:
            raise ProtocolError("malformed", "a column stands behind one that is not there")
        self._live.insert(self._live.index(column_number(after)) + 1, number)

    def _after(self, after: Optional[str]) -> Optional[int]:
        """The live row behind which to put rows."""
        if after is None:
            return None
        number = row_number(after)
        if number not in self._order:
            raise ProtocolError("malformed", "rows stand behind one that is not there")
        return number

    def _fill_rows(self, rows: Sequence[int], columns: Sequence[str], cells: Sequence[Any]) -> None:
        """Gives rows their cells, column after column."""
        slots = [self._slots.get(column_number(column)) for column in columns]
        width = max((slot.place + 1 for slot in slots if slot is not None), default=0)
        for number, given in zip(rows, cells):
            if len(given) != len(slots):
                raise ProtocolError("malformed", "a row has not as many cells as columns")
            row: List[Value] = [None] * width
            for slot, value in zip(slots, given):
                if value is not None and slot is not None:
                    row[slot.place] = slot.read(value)
            self._cells[number] = row

    def _expand(self, rows: Sequence[str], count: Optional[int]) -> List[int]:
        """The numbers of a list of rows, whose count is checked before room is made for them."""
        runs = [run_range(run) for run in rows]
        total = sum(map(len, runs))
        if (count is not None and total != count) or total > _CHANGE_ROWS_MAX:
            raise ProtocolError("malformed", "rows are announced that are not there")
        return [number for run in runs for number in run]

    def _known(self, rows: Sequence[str]) -> List[int]:
        """Those of the rows that are live here, in the order listed."""
        found: Dict[int, None] = {}
        for text in rows:
            run: Union[range, List[int]] = run_range(text)
            if len(run) > len(self._order):
                run = sorted(number for number in self._order if number in run)
            found.update((number, None) for number in run if number in self._order)
        return list(found)

    # The content hash

    def content_hash(self) -> str:
        """The SHA-256 of the content, as docs/protocol.md defines it: 64 hexadecimal digits."""
        slots = [self._slots[number] for number in self._live]
        head = [b"\x03", struct.pack(">I", len(slots))]
        for slot in slots:
            name = slot.name.encode()
            kind = TYPES.index(slot.kind) | (0x80 if slot.rules else 0)
            head.append(struct.pack(">qBI", slot.number, kind, len(name)) + name)
            if slot.rules:
                rules = json_bytes(slot.rules)
                head.append(struct.pack(">I", len(rules)) + rules)
        head.append(struct.pack(">Q", len(self._order)))
        plan = [(slot.place, hasher(slot.kind)) for slot in slots]
        runs: List[bytes] = []
        groups: List[bytes] = [b"\x02"]
        group: List[bytes] = [b"\x01"]
        for number in self._order:
            group.append(number.to_bytes(8, "big"))
            cells = self._cells[number]
            for place, bytes_of in plan:
                value = cells[place] if place < len(cells) else None
                group.append(NULL_BYTES if value is None else bytes_of(value))
            bits = mixed(number)
            if bits & 0xFF == 0:
                groups.append(hashlib.sha256(b"".join(group)).digest())
                group = [b"\x01"]
                if bits & 0x3FFF == 0:
                    runs.append(hashlib.sha256(b"".join(groups)).digest())
                    groups = [b"\x02"]
        if len(group) > 1:
            groups.append(hashlib.sha256(b"".join(group)).digest())
        if len(groups) > 1:
            runs.append(hashlib.sha256(b"".join(groups)).digest())
        return hashlib.sha256(b"".join(head + runs)).hexdigest()
