"""A session kept in a file, so that a process that was killed goes on where it stood.

Lines of JSON, appended and synchronised before the bytes that they speak of leave for the server;
rewritten whole when the file is opened. One process at a time: the file is locked. It holds the
session's secret and is readable by its owner alone.
"""

from __future__ import annotations

import json
import os
from typing import IO, Any, Dict, List, Optional

from .errors import InvalidText

try:
    import fcntl
except ImportError:  # pragma: no cover - a system without file locks has to do without one
    fcntl = None  # type: ignore[assignment]


class Journal:
    """The file of one session. `saved` is what it held, for `Session.restore`, or None."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = os.open(path + ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        if fcntl is not None:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(self._lock)
                raise InvalidText("session_forked", f"{path} is in use by a process") from None
        self.saved = self._load()
        self._file: Optional[IO[bytes]] = None
        self._rewrite([{"session": self.saved}] if self.saved else [])

    def write(self, notes: List[Dict[str, Any]]) -> None:
        """Appends notes and returns when they are on disk."""
        if not notes or self._file is None:
            return
        for note in notes:
            self._file.write(json.dumps(note, ensure_ascii=False).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Lets go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
            os.close(self._lock)

    def _load(self) -> Optional[Dict[str, Any]]:
        try:
            with open(self._path, "rb") as file:
                content = file.read()
        except FileNotFoundError:
            return None
        saved: Optional[Dict[str, Any]] = None
        # What follows the last end of line was cut short by a crash: nothing of it was sent.
        for number, line in enumerate(content.split(b"\n")[:-1], 1):
            try:
                saved = self._replay(saved, json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise InvalidText(
                    "malformed", f"{self._path}: line {number} is damaged; move the file away"
                ) from None
        return saved

    @staticmethod
    def _replay(
        saved: Optional[Dict[str, Any]], note: Dict[str, Any]
    ) -> Optional[Dict[str, Any]]:
        if "session" in note:
            return dict(note["session"])
        if "lost" in note or saved is None:
            return None
        if "op" in note:
            entry = note["op"]
            saved["pending"].append({key: entry[key] for key in ("cseq", "line", "tag")})
            saved["next_cseq"] = entry["cseq"] + 1
            saved["row_counter"] = entry["row_counter"]
            saved["column_counter"] = entry["column_counter"]
        elif "answered" in note:
            kept = [entry for entry in saved["pending"] if entry["cseq"] != note["answered"]]
            saved["pending"] = kept
        return saved

    def _rewrite(self, notes: List[Dict[str, Any]]) -> None:
        new = self._path + ".new"
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._file = os.fdopen(descriptor, "wb")
        self.write(notes)
        os.replace(new, self._path)
        folder = os.open(os.path.dirname(os.path.abspath(self._path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
