"""A connection's life as a pure state machine: hello, login, open tables, requests and answers.

Lines come in, lines go out; the runtime (bot) owns sockets and time. A cut connection is no error:
tables are opened again where they stood, and what may be asked twice is asked again.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from . import errors
from .errors import Closed, InDoubt, LoginFailed, ProtocolError, RoundtableError
from .messages import read_message
from .session import Session
from .wire import write_json


class Request:
    """A question to the server; `answer` or `failure` once it is done."""

    def __init__(self, message: Dict[str, Any], may_repeat: bool) -> None:
        self.message = message
        self.may_repeat = may_repeat
        self.answer: Optional[Dict[str, Any]] = None
        self.failure: Optional[RoundtableError] = None

    @property
    def done(self) -> bool:
        """Whether there is an answer, or never will be one."""
        return self.answer is not None or self.failure is not None


class Connection:
    """Everything that is said on one connection after another.

    `state` is "down", "hello", "login", "ready", or "ended" when coming back would not help.
    """

    def __init__(
        self, login: Dict[str, Any], client: str = "roundtable-python", version: int = 1
    ) -> None:
        self._login = login
        self._hello = {"type": "hello", "versions": [version], "client": client}
        self.state = "down"
        self.failure: Optional[RoundtableError] = None
        self.user: Dict[str, Any] = {}
        self.welcome: Dict[str, Any] = {}
        self.sessions: List[Session] = []
        #: How long the server asked to wait before coming back.
        self.retry_seconds: Optional[float] = None
        #: Whether the connection ought to be cut from this side.
        self.wants_cut = False
        self._requests: Dict[int, Request] = {}
        self._unsent: List[int] = []
        self._opening: Dict[int, Session] = {}
        self._next_id = 1
        self._out: List[bytes] = []
        self._last_error: Optional[Dict[str, Any]] = None

    # The connection comes and goes

    def connected(self) -> None:
        """A connection to the right server stands."""
        if self.state == "down":
            self.state, self.wants_cut, self._last_error = "hello", False, None
            self._out = [write_json(self._hello)]

    def disconnected(self) -> None:
        """The connection is gone."""
        if self.state != "ended":
            self.state = "down"
        self._out, self._opening = [], {}
        for session in self.sessions:
            session.cut()
        for number, request in list(self._requests.items()):
            if number in self._unsent:
                continue
            if request.may_repeat:
                self._unsent.append(number)
            else:
                del self._requests[number]
                request.failure = InDoubt("going_away", "the connection broke before an answer")
        self._unsent.sort()

    def take_retry_seconds(self) -> Optional[float]:
        """How long the server asked to wait before coming back; asked for once."""
        seconds, self.retry_seconds = self.retry_seconds, None
        return seconds

    @property
    def is_settled(self) -> bool:
        """Whether there is a login, and every table is open that shall be."""
        return self.state == "ready" and all(
            session.state != "opening" for session in self.sessions
        )

    def take_lines(self) -> List[bytes]:
        """What to send now."""
        lines, self._out = self._out, []
        if self.state == "ready":
            for session in self.sessions:
                if session.state == "away":
                    lines.append(write_json(self._open(session)))
            for number in self._unsent:
                lines.append(write_json({**self._requests[number].message, "id": number}))
            self._unsent = []
            for session in self.sessions:
                lines += session.take_lines()
        return lines

    def _open(self, session: Session) -> Dict[str, Any]:
        number, self._next_id = self._next_id, self._next_id + 1
        self._opening[number] = session
        return {**session.open_message(), "id": number}

    # What the runtime asks for

    def request(self, message: Dict[str, Any], may_repeat: bool = True) -> Request:
        """Asks the server something, now or when there is a connection again."""
        request = Request(message, may_repeat)
        if self.failure is not None:
            request.failure = self.failure
            return request
        self._requests[self._next_id] = request
        self._unsent.append(self._next_id)
        self._next_id += 1
        return request

    def withdraw(self, request: Request) -> None:
        """Asks no more; an answer that comes all the same is passed over."""
        for number, other in list(self._requests.items()):
            if other is request:
                del self._requests[number]
                self._unsent = [unsent for unsent in self._unsent if unsent != number]

    def say(self, message: Dict[str, Any]) -> None:
        """Says something that has no answer, if there is a connection."""
        if self.state == "ready":
            self._out.append(write_json(message))

    def forget(self, session: Session) -> None:
        """Closes a table."""
        self.sessions.remove(session)
        if session.id is not None and session.state in ("opening", "open"):
            self.say({"type": "close", "table": session.id})

    # What the server says

    def received(self, line: bytes) -> None:
        """One line from the server. Raises ProtocolError where it is no message."""
        message = read_message(line)
        kind = message["type"]
        if kind == "bye":
            self._bye(message)
        elif kind == "error":
            self._error(message)
        elif kind == "welcome" and self.state == "hello":
            self.welcome, self.state = message, "login"
            self._out.append(write_json({"type": "login", **self._login}))
        elif kind == "logged_in" and self.state == "login":
            self.user, self.state = message, "ready"
            if "token" in message:
                self._login = {"token": message["token"]}
        elif self.state == "ready" or kind == "pong":
            self._ready(kind, message)
        else:
            raise ProtocolError("malformed", f"`{kind}` before it can be sent")

    def _ready(self, kind: str, message: Dict[str, Any]) -> None:
        number = message.get("id")
        if kind == "opened":
            session = self._opening.pop(number or 0, None)
            if session is not None:
                session.opened(message)
        elif number is not None and number in self._requests:
            self._requests.pop(number).answer = message
        elif "table" in message:
            for session in self.sessions:
                if session.id == message["table"] and session.state == "open":
                    session.received(message)
        if any(session.wants_reconnect for session in self.sessions):
            self.wants_cut = True

    def _error(self, message: Dict[str, Any]) -> None:
        self._last_error = message
        code, text, number = message["code"], message["message"], message.get("id", 0)
        if number in self._opening:
            self._open_failed(self._opening.pop(number), code, text, message)
        elif number in self._requests:
            failure = errors.request_failed(code, text, message.get("retry_seconds"))
            self._requests.pop(number).failure = failure
        else:
            for session in self.sessions:
                if session.id == message.get("table") and session.state == "open":
                    session.error(message)
                    if session.wants_reconnect:
                        self.retry_seconds = message.get("retry_seconds", self.retry_seconds)
                        self.wants_cut = True

    def _open_failed(
        self, session: Session, code: str, text: str, message: Dict[str, Any]
    ) -> None:
        what = errors.action(code, closing=False)
        if what == "review":
            session.lose(code, text)
        elif what in ("reconnect", "resume", "wait"):
            self.retry_seconds = message.get("retry_seconds")
            self.wants_cut = True
        else:
            session.fail(errors.request_failed(code, text, message.get("retry_seconds")))

    def _bye(self, message: Dict[str, Any]) -> None:
        code, text = message["code"], message["message"]
        what = errors.action(code, closing=True)
        self.wants_cut = True
        self.retry_seconds = message.get("retry_seconds")
        if what == "give_up":
            kind = LoginFailed if code == "login_failed" else Closed
            self.end(kind(code, text, message.get("retry_seconds")))
        elif what == "review":
            table = message.get("table")
            for session in self.sessions:
                concerned = session.id == table if table else session.number is not None
                if concerned and session.state != "lost":
                    session.lose(code, text)

    def end(self, failure: RoundtableError) -> None:
        """Nothing more will come of this: everything that waits is told why."""
        self.failure, self.state = failure, "ended"
        for request in self._requests.values():
            request.failure = failure
        self._requests, self._unsent = {}, []
        for session in self.sessions:
            if session.state != "lost":
                session.fail(failure)
