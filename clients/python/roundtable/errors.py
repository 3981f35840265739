"""What can go wrong, as exceptions, and what a client does about each code of the protocol.

Every exception carries the stable `code` of docs/protocol.md. Nothing here talks to a server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Type

if TYPE_CHECKING:
    from .outcome import Operation, Outcome


class RoundtableError(Exception):
    """Anything that this library raises on purpose; `code` is stable, `message` is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}" if message else code)
        self.code = code
        self.message = message


class InvalidText(RoundtableError, ValueError):
    """An invite, token, pin, address, id or value that this side cannot even send."""


class NotTrusted(RoundtableError):
    """The server is not the one whose pin was given, or speaks another protocol."""


class Unreachable(RoundtableError, ConnectionError):
    """No connection came about, or none that lasted, within the time given."""


class OutOfTime(RoundtableError, TimeoutError):
    """The time given passed. An operation that was waited for is still pending."""


class ProtocolError(RoundtableError):
    """The server sent what the protocol does not allow; `offset` is the byte in the line."""

    def __init__(self, code: str, message: str, offset: Optional[int] = None) -> None:
        super().__init__(code, message)
        self.offset = offset


class RequestFailed(RoundtableError):
    """The server answered a request with an error; subclasses name the usual ones."""

    def __init__(
        self, code: str, message: str, retry_seconds: Optional[float] = None
    ) -> None:
        super().__init__(code, message)
        self.retry_seconds = retry_seconds


class LoginFailed(RequestFailed):
    """The token or invite is not valid, or not valid any more."""


class Forbidden(RequestFailed):
    """The role does not allow it."""


class NotFound(RequestFailed):
    """There is no table or column of that name or id, or the table was deleted."""


class NameRefused(RequestFailed):
    """A table of that name is there already, or nothing may be called so."""


class TooMany(RequestFailed):
    """A limit of the server is reached; `retry_seconds` may say how long to wait."""


class Closed(RequestFailed):
    """The server ended the connection, and coming back would not help."""


class SessionLost(RoundtableError):
    """The session went on elsewhere, ended, or belongs to another history of the server.

    `pending` are the operations of which nobody knows any more whether they were applied. They are
    never sent again blindly: look at the table, then decide.
    """

    def __init__(self, code: str, message: str, pending: "List[Operation]") -> None:
        super().__init__(code, message)
        self.pending = pending


class InDoubt(RoundtableError):
    """Nobody can tell whether this operation was applied; sending it again could do it twice."""


class Rejected(RoundtableError):
    """The server decided not to apply an operation; `outcome` says why, and is final."""

    def __init__(self, outcome: "Outcome") -> None:
        error = outcome.error
        super().__init__(
            error.code if error else "malformed", error.message if error else "refused"
        )
        self.outcome = outcome


class PreconditionFailed(Rejected):
    """A precondition does not hold; `current` is the cell as it is, where it was about a cell."""

    @property
    def current(self) -> Optional[Dict[str, Any]]:
        """{"value", "seq", "session"} of the cell as it is."""
        return self.outcome.error.current if self.outcome.error else None


class WrongType(Rejected):
    """The value does not fit the column's type."""


class RuleBroken(Rejected):
    """A value breaks a rule of its column; `outcome.error.rule` says which."""


class RowMissing(Rejected):
    """The row was deleted, or never was."""


class ColumnMissing(Rejected):
    """The column was deleted, or never was."""


class NameTaken(Rejected):
    """The column cannot be named so."""


class RejectedForbidden(Rejected, Forbidden):
    """The role does not allow the operation."""

    def __init__(self, outcome: "Outcome") -> None:
        Rejected.__init__(self, outcome)
        self.retry_seconds = None


#: What a client does about an `error` or a `bye`:
#: `raise` tells the caller, and the connection goes on; `wait` tries the same again after
#: `retry_seconds`; `reconnect` comes back after a while and resumes; `resume` does so at once;
#: `review` gives the pending operations back to the caller, since nobody knows what became of
#: them; `give_up` ends, since coming back would meet the same.
ACTIONS: Dict[str, str] = {
    "malformed": "give_up",
    "too_large": "give_up",
    "too_deep": "give_up",
    "no_common_version": "give_up",
    "not_authenticated": "give_up",
    "login_failed": "give_up",
    "login_timeout": "reconnect",
    "too_many_connections": "reconnect",
    "forbidden": "raise",
    "unknown_table": "raise",
    "table_deleted": "raise",
    "unknown_column": "raise",
    "unknown_record": "raise",
    "table_exists": "raise",
    "bad_name": "raise",
    "bad_rule": "raise",
    "bad_display": "raise",
    "too_many_styles": "raise",
    "too_many_settings": "raise",
    "undo_expired": "raise",
    "bad_expression": "raise",
    "nothing_to_undo": "raise",
    "kept_newer": "raise",
    "not_unique": "raise",
    "cannot_convert": "raise",
    "unknown_source": "raise",
    "unknown_comment": "raise",
    "bad_comment": "raise",
    "too_many_comments": "raise",
    "still_claimable": "raise",
    "not_leased": "raise",
    "leased_to_other": "raise",
    "too_many_columns": "raise",
    "too_many_tables": "raise",
    "not_open": "raise",
    "already_open": "raise",
    "no_session": "raise",
    "sequence_gap": "resume",
    "cseq_reused": "give_up",
    "session_forked": "review",
    "session_expired": "review",
    "lineage_changed": "review",
    "rate_limited": "wait",
    "slow_consumer": "reconnect",
    "going_away": "reconnect",
    "storage_failed": "reconnect",
    "internal_error": "reconnect",
}

_REQUESTS: Dict[str, Type[RequestFailed]] = {
    "login_failed": LoginFailed,
    "forbidden": Forbidden,
    "unknown_table": NotFound,
    "table_deleted": NotFound,
    "unknown_column": NotFound,
    "table_exists": NameRefused,
    "bad_name": NameRefused,
    "too_many_columns": TooMany,
    "too_many_tables": TooMany,
    "too_many_connections": TooMany,
    "rate_limited": TooMany,
}

_OUTCOMES: Dict[str, Type[Rejected]] = {
    "wrong_type": WrongType,
    "unknown_row": RowMissing,
    "row_hidden": RowMissing,
    "unknown_column": ColumnMissing,
    "column_hidden": ColumnMissing,
    "name_taken": NameTaken,
    "bad_name": NameTaken,
    "rule_broken": RuleBroken,
    "precondition_failed": PreconditionFailed,
    "forbidden": RejectedForbidden,
}


def action(code: str, closing: bool) -> str:
    """What a client does about a code in `error`, or with `closing` about one in `bye`.

    A code that this version does not know counts as `internal_error`. A connection that ends with
    a code which would otherwise only be raised is given up.
    """
    what = ACTIONS.get(code, "reconnect")
    if closing:
        return {"raise": "give_up", "wait": "reconnect", "resume": "reconnect"}.get(what, what)
    return what if code != "too_many_connections" else "raise"


def request_failed(code: str, message: str, retry_seconds: Optional[float]) -> RequestFailed:
    """The exception for an `error` that answers a request."""
    return _REQUESTS.get(code, RequestFailed)(code, message, retry_seconds)


def rejected(outcome: "Outcome") -> Rejected:
    """The exception for an outcome `rejected`."""
    code = outcome.error.code if outcome.error else "malformed"
    return _OUTCOMES.get(code, Rejected)(outcome)
