"""The lines of clients/conformance against this library, and against the real server.

Every group is a function from one line to a complaint or None, so that `mutants` can run them too.
"""

from __future__ import annotations

import json
import unittest
from collections import OrderedDict
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from roundtable import errors, values
from roundtable.connection import Connection
from roundtable.errors import ProtocolError, Rejected, RoundtableError, SessionLost
from roundtable.invite import parse_pin
from roundtable.link import Link
from roundtable.messages import read_message
from roundtable.outcome import Operation, Outcome
from roundtable.session import Session
from roundtable.wire import DEPTH_MAX, read_json, write_json

from .support import CONFORMANCE, PATIENCE, PROJECT, ServerTest, documented_rules, lines_of
from .support import rules_without_lines

Line = Dict[str, Any]


def without_messages(outcome: Any) -> Any:
    """An outcome without the words for people, which conformance does not fix."""
    found = json.loads(json.dumps(outcome))
    found.get("error", {}).pop("message", None)
    return found


# wire


def wire(line: Line) -> Optional[str]:
    raw = bytes.fromhex(line["hex"]) if "hex" in line else line["line"].encode()
    code = None
    try:
        if line["to"] == "client":
            read_message(raw)
        else:
            # What the server reads is the server's to judge; here it has to be JSON at least.
            read_json(raw)
    except ProtocolError as error:
        code = error.code
    if line["to"] == "server" and not line["accept"]:
        return None
    fine = code == line.get("code") or ("or" in line and code == line["or"])
    return None if fine else f"{code} for {line.get('code')}"


# apply


def follow(columns: List[Any], seq: int, number: str = "s9") -> Session:
    """A session that has opened a table and waits for what comes."""
    session = Session("t1")
    session.open_message()
    opened = {"table": "t1", "name": "t", "lineage": "l", "seq": seq, "columns": columns}
    writer = {"session": number, "token": "x", "last_cseq": 0, "row_counter": 0}
    session.opened({**opened, "rows": 0, "role": "owner", **writer, "column_counter": 0})
    return session


def differs(session: Session, result: Line) -> Optional[str]:
    table = session.replica
    if table is None:
        return "no replica"
    columns: List[Dict[str, Any]] = [
        {"id": one.id, "name": one.name, "type": one.type}
        | ({"rules": one.rules} if one.rules else {})
        | ({"display": one.display} if one.display else {})
        for one in table.columns
    ]
    rows = [number for run in result["rows"] for number in values.run_range(run)]
    if columns != result["columns"]:
        return f"columns {columns}"
    styles = {"row_styles": table.row_styles} if table.row_styles else {}
    if {**table.display, **styles} != result.get("display", {}):
        return f"shown as {table.display} {styles}"
    if list(table.rows()) != rows:
        return f"rows {values.run_texts(table.rows())}"
    kinds = [column["type"] for column in columns]
    for row, cells in zip(rows, result.get("cells", [])):
        read = [values.decode(kind, cell) for kind, cell in zip(kinds, cells)]
        if not all(map(values.same, table.values(row), read)):
            return f"cells {table.values(row)}"
    if table.content_hash() != result["hash"]:
        return f"hash {table.content_hash()}"
    comments = list(table.comments.bodies())
    if comments != result.get("comments", comments):
        return f"comments {comments}"
    return None if table.seq == result["seq"] == session.seq else f"number {table.seq}"


def apply(line: Line) -> Optional[str]:
    session = follow(line["messages"][0]["columns"], line["messages"][0]["seq"])
    for message in line["messages"]:
        if session.wants_reconnect:
            return "given up too early"
        session.received(read_message(write_json(message)))
    if line.get("reload"):
        return None if session.wants_reconnect and session.replica is None else "was taken"
    return "given up" if session.wants_reconnect else differs(session, line["result"])


# resolve


def told(outcome: Outcome) -> Line:
    """An outcome as its author reads it, spelled as on the wire; what is as usual is left out."""
    usual = Outcome("ok")
    found: Line = {
        key: value for key, value in vars(outcome).items() if value != getattr(usual, key)
    }
    found["status"] = outcome.status
    found.pop("seq", None)
    if outcome.error is not None:
        error = vars(outcome.error).items()
        found["error"] = {key: value for key, value in error if value not in (None, [])}
    return found


def unfolded(outcome: Line) -> Line:
    """An outcome of the wire with each row named for itself."""
    found = json.loads(json.dumps(outcome))
    for part in [found, found.get("error", {})]:
        if "rows" in part:
            runs = [values.run_range(run) for run in part["rows"]]
            part["rows"] = [values.row_id(number) for run in runs for number in run]
    return dict(found)


def resolve(line: Line) -> Optional[str]:
    """Follows the records, and as each author in turn gets the outcomes."""
    authors = sorted({step["session"] for step in line["steps"]})
    for author in authors:
        session = follow(line["columns"], 1, author)
        begin = {"type": "snapshot", "table": "t1", "seq": 1, "rows": 0}
        session.received({**begin, "columns": line["columns"]})
        session.received({"type": "snapshot_end", "table": "t1", "seq": 1})
        for step in line["steps"]:
            operation: Optional[Operation] = None
            if step["session"] == author:
                op = step["op"]
                operation = session.submit(op["body"], op.get("mode", "best"), op.get("pre"))
                if operation.cseq != op["cseq"]:
                    return f"number {operation.cseq}"
            outcome = {**step["outcome"]}
            if "error" in outcome:
                outcome["error"] = {**outcome["error"], "message": "m"}
            message: Line = {"table": "t1", "cseq": step["op"]["cseq"], "outcome": outcome}
            if "seq" in step:
                message.update(type="record", seq=step["seq"], session=step["session"])
                message.update(user="u1", time=0, changes=step["changes"])
                if outcome == {"status": "ok"}:
                    del message["outcome"]
            else:
                message["type"] = "reply"
            if "seq" in step or operation is not None:
                session.received(read_message(write_json(message)))
            if operation is not None:
                if operation.outcome is None or operation.outcome.seq != step.get("seq"):
                    return f"outcome {operation.outcome}"
                if told(operation.outcome) != unfolded(outcome):
                    return f"outcome {told(operation.outcome)}"
        problem = differs(session, line["result"])
        if problem:
            return f"{author}: {problem}"
    return None


# resume


class Dialogue:
    """Plays a script against the pure connection."""

    def __init__(self) -> None:
        self.connection = Connection({"token": "rt1b_x"})
        self.session = Session("stock")
        self.connection.sessions.append(self.session)
        self.said: List[bytes] = []
        self.opens = 0
        self.before: Dict[int, bytes] = {}
        self.operations: "OrderedDict[int, Operation]" = OrderedDict()

    def drain(self) -> List[Tuple[Line, bytes]]:
        raw = self.said + self.connection.take_lines()
        self.said = []
        found = [(json.loads(line), line) for line in raw]
        for message, _ in found:
            if message["type"] == "open":
                self.opens = message["id"]
        return found

    def play(self, step: Line) -> Optional[str]:
        if "do" in step:
            return self.act(step)
        if "client" in step:
            return self.compare(step["client"])
        if "server" in step:
            for message in step["server"]:
                if self.connection.wants_cut:
                    return "wants another connection"
                self.said += [raw for _, raw in self.drain()]
                if message.get("id") == "$open":
                    message = {**message, "id": self.opens}
                self.connection.received(write_json(message))
            return None
        return self.expect(step["expect"])

    def act(self, step: Line) -> Optional[str]:
        if step["do"] == "connect":
            self.connection.connected()
        elif step["do"] == "submit":
            operation = self.session.submit(step["body"])
            self.operations[operation.cseq] = operation
        elif step["do"] == "cut" or self.connection.wants_cut:
            self.drain()
            self.connection.disconnected()
        else:
            return "the client does not come back"
        return None

    def compare(self, wanted: List[Line]) -> Optional[str]:
        found = self.drain()
        if len(found) != len(wanted):
            return f"says {[message for message, _ in found]}"
        for want, (message, raw) in zip(wanted, found):
            same = want.pop("same_as_before", False)
            cseq = message.get("cseq", 0)
            if same and self.before.get(cseq) != raw:
                return "other bytes than before"
            if message["type"] == "op":
                self.before[cseq] = raw
            if any(message.get(key) != value for key, value in want.items()):
                return f"says {message}"
        return None

    def expect(self, wanted: Line) -> Optional[str]:
        if wanted.pop("sends_no_op", False):
            if any(message["type"] == "op" for message, _ in self.drain()):
                return "sends an operation again"
        decided = [
            [number, one.outcome.status]
            for number, one in self.operations.items()
            if one.outcome is not None
        ]
        doubt = [number for number, one in self.operations.items() if one.failure is not None]
        found: Line = {
            "pending": list(self.session.pending),
            "seq": self.session.seq,
            "hash": self.session.replica.content_hash() if self.session.replica else None,
            "decided": decided,
            "in_doubt": doubt,
        }
        for number in [cseq for cseq, one in self.operations.items() if one.outcome is not None]:
            if "decided" in wanted:
                del self.operations[number]
        for key, value in wanted.items():
            if found[key] != value:
                return f"{key} is {found[key]}"
        return None


def resume(line: Line) -> Optional[str]:
    dialogue = Dialogue()
    for number, step in enumerate(json.loads(json.dumps(line["steps"]))):
        problem = dialogue.play(step)
        if problem:
            return f"step {number}: {problem}"
    return None


# errors

COLUMNS = [{"id": "c0.1", "name": "n", "type": "text"}, {"id": "c0.2", "name": "q", "type": "int"}]


def opened(connection: Connection, request: int, last: int) -> None:
    message = {"type": "opened", "table": "t1", "name": "stock", "lineage": "l", "seq": 1, "rows": 0}
    message.update(columns=COLUMNS, role="owner", session="s4", token="k", last_cseq=last)
    message.update(row_counter=0, column_counter=0, window=64, id=request)
    connection.received(write_json(message))
    for message in [
        {"type": "snapshot", "table": "t1", "seq": 1, "rows": 0, "columns": COLUMNS},
        {"type": "snapshot_end", "table": "t1", "seq": 1},
        {"type": "live", "table": "t1", "seq": 1},
    ]:
        connection.received(write_json(message))


def said(connection: Connection) -> List[Line]:
    return [json.loads(line) for line in connection.take_lines()]


def failing(line: Line) -> Optional[str]:
    """Brings a connection into the setting, lets the server fail it, and sees what it does."""
    connection, session = Connection({"token": "rt1b_x"}), Session("stock")
    connection.connected()
    said(connection)
    if line["setting"] != "hello":
        connection.received(b'{"type":"welcome","version":1}')
        said(connection)
    operation: Optional[Operation] = None
    request = None
    if line["setting"] not in ("hello", "login"):
        connection.received(b'{"type":"logged_in","user":"u1","name":"b","role":"owner"}')
        connection.sessions.append(session)
        ids = {"id": said(connection)[0]["id"]}
        if line["setting"] in ("op", "resume", "request"):
            opened(connection, ids["id"], 0)
            if line["setting"] == "request":
                request = connection.request(line["sent"])
                ids = {"id": said(connection)[0]["id"]}
            else:
                operation = session.submit([{"set": [["s1.1", "c0.2", 2]]}])
                said(connection)
                ids = {"table": "t1", "cseq": 1}
        if line["setting"] == "resume":
            connection.disconnected()
            connection.connected()
            connection.received(b'{"type":"welcome","version":1}')
            connection.received(b'{"type":"logged_in","user":"u1","name":"b","role":"owner"}')
            ids = {"id": said(connection)[-1]["id"]}
    message: Line = {"type": line["as"], "code": line["code"], "message": "m"}
    if "retry_seconds" in line:
        message["retry_seconds"] = line["retry_seconds"]
    if line["as"] == "error":
        message.update(ids)
    if line["as"] == "outcome":
        outcome = {"status": "rejected", "error": {"code": line["code"], "message": "m"}}
        message = {"type": "reply", "table": "t1", "cseq": 1, "outcome": outcome}
    connection.received(write_json(message))
    return judged(line, connection, session, operation, request)


def judged(line: Line, connection: Connection, session: Session, operation: Optional[Operation],
           request: Any) -> Optional[str]:
    then = line["then"]
    if then == "give_up":
        return None if connection.failure is not None else "goes on"
    if connection.failure is not None:
        return "gives up"
    if then == "reconnect":
        kept = operation is None or 1 in session.pending
        waits = connection.retry_seconds == line.get("retry_seconds")
        return None if connection.wants_cut and kept and waits else "does not come back"
    if then == "review":
        lost = isinstance(session.failure, SessionLost) and operation is not None
        return None if lost and operation and operation.failure else "goes on"
    if then == "resend":
        again = [message.get("cseq") for message in said(connection)]
        waits = connection.wants_cut and connection.retry_seconds == line.get("retry_seconds")
        at_once = again == [1] and "retry_seconds" not in line
        return None if waits or at_once else "does not send again"
    if then == "wait":
        waits = request.failure.retry_seconds == line["retry_seconds"]
        return None if errors.action(line["code"], False) == "wait" and waits else "does not wait"
    if line["as"] == "outcome":
        final = operation is not None and operation.outcome and operation.outcome.rejected
        if not final or operation is None or operation.outcome is None:
            return "is not final"
        raised: RoundtableError = errors.rejected(operation.outcome)
        return None if isinstance(raised, Rejected) and raised.code == line["code"] else "no code"
    failure = request.failure if request is not None else session.failure
    fine = isinstance(failure, RoundtableError) and failure.code == line["code"]
    return None if fine and not connection.wants_cut else f"raises {failure}"


GROUPS: Dict[str, Callable[[Line], Optional[str]]] = {
    "wire": wire,
    "apply": apply,
    "resolve": resolve,
    "resume": resume,
    "errors": failing,
}


def complaints() -> List[str]:
    """All lines that this library fails, run against whatever it is patched to be now."""
    found = []
    for group, run in GROUPS.items():
        for place, line in lines_of(CONFORMANCE / f"{group}.jsonl"):
            try:
                problem = run(line)
            except Exception as error:  # A bent rule may break anything.
                problem = repr(error)
            if problem:
                found.append(f"{place} {line.get('name', line.get('code'))}: {problem}")
    return found


class Conformance(unittest.TestCase):
    def test_every_line_passes(self) -> None:
        for group, run in GROUPS.items():
            lines = lines_of(CONFORMANCE / f"{group}.jsonl")
            self.assertGreater(len(lines), 20)
            for place, line in lines:
                with self.subTest(place, name=line.get("name", line.get("code"))):
                    self.assertIsNone(run(line))

    def test_every_rule_has_a_line_or_a_reason(self) -> None:
        cited: Set[str] = set()
        for group in GROUPS:
            for _, line in lines_of(CONFORMANCE / f"{group}.jsonl"):
                cited |= set(line.get("rules", []))
        exceptions = set(rules_without_lines())
        self.assertEqual(documented_rules() - exceptions, cited)
        self.assertEqual(exceptions - documented_rules(), set())

    def test_every_code_of_the_protocol_has_a_line(self) -> None:
        cited = {line["code"] for _, line in lines_of(CONFORMANCE / "errors.jsonl")}
        needless = {"no_session"}  # A client that submits only in open sessions never meets it.
        self.assertEqual(set(errors.ACTIONS) - cited - needless, set())

    def test_the_documents_own_program_computes_the_same_hashes(self) -> None:
        text = (PROJECT / "docs" / "protocol.md").read_text(encoding="utf-8")
        code = text[text.index("    import hashlib, struct") :]
        program: Dict[str, Any] = {}
        exec("\n".join(line[4:] for line in code.splitlines()), program)
        for group in ["apply", "resolve"]:
            for place, line in lines_of(CONFORMANCE / f"{group}.jsonl"):
                result = line.get("result", {})
                if "cells" not in result:
                    continue
                columns = [
                    (values.column_number(one["id"]), one["name"], one["type"], one.get("rules"))
                    for one in result["columns"]
                ]
                rows = [number for run in result["rows"] for number in values.run_range(run)]
                found = program["content_hash"](columns, list(zip(rows, result["cells"])))
                self.assertEqual(found, result["hash"], place)

    def test_depth(self) -> None:
        self.assertTrue(read_json(b"[" * DEPTH_MAX + b"]" * DEPTH_MAX))
        for depth in [DEPTH_MAX + 1, 100_000]:
            with self.assertRaises(ProtocolError) as caught:
                read_json(b"[" * depth + b"]" * depth)
            self.assertEqual(caught.exception.code, "too_deep")


class RawClient:
    """A connection on which a test says what it likes."""

    def __init__(self, address: Tuple[str, int], pin: str, token: str) -> None:
        self._link = Link(*address, parse_pin(pin), PATIENCE)
        self._heard: List[Line] = []
        self.ask({"type": "hello"}, "welcome")
        self.ask({"type": "login", "token": token}, "logged_in")

    def say(self, message: Line) -> None:
        self._link.send([write_json(message)])

    def until(self, wanted: Callable[[Line], bool]) -> Line:
        while True:
            while self._heard:
                message = self._heard.pop(0)
                if wanted(message):
                    return message
                if message["type"] in ("error", "bye"):
                    raise AssertionError(message)
            self._heard += [json.loads(line) for line in self._link.exchange(PATIENCE)]

    def ask(self, message: Line, kind: str) -> Line:
        self.say(message)
        return self.until(lambda heard: bool(heard["type"] == kind))

    def close(self) -> None:
        self._link.close()


def without_clock(changes: Any) -> Any:
    """Changes without the moments that they tell: the server's clock is not that of a line."""
    if changes is None:
        return None
    kept = json.loads(json.dumps(changes))
    for change in kept:
        if "lease" in change:
            change["lease"].pop("until")
        for stamp in [change.get("comment", {})] + list(change.get("comment", {}).values()):
            if isinstance(stamp, dict):
                stamp.pop("time", None)
    return kept



class AgainstTheServer(ServerTest):
    def test_the_server_resolves_every_line_so(self) -> None:
        clients = []
        for number in range(3):
            token = self.server.token(f"raw{number}")
            client = RawClient(("127.0.0.1", self.server.port), self.server.pin, token)
            self.addCleanup(client.close)
            clients.append(client)
        for place, line in lines_of(CONFORMANCE / "resolve.jsonl"):
            columns = [
                {key: value for key, value in one.items() if key != "id"} for one in line["columns"]
            ]
            create = {"type": "create", "table": place.replace(":", " "), "columns": columns}
            table = clients[0].ask(create, "created")["table"]
            for number, client in enumerate(clients, 1):
                found = client.ask({"type": "open", "table": table}, "opened")
                self.assertEqual(found["session"], f"s{number}")
            for step in line["steps"]:
                client, cseq = clients[int(step["session"][1:]) - 1], step["op"]["cseq"]
                client.say({**step["op"], "table": table})
                answer = client.until(
                    lambda heard: (heard.get("cseq"), heard.get("table")) == (cseq, table)
                    and bool(heard.get("session", step["session"]) == step["session"])
                )
                with self.subTest(place, name=line["name"], cseq=cseq):
                    outcome = without_messages(answer.get("outcome", {"status": "ok"}))
                    # A line knows sessions; the server adds whose the session is: each client here
                    # is a user of its own, and opened its session in turn.
                    current = outcome.get("error", {}).get("current")
                    if current and current["session"] != "s0":
                        self.assertEqual(current.pop("user")[1:], current["session"][1:])
                    self.assertEqual(outcome, step["outcome"])
                    self.assertEqual(answer.get("seq"), step.get("seq"))
                    self.assertEqual(
                    without_clock(answer.get("changes")), without_clock(step.get("changes"))
                )
            found = clients[0].ask({"type": "hash", "table": table}, "hash")
            self.assertEqual(found["hash"], line["result"]["hash"], place)
            for client in clients:
                client.ask({"type": "close", "table": table}, "closed")


if __name__ == "__main__":
    unittest.main()
