"""Rules bent on purpose, one at a time: some line of clients/conformance must fail each.

A mutant is a text of this library replaced by another. It runs in a copy of the package, in a
process of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import List, Tuple

from .support import PATIENCE, PROJECT, PYTHON

#: What is bent, the group that has to notice, the module, what stands there, what shall.
MUTANTS: List[Tuple[str, str, str, str, str]] = [
    ("keys may come twice", "wire", "wire", "if len(found) != len(pairs):", "if False:"),
    ("half surrogate pairs", "wire", "wire", 'if "\\\\u" in text:', "if False:"),
    ("NaN is a number", "wire", "wire", 'raise ProtocolError("malformed", f"{text}', 'return 1 or ("", f"{text}'),
    ("1e400 is a number", "wire", "wire", 'if number in (float("inf"), float("-inf")):', "if False:"),
    ("1e-400 is zero", "wire", "wire", 'if number == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):', "if False:"),
    ("long numbers", "wire", "wire", "NUMBER_BYTES_MAX = 1024", "NUMBER_BYTES_MAX = 2048"),
    ("unknown fields", "wire", "messages", "if check_id is None or not", "if check_id is not None and not"),
    ("unknown messages", "wire", "messages", "if form is None:\n        raise", "if form is None:\n        return {}\n        raise"),
    ("NUL in names", "wire", "messages", 'and "\\0" not in value', ""),
    ("wire: a cell nested without end", "wire", "values", "depth < JSON_DEPTH_MAX and", ""),
    ("two changes in one", "wire", "messages", "or len(value) != 1:", "or len(value) < 1:"),
    ("ids with leading zeros", "wire", "values", '_RUN = re.compile(r"s(0|[1-9][0-9]{0,9})', '_RUN = re.compile(r"s([0-9]{1,10})'),
    ("sessions beyond 31 bits", "wire", "values", "if session < 2**31 and last < 2**32 and ordered:", "if last < 2**32 and ordered:"),
    ("runs that go backwards", "wire", "values", "ordered = last > first or", "ordered = True or"),
    ("R1: inserted above instead of below", "apply", "rows", "block.index(after) + 1", "block.index(after)"),
    ("R4: a slot counts for everybody", "apply", "table", 'after = self._after(body["after"])\n        if "cells"', 'after = self._after(body.get("slot", body["after"]))\n        if "cells"'),
    ("R7: unknown rows are an error", "apply", "table", "(number, None) for number in run if number in self._order)", "(number, None) for number in run)"),
    ("R8: moved to the start means to the end", "apply", "rows", "block, at = self._blocks[0], 0", "block, at = self._blocks[-1], len(self._blocks[-1])"),
    ("R9: a deleted row comes back with a move", "resolve", "table", "            self._order.remove(number)\n            del self._cells[number]\n", "            pass\n"),
    ("R15: moved rows keep their old order", "apply", "table", "        return list(found)", "        return sorted(found)"),
    ("C1: the first write wins", "resolve", "table", "cells[slot.place] = None if", "cells[slot.place] = cells[slot.place] if cells[slot.place] is not None else None if"),
    ("C2: a write clears the row", "resolve", "table", "                cells[slot.place] = None if", "                cells[:] = [None] * len(cells)\n                cells[slot.place] = None if"),
    ("C6: a no-op takes a number", "resolve", "session", 'if "cseq" in message:\n', 'if "cseq" in message:\n                self.seq += 1\n'),
    ("C8: late writes into unknown rows are an error", "apply", "table", "if slot is not None and cells is not None:", "if slot is not None:"),
    ("S4: a column keeps its first name", "resolve", "table", 'slot.name = body["name"]', "pass"),
    ("S5: a deleted column forgets late writes", "apply", "table", "if slot is not None and cells is not None:", "if slot is not None and cells is not None and slot.number in self._live:"),
    ("S8: a column deleted twice is an error", "apply", "table", "if column_number(column) in self._live:\n            self", "if True:\n            self"),
    ("S13: columns move one too far", "resolve", "table", "self._live.index(column_number(after)) + 1", "self._live.index(column_number(after)) + 2"),
    ("rows that are there are inserted again", "apply", "table", "if any(number in self._cells for number in numbers) or len(set(numbers)) != len(numbers):\n            raise ProtocolError(\"malformed\", \"a row is", "if False:\n            raise ProtocolError(\"malformed\", \"a row is"),
    ("unknown places are the end", "apply", "table", '            raise ProtocolError("malformed", "rows stand', '            return None\n            raise ProtocolError("malformed", "rows stand'),
    ("a double is an int", "apply", "values", "if isinstance(value, int) and not isinstance(value, bool) and -(2**63)", "if isinstance(value, (int, float)) and -(2**63)"),
    ("ints beyond 64 bits", "apply", "values", "and -(2**63) <= value < 2**63:\n        return", "and True:\n        return"),
    ("hash: names are left out", "apply", "table", "kind, len(name)) + name)", "kind, len(name)))"),
    ("hash: groups of another size", "apply", "table", "if bits & 0xFF == 0:", "if bits & 0x1FF == 0:"),
    ("hash: runs of another size", "apply", "table", "if bits & 0x3FFF == 0:", "if bits & 0x1FFF == 0:"),
    ("hash: null is empty text", "apply", "table", "NULL_BYTES if value is None", "bytes_of('') if value is None and plan[0][1] is bytes_of else NULL_BYTES if value is None"),
    ("hash: -0 is 0", "apply", "values", "_DOUBLE_FORM.pack(3, 8, value)", "_DOUBLE_FORM.pack(3, 8, value + 0.0)"),
    ("hash: offsets do not count", "apply", "values", "micros, offset // timedelta(minutes=1))", "micros, 0)"),
    ("hash: moments before 1970 round up", "apply", "values", "local // timedelta(microseconds=1) -", "int(local / timedelta(microseconds=1)) -"),
    ("hash: dates from another day", "apply", "values", "- 719163", "- 719162"),
    ("hash: a decimal without its scale", "apply", "values", "raw + bytes([-exponent])", "raw + b'\\0'"),
    ("hash: integers in JSON are doubles", "apply", "values", 'struct.pack(">Bq", 3, value)', 'struct.pack(">Bd", 4, value)'),
    ("hash: whole doubles in JSON stay doubles", "apply", "values", "value.is_integer() and", "False and"),
    ("hash: keys as they come", "apply", "values", "members = sorted(", "members = list("),
    ("hash: rules left out", "apply", "table", "if slot.rules:", "if False:"),
    ("apply: rules of a column stay", "apply", "table", 'slot.rules = body["rules"]', "pass"),
    ("apply: a list takes anything", "apply", "values", "isinstance(one, (str, int, float, bool)) for one", "True for one"),
    ("apply: a decimal takes a fraction of JSON", "apply", "values", "isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63", "isinstance(value, (int, float))"),
    ("resume: sent again under a new number", "resume", "session", "        self.next_cseq = max(self.next_cseq, last + 1)\n", "        self.next_cseq = last + 1 + len(self.pending)\n        self.pending = {cseq + 1: one for cseq, one in self.pending.items()}\n"),
    ("resume: what was decided is sent again at once", "resume", "session", "self._sent = self._decided = last", "self._sent, self._decided = 0, last"),
    ("resume: what is owed is never asked for", "resume", "session", "self._sent = min(self._sent, min(self.pending) - 1)", "pass"),
    ("resume: nothing is sent again", "resume", "session", "self._sent = self._decided = last", "self._sent = self._decided = self.next_cseq"),
    ("resume: without the place held", "resume", "session", "if self._has_place or self.replica is not None:", "if self._has_place:"),
    ("resume: the first secret for ever", "resume", "session", 'self.number, self._token = message["session"], message.get("token", "")', 'self.number, self._token = message["session"], self._token or message.get("token", "")'),
    ("resume: next is always 1", "resume", "session", "first = min(self.pending, default=self.next_cseq)", "first = 1"),
    ("resume: what came is asked for again", "resume", "session", '"seq": self.seq}\n        if self.number', '"seq": min(self.seq, 5)}\n        if self.number'),
    ("resume: gaps are passed over", "resume", "session", "if seq != self.seq + 1 or", "if False or"),
    ("resume: no window", "resume", "session", "is_full = count >= self.window or", "is_full ="),
    ("resume: sent before it is open", "resume", "session", 'if self.state != "open":\n            return []', 'if self.state == "lost":\n            return []'),
    ("resume: a lost session goes on", "resume", "errors", '"session_expired": "review"', '"session_expired": "reconnect"'),
    ("resume: another table's session ends this one", "resume", "connection", "concerned = session.id == table if table else", "concerned = True if table else"),
    ("resume: one answer lost is the session lost", "resume", "session", 'elif code == "session_expired" and operation is not None:', "elif False:"),
    ("resume: every gap is a new one", "resume", "session", "if self._gap_seen < cseq <= self._gap_last:", "if False:"),
    ("resume: a record of another session answers", "resume", "session", "if record.session == self.number and record.cseq", "if record.cseq"),
    ("errors: a final bye is come back from", "errors", "errors", '"cseq_reused": "give_up"', '"cseq_reused": "reconnect"'),
    ("errors: an orderly stop is final", "errors", "errors", '"going_away": "reconnect"', '"going_away": "give_up"'),
    ("errors: unknown codes are final", "errors", "errors", 'ACTIONS.get(code, "reconnect")', 'ACTIONS.get(code, "give_up")'),
    ("errors: the wait is forgotten", "errors", "connection", 'self.retry_seconds = message.get("retry_seconds")\n        if what == "give_up"', 'if what == "give_up"'),
    ("errors: the wait for an operation is forgotten", "errors", "connection", 'self.retry_seconds = message.get("retry_seconds", self.retry_seconds)', "pass"),
    ("errors: a request's error ends the connection", "errors", "connection", "self._requests.pop(number).failure = failure", "self.end(failure)"),
]

_RUN = """
import sys
from tests.support import CONFORMANCE, lines_of
from tests.test_conformance import GROUPS
group = sys.argv[1]
for place, line in lines_of(CONFORMANCE / (group + ".jsonl")):
    try:
        problem = GROUPS[group](line)
    except Exception as error:
        problem = repr(error)
    if problem:
        print(place, line.get("name", line.get("code")), problem)
        break
"""


def first_complaint(group: str, module: str, old: str, new: str) -> str:
    """What the lines of a group say to the library with one text replaced; "" for nothing."""
    with tempfile.TemporaryDirectory(prefix="roundtable-mutant-") as name:
        folder = Path(name) / "clients" / "python"
        for package in ["roundtable", "tests"]:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(PYTHON / package, folder / package, ignore=ignored)
        (Path(name) / "clients" / "conformance").symlink_to(PROJECT / "clients" / "conformance")
        path = folder / "roundtable" / f"{module}.py"
        source = path.read_text(encoding="utf-8")
        if source.count(old) != 1:
            raise AssertionError(f"{module}.py has {source.count(old)} times: {old}")
        path.write_text(source.replace(old, new), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-B", "-c", _RUN, group],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout


class Mutants(unittest.TestCase):
    def test_each_bent_rule_fails_some_line(self) -> None:
        for name, group, module, old, new in MUTANTS:
            with self.subTest(name):
                self.assertNotEqual(first_complaint(group, module, old, new), "")

    def test_the_straight_library_fails_none(self) -> None:
        for group in ["wire", "apply", "resolve", "resume", "errors"]:
            self.assertEqual(first_complaint(group, "session", "FAULTS_MAX = 3", "FAULTS_MAX = 3"), "")


if __name__ == "__main__":
    unittest.main()
