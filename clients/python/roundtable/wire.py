"""Bytes and lines: cutting a stream into lines, reading JSON strictly, writing it.

Python's own `json` is too kind to be trusted with a stranger's bytes: it takes keys that come
twice, half surrogate pairs, NaN and numbers that overflow, and it recurses. Here each of those is
refused with the code and, where known, the byte. What the messages mean is next door (messages).
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Tuple

from .errors import ProtocolError

#: The longest line from the server, in bytes.
SERVER_LINE_BYTES_MAX = 64 * 1024 * 1024
#: How deep objects and lists may be nested.
DEPTH_MAX = 16
#: The longest key, and the longest number, in bytes.
KEY_BYTES_MAX = 128
NUMBER_BYTES_MAX = 1024

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NO_BRACKET = re.compile(r"[^\[\]{}]+")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


class LineSplitter:
    """Cuts a stream of bytes into lines, wherever the network cut it before."""

    def __init__(self, line_bytes_max: int = SERVER_LINE_BYTES_MAX) -> None:
        self._line_bytes_max = line_bytes_max
        self._parts: List[bytes] = []
        self._bytes = 0

    def feed(self, data: bytes) -> List[bytes]:
        """The lines that `data` completes, without their ends. Raises ProtocolError `too_large`."""
        lines: List[bytes] = []
        start = 0
        while True:
            end = data.find(b"\n", start)
            length = (len(data) if end < 0 else end) - start + self._bytes
            if length > self._line_bytes_max:
                raise ProtocolError("too_large", "a line from the server is too long")
            if end < 0:
                break
            self._parts.append(data[start:end])
            lines.append(b"".join(self._parts))
            self._parts, self._bytes, start = [], 0, end + 1
        if start < len(data):
            self._parts.append(data[start:])
            self._bytes += len(data) - start
        return lines


def read_json(line: bytes) -> Any:
    """The JSON value of one line. Raises ProtocolError `malformed` or `too_deep`.

    An integer beyond 64 bits is a float, and so is `-0`.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProtocolError("malformed", "not UTF-8", error.start) from None
    _check_depth(text)
    if "\\u" in text:
        _check_escapes(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        offset = len(text[: error.pos].encode())
        raise ProtocolError("malformed", f"not JSON: {error.msg}", offset) from None
    except RecursionError:
        raise ProtocolError("too_deep", "nested too deep") from None


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= DEPTH_MAX:
        return
    depth = 0
    for bracket in _NO_BRACKET.sub("", _STRING.sub("", text)):
        if bracket in "[{":
            depth += 1
            if depth > DEPTH_MAX:
                raise ProtocolError("too_deep", f"nested deeper than {DEPTH_MAX}")
        else:
            depth -= 1


def _check_escapes(text: str) -> None:
    """Refuses half a surrogate pair. In JSON a backslash stands in strings only."""
    waiting = -1
    for found in _ESCAPE.finditer(text):
        unit = int(found.group(1), 16) if found.group(1) else 0
        if waiting >= 0 and not (0xDC00 <= unit < 0xE000 and found.start() == waiting):
            break
        if waiting < 0 and 0xDC00 <= unit < 0xE000:
            waiting = found.start()
            break
        waiting = found.end() if 0xD800 <= unit < 0xDC00 else -1
    if waiting >= 0:
        raise ProtocolError("malformed", "half a surrogate pair", len(text[:waiting].encode()))


def _object(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ProtocolError("malformed", "a key comes twice")
    for key in found:
        if len(key) * 4 > KEY_BYTES_MAX and len(key.encode()) > KEY_BYTES_MAX:
            raise ProtocolError("malformed", "a key is too long")
    return found


def _integer(text: str) -> Any:
    if len(text) < 19:
        return int(text) if text != "-0" else -0.0
    if len(text) > NUMBER_BYTES_MAX:
        raise ProtocolError("malformed", "a number is too long")
    number = int(text)
    return number if -(2**63) <= number < 2**63 else _float(text)


def _float(text: str) -> float:
    if len(text) > NUMBER_BYTES_MAX:
        raise ProtocolError("malformed", "a number is too long")
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ProtocolError("malformed", "no type can hold so large a number")
    if number == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise ProtocolError("malformed", "no type can hold so small a number")
    return number


def _constant(text: str) -> Any:
    raise ProtocolError("malformed", f"{text} is no JSON number")


def write_json(value: Any) -> bytes:
    """One line of JSON, with its end. Raises ValueError for what JSON cannot hold."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8") + b"\n"
