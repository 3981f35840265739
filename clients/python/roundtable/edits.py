"""What an operation asks for: a list of intents with preconditions, built step by step.

One `Edits` becomes one operation: every observer sees all of it or none, and it has one number.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from .comments import CommentEdits
from .errors import InvalidText
from .values import Value, encode, moment, row_number, run_texts

#: Where rows or columns go: "first", "last", or the row or column behind which they stand.
Place = Any


def row_of(row: Any) -> str:
    """A row's id from the id itself, or from a row as the table gives it."""
    identifier = getattr(row, "id", row)
    row_number(identifier)
    return str(identifier)


def _target(
    seq: Optional[int], cseq: Optional[int], force: bool, of_user: bool
) -> Dict[str, Any]:
    named = {"seq": seq, "cseq": cseq, "of": "user" if of_user else None}
    fields: Dict[str, Any] = {key: value for key, value in named.items() if value is not None}
    if len(fields) > 1:
        raise InvalidText("malformed", "an undo takes one of seq, cseq and of_user")
    if force:
        fields["force"] = True
    return fields


class Edits(CommentEdits):
    """Intents and preconditions of one operation. Every method returns the object itself, but for
    those that make rows or columns, which return their ids."""

    def __init__(
        self,
        column: Callable[[str], Tuple[str, str]] = lambda name: (name, ""),
        new_rows: Optional[Callable[[int], List[str]]] = None,
        new_column: Optional[Callable[[], str]] = None,
    ) -> None:
        #: From a column's name or id to what stands on the wire, and its type where known.
        self._column = column
        self._new_rows = new_rows
        self._new_column = new_column
        self.body: List[Dict[str, Any]] = []
        self.pre: List[Dict[str, Any]] = []

    def _wire_name(self, column: str) -> str:
        return self._column(column)[0]

    # Rows and cells

    def set(self, row: Any, column: str, value: Value) -> "Edits":
        """Sets one cell."""
        return self.set_many([(row, column, value)])

    def set_many(self, cells: Iterable[Tuple[Any, str, Value]]) -> "Edits":
        """Sets many cells: (row, column, value) each."""
        triples = []
        for row, column, value in cells:
            name, kind = self._column(column)
            triples.append([row_of(row), name, encode(value, kind)])
        self.body.append({"set": triples})
        return self

    def add(self, row: Any, column: str, amount: Union[int, float]) -> "Edits":
        """Adds to a number, whatever it is by then; the outcome's `values` has the sum."""
        name, kind = self._column(column)
        self.body.append({"add": [row_of(row), name, encode(amount, kind)]})
        return self

    def minimum(self, row: Any, column: str, value: Value) -> "Edits":
        """Sets a number or date to the smaller of this and what it is by then."""
        return self._combine("minimum", row, column, value)

    def maximum(self, row: Any, column: str, value: Value) -> "Edits":
        """Sets a number or date to the larger of this and what it is by then."""
        return self._combine("maximum", row, column, value)

    def append_text(self, row: Any, column: str, text: str) -> "Edits":
        """Puts text behind what the cell holds by then."""
        return self._combine("append_text", row, column, text)

    def list_add(
        self, row: Any, column: str, item: Union[str, int, float, bool], once: bool = False
    ) -> "Edits":
        """Puts an item at the end of a list; with `once` only where it is not in it."""
        body: Dict[str, Any] = {"row": row_of(row), "column": self._column(column)[0], "value": item}
        if once:
            body["once"] = True
        self.body.append({"list_add": body})
        return self

    def list_remove(self, row: Any, column: str, item: Union[str, int, float, bool]) -> "Edits":
        """Takes an item out of a list, wherever it stands in it."""
        self.body.append({"list_remove": [row_of(row), self._column(column)[0], item]})
        return self

    def _combine(self, intent: str, row: Any, column: str, value: Value) -> "Edits":
        name, kind = self._column(column)
        self.body.append({intent: [row_of(row), name, encode(value, kind)]})
        return self

    def upsert(
        self,
        column: str,
        key: Value,
        values: Optional[Mapping[str, Value]] = None,
        new: Optional[Mapping[str, Value]] = None,
    ) -> "Edits":
        """Sets `values` in the row that has the key in a unique column, or appends one with it,
        which gets the values of `new` as well.

        The outcome's `rows` names the row, `inserted` whether it is new.
        """
        name, kind = self._column(column)
        body: Dict[str, Any] = {"key": [name, encode(key, kind)]}
        if values:
            body["set"] = self._named(values)
        if new:
            body["insert"] = self._named(new)
        self.body.append({"upsert": body})
        return self

    def claim(
        self,
        values: Optional[Mapping[str, Value]] = None,
        where: Optional[str] = None,
        lease: Optional[int] = None,
    ) -> "Edits":
        """Takes the next row of which `where` is true and that nobody has a lease on, and sets
        `values` in it; alone in its operation.

        Without `where` a row is open whose cells that are to be set are all empty. `lease` is for
        how many seconds nobody else gets the row.
        """
        body: Dict[str, Any] = {}
        if where is not None:
            body["where"] = where
        if values:
            body["set"] = self._named(values)
        if lease is not None:
            body["lease_seconds"] = lease
        self.body.append({"claim": body})
        return self

    def renew(self, row: Any, seconds: int, claim: Optional[int] = None) -> "Edits":
        """Keeps a leased row for so many seconds from now; `claim` is the record of its claim."""
        return self._lease("renew", row, claim, lease_seconds=seconds)

    def release(self, row: Any, claim: Optional[int] = None, finish: bool = False) -> "Edits":
        """Takes the claim of a leased row back, or with `finish` ends the lease alone."""
        more = {"finish": True} if finish else {}
        return self._lease("release", row, claim, **more)

    def _lease(self, intent: str, row: Any, claim: Optional[int], **more: Any) -> "Edits":
        body: Dict[str, Any] = {"row": row_of(row), **more}
        if claim is not None:
            body["claim"] = claim
        self.body.append({intent: body})
        return self

    def _named(self, values: Mapping[str, Value]) -> Dict[str, Any]:
        found: Dict[str, Any] = {}
        for column, value in values.items():
            name, kind = self._column(column)
            found[name] = encode(value, kind)
        return found

    def insert(
        self, rows: Sequence[Mapping[str, Value]], at: Place = "last"
    ) -> List[str]:
        """Inserts rows, each a mapping from columns to values; returns their ids.

        Without a session the server gives the ids, and the list is empty: see the outcome.
        """
        wanted = list(dict.fromkeys(column for row in rows for column in row))
        named = [self._column(column) for column in wanted]
        cells = [
            [encode(row.get(column), kind) for column, (_, kind) in zip(wanted, named)]
            for row in rows
        ]
        intent: Dict[str, Any] = {}
        ids: List[str] = []
        if self._new_rows is not None:
            ids = self._new_rows(len(rows))
            intent["rows"] = run_texts(map(row_number, ids))
        if at != "last":
            intent["at"] = self._row_place(at)
        if wanted:
            intent.update(columns=[name for name, _ in named], cells=cells)
        elif self._new_rows is None:
            intent["count"] = len(rows)
        self.body.append({"insert": intent})
        return ids

    def delete(self, *rows: Any) -> "Edits":
        """Deletes rows. They are hidden, not lost: late edits of them are kept."""
        self.body.append({"delete": run_texts(row_number(row_of(row)) for row in rows)})
        return self

    def move(self, rows: Union[Any, Sequence[Any]], at: Place) -> "Edits":
        """Moves rows, which arrive together in the order given."""
        many = rows if isinstance(rows, (list, tuple)) else [rows]
        runs = run_texts(row_number(row_of(row)) for row in many)
        self.body.append({"move": {"rows": runs, "at": self._row_place(at)}})
        return self

    def duplicate(self, rows: Union[Any, Sequence[Any]], at: Optional[Place] = None) -> List[str]:
        """Inserts rows like others, behind the last of them where `at` is None; returns their ids.

        What a column gives to each new row (a number, the time, the author) they get anew. Without
        a session the server gives the ids, and the list is empty: see the outcome.
        """
        many = rows if isinstance(rows, (list, tuple)) else [rows]
        intent: Dict[str, Any] = {"rows": run_texts(row_number(row_of(row)) for row in many)}
        ids: List[str] = []
        if self._new_rows is not None:
            ids = self._new_rows(len(many))
            intent["ids"] = run_texts(map(row_number, ids))
        if at is not None:
            intent["at"] = self._row_place(at)
        self.body.append({"duplicate": intent})
        return ids

    # The whole table

    def append_table(self, table: str, lenient: bool = False) -> "Edits":
        """Appends all rows of another table, by the names of its columns.

        `lenient` leaves out columns that this table does not have, and values that do not fit.
        """
        body: Dict[str, Any] = {"from": table}
        if lenient:
            body["lenient"] = True
        self.body.append({"append_table": body})
        return self

    def sort(self, *columns: str, rows: Optional[Sequence[Any]] = None) -> "Edits":
        """Sorts for good: by columns, `-name` with the largest first; all rows, or those named."""
        keys = [
            [self._column(name.lstrip("-"))[0], "down" if name.startswith("-") else "up"]
            for name in columns
        ]
        body: Dict[str, Any] = {"by": keys}
        if rows is not None:
            body["rows"] = run_texts(row_number(row_of(row)) for row in rows)
        self.body.append({"sort": body})
        return self

    def transform(self, column: str, value: str, where: Optional[str] = None) -> "Edits":
        """Sets a column of all rows, or of those where a condition holds, by an expression."""
        body = {"column": self._column(column)[0], "value": value}
        if where is not None:
            body["where"] = where
        self.body.append({"transform": body})
        return self

    def clear(self) -> "Edits":
        """Deletes the rows that this client has seen; those that came since stay."""
        self.body.append({"clear": True})
        return self

    def truncate(self) -> "Edits":
        """Deletes all rows, also those that nobody here has seen."""
        self.body.append({"truncate": True})
        return self

    # Columns

    def add_column(
        self,
        name: str,
        kind: str,
        at: Place = "last",
        suffix: bool = False,
        if_absent: bool = False,
        rules: Optional[Mapping[str, Any]] = None,
    ) -> str:
        """Adds a column; returns its id, or "" where the server gives it (see the outcome).

        `suffix` asks for another name where this one is taken, `if_absent` for the column that is
        there already, whose id the outcome's `columns` then has. A choice column needs its choices:
        `rules={"choices": ["open", "done"]}`. The others are in docs/protocol.md, such as
        `{"required": True, "max": 10}`.
        """
        intent: Dict[str, Any] = {"name": name, "type": kind}
        if rules:
            intent["rules"] = dict(rules)
        identifier = self._new_column() if self._new_column is not None else ""
        if identifier:
            intent["id"] = identifier
        if at != "last":
            intent["at"] = self._column_place(at)
        if suffix:
            intent["on_clash"] = "suffix"
        if if_absent:
            intent["if_absent"] = True
        self.body.append({"column_add": intent})
        return identifier

    def rename_column(self, column: str, name: str, suffix: bool = False) -> "Edits":
        """Renames a column."""
        intent = {"column": self._column(column)[0], "name": name}
        if suffix:
            intent["on_clash"] = "suffix"
        self.body.append({"column_rename": intent})
        return self

    # How the table is shown

    def show_column(self, column: str, **settings: Any) -> "Edits":
        """Says how a column is shown to everybody, such as `width=20`; None takes that back.

        The settings are in docs/protocol.md, "Display settings".
        """
        self.body.append({"column_display": {"column": self._column(column)[0], "set": settings}})
        return self

    def show_table(self, **settings: Any) -> "Edits":
        """Says how the table is shown to everybody: `frozen`, `styles`; None takes that back."""
        self.body.append({"table_display": settings})
        return self

    def row_style(self, name: str, when: str, **look: Any) -> "Edits":
        """Shows rows of which `when` is true in another way, in place of a style of that name.

        `look` has `color`, `background`, `bold`, `dim`, `mark`, `rank`.
        """
        self.body.append({"row_style": {"name": name, "set": {"when": when, **look}}})
        return self

    def delete_row_style(self, name: str) -> "Edits":
        """Takes a row style away."""
        self.body.append({"row_style": {"name": name, "set": None}})
        return self

    def retype_column(
        self,
        column: str,
        kind: str,
        empty: bool = False,
        rules: Optional[Mapping[str, Any]] = None,
    ) -> "Edits":
        """Changes what a column holds; its cells are converted.

        Cells that hold what the type cannot refuse it with `cannot_convert`, or become empty where
        `empty`: an undo brings them back. `rules` changes rules along with it.
        """
        intent: Dict[str, Any] = {"column": self._column(column)[0], "type": kind}
        if rules:
            intent["rules"] = dict(rules)
        if empty:
            intent["unconvertible"] = "empty"
        self.body.append({"column_retype": intent})
        return self

    def duplicate_column(
        self,
        column: str,
        name: Optional[str] = None,
        at: Optional[Place] = None,
        suffix: bool = False,
    ) -> str:
        """Adds a column like another, with its cells; returns its id, or "" as `add_column`."""
        intent: Dict[str, Any] = {"column": self._column(column)[0]}
        identifier = self._new_column() if self._new_column is not None else ""
        if identifier:
            intent["id"] = identifier
        if name is not None:
            intent["name"] = name
        if at is not None:
            intent["at"] = self._column_place(at)
        if suffix:
            intent["on_clash"] = "suffix"
        self.body.append({"column_duplicate": intent})
        return identifier

    def set_column(
        self, column: str, values: Sequence[Value], rows: Optional[Sequence[Any]] = None
    ) -> "Edits":
        """Sets a column of the rows in order, or of those named; more values make new rows.

        Without `rows`, rows that this client has not seen are passed over.
        """
        name, kind = self._column(column)
        intent: Dict[str, Any] = {
            "column": name,
            "values": [encode(value, kind) for value in values],
        }
        if rows is not None:
            intent["rows"] = run_texts(row_number(row_of(row)) for row in rows)
            extra = len(values) - len(rows)
            if extra > 0 and self._new_rows is not None:
                intent["new_rows"] = run_texts(map(row_number, self._new_rows(extra)))
        self.body.append({"column_set": intent})
        return self

    def change_rules(self, column: str, **rules: Any) -> "Edits":
        """Changes rules of a column, None takes one away: `change_rules("state", choices=[…])`.

        `choices_added` puts choices behind those that are there.
        """
        self.body.append({"column_rules": {"column": self._column(column)[0], "set": rules}})
        return self

    def move_column(self, column: str, at: Place) -> "Edits":
        """Moves a column."""
        place = self._column_place(at)
        self.body.append({"column_move": {"column": self._column(column)[0], "at": place}})
        return self

    def delete_column(self, column: str) -> "Edits":
        """Deletes a column. It is hidden, like a row."""
        self.body.append({"column_delete": self._column(column)[0]})
        return self

    # Undo: alone in its operation

    def undo(
        self,
        seq: Optional[int] = None,
        cseq: Optional[int] = None,
        force: bool = False,
        of_user: bool = False,
    ) -> "Edits":
        """Takes back the record `seq`, the session's own operation `cseq`, or the last one.

        The last is this session's, or with `of_user` the user's, in whichever session. What
        somebody else has gone on from stays, and the outcome's `kept_newer` counts it; `force`
        takes it back too.
        """
        self.body.append({"undo": _target(seq, cseq, force, of_user)})
        return self

    def redo(self, force: bool = False, of_user: bool = False) -> "Edits":
        """Does again what the last undo took back."""
        self.body.append({"redo": _target(None, None, force, of_user)})
        return self

    def restore(
        self,
        to: Union[int, datetime],
        rows: Optional[Sequence[Any]] = None,
        columns: Optional[Sequence[str]] = None,
    ) -> "Edits":
        """Makes the table, or these rows or columns of it, what they were after the record `to`,
        or at that time. Alone in its operation."""
        fields = moment(to)
        body: Dict[str, Any] = {"to" if name == "at" else name: fields[name] for name in fields}
        if rows is not None:
            body["rows"] = run_texts(row_number(row_of(row)) for row in rows)
        if columns is not None:
            body["columns"] = [self._column(column)[0] for column in columns]
        self.body.append({"restore": body})
        return self

    # Preconditions: all must hold when the operation is sequenced.

    def require_value(self, row: Any, column: str, value: Value) -> "Edits":
        """Only if the cell has this value."""
        name, kind = self._column(column)
        self.pre.append({"cell_value": [row_of(row), name, encode(value, kind)]})
        return self

    def require_version(self, row: Any, column: str, version: int) -> "Edits":
        """Only if the cell was last written by the record of this number."""
        self.pre.append({"cell_version": [row_of(row), self._column(column)[0], version]})
        return self

    def require_row_version(self, row: Any, version: int) -> "Edits":
        """Only if no cell of the row changed after the record of this number."""
        self.pre.append({"row_version": [row_of(row), version]})
        return self

    def require_row(self, row: Any) -> "Edits":
        """Only if the row is there."""
        self.pre.append({"row_live": row_of(row)})
        return self

    def require_absent(self, column: str, value: Value) -> "Edits":
        """Only if no row has this value in the column."""
        name, kind = self._column(column)
        self.pre.append({"row_absent": [name, encode(value, kind)]})
        return self

    def require_table_seq(self, seq: int) -> "Edits":
        """Only if nobody changed anything after the record of this number."""
        self.pre.append({"table_seq": seq})
        return self

    def require_schema_seq(self, seq: int) -> "Edits":
        """Only if nobody changed a column after the record of this number."""
        self.pre.append({"schema_seq": seq})
        return self

    def _row_place(self, at: Place) -> Any:
        if at in ("first", "last"):
            return at
        return {"after": row_of(at)}

    def _column_place(self, at: Place) -> Any:
        if at in ("first", "last"):
            return at
        if not isinstance(at, str):
            raise InvalidText("malformed", "a column's place is first, last, or a column")
        return {"after": self._column(at)[0]}
