"""Comments on rows and cells: what they are, and how bots make, answer and resolve them.

`Table` keeps the comments of a replica; `SharedTable` and `AsyncTable` take their calls from here.
The text of a comment is somebody else's: never print it to a terminal as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple

from .errors import InvalidText, ProtocolError
from .values import row_number

if TYPE_CHECKING:
    from .edits import Edits
    from .outcome import Outcome

_ID = re.compile(r"m([1-9][0-9]{0,15})\.([1-9][0-9]{0,9})")


def comment_key(identifier: Any) -> Tuple[int, int]:
    """The record and the ordinal of a comment's id such as m118.1. Raises InvalidText."""
    found = _ID.fullmatch(identifier) if isinstance(identifier, str) else None
    if found is None or int(found.group(1)) >= 2**53 or int(found.group(2)) >= 2**32:
        raise InvalidText("malformed", "expected a comment's id, such as m118.1")
    return int(found.group(1)), int(found.group(2))


def comment_of(comment: Any) -> str:
    """A comment's id from the id itself, or from a comment."""
    identifier = getattr(comment, "id", comment)
    comment_key(identifier)
    return str(identifier)


@dataclass(frozen=True)
class Comment:
    """A comment as it was when it was read."""

    id: str
    row: str
    #: The id of the column of the cell that it is about; None where it is about the row.
    column: Optional[str]
    text: str
    #: Who made it, such as u3, and when: milliseconds since 1970, by the server's clock.
    user: str
    time: int
    #: The comment that it answers.
    reply_to: Optional[str] = None
    #: Who changed the text last, and when.
    edited: Optional[Tuple[str, int]] = None
    #: Who said that it is dealt with, and when; None while it is open.
    resolved: Optional[Tuple[str, int]] = None
    #: Whether its row or column is deleted now.
    hidden: bool = False

    @property
    def is_open(self) -> bool:
        """Whether nobody has resolved it."""
        return self.resolved is None

    @staticmethod
    def read(body: Dict[str, Any], hidden: bool = False) -> "Comment":
        """A comment from a checked message."""

        def stamp(name: str) -> Optional[Tuple[str, int]]:
            return (body[name]["user"], body[name]["time"]) if name in body else None

        return Comment(
            body["id"],
            body["row"],
            body.get("column"),
            body["text"],
            body["user"],
            body["time"],
            body.get("to"),
            stamp("edited"),
            stamp("resolved"),
            hidden,
        )


class CommentBook:
    """The comments of a replica, in the order in which they were made."""

    def __init__(self) -> None:
        self._bodies: Dict[str, Dict[str, Any]] = {}
        self._by_row: Dict[int, List[str]] = {}
        self._last = (0, 0)

    def put(self, body: Dict[str, Any]) -> None:
        """A comment as it is from here on, new or changed. Raises ProtocolError."""
        identifier = body["id"]
        old = self._bodies.get(identifier)
        if old is None:
            key = comment_key(identifier)
            if key <= self._last:
                raise ProtocolError("malformed", "a comment comes that is older than others")
            self._last = key
            self._by_row.setdefault(row_number(body["row"]), []).append(identifier)
        elif (old["row"], old.get("column")) != (body["row"], body.get("column")):
            raise ProtocolError("malformed", "a comment is about something else than before")
        self._bodies[identifier] = body

    def bodies(self, row: Optional[int] = None) -> Iterator[Dict[str, Any]]:
        """The comments that are not deleted, of one row or of all, as the wire has them."""
        found = list(self._bodies) if row is None else self._by_row.get(row, [])
        return (
            self._bodies[identifier]
            for identifier in list(found)
            if not self._bodies[identifier].get("deleted", False)
        )


class CommentEdits:
    """What `Edits` may ask of comments."""

    body: List[Dict[str, Any]]

    def _wire_name(self, column: str) -> str:
        raise NotImplementedError

    def comment(
        self, row: Any, text: str, column: Optional[str] = None, reply_to: Any = None
    ) -> Any:
        """Says something about a row, or about its cell in `column`; `outcome.comments` has the
        new comment's id."""
        identifier = getattr(row, "id", row)
        row_number(identifier)
        body: Dict[str, Any] = {"row": identifier, "text": text}
        if column is not None:
            body["column"] = self._wire_name(column)
        if reply_to is not None:
            body["to"] = comment_of(reply_to)
        self.body.append({"comment": body})
        return self

    def edit_comment(self, comment: Any, text: str) -> Any:
        """Changes what one's own comment says."""
        self.body.append({"comment_edit": {"comment": comment_of(comment), "text": text}})
        return self

    def resolve_comment(self, comment: Any, resolved: bool = True) -> Any:
        """Says that a comment is dealt with, or with `resolved=False` that it is not."""
        body: Dict[str, Any] = {"comment": comment_of(comment)}
        if not resolved:
            body["resolved"] = False
        self.body.append({"comment_resolve": body})
        return self

    def delete_comment(self, comment: Any) -> Any:
        """Takes one's own comment back."""
        self.body.append({"comment_delete": comment_of(comment)})
        return self


class CommentCalls:
    """The calls of `SharedTable` about comments."""

    def edits(self) -> "Edits":
        """Empty edits."""
        raise NotImplementedError

    def commit(self, edits: "Edits", mode: str = "strict", tag: Any = None) -> "Outcome":
        """Sends an operation and waits for its outcome."""
        raise NotImplementedError

    def comment(
        self, row: Any, text: str, column: Optional[str] = None, reply_to: Any = None
    ) -> str:
        """Says something about a row, or about its cell in `column`; returns the comment's id."""
        return self.commit(self.edits().comment(row, text, column, reply_to)).comments[0]

    def edit_comment(self, comment: Any, text: str) -> "Outcome":
        """Changes what one's own comment says."""
        return self.commit(self.edits().edit_comment(comment, text))

    def resolve_comment(self, comment: Any, resolved: bool = True) -> "Outcome":
        """Says that a comment is dealt with, or with `resolved=False` that it is not."""
        return self.commit(self.edits().resolve_comment(comment, resolved))

    def delete_comment(self, comment: Any) -> "Outcome":
        """Takes one's own comment back."""
        return self.commit(self.edits().delete_comment(comment))


class AsyncCommentCalls:
    """The calls of `AsyncTable` about comments: the same, awaited."""

    def edits(self) -> "Edits":
        """Empty edits."""
        raise NotImplementedError

    async def commit(self, edits: "Edits", mode: str = "strict", tag: Any = None) -> "Outcome":
        """Sends an operation and waits for its outcome."""
        raise NotImplementedError

    async def comment(
        self, row: Any, text: str, column: Optional[str] = None, reply_to: Any = None
    ) -> str:
        """Says something about a row or a cell; returns the comment's id."""
        return (await self.commit(self.edits().comment(row, text, column, reply_to))).comments[0]

    async def edit_comment(self, comment: Any, text: str) -> "Outcome":
        """Changes what one's own comment says."""
        return await self.commit(self.edits().edit_comment(comment, text))

    async def resolve_comment(self, comment: Any, resolved: bool = True) -> "Outcome":
        """Says that a comment is dealt with, or with `resolved=False` that it is not."""
        return await self.commit(self.edits().resolve_comment(comment, resolved))

    async def delete_comment(self, comment: Any) -> "Outcome":
        """Takes one's own comment back."""
        return await self.commit(self.edits().delete_comment(comment))
