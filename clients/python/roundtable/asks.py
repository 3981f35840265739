"""Requests of the protocol that are answered once, and how their answers read. No sockets.

`Bot` and `AsyncBot` carry them out, each in its own way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Generic, Iterator, List, Mapping, Optional, Sequence
from typing import Tuple, TypeVar

from .comments import Comment
from .edits import Edits, row_of
from .errors import ProtocolError, rejected
from .outcome import Outcome
from .session import Session
from .values import decode, row_id, run_range

Answer = TypeVar("Answer")


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


@dataclass(frozen=True)
class Ask(Generic[Answer]):
    """A request, and what its answer means. Without `may_repeat` asking twice could do twice."""

    message: Dict[str, Any]
    read: Callable[[Dict[str, Any]], Answer]
    may_repeat: bool = True


def comments(
    table: str, row: Any, column: Optional[str], open_only: bool
) -> Dict[str, Any]:
    """The request for comments on a table, a row or a cell."""
    message: Dict[str, Any] = {"type": "comments", "table": table}
    if row is not None:
        message["row"] = row_of(row)
    if column is not None:
        message["column"] = column
    if open_only:
        message["open"] = True
    return message


def told_comments(answer: Dict[str, Any]) -> List[Comment]:
    """The comments of an answer."""
    hidden = set(answer.get("hidden", []))
    return [Comment.read(body, body["id"] in hidden) for body in answer["comments"]]


def _text(field: str) -> Callable[[Dict[str, Any]], str]:
    return lambda answer: str(answer[field])


def _clash(message: Dict[str, Any], on_clash: Optional[str]) -> Dict[str, Any]:
    return message if on_clash is None else {**message, "on_clash": on_clash}


def tables(deleted: bool) -> Ask[List[TableInfo]]:
    """The tables that there are, or those that were dropped."""

    def read(answer: Dict[str, Any]) -> List[TableInfo]:
        return [
            TableInfo(one["table"], one["name"], one["rows"], one["columns"], one["seq"])
            for one in answer["tables"]
        ]

    message: Dict[str, Any] = {"type": "tables"}
    return Ask({**message, "deleted": True} if deleted else message, read)


def names(users: Sequence[str]) -> Ask[Dict[str, str]]:
    """What users are called."""
    return Ask(
        {"type": "users", "users": list(users)},
        lambda answer: {one["user"]: one["name"] for one in answer["users"]},
    )


def create(name: str, columns: Mapping[str, str]) -> Ask[str]:
    """A new table; the answer is its id."""
    listed = [{"name": column, "type": kind} for column, kind in columns.items()]
    return Ask({"type": "create", "table": name, "columns": listed}, _text("table"), False)


def rename(table: str, name: str, on_clash: Optional[str]) -> Ask[str]:
    """Another name; the answer is the one that the table has then."""
    message = {"type": "table_rename", "table": table, "name": name}
    return Ask(_clash(message, on_clash), _text("name"))


def drop(table: str) -> Ask[str]:
    """A table dropped; the answer is its id."""
    return Ask({"type": "table_drop", "table": table}, _text("table"), False)


def restore(table: str, on_clash: Optional[str]) -> Ask[str]:
    """A dropped table back; the answer is its name."""
    message = {"type": "table_restore", "table": table}
    return Ask(_clash(message, on_clash), _text("name"), False)


def content_hash(table: str) -> Ask[Tuple[int, str]]:
    """A table's number and content hash."""
    return Ask(
        {"type": "hash", "table": table}, lambda answer: (answer["seq"], answer["hash"])
    )


def who(table: str) -> Ask[List[Dict[str, Any]]]:
    """Who is at a table now."""
    return Ask({"type": "who", "table": table}, lambda answer: list(answer["who"]))


def display(table: str, column: Optional[str], settings: Optional[Mapping[str, Any]]) -> Ask[Any]:
    """Says how a table is shown to this user alone; the answer is all that is said."""
    message: Dict[str, Any] = {"type": "display", "table": table}
    if column is not None:
        message["column"] = column
    message["set"] = None if settings is None else dict(settings)
    return Ask(message, lambda answer: answer["mine"])


def op(table: str, edits: Edits, mode: str, dry_run: bool = False) -> Ask[Outcome]:
    """An operation without a session; reading the answer raises Rejected. With `dry_run` nothing
    is changed, and a refusal is an answer like others."""

    def read(answer: Dict[str, Any]) -> Outcome:
        outcome = Outcome.read(answer["outcome"], answer.get("seq"))
        if outcome.rejected and not dry_run:
            raise rejected(outcome)
        return outcome

    message: Dict[str, Any] = {"type": "op", "table": table, "body": edits.body}
    if dry_run:
        message["dry_run"] = True
    if mode != "best":
        message["mode"] = mode
    if edits.pre:
        message["pre"] = edits.pre
    return Ask(message, read, dry_run)


def read(
    table: str,
    start: int,
    count: int,
    rows: Optional[Sequence[str]],
    columns: Optional[Sequence[str]],
    kinds: Mapping[str, str],
    at: Optional[int] = None,
) -> Ask[Page]:
    """Rows by position or by id; `kinds` are the types of the columns, by id."""

    def page(answer: Dict[str, Any]) -> Page:
        types = [kinds.get(column, "") for column in answer["columns"]]
        cells = [
            [decode(kind, value) if kind else value for kind, value in zip(types, row)]
            for row in answer["cells"]
        ]
        runs = [run_range(run) for run in answer["rows"]]
        if sum(map(len, runs)) != len(cells):
            raise ProtocolError("malformed", "the server sent other rows than it names")
        ids = [row_id(number) for run in runs for number in run]
        versions = answer.get("versions", [])
        return Page(answer["seq"], answer["total"], answer["columns"], ids, cells, versions)

    message: Dict[str, Any] = {"type": "read", "table": table, "versions": True}
    if rows is not None:
        message["rows"] = list(rows)
    else:
        message.update({"from": start, "count": count})
    if columns is not None:
        message["columns"] = list(columns)
    if at is not None:
        message["at"] = at
    return Ask(message, page)


def known_kinds(sessions: Sequence[Session], table: str) -> Optional[Dict[str, str]]:
    """The types of the columns of a table that is open, by id; None where it is not."""
    for session in sessions:
        if table in (session.id, session.name) and session.replica is not None:
            return {column.id: column.type for column in session.replica.columns}
    return None


def pages(session: Session, size: int) -> Iterator[Page]:
    """All rows of a replica that moves on no more, so that all are of one number."""
    replica = session.replica
    if replica is None:
        return
    columns = [column.id for column in replica.columns]
    for start in range(0, len(replica), max(1, size)):
        numbers = replica.rows_from(start, size)
        cells = [list(replica.values(number)) for number in numbers]
        rows = [row_id(number) for number in numbers]
        yield Page(replica.seq, len(replica), columns, rows, cells, [])


def names_of(session: Session) -> Dict[str, str]:
    """The columns of a replica as {id: name}."""
    replica = session.replica
    return {} if replica is None else {one.id: one.name for one in replica.columns}
