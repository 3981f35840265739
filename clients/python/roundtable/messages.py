"""The server's messages, checked field by field before anybody believes them.

`read_message` turns one line into a dictionary whose fields have the types that docs/protocol.md
gives them; an unknown field, a missing one or one of another type is `malformed`. Cells are only
checked to be no lists or objects: their types are known to the table alone.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Tuple

from .comments import comment_key
from .errors import InvalidText, ProtocolError
from .values import TYPES, column_number, is_json, row_number, run_range, session_number
from .wire import read_json

Check = Callable[[Any], bool]

_TEXT_BYTES_MAX = 256 * 1024
_HASH = re.compile(r"[0-9a-f]{64}")


def _text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value and len(value) <= _TEXT_BYTES_MAX


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _seconds(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def _by(read: Callable[[Any], Any]) -> Check:
    def check(value: Any) -> bool:
        try:
            read(value)
        except (InvalidText, ProtocolError):
            return False
        return True

    return check


_row = _by(row_number)
_run = _by(run_range)
_column = _by(column_number)
_session = _by(session_number)
_comment_id = _by(comment_key)


def _numbered(letter: str) -> Check:
    pattern = re.compile(letter + r"[1-9][0-9]{0,18}")
    return lambda value: isinstance(value, str) and bool(pattern.fullmatch(value))


_table = _numbered("t")
_user = _numbered("u")


def _or_null(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _many(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _exactly(*values: Any) -> Check:
    return lambda value: isinstance(value, type(values[0])) and value in values


def _exactly_or(word: str, check: Check) -> Check:
    return lambda value: value == word or check(value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _object(required: Dict[str, Check], optional: Dict[str, Check] = {}) -> Check:
    def check(value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        for name, inner in required.items():
            if name not in value or not inner(value[name]):
                return False
        for name, field in value.items():
            if name not in required and not (name in optional and optional[name](field)):
                return False
        return True

    return check


def _triple(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and _row(value[0])
        and _column(value[1])
        and is_json(value[2])
    )


def _only(forms: Dict[str, Check]) -> Check:
    """An object with exactly one of these keys."""

    def check(value: Any) -> bool:
        if not isinstance(value, dict) or len(value) != 1:
            return False
        ((name, inner),) = value.items()
        return name in forms and forms[name](inner)

    return check


_rows = _many(_run)
_cells = _many(lambda row: isinstance(row, list))
_type = _exactly(*TYPES[1:])


def _bound(value: Any) -> bool:
    return _text(value) or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _given(value: Any) -> bool:
    return value is not None


_rules = _object(
    {},
    {
        "choices": _many(_text),
        "min": _bound,
        "max": _bound,
        "length_min": _count,
        "length_max": _count,
        "pattern": _text,
        "required": _flag,
        "unique": _flag,
        "default": _given,
        "default_by": _exactly("now", "author", "sequence"),
        "check": _text,
        "computed": _text,
    },
)
_length = _exactly_or("auto", lambda value: _count(value) and 1 <= value <= 500)
_column_display: Dict[str, Check] = {
    "width": _length,
    "width_min": _length,
    "width_max": _length,
    "align": _exactly("auto", "left", "right", "center"),
    "decimals": _exactly_or("auto", lambda value: _count(value) and value <= 18),
    "thousands": _flag,
    "percent": _flag,
    "date": _exactly("auto", "iso", "day_first", "month_first", "words"),
    "hidden": _flag,
}
_table_display: Dict[str, Check] = {
    "frozen": lambda value: _count(value) and value <= 100,
    "styles": _flag,
}
_color = _exactly("red", "green", "yellow", "blue", "magenta", "cyan", "gray")
_style_parts = {
    "color": _color,
    "background": _color,
    "bold": _flag,
    "dim": _flag,
    "mark": _text,
}
_style = _object({"when": _text, "rank": _whole}, _style_parts)
_named_style = _object({"name": _text, "when": _text, "rank": _whole}, _style_parts)
_look = _object({}, {**_table_display, "row_styles": _many(_named_style)})


def _mine(value: Any) -> bool:
    return _object({}, {**_table_display, "columns": _by_column})(value)


def _by_column(value: Any) -> bool:
    settings = _object({}, _column_display)
    return isinstance(value, dict) and all(
        _column(column) and settings(inner) for column, inner in value.items()
    )


def _changed(fields: Dict[str, Check]) -> Check:
    """Fields of which each may be null."""
    return _object({}, {name: _or_null(check) for name, check in fields.items()})


_columns = _many(
    _object(
        {"id": _column, "name": _text, "type": _type},
        {"rules": _rules, "display": _object({}, _column_display)},
    )
)
_inserted = _object(
    {"rows": _rows, "after": _or_null(_row)},
    {"slot": _or_null(_row), "columns": _many(_column), "cells": _cells},
)
_slot = {"slot": _or_null(_column)}
_place = {"column": _column, "after": _or_null(_column)}
_placed_column = _object(
    {"id": _column, "name": _text, "type": _type, "after": _or_null(_column)},
    {**_slot, "rules": _rules, "display": _object({}, _column_display)},
)

_comment_stamp = _object({"user": _user, "time": _count})
_comment = _object(
    {"id": _comment_id, "row": _row, "user": _user, "time": _count, "text": _text},
    {
        "column": _column,
        "to": _comment_id,
        "edited": _comment_stamp,
        "resolved": _comment_stamp,
        "deleted": _flag,
    },
)

_change = _only(
    {
        "insert": _inserted,
        "show": _inserted,
        "set": _many(_triple),
        "fill": _object({"column": _column, "rows": _rows, "values": _many(is_json)}),
        "delete": _rows,
        "arrange": _rows,
        "lease": _object({"row": _row, "until": _count}),
        "lease_end": _row,
        "comment": _comment,
        "move": _object({"rows": _rows, "after": _or_null(_row)}, {"slot": _or_null(_row)}),
        "column_add": _placed_column,
        "column_rename": _object({"column": _column, "name": _text}),
        "column_rules": _object({"column": _column, "rules": _rules}),
        "column_display": _object({"column": _column, "set": _changed(_column_display)}),
        "table_display": _changed(_table_display),
        "row_style": _object({"name": _text, "set": _or_null(_style)}),
        "column_retype": _object({"column": _column, "type": _type}, {"rules": _rules}),
        "column_move": _object(_place, _slot),
        "column_delete": _column,
        "column_show": _placed_column,
    }
)


def _note(value: Any) -> bool:
    kinds = (_text, _renamed, _overrode, _kept_newer, _restored, _converted)
    return any(kind(value) for kind in kinds)


_renamed = _object({"renamed": _text})
_overrode = _object({"overrode": _count, "seq": _count})
_restored = _object({"restored": _count, "cells": _count, "rows": _count, "columns": _count})
_kept_newer = _object({"kept_newer": _count, "seq": _count})
_converted = _object({"converted": _count}, {"emptied": _count})
_current = _object({"value": is_json}, {"seq": _count, "session": _session, "user": _user})
_outcome = _object(
    {"status": _exactly("ok", "partial", "noop", "hidden", "gone", "rejected")},
    {
        "applied": _count,
        "hidden": _count,
        "gone": _count,
        "refused": _count,
        "notes": _many(_note),
        "rows": _rows,
        "columns": _many(_column),
        "values": _many(is_json),
        "comments": _many(_comment_id),
        "inserted": _many(_flag),
        "undid": _count,
        "error": _object(
            {"code": _text, "message": _text},
            {
                "part": _count,
                "row": _row,
                "column": _column,
                "current": _current,
                "rule": _text,
                "rows": _rows,
                "seq": _count,
            },
        ),
        "once": _flag,
    },
)
_who = _many(
    _object(
        {"connection": _count, "user": _user, "name": _text},
        {"row": _or_null(_row), "column": _or_null(_column), "editing": _flag},
    )
)

_events = ("added", "deleted", "shown", "renamed", "retyped", "moved", "rules", "display")
_parts = ("cells", "inserted", "deleted", "shown", "moved", "columns", "display", "comments")
_comment_events = ("made", "edited", "resolved", "reopened", "deleted", "shown")


def _history_cell(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 4
        and _row(value[0])
        and _column(value[1])
        and is_json(value[2])
        and is_json(value[3])
    )


_entry = _object(
    {"seq": _count, "time": _count, "user": _user, "session": _session, "kind": _text},
    {
        "cseq": _count,
        "undid": _count,
        "counts": _object({}, {part: _count for part in _parts}),
        "cells": _many(_history_cell),
        "inserted": _rows,
        "deleted": _rows,
        "shown": _rows,
        "moved": _rows,
        "columns": _many(
            _object(
                {"column": _column, "what": _exactly(*_events)}, {"from": _text, "to": _text}
            )
        ),
        "comments": _many(
            _object(
                {"comment": _comment_id, "row": _row, "what": _exactly(*_comment_events)},
                {"column": _column, "text": _text},
            )
        ),
    },
)

_Fields = Dict[str, Check]
_FORMS: Dict[str, Tuple[_Fields, _Fields]] = {
    "welcome": (
        {"version": _exactly(1)},
        {
            "features": _many(_text),
            "server": _text,
            "line_bytes_max": _count,
            "parts_max": _count,
            "window": _count,
            "heartbeat_seconds": _seconds,
            "durability": _text,
        },
    ),
    "logged_in": ({"user": _user, "name": _text, "role": _text}, {"token": _text}),
    "pong": ({}, {}),
    "tables": (
        {
            "tables": _many(
                _object(
                    {
                        "table": _table,
                        "name": _text,
                        "rows": _count,
                        "columns": _count,
                        "seq": _count,
                    }
                )
            )
        },
        {},
    ),
    "created": ({"table": _table, "columns": _columns}, {}),
    "opened": (
        {
            "table": _table,
            "name": _text,
            "lineage": _text,
            "seq": _count,
            "columns": _columns,
            "rows": _count,
            "role": _text,
        },
        {
            "session": _session,
            "token": _text,
            "last_cseq": _count,
            "row_counter": _count,
            "column_counter": _count,
            "window": _count,
            "display": _look,
            "mine": _mine,
        },
    ),
    "snapshot": (
        {"table": _table, "seq": _count, "rows": _count, "columns": _columns},
        {"display": _look},
    ),
    "chunk": ({"table": _table, "rows": _rows, "columns": _many(_column), "cells": _cells}, {}),
    "snapshot_end": ({"table": _table, "seq": _count}, {}),
    "record": (
        {
            "table": _table,
            "seq": _count,
            "session": _session,
            "user": _user,
            "time": _count,
            "changes": _many(_change),
        },
        {"cseq": _count, "outcome": _outcome},
    ),
    "live": ({"table": _table, "seq": _count}, {}),
    "reply": ({"table": _table, "outcome": _outcome}, {"cseq": _count, "seq": _count}),
    "rows": (
        {
            "table": _table,
            "seq": _count,
            "columns": _many(_column),
            "rows": _rows,
            "cells": _cells,
            "total": _count,
        },
        {"versions": _many(_many(_count))},
    ),
    "past": (
        {"table": _table, "seq": _count, "rows": _count, "columns": _columns},
        {"time": _count},
    ),
    "history": ({"table": _table, "seq": _count, "entries": _many(_entry)}, {"next": _count}),
    "comments": (
        {"table": _table, "seq": _count, "comments": _many(_comment)},
        {"hidden": _many(_comment_id), "next": _comment_id},
    ),
    "hash": (
        {
            "table": _table,
            "seq": _count,
            "hash": lambda value: isinstance(value, str) and bool(_HASH.fullmatch(value)),
        },
        {},
    ),
    "who": ({"table": _table, "who": _who}, {}),
    "users": ({"users": _many(_object({"user": _user, "name": _text}, {}))}, {}),
    "presence": ({"table": _table, "who": _who}, {}),
    "display": ({"table": _table, "mine": _mine}, {}),
    "closed": ({"table": _table}, {}),
    "renamed": ({"table": _table, "name": _text}, {}),
    "dropped": ({"table": _table}, {}),
    "restored": ({"table": _table, "name": _text}, {}),
    "error": (
        {"code": _text, "message": _text},
        {"table": _text, "cseq": _count, "offset": _count, "retry_seconds": _seconds},
    ),
    "bye": (
        {"code": _text, "message": _text},
        {"table": _text, "cseq": _count, "offset": _count, "retry_seconds": _seconds},
    ),
}


def read_message(line: bytes) -> Dict[str, Any]:
    """One message of the server. Raises ProtocolError `malformed` or `too_deep`."""
    message = read_json(line)
    kind = message.get("type") if isinstance(message, dict) else None
    form = _FORMS.get(kind) if isinstance(kind, str) else None
    if form is None:
        raise ProtocolError("malformed", "the server sent no message that this client knows")
    required, optional = form
    for name, check in required.items():
        if name not in message or not check(message[name]):
            raise ProtocolError("malformed", f"`{kind}` needs a field `{name}`, or another one")
    for name, value in message.items():
        if name in required or name == "type":
            continue
        check_id = optional.get(name, _count if name == "id" else None)
        if check_id is None or not check_id(value):
            raise ProtocolError("malformed", f"`{kind}` cannot have such a field `{name[:64]}`")
    return dict(message)
