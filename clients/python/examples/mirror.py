"""Mirrors the cells of a shared table into SQLite, and after a kill goes on where it stood.

    python3 mirror.py bot.json stock stock.sqlite

Cells are kept as JSON by the ids of row and column. The place in the table's history is stored in the
same transaction as the records that it stands behind, so each record counts exactly once, whatever
happens in between. A fourth argument says after how many quiet seconds to stop.
"""

import json
import sqlite3
import sys
from typing import Any, Dict, Iterable, Optional

from roundtable import Bot, Record, SessionLost
from roundtable.values import encode, row_id, run_range

SCHEMA = """
create table if not exists cells (row text, col text, value text, primary key (row, col));
create table if not exists place (lineage text, seq integer);
"""


def rows_of(runs: Iterable[str]) -> Iterable[str]:
    return (row_id(number) for run in runs for number in run_range(run))


def put(mirror: sqlite3.Connection, row: str, column: str, value: Any) -> None:
    mirror.execute("insert or replace into cells values (?, ?, ?)", (row, column, json.dumps(value)))


def place(mirror: sqlite3.Connection, lineage: str, seq: int) -> None:
    mirror.execute("delete from place")
    mirror.execute("insert into place values (?, ?)", (lineage, seq))


def apply(mirror: sqlite3.Connection, change: Dict[str, Any]) -> None:
    """One change, as docs/protocol.md has it; those of order and columns' names change no cell."""
    ((kind, body),) = change.items()
    if kind in ("insert", "show"):
        for row, cells in zip(rows_of(body["rows"]), body.get("cells", [])):
            for column, value in zip(body.get("columns", []), cells):
                put(mirror, row, column, value)
    elif kind == "set":
        for row, column, value in body:
            put(mirror, row, column, value)
    elif kind == "fill":
        for row, value in zip(rows_of(body["rows"]), body["values"]):
            put(mirror, row, body["column"], value)
    elif kind == "delete":
        for row in rows_of(body):
            mirror.execute("delete from cells where row = ?", (row,))
    elif kind == "column_delete":
        mirror.execute("delete from cells where col = ?", (body,))


def begin(bot: Bot, table: str, mirror: sqlite3.Connection) -> None:
    """All rows as of one number, and that number."""
    position, _, pages = bot.snapshot(table)
    with mirror:
        mirror.execute("delete from cells")
        for page in pages:
            for row, cells in zip(page.rows, page.cells):
                for column, value in zip(page.columns, cells):
                    put(mirror, row, column, encode(value))
        place(mirror, position.lineage, position.seq)


def take(mirror: sqlite3.Connection, record: Record) -> None:
    with mirror:
        for change in record.changes:
            apply(mirror, change)
        place(mirror, record.lineage, record.seq)


def main(credentials: str, table: str, path: str, seconds: Optional[float]) -> None:
    mirror = sqlite3.connect(path)
    mirror.executescript(SCHEMA)
    with Bot.load(credentials) as bot:
        if mirror.execute("select * from place").fetchone() is None:
            begin(bot, table, mirror)
        lineage, seq = mirror.execute("select lineage, seq from place").fetchone()
        try:
            for record in bot.watch(table, seq, lineage, timeout=seconds):
                take(mirror, record)
        except SessionLost as lost:
            sys.exit(f"{lost.message}; remove {path} to begin anew")


if __name__ == "__main__":
    _, credentials, table, path, *rest = sys.argv
    main(credentials, table, path, float(rest[0]) if rest else None)
