"""Ids and values: how they stand on the wire, in Python, and in the content hash.

Pure functions; strict in what they read, and they guess nothing. docs/protocol.md, "Ids and
values" and "Content hash", is the law.
"""

from __future__ import annotations

import math
import re
import struct
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, Callable, Dict, Iterable, List, Union
from uuid import UUID

from .errors import InvalidText, ProtocolError

#: What a cell holds in Python: a list column lists of texts, numbers and bools, a json column
#: what `json` makes of it. In both a whole float is the same as the int.
Value = Union[None, str, int, float, bool, date, datetime, UUID, Decimal, List[Any], Dict[str, Any]]

#: The types of columns; the place in the list is the type's number in the content hash.
TYPES = (
    "", "text", "int", "double", "bool", "date", "datetime", "uuid",
    "decimal", "choice", "list", "json",
)

#: The most digits of a decimal, and how deep a JSON value in a cell may be nested.
DECIMAL_DIGITS_MAX = 38
JSON_DEPTH_MAX = 10
#: The longest key within a cell, in bytes.
KEY_BYTES_MAX = 128

_EXACT = 2**53
_ROW = re.compile(r"s(0|[1-9][0-9]{0,9})\.([1-9][0-9]{0,9})")
_COLUMN = re.compile(r"c(0|[1-9][0-9]{0,9})\.([1-9][0-9]{0,9})")
_RUN = re.compile(r"s(0|[1-9][0-9]{0,9})\.([1-9][0-9]{0,9})(?:-([1-9][0-9]{0,9}))?")
_SESSION = re.compile(r"s(0|[1-9][0-9]{0,9})")
_INT = re.compile(r"-?[0-9]{1,1024}")
_DOUBLE = re.compile(r"-?[0-9]{1,1024}(?:\.[0-9]{1,1024})?(?:[eE][+-]?[0-9]{1,1024})?")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DATETIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)
_DECIMAL = re.compile(r"-?0*([0-9]+)(?:\.([0-9]+))?")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def _number(pattern: "re.Pattern[str]", text: Any, what: str) -> int:
    found = pattern.fullmatch(text) if isinstance(text, str) else None
    if found:
        session, counter = int(found.group(1)), int(found.group(2))
        if session < 2**31 and counter < 2**32:
            return session << 32 | counter
    raise InvalidText("malformed", f"this is no {what}")


def row_number(text: Any) -> int:
    """A row's number in memory, session × 2^32 + counter, from its id (`s12.4071`)."""
    return _number(_ROW, text, "row id: one looks like s12.4071")


def row_id(number: int) -> str:
    """A row's id from its number."""
    return f"s{number >> 32}.{number & 0xFFFFFFFF}"


def column_number(text: Any) -> int:
    """A column's number in memory from its id (`c12.3`)."""
    return _number(_COLUMN, text, "column id: one looks like c12.3")


def column_id(number: int) -> str:
    """A column's id from its number."""
    return f"c{number >> 32}.{number & 0xFFFFFFFF}"


def session_number(text: Any) -> int:
    """The number in `s12`."""
    found = _SESSION.fullmatch(text) if isinstance(text, str) else None
    if not found or int(found.group(1)) >= 2**31:
        raise InvalidText("malformed", "this is no session: it looks like s12")
    return int(found.group(1))


def run_range(text: Any) -> range:
    """The row numbers of one member of a list of rows: `s12.4`, or the run `s12.1-256`.

    The range is lazy: a short text can name four thousand million rows.
    """
    found = _RUN.fullmatch(text) if isinstance(text, str) else None
    if found:
        session, first = int(found.group(1)), int(found.group(2))
        last = int(found.group(3)) if found.group(3) else first
        ordered = last > first or not found.group(3)
        if session < 2**31 and last < 2**32 and ordered:
            return range(session << 32 | first, (session << 32 | last) + 1)
    raise ProtocolError("malformed", "a list of rows holds what is neither a row nor a run")


def run_texts(numbers: Iterable[int]) -> List[str]:
    """A list of rows, with runs where consecutive numbers follow each other."""
    texts: List[str] = []
    first = last = -1
    for number in numbers:
        if number == last + 1 and first >= 0 and number >> 32 == first >> 32:
            last = number
            continue
        if first >= 0:
            texts.append(_run_text(first, last))
        first = last = number
    if first >= 0:
        texts.append(_run_text(first, last))
    return texts


def _run_text(first: int, last: int) -> str:
    return row_id(first) if first == last else f"{row_id(first)}-{last & 0xFFFFFFFF}"


# Values from the wire


def _wrong(kind: str) -> ProtocolError:
    return ProtocolError("malformed", f"a value in a column of type {kind} is none of it")


def _read_text(value: Any) -> Value:
    if isinstance(value, str):
        return value
    raise _wrong("text")


def _read_int(value: Any) -> Value:
    if isinstance(value, str) and _INT.fullmatch(value):
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63:
        return value
    raise _wrong("int")


def _read_double(value: Any) -> Value:
    if isinstance(value, float):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and _is_double(value):
        return float(value)
    if isinstance(value, str):
        if value in _WORDS:
            return _WORDS[value]
        number = float(value) if _DOUBLE.fullmatch(value) else math.inf
        is_lost = number == 0 and re.search("[1-9]", re.split("[eE]", value)[0])
        if math.isfinite(number) and not is_lost:
            return number
    raise _wrong("double")


def _read_bool(value: Any) -> Value:
    if isinstance(value, bool):
        return value
    raise _wrong("bool")


def _read_date(value: Any) -> Value:
    found = _DATE.fullmatch(value) if isinstance(value, str) else None
    try:
        if found:
            return date(*map(int, found.groups()))
    except ValueError:
        pass
    raise _wrong("date")


def _read_datetime(value: Any) -> Value:
    found = _DATETIME.fullmatch(value) if isinstance(value, str) else None
    try:
        if found:
            parts = [int(part) for part in found.groups()[:6]]
            micro = int((found.group(7) or "").ljust(6, "0"))
            minutes = 0
            if found.group(8):
                if int(found.group(10)) > 59:
                    raise _wrong("datetime")
                minutes = int(found.group(9)) * 60 + int(found.group(10))
                minutes = -minutes if found.group(8) == "-" else minutes
            zone = timezone(timedelta(minutes=minutes))
            return datetime(
                parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], micro, zone
            )
    except ValueError:
        pass
    raise _wrong("datetime")


def _read_uuid(value: Any) -> Value:
    if isinstance(value, str) and _UUID.fullmatch(value):
        return UUID(value)
    raise _wrong("uuid")


def _read_decimal(value: Any) -> Value:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63:
        return Decimal(value)
    found = _DECIMAL.fullmatch(value) if isinstance(value, str) else None
    if found:
        whole, behind = found.group(1).lstrip("0"), found.group(2) or ""
        is_short = len(behind) <= DECIMAL_DIGITS_MAX
        if is_short and len((whole + behind).lstrip("0")) <= DECIMAL_DIGITS_MAX:
            number = Decimal(value)
            return number if number else abs(number)
    raise _wrong("decimal")


def is_json(value: Any, depth: int = 0) -> bool:
    """Whether a cell can hold it: nested no deeper than allowed, no key twice by its nature."""
    if isinstance(value, (list, dict)):
        inner = value.values() if isinstance(value, dict) else value
        return depth < JSON_DEPTH_MAX and all(is_json(one, depth + 1) for one in inner)
    return value is None or isinstance(value, (str, int, float, bool))


def _read_list(value: Any) -> Value:
    if isinstance(value, list) and all(isinstance(one, (str, int, float, bool)) for one in value):
        return value
    raise _wrong("list")


def _read_json(value: Any) -> Value:
    if is_json(value):
        found: Value = value
        return found
    raise _wrong("json")


_READERS: Dict[str, Callable[[Any], Value]] = {
    "text": _read_text,
    "int": _read_int,
    "double": _read_double,
    "bool": _read_bool,
    "date": _read_date,
    "datetime": _read_datetime,
    "uuid": _read_uuid,
    "decimal": _read_decimal,
    "choice": _read_text,
    "list": _read_list,
    "json": _read_json,
}


def decode(kind: str, value: Any) -> Value:
    """A value as JSON gives it, in Python's type for the column's type; strict."""
    return None if value is None else _READERS[kind](value)


def reader(kind: str) -> Callable[[Any], Value]:
    """The reader of one type, for values that are not null."""
    return _READERS[kind]


# Values to the wire


def encode(value: Any, kind: str = "") -> Any:
    """A Python value as JSON. `kind`, where known, is the column's type.

    Whether the value fits the column is the server's to say; here only what cannot be written at
    all is refused: a time without zone, a text that is not Unicode, an object of another class.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (list, tuple, dict)) or kind in ("list", "json"):
        return _json_value(value, 0)
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InvalidText("wrong_type", "the text holds half a surrogate pair") from None
        return value
    if isinstance(value, int):
        if kind == "double" and _is_double(value):
            return float(value)
        return value if abs(value) <= _EXACT else str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        return value if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, datetime):
        return _datetime_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    raise InvalidText("wrong_type", f"a cell cannot hold a {type(value).__name__}")


def _json_value(value: Any, depth: int) -> Any:
    """A value of a list or json column as JSON; tuples become lists."""
    if isinstance(value, (list, tuple, dict)):
        if depth >= JSON_DEPTH_MAX:
            raise InvalidText("wrong_type", f"nested deeper than {JSON_DEPTH_MAX}")
        if isinstance(value, dict):
            if not all(isinstance(key, str) for key in value):
                raise InvalidText("wrong_type", "the keys of a JSON object are texts")
            for key in value:
                if len(encode(key).encode()) > KEY_BYTES_MAX:
                    raise InvalidText("wrong_type", f"a key has more than {KEY_BYTES_MAX} bytes")
            return {key: _json_value(one, depth + 1) for key, one in value.items()}
        return [_json_value(one, depth + 1) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidText("wrong_type", "JSON has no NaN and no infinities")
    if isinstance(value, int) and abs(value) >= 2**1023:
        raise InvalidText("wrong_type", "no type can hold so large a number")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return encode(value)


def _is_double(value: int) -> bool:
    try:
        return int(float(value)) == value
    except OverflowError:
        return False


def _datetime_text(value: datetime) -> str:
    offset = value.utcoffset()
    if offset is None:
        raise InvalidText("wrong_type", "a datetime needs a time zone")
    if offset % timedelta(minutes=1):
        raise InvalidText("wrong_type", "a time zone's offset is whole minutes")
    text = value.replace(tzinfo=None).isoformat()
    minutes = offset // timedelta(minutes=1)
    if minutes == 0:
        return text + "Z"
    sign = "+" if minutes > 0 else "-"
    return f"{text}{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


# Values in the content hash


def _packed(kind: int, raw: bytes) -> bytes:
    return struct.pack(">BI", kind, len(raw)) + raw


def _hash_text(value: Any) -> bytes:
    return _packed(1, value.encode())


_INT_FORM = struct.Struct(">BIq")
_DOUBLE_FORM = struct.Struct(">BId")
_NAN = struct.pack(">BIQ", 3, 8, 0x7FF8000000000000)


def _hash_int(value: Any) -> bytes:
    return _INT_FORM.pack(2, 8, value)


def _hash_double(value: Any) -> bytes:
    return _NAN if value != value else _DOUBLE_FORM.pack(3, 8, value)


def _hash_bool(value: Any) -> bytes:
    return b"\x04\0\0\0\x01\x01" if value else b"\x04\0\0\0\x01\x00"


def _hash_date(value: Any) -> bytes:
    return struct.pack(">BIi", 5, 4, value.toordinal() - 719163)


def _hash_datetime(value: Any) -> bytes:
    # A zone far from UTC can put the instant itself out of Python's years: count without it.
    offset = value.utcoffset()
    local = value.replace(tzinfo=timezone.utc) - _EPOCH
    micros = local // timedelta(microseconds=1) - offset // timedelta(microseconds=1)
    return struct.pack(">BIqh", 6, 10, micros, offset // timedelta(minutes=1))


def _hash_uuid(value: Any) -> bytes:
    return _packed(7, value.bytes)


def _hash_decimal(value: Any) -> bytes:
    sign, digits, exponent = value.as_tuple()
    number = int("".join(map(str, digits)) or "0")
    raw = (-number if sign else number).to_bytes(16, "big", signed=True)
    return _packed(8, raw + bytes([-exponent]))


def _hash_choice(value: Any) -> bytes:
    return _packed(9, value.encode())


def _hash_list(value: Any) -> bytes:
    return _packed(10, json_bytes(value))


def _hash_json(value: Any) -> bytes:
    return _packed(11, json_bytes(value))


def json_bytes(value: Any) -> bytes:
    """The canonical bytes of a JSON value: by its parts, since languages write numbers apart."""
    if value is None:
        return b"\0"
    if isinstance(value, bool):
        return b"\2" if value else b"\1"
    if isinstance(value, float) and value.is_integer() and -(2**63) <= value < 2**63:
        value = int(value)
    if isinstance(value, int):
        return struct.pack(">Bq", 3, value)
    if isinstance(value, float):
        return struct.pack(">Bd", 4, value)
    if isinstance(value, str):
        raw = value.encode()
        return struct.pack(">BI", 5, len(raw)) + raw
    if isinstance(value, list):
        return struct.pack(">BI", 6, len(value)) + b"".join(map(json_bytes, value))
    members = sorted((key.encode(), json_bytes(one)) for key, one in value.items())
    parts = [struct.pack(">I", len(key)) + key + one for key, one in members]
    return struct.pack(">BI", 7, len(members)) + b"".join(parts)


_HASHERS: Dict[str, Callable[[Any], bytes]] = {
    "text": _hash_text,
    "int": _hash_int,
    "double": _hash_double,
    "bool": _hash_bool,
    "date": _hash_date,
    "datetime": _hash_datetime,
    "uuid": _hash_uuid,
    "decimal": _hash_decimal,
    "choice": _hash_choice,
    "list": _hash_list,
    "json": _hash_json,
}

#: The canonical bytes of an empty cell.
NULL_BYTES = b"\0\0\0\0\0"


def hasher(kind: str) -> Callable[[Any], bytes]:
    """The function from values of a type that are not None to their canonical bytes."""
    return _HASHERS[kind]


def same(left: Value, right: Value) -> bool:
    """Whether two values of one column are the same, by bytes: NaN is itself, -0 is not 0."""
    if isinstance(left, float) and isinstance(right, float):
        return _hash_double(left) == _hash_double(right)
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return left.as_tuple() == right.as_tuple()
    if isinstance(left, (list, dict)) and isinstance(right, (list, dict)):
        return json_bytes(left) == json_bytes(right)
    if {type(left), type(right)} == {int, float}:
        return json_bytes(left) == json_bytes(right)  # Both can be in one json column only.
    if isinstance(left, datetime) and isinstance(right, datetime):
        return left == right and left.utcoffset() == right.utcoffset()
    return type(left) is type(right) and left == right


def mixed(x: int) -> int:
    """A row's number mixed, to decide where groups of the content hash end."""
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return x ^ x >> 31


def moment(at: Union[int, datetime]) -> Dict[str, int]:
    """A moment as fields of a message. Raises InvalidText for a time without a zone."""
    if isinstance(at, datetime):
        if at.utcoffset() is None:
            raise InvalidText("malformed", "a moment in a table's past needs a time zone")
        return {"time": (at - _EPOCH) // timedelta(milliseconds=1)}
    return {"at": at}
