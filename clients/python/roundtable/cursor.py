"""A named place in a table's history, kept in a file, so that a bot that was killed goes on.

The file is {"lineage", "seq"}, replaced in one step; the Swift library reads the same.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Optional, Union

from .errors import InvalidText

#: Records after which a place is saved though more are waiting: so many may come again.
UNSAVED_MAX = 256


@dataclass(frozen=True)
class Position:
    """A place in a table's history: what came up to `seq` is dealt with."""

    lineage: str
    seq: int


class Cursor:
    """A cursor of a name in a folder. `position` is None where none was saved yet."""

    def __init__(self, name: str, folder: Union[str, "os.PathLike[str]"] = ".") -> None:
        if not name or "/" in name or name.startswith("."):
            raise InvalidText("bad_name", "a cursor's name is one of a file")
        self.path = os.path.join(os.fspath(folder), name + ".cursor")
        self.position = self._load()
        self._unsaved = 0

    def _load(self) -> Optional[Position]:
        try:
            with open(self.path, encoding="utf-8") as file:
                found = json.load(file)
            return Position(str(found["lineage"]), int(found["seq"]))
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            raise InvalidText("malformed", f"{self.path} is damaged; remove it") from None

    def save(self, position: Position) -> None:
        """Saves a place; returns when it is on disk."""
        descriptor = os.open(self.path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"lineage": position.lineage, "seq": position.seq}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".new", self.path)
        self.position, self._unsaved = position, 0

    def advance(self, position: Position, is_waiting: bool) -> None:
        """A record is dealt with. While more are waiting, not each costs a write to the disk."""
        self._unsaved += 1
        if not is_waiting or self._unsaved >= UNSAVED_MAX:
            self.save(position)

    def remove(self) -> None:
        """Forgets the place."""
        if os.path.exists(self.path):
            os.remove(self.path)
        self.position = None
